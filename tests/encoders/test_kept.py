"""Loaded models: each once, a few at a time, and threads that wait for each other."""

import shutil
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from relviz.encoders import load as kept
from relviz.encoders import load_encoder
from relviz.encoders.load import KEPT, cached_or_loaded
from relviz.errors import ReadError


class Counted:
    """A loader that notes how often it is asked."""

    def __init__(self, slow=0.0):
        self.times, self.slow = 0, slow

    def __call__(self):
        self.times += 1
        time.sleep(self.slow)
        return object()


@pytest.fixture(autouse=True)
def _as_before(monkeypatch):
    monkeypatch.setattr(kept, "_recent", type(kept._recent)())
    monkeypatch.setattr(kept, "_bundled", {})


def test_the_least_recently_used_is_let_go():
    loads = {key: Counted() for key in range(KEPT + 1)}
    for key in range(KEPT):
        cached_or_loaded(key, loads[key])
    cached_or_loaded(0, loads[0])
    cached_or_loaded(KEPT, loads[KEPT])
    for key in (0, KEPT, 1):
        cached_or_loaded(key, loads[key])
    assert [loads[key].times for key in loads] == [1, 2, 1, 1, 1]


def test_what_pip_carries_is_never_let_go():
    load = Counted()
    cached_or_loaded("carried", load, forever=True)
    for key in range(2 * KEPT):
        cached_or_loaded(key, Counted())
    cached_or_loaded("carried", load, forever=True)
    assert load.times == 1


def test_threads_wait_for_each_other():
    load = Counted(0.05)
    with ThreadPoolExecutor(8) as threads:
        found = list(threads.map(lambda _: cached_or_loaded("one", load), range(8)))
    assert load.times == 1
    assert len(set(map(id, found))) == 1


def test_a_failure_is_not_kept():
    def fail():
        raise ReadError("damaged")

    with pytest.raises(ReadError):
        cached_or_loaded("one", fail)
    assert cached_or_loaded("one", Counted()) is not None


def test_threads_share_one_network_at_every_layer(models):
    folder = models["bert"]

    def work(layer):
        encoder = load_encoder(folder, layer=layer % 4)
        return encoder.network, encoder.encode(["a cat", "a dog " * layer], batch=1)

    with ThreadPoolExecutor(6) as threads:
        results = list(threads.map(work, range(12)))
    assert len({id(network) for network, _ in results}) == 1
    for layer, (_, found) in enumerate(results):
        assert found[0].allclose(results[layer % 4][1][0], atol=1e-6)


def test_a_model_saved_anew_is_loaded_anew(models, tmp_path):
    from safetensors.torch import load_file, save_file

    folder = shutil.copytree(models["bert"], tmp_path / "bert")
    before = load_encoder(folder)
    weights = {key: value * 1.1 for key, value in load_file(folder / "model.safetensors").items()}
    time.sleep(0.01)
    save_file(weights, folder / "model.safetensors", metadata={"format": "pt"})
    after = load_encoder(folder)
    assert not after.encode(["a"]).allclose(before.encode(["a"]), atol=1e-3)
    assert after.digest != load_encoder(models["bert"]).digest

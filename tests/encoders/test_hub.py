"""Models of the hub: what lies in the local cache, and fetching, on a hub that is made up."""

import os
import shutil
import socket
import subprocess
import sys
import time
from types import SimpleNamespace

import pytest

from relviz.encoders import (
    card,
    fetch_from_hub,
    hub_folder,
    installed_encoders,
    load_encoder,
)
from relviz.encoders import (
    hub as fetch,
)
from relviz.encoders.hub import is_hub_id, wanted_files
from relviz.errors import Error, ParameterError

NOT_READ = {"modeling.py", "onnx/model.onnx", "pytorch_model.bin", "README.md"}
SHA = "0123456789abcdef0123456789abcdef01234567"


@pytest.fixture
def cache(tmp_path, monkeypatch):
    monkeypatch.setenv("HF_HUB_CACHE", str(tmp_path / "hub"))
    return tmp_path / "hub"


@pytest.fixture
def online(monkeypatch):
    monkeypatch.delenv("HF_HUB_OFFLINE")
    monkeypatch.delenv("RELVIZ_HUB", raising=False)


def place(cache, name, model, sha=SHA, main=SHA):
    """As huggingface_hub lays a model down: files under their hashes, links to them under their names."""
    root = cache / f"models--{name.replace('/', '--')}"
    (root / "blobs").mkdir(parents=True, exist_ok=True)
    (root / "snapshots" / sha).mkdir(parents=True)
    (root / "refs").mkdir(exist_ok=True)
    (root / "refs" / "main").write_text(main)
    for file in model.iterdir():
        shutil.copy(file, root / "blobs" / f"{sha[:4]}{file.name}")
        (root / "snapshots" / sha / file.name).symlink_to(root / "blobs" / f"{sha[:4]}{file.name}")
    return root / "snapshots" / sha


def test_a_model_of_the_cache_is_loaded_by_its_id(cache, models):
    assert hub_folder("org/bert") is None
    folder = place(cache, "org/bert", models["bert"])
    assert hub_folder("org/bert") == folder
    encoder = load_encoder("org/bert", layer=1)
    assert (encoder.name, encoder.title) == ("org/bert, layer 1, mean", "bert, layer 1, mean")
    assert encoder.digest == load_encoder(models["bert"], layer=1).digest
    assert card("org/bert").dimension == 16


def test_the_version_of_the_main_branch_is_taken_if_it_is_whole(cache, models):
    old, new = "1" * 40, "2" * 40
    place(cache, "org/bert", models["bert"], old, main=old)
    place(cache, "org/bert", models["bert"], new, main=old)
    assert hub_folder("org/bert").name == old
    (hub_folder("org/bert") / "model.safetensors").unlink()
    assert hub_folder("org/bert").name == new
    next((cache / "models--org--bert" / "blobs").glob("2222tokenizer.json")).unlink()
    assert hub_folder("org/bert") is None
    with pytest.raises(ParameterError, match="not on this machine, or incomplete"):
        load_encoder("org/bert")


@pytest.mark.parametrize(
    "name",
    ["bert", "a/b/c", "../b", "a/b..c", "a/b--c", "/b", "a/", "a b/c", "a/b\n", f"a/{'b' * 200}", ""],
)
@pytest.mark.usefixtures("cache")
def test_names_that_are_no_ids(name):
    assert not is_hub_id(name)
    assert hub_folder(name) is None
    with pytest.raises(ParameterError, match="are named org/name"):
        fetch_from_hub(name)
    with pytest.raises(ParameterError, match="There is no encoder"):
        load_encoder(name)


@pytest.mark.usefixtures("cache")
def test_an_id_that_is_not_here_says_how_to_fetch_it():
    with pytest.raises(ParameterError) as caught:
        load_encoder("org/model")
    assert "fetch_from_hub('org/model') downloads it" in str(caught.value)
    assert all(name in str(caught.value) for name in installed_encoders())


@pytest.mark.parametrize(("key", "value"), [("HF_HUB_OFFLINE", "1"), ("RELVIZ_HUB", "off")])
@pytest.mark.usefixtures("online", "cache")
def test_nothing_is_fetched_where_the_hub_is_off(monkeypatch, key, value):
    monkeypatch.setenv(key, value)
    start = time.monotonic()
    with pytest.raises(ParameterError, match=r"the hub is disabled.*Without it: minilm.*folder"):
        fetch_from_hub("org/model")
    assert time.monotonic() - start < 1


@pytest.mark.parametrize(
    "endpoint",
    [
        "http://10.255.255.1",
        "https://no-such-host.invalid",
        "http://127.0.0.1:9",
        "http://127.0.0.1:99999",
        "x",
    ],
)
@pytest.mark.usefixtures("online", "cache")
def test_a_hub_that_cannot_be_reached_is_soon_given_up(monkeypatch, endpoint):
    monkeypatch.setenv("HF_ENDPOINT", endpoint)
    start = time.monotonic()
    with pytest.raises(ParameterError, match=r"(cannot be reached|could not be fetched).*Without it: minilm"):
        fetch_from_hub("org/model")
    took = time.monotonic() - start
    assert took < 10, took


@pytest.mark.usefixtures("online", "cache")
def test_a_name_server_that_never_answers_is_given_up_too(monkeypatch):
    monkeypatch.setattr("socket.getaddrinfo", lambda *_, **__: time.sleep(5) or [])
    monkeypatch.setattr(fetch, "REACH", 0.2)
    start = time.monotonic()
    with pytest.raises(ParameterError, match="cannot be reached"):
        fetch_from_hub("org/model")
    assert time.monotonic() - start < 3


@pytest.fixture
def hub(online, cache, monkeypatch, models):  # noqa: ARG001, the hub must be on
    """A hub with one model; what was asked of it is noted."""
    files = {file.name: file.stat().st_size for file in models["bert"].iterdir()}
    files |= dict.fromkeys(NOT_READ, 10)
    asked = []

    class HfApi:
        def __init__(self, endpoint):
            asked.append(endpoint)

        def model_info(self, name, files_metadata, timeout):
            assert name == "org/bert"
            assert files_metadata
            assert timeout
            said = [SimpleNamespace(rfilename=file, size=size) for file, size in files.items()]
            return SimpleNamespace(sha=SHA, siblings=said)

        def hf_hub_download(self, name, file, revision, etag_timeout):
            assert revision == SHA
            assert etag_timeout
            asked.append(file)
            folder = cache / f"models--{name.replace('/', '--')}" / "snapshots" / SHA
            folder.mkdir(parents=True, exist_ok=True)
            shutil.copy(models["bert"] / file, folder / file)

    monkeypatch.setattr("huggingface_hub.HfApi", HfApi)
    monkeypatch.setattr(fetch, "_probe", asked.append)
    return SimpleNamespace(files=files, asked=asked, api=HfApi)


def test_only_what_is_read_is_fetched(hub):
    told = []
    folder = fetch_from_hub("org/bert", told.append)
    assert hub.asked[:2] == ["https://huggingface.co"] * 2
    assert sorted(hub.asked[2:]) == sorted(set(hub.files) - NOT_READ)
    assert hub.asked[-1] == "model.safetensors"
    assert told == sorted(told)
    assert told[-1] == 1
    assert folder == hub_folder("org/bert")
    assert load_encoder("org/bert").encode(["a"]).shape == (1, 16)
    hub.asked.clear()
    assert fetch_from_hub("org/bert") == folder
    assert hub.asked == []


def test_who_is_told_may_stop_it(hub):
    def stop(fraction):
        raise InterruptedError(fraction)

    with pytest.raises(InterruptedError):
        fetch_from_hub("org/bert", stop)
    assert len(hub.asked) == 3


@pytest.mark.parametrize("size", [fetch.MAX_BYTES, None])
def test_a_model_that_is_too_large_is_not_begun(hub, size):
    hub.files["model.safetensors"] = size
    with pytest.raises(ParameterError, match="the limit is 20,000,000,000"):
        fetch_from_hub("org/bert")
    assert len(hub.asked) == 2


def test_a_model_without_tensors_is_not_begun(hub):
    del hub.files["model.safetensors"], hub.files["pytorch_model.bin"]
    with pytest.raises(ParameterError, match=r"no safetensors and no pytorch_model\.bin"):
        fetch_from_hub("org/bert")
    assert len(hub.asked) == 2


def test_whatever_the_hub_raises_is_one_error(hub, monkeypatch):
    import httpx2
    from huggingface_hub import errors

    answer = httpx2.Response(404, request=httpx2.Request("GET", "http://hub"))
    for reason, match in (
        (errors.RepositoryNotFoundError("no", response=answer), "has no model org/bert, or it is private"),
        (errors.GatedRepoError("no", response=answer), "is gated"),
        (TimeoutError("slow"), r"could not be fetched \(TimeoutError: slow\)"),
        (OSError("disk full"), r"could not be fetched \(OSError: disk full\)"),
    ):

        def fail(*_, _reason=reason, **__):
            raise _reason

        monkeypatch.setattr(hub.api, "hf_hub_download", fail)
        with pytest.raises(Error, match=match):
            fetch_from_hub("org/bert")


def test_files_that_are_wanted():
    def wanted(*names):
        return set(wanted_files(list(names)))

    assert wanted("model.safetensors", "pytorch_model.bin", "tf_model.h5", "model.fp16.safetensors") == {
        "model.safetensors"
    }
    parts = {f"model-0000{part}-of-00002.safetensors" for part in (1, 2)} | {"model.safetensors.index.json"}
    assert (
        wanted(*parts, "consolidated.safetensors", "pytorch_model.bin.index.json", "x/params.json") == parts
    )
    assert wanted("pytorch_model.bin", "a.pkl", "b.py", "flax_model.msgpack") == {"pytorch_model.bin"}
    assert wanted(
        "1_Pooling/config.json", "2_Dense/model.safetensors", "2_Dense/pytorch_model.bin", "x/y.json"
    ) == {
        "1_Pooling/config.json",
        "2_Dense/model.safetensors",
    }
    assert wanted("vocab.txt", "merges.txt", "spiece.model", "../x.json", "/x.json", "runs/1/x.json") == {
        "vocab.txt",
        "merges.txt",
        "spiece.model",
    }


@pytest.mark.slow
@pytest.mark.usefixtures("online", "cache")
def test_a_hub_that_takes_the_call_and_says_nothing_is_given_up():
    """In a process of its own: huggingface_hub reads once whether it may ask."""

    with socket.create_server(("127.0.0.1", 0)) as server:
        code = (
            "import time; from relviz.encoders import fetch_from_hub, hub\n"
            "hub.ANSWER = 0.5; start = time.monotonic()\n"
            "try: fetch_from_hub('org/model')\n"
            "except ValueError as said: print(said, time.monotonic() - start < 5)\n"
        )
        free = {key: value for key, value in os.environ.items() if "proxy" not in key.lower()}
        done = subprocess.run(
            [sys.executable, "-c", code],
            env={**free, "HF_ENDPOINT": f"http://127.0.0.1:{server.getsockname()[1]}"},
            capture_output=True,
            text=True,
            check=True,
        )
    assert "org/model could not be fetched" in done.stdout
    assert done.stdout.strip().endswith("True")

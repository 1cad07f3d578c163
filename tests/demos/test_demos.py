"""The data that comes with the project is whole, aligned and small."""

import time
from collections import Counter

import numpy as np
import pytest
import torch
from PIL import Image
from safetensors import safe_open

from relviz.demos import Demo, Sprite, demo_names, load_demo
from relviz.demos.catalog import entry
from relviz.demos.contact_sheet import sheet_size
from relviz.demos.load import DATA, read_demo
from relviz.errors import ParameterError, ReadError
from relviz.space import Space

SHAPES = {
    "emoji": {
        "image_lite0": (1906, 1280),
        "image_lite1": (1906, 1280),
        "text_en_minilm": (1906, 384),
        "text_en_wordllama": (1906, 256),
        "text_es_e5": (1906, 384),
    },
    "glosses": {"minilm": (1500, 384), "wordllama": (1500, 256), "e5": (1500, 384)},
    "words": {"glove50": (20000, 50), "wink100": (20000, 100)},
    "digits": {"pixels": (10000, 784)},
}
CLASSES = {"emoji": 9, "glosses": 12, "digits": 10}
every_demo = pytest.mark.parametrize("name", SHAPES)


def test_names_are_the_promised_ones():
    assert demo_names() == ("emoji", "glosses", "words", "digits")


@every_demo
def test_every_space_has_its_shape_and_name(name):
    demo = load_demo(name)
    assert {key: tuple(space.vectors.shape) for key, space in demo.spaces.items()} == SHAPES[name]
    assert {key: space.name for key, space in demo.spaces.items()} == dict(entry(name).spaces)
    assert all((demo.name == name, demo.title, demo.description, demo.license, demo.source))


@every_demo
def test_rows_are_aligned_across_spaces(name):
    first, *others = load_demo(name).spaces.values()
    assert first.ids is not None
    assert len(set(first.ids)) == len(first)
    for space in others:
        assert space.ids == first.ids
        assert space.labels == first.labels
    assert all(space.items is not None and all(space.items) for space in (first, *others))


@every_demo
def test_labels_are_classes_of_some_size(name):
    for space in load_demo(name).spaces.values():
        if name not in CLASSES:
            assert space.labels is None
            continue
        counts = Counter(space.labels)
        assert len(counts) == CLASSES[name]
        assert min(counts.values()) >= 85


@every_demo
def test_vectors_are_finite_and_vary(name):
    for key, space in load_demo(name).spaces.items():
        assert space.vectors.isfinite().all()
        assert (space.vectors.std(1) > 0).all()
        constant = (space.vectors == space.vectors[0]).all(0).nonzero().flatten().tolist()
        if key == "pixels":  # in the corners all images are black
            assert len(constant) < 200
        elif "minilm" in key:  # two dimensions that the encoder itself leaves at about 1e-33
            assert constant == [127, 223]
        else:
            assert constant == []


@pytest.mark.parametrize("name", ["emoji", "glosses", "words"])
def test_float32_vectors_are_the_float16_ones_of_the_file(name):
    for key, space in load_demo(name).spaces.items():
        with safe_open(DATA / name / f"{key}.safetensors", framework="numpy") as file:
            kept = file.get_tensor("vectors")
        assert kept.dtype == np.float16
        assert torch.equal(space.vectors, torch.from_numpy(kept.astype(np.float32)))


def test_digits_are_bytes_over_255_under_the_right_label():
    space = load_demo("digits").spaces["pixels"]
    levels = space.vectors * 255
    assert torch.allclose(levels, levels.round(), atol=1e-4)
    assert levels.max() == 255
    # Nearest class mean is right for four digits in five when images and labels belong together.
    labels = torch.tensor([int(label) for label in space.labels or ()])
    means = torch.stack([space.vectors[labels == digit].mean(0) for digit in range(10)])
    assert (torch.cdist(space.vectors, means).argmin(1) == labels).double().mean() > 0.8


def test_all_of_it_is_small_enough_for_git():
    assert sum(path.stat().st_size for path in DATA.rglob("*") if path.is_file()) <= 30_000_000


@pytest.mark.parametrize("name", ["emoji", "digits"])
def test_the_sheet_has_a_cell_for_every_row(name):
    demo = load_demo(name)
    sprite, rows = demo.sprite, len(next(iter(demo.spaces.values())))
    assert sprite is not None
    with Image.open(sprite.path) as image:
        assert image.size == sheet_size(rows, sprite.cell, sprite.columns)
        pixels = np.asarray(image.convert("RGBA"))
    for row in (0, rows // 2, rows - 1):
        left, top = sprite.corner(row)
        assert pixels[top : top + sprite.cell, left : left + sprite.cell].std() > 0


def test_the_emoji_sprite_is_in_the_order_of_the_rows():
    demo = load_demo("emoji")
    space, sprite = demo.spaces["image_lite0"], demo.sprite
    assert sprite is not None
    with Image.open(sprite.path) as image:
        pixels = np.asarray(image.convert("RGBA")).astype(float)

    def color(code: str) -> np.ndarray:
        left, top = sprite.corner(list(space.ids or ()).index(code))
        cell = pixels[top : top + sprite.cell, left : left + sprite.cell]
        return (cell[..., :3] * cell[..., 3:]).sum((0, 1)) / cell[..., 3].sum()

    red, green, blue = color("1F534"), color("1F7E2"), color("1F535")
    assert (red.argmax(), green.argmax(), blue.argmax()) == (0, 1, 2)


def test_what_a_person_sees_of_an_emoji():
    demo = load_demo("emoji")
    row = list(demo.spaces["image_lite0"].ids or ()).index("1F600")
    seen = {key: (space.items or ())[row] for key, space in demo.spaces.items()}
    assert seen.pop("text_es_e5") == "😀 cara sonriendo"
    assert set(seen.values()) == {"😀 grinning face"}


def test_pair_is_the_first_recommended_one_unless_two_are_named():
    demo = load_demo("emoji")
    assert demo.pairs[0] == ("image_lite0", "image_lite1")
    pair = demo.pair()
    assert (pair.a.name, pair.b.name) == ("EfficientNet-Lite0 (images)", "EfficientNet-Lite1 (images)")
    assert (pair.audit.kept, pair.audit.matched_by) == (1906, "ids")
    other = demo.pair("text_es_e5", "text_en_minilm")
    assert (other.a.dimension, other.b.name) == (384, "MiniLM (English names)")


@every_demo
def test_recommended_pairs_are_of_spaces_that_exist(name):
    demo = load_demo(name)
    assert (len(demo.pairs) > 0) == (len(demo.spaces) > 1)
    assert all(a != b and {a, b} <= set(demo.spaces) for a, b in demo.pairs)


def test_pairs_that_cannot_be_made_are_refused():
    emoji = load_demo("emoji")
    with pytest.raises(ParameterError, match=r"no space 'lite9'; it has image_lite0, image_lite1"):
        emoji.pair("image_lite0", "lite9")
    with pytest.raises(ParameterError, match="two spaces or none"):
        emoji.pair("image_lite0")
    with pytest.raises(ParameterError, match="no pairs"):
        load_demo("digits").pair()


def test_unknown_demo_names_those_there_are():
    with pytest.raises(ParameterError, match=r"no demo '../words'; there are emoji, glosses, words, digits"):
        load_demo("../words")


def test_a_demo_is_read_once_and_fast():
    load_demo.cache_clear()
    start = time.perf_counter()
    demo = load_demo("emoji")
    assert time.perf_counter() - start < 2  # 0.2 s on an idle machine
    assert load_demo("emoji") is demo


def test_missing_files_are_said_to_be_missing(tmp_path):
    with pytest.raises(ReadError, match=r"image_lite0.safetensors cannot be read"):
        read_demo("emoji", tmp_path)
    with pytest.raises(ReadError, match=r"rows.json"):
        read_demo("digits", tmp_path)


def test_results_cannot_be_changed():
    demo = load_demo("words")
    with pytest.raises(TypeError):
        demo.spaces["new"] = Space([[1, 2], [3, 4]])  # type: ignore[index]
    assert isinstance(demo, Demo)
    assert Sprite(DATA, 32, 44).corner(45) == (32, 32)

"""The parts of the rebuild that need no package: on tiny stand-ins, and on the bundled data."""

import json
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from relviz.demos.load import load_demo, read_demo
from relviz.demos.sources import digits, emoji, glosses, words
from relviz.demos.sources.packages import Package
from relviz.demos.sources.rows import spread

GLOSS_LINES = [
    "  1 This software and database is being provided to you, the LICENSEE, by | with a bar",
    '02084071 05 n 02 domestic_dog 0 dog 1 001 @ 02083346 n 0000 | a canine; usually tame; "it barks"  ',
    "00001740 03 n 01 entity 0 000 | that which is perceived  ",
]


@pytest.fixture
def unpacked(tmp_path, monkeypatch):
    """Stands in for fetch: packages are folders that a test has filled."""

    def fetch(package: Package, packages: Path) -> Path:
        return packages / package.name

    for module in (digits, emoji):
        monkeypatch.setattr(module, "fetch", fetch)
    return tmp_path


def write_json(path: Path, content: object) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(content), "utf-8")


@pytest.mark.parametrize(
    ("rows", "expected"), [(None, "abcde"), (9, "abcde"), (5, "abcde"), (2, "ac"), (1, "a"), (3, "abd")]
)
def test_short_rebuilds_are_spread_over_the_rows(rows, expected):
    assert "".join(spread("abcde", rows)) == expected


def test_glosses_are_read_without_examples_and_only_of_the_classes():
    found = glosses.glosses(GLOSS_LINES)
    assert found == {"02084071": glosses.Gloss("domestic dog", "a canine; usually tame", "animal")}


def test_the_classes_are_those_of_the_bundled_glosses():
    labels = load_demo("glosses").spaces["e5"].labels
    assert sorted(glosses.CLASSES.values()) == sorted(set(labels or ()))


def test_shared_words_keep_the_first_order_and_are_letters():
    vocabulary = ["the", ",", "b2b", "café", "of", "lost", "end"]
    assert words.shared_words(vocabulary, {"end", "of", "the", ",", "b2b", "café"}, 3) == [
        "the",
        "café",
        "of",
    ]


def test_norm_and_row_behind_the_vector_are_left_out():
    kept = words.first_numbers({"a": [1.0, 2.0, 2.2, 0], "b": [3.0, 4.0, 5.0, 1]}, ["b", "a"], 2)
    assert kept.tolist() == [[3.0, 4.0], [1.0, 2.0]]
    assert kept.dtype == np.float32


def test_bytes_survive_three_digits():
    numbers = [round(value / 255, 3) for value in range(256)]
    assert digits.pixels(numbers * 4, 16).reshape(4, 256).tolist() == [list(range(256))] * 4


def test_the_bundled_digits_are_in_the_shuffled_order():
    space = load_demo("digits").spaces["pixels"]
    counts = sorted(Counter(space.labels or ()).items())
    ids = [f"{digit}-{i}" for digit, count in counts for i in range(count)]
    assert [ids[i] for i in digits.shuffled(len(ids))] == list(space.ids or ())


def test_digits_are_built_from_a_tiny_package(unpacked):
    shades = np.random.default_rng(0).integers(0, 256, (10, 3, 28, 28))
    for digit in range(10):
        numbers = (shades[digit] / 255).round(3).ravel().tolist()
        write_json(unpacked / "mnist/package/src/digits" / f"{digit}.json", {"data": numbers})
    digits.build(unpacked / "out" / "digits", unpacked, rows=7)
    space = read_demo("digits", unpacked / "out").spaces["pixels"]
    assert len(space) == 7
    for row, name in enumerate(space.ids or ()):
        digit, number = map(int, name.split("-"))
        assert (space.labels or ())[row] == str(digit)
        np.testing.assert_array_equal(
            (space.vectors[row] * 255).round().numpy(), shades[digit, number].ravel()
        )


def test_emoji_names_come_from_both_packages_with_or_without_selector(unpacked):
    derived = {"#⃣": {"tts": ["keycap: #"], "default": ["keycap"]}}
    plain = {"😀": {"tts": ["grinning face"], "default": ["face", "grin"]}}
    for name, what, content in (
        ("cldr-annotations-derived-full", "annotationsDerived", derived),
        ("cldr-annotations-full", "annotations", plain),
    ):
        file = unpacked / name / "package" / what / "en" / "annotations.json"
        write_json(file, {what: {"annotations": content}})
    known = emoji.annotations("en", unpacked)
    glyphs = [emoji.glyph("1F600"), emoji.glyph("0023-FE0F-20E3")]
    assert glyphs == ["😀", "#️⃣"]
    assert emoji.named(glyphs, known) == ["😀 grinning face", "#️⃣ keycap: #"]
    assert emoji.described(glyphs, known) == ["grinning face: face, grin", "keycap: #: keycap"]


def test_a_sprite_keeps_order_and_transparency(tmp_path):
    images = [Image.new("RGBA", (8, 8), color) for color in ("red", "lime", (0, 0, 0, 0))]
    emoji.write_sprite(tmp_path / "sprite.png", images, 4, 2)
    with Image.open(tmp_path / "sprite.png") as sheet:
        assert sheet.size == (8, 8)
        pixels = sheet.convert("RGBA")
    corners = [pixels.getpixel(at) for at in ((1, 1), (5, 1), (1, 5))]
    assert corners == [(255, 0, 0, 255), (0, 255, 0, 255), (0, 0, 0, 0)]

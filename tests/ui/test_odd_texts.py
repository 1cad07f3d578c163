"""What stands in files is shown letter by letter: no markup of it is obeyed, on charts or in sentences."""

import json

import pytest
import torch

import relviz
from relviz.state.sources import keep_space
from tests.ui.made import CLASSES, TEXTS, small_pair
from tests.ui.screen import SAID, chart, drawn, finished, opened

TRAPS = (
    "![picture](http://example.org/x.png)",
    "**stars** `code` $x^2$",
    ":material/home: :red[red] ~~gone~~",
    "# heading",
    "<img src=http://example.org/y.png>",
)
"""Texts that Markdown would turn into pictures of other machines, formulas, icons and colors."""


def test_a_map_is_sent_no_text_of_an_item() -> None:
    header, body = drawn(opened(params=small_pair()))
    assert header["texts"]["url"].endswith(".bin")
    sent = json.dumps(header, ensure_ascii=False).encode() + body
    assert not [text for text in TEXTS if len(text) > 8 and text.encode() in sent]


def test_names_are_sent_to_a_map_letter_by_letter() -> None:
    header, _ = drawn(opened(params=small_pair() | {"spaces": "both"}))
    assert "<u>third</u>" in header["colors"]["names"]
    assert [pane["title"].split(" · ")[0] for pane in header["panes"]] == ["Encoder A", "Encoder B"] * 2


def test_class_names_on_charts_are_escaped() -> None:
    assert "<u>" not in str(chart(opened("anchors", small_pair())))


def trapped_pair() -> dict[str, str]:
    """A pair whose names, classes and texts are all traps."""
    rng = torch.Generator().manual_seed(0)
    n = 4 * len(TRAPS)
    texts = [TRAPS[row % len(TRAPS)] for row in range(n)]
    labels = [*texts[:-1], "a class"]
    vectors = torch.randn(n, 5, generator=rng)
    vectors[len(TRAPS)] = vectors[0] * 2
    spaces = [
        relviz.Space(vectors + shift, labels=labels, items=texts, name=TRAPS[shift]) for shift in (0, 1)
    ]
    return {side: keep_space(space) for side, space in zip("ab", spaces, strict=True)}


@pytest.mark.parametrize("page", ["data", "anchors", "compare"])
def test_no_sentence_obeys_the_markup_of_a_file(page: str) -> None:
    picks = {"method": "hand", "picks": f"0.{len(TRAPS)}.3"}
    at = finished(opened(page, trapped_pair() | picks))
    sentences = [element.value for kind in (*SAID, "subheader", "title") for element in getattr(at, kind)]
    for table in at.table:
        sentences += [*map(str, table.value.columns), *map(str, table.value.to_numpy().ravel())]
    for sentence in sentences:
        for trap in TRAPS:
            assert trap not in sentence, sentence


def test_it_is_the_texts_themselves_that_are_shown() -> None:
    assert set(CLASSES) == set(opened("data", small_pair()).dataframe[0].value["class"])

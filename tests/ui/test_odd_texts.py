"""What stands in files is shown letter by letter: no markup of it is obeyed, on charts or in sentences."""

import html

import numpy as np
import pytest
import torch
from streamlit.testing.v1 import AppTest

import relviz
from relviz.ui.maps import Pane, map_figure
from relviz.view.sources import keep_space
from tests.ui.made import CLASSES, ODD_TEXTS, ROWS, TEXTS, small_pair
from tests.ui.screen import SAID, chart, finished, opened

TRAPS = (
    "![picture](http://example.org/x.png)",
    "**stars** `code` $x^2$",
    ":material/home: :red[red] ~~gone~~",
    "# heading",
    "<img src=http://example.org/y.png>",
)
"""Texts that Markdown would turn into pictures of other machines, formulas, icons and colours."""


def hovers(at: AppTest) -> list[str]:
    return [text for trace in chart(at)["data"] for text in trace["text"]]


def test_hover_texts_are_escaped() -> None:
    raw = [text.replace("<br>", " ") for text in hovers(opened(params=small_pair()))]
    assert {html.unescape(text) for text in raw} >= set(ODD_TEXTS)
    assert not [text for text in raw if "<" in text]


def test_class_names_are_escaped() -> None:
    at = opened(params=small_pair())
    names = {trace.get("name", "") for trace in chart(at)["data"]}
    assert html.escape("<u>third</u>") in names
    assert "<u>" not in str(chart(at))
    assert "<u>" not in str(chart(opened("anchors", small_pair()), 1))


def test_names_of_spaces_are_escaped() -> None:
    pane = Pane("<b>A</b> & co", np.zeros((2, 2)))
    figure = map_figure([pane, Pane("B", None, message="a < b")], ["x", "y"], None, np.empty(0, int))
    texts = [note.text for note in figure.layout.annotations]
    assert texts == ["&lt;b&gt;A&lt;/b&gt; &amp; co", "B", "a &lt; b"]


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
    assert len(set(hovers(opened(params=small_pair())))) == ROWS == len(set(TEXTS))
    assert set(CLASSES) == set(opened("data", small_pair()).dataframe[0].value["class"])

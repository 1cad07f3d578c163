"""Names of spaces and classes: chosen once, shown on every page for the session, kept out of the data."""

import gc
import json
import re
import weakref
from dataclasses import replace
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

import relviz.ui.names
from relviz.figures.make import PrintFigure
from relviz.pair import Pair
from relviz.results.stories import picture_task
from relviz.stories import stories
from relviz.ui.learn.message import step_message
from relviz.ui.names import KEY
from tests.plotting.pdf import text_of
from tests.ui.made import small_pair, spaces
from tests.ui.screen import APP, PATIENCE, drawn, figured, finished, opened, pressed, said, turned, went

NAMES = {"Encoder A": "MiniLM", "Encoder B": "E5 large", "odd": "Odd ones"}
SMALL = {"count": "13", "k": "4", "runs": "2", "queries": "20"}
PAGES = ("anchors", "stitch", "data", "shelf")
OWN = {"names", "figure_button", "open_recipe", "matrix", "jobs", "pair_view", "kept_runs"}
"""Modules of the pages that handle spaces by their own names, and show none of these."""


def everything(at: AppTest) -> str:
    """All that the server gives the browser, but for what is typed into fields of names."""
    maps = json.dumps(drawn(at)[0], ensure_ascii=False) if at.get("bidi_component") else ""
    words = [one.value for kind in ("subheader", "table", "dataframe") for one in at.get(kind)]
    options = [option for one in at.selectbox for option in one.options]
    helps = [one.help for one in at.button]
    return "\n".join([said(at), maps, *map(str, [*words, *options, *helps])])


@pytest.mark.parametrize("page", PAGES)
def test_a_page_says_what_was_chosen_and_nothing_else(page: str) -> None:
    at = AppTest.from_file(APP, default_timeout=PATIENCE)
    at.session_state[KEY] = NAMES
    at.query_params.update(small_pair() | SMALL)
    went(at.switch_page(f"pages/{page}.py"))
    shown = everything(at)
    assert "MiniLM" in shown
    assert "E5 large" in shown
    assert "Encoder A" not in shown
    assert "Encoder B" not in shown


def test_home_and_the_gallery_have_the_names_too() -> None:
    at = AppTest.from_file(APP, default_timeout=PATIENCE)
    at.session_state[KEY] = {"EfficientNet-Lite0 (images)": "Small", "activity": "Sports"}
    assert drawn(finished(went(at)))[0]["models"] == ["Small", "EfficientNet-Lite1"]
    went(at.switch_page("pages/gallery.py"))
    assert "Small (1,280 dimensions)" in said(at)
    assert "EfficientNet-Lite0 (images)" not in said(at)
    assert "Names as packed. Compute here draws it with yours." in said(at)


def test_a_story_has_the_names_in_its_picture(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(relviz.ui.names, "names", lambda: NAMES)
    every = stories()
    picture = picture_task(every[0].steps[0].picture.kind, every[0].steps[0].picture.options).run()
    named = replace(picture, texts={"names": ["Encoder A and Encoder B"]})
    message = step_message(every, every[0], 1, named)
    assert message["picture"]["texts"] == {"names": ["MiniLM and E5 large"]}


def test_names_are_typed_once_kept_for_other_pages_and_reset_at_a_press() -> None:
    at = opened("compare", small_pair() | SMALL, tab="Where they disagree")
    at.session_state["names"] = True
    went(at)
    for field, name in (("Space Encoder A", "MiniLM"), ("Class odd", "Odd ones")):
        next(one for one in at.text_input if one.label == field).set_value(name)
        went(at)
    header, _ = drawn(at)
    assert [pane["title"].split(" · ")[0] for pane in header["panes"]][:2] == ["MiniLM", "Encoder B"]
    assert dict(zip(header["colors"]["names"], header["colors"]["shown"], strict=True))["odd"] == "Odd ones"
    assert "MiniLM" in everything(turned(at, "data"))
    at.session_state["names"] = True
    went(at)
    pressed(at, "Reset")
    assert "MiniLM" not in everything(at)


def test_pages_open_spaces_by_the_names_of_the_session() -> None:
    folder = Path(relviz.ui.names.__file__).parent
    found = {
        path for path in folder.rglob("*.py") if re.search(r"\bopen_(space|pair)\b", path.read_text("utf-8"))
    }
    assert {path.stem for path in found} <= OWN


def test_a_closed_pair_leaves_no_copy_behind() -> None:
    pair = Pair(*spaces())
    shown = relviz.ui.names._renamed_pair(pair, "MiniLM", "E5 large")
    assert relviz.ui.names._renamed_pair(pair, "MiniLM", "E5 large") is shown
    assert shown.a.vectors is pair.a.vectors
    for number in range(relviz.ui.names.MOST_COPIES + 1):
        relviz.ui.names._renamed_pair(pair, "MiniLM", str(number))
    held = [weakref.ref(one) for one in (shown, shown.a, pair.a)]
    del shown
    assert held[0]() is None  # it was the oldest of too many
    del pair
    gc.collect()
    assert [one() for one in held] == [None] * 3


def test_figures_have_the_names_and_recipes_the_own_ones(made: list[PrintFigure]) -> None:
    params = small_pair() | SMALL
    figured("compare", "compare", params)
    plain = made[-1]
    at = AppTest.from_file(APP, default_timeout=PATIENCE)
    at.session_state[KEY] = NAMES
    at.query_params.update(params)
    at.session_state["figure_compare"] = True
    went(at.switch_page("pages/compare.py"))
    assert made[-1].recipe.look.names == NAMES
    assert made[-1].recipe.data == plain.recipe.data
    assert made[-1].recipe.numbers == plain.recipe.numbers
    assert made[-1].caption.startswith("A: MiniLM (6 dimensions); B: E5 large")
    assert "<title>MiniLM and E5 large</title>" in made[-1].file("html").decode()
    assert {"MiniLM", "Odd"} <= set(text_of(made[-1].file("pdf")).split())

"""Shelf without a browser: A and B, what is taken off, every pair, a workspace saved and opened."""

import numpy as np
import pytest
import torch
from streamlit.testing.v1 import AppTest

import relviz
from relviz.state import View
from relviz.state.sources import keep_space, open_space
from relviz.state.view import MOST_NAMES, Names
from relviz.state.workspace import save_workspace
from tests.ui.made import ROWS, small_pair, spaces, unpaired
from tests.ui.screen import chart, finished, opened, pressed, said, turned, went


def params(**changes: object) -> dict[str, str]:
    return View(**small_pair(), count=20).with_changes(**changes).to_params()


def view_of(at: AppTest) -> View:
    return View.from_params({name: str(at.query_params[name]) for name in at.query_params})[0]


def click(at: AppTest, key: str) -> AppTest:
    at.button(key=key).click()
    return went(at)


def test_everything_at_hand_is_listed_and_any_two_can_be_compared() -> None:
    third = keep_space(spaces(9)[1])
    at = opened("shelf", params(shelf=Names([third])))
    assert "Encoder A" in said(at)
    before = [button.key for button in at.button if button.label == "A"]
    assert len(before) == 3
    click(at, f"A {third}")
    pair = small_pair()
    assert (view_of(at).a, view_of(at).b) == (third, pair["b"])
    assert [button.key for button in at.button if button.label == "A"] == before  # nothing moved
    click(at, f"B {third}")
    assert (view_of(at).a, view_of(at).b) == (pair["b"], third)  # they changed places
    assert at.button(key=f"off {third}").disabled
    click(at, f"off {pair['a']}")
    assert pair["a"] not in (*view_of(at).shelf, view_of(at).a, view_of(at).b)
    turned(at, "compare")
    assert not at.error


def test_every_space_is_seen_small() -> None:
    at = opened("shelf", params())
    first, second = (image.proto.imgs[0] for image in at.get("image"))
    assert first.alt == f"Encoder A: {ROWS} rows on two principal components, colored by class"
    assert second.alt.startswith("Encoder B")


def test_a_demo_s_spaces_can_be_put_on_it_until_it_is_full() -> None:
    at = opened("shelf")
    pressed(at, "Add to shelf")
    assert len(view_of(at).shelf) == 5
    full = Names(f"emoji.x{row}" for row in range(MOST_NAMES - 2))
    at = opened("shelf", View(shelf=full).to_params())
    pressed(at, "Add to shelf")
    assert view_of(at).shelf == full
    assert f"the limit is {MOST_NAMES}" in at.toast[0].value


def test_what_is_gone_is_told_and_can_be_taken_off() -> None:
    gone = "space-" + "2" * 32
    at = opened("shelf", View(shelf=Names([gone])).to_params())
    assert "no longer stored" in said(at)
    click(at, f"off {gone}")
    assert view_of(at).shelf == ()


def test_every_pair_is_measured_and_shown() -> None:
    other = relviz.Space(spaces()[0].vectors, ids=[f"x{row}" for row in range(ROWS)], name="unlike")
    at = opened("shelf", params(shelf=Names([keep_space(spaces(9)[1]), keep_space(other)])))
    finished(pressed(at, "Measure all pairs"))
    figure = chart(at)
    assert [note["text"] for note in figure["layout"]["annotations"]][:3] == [
        "CKA",
        "MRR@k",
        "Stitched accuracy",
    ]
    names = figure["data"][0]["y"]
    assert len(names) == 4
    assert "3 pairs left blank" in "".join(box.label for box in at.expander)
    assert "no id in common" in said(at)
    assert len(at.get("download_button")) == 10


def test_a_workspace_opens_with_its_choices_and_a_wrong_file_says_why() -> None:
    view = View(**small_pair(), count=13, shelf=Names([keep_space(spaces(9)[1])]))
    at = opened("shelf")
    at.file_uploader(key="workspace_file").set_value(("x.relviz", b"nothing", "application/octet-stream"))
    assert "workspace cannot be opened" in said(went(at))
    raw = save_workspace(view)
    at.file_uploader(key="workspace_file").set_value(("w.relviz", raw, "application/octet-stream"))
    went(at)
    assert view_of(at) == view
    turned(at, "anchors")
    assert not at.error


@pytest.mark.slow
def test_two_spaces_that_nothing_matches_lead_to_the_search_and_back() -> None:
    link = unpaired()
    seen = np.random.default_rng(0).integers(0, 256, (ROWS, 32, 32, 3), np.uint8)
    link["a"] = keep_space(open_space(link["a"]), thumbnails=seen)
    sources = link["a"], link["b"]
    at = opened("compare", link)
    assert "has no ids" in said(at)
    at = opened("bootstrap", link)
    assert "is unknown. Anchor optimization" in said(at)
    assert len(at.get("image")) == 2  # both spaces, small
    at.text_area(key="unpaired_known").set_value("id1, 2\nid2")
    assert "two names" in said(went(at))
    at.text_area(key="unpaired_known").set_value("\n".join(f"id{row}, {row + 1}" for row in range(15)))
    went(at)
    finished(pressed(at, "Find correspondences from 15 known pairs"))
    assert "self-check" in said(at)
    assert list(at.dataframe[0].value) == ["A (image)", "A", "B", "probability", "similarity"]
    pressed(at, "as the pairing")
    found = view_of(at)
    assert {found.a, found.b}.isdisjoint(sources)
    assert set(sources) <= set(found.shelf)
    turned(at, "compare")
    assert not at.error


@pytest.mark.slow
def test_a_rejected_search_starts_elsewhere_at_a_press_and_keeps_what_was_known() -> None:
    a, _ = spaces()
    other = np.random.default_rng(1).normal(size=(ROWS - 5, 6)).astype(np.float32)
    b = relviz.Space(torch.from_numpy(other), name="something else")
    at = opened("bootstrap", {"a": keep_space(a), "b": keep_space(b)})
    at.text_area(key="unpaired_known").set_value("id1, 2\nid2, 7")
    went(at)
    finished(pressed(at, "Find correspondences from 2 known pairs"))
    assert "Rejected by the self-check" in said(at)
    assert "two populations of rotations search independently" in said(at)
    finished(pressed(at, "Search again from other starts"))
    assert view_of(at).ao.seed == 1
    assert at.text_area(key="unpaired_known").value == "id1, 2\nid2, 7"
    assert "Rejected by the self-check" in said(at)
    assert "Find correspondences" not in said(at)
    assert not at.error


@pytest.mark.slow
def test_hints_of_two_spaces_that_nothing_matches_are_made_use_of() -> None:
    at = opened("bootstrap", unpaired())
    classes, names = (at.toggle(key=f"unpaired_{one}") for one in ("labels", "names"))
    assert classes.disabled
    assert names.disabled
    at.text_area(key="unpaired_groups").set_value("id1, id2")
    assert "vertical bar" in said(went(at))
    at.text_area(key="unpaired_groups").set_value("id1, id2 | 2, 3, 4")
    at.text_area(key="unpaired_apart").set_value("id1, 3")
    went(at)
    finished(pressed(at, "Find correspondences from hints"))
    assert "self-check" in said(at)
    assert "only for searches without hints" in said(at)


def test_classes_are_a_hint_where_both_spaces_have_them() -> None:
    a, b = spaces()
    unnamed = relviz.Space(b.vectors[:-5], labels=(b.labels or [])[:-5], name="no ids")
    at = opened("bootstrap", {"a": keep_space(a), "b": keep_space(unnamed)})
    classes = at.toggle(key="unpaired_labels")
    assert not classes.disabled
    assert "3 in both" in classes.label
    classes.set_value(True)
    went(at)
    assert [one.label for one in at.button if one.label.startswith("Find")] == [
        "Find correspondences from hints"
    ]

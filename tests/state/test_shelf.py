"""What is on the shelf, and every pair of it measured as the library measures one."""

import numpy as np
import pytest
import torch

import relviz
from relviz.results.all_pairs import METHOD, AllPairs, all_pairs_sheets, all_pairs_task
from relviz.state import View
from relviz.state.owners import Origin
from relviz.state.shelf import (
    anchors_after,
    shelf_after,
    shelf_of,
    shelf_with,
    shelf_without,
)
from relviz.state.sources import keep_space, origin_of
from relviz.state.view import MOST_NAMES, Names
from relviz.stitching import stitch
from tests.ui.made import CLASSES, ROWS, small_pair, spaces


def third() -> relviz.Space:
    return spaces(dimension_b=9)[1]


def test_a_and_b_are_on_the_shelf_with_what_is_known_of_each() -> None:
    own = keep_space(spaces(dimension_b=10)[1], Origin("x.npz"))
    view = View(shelf=Names([own]))
    listed = shelf_of(view.sources)
    assert [one.source for one in listed] == ["emoji.image_lite0", "emoji.image_lite1", own]
    assert (listed[0].rows, listed[0].dimension, listed[0].bytes) == (1906, 1280, 1906 * 1280 * 4)
    assert (listed[0].origin, listed[2].origin) == ("demo Emoji", "x.npz")
    assert origin_of("emoji.image_lite0").encoder == "efficientnet_lite0"
    kept = view.with_changes(shelf=view.sources, a=own)
    assert kept.sources == view.sources  # nothing moves when A is chosen anew


def test_what_cannot_be_opened_says_so_and_can_be_taken_off() -> None:
    gone = "space-" + "1" * 32
    view = View(shelf=Names([gone]))
    assert "no longer stored" in shelf_of(view.sources)[-1].problem
    assert shelf_without(view.shelf, gone) == Names()


def test_own_spaces_stay_when_others_are_compared() -> None:
    pair, demo = small_pair(), ("words.glove50", "words.wink100")
    assert shelf_after(Names(), *pair.values(), *demo) == (pair["a"], pair["b"])
    assert shelf_after(Names(), View.a, View.b, *demo) == ()
    assert shelf_after(Names(), "space-" + "3" * 32, View.b, *demo) == ()


def test_a_full_shelf_takes_no_more() -> None:
    full = Names(f"emoji.{row}" for row in range(MOST_NAMES))
    with pytest.raises(relviz.Error, match=f"the limit is {MOST_NAMES}"):
        shelf_with(full, "emoji.more")
    assert shelf_with(full, "emoji.3") == full
    assert len(shelf_after(full, keep_space(third()), "emoji.1")) == MOST_NAMES


def measured(*more: relviz.Space, seed: int = 0) -> AllPairs:
    return all_pairs_task([*small_pair().values(), *map(keep_space, more)], 20, seed).run()


def test_every_pair_is_measured_as_the_library_measures_one() -> None:
    made = measured(third())
    a, b = spaces()
    c = third()
    assert made.figures["cka"][0, 2] == pytest.approx(relviz.cka(a.vectors, c.vectors), abs=1e-6)
    np.testing.assert_array_equal(made.figures["cka"], made.figures["cka"].T)
    table = relviz.anchor_retrieval(b.vectors, c.vectors, 20, n_draws=1, null=None)
    assert made.figures["mrr_at_k"][1, 2] == pytest.approx(table.x_to_y.mean["mrr_at_k"])
    assert made.figures["mrr_at_k"][2, 1] == pytest.approx(table.y_to_x.mean["mrr_at_k"])
    cells = stitch({"a": a, "b": b}, CLASSES, 20, methods=("native", METHOD), n_draws=2)
    assert made.figures["accuracy"][0, 1] == cells.cell("a", "b", METHOD).mean["accuracy"]
    assert made.figures["accuracy"][0, 0] == cells.cell("a", "a", "native").mean["accuracy"]
    assert made.rows[0, 1] == ROWS
    sheet = all_pairs_sheets(made)["mrr_at_k"]
    assert "Accuracy is over 12 test rows that are neither anchors" in sheet.caption
    assert sheet.rows[0][1] == "–"
    assert sheet.rows[1][3] == f"{made.figures['mrr_at_k'][1, 2]:.3f}"


def test_a_space_more_measures_only_its_own_pairs(monkeypatch) -> None:
    measured(seed=7)
    asked = []
    monkeypatch.setattr("relviz.results.all_pairs.cka", lambda x, y: asked.append((x.shape, y.shape)) or 0.5)
    made = measured(third(), seed=7)
    assert len(asked) == 2
    assert made.figures["cka"][0, 2] == 0.5
    assert made.figures["cka"][0, 1] != 0.5


def test_pairs_that_cannot_be_say_why_and_the_others_are_measured() -> None:
    other = relviz.Space(torch.randn(30, 4), ids=[f"x{row}" for row in range(30)], name="other")
    made = measured(other)
    assert np.isnan(made.figures["mrr_at_k"][0, 2])
    assert np.isfinite(made.figures["mrr_at_k"][0, 1])
    assert [(pair.one, pair.other) for pair in made.unmatched] == [(0, 2), (1, 2)]
    assert "no id in common" in made.unmatched[0].reason


def test_without_classes_there_is_no_accuracy() -> None:
    rows = torch.randn(40, 5, generator=torch.Generator().manual_seed(0))
    sides = [relviz.Space(rows @ torch.randn(5, 4), name=name) for name in "xy"]
    made = all_pairs_task([*map(keep_space, sides)], 20, 0).run()
    assert np.isnan(made.figures["accuracy"]).all()
    assert np.isfinite(made.figures["cka"]).all()


def test_of_few_rows_at_most_half_become_anchors_and_what_was_chosen_stays() -> None:
    a, b = small_pair().values()
    small, emoji, words = (a, b), (View.a, View.b), ("words.glove50", "words.wink100")
    assert anchors_after(View.count, emoji, small) == ROWS // 2
    assert anchors_after(ROWS // 2, small, emoji) == 300
    assert anchors_after(12, emoji, small) == 12
    assert anchors_after(500, emoji, small) == ROWS // 2
    assert anchors_after(500, emoji, words) == 500

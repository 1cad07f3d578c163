"""What is on the shelf, and every pair of it measured as the library measures one."""

from typing import Any

import numpy as np
import pytest
import torch

import relviz
from relviz.results.all_pairs import METHOD, all_pairs_sheets, all_pairs_task
from relviz.state import View
from relviz.state.owners import Origin
from relviz.state.shelf import (
    anchors_after,
    shelf_after,
    shelf_of,
    shelf_with,
    shelf_without,
    sources_of,
)
from relviz.state.sources import keep_space, origin_of
from relviz.state.view import MOST_NAMES, Names
from relviz.stitching import stitch
from tests.ui.made import CLASSES, ROWS, small_pair, spaces


@pytest.fixture(autouse=True)
def _one_thread(one_thread):
    """Spaces here are small."""


def third() -> relviz.Space:
    return spaces(dimension_b=9)[1]


def test_a_and_b_are_on_the_shelf_with_what_is_known_of_each() -> None:
    own = keep_space(spaces(dimension_b=10)[1], Origin("x.npz"))
    view = View(shelf=Names([own]))
    listed = shelf_of(view)
    assert [one.source for one in listed] == ["emoji.image_lite0", "emoji.image_lite1", own]
    assert (listed[0].rows, listed[0].dimension, listed[0].bytes) == (1906, 1280, 1906 * 1280 * 4)
    assert (listed[0].origin, listed[2].origin) == ("demo Emoji", "x.npz")
    assert origin_of("emoji.image_lite0").encoder == "efficientnet_lite0"
    kept = view.with_changes(shelf=sources_of(view), a=own)
    assert sources_of(kept) == sources_of(view)  # nothing moves when A is chosen anew


def test_what_cannot_be_opened_says_so_and_can_be_taken_off() -> None:
    gone = "space-" + "1" * 32
    view = View(shelf=Names([gone]))
    assert "no longer kept" in shelf_of(view)[-1].problem
    assert shelf_without(view, gone) == Names()


def test_own_spaces_stay_when_others_are_compared() -> None:
    pair = small_pair()
    view = View(**pair)
    assert shelf_after(view, "words.glove50", "words.wink100") == (pair["a"], pair["b"])
    assert shelf_after(View(), "words.glove50", "words.wink100") == ()
    assert shelf_after(View(a="space-" + "3" * 32), "words.glove50", "words.wink100") == ()


def test_a_full_shelf_takes_no_more() -> None:
    full = View(shelf=Names(f"emoji.{row}" for row in range(MOST_NAMES)))
    with pytest.raises(relviz.Error, match=f"room for {MOST_NAMES}"):
        shelf_with(full, "emoji.more")
    assert shelf_with(full, "emoji.3") == full.shelf
    assert len(shelf_after(full, keep_space(third()), "emoji.1")) == MOST_NAMES


def measured(*more: relviz.Space, **changes: Any):
    view = View(**small_pair(), count=20, **changes)
    view = view.with_changes(shelf=Names(map(keep_space, more)))
    return all_pairs_task(view).run()


def test_every_pair_is_measured_as_the_library_measures_one() -> None:
    made = measured(third())
    a, b = spaces()
    c = third()
    assert made.arrays["cka"][0, 2] == pytest.approx(relviz.cka(a.vectors, c.vectors), abs=1e-6)
    np.testing.assert_array_equal(made.arrays["cka"], made.arrays["cka"].T)
    table = relviz.anchor_retrieval(b.vectors, c.vectors, 20, seeds=[0], null=None)
    assert made.arrays["mrr"][1, 2] == pytest.approx(table.x_to_y.mean["mrr"])
    assert made.arrays["mrr"][2, 1] == pytest.approx(table.y_to_x.mean["mrr"])
    cells = stitch({"a": a, "b": b}, CLASSES, 20, methods=("native", METHOD), runs=2)
    assert made.arrays["accuracy"][0, 1] == cells.cell("a", "b", METHOD).mean["accuracy"]
    assert made.arrays["accuracy"][0, 0] == cells.cell("a", "a", "native").mean["accuracy"]
    assert np.array(made.meta["rows"])[0, 1] == ROWS
    sheet = all_pairs_sheets(made.arrays, made.meta)["mrr"]
    assert "Accuracy is over 12 test rows that are no anchors" in sheet.caption
    assert sheet.rows[0][1] == "–"
    assert sheet.rows[1][3] == f"{made.arrays['mrr'][1, 2]:.3f}"


def test_a_space_more_measures_only_its_own_pairs(monkeypatch) -> None:
    measured(seed=7)
    asked = []
    monkeypatch.setattr("relviz.results.all_pairs.cka", lambda x, y: asked.append((x.shape, y.shape)) or 0.5)
    made = measured(third(), seed=7)
    assert len(asked) == 2
    assert made.arrays["cka"][0, 2] == 0.5
    assert made.arrays["cka"][0, 1] != 0.5


def test_pairs_that_cannot_be_say_why_and_the_others_are_measured() -> None:
    other = relviz.Space(torch.randn(30, 4), ids=[f"x{row}" for row in range(30)], name="other")
    made = measured(other)
    assert np.isnan(made.arrays["mrr"][0, 2])
    assert np.isfinite(made.arrays["mrr"][0, 1])
    assert "no id in common" in made.meta["reasons"]["0 2"]


def test_without_classes_there_is_no_accuracy() -> None:
    rows = torch.randn(40, 5, generator=torch.Generator().manual_seed(0))
    sides = [relviz.Space(rows @ torch.randn(5, 4), name=name) for name in "xy"]
    made = all_pairs_task(View(a=keep_space(sides[0]), b=keep_space(sides[1]), count=20)).run()
    assert np.isnan(made.arrays["accuracy"]).all()
    assert np.isfinite(made.arrays["cka"]).all()


def test_of_few_rows_at_most_half_become_anchors_and_what_was_chosen_stays() -> None:
    small = small_pair().values()
    assert anchors_after(View(), *small) == ROWS // 2
    assert (
        anchors_after(View(**small_pair(), count=ROWS // 2), "emoji.image_lite0", "emoji.image_lite1") == 300
    )
    assert anchors_after(View(count=12), *small) == 12
    assert anchors_after(View(count=500), *small) == ROWS // 2
    assert anchors_after(View(count=500), "words.glove50", "words.wink100") == 500

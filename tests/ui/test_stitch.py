"""The Stitch page: what it shows is what the library makes of the anchors chosen."""

import numpy as np
import pytest
import torch

import relviz
from relviz.view import View
from relviz.view.sources import open_pair
from relviz.view.translation import baselines_of, nearest_items, translation_of
from tests.ui.made import ROWS, small_pair
from tests.ui.screen import maps, opened, said, went

SMALL = {"count": "20"}


def view_of(**changes: object) -> View:
    return View(**small_pair(), count=20).with_changes(**changes)


@pytest.mark.parametrize("back", [False, True])
@pytest.mark.parametrize("method", ["irp", "ridge", "procrustes"])
def test_a_translation_is_the_library_s(method: str, back: bool) -> None:
    view = view_of(translate=method, back=back)
    pair = open_pair(view.a, view.b)
    rows = relviz.select_anchors(pair.a.vectors, 20, seed=0)
    source, target = (pair.b, pair.a) if back else (pair.a, pair.b)
    fitted = relviz.translator(source.vectors[rows], target.vectors[rows], method)
    made = translation_of(view)
    torch.testing.assert_close(made.made, fitted(source.vectors))
    assert made.cosines.mean() > (0.9 if method == "ridge" else 0.4)
    assert np.median(made.ranks) < ROWS / 4
    assert made.landed.shape == (ROWS, 2)


def test_near_a_translated_item_is_the_item() -> None:
    near, own = nearest_items(view_of(translate="ridge"), 30)
    assert near[0][0] == 30
    assert 30 not in [row for row, _ in own]
    assert [cosine for _, cosine in own] == sorted((cosine for _, cosine in own), reverse=True)


def test_methods_that_cannot_be_used_say_why() -> None:
    wide = View(**small_pair(dimension_b=9), count=20)
    made = baselines_of(wide)
    assert "6 and 9 dimensions" in str(made["absolute"])
    assert all(not isinstance(one, str) for name, one in made.items() if name != "absolute")


def test_the_page_shows_the_target_and_what_was_carried_there() -> None:
    at = opened("stitch", small_pair() | SMALL | {"translate": "ridge"})
    panes = maps(at)
    assert [len(points) for points in panes] == [ROWS, ROWS]
    assert np.abs(panes[0] - panes[1]).max() < 0.5 * np.ptp(panes[0])
    assert {metric.label for metric in at.metric} >= {"Condition number", "Anchors kept"}
    assert "lands at a cosine of" in said(at)
    before = at.metric[0].value
    at.selectbox(key="choice_translate").set_value("irp")
    went(at)
    at.slider(key="choice_delta").set_value(0.2)
    went(at)
    assert View.from_params(at.query_params)[0].delta == 0.2
    assert at.metric[0].value != before


@pytest.mark.parametrize(
    ("params", "told"),
    [
        ({"method": "hand", "picks": "3"}, "choose at least 2"),
        ({"translate": "absolute"}, "dimensions"),
        ({"method": "run"}, "No run of anchor optimisation"),
    ],
)
def test_what_cannot_be_translated_is_explained(params: dict[str, str], told: str) -> None:
    at = opened("stitch", small_pair(dimension_b=9) | SMALL | params)
    assert told in said(at)

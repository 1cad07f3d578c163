"""An assumed pairing on the pages: random ones find nothing and are called random, and can be set aside."""

import pytest
import torch

import relviz
from relviz.state.sources import keep_space
from tests.test_random_pairing import ROWS, shuffled, within_null
from tests.ui.screen import finished, opened, pressed, said


@pytest.mark.parametrize("anchors", [2, 300, ROWS - 10])
def test_on_the_page(anchors, tmp_path, monkeypatch):
    monkeypatch.setenv("RELVIZ_CACHE", str(tmp_path))
    a, b = (relviz.Space(side) for side in shuffled("glosses"))
    params = {"a": keep_space(a), "b": keep_space(b), "count": str(anchors), "runs": "1"}
    at = finished(opened("compare", params))
    assert "The pairing looks random" in said(at)
    queries = ROWS - anchors
    for row in at.table[0].value.to_dict("records"):
        null, sd = map(float, row["shuffled pairing"].split(" ± "))
        assert within_null(float(row["relative A → B"]), null, sd, queries), row
    assert f"chance {1 / ROWS:.4f}" in {metric.label: metric.delta for metric in at.metric}["Top-1, relative"]


def test_a_plausible_pairing_is_still_called_assumed():
    pair = relviz.load_demo("glosses").pair()
    a, b = (relviz.Space(side.vectors[:ROWS]) for side in (pair.a, pair.b))
    at = finished(opened("data", {"a": keep_space(a), "b": keep_space(b)}))
    assert "assumed to be paired by position" in said(at)
    assert "The pairing is plausible" in said(at)


def test_ids_need_no_test():
    assert "assumed" not in said(finished(opened("data")))


def test_a_pairing_is_set_aside_and_taken_up_again():
    a, b = (relviz.Space(side) for side in shuffled("glosses"))
    link = {"a": keep_space(a), "b": keep_space(b)}
    at = finished(opened("bootstrap", link))
    assert "The pairing looks random" in said(at)
    at = opened("bootstrap", link | {"unpaired": "yes"})
    assert "is unknown. Anchor optimization" in said(at)
    at = pressed(at, "Pair rows by position again")
    assert "is unknown. Anchor optimization" not in said(at)


def test_too_few_rows_are_said():
    a, b = (relviz.Space(torch.eye(12)) for _ in range(2))
    assert "12 rows are too few to test their pairing" in said(
        finished(opened("data", {"a": keep_space(a), "b": keep_space(b)}))
    )

"""Anchors become different rows of y, the best together."""

import torch

import relviz
from relviz.bootstrapping.fitted_anchors import distinct_rows
from relviz.bootstrapping.inputs import check_given
from tests.bootstrapping.made import case

MADE = case(n=40, k=12, seeds=4)


def test_rows_are_found_again_and_seeds_keep_theirs():
    given = check_given(MADE.x, MADE.y, MADE.anchors, MADE.seeds)
    anchors = given.y[MADE.truth[MADE.anchors]].clone()
    anchors[:4] = -anchors[:4]
    assert torch.equal(distinct_rows(given, anchors), MADE.truth[MADE.anchors])


def test_anchors_that_want_the_same_row_share_out_the_nearest_ones():
    given = check_given(MADE.x, MADE.y, MADE.anchors, MADE.seeds)
    same = given.y[MADE.seeds[1][:1]].repeat(12, 1)
    found = distinct_rows(given, same)
    assert torch.equal(found[:4], MADE.seeds[1])
    free = [row for row in range(40) if row not in MADE.seeds[1].tolist()]
    order = (given.y[free] @ same[0]).argsort(descending=True)[:8]
    assert {*found[4:].tolist()} == {free[row] for row in order.tolist()}


def test_as_many_anchors_as_rows_use_every_row():
    given = check_given(MADE.x, MADE.y, range(40), ([], []))
    found = distinct_rows(given, given.y[:1].repeat(40, 1))
    assert sorted(found.tolist()) == [*range(40)]
    alone = check_given(MADE.x, MADE.y, MADE.seeds[0], MADE.seeds)
    assert torch.equal(distinct_rows(alone, relviz.prepare(MADE.y)[:4]), MADE.seeds[1])

"""Few pairs, many of them wrong, grow where there is a truth, and nowhere else."""

from functools import partial

import torch

from relviz.bootstrapping import stable_pairs
from relviz.bootstrapping.correspondence import hard
from relviz.bootstrapping.inputs import check_given
from relviz.bootstrapping.principal_axes import principal
from relviz.bootstrapping.stable_pairs import StablePairs
from tests.bootstrapping.made import case, right


def stable(made, first, shared=0.1, seed=0):
    given = check_given(made.x, made.y, made.anchors, made.seeds)
    x, y = (principal(side)[0] for side in (given.x, given.y))
    told = given.told.x, given.told.y
    args = first, shared, (given.sx, given.sy), told, partial(hard, cost="cosine")
    return StablePairs(x, y, *args, torch.Generator().manual_seed(seed))


def mixed(truth, count, wrong, seed=0):
    """So many pairs, of which these first are wrong."""
    generator = torch.Generator().manual_seed(seed)
    rows = torch.randperm(len(truth), generator=generator)[:count]
    matches = truth[rows].clone()
    matches[:wrong] = torch.randint(len(truth), (wrong,), generator=generator)
    return rows, matches


def last(pairs):
    *_, (at, _) = pairs.turns(pairs.begun)
    return at


def test_pairs_of_which_half_are_wrong_become_nearly_all_right_ones():
    made = case(n=400, d=40, seeds=0, noise=0.8)
    pairs = stable(made, mixed(made.truth, 120, 60))
    at = last(pairs)
    x, y = pairs.most(at)
    assert len(x) > 200
    assert right(y, made.truth[x]) > 0.9
    assert at.shared > 0.5


def test_wrong_pairs_grow_no_more():
    made = case(n=400, d=40, seeds=0)
    made.y[:] = torch.randn(made.y.shape, generator=torch.Generator().manual_seed(1))
    pairs = stable(made, mixed(made.truth, 60, 60))
    at = last(pairs)
    assert at.turn <= 4
    assert len(pairs.most(at)[0]) <= 80
    assert at.shared < 0.2


def test_too_few_pairs_are_no_start():
    made = case(n=400, d=40, seeds=5)
    few = stable(made, mixed(made.truth, 10, 0))
    assert not few.promising(few.begun)
    assert list(few.turns(few.begun)) == []


def test_known_pairs_are_not_matched_otherwise():
    made = case(n=200, d=40, seeds=8, noise=3.0)
    pairs = stable(made, mixed(made.truth, 100, 50))
    for _, found in pairs.turns(pairs.begun):
        assert torch.equal(found.y_of_x[made.seeds[0]], made.seeds[1])


def test_of_many_rows_a_part_is_looked_at_that_holds_the_pairs(monkeypatch):
    monkeypatch.setattr(stable_pairs, "MOST_ROWS", 150)
    made = case(n=400, d=40, seeds=4)
    first = mixed(made.truth, 100, 20)
    pairs = stable(made, first)
    assert [len(rows) for rows in pairs.rows] == [150, 150]
    for rows, wanted in zip(pairs.rows, first, strict=True):
        assert torch.isin(wanted, rows).all()
    x, y = pairs.most(last(pairs))
    there = torch.isin(made.truth[x], pairs.rows[1])
    assert there.sum() > 80
    assert right(y[there], made.truth[x[there]]) > 0.9


def test_turns_go_on_from_where_they_stood():
    made = case(n=200, d=40, seeds=0, noise=1.5)
    first = mixed(made.truth, 80, 40)
    whole = stable(made, first)
    for at, _ in whole.turns(whole.begun):
        if at.turn == 1:
            state, stood = whole._generator.get_state(), at
    resumed = stable(made, first)
    resumed._generator.set_state(state)
    *_, (end, _) = resumed.turns(stood)
    assert end.turn == at.turn
    assert all(map(torch.equal, end.most, at.most))

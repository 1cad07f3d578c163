"""Few pairs, many of them wrong, grow where there is a truth, and nowhere else."""

from dataclasses import replace
from functools import partial

import pytest
import torch

from relviz.bootstrapping import pair_fits, stable_pairs
from relviz.bootstrapping.correspondence import Correspondence, hard
from relviz.bootstrapping.inputs import check_given
from relviz.bootstrapping.pair_fits import Fitting
from relviz.bootstrapping.principal_axes import principal
from relviz.bootstrapping.stable_pairs import StablePairs
from tests.bootstrapping.made import case, right


def stable(made, first, seed=0):
    """Three starts name these pairs and no others."""
    rows = torch.randint(len(made.y), (3, len(made.x)), generator=torch.Generator().manual_seed(seed))
    rows[:, first[0]] = first[1]
    return started(made, list(rows), seed)


def started(made, matches, seed=0):
    given = check_given(made.x, made.y, made.anchors, made.seeds)
    x, y = (principal(side)[0] for side in (given.x, given.y))
    told = given.hints.x, given.hints.y
    known, generator = (given.sx, given.sy), torch.Generator().manual_seed(seed)
    return StablePairs(x, y, matches, Fitting(known, told, partial(hard, cost="cosine"), generator))


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


@pytest.mark.slow
def test_pairs_of_which_half_are_wrong_become_nearly_all_right_ones():
    made = case(n=400, d=40, seeds=0, noise=0.8)
    pairs = stable(made, mixed(made.truth, 120, 60))
    at = last(pairs)
    x, y = pairs.most(at)
    assert len(x) > 200
    assert right(y, made.truth[x]) > 0.9
    assert pairs.fits.shared((x, y)) > 0.5


def test_wrong_pairs_grow_no_more():
    made = case(n=400, d=40, seeds=0)
    made.y[:] = torch.randn(made.y.shape, generator=torch.Generator().manual_seed(1))
    pairs = stable(made, mixed(made.truth, 60, 60))
    at = last(pairs)
    assert at.turn == 1
    assert not pairs.enough(at.most)


def test_halves_of_wrong_pairs_lead_to_nothing_in_common():
    made = case(n=400, d=40, seeds=12)
    made.y[:] = torch.randn(made.y.shape, generator=torch.Generator().manual_seed(1))
    rows, matches = mixed(made.truth, 300, 300)
    pairs = stable(made, (rows, matches))
    assert pairs.fits.shared((rows, matches)) < 0.05


def test_a_pair_is_held_only_if_the_fit_without_it_names_it():
    made = case(n=200, d=40, seeds=0)
    starts = made.truth.repeat(4, 1)
    starts[:, 6], starts[:3, 7] = 12, 13
    pairs = started(made, list(starts))
    before = torch.arange(4), torch.tensor([7, 8, 9, 10])
    there, back = torch.arange(200).repeat(2, 4, 1)
    back[:, [0, 1, 2, 3, 5, 6, 7]] = 100  # nobody chooses these but as follows
    for x, y, fits, choosing_back in [
        (0, 7, [0, 1, 2, 3], 1),
        (1, 8, [0, 1, 2], 4),  # not the fit without it, which is the last
        (2, 9, [1, 2, 3], 2),  # not one that was made with it
        (3, 10, [0, 1], 2),  # four choices of eight
        (5, 11, [0], 4),  # not one of before
        (6, 12, [0, 1], 0),  # four starts stand for three choices
        (7, 13, [0, 1], 0),  # three starts stand for two
    ]:
        there[fits, x], back[:choosing_back, y] = y, x
    fits = [Correspondence(*choices) for choices in zip(there, back, strict=True)]
    x, y = pairs._confirmed(replace(pairs.begun, pairs=before), torch.tensor([0, 3, 3, 0]), fits)
    held = dict(zip(x.tolist(), y.tolist(), strict=True))
    assert [held.get(row) for row in range(8)] == [7, None, 9, None, 4, 11, 12, None]


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
    monkeypatch.setattr(pair_fits, "MOST_ROWS", 150)
    made = case(n=400, d=40, seeds=4)
    first = mixed(made.truth, 100, 20)
    pairs = stable(made, first)
    assert [len(rows) for rows in pairs.fits.rows] == [150, 150]
    for rows, wanted in zip(pairs.fits.rows, first, strict=True):
        assert torch.isin(wanted, rows).all()
    x, y = pairs.most(last(pairs))
    there = torch.isin(made.truth[x], pairs.fits.rows[1])
    assert there.sum() > 80
    assert right(y[there], made.truth[x[there]]) > 0.9


@pytest.mark.slow
def test_turns_go_on_from_where_they_stood():
    made = case(n=400, d=40, seeds=0, noise=0.8)
    first = mixed(made.truth, 120, 60)
    whole = stable(made, first)
    for at, _ in whole.turns(whole.begun):
        if at.turn == 1:
            state, stood = whole._generator.get_state(), at
    resumed = stable(made, first)
    resumed._generator.set_state(state)
    *_, (end, _) = resumed.turns(stood)
    assert end.turn == at.turn
    assert all(map(torch.equal, end.most, at.most))

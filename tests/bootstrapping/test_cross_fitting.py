"""Matches confirmed by other rows, and the score of a counterpart, where the answer is known."""

import pytest
import torch

import relviz
from relviz.bootstrapping import refinement
from relviz.bootstrapping.counterpart_score import has_counterpart
from relviz.bootstrapping.cross_fitting import POWER, cross_fitted, left_out
from relviz.bootstrapping.inputs import check_given
from relviz.bootstrapping.mutual_pairs import Pairs
from relviz.bootstrapping.principal_axes import principal
from relviz.bootstrapping.procrustes import align
from relviz.bootstrapping.right_share import Interval
from relviz.bootstrapping.start import seeded_sides
from tests.bootstrapping.made import threads

COMMON, OTHERS, D = 150, 150, 60
NONE = torch.zeros(COMMON + OTHERS, 0), torch.zeros(COMMON + OTHERS, 0)


@pytest.fixture(scope="module")
def halves():
    """Half of the rows of x are in y, rotated and with noise; the others of either have no counterpart."""
    generator = torch.Generator().manual_seed(0)
    shared, only_x, only_y = (torch.randn(n, D, generator=generator) for n in (COMMON, OTHERS, OTHERS))
    noise = 0.3 * torch.randn(COMMON, D, generator=generator)
    turn = torch.linalg.qr(torch.randn(D, D, generator=generator))[0]
    y = torch.cat([shared + noise, only_y]) @ turn
    order = torch.randperm(len(y), generator=generator)
    return torch.cat([shared, only_x]), y[order], order.argsort()[:COMMON]


@pytest.mark.slow
def test_rows_in_common_are_matched_and_scored_high_and_the_others_low(halves):
    x, y, truth = halves
    seeds = torch.arange(20)
    found = relviz.bootstrap(
        *(x, y, torch.arange(60), (seeds, truth[seeds])), options=relviz.AnnealedOptions(rounds=1, steps=60)
    )
    assert (found.matches[:COMMON] == truth).double().mean() > 0.97
    score = found.has_counterpart
    assert score.shape == (len(x),)
    assert torch.equal(score[seeds], torch.ones(20))
    assert score[20:COMMON].min() > 0.9
    assert score[COMMON:].mean() < 0.75
    assert (score[20:COMMON, None] > score[COMMON:]).double().mean() > 0.97


def test_cross_fitting_finds_more_of_the_rows_in_common_than_a_fit_to_all_rows(halves):
    x, y, truth = (
        principal(relviz.prepare(halves[0]))[0],
        principal(relviz.prepare(halves[1]))[0],
        halves[2],
    )
    sides = seeded_sides(x, y, (torch.arange(30), truth[:30]))
    alignment, pairs = cross_fitted(x, y, sides, NONE, torch.Generator().manual_seed(0))
    u, v = alignment.sides(x, y)
    assert ((u @ v.T).argmax(1)[:COMMON] == truth).double().mean() > 0.97
    assert pairs.weights[:COMMON].mean() > 2 * pairs.weights[COMMON:].mean()


def test_the_own_pair_of_a_row_is_taken_off():
    generator = torch.Generator().manual_seed(1)
    x, y = (relviz.prepare(torch.randn(40, 30, generator=generator)) for _ in range(2))
    pairs = Pairs(torch.randperm(40, generator=generator), torch.ones(40))
    own = {}
    for share in (0.0, 1.0):
        _, u, v = left_out(x, y, pairs, share, 8, generator)
        own[share] = float((u * v[pairs.matches]).sum(1).mean())
    assert own[0.0] > 0.5  # unrelated rows, and yet the rotation bends toward each pair
    assert abs(own[1.0]) < 0.15


def test_what_a_fold_adds_comes_off_as_if_the_rotation_were_fitted_without_it():
    generator = torch.Generator().manual_seed(3)
    rows = torch.randn(300, 40, generator=generator)
    x, y = (relviz.prepare(rows + 0.5 * torch.randn(300, 40, generator=generator)) for _ in range(2))
    pairs = Pairs(torch.arange(300), torch.rand(300, generator=generator))
    _, u, _ = left_out(x, y, pairs, 0.8, 4, torch.Generator().manual_seed(0))
    counted, found = x * pairs.weights[:, None], y[pairs.matches]
    for rows in torch.randperm(300, generator=torch.Generator().manual_seed(0)).chunk(4):
        fitted = align(counted.T @ found - 0.8 * counted[rows].T @ found[rows], 40, POWER)
        exact = relviz.relative_projection.unit_rows(x[rows] @ fitted.left) @ fitted.right.T
        assert torch.cosine_similarity(u[rows], exact).min() > 0.9999
        assert (u[rows].norm(dim=1) / exact.norm(dim=1) - 1).abs().max() < 0.01


def test_unrelated_rows_have_no_counterpart():
    generator = torch.Generator().manual_seed(2)
    x, y = (torch.randn(200, 60, generator=generator) for _ in range(2))
    given = check_given(x, y, torch.arange(10), ((), ()))
    assert has_counterpart(given, torch.randperm(200, generator=generator)).mean() < 0.15


@pytest.mark.parametrize("share", [None, Interval(0.0, 0.0, 0.1), Interval(1.0, 0.8, 1.0)])
@pytest.mark.parametrize("n", [2, 3, 5])
def test_few_rows_have_a_score(n, share):
    x = torch.randn(n, 4, generator=torch.Generator().manual_seed(n))
    score = has_counterpart(check_given(x, x, [0], ((), ())), torch.arange(n), share)
    assert ((score >= 0) & (score <= 1)).all()


@pytest.mark.parametrize(
    ("share", "mean"),
    [
        (Interval(0.5, 0.3, 0.7), 0.5),
        (Interval(0.5, 0.0, 1.0), None),
        (Interval(0.0, 0.0, 0.0), 0.5 / 180),
        (Interval(1.0, 1.0, 1.0), 1 - 0.5 / 180),
    ],
)
def test_scores_whose_mean_contradicts_the_estimated_share_are_moved_in_their_order(share, mean):
    generator = torch.Generator().manual_seed(2)
    x, y = (torch.randn(200, 60, generator=generator) for _ in range(2))
    known = torch.arange(20)
    given = check_given(x, y, torch.arange(20), (known, known))
    matches = torch.randperm(200, generator=generator)
    before, after = has_counterpart(given, matches), has_counterpart(given, matches, share)
    assert torch.equal(after[:20], torch.ones(20))
    if mean is None:
        assert torch.equal(before, after)
    else:
        assert float(after[20:].double().mean()) == pytest.approx(mean, abs=1e-5)
        assert (after[20:][before[20:].argsort()].diff() >= 0).all()


@pytest.mark.parametrize("spaces", [("minilm", "e5"), ("wordllama", "e5")])
def test_real_rows_are_scored_by_how_many_are_right_even_where_they_are_few(spaces):
    demo = relviz.load_demo("glosses")
    rows = torch.randperm(1500, generator=torch.Generator().manual_seed(0))[:300]
    order = torch.randperm(300, generator=torch.Generator().manual_seed(1))
    x, y = (demo.spaces[key].vectors[rows] for key in spaces)
    truth, known = order.argsort(), torch.arange(15)
    found = relviz.bootstrap(x, y[order], torch.arange(60), (known, truth[known]))
    right = (found.matches == truth).float()
    assert right.mean() > 0.9
    assert float(found.has_counterpart.mean()) == pytest.approx(float(right.mean()), abs=0.1)


def test_threads_do_not_change_the_score():
    generator = torch.Generator().manual_seed(3)
    x = torch.randn(600, 200, generator=generator)
    y = x + 0.5 * torch.randn(600, 200, generator=generator)
    given, scores = check_given(x, y, torch.arange(10), ((), ())), []
    for count in (1, 3):
        with threads(count):
            scores.append(has_counterpart(given, torch.arange(600).roll(1)))
    assert torch.equal(*scores)


@pytest.mark.slow
def test_spaces_of_near_duplicates_are_not_cross_fitted(halves, monkeypatch):
    x, y, truth = (side.repeat(2, 1) if side.ndim == 2 else side for side in halves)
    called = []
    fitted = cross_fitted
    monkeypatch.setattr(refinement, "cross_fitted", lambda *args: called.append(args) or fitted(*args))
    seeds = torch.arange(20)
    options = relviz.AnnealedOptions(rounds=1, steps=10)
    relviz.bootstrap(x, y, torch.arange(60), (seeds, truth[seeds]), options=options)
    assert not called
    relviz.bootstrap(*halves[:2], torch.arange(60), (seeds, truth[seeds]), options=options)
    assert called

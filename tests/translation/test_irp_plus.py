"""Leaving out in closed form against leaving out one by one, and what the choice is good for."""

from typing import Any

import pytest
import torch

import relviz
from relviz.relative_projection import unit_rows
from relviz.translation import anchor_pairs, fit_translator
from relviz.translation.irp_plus import NEAR_TIE, MixedGram, tried
from tests.translation.made import cosines, gaussian


def noisy(n, dx, dy, noise, seed=0):
    x = gaussian(n, dx, seed) * torch.linspace(2, 0.1, dx)
    return x, x @ gaussian(dx, dy, seed + 1) + noise * gaussian(n, dy, seed + 2) + 1


def one_by_one(pairs, share, strength):
    """The same smoother, its mean unpenalized, fitted anew without each anchor; directions from the mean."""
    x, y = (side.exact - side.exact.mean(0) for side in (pairs.source, pairs.target))
    k = len(x)
    mixed = share * x @ x.T + (1 - share) * y @ y.T
    values = torch.linalg.eigvalsh(mixed)
    penalty = strength * values[values > 1e-9].mean()
    ones = torch.ones(k - 1, 1, dtype=x.dtype)
    made = []
    for left in range(k):
        rest = [row for row in range(k) if row != left]
        system = mixed[rest][:, rest] + penalty * torch.eye(k - 1)
        system = torch.cat([torch.cat([system, ones], 1), torch.cat([ones, ones[:1] * 0]).T], 0)
        solved = torch.linalg.solve(system, torch.cat([y[rest], y[:1] * 0]))
        made.append((x[left] - x[rest].mean(0)) @ x[rest].T @ solved[:-1])
    return torch.stack(made), y


@pytest.mark.parametrize("share", [1.0, 0.6])
@pytest.mark.parametrize("strength", [0.01, 1.0])
@pytest.mark.parametrize(("k", "dx", "dy"), [(12, 20, 15), (30, 6, 9), (15, 8, 5)])
def test_leaving_out_in_closed_form_is_leaving_out(share, strength, k, dx, dy):
    pairs = anchor_pairs(*noisy(k, dx, dy, 0.5))
    mixed = MixedGram(pairs, share)
    made, goal = one_by_one(pairs, share, strength)
    pooled = (made * goal).sum() / (made.norm() * goal.norm())
    assert mixed.pooled_cosine(strength) == pytest.approx(float(pooled), abs=1e-6)
    made, goal = unit_rows(made), unit_rows(goal)
    assert mixed.cosine(strength) == pytest.approx(float((made * goal).sum(1).mean()), abs=1e-6)
    scores = made @ goal.T
    ranks = (scores >= scores.diagonal()[:, None] - 1e-9).sum(1)
    assert mixed.reciprocal_rank(strength) == pytest.approx(float((1 / ranks).mean()), abs=1e-3)


def test_the_matrix_is_the_regularized_inverse_between_the_anchors():
    pairs = anchor_pairs(*noisy(14, 9, 7, 0.5))
    x, y = (side.exact - side.exact.mean(0) for side in (pairs.source, pairs.target))
    mixed = 0.7 * x @ x.T + 0.3 * y @ y.T
    values = torch.linalg.eigvalsh(mixed)
    values = values[values > 1e-9]
    inverse = torch.linalg.inv(mixed + 0.2 * values.mean() * torch.eye(14))
    fit = MixedGram(pairs, 0.7).fit(0.2)
    torch.testing.assert_close(fit.matrix, (x.T @ inverse @ y).float(), atol=1e-5, rtol=1e-5)
    penalty = 0.2 * values.mean()
    expected = float(((values[-1] + penalty) / (values[0] + penalty)) ** 0.5)
    assert fit.condition_number == pytest.approx(expected, rel=1e-6)


@pytest.mark.parametrize(("k", "noise"), [(40, 0.3), (150, 0.3), (150, 3.0)])
def test_rows_left_out_are_met_as_well_as_by_ridge(k, noise):
    found = {"irp": [], "irp_plus": [], "ridge": []}
    for seed in range(4):
        x, y = noisy(600, 40, 30, noise, seed)
        goal = y[k:] - y[:k].mean(0)
        for method, cosine in found.items():
            t = relviz.translator(x[:k], y[:k], method)
            cosine.append(float(cosines(t(x[k:]) - y[:k].mean(0), goal).mean()))
    means = {method: sum(cosine) / 4 for method, cosine in found.items()}
    assert means["irp_plus"] >= means["ridge"] - 0.005
    assert means["irp_plus"] > means["irp"]


def test_of_few_anchors_the_pooled_cosine_decides():
    pairs = anchor_pairs(*noisy(60, 30, 20, 1.5))
    chosen: Any = fit_translator(pairs, "irp_plus").parameters
    found = tried(MixedGram(pairs, chosen["share"]).pooled_cosine)
    assert found[chosen["strength"]] == max(found.values())


def test_among_near_ties_the_rank_decides():
    pairs = anchor_pairs(*noisy(200, 30, 20, 1.5))
    chosen: Any = fit_translator(pairs, "irp_plus").parameters
    alone = MixedGram(pairs, chosen["share"])
    cosines_found = tried(alone.cosine)
    assert chosen["strength"] in cosines_found
    best = max(cosines_found.values())
    assert alone.cosine(chosen["strength"]) >= best - NEAR_TIE
    ties = [strength for strength, cosine in cosines_found.items() if cosine >= best - NEAR_TIE]
    assert len(ties) > 1
    assert alone.reciprocal_rank(chosen["strength"]) == max(map(alone.reciprocal_rank, ties))


def test_real_pairs_are_met_as_well_as_by_ridge():
    pair = relviz.load_demo("glosses").pair("minilm", "wordllama")
    order = torch.randperm(len(pair), generator=torch.Generator().manual_seed(0))
    drawn, rest = order[:300], order[300:]
    x, y = pair.a.vectors, pair.b.vectors
    cosine = {
        method: float(
            cosines(
                relviz.translator(x[drawn], y[drawn], method)(x[rest]) - y[drawn].mean(0),
                y[rest] - y[drawn].mean(0),
            ).mean()
        )
        for method in ("irp", "irp_plus", "ridge")
    }
    assert cosine["irp_plus"] >= cosine["ridge"] - 0.002
    assert cosine["irp_plus"] > cosine["irp"] + 0.05


@pytest.mark.parametrize("k", [2, 3, 4, 5, 6])
def test_a_handful_of_anchors_is_enough_to_answer(k):
    x, y = noisy(k, 8, 8, 0.1)
    t = relviz.translator(x, y, "irp_plus")
    assert cosines(t(x) - y.mean(0), y - y.mean(0)).min() > 0.5

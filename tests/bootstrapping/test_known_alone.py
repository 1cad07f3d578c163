"""What known pairs tell alone: where spaces share a few noisy directions, and where a run is believed."""

import pytest
import torch

import relviz
from relviz.bootstrapping import AnnealedOptions, annealed
from relviz.bootstrapping.fitted_anchors import fitted_anchors
from relviz.bootstrapping.inputs import check_given
from relviz.bootstrapping.known_alone import (
    FEWEST_ALONE,
    _shrinkage,
    hub_corrected,
    known_alone,
)
from relviz.bootstrapping.procrustes import align
from relviz.bootstrapping.record import Record
from relviz.bootstrapping.rejected import or_known_alone
from relviz.bootstrapping.result import result_of
from relviz.bootstrapping.verdict import Evidence
from relviz.relative_projection import unit_rows
from tests.bootstrapping.made import case

QUICK = AnnealedOptions(steps=4, refining=2, rounds=1, members=4, generations=1)
N, KNOWN = 900, torch.arange(100)
OTHERS = torch.arange(100, N)

pytestmark = pytest.mark.usefixtures("few_clusterings")


def modalities(seed=0, shared=20, own=8, spread=3.0, noise=0.3):
    """Two spaces that share directions of little variance; each has some of more variance for itself."""
    generator = torch.Generator().manual_seed(seed)
    common = torch.randn(N, shared, generator=generator)
    for d in (own, own + 8):
        rows = torch.cat([common, spread * torch.randn(N, d, generator=generator)], 1)
        rows = rows + noise * torch.randn(rows.shape, generator=generator)
        turned = torch.linalg.qr(torch.randn(shared + d, shared + d, generator=generator))[0]
        yield relviz.prepare(rows @ turned)


def mrr(u, v, rows):
    scores = u[rows] @ v.T
    return float((1 / (scores >= scores[torch.arange(len(rows)), rows][:, None]).sum(1)).mean())


@pytest.fixture(scope="module")
def spaces():
    return tuple(modalities())


@pytest.fixture(scope="module")
def alone(spaces):
    return known_alone(*spaces, (KNOWN, KNOWN))


def test_it_retrieves_far_more_than_procrustes_and_says_how_much(spaces, alone):
    x, y = spaces
    rotation = mrr(*align(x[KNOWN].T @ y[KNOWN], len(KNOWN)).sides(x, y), OTHERS)
    plain, corrected = mrr(*alone.alignment.sides(x, y), OTHERS), mrr(*alone.coordinates(x, y), OTHERS)
    assert corrected > plain > 10 * rotation
    assert float((1 / alone.ranks).mean()) == pytest.approx(corrected, abs=0.08)
    assert f"{alone.first:.0%} are retrieved first among 900 rows (chance 0.11%)" in str(alone)


def test_retrieval_by_its_anchors_comes_near_that_of_its_coordinates(spaces, alone):
    x, y = spaces
    found = alone.anchors(x[:200], x)
    torch.testing.assert_close(found.norm(dim=1), torch.ones(200))
    by_anchors = mrr(unit_rows(x @ x[:200].T), unit_rows(y @ found.T), OTHERS)
    assert by_anchors > 0.9 * mrr(*alone.alignment.sides(x, y), OTHERS)


def test_rows_without_a_known_counterpart_change_its_covariances():
    x, y = modalities(shared=12, own=10)
    pairs = KNOWN[:60], KNOWN[:60]
    every, few = known_alone(x, y, pairs), known_alone(x[:80], y[:80], pairs)
    assert mrr(*every.alignment.sides(x, y), OTHERS) > 1.2 * mrr(*few.alignment.sides(x, y), OTHERS)


def test_few_known_pairs_give_the_procrustes_rotation(spaces):
    x, y = spaces
    few = KNOWN[:20]
    alone = known_alone(x, y, (few, few))
    ours, rotation = alone.alignment.sides(x, y), align(x[few].T @ y[few], len(few)).sides(x, y)
    torch.testing.assert_close(ours[0] @ ours[1].T, rotation[0] @ rotation[1].T, atol=1e-4, rtol=0)
    assert torch.equal(alone.coordinates(x, y)[0], ours[0])


def test_an_effective_dimension_is_what_was_asked_for():
    variances = torch.tensor([4.0, 2.0, 1.0, 0.5, 0.0])
    for dimensions in (0.25, 1.0, 3.0):
        strength = _shrinkage(variances, dimensions)
        assert float((variances / (variances + strength)).sum()) == pytest.approx(dimensions, rel=1e-3)
    strength = _shrinkage(variances, 100.0)
    assert float((variances / (variances + strength)).sum()) == pytest.approx(0.9 * 4, rel=1e-3)


def test_a_hub_is_put_behind():
    u = unit_rows(torch.tensor([[1.0, 0.3], [0.3, 1.0]]))
    v = unit_rows(torch.tensor([[1.0, -0.3], [-0.3, 1.0], [1.0, 1.0]]))
    assert (u @ v.T).argmax(1).tolist() == [2, 2]
    a, b = hub_corrected(u, v, u)
    assert (a @ b.T).argmax(1).tolist() == [0, 1]


@pytest.mark.slow
def test_a_rejected_run_rests_on_the_known_pairs(spaces):
    x, y = spaces
    order = torch.randperm(N, generator=torch.Generator().manual_seed(1))
    truth, anchors = order.argsort(), torch.arange(200)
    found = relviz.bootstrap(x, y[order], anchors, (KNOWN, truth[KNOWN]), options=QUICK)
    assert not found.converged
    assert found.known_alone is not None
    assert f" {found.known_alone}" in found.evidence.reason
    assert torch.equal(found.matches[KNOWN], truth[KNOWN])
    assert float((found.matches == truth).double().mean()) > 0.5
    assert mrr(unit_rows(x @ x[anchors].T), unit_rows(y @ found.anchors.T), torch.arange(200, N)) > 0.5
    few = slice(0, FEWEST_ALONE - 1)
    fewer = relviz.bootstrap(x, y[order], anchors, (KNOWN[few], truth[KNOWN[few]]), options=QUICK)
    assert not fewer.converged
    assert fewer.known_alone is None


def test_a_run_that_is_believed_is_not_touched(monkeypatch):
    made = case(n=200, d=8, seeds=12)
    monkeypatch.setattr(annealed, "or_known_alone", None)
    found = relviz.bootstrap(made.x, made.y, made.anchors, made.seeds)
    assert found.converged
    assert found.known_alone is None


@pytest.mark.parametrize("kept", [True, False])
def test_a_rejected_run_is_kept_where_its_search_finds_pairs_held_back(kept):
    made = case(n=600, d=100, k=200, seeds=12, noise=1.0)
    given = check_given(made.x, made.y, made.anchors, made.seeds)
    shuffled = made.truth[torch.randperm(600, generator=torch.Generator().manual_seed(0))]
    matches, every = made.truth if kept else shuffled, torch.ones(600, dtype=torch.bool)
    told = []

    def searched(part):
        told.extend(part.sx.tolist())
        return matches, every

    verdict = False, Evidence(0.5, 0.1, None, "Rejected.")
    anchors = fitted_anchors(given, matches, every)
    rejected = result_of(Record(), given, "annealed", anchors, matches, verdict)
    assert (or_known_alone(given, rejected, searched) is rejected) == kept
    assert len(told) == 8
    assert {*told} < {*given.sx.tolist()}

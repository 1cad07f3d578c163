"""What is believed, and on what grounds: rotations from halves of the matches, and the anchors from all."""

from dataclasses import replace

import pytest
import torch

import relviz
from relviz.bootstrapping import AnnealedOptions, verdict
from relviz.bootstrapping.correspondence import kappa
from relviz.bootstrapping.fitted_anchors import fitted_anchors
from relviz.bootstrapping.inputs import check_given
from relviz.bootstrapping.null import Null
from relviz.bootstrapping.principal_axes import evened, principal
from relviz.bootstrapping.procrustes import align, nuclear
from relviz.bootstrapping.right_share import Interval
from relviz.bootstrapping.stable_matches import found_again
from relviz.bootstrapping.verdict import (
    BOTH,
    GROWN,
    HALVES,
    LEAST_RIGHT,
    MARGIN,
    TWICE,
    Evidence,
    above_chance,
    halves_agreement,
    is_clear,
    judge,
    margin_required,
    may_find_more,
    unless_mostly_wrong,
    with_right_share,
    with_shared,
)
from relviz.relative_projection import prepare
from tests.benchmarks.bootstrap_low import BELOW_FIVE, SAME_DIGITS, Asked, made
from tests.bootstrapping.made import case

pytestmark = pytest.mark.usefixtures("few_clusterings")


def prepared(made):
    return prepare(made.x), prepare(made.y)


def test_true_matches_are_believed_and_random_ones_not():
    made = case(n=300, d=10, noise=0.1)
    x, y = prepared(made)
    null = Null(x, y)
    converged, evidence = judge(null, made.truth, 0.9)
    assert converged
    assert evidence.halves > 0.5
    assert evidence.margin > MARGIN
    assert with_right_share(null, made.truth, (converged, evidence))[1].right.low > 0.85
    assert f"threshold {HALVES:.0%}" in evidence.reason
    assert f"threshold {margin_required(evidence.halves):.0%}" in evidence.reason
    shuffled = made.truth[torch.randperm(300, generator=torch.Generator().manual_seed(0))]
    converged, evidence = judge(Null(x, y), shuffled, 0.9)
    assert not converged
    assert evidence.halves < 0.1
    assert evidence.margin is None
    assert with_right_share(null, shuffled, (converged, evidence))[1].right is None
    assert null.margin(shuffled) < 0


def test_matches_whose_halves_hardly_agree_are_not_believed_but_may_be_worth_another_start():
    made = case(n=400, d=40, noise=0.3)
    null, matches = Null(*prepared(made)), made.truth.clone()
    matches[:300] = matches[:300].roll(1)
    converged, evidence = judge(null, matches, 0.9)
    assert not converged
    assert HALVES / 2 < evidence.halves < HALVES
    assert evidence.margin > MARGIN
    assert "The halves disagree" in evidence.reason
    assert may_find_more(null, evidence)
    assert not with_shared(null, (converged, evidence), 0.9)[0]
    assert judge(null, matches, 0.9, stopped=True)[1].margin is None


def test_the_less_the_halves_agree_the_more_margin_is_required():
    assert margin_required(HALVES) * HALVES == pytest.approx(BOTH)
    assert margin_required(0.3) * 0.3 == pytest.approx(BOTH)
    assert margin_required(0.9) == MARGIN
    assert is_clear(Evidence(1, 0.4, 0.15, ""))
    assert not is_clear(Evidence(1, 0.25, 0.15, ""))
    assert not is_clear(Evidence(1, 0.9, None, ""))


DOUBTED = " A random start fits about as well, so the matches cannot be trusted."


@pytest.mark.parametrize(
    ("d", "margin", "shared", "believed"),
    [
        (40, 0.1, TWICE.shared, True),
        (40, 0.1, TWICE.shared - 0.01, False),
        (40, 0.04, 0.9, False),
        (40, None, 0.9, False),
        (32, 0.1, 0.9, False),
    ],
)
def test_doubted_matches_are_believed_if_two_starts_find_them_and_they_fit(d, margin, shared, believed):
    x = torch.randn(60, d, generator=torch.Generator().manual_seed(0))
    doubted = Evidence(0.9, 0.3, margin, f"Why.{DOUBTED}")
    converged, evidence = with_shared(Null(x, x), (False, doubted), shared)
    assert (converged, evidence.shared) == (believed, shared)
    assert (f"match {shared:.0%} of the rows to the same row" in evidence.reason) == believed
    assert (DOUBTED in evidence.reason) != believed
    assert is_clear(evidence) == (shared >= TWICE.shared)


@pytest.mark.parametrize(
    ("margin", "shared", "believed"), [(0.07, 0.9, False), (0.09, 0.49, False), (0.09, 0.5, True)]
)
def test_grown_matches_need_more(margin, shared, believed):
    x = torch.randn(60, 40, generator=torch.Generator().manual_seed(0))
    doubted = Evidence(0.9, 0.3, margin, f"Why.{DOUBTED}")
    converged, evidence = with_shared(Null(x, x), (False, doubted), shared, GROWN)
    assert converged == believed
    assert (f"threshold {GROWN.shared:.0%}" in evidence.reason) == believed
    assert with_shared(Null(x, x), (False, doubted), shared)[0]


@pytest.mark.parametrize(("estimate", "believed"), [(LEAST_RIGHT - 0.01, False), (LEAST_RIGHT, True)])
def test_matches_found_twice_are_not_believed_if_hardly_any_is_estimated_to_be_right(
    estimate, believed, monkeypatch
):
    monkeypatch.setattr(verdict, "right_share", lambda *_: Interval(estimate, 0.0, 0.4))
    x = torch.randn(60, 40, generator=torch.Generator().manual_seed(0))
    null, matches = Null(x, x), torch.arange(60)
    shared = with_shared(null, (False, Evidence(0.9, 0.3, 0.1, f"Why.{DOUBTED}")), 0.9)
    converged, evidence = unless_mostly_wrong(null, matches, shared)
    assert (converged, evidence.right.estimate) == (believed, estimate)
    assert ("estimated 14% of the matches are right" in evidence.reason) != believed
    assert ("wrong correspondences do not" in evidence.reason) == believed
    assert above_chance(null, evidence) == believed
    again = unless_mostly_wrong(null, matches, with_shared(null, (converged, evidence), 0.95))
    assert again == (converged, replace(evidence, shared=0.95))


def test_nothing_is_estimated_of_matches_that_are_not_believed_anyway(monkeypatch):
    monkeypatch.setattr(verdict, "right_share", None)
    x = torch.randn(60, 40, generator=torch.Generator().manual_seed(0))
    doubted = False, Evidence(0.9, 0.3, 0.1, f"Why.{DOUBTED}")
    assert unless_mostly_wrong(Null(x, x), torch.arange(60), doubted) == doubted


@pytest.mark.slow
@pytest.mark.parametrize(("kind", "believed"), [(BELOW_FIVE, False), (SAME_DIGITS, True)])
def test_latents_of_unlike_digits_are_estimated_to_be_mostly_wrong(kind, believed):
    x, y, _ = made(Asked(kind, "autoencoder 1", "autoencoder 2", seeds=0, draw=0, rows=2000))
    found = relviz.bootstrap(x, y, torch.arange(300), options=AnnealedOptions(rounds=1))
    null = Null(*(principal(prepare(side))[0] for side in (x, y)))
    assert unless_mostly_wrong(null, found.matches, (True, found.evidence))[0] == believed


def test_dimensions_are_those_that_rows_spread_over():
    generator = torch.Generator().manual_seed(0)
    rows = torch.randn(2000, 20, generator=generator)
    assert Null(rows, rows[:, :6]).dimensions == pytest.approx(6, abs=0.1)
    assert Null(rows, rows * torch.arange(1, 21) ** -2.0).dimensions < 3
    assert Null(torch.zeros(9, 4), rows).dimensions == pytest.approx(1)


@pytest.mark.slow
def test_unrelated_spaces_that_spread_over_few_of_many_dimensions_are_not_believed():
    """A rotation between them is well determined, right or wrong."""
    generator = torch.Generator().manual_seed(0)
    x, y = (torch.randn(n, 64, generator=generator) * torch.arange(1, 65) ** -2.0 for n in (500, 562))
    known = torch.arange(15), torch.arange(15)
    assert not relviz.bootstrap(x, y, torch.arange(200), known).converged


def test_known_pairs_are_no_evidence_that_two_starts_find_the_same():
    x = torch.randn(60, 12, generator=torch.Generator().manual_seed(0))
    known, generator = torch.arange(40), torch.Generator().manual_seed(1)
    one, other = (torch.cat([known, torch.randint(60, (20,), generator=generator)]) for _ in range(2))
    assert abs(Null(x, x, known=known).shared(one, other)) < 0.2
    assert Null(x, x).shared(one, other) > 0.6
    assert Null(x, x, known=known).shared(one, one) == 1


def test_matches_that_all_go_to_one_row_are_chance():
    x, y = prepared(case(n=100, d=5))
    assert halves_agreement(x, y, torch.zeros(100, dtype=torch.int64)) < HALVES


def test_kappa_takes_chance_off():
    a, b = torch.tensor([0, 0, 1, 1]), torch.tensor([0, 1, 0, 1])
    assert kappa(a, a, 2) == pytest.approx(1)
    assert kappa(a, b, 2) == pytest.approx(0)
    assert kappa(a[:2], a[:2], 2) == 0


def test_principal_rows_keep_their_products_and_lead_with_the_longest():
    x = prepare(case(n=80, d=9).x)
    rows, axes = principal(x)
    torch.testing.assert_close(rows @ rows.T, x @ x.T, atol=1e-5, rtol=0)
    torch.testing.assert_close(x @ axes, rows)
    lengths = rows.norm(dim=0)
    assert (lengths[:-1] >= lengths[1:] - 1e-5).all()
    assert principal(x, 4)[0].shape == (80, 4)
    few, _ = principal(x[:5])
    torch.testing.assert_close(few @ few.T, x[:5] @ x[:5].T, atol=1e-5, rtol=0)


def test_evened_rows_turn_with_the_space_and_lean_less_on_one_direction():
    x = prepare(case(n=200, d=6).x * torch.tensor([9.0, 1, 1, 1, 1, 1]))
    q = torch.linalg.qr(torch.randn(6, 6, generator=torch.Generator().manual_seed(0)))[0]
    torch.testing.assert_close(evened(x @ q), evened(x) @ q, atol=1e-4, rtol=0)
    share = [float(rows.square().sum(0)[0] / len(rows)) for rows in (x, evened(x))]
    assert share[1] < share[0]


def test_alignment_finds_a_rotation_and_its_rank_limits_it():
    made = case(n=100, d=6, dimensions=2)
    x, y = prepared(made)
    y = y[made.truth]
    found = align(x.T @ y, 8)
    torch.testing.assert_close(found.apply(x), y, atol=1e-4, rtol=0)
    assert nuclear(x, y) == pytest.approx(1, abs=1e-4)
    u, v = found.sides(x, y)
    torch.testing.assert_close(u, v, atol=1e-4, rtol=0)
    assert align(x.T @ y, 2).left.shape == (6, 2)


def test_fitted_anchors_are_the_true_ones_of_a_moved_copy():
    made = case(n=150, d=6, dimensions=2)
    given = check_given(made.x, made.y, made.anchors, made.seeds)
    trusted = torch.ones(150, dtype=torch.bool)
    anchors = fitted_anchors(given, made.truth, trusted)
    torch.testing.assert_close(anchors, given.y[made.truth[made.anchors]], atol=1e-3, rtol=0)
    trusted[:75] = False
    wrong = made.truth.clone()
    wrong[:75] = 0
    torch.testing.assert_close(fitted_anchors(given, wrong, trusted), anchors, atol=1e-3, rtol=0)


def test_fitted_anchors_carry_over_to_rows_left_out_of_the_fit():
    made = case(n=600, d=10, noise=0.4, k=40)
    given = check_given(made.x, made.y, made.anchors, made.seeds)
    seen = torch.arange(600) < 300
    x, y = given.x, given.y[made.truth]
    rotation = align(x[seen].T @ y[seen], 10).apply(x[made.anchors])
    rows = x[~seen] @ x[made.anchors].T

    def error(anchors):
        return float((rows - y[~seen] @ anchors.T).square().mean())

    fitted = fitted_anchors(given, made.truth, seen)
    assert error(fitted) < 1.05 * error(rotation / rotation.norm(dim=1, keepdim=True))


def test_matches_that_other_rows_do_not_find_again_can_be_asked_for_more():
    made = case(n=300, d=10, noise=0.1)
    x, y = prepared(made)
    generator = torch.Generator().manual_seed(0)
    matches, wrong = made.truth.clone(), torch.randperm(300, generator=generator)[:100]
    matches[wrong] = made.truth[wrong[torch.randperm(100, generator=generator)]]
    assert found_again(x, y, made.truth) > 0.9
    assert 0.4 < (again := found_again(x, y, matches)) < 0.7
    assert judge(Null(x, y), matches, 0.9)[0]
    converged, evidence = judge(Null(x, y), matches, 0.9, least_found_again=0.75)
    assert not converged
    assert evidence.right is None
    assert f"finds only {again:.0%} of them again (threshold 75%)" in evidence.reason

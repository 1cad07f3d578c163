"""What is believed, and on what grounds: rotations from halves of the matches, and the anchors from all."""

import pytest
import torch

from relviz.bootstrapping.inputs import check_given
from relviz.bootstrapping.principal_axes import evened, principal
from relviz.bootstrapping.procrustes import align, nuclear
from relviz.bootstrapping.result import fitted_anchors
from relviz.bootstrapping.right_share import found_again
from relviz.bootstrapping.verdict import (
    BOTH,
    HALVES,
    MARGIN,
    Evidence,
    Null,
    halves_agreement,
    is_clear,
    judge,
    kappa,
    margin_asked,
)
from relviz.relative_projection import prepare
from tests.bootstrapping.made import case


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
    assert null.with_right_share(made.truth, (converged, evidence))[1].right.low > 0.85
    assert f"threshold {HALVES:.0%}" in evidence.reason
    assert f"threshold {margin_asked(evidence.halves):.0%}" in evidence.reason
    shuffled = made.truth[torch.randperm(300, generator=torch.Generator().manual_seed(0))]
    converged, evidence = judge(Null(x, y), shuffled, 0.9)
    assert not converged
    assert evidence.halves < 0.1
    assert evidence.margin is None
    assert null.with_right_share(shuffled, (converged, evidence))[1].right is None
    assert null.margin(shuffled) < 0


def test_the_less_the_halves_agree_the_more_margin_is_required():
    assert margin_asked(HALVES) * HALVES == pytest.approx(BOTH)
    assert margin_asked(0.3) * 0.3 == pytest.approx(BOTH)
    assert margin_asked(0.9) == MARGIN
    assert is_clear(Evidence(1, 0.4, 0.15, ""))
    assert not is_clear(Evidence(1, 0.25, 0.15, ""))
    assert not is_clear(Evidence(1, 0.9, None, ""))


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
    torch.testing.assert_close(found.carry(x), y, atol=1e-4, rtol=0)
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
    rotation = align(x[seen].T @ y[seen], 10).carry(x[made.anchors])
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

"""The folded matrix against the paper's loop over subspaces, and against what theory says."""

from typing import Any

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

import relviz
from relviz.relative_projection import unit_rows
from relviz.translation import Options, anchor_pairs, fit_translator
from relviz.translation.inverse import inverted
from relviz.translation.irp import fold
from tests.translation.made import cosines, gaussian, isometry


def pruned(distance, start, delta):
    """Greedy farthest points, as a sentence of the paper has it."""
    kept = [start]
    while len(kept) < len(distance):
        near = distance[kept].min(0)
        near[kept] = -1
        if near.max() < delta:
            break
        kept.append(int(near.argmax()))
    return kept


def looped(xa, ya, x, delta, omega, seed, decided_by, completion, length):
    """Subspace by subspace, no matrix folded; rows of length one are averaged, then get their length."""
    xa, ya, x = (rows.double().numpy() for rows in (xa, ya, x))
    mean_x, mean_y = xa.mean(0), ya.mean(0)
    ux, uy, u = (
        rows / np.linalg.norm(rows, axis=1, keepdims=True) for rows in (xa - mean_x, ya - mean_y, x - mean_x)
    )
    apart = [1 - abs(unit @ unit.T) for unit in (ux, uy)]
    distance = {"source": apart[0], "target": apart[1], "both": np.minimum(*apart)}[decided_by]
    made, counts, numbers = 0, [], []
    for start in np.random.default_rng(seed).permutation(len(xa))[:omega]:
        kept = pruned(distance, start, delta)
        sx, sy = ux[kept], uy[kept]
        images = np.eye(len(mean_x)) @ sx.T @ np.linalg.pinv(sy.T, rcond=1e-5)
        if not completion:
            turned = images
        elif len(kept) <= min(sx.shape[1], sy.shape[1]):
            # The unit vectors and their images are the anchors: encoding by these changes nothing.
            turned = np.eye(len(mean_x)) @ np.linalg.pinv(images.T, rcond=1e-5)
        else:
            turned = np.linalg.pinv(sx, rcond=1e-5) @ sy
        made = made + u @ turned / omega
        counts.append(len(kept))
        numbers.append(np.linalg.cond(sx if completion else sy))
    if length != "raw":
        made /= np.linalg.norm(made, axis=1, keepdims=True)
    made *= np.linalg.norm(ya - mean_y, axis=1).mean()
    return made + mean_y, np.mean(counts), max(numbers)


@pytest.mark.parametrize("decided_by", ["source", "target", "both"])
@pytest.mark.parametrize(("delta", "omega"), [(0.0, 1), (0.3, 3), (0.6, 8), (0.9, 4)])
@pytest.mark.parametrize(("dx", "dy"), [(10, 10), (14, 6), (6, 14)])
@pytest.mark.parametrize("length", ["mean", "raw"])
def test_the_folded_matrix_is_the_loop_over_subspaces(decided_by, delta, omega, dx, dy, length):
    xa = gaussian(40, dx)
    ya = xa @ gaussian(dx, dy, 1) + 0.5 * gaussian(40, dy, 2) + 3
    x = gaussian(15, dx, 3)
    for completion in (True, False):
        t = relviz.translator(
            xa, ya, "irp", delta, omega, completion, seed=5, decided_by=decided_by, length=length
        )
        made, kept, number = looped(xa, ya, x, delta, omega, 5, decided_by, completion, length)
        np.testing.assert_allclose(t(x).numpy(), made, atol=2e-4)
        assert t.anchors_kept == pytest.approx(kept)
        assert t.condition_number == pytest.approx(number, rel=1e-3)
        assert t.matrix.shape == (dx, dy)


def test_without_pruning_it_is_encoding_and_the_inverse_of_encoding():
    xa, ya = gaussian(9, 12), gaussian(9, 12, 1)
    t = relviz.translator(xa, ya, "irp", delta=0, omega=1, completion=False)
    ux, uy = (unit_rows(rows - rows.mean(0)) for rows in (xa, ya))
    torch.testing.assert_close(t.matrix, ux.T @ torch.linalg.pinv(uy.T, rtol=1e-5), atol=1e-4, rtol=1e-4)


ALL: dict[str, Any] = {"delta": 0.0, "omega": 1}
EXACT: dict[str, dict[str, Any]] = {
    "irp": ALL,
    "irp, not completed": ALL | {"completion": False},
    "irp_plus": {},
    "procrustes": {},
    "lstsq": {},
    "ridge": {"strength": 1e-9},
    "affine": {},
}


@pytest.mark.parametrize("method", EXACT)
@pytest.mark.parametrize("determinant", [1, -1])
def test_an_isometry_is_recovered_from_as_many_anchors_as_span_the_space(method, determinant):
    d = 24
    x = gaussian(200, d)
    y = isometry(x)
    y[:, 0] *= determinant
    anchors = torch.arange(d + 1)  # centering takes one direction, so d + 1 points are needed for d
    t = relviz.translator(x[anchors], y[anchors], method.split(",")[0], **EXACT[method])
    exact = 1e-4 if method != "irp_plus" else None
    if exact:
        torch.testing.assert_close(t(x), y, atol=1e-4 * float(y.abs().max()), rtol=0)
    else:
        assert cosines(t(x) - y.mean(0), y - y.mean(0)).mean() > 0.9


def test_pruned_subspaces_together_recover_an_isometry_from_more_anchors():
    d = 16
    x = gaussian(400, d)
    y = isometry(x)
    one = relviz.translator(x[:200], y[:200], "irp", delta=0.3, omega=1)
    assert one.anchors_kept >= d
    torch.testing.assert_close(one(x), y, atol=1e-3, rtol=1e-4)


@pytest.mark.parametrize("method", ["irp", "lstsq", "procrustes"])
def test_half_as_many_anchors_recover_the_projection_on_their_span(method):
    d, k = 30, 15
    x = gaussian(100, d)
    y = isometry(x)
    t = relviz.translator(x[:k], y[:k], method, **(ALL if method == "irp" else {}))
    moved, goal = x - x[:k].mean(0), y - y[:k].mean(0)
    span = torch.linalg.svd(goal[:k], full_matrices=False)[2][: k - 1]
    seen = unit_rows(goal @ span.T @ span)
    made = unit_rows(t(x) - y[:k].mean(0))
    torch.testing.assert_close(made, seen, atol=1e-4, rtol=0)
    torch.testing.assert_close(t(x[:k]), y[:k], atol=2e-4, rtol=1e-4)
    lengths = torch.linalg.vector_norm(t(x) - y[:k].mean(0), dim=1)
    torch.testing.assert_close(lengths, 3 * torch.linalg.vector_norm(moved, dim=1), rtol=1e-4, atol=1e-4)


@settings(max_examples=30, deadline=None)
@given(
    seed=st.integers(0, 10_000),
    scale=st.floats(0.01, 100),
    shift=st.floats(-5, 5),
    delta=st.floats(0, 1),
    omega=st.integers(1, 12),
)
def test_moving_rotating_and_rescaling_the_source_changes_nothing(seed, scale, shift, delta, omega):
    xa, ya, x = gaussian(20, 6, seed), gaussian(20, 5, seed + 1), gaussian(7, 6, seed + 2)
    plain = relviz.translator(xa, ya, "irp", delta=delta, omega=omega, decided_by="target", seed=seed)
    moved = relviz.translator(
        isometry(xa, scale, shift), ya, "irp", delta=delta, omega=omega, decided_by="target", seed=seed
    )
    assert plain.anchors_kept == moved.anchors_kept
    torch.testing.assert_close(moved(isometry(x, scale, shift)), plain(x), atol=5e-3, rtol=5e-3)


@settings(max_examples=30, deadline=None)
@given(seed=st.integers(0, 10_000), low=st.floats(0, 1), high=st.floats(0, 1), omega=st.integers(1, 8))
def test_a_larger_delta_keeps_fewer_anchors_and_all_are_that_far_apart(seed, low, high, omega):
    low, high = sorted((low, high))
    xa, ya = gaussian(25, 8, seed), gaussian(25, 8, seed + 1)
    many = relviz.translator(xa, ya, "irp", delta=low, omega=omega, seed=seed)
    few = relviz.translator(xa, ya, "irp", delta=high, omega=omega, seed=seed)
    assert 1 <= few.anchors_kept <= many.anchors_kept <= 25
    assert few.condition_number >= 1


def test_one_preparation_serves_every_delta_and_omega():
    xa, ya, x = gaussian(60, 8), gaussian(60, 8, 1), gaussian(5, 8, 2)
    pairs = anchor_pairs(xa, ya)
    for delta in (0.2, 0.8):
        for omega in (1, 4, 100):
            again = fit_translator(pairs, "irp", Options(delta=delta, omega=omega))
            fresh = relviz.translator(xa, ya, "irp", delta=delta, omega=omega)
            assert torch.equal(again(x), fresh(x))


@pytest.mark.parametrize("reached", [1e2, 1e4, 2e5])
def test_the_condition_number_is_that_of_what_was_given_though_the_inverse_leaves_some_out(reached):
    k, d = 60, 200
    rows = gaussian(k, d).double()
    u, _, vt = torch.linalg.svd(rows, full_matrices=False)
    values = torch.logspace(0, -np.log10(reached), k, dtype=torch.float64)
    rows = (u * values) @ vt
    inverse, number = inverted(rows @ rows.T)
    assert number == pytest.approx(np.linalg.cond(rows.numpy()), rel=1e-2)
    kept = values > k * torch.finfo(torch.float32).eps
    assert float(torch.trace(inverse @ (rows @ rows.T))) == pytest.approx(int(kept.sum()), abs=0.1)


def test_the_condition_number_does_not_jump_where_singular_values_are_cut():
    """As many anchors as dimensions, nearly: the inverse cuts, and said 832 where it was 34,000."""
    x, y = gaussian(90, 40), gaussian(90, 40, 1)
    y[:, -1] *= 3e-4  # one direction of the target is nearly flat
    t = relviz.translator(x, y, "irp", delta=0.0, omega=1, completion=False)
    anchors = y - y.mean(0)
    assert t.condition_number == pytest.approx(np.linalg.cond(unit_rows(anchors).numpy()), rel=1e-3)
    y[:, -1] = 0  # a direction that is not there is no matter
    flat = relviz.translator(x, y, "irp", delta=0.0, omega=1, completion=False)
    assert flat.condition_number < 10


def test_the_mean_condition_number_is_over_every_subspace():
    """Subspaces that hold the same anchors count as often as they are there."""
    pairs = anchor_pairs(gaussian(30, 12), gaussian(30, 12, 1))
    subspaces = [torch.arange(5), torch.arange(8, 20), torch.arange(5), torch.arange(10)]
    fit = fold(pairs, subspaces)
    anchors = pairs.source.exact
    numbers = []
    for rows in subspaces:
        values = torch.linalg.svdvals(anchors[rows])
        values = values[values > 1e-6 * values[0]]
        numbers.append(float(values[0] / values[-1]))
    assert fit.condition_number == pytest.approx(max(numbers), rel=1e-3)
    assert fit.mean_condition_number == pytest.approx(np.mean(numbers), rel=1e-3)


def test_an_inverse_leaves_out_what_is_rounding():
    rows = torch.diag(torch.tensor([4.0, 1.0, 1e-9], dtype=torch.float64))
    inverse, number = inverted(rows @ rows.T)
    torch.testing.assert_close(inverse.diagonal(), torch.tensor([1 / 16, 1.0, 0.0], dtype=torch.float64))
    assert number == pytest.approx(4)


@pytest.mark.parametrize(
    ("demo", "a", "b"), [("glosses", "minilm", "e5"), ("emoji", "image_lite0", "image_lite1")]
)
def test_completed_anchors_come_nearer_on_the_demos(demo, a, b):
    pair = relviz.load_demo(demo).pair(a, b)
    x, y = pair.a.vectors, pair.b.vectors
    order = torch.randperm(len(x), generator=torch.Generator().manual_seed(0))
    drawn, rest = order[:300], order[300:]
    mean = y[drawn].mean(0)
    near = {
        completion: cosines(
            relviz.translator(x[drawn], y[drawn], "irp", completion=completion)(x[rest]) - mean,
            y[rest] - mean,
        ).mean()
        for completion in (True, False)
    }
    assert near[True] > near[False] + 0.02
    default = relviz.translator(x[drawn], y[drawn], "irp")
    assert default.parameters["completion"] is True
    assert cosines(default(x[rest]) - mean, y[rest] - mean).mean() == near[True]

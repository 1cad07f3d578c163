"""The public door: frames, scales, bootstrapped anchors, and every input it cannot work with."""

from typing import Any

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

import relviz
from relviz.errors import ParameterError, ShapeError
from relviz.translation import METHODS
from tests.translation.made import cosines, gaussian, isometry

FITTED = [method for method in METHODS if method != "absolute"]


@pytest.mark.parametrize("method", FITTED)
@pytest.mark.parametrize(("dx", "dy"), [(6, 6), (8, 5), (5, 8)])
def test_matrix_shapes_and_translations_fit_the_spaces(method, dx, dy):
    xa, ya = gaussian(30, dx), gaussian(30, dy, 1)
    t = relviz.translator(xa.numpy(), ya.tolist(), method)
    assert t.method == method
    assert t.matrix.shape == (dx, dy)
    assert t.matrix.dtype == torch.float32
    assert t(gaussian(7, dx, 2).numpy()).shape == (7, dy)
    assert 1 <= t.condition_number < 1e6
    assert 0 < t.anchors_kept <= 30


@pytest.mark.parametrize(("k", "through_anchors"), [(6, True), (40, False)])
def test_rows_prepared_once_are_translated_as_by_the_matrix(k, through_anchors):
    xa, ya, x = gaussian(k, 24), gaussian(k, 20, 1), gaussian(9, 24, 2)
    t = relviz.translator(xa, ya, "irp", delta=0.0)
    assert (t.fit.matrix is None) == through_anchors
    framed = t.pairs.framed(x)
    assert torch.equal(t.translate(framed), t(x))
    mean = ya.mean(0)
    assert cosines(t(x) - mean, framed.unit @ t.matrix).min() > 1 - 1e-6


def test_absolute_is_the_vectors_themselves():
    xa, x = gaussian(5, 4), gaussian(6, 4, 1)
    t = relviz.translator(xa, gaussian(5, 4, 2), "absolute")
    assert torch.equal(t(x), x)
    assert t(x).data_ptr() != x.data_ptr()
    assert torch.equal(t.matrix, torch.eye(4))


@pytest.mark.parametrize("method", FITTED)
def test_lengths_are_their_own_or_the_mean_of_the_anchors_or_as_they_come(method):
    xa, ya, x = gaussian(40, 6), 5 * gaussian(40, 6, 1) + 2, gaussian(9, 6, 2)
    mean_x, mean_y = xa.mean(0), ya.mean(0)
    lengths = {
        length: torch.linalg.vector_norm(relviz.translator(xa, ya, method, length=length)(x) - mean_y, dim=1)
        for length in ("own", "mean")
    }
    norm_y = torch.linalg.vector_norm(ya - mean_y, dim=1).mean()
    norm_x = torch.linalg.vector_norm(xa - mean_x, dim=1).mean()
    torch.testing.assert_close(lengths["mean"], norm_y.expand(9), rtol=1e-4, atol=1e-4)
    own = torch.linalg.vector_norm(x - mean_x, dim=1) * norm_y / norm_x
    torch.testing.assert_close(lengths["own"], own, rtol=1e-4, atol=1e-4)
    raw = relviz.translator(xa, ya, method, length="raw")
    framed = (x - mean_x) / torch.linalg.vector_norm(x - mean_x, dim=1, keepdim=True)
    offset = 0 if raw.fit.offset is None else raw.fit.offset
    torch.testing.assert_close(raw(x), (framed @ raw.matrix + offset) * norm_y + mean_y, rtol=1e-3, atol=1e-3)
    assert not raw.is_affine
    with pytest.raises(ParameterError, match=r"do not keep|offset|directions"):
        raw.inverse()


def test_the_mean_of_the_anchors_goes_to_the_mean_of_the_anchors():
    xa, ya = gaussian(20, 4), gaussian(20, 4, 1)
    for method in FITTED:
        t = relviz.translator(xa, ya, method)
        torch.testing.assert_close(t(xa.mean(0)[None]), ya.mean(0)[None], atol=1e-5, rtol=1e-5)


def test_bootstrapped_anchors_translate_into_the_target_itself():
    x = gaussian(120, 5) + 2
    y = isometry(x, 4.0, -3.0)
    prepared = relviz.prepare(y)
    into_frame = relviz.translator(relviz.prepare(x)[:30], prepared[:30], "procrustes")
    assert cosines(into_frame(relviz.prepare(x)), prepared).min() > 0.999
    into_space = relviz.translator(x[:30], prepared[:30], "procrustes", target=y)
    length = torch.linalg.vector_norm(y - y.mean(0), dim=1).mean()
    torch.testing.assert_close(
        into_space(x), relviz.translator(x[:30], prepared[:30], "procrustes")(x) * length + y.mean(0)
    )
    assert cosines(into_space(x) - y.mean(0), y - y.mean(0)).mean() > 0.98


@settings(max_examples=30, deadline=None)
@given(
    method=st.sampled_from(FITTED),
    seed=st.integers(0, 10_000),
    k=st.integers(2, 12),
    dx=st.integers(2, 9),
    dy=st.integers(2, 9),
    scale=st.floats(1e-3, 1e3),
)
def test_translations_are_finite_deterministic_and_scale_with_the_target(method, seed, k, dx, dy, scale):
    xa, ya, x = gaussian(k, dx, seed), gaussian(k, dy, seed + 1), gaussian(4, dx, seed + 2)
    t = relviz.translator(xa, ya, method, seed=seed)
    assert t(x).isfinite().all()
    assert torch.equal(t(x), relviz.translator(xa, ya, method, seed=seed)(x))
    again = relviz.translator(xa, scale * ya, method, seed=seed)
    torch.testing.assert_close(again(x), scale * t(x), rtol=2e-2, atol=2e-2 * scale)


@pytest.mark.parametrize("method", FITTED)
def test_collinear_anchors_tell_one_direction(method):
    line = torch.linspace(-1, 2, 12)[:, None]
    xa = line * torch.tensor([[1.0, 2.0, 0.0]])
    ya = line * torch.tensor([[0.0, 1.0, 0.0, 1.0]]) + 1
    made = relviz.translator(xa, ya, method)(xa)
    torch.testing.assert_close(made, ya, atol=1e-4, rtol=1e-4)


def test_an_anchor_at_the_mean_of_one_side_is_no_direction():
    xa = torch.tensor([[1.0, 0.0], [-1.0, 0.0], [0.0, 2.0], [0.0, -2.0], [0.0, 0.0]])
    ya = isometry(xa)
    t = relviz.translator(xa, ya, "irp", delta=0.0)
    assert t.anchors_kept == 4
    torch.testing.assert_close(t(xa), ya, atol=1e-4, rtol=1e-4)


def test_rows_out_of_the_world_of_float32_squares_stay_finite():
    xa, ya = 1e-25 * gaussian(20, 4), 1e25 * gaussian(20, 4, 1)
    assert relviz.translator(xa, ya, "lstsq")(xa).isfinite().all()


def test_inputs_are_left_as_they_are():
    xa, ya = gaussian(10, 4).numpy(), gaussian(10, 4, 1).numpy()
    before = xa.copy(), ya.copy()
    for method in METHODS:
        relviz.translator(xa, ya, method)(xa)
    np.testing.assert_array_equal(xa, before[0])
    np.testing.assert_array_equal(ya, before[1])


X, Y = gaussian(10, 4), gaussian(10, 4, 1)


def broken(rows, number):
    rows = rows.clone()
    rows[2, 1] = number
    return rows


@pytest.mark.parametrize(
    ("inputs", "options", "error", "says"),
    [
        ((X, Y[:9]), {}, ShapeError, "10 and 9 rows"),
        ((X[:0], Y[:0]), {}, ShapeError, r"xa .*\(0, 4\)"),
        ((X[0], Y), {}, ShapeError, r"xa .*\(4,\)"),
        ((broken(X, torch.nan), Y), {}, ParameterError, "xa holds NaN .* first in row 2"),
        ((X, broken(Y, torch.inf)), {}, ParameterError, "ya holds NaN or infinite .* 1 of 10"),
        ((X[:1], Y[:1]), {}, ParameterError, "One anchor .*at least 2 anchors"),
        ((X[[3, 3, 3]], Y[:3]), {}, ParameterError, "3 anchors that are all the same"),
        ((X, Y[:, :3]), {"method": "absolute"}, ShapeError, "4 and 3 dimensions"),
        ((X, Y), {"method": "rotation"}, ParameterError, "'rotation'; use one of irp, irp_plus"),
        ((X, Y), {"method": "irp", "delta": 1.1}, ParameterError, "delta .* between 0 and 1; it is 1.1"),
        ((X, Y), {"method": "irp", "delta": float("nan")}, ParameterError, "it is nan"),
        ((X, Y), {"method": "irp", "omega": 0}, ParameterError, "omega .* at least 1 subspace; it is 0"),
        ((X, Y), {"method": "irp", "omega": 1.5}, ParameterError, "it is 1.5"),
        ((X, Y), {"seed": -1}, ParameterError, "seed must be a whole number"),
        (
            (X, Y),
            {"method": "irp", "decided_by": "neither"},
            ParameterError,
            "source, target, both; it is 'neither'",
        ),
        ((X, Y), {"length": "long"}, ParameterError, "length .* own, mean, raw; .* 'long'"),
        ((X, Y), {"method": "ridge", "strength": 0.0}, ParameterError, "strength .* above 0"),
        (
            (X, Y),
            {"method": "irp", "completion": "no"},
            ParameterError,
            "completion must be True or False; it is 'no'",
        ),
        (
            (X, Y),
            {"method": "irp", "strength": 1.0},
            ParameterError,
            "'irp' makes no use of strength.* delta, omega",
        ),
        (
            (X, Y),
            {"method": "ridge", "delta": 0.8, "omega": 8},
            ParameterError,
            "'ridge' makes no use of delta and omega: .* strength, length, seed and target",
        ),
        ((X, Y), {"method": "irp_plus", "completion": True}, ParameterError, "no use of completion"),
        ((X, Y), {"method": "lstsq", "decided_by": "both"}, ParameterError, "no use of decided_by"),
        ((X, Y), {"method": "absolute", "length": "own"}, ParameterError, "no use of length"),
        ((X, Y), {"target": Y[:, :3]}, ShapeError, r"target must have the 4 columns of ya; .*\(10, 3\)"),
        ((X, Y), {"target": broken(Y, torch.nan)}, ParameterError, "target holds NaN"),
    ],
)
def test_what_cannot_be_worked_with_is_refused(inputs, options, error, says):
    with pytest.raises(error, match=says):
        relviz.translator(*inputs, **options)


def test_every_method_takes_every_option_that_it_says_it_takes():
    values: dict[str, Any] = {"delta": 0.5, "omega": 2, "completion": False, "decided_by": "source"}
    values |= {"strength": 0.1, "length": "mean"}
    for method, one in METHODS.items():
        names = [name for name in one.uses if name != "seed"]  # every method takes one
        told = {name: values[name] for name in names}
        t = relviz.translator(X, Y, method, seed=3, target=Y, **told)
        if method != "absolute":
            assert told.items() <= t.parameters.items()
        for name in set(values) - set(names):
            with pytest.raises(ParameterError, match=f"{method!r} makes no use of {name}"):
                relviz.translator(X, Y, method, **{name: values[name]})


def test_what_an_option_says_it_does_it_does():
    xa, ya, x = gaussian(60, 8), gaussian(60, 8, 1), gaussian(5, 8, 2)
    plain = relviz.translator(xa, ya, "irp", delta=0.6, omega=3)(x)
    for name, value in {"delta": 0.4, "omega": 1, "completion": False, "length": "mean", "seed": 5}.items():
        told: dict[str, Any] = {"method": "irp", "delta": 0.6, "omega": 3} | {name: value}
        assert not torch.allclose(relviz.translator(xa, ya, **told)(x), plain, atol=1e-2), name


def test_rows_to_translate_are_checked():
    t = relviz.translator(X, Y)
    with pytest.raises(ShapeError, match=r"4 columns of the anchors; its shape is \(2, 3\)"):
        t(gaussian(2, 3))
    with pytest.raises(ParameterError, match="x holds NaN"):
        t(broken(X, torch.nan))

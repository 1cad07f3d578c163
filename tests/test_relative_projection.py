import math

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import Tensor

from relviz import relative_projection
from relviz.errors import ParameterError, ShapeError
from relviz.relative_projection import SIMILARITIES, prepare, relative, unit_rows

D = 6


def points(n: int, seed: int = 0, d: int = D) -> Tensor:
    return torch.from_numpy(np.random.default_rng(seed).normal(size=(n, d)).astype(np.float32))


def orthogonal(determinant: int) -> Tensor:
    q = torch.linalg.qr(points(D, seed=9).double())[0]
    if torch.linalg.det(q).sign() != determinant:
        q[:, 0] *= -1
    return q.float()


CHANGES = {
    "rotation": lambda x: x @ orthogonal(1),
    "reflection": lambda x: x @ orthogonal(-1),
    "permutation": lambda x: x.flip(1),
    "rescaling": lambda x: 3.5 * x,
    "shift": lambda x: x + torch.linspace(1, 4, D),
}
UNCHANGED_BY = {
    "cosine": {"rotation", "reflection", "permutation", "rescaling"},
    "angular": {"rotation", "reflection", "permutation", "rescaling"},
    "inner": {"rotation", "reflection", "permutation"},
    "euclidean": {"rotation", "reflection", "permutation", "shift"},
    "l1": {"permutation", "shift"},
}


@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.parametrize("similarity", SIMILARITIES)
def test_each_similarity_is_blind_to_what_it_should_be_and_to_nothing_else(similarity, change):
    x, anchors = points(40), points(7, seed=1)
    before = relative(x, anchors, similarity)
    after = relative(CHANGES[change](x), CHANGES[change](anchors), similarity)
    difference = float((before - after).abs().max())
    if change in UNCHANGED_BY[similarity]:
        assert difference < 1e-4
    else:
        assert difference > 0.1


@pytest.mark.parametrize("change", CHANGES)
def test_centering_on_the_anchors_adds_shifts_to_what_the_cosine_is_blind_to(change):
    x, anchors = points(40), points(7, seed=1)
    before = relative(x, anchors, center="anchors")
    after = relative(CHANGES[change](x), CHANGES[change](anchors), center="anchors")
    torch.testing.assert_close(before, after, atol=1e-4, rtol=0)


@pytest.mark.parametrize(
    ("similarity", "formula"),
    [
        ("cosine", lambda a, b: a @ b / math.sqrt((a @ a) * (b @ b))),
        ("inner", lambda a, b: a @ b),
        ("euclidean", lambda a, b: math.sqrt(((a - b) ** 2).sum())),
        ("l1", lambda a, b: np.abs(a - b).sum()),
        ("angular", lambda a, b: math.acos(a @ b / math.sqrt((a @ a) * (b @ b))) / math.pi),
    ],
)
def test_each_similarity_is_its_formula_in_every_block(similarity, formula, monkeypatch):
    monkeypatch.setattr(relative_projection, "TILE_ELEMENTS", 20)
    x, anchors = points(11), points(5, seed=1)
    expected = [[formula(a, b) for b in anchors.double().numpy()] for a in x.double().numpy()]
    np.testing.assert_allclose(relative(x, anchors, similarity), expected, atol=1e-5)


def test_a_given_center_is_subtracted_from_rows_and_anchors():
    x, anchors, center = points(5), points(3, seed=1), points(1, seed=2)[0]
    expected = relative(x - center, anchors - center)
    torch.testing.assert_close(relative(x, anchors, center=center), expected)
    torch.testing.assert_close(relative(x, anchors, center=center.tolist()), expected)


@pytest.mark.parametrize("similarity", ["euclidean", "l1", "angular"])
def test_an_anchor_is_at_no_distance_from_itself(similarity):
    x = points(200, d=300) + 5
    assert float(relative(x, x, similarity).diagonal().max()) < 1e-3


def test_numpy_and_half_precision_are_accepted_and_nothing_is_modified():
    x, anchors = points(8).numpy().astype(np.float16), points(3, seed=1).numpy()
    kept, kept_anchors = x.copy(), anchors.copy()
    tensor = torch.from_numpy(anchors)
    result = relative(x, tensor, center="anchors")
    assert result.dtype == torch.float32
    assert result.shape == (8, 3)
    for similarity in SIMILARITIES:
        relative(tensor, tensor, similarity)
    prepare(tensor)
    np.testing.assert_array_equal(x, kept)
    np.testing.assert_array_equal(anchors, kept_anchors)


@settings(max_examples=40, deadline=None)
@given(
    n=st.integers(2, 30),
    d=st.integers(1, 20),
    seed=st.integers(0, 99),
    scale=st.floats(-18, 18).map(math.exp),
)
def test_prepared_rows_have_length_one_and_ignore_shift_and_scale(n, d, seed, scale):
    x = points(n, seed, d)
    prepared = prepare(x * scale)
    lengths = prepared.norm(dim=1)
    assert bool(((lengths - 1).abs() < 1e-5).logical_or(lengths == 0).all())
    away = (x - x.mean(0)).norm(dim=1) > 1e-2
    torch.testing.assert_close(prepared[away], prepare(x + 1)[away], atol=1e-3, rtol=0)


def test_spaces_constant_up_to_the_last_digit_become_zero():
    row = 100.1 * torch.arange(1.0, 8)
    last_digits = torch.stack([row, row, torch.nextafter(row, 2 * row)])
    assert not prepare(last_digits).any()
    assert not prepare(row.repeat(1003, 1)).any()
    assert prepare(torch.stack([row, row, 1.001 * row])).any(1).all()


def test_unit_rows_take_any_length_and_leave_zero_rows():
    x = torch.tensor([[3e-30, 4e-30], [3e30, 4e30], [0, 0]])
    torch.testing.assert_close(unit_rows(x), torch.tensor([[0.6, 0.8], [0.6, 0.8], [0, 0]]))
    assert relative(x, [[1.0, 0.0]]).flatten().tolist() == pytest.approx([0.6, 0.6, 0])


def test_errors_say_what_was_given():
    x = points(4)
    with pytest.raises(ParameterError, match="'dot'; use one of cosine, inner"):
        relative(x, x, "dot")
    with pytest.raises(ShapeError, match="6 and 5"):
        relative(x, x[:, :5])
    with pytest.raises(ParameterError, match="'mean'"):
        relative(x, x, center="mean")
    with pytest.raises(ShapeError, match=r"vector of 6 numbers; its shape is \(3,\)"):
        relative(x, x, center=[1.0, 2.0, 3.0])
    broken = x.clone()
    broken[2, 1], broken[3, 0] = torch.nan, torch.inf
    with pytest.raises(ParameterError, match="2 of 4 rows, first in row 2"):
        prepare(broken)
    with pytest.raises(ParameterError, match="anchors holds NaN"):
        relative(x, broken)

"""Every input that anchor optimisation cannot work with is refused, with the numbers."""

import numpy as np
import pytest
import torch

import relviz
from relviz.bootstrap.given import check_given
from relviz.errors import ParameterError, ShapeError
from tests.bootstrap.made import case

GOOD = case()
X, Y, ANCHORS = GOOD.x, GOOD.y, GOOD.anchors
SX, SY = GOOD.seeds
NONE = ([], [])


def test_spaces_are_prepared_and_seeds_found_among_the_anchors():
    found = check_given(X, Y.numpy(), ANCHORS.numpy(), (SX.flip(0), SY.flip(0).tolist()))
    torch.testing.assert_close(found.x.cpu(), relviz.prepare(X))
    torch.testing.assert_close(found.y.cpu(), relviz.prepare(Y))
    assert torch.equal(found.anchors[found.seed_columns], found.sx)
    assert found.sy.tolist() == SY.flip(0).tolist()


def test_no_seeds_are_as_good_as_any():
    found = check_given(X, Y, ANCHORS, NONE)
    assert (len(found.sx), len(found.sy), len(found.seed_columns)) == (0, 0, 0)


def with_number(rows, number):
    broken = rows.clone()
    broken[2, 1] = number
    return broken


@pytest.mark.parametrize(
    ("inputs", "error", "says"),
    [
        ((X, Y, ANCHORS, ([ANCHORS[0], 500], [0, 1])), ShapeError, r"seeds\[0\].*between 0 and 119; .* 500"),
        ((X, Y, ANCHORS, (SX[:2], [3, -1])), ShapeError, r"seeds\[1\].*between 0 and 119; they run from -1"),
        ((X, Y, ANCHORS, (SX[[0, 0, 1]], SY[:3])), ParameterError, r"seeds\[0\] must all differ; 1 of 3 "),
        ((X, Y, ANCHORS, (SX[:3], SY[[1, 1, 1]])), ParameterError, r"seeds\[1\] must all differ; 2 of 3 "),
        ((X, Y, ANCHORS, (SX[:3], SY[:2])), ShapeError, "3 rows of x and 2 rows of y"),
        ((X, Y, ANCHORS[1:], (SX, SY)), ParameterError, "1 of 12 seeds is not, row"),
        ((X, Y, ANCHORS[:5], (SX, SY)), ParameterError, "12 seeds but only 5 anchors"),
        ((X, Y, ANCHORS, SX), ShapeError, "a pair of index lists"),
        ((X, Y, ANCHORS, (SX[None], SY)), ShapeError, r"seeds\[0\].*shape \(1, 12\)"),
        ((X[:10], Y, range(20), NONE), ShapeError, "20 anchors but only 10 rows of x"),
        ((X, Y[:10], ANCHORS, NONE), ShapeError, "20 anchors but only 10 rows of y.*at most 10"),
        ((X, Y, [1, 2, 1], NONE), ParameterError, "anchors must all differ; 1 of 3 .*row 1"),
        ((X, Y, [], NONE), ParameterError, "no anchors"),
        ((X, Y, 7, NONE), ShapeError, "anchors must be a list"),
        ((X, Y, [0.5, 1.5], NONE), ShapeError, "anchors.*float"),
        ((X[:, :1], Y, ANCHORS, NONE), ShapeError, "x has 120 rows of dimension 1"),
        ((X, Y[:, :1], ANCHORS, NONE), ShapeError, "y has 120 rows of dimension 1"),
        ((torch.full((50, 3), 0.1), Y, [0, 1], NONE), ParameterError, "x is constant: its 50 rows"),
        ((X, torch.ones(50, 3), [0, 1], NONE), ParameterError, "y is constant"),
        ((with_number(X, torch.nan), Y, ANCHORS, NONE), ParameterError, "x holds NaN .* first in row 2"),
        ((X, with_number(Y, torch.inf), ANCHORS, NONE), ParameterError, "y holds NaN .* 1 of 120"),
        ((X[:0], Y, [0], NONE), ShapeError, r"x must be .*shape is \(0, 5\)"),
        ((X, [[]], [0], NONE), ShapeError, r"y must be .*shape is \(1, 0\)"),
    ],
)
def test_what_cannot_be_worked_with_is_refused(inputs, error, says):
    with pytest.raises(error, match=says):
        relviz.bootstrap(*inputs, method="adam")


def test_methods_and_seeds_that_do_not_exist_are_refused():
    with pytest.raises(ParameterError, match="'eve'; use one of annealed, adam, adam_warm"):
        relviz.bootstrap(X, Y, ANCHORS, NONE, method="eve")
    for seed in (-1, 2**32, 0.5, True, None):
        with pytest.raises(ParameterError, match="seed must be a whole number"):
            relviz.bootstrap(X, Y, ANCHORS, NONE, method="adam", seed=seed)


def test_inputs_are_left_as_they_are():
    x, seeds = X.numpy().copy(), np.array([SX.numpy(), SY.numpy()])
    before, pairs = x.copy(), seeds.copy()
    check_given(x, Y, ANCHORS, seeds)
    np.testing.assert_array_equal(x, before)
    np.testing.assert_array_equal(seeds, pairs)

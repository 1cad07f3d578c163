"""Every input that anchor optimization cannot work with is refused, with the numbers."""

import numpy as np
import pytest
import torch

import relviz
from relviz.bootstrapping.inputs import check_given
from relviz.errors import ParameterError, ShapeError
from tests.bootstrapping.made import case

GOOD = case()
X, Y, ANCHORS = GOOD.x, GOOD.y, GOOD.anchors
SX, SY = GOOD.seeds
NONE: tuple[list[int], list[int]] = ([], [])


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
        ((X, Y, ANCHORS, ([ANCHORS[0], 500], [0, 1])), ShapeError, r"known\[0\].*between 0 and 119; .* 500"),
        ((X, Y, ANCHORS, (SX[:2], [3, -1])), ShapeError, r"known\[1\].*between 0 and 119; they run from -1"),
        ((X, Y, ANCHORS, (SX[[0, 0, 1]], SY[:3])), ParameterError, r"known\[0\] must all differ; 1 of 3 "),
        ((X, Y, ANCHORS, (SX[:3], SY[[1, 1, 1]])), ParameterError, r"known\[1\] must all differ; 2 of 3 "),
        ((X, Y, ANCHORS, (SX[:3], SY[:2])), ShapeError, "3 rows of x and 2 rows of y"),
        ((X, Y, ANCHORS[1:], (SX, SY)), ParameterError, "1 of 12 known rows is not, row"),
        ((X, Y, ANCHORS[:5], (SX, SY)), ParameterError, "12 known pairs but only 5 anchors"),
        ((X, Y, ANCHORS, SX), ShapeError, "a tuple of two lists as long as each other"),
        ((X, Y, ANCHORS, (SX[None], SY)), ShapeError, r"known\[0\].*shape \(1, 12\)"),
        ((X, Y, ANCHORS, 5), ShapeError, "a tuple of two lists"),
        ((X, Y, ANCHORS, [1, 2]), ShapeError, "a tuple of two lists"),
        ((X, Y, ANCHORS, np.zeros((3, 4), int)), ShapeError, r"pairs, .*Their shape is \(3, 4\)"),
        ((X[:20], Y[:10], range(20), NONE), ShapeError, "20 anchors but only 10 rows of y"),
        ((X[:10], Y, range(20), NONE), ShapeError, "between 0 and 9; they run from 0 to 19"),
        ((X, Y, np.ones(7, bool), NONE), ShapeError, "anchors.* a mask of 7 values for 120 rows"),
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
    x, y, anchors, known = inputs
    with pytest.raises(error, match=says):
        relviz.bootstrap(x, y, anchors, known, method="adam")


def test_methods_and_seeds_that_do_not_exist_are_refused():
    with pytest.raises(ParameterError, match="'eve'; use one of annealed, adam, adam_warm"):
        relviz.bootstrap(X, Y, ANCHORS, NONE, method="eve")
    for seed in (-1, 2**32, 0.5, True, None):
        with pytest.raises(ParameterError, match="seed must be a whole number"):
            relviz.bootstrap(X, Y, ANCHORS, NONE, method="adam", seed=seed)


def pairs(form, s):
    sx, sy = SX[:s], SY[:s]
    return {
        "tuple of tensors": (sx, sy),
        "tuple of lists": (sx.tolist(), sy.tolist()),
        "tuple of arrays": (sx.numpy(), sy.numpy()),
        "tuple of tuples": (tuple(sx.tolist()), tuple(sy.tolist())),
        "pairs": list(zip(sx.tolist(), sy.tolist(), strict=True)),
        "zip": zip(sx.tolist(), sy.tolist(), strict=True),
        "array of pairs": torch.stack([sx, sy], 1).numpy(),
        "tensor of pairs": torch.stack([sx, sy], 1),
        "list of tensors": [sx, sy],
        "two rows of an array": torch.stack([sx, sy]).numpy(),
    }[form]


TUPLES = ("tuple of tensors", "tuple of lists", "tuple of arrays", "tuple of tuples")
EITHER = ("pairs", "zip", "array of pairs", "tensor of pairs", "list of tensors", "two rows of an array")


@pytest.mark.parametrize("s", [1, 2, 3, 12])
@pytest.mark.parametrize("form", [*TUPLES, *EITHER])
def test_seeds_are_two_lists_or_pairs_and_two_by_two_numbers_only_as_a_tuple(form, s):
    if s == 2 and form in EITHER:
        with pytest.raises(ShapeError, match=r"could be two pairs.*\(rows of x, rows of y\).*shape \(s, 2\)"):
            check_given(X, Y, ANCHORS, pairs(form, s))
        return
    found = check_given(X, Y, ANCHORS, pairs(form, s))
    assert found.sx.tolist() == SX[:s].tolist()
    assert found.sy.tolist() == SY[:s].tolist()


@pytest.mark.parametrize("none", [NONE, [], (), np.empty((0, 2), int), torch.empty(2, 0)])
def test_no_seeds_may_be_said_in_any_form(none):
    assert check_given(X, Y, ANCHORS, none).sx.shape == (0,)


def test_anchors_and_seeds_may_be_masks():
    mask = np.zeros(len(X), bool)
    mask[ANCHORS] = True
    only = torch.zeros(len(X), dtype=torch.bool)
    only[SX[0]] = True
    found = check_given(X, Y, mask, (only, SY[:1]))
    assert found.anchors.tolist() == sorted(ANCHORS.tolist())
    assert found.sx.tolist() == SX[:1].tolist()


def test_inputs_are_left_as_they_are():
    x, seeds = X.numpy().copy(), np.array([SX.numpy(), SY.numpy()])
    before, pairs = x.copy(), seeds.copy()
    check_given(x, Y, ANCHORS, seeds)
    np.testing.assert_array_equal(x, before)
    np.testing.assert_array_equal(seeds, pairs)

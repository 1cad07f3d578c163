"""The public door: what comes in becomes float32 and is not touched; what cannot is refused in words."""

import numpy as np
import pytest
import torch

from relviz.compute.arrays import as_indices, as_matrix, check_same_dimension, check_same_rows
from relviz.errors import ShapeError


@pytest.mark.parametrize("dtype", [np.float64, np.float16, np.int32, np.uint8, bool, ">f8"])
def test_numbers_of_any_dtype_become_float32(dtype):
    array = np.array([[0, 1], [1, 0], [1, 1]], dtype=dtype)
    matrix = as_matrix(array)
    assert matrix.dtype == torch.float32
    assert matrix.tolist() == [[0, 1], [1, 0], [1, 1]]


def test_an_array_is_copied_so_that_nothing_later_changes_it():
    array = np.ones((2, 2), np.float32)
    as_matrix(array)[0, 0] = 7
    assert array[0, 0] == 1


@pytest.mark.parametrize(
    "array", [np.asfortranarray(np.arange(6.0).reshape(2, 3)), np.arange(12.0)[::2].reshape(2, 3)]
)
def test_the_layout_in_memory_does_not_matter(array):
    assert as_matrix(array).tolist() == array.tolist()


def test_a_tensor_is_cut_off_from_its_graph():
    assert not as_matrix(torch.ones(2, 2, requires_grad=True) * 2).requires_grad


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (np.ones(3), r"x must be .* its shape is \(3,\)"),
        (np.ones((0, 3)), r"its shape is \(0, 3\)"),
        (torch.ones(2, 2, 2), r"its shape is \(2, 2, 2\)"),
        ([["a", "b"]], "holds something else"),
        ([[1, 2], [3]], "holds something else"),
        (np.array([[1j]]), "complex"),
        (np.array([[None]]), "object"),
    ],
)
def test_what_is_not_a_matrix_of_numbers_is_refused(given, said):
    with pytest.raises(ShapeError, match=said):
        as_matrix(given)


@pytest.mark.parametrize("given", [[2, 0], (2, 0), np.array([2, 0], np.uint8), torch.tensor([2, 0])])
def test_row_numbers_become_int64(given):
    indices = as_indices(given, 3)
    assert indices.dtype == torch.int64
    assert indices.tolist() == [2, 0]


def test_no_row_numbers_are_fine():
    assert as_indices([], 3).shape == (0,)


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ([0, 3], "between 0 and 2; they run from 0 to 3"),
        ([-1, 0], "they run from -1 to 0"),
        ([0.0, 1.0], "dtype float64"),
        ([True, False], "dtype bool"),
        ([[0, 1]], r"shape \(1, 2\)"),
    ],
)
def test_what_is_not_a_row_is_refused(given, said):
    with pytest.raises(ShapeError, match=said):
        as_indices(given, 3)


def test_unequal_shapes_are_told_with_their_numbers():
    check_same_dimension(torch.ones(2, 3), torch.ones(4, 3))
    check_same_rows(torch.ones(2, 3), torch.ones(2, 5))
    with pytest.raises(ShapeError, match="3 and 4"):
        check_same_dimension(torch.ones(2, 3), torch.ones(2, 4))
    with pytest.raises(ShapeError, match="2 and 5 rows"):
        check_same_rows(torch.ones(2, 3), torch.ones(5, 3))

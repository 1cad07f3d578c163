"""The public door: what comes in becomes float32 and is not touched; what cannot is refused in words."""

import numpy as np
import pytest
import scipy.sparse
import torch

from relviz.compute.arrays import (
    as_indices,
    as_matrix,
    as_seed,
    as_whole,
    check_range,
    check_same_dimension,
    check_same_rows,
)
from relviz.errors import ParameterError, ShapeError


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


def test_a_tensor_is_cut_off_from_its_graph_unless_it_is_wanted():
    grown = torch.ones(2, 2, requires_grad=True) * 2
    assert not as_matrix(grown).requires_grad
    assert as_matrix(grown, graph=True).requires_grad


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


@pytest.mark.parametrize("make", [list, np.array, torch.tensor])
def test_a_mask_selects_the_rows_that_are_true(make):
    assert as_indices(make([False, True, True]), 3).tolist() == [1, 2]
    assert as_indices(make([False, False]), 2).shape == (0,)


def test_masked_entries_are_refused_with_their_number():
    rows = np.ma.masked_invalid([[1.0, np.nan], [np.nan, 2.0], [3.0, 4.0]])
    with pytest.raises(ParameterError, match="x is a masked array, and 2 of its 6 entries are masked"):
        as_matrix(rows)
    with pytest.raises(ParameterError, match="1 of its 2 entries"):
        as_indices(np.ma.array([0, 1], mask=[True, False]), 3)
    plain = np.ma.array([[1.0, 2.0], [3.0, 4.0]])
    assert as_matrix(plain).tolist() == [[1, 2], [3, 4]]
    assert as_indices(np.ma.array([0, 1]), 3).tolist() == [0, 1]


def test_sparse_rows_are_refused_with_what_to_give_instead():
    rows = torch.eye(3)
    with pytest.raises(ParameterError, match=r"rx is a sparse tensor; give rx.to_dense\(\)"):
        as_matrix(rows.to_sparse(), "rx")
    with pytest.raises(ParameterError, match=r"x is a sparse matrix; give x.toarray\(\)"):
        as_matrix(scipy.sparse.csr_array(rows.numpy()))
    with pytest.raises(ShapeError, match=r"something else .dtype .*complex64"):
        as_matrix(rows.to(torch.complex64))


@pytest.mark.parametrize("make", [np.array, torch.tensor, list])
def test_what_float32_cannot_hold_is_told_from_what_is_no_number(make):
    def given(number):
        rows = [[1.0, 2.0], [number, -number], [0.0, 0.0]]
        return torch.tensor(rows, dtype=torch.float64) if make is torch.tensor else make(rows)

    for number, said in ((-1e300, "above 3.4e"), (1e-300, "not above 1.2e-38"), (1e-40, "not above 1.2e-38")):
        rows = given(number)
        with pytest.raises(ParameterError, match=f"y holds numbers .*{said}.* 1 of 3 rows, first in row 1"):
            check_range(rows, as_matrix(rows, "y"), "y")
    for number in (1e38, 1e-37, np.inf, np.nan, 0.0):
        check_range(given(number), as_matrix(given(number)))
    rows = np.array([[1e-300, 1.0]])  # as good as a zero beside the other
    check_range(rows, as_matrix(rows))


def test_whole_numbers_are_those_of_python_and_numpy():
    assert [as_whole(value, "k", 1, 10) for value in (10, np.int64(3), np.uint8(1))] == [10, 3, 1]
    for value in (10.0, "10", True, np.True_, None, 0, 11, [3]):
        with pytest.raises(ParameterError, match="k must be a whole number, between 1 and 10; it is "):
            as_whole(value, "k", 1, 10)
    with pytest.raises(ParameterError, match="k must be a whole number, between 1 and the 10 rows; it is 11"):
        as_whole(11, "k", 1, 10, "rows")
    with pytest.raises(ParameterError, match="n must be a whole number, at least 2; it is 1"):
        as_whole(1, "n", 2)
    with pytest.raises(ParameterError, match="between 0 and 4294967295; it is -1"):
        as_seed(-1)


def test_no_row_numbers_are_fine():
    assert as_indices([], 3).shape == (0,)


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ([0, 3], "between 0 and 2; they run from 0 to 3"),
        ([-1, 0], "they run from -1 to 0"),
        ([0.0, 1.0], "dtype float64"),
        ([True, False], "a mask of 2 values for 3 rows"),
        (np.ones((3, 1), bool), r"shape \(3, 1\), dtype bool"),
        (iter([0, 1]), "dtype object"),
        ([[0], [1, 2]], "a list of row numbers, or a mask"),
        ("all", "dtype <U3"),
        (np.array([0, 2**63], np.uint64), "run from 0 to 9223372036854775808"),
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

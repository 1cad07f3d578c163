"""A space: it owns what it holds, and gives the rows that are asked for."""

import numpy as np
import pytest
import torch

import relviz
from relviz.errors import ParameterError, ShapeError


def made(n=6):
    names = [f"row {i}" for i in range(n)]
    return relviz.Space(
        np.arange(2.0 * n).reshape(n, 2), ids=names, labels=list("ab") * (n // 2), name="made"
    )


@pytest.mark.parametrize("form", [list, np.array, torch.tensor])
def test_a_mask_selects_its_rows_and_row_numbers_put_them_in_order(form):
    space = made()
    chosen = space.take(form([False, True, False, True, True, False]))
    assert chosen.ids == ("row 1", "row 3", "row 4")
    assert chosen.labels == ("b", "b", "a")
    assert torch.equal(chosen.vectors, space.vectors[[1, 3, 4]])
    assert space.take(form([4, 1])).ids == ("row 4", "row 1")


def test_all_rows_in_their_order_are_the_space_itself():
    space = made()
    assert space.take(range(6)) is space
    assert space.take([True] * 6) is space
    assert space.take([0, 1, 2, 3, 5, 4]) is not space
    assert space.take(range(5)) is not space


@pytest.mark.parametrize(
    ("rows", "says"),
    [
        ([True, False], "a mask of 2 values for 6 rows"),
        (np.ones((6, 2), bool), r"shape \(6, 2\)"),
        ([0.0, 1.0], "dtype float64"),
        ([0, -1], "between 0 and 5; they run from -1 to 0"),
        ([0, 6], "between 0 and 5; they run from 0 to 6"),
        (["row 1"], "dtype <U5"),
        (3, r"shape \(\)"),
        ([1], "at least 2 rows"),
    ],
)
def test_what_is_no_row_is_refused(rows, says):
    with pytest.raises(ShapeError, match=says):
        made().take(rows)


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
def test_nothing_done_later_to_what_it_was_made_of_reaches_it(dtype):
    given = torch.arange(12, dtype=dtype).reshape(6, 2)
    views = given, given[1:], given[:, :2], given.requires_grad_(False).detach()
    spaces = [relviz.Space(view) for view in views]
    spaces.append(relviz.Space(given.numpy()))
    before = [(space.digest, space.vectors.clone()) for space in spaces]
    given += 100
    for space, (digest, vectors) in zip(spaces, before, strict=True):
        assert torch.equal(space.vectors, vectors)
        assert relviz.Space(space.vectors).digest == digest


def test_masked_and_sparse_arrays_are_refused():
    rows = np.ma.masked_less(np.arange(6.0).reshape(3, 2), 2)
    with pytest.raises(ParameterError, match="vectors is a masked array, and 2 of its 6 entries"):
        relviz.Space(rows)
    with pytest.raises(ParameterError, match="vectors is a sparse tensor"):
        relviz.Space(torch.eye(3).to_sparse())

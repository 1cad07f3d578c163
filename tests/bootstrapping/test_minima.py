"""Minima and their places against the full matrix, with blocks that leave remainders."""

import pytest
import torch

from relviz.bootstrapping.correspondence import ColumnMinima, row_minima


def numbers(n, m, seed=0):
    return torch.randn(n, m, generator=torch.Generator().manual_seed(seed))


@pytest.mark.parametrize("m", [1, 5, 63, 64, 65, 200])
def test_row_minima_are_those_of_the_full_matrix(m):
    tile = numbers(300, m)
    least, column = row_minima(tile)
    assert torch.equal(least, tile.amin(1))
    assert torch.equal(column, tile.argmin(1))


@pytest.mark.parametrize("block", [1, 7, 16, 40, 100])
@pytest.mark.parametrize("n", [1, 15, 16, 90])
def test_column_minima_are_those_of_the_full_matrix(n, block):
    full = numbers(n, 13)
    found = ColumnMinima(13, full.device)
    for start in range(0, n, block):
        found.see(full[start : start + block], start)
    assert torch.equal(found.least, full.amin(0))
    assert torch.equal(found.row, full.argmin(0))


def test_of_equal_minima_the_first_stays_whatever_the_blocks():
    found = ColumnMinima(3, torch.device("cpu"))
    for start in (0, 4, 8):
        found.see(torch.ones(4, 3), start)
    assert int(found.row.max()) < 4

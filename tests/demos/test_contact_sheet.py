"""Pictures go onto a sheet and come back, whatever their number."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from relviz.demos.contact_sheet import cut, read_gray, sheet_size, tile, write_gray
from relviz.errors import ReadError


@given(
    n=st.integers(1, 12),
    cell=st.integers(1, 4),
    columns=st.integers(1, 5),
    channels=st.sampled_from([(), (3,), (4,)]),
)
def test_cut_undoes_tile(n, cell, columns, channels):
    cells = np.random.default_rng(0).integers(0, 256, (n, cell, cell, *channels), dtype=np.uint8)
    sheet = tile(cells, columns)
    assert sheet.shape[1::-1] == sheet_size(n, cell, columns)
    assert np.array_equal(cut(sheet, n, cell, columns), cells)


def test_cells_run_along_the_lines():
    cells = np.arange(3, dtype=np.uint8).reshape(3, 1, 1) + 1
    assert tile(cells, 2).tolist() == [[1, 2], [3, 0]]


def test_gray_pictures_are_kept_without_loss(tmp_path):
    cells = np.random.default_rng(1).integers(0, 256, (7, 5, 5), dtype=np.uint8)
    write_gray(tmp_path / "sheet.png", cells, 3)
    again = read_gray(tmp_path / "sheet.png", 7, 5, 3)
    assert np.array_equal(again, cells)
    write_gray(tmp_path / "line.png", cells[:2], 3)
    assert read_gray(tmp_path / "line.png", 2, 5, 3).flags.writeable  # torch warns of any other array


def test_sheets_of_another_size_or_kind_are_refused(tmp_path):
    path = tmp_path / "sheet.png"
    with pytest.raises(ReadError, match="cannot be read"):
        read_gray(path, 7, 5, 3)
    path.write_bytes(b"no picture")
    with pytest.raises(ReadError, match="cannot be read"):
        read_gray(path, 7, 5, 3)
    write_gray(path, np.zeros((7, 5, 5), np.uint8), 3)
    with pytest.raises(ReadError, match=r"\(15, 15\).*10 gray cells need \(15, 20\)"):
        read_gray(path, 10, 5, 3)
    whole = path.read_bytes()
    path.write_bytes(whole[: len(whole) // 2])
    with pytest.raises(ReadError, match="cannot be read"):
        read_gray(path, 7, 5, 3)
    Image.new("RGB", (15, 15)).save(path)
    with pytest.raises(ReadError, match="RGB"):
        read_gray(path, 7, 5, 3)

"""Spaces survive the file; files that hold anything else are refused before they are read."""

import json

import pytest
import torch
from safetensors.torch import save_file

from relviz.demos import space_file
from relviz.demos.space_file import read_space, write_space
from relviz.errors import ReadError
from relviz.space import Space

HALF = torch.tensor([[1.0, 2.0], [3.0, 4.0], [5.0, 6.5]], dtype=torch.float16)


def test_a_space_comes_back_as_it_went(tmp_path):
    space = Space(HALF, ids="abc", labels=["é", "x", "x"], items=["😀 a", "b", "c"], name="toy")
    path = tmp_path / "new" / "toy.safetensors"
    write_space(path, space)
    again = read_space(path)
    assert again.content_digest == space.content_digest
    assert again.vectors.dtype == torch.float32


def test_lists_that_are_not_there_stay_absent(tmp_path):
    write_space(tmp_path / "s.safetensors", Space(HALF))
    again = read_space(tmp_path / "s.safetensors")
    assert (again.ids, again.labels, again.items, again.name) == (None, None, None, "")


@pytest.mark.parametrize(
    ("tensors", "message"),
    [
        ({"vectors": HALF, "other": HALF}, "exactly 'vectors'"),
        ({"weights": HALF}, "exactly 'vectors'"),
        ({"vectors": HALF.float()}, r"F32 \[3, 2\]"),
        ({"vectors": HALF[0]}, r"F16 \[2\]"),
    ],
)
def test_other_tensors_are_refused(tmp_path, tensors, message):
    save_file({name: tensor.clone() for name, tensor in tensors.items()}, tmp_path / "s.safetensors")
    with pytest.raises(ReadError, match=message):
        read_space(tmp_path / "s.safetensors")


@pytest.mark.parametrize(
    "ids", ["not json", json.dumps(["a", "b"]), json.dumps([1, 2, 3]), json.dumps("abc")]
)
def test_lists_of_another_form_are_refused(tmp_path, ids):
    save_file({"vectors": HALF}, tmp_path / "s.safetensors", metadata={"ids": ids})
    with pytest.raises(ReadError, match="list of 3 texts"):
        read_space(tmp_path / "s.safetensors")


def test_damaged_missing_and_large_files_are_refused(tmp_path, monkeypatch):
    path = tmp_path / "s.safetensors"
    with pytest.raises(ReadError, match="cannot be read"):
        read_space(path)
    path.write_bytes(b"\xff" * 100)
    with pytest.raises(ReadError, match="cannot be read"):
        read_space(path)
    write_space(path, Space(HALF))
    path.write_bytes(path.read_bytes()[:-1])
    with pytest.raises(ReadError, match="cannot be read"):
        read_space(path)
    monkeypatch.setattr(space_file, "MAX_BYTES", 50)
    with pytest.raises(ReadError, match="at most 50"):
        read_space(path)

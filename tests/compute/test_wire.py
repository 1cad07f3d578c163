"""Messages arrive as they were sent: arrays and tensors bit by bit, and they can be changed."""

import io
import os
from typing import Any

import numpy as np
import pytest
import torch

from relviz.compute.wire import Wire, portable
from tests.compute.heavy import Picky


def through(message: object) -> Any:
    file = io.BytesIO()
    Wire(file, file).send(message)
    file.seek(0)
    return Wire(file, file).receive()


def test_arrays_arrive_and_are_their_own():
    x = np.arange(6.0).reshape(2, 3)
    got = through((x, x[:, ::2], np.zeros((0, 3)), torch.from_numpy(x), torch.ones(2, dtype=torch.bfloat16)))
    for sent, found in zip((x, x[:, ::2], np.zeros((0, 3))), got, strict=False):
        assert np.array_equal(sent, found)
        assert sent.dtype == found.dtype
    got[0][0, 0] = 7
    got[3][0, 0] = 8
    assert x[0, 0] == 0
    assert got[3].dtype == torch.float64
    assert got[4].dtype == torch.bfloat16


def test_an_end_that_is_closed_says_so():
    read, write = os.pipe()
    os.close(write)
    with os.fdopen(read, "rb") as stream, pytest.raises(EOFError):
        Wire(stream, io.BytesIO()).receive()


def test_an_error_that_cannot_be_copied_keeps_its_words():
    # Dask, where a test before has imported it, makes any error one that can be copied.
    assert str(portable(Picky("k", 4))).removeprefix("Picky: ") == "k must be at most 4."
    assert isinstance(portable(ValueError("no")), ValueError)

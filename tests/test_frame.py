"""The frame of some rows, kept for rows that come later."""

import pytest
import torch

import relviz
from relviz.errors import ParameterError, ShapeError


def points(n, d=5, seed=0):
    return torch.randn(n, d, generator=torch.Generator().manual_seed(seed)) + 3


def test_it_gives_what_prepare_gives_and_keeps_the_mean_for_later_rows():
    x = points(40)
    frame = relviz.Frame().fit(x)
    assert torch.equal(frame.transform(x), relviz.prepare(x))
    assert torch.equal(relviz.Frame().fit_transform(x), relviz.prepare(x))
    torch.testing.assert_close(frame.transform(x[7:8]), relviz.prepare(x)[7:8])
    assert not relviz.prepare(x[7:8]).any()  # which is why a frame is kept


def test_gradients_reach_later_rows():
    frame, rows = relviz.Frame().fit(points(10)), points(3, seed=1).requires_grad_()
    frame.transform(rows)[:, 0].sum().backward()
    assert rows.grad.abs().sum() > 0


def test_spaces_are_welcome():
    space = relviz.Space(points(10))
    assert torch.equal(relviz.Frame().fit(space).transform(space), relviz.prepare(space))


def test_what_it_cannot_do_is_said():
    with pytest.raises(ParameterError, match="call fit"):
        relviz.Frame().transform(points(3))
    with pytest.raises(ShapeError, match="5 columns that the frame was fitted on"):
        relviz.Frame().fit(points(9)).transform(points(9, 4))
    assert repr(relviz.Frame()) == "Frame(not fitted)"
    assert repr(relviz.Frame().fit(points(9))) == "Frame(dimension 5)"

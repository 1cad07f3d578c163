"""Lengths: which activations mind them, and how they are distributed."""

import numpy as np
import pytest
import torch

from relviz.errors import ParameterError, ShapeError
from relviz.stitching import lengths, rescale_injection
from relviz.stitching.rescaling import _rows_for_heads
from tests.stitching.made import classes
from tests.translation.made import gaussian


@pytest.mark.slow
def test_relu_and_tanh_bear_longer_rows_and_cosine_does_not():
    rows, labels = classes(n=300, d=10, kinds=4, noise=1.0)
    found = rescale_injection(rows, labels, alphas=(0.3, 1.0, 10.0), n_draws=2)
    accuracy = dict(zip(found.activations, found.accuracy.mean(1), strict=True))
    assert found.accuracy.shape == (3, 2, 3)
    for name in ("relu", "tanh", "cosine"):
        assert accuracy[name][1] > 0.9
    assert accuracy["relu"][2] > 0.9
    assert accuracy["tanh"][2] > 0.85
    assert accuracy["cosine"][2] < 0.6
    again = rescale_injection(rows, labels, alphas=(0.3, 1.0, 10.0), n_draws=2)
    np.testing.assert_array_equal(found.accuracy, again.accuracy)


def test_as_in_the_paper_nothing_but_the_norm_of_test_rows_changes():
    rows, labels = classes(n=300, d=10, kinds=4, noise=0.3)
    sphere = 5 * torch.nn.functional.normalize(rows)
    found = rescale_injection(sphere, labels, (1.0, 7.3), ("relu", "cosine"), n_draws=1, norms_alone=True)
    assert found.accuracy[0, 0].min() > 0.9
    assert found.accuracy[1, 0, 0] > 0.9 > found.accuracy[1, 0, 1]
    train = torch.arange(0, 300, 2)
    for given in (sphere, sphere * torch.linspace(1, 3, 300)[:, None]):
        trained, tested = _rows_for_heads(given, train, norms_alone=True)
        torch.testing.assert_close(trained, given)
        torch.testing.assert_close(tested, sphere / 5 * given[train].norm(dim=1).mean())


def test_lengths_may_be_those_of_rows_as_they_are():
    x = gaussian(400, 5) + 100
    found = lengths({"far": x}, center=False)["far"]
    assert found.mean == pytest.approx(float(x.norm(dim=1).mean()), rel=1e-5)


def test_lengths_are_those_of_rows_minus_their_mean():
    x = gaussian(4000, 50) + 7
    ring = torch.nn.functional.normalize(gaussian(500, 3))
    found = lengths({"gaussian": x, "ring": torch.cat([ring, -ring])})
    assert found["gaussian"].mean == pytest.approx(50**0.5, rel=0.01)
    assert found["gaussian"].sd == pytest.approx(0.5**0.5, rel=0.05)
    assert abs(found["gaussian"].skew) < 0.2
    widths = np.diff(found["gaussian"].edges)
    assert (widths * found["gaussian"].density).sum() == pytest.approx(1)
    assert found["ring"].mean == pytest.approx(1, abs=1e-4)
    assert found["ring"].sd < 1e-4


def test_what_cannot_be_rescaled_is_refused():
    rows, labels = classes(n=40)
    with pytest.raises(ParameterError, match="relu, tanh, cosine; there is no sine"):
        rescale_injection(rows, labels, activations=["sine"])
    for alphas in ((), (1.0, 0.0)):
        with pytest.raises(ParameterError, match="alphas are factors above 0"):
            rescale_injection(rows, labels, alphas=alphas)
    with pytest.raises(ShapeError, match="40 rows but 39 labels"):
        rescale_injection(rows, labels[1:])

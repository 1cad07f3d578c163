"""An autoencoder as the store keeps it, and what it says of what does not fit."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
import torch

from relviz.autoencoders import Autoencoder, Weights
from relviz.autoencoders.model import size
from relviz.compute.entry import result
from relviz.compute.typed import pack, unpack
from relviz.errors import ReadError, ShapeError
from tests.autoencoders.made import small, spots


@pytest.fixture(scope="module")
def model():
    return small()


def test_kept_and_taken_back_it_is_the_same(model):
    again = Autoencoder.of(unpack(Weights, result(*pack(model.weights()))))
    assert torch.equal(again.reconstruct(spots(9)), model.reconstruct(spots(9)))
    assert again.options == model.options
    assert again.anchor_digest == model.anchor_digest
    np.testing.assert_allclose(again.history, model.history, rtol=1e-6)


def test_images_are_between_0_and_1_whatever_the_codes(model):
    made = model.decode(100 * torch.randn(50, 16))
    assert made.min() >= 0
    assert made.max() <= 1


def test_many_images_are_as_one(model):
    images = spots(1500)
    torch.testing.assert_close(model.encode(images)[1400:], model.encode(images[1400:]))
    assert model.mse(images) == pytest.approx(
        float((model.reconstruct(images) - images).square().mean()), rel=1e-5
    )


def test_it_counts_its_parameters(model):
    assert model.parameters == (size(model.encoder), size(model.decoder))
    assert sum(model.parameters) == sum(
        array.size for half in (model.weights().encoder, model.weights().decoder) for array in half.values()
    )


@pytest.mark.parametrize(
    ("damage", "said"),
    [
        (lambda kept: replace(kept, decoder=without(kept.decoder, "0.weight")), "no decoder.0.weight"),
        (lambda kept: replace(kept, anchors=np.zeros((3, 3))), r"anchors has the shape \(3, 3\)"),
        (lambda kept: replace(kept, history=np.zeros((3, 3))), r"history has the shape \(3, 3\)"),
        (
            lambda kept: replace(kept, encoder={**kept.encoder, "0.bias": np.full(6, np.nan)}),
            "encoder.0.bias holds NaN",
        ),
        (lambda kept: replace(kept, side=None), "describe"),
        (lambda kept: replace(kept, side=10**9), "describe"),
        (lambda kept: replace(kept, side="28"), "describe"),
        (lambda kept: replace(kept, background=()), "describe"),
        (lambda kept: replace(kept, background=(1.5,)), "describe"),
    ],
)
def test_what_is_damaged_is_refused(model, damage: Callable[[Weights], Weights], said: str):
    with pytest.raises(ReadError, match=said):
        Autoencoder.of(damage(model.weights()))


def without(parts: dict[str, np.ndarray], name: str) -> dict[str, np.ndarray]:
    return {key: part for key, part in parts.items() if key != name}


def test_what_does_not_fit_is_refused(model):
    with pytest.raises(ShapeError, match="trained on"):
        model.encode(torch.rand(2, 1, 16, 16))
    with pytest.raises(ShapeError, match="relative codes of 16"):
        model.decode(torch.rand(2, 6))
    with pytest.raises(ShapeError, match="6 columns"):
        model.codes_of(torch.rand(2, 16))

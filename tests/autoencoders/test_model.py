"""An autoencoder as the store keeps it, and what it says of what does not fit."""

import json

import numpy as np
import pytest
import torch

from relviz.autoencoders import Autoencoder
from relviz.autoencoders.model import size
from relviz.errors import ReadError, ShapeError
from tests.autoencoders.made import small, spots


@pytest.fixture(scope="module")
def model():
    return small()


def test_kept_and_taken_back_it_is_the_same(model):
    again = Autoencoder.of(model.arrays(), json.loads(json.dumps(model.meta)))
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
        array.size for name, array in model.arrays().items() if name.startswith(("encoder", "decoder"))
    )


@pytest.mark.parametrize(
    ("damage", "said"),
    [
        (lambda arrays, _: arrays.pop("decoder.0.weight"), "no decoder.0.weight"),
        (lambda arrays, _: arrays.update(anchors=np.zeros((3, 3))), r"anchors has the shape \(3, 3\)"),
        (lambda arrays, _: arrays["encoder.0.bias"].fill(np.nan), "NaN"),
        (lambda _, meta: meta.pop("side"), "describe"),
        (lambda _, meta: meta.update(side=10**9), "describe"),
        (lambda _, meta: meta.update(side="28"), "describe"),
        (lambda _, meta: meta["options"].update(latent=10**9), "describe"),
        (lambda _, meta: meta["options"].update(depth=3), "describe"),
        (lambda _, meta: meta.update(options=None), "describe"),
    ],
)
def test_what_is_damaged_is_refused(model, damage, said):
    arrays = {name: array.copy() for name, array in model.arrays().items()}
    meta = json.loads(json.dumps(model.meta))
    damage(arrays, meta)
    with pytest.raises(ReadError, match=said):
        Autoencoder.of(arrays, meta)


def test_what_does_not_fit_is_refused(model):
    with pytest.raises(ShapeError, match="trained on"):
        model.encode(torch.rand(2, 1, 16, 16))
    with pytest.raises(ShapeError, match="relative codes of 16"):
        model.decode(torch.rand(2, 6))
    with pytest.raises(ShapeError, match="6 columns"):
        model.codes_of(torch.rand(2, 16))

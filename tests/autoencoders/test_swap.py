"""Decoders swapped: a copy whose latent space was turned by hand is the same to relative codes alone."""

import pytest
import torch

from relviz.autoencoders import grid, swap, train
from relviz.autoencoders.model import Options, mean_squared_error
from relviz.errors import ParameterError, ShapeError
from tests.autoencoders.made import SMALL, small, spots, turned

IMAGES = spots(40, seed=3)


@pytest.mark.parametrize("kind", ["ae", "vae"])
def test_relative_codes_do_not_see_that_the_latent_space_was_turned(kind):
    model = small("relative", kind)
    copy = turned(model)
    assert not torch.allclose(copy.encode(IMAGES), model.encode(IMAGES), atol=0.1)
    torch.testing.assert_close(copy.codes(IMAGES), model.codes(IMAGES), atol=1e-4, rtol=0)
    torch.testing.assert_close(swap(copy, model, IMAGES), model.reconstruct(IMAGES), atol=1e-4, rtol=0)


@pytest.mark.parametrize("kind", ["ae", "vae"])
def test_absolute_codes_do_and_a_translator_turns_them_back(kind):
    model = small("absolute", kind, epochs=8, batch=16)
    copy = turned(model)
    own = model.mse(IMAGES)
    assert mean_squared_error(swap(copy, model, IMAGES), IMAGES) > 3 * own
    back = swap(copy, model, IMAGES, "procrustes")
    torch.testing.assert_close(back, model.reconstruct(IMAGES), atol=1e-3, rtol=0)


def test_a_model_swapped_with_itself_reconstructs():
    for codes in ("absolute", "relative"):
        model = small(codes)
        assert torch.equal(swap(model, model, IMAGES), model.reconstruct(IMAGES))


def test_the_grid_is_every_encoder_with_every_decoder():
    models = [small(seed=0), small(seed=1)]
    made = grid(models, IMAGES[:5])
    assert made.shape == (2, 2, 5, 1, 12, 12)
    for one in range(2):
        for other in range(2):
            assert torch.equal(made[one, other], swap(models[one], models[other], IMAGES[:5]))


@pytest.mark.parametrize("method", ["irp", "irp_plus", "ridge"])
def test_every_translator_gives_images(method):
    one, other = (small("absolute", seed=seed) for seed in range(2))
    made = swap(one, other, IMAGES, method)
    assert made.shape == IMAGES.shape
    assert made.min() >= 0
    assert made.max() <= 1


def test_what_does_not_fit_is_refused():
    relative, absolute = small("relative"), small("absolute")
    with pytest.raises(ParameterError, match="relative codes, the decoder with absolute"):
        swap(relative, absolute, IMAGES)
    with pytest.raises(ParameterError, match="do not share anchors"):
        swap(relative, small("relative", anchor_seed=1), IMAGES)
    elsewhere = train(spots(seed=9), Options(**SMALL))
    with pytest.raises(ParameterError, match="do not share anchors"):
        swap(relative, elsewhere, IMAGES)
    with pytest.raises(ShapeError, match="absolute codes of 5 coordinates; got 6"):
        swap(absolute, small("absolute", latent=5), IMAGES)
    with pytest.raises(ParameterError, match="no translator"):
        swap(absolute, small("absolute", seed=1), IMAGES, "magic")


def test_latent_sizes_may_differ_where_codes_are_relative():
    assert swap(small(latent=5), small(latent=6), IMAGES).shape == IMAGES.shape

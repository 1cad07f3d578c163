"""Decoders swapped without a known pair: a copy whose latent space was turned has a known answer."""

import pytest
import torch

from relviz.autoencoders import bundled_autoencoder, demo_digits, match_latents
from relviz.errors import ParameterError
from tests.autoencoders.made import small, spots, turned


@pytest.mark.slow
def test_the_latents_of_a_turned_copy_are_found_without_a_pair_and_turned_back():
    model, images = bundled_autoencoder("ae", "absolute", 64, 0), demo_digits().test[:700]
    order = torch.randperm(len(images), generator=torch.Generator().manual_seed(0))
    match = match_latents(turned(model), model, images, images[order])
    assert match.found.converged
    assert torch.equal(match.found.matches, order.argsort())
    latents = turned(model).encode(images)
    torch.testing.assert_close(match.there(latents), model.encode(images), atol=0.02, rtol=0)
    torch.testing.assert_close(match.back(model.encode(images)), latents, atol=0.1, rtol=0)


def test_models_of_relative_codes_need_none():
    with pytest.raises(ParameterError, match="relative codes"):
        match_latents(small("relative"), small("absolute"), spots(40), spots(40))

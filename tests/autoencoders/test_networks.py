"""What a decoder is given: closed forms of relative codes, where gradient flows, what it costs."""

import pytest
import torch
from torch import nn

from relviz import relative
from relviz.autoencoders import Options
from relviz.autoencoders.model import build, draw_weights, relative_codes, size
from relviz.autoencoders.training import Reconstruction
from tests.autoencoders.made import SMALL, spots


def test_relative_codes_are_the_relative_representation():
    latents, anchors = torch.randn(20, 5), torch.randn(7, 5)
    torch.testing.assert_close(relative_codes(latents, anchors), relative(latents, anchors))


def test_codes_of_an_anchor_hold_a_one_and_those_of_a_right_angle_a_zero():
    codes = relative_codes(torch.tensor([[3.0, 0.0]]), torch.tensor([[0.5, 0.0], [0.0, 2.0], [-1.0, 0.0]]))
    assert codes.tolist() == [[1.0, 0.0, -1.0]]


def test_no_gradient_flows_to_the_anchors():
    latents, anchors = torch.randn(4, 3, requires_grad=True), torch.randn(6, 3, requires_grad=True)
    relative_codes(latents, anchors).square().sum().backward()
    assert anchors.grad is None
    assert latents.grad is not None
    assert latents.grad.abs().sum() > 0


def gradients(learner, loss):
    learner.networks.zero_grad()
    loss.backward()
    return [part.grad.clone() for part in learner.networks.parameters()]


def test_training_takes_anchors_as_given_but_encodes_them_anew():
    learner = Reconstruction(Options(**SMALL), spots(64))
    rows = torch.arange(8)
    true = learner.images[rows]
    encoder, decoder, ground = learner.encoder, learner.tail, learner.background

    def by_hand(anchors):
        unit = nn.functional.normalize
        codes = unit(encoder(true - ground), dim=1) @ unit(anchors, dim=1).T
        return nn.functional.mse_loss(decoder(codes) + ground, true) * true[0].numel()

    for _ in range(2):
        ours = gradients(learner, learner.losses(rows)[0])
        fixed = gradients(learner, by_hand(encoder(learner.anchors - ground).detach()))
        through = gradients(learner, by_hand(encoder(learner.anchors - ground)))
        torch.testing.assert_close(ours, fixed, rtol=1e-4, atol=1e-4)
        assert not torch.allclose(ours[0], through[0], rtol=1e-4, atol=1e-4)
        with torch.no_grad():  # had the anchors been encoded once, this would go unseen
            for part in encoder.parameters():
                part.add_(0.05 * torch.randn(part.shape))


@pytest.mark.parametrize("kind", ["ae", "vae"])
def test_as_many_anchors_as_latents_cost_the_same_parameters(kind):
    counts = [
        tuple(map(size, build(Options(kind=kind, codes=codes, latent=64, anchors=64), 1, 28)))
        for codes in ("absolute", "relative")
    ]
    assert counts[0] == counts[1]


@pytest.mark.parametrize(("channels", "side"), [(1, 28), (3, 32), (1, 12)])
def test_the_decoder_gives_images_of_the_size_that_was_encoded(channels, side):
    encoder, decoder = build(Options(codes="absolute", latent=5), channels, side)
    images = torch.rand(3, channels, side, side)
    assert encoder(images).shape == (3, 5)
    assert decoder(encoder(images)).shape == images.shape


def test_weights_are_drawn_with_the_given_generator_and_keep_the_spread_of_what_they_are_given():
    networks = nn.ModuleList(build(Options(codes="absolute"), 1, 28))
    state = torch.random.get_rng_state()
    draw_weights(networks, torch.Generator().manual_seed(3))
    assert torch.equal(torch.random.get_rng_state(), state)
    first = [part.clone() for part in networks.parameters()]
    draw_weights(networks, torch.Generator().manual_seed(3))
    assert all(torch.equal(a, b) for a, b in zip(first, networks.parameters(), strict=True))
    made = networks[1](torch.randn(64, 64))
    assert 0.2 < float(made.detach().std()) < 3

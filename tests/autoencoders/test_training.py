"""Training: what it learns, that it is repeatable, what it reports, how it ends."""

import numpy as np
import pytest
import torch

from relviz.autoencoders import Options, anchor_rows, split_images, train
from relviz.autoencoders.model import Autoencoder, mean_squared_error
from relviz.errors import ParameterError, ShapeError
from tests.autoencoders.made import SMALL, small, spots


@pytest.mark.parametrize("kind", ["ae", "vae"])
@pytest.mark.parametrize("codes", ["absolute", "relative"])
def test_it_learns_more_than_the_mean_image(codes, kind):
    images, unseen = spots(), spots(64, seed=1)
    model = small(codes, kind, epochs=8, batch=16)
    assert model.mse(unseen) < 0.6 * mean_squared_error(images.mean(0), unseen)
    assert model.history[-1] < 0.5 * model.history[0]


@pytest.mark.parametrize("kind", ["ae", "vae"])
def test_the_same_seed_gives_the_same_weights(kind):
    torch.manual_seed(1)
    first = small.__wrapped__(kind=kind, seed=4).weights()
    torch.manual_seed(2)
    state = torch.random.get_rng_state()
    again, other = (small.__wrapped__(kind=kind, seed=seed).weights() for seed in (4, 5))
    assert torch.equal(torch.random.get_rng_state(), state)
    np.testing.assert_array_equal(first.anchors, again.anchors)
    np.testing.assert_array_equal(first.history, again.history)
    for name in first.encoder:
        np.testing.assert_array_equal(first.encoder[name], again.encoder[name])
    for name in first.decoder:
        np.testing.assert_array_equal(first.decoder[name], again.decoder[name])
    assert not np.array_equal(first.encoder["0.weight"], other.encoder["0.weight"])


def test_seeds_share_their_anchors_and_anchor_seeds_do_not():
    models = [small(seed=0), small(seed=1), small(seed=0, anchor_seed=1)]
    assert models[0].anchor_digest == models[1].anchor_digest != models[2].anchor_digest
    rows = anchor_rows(320, 16)
    torch.testing.assert_close(models[1].anchors, models[1].encode(spots()[rows]))


def test_white_ground_is_as_good_as_black_ground():
    black, white = small(), train(1 - spots(), Options(codes="relative", **SMALL))
    assert black.background[0] < 0.5 < white.background[0]
    errors = black.mse(spots()), white.mse(1 - spots())
    assert errors[1] < 2 * errors[0]
    back = Autoencoder.of(white.weights())
    assert back.background == white.background
    torch.testing.assert_close(back.reconstruct(1 - spots(8)), white.reconstruct(1 - spots(8)))


def test_a_vae_stands_for_an_image_by_the_mean():
    model, images = small(kind="vae"), spots(8)
    with torch.no_grad():
        said = model.encoder(images - model.background[0])
    assert said.shape[1] == 2 * model.options.latent
    torch.testing.assert_close(model.encode(images), said[:, : model.options.latent])
    assert torch.equal(model.reconstruct(images), model.reconstruct(images))


def test_noise_and_divergence_are_the_vae_s_alone():
    wide, narrow = (small("absolute", "vae", beta=beta, epochs=10) for beta in (0.0, 20.0))
    assert narrow.encode(spots()).std() < 0.5 * wide.encode(spots()).std()


def test_it_reports_loss_and_pictures_on_its_way():
    told = []
    watched = spots(3, seed=2)
    model = train(spots(), Options(**SMALL), watched=watched, on_step=told.append)
    assert [step.index for step in told] == [10, 20, 30, 40]
    assert {step.of for step in told} == {40}
    assert [step.epoch for step in told] == [0, 1, 2, 3]
    assert tuple(step.mse for step in told) == model.history
    assert [step.pictures is None for step in told] == [True, True, True, False]
    torch.testing.assert_close(told[-1].pictures, model.reconstruct(watched))


def test_a_last_report_is_the_mean_of_the_steps_since_the_one_before():
    told = []
    train(spots(96), Options(**(SMALL | {"batch": 32, "epochs": 7})), on_step=told.append)
    assert [step.index for step in told] == [10, 20, 21]
    assert 0.3 < told[-1].mse / told[-2].mse < 3


def test_truthy_stops_and_what_stands_then_is_the_result():
    model = train(spots(), Options(**SMALL), on_step=lambda step: step.index == 20)
    assert len(model.history) == 2
    assert model.reconstruct(spots(2)).shape == (2, 1, 12, 12)


class Halt(Exception):
    pass


def test_what_the_pulse_raises_ends_the_work():
    calls = []

    def pulse():
        calls.append(0)
        if len(calls) == 3:
            raise Halt

    with pytest.raises(Halt):
        train(spots(), Options(**SMALL), pulse=pulse)
    assert len(calls) == 3


def test_color_and_fewer_images_than_a_batch():
    images = spots(20, channels=3)
    model = train(images, Options(**(SMALL | {"batch": 64})))
    assert model.reconstruct(images).shape == images.shape


@pytest.mark.parametrize(
    ("images", "error", "said"),
    [
        (spots(10), ParameterError, "10 images, so not 16 anchors"),
        (2 * spots(), ParameterError, "between 0 and 1"),
        (spots() * torch.nan, ParameterError, "between 0 and 1"),
        (spots()[:, :, :10], ShapeError, r"\(320, 1, 10, 12\)"),
        (torch.rand(20, 1, 14, 14), ShapeError, "multiple of 4"),
        (torch.rand(20, 1, 80, 80), ShapeError, "at most 64"),
        (torch.rand(20, 2, 12, 12), ShapeError, "1 or 3 channels"),
        (torch.rand(0, 1, 12, 12), ShapeError, "shape"),
        (np.array(["a"]), ShapeError, "numbers"),
    ],
)
def test_what_cannot_be_trained_on_is_refused(images, error, said):
    with pytest.raises(error, match=said):
        train(images, Options(**SMALL))


@pytest.mark.parametrize(
    "wrong",
    [
        {"kind": "gan"},
        {"codes": "both"},
        {"latent": 1},
        {"latent": 10**6},
        {"anchors": 2.5},
        {"epochs": 0},
        {"rate": 0.0},
        {"rate": float("nan")},
        {"beta": -1},
        {"seed": -1},
    ],
)
def test_options_out_of_range_are_refused(wrong):
    with pytest.raises(ParameterError):
        Options(**wrong)


def test_whole_numbers_and_flat_rows_are_images_too():
    images = (255 * spots()).round()
    models = [
        train(given, Options(**SMALL))
        for given in (images / 255, images.to(torch.uint8), (images / 255).flatten(1).numpy())
    ]
    for model in models[1:]:
        assert torch.equal(model.anchors, models[0].anchors)


def test_a_split_leaves_no_row_out_and_has_none_twice():
    train_rows, test_rows = split_images(50, 0.2)
    assert len(test_rows) == 10
    assert sorted([*train_rows.tolist(), *test_rows.tolist()]) == list(range(50))
    with pytest.raises(ParameterError):
        split_images(2, 0.1)

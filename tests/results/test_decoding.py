"""Images through two models: with its own decoder a model does what it does, whatever the way."""

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

import relviz
from relviz.autoencoders import Options, bundled_autoencoder
from relviz.results.autoencoders import (
    MOST_MOVED,
    PATHS,
    WAYS,
    anchor_images,
    at_rest,
    autoencoder,
    autoencoder_task,
    between,
    decode_changed,
    extreme_anchors,
    latent_maps,
    missing_tasks,
    moved,
    options_of,
    passed,
    relative_codes,
    seeds_of,
    two_of,
)
from relviz.state.image_sets import DIGITS, ImageSet, image_set
from relviz.state.view import Decoding

CHOSEN = Decoding()


@pytest.fixture(scope="module")
def digits() -> ImageSet:
    return image_set(DIGITS)


@pytest.fixture(scope="module")
def two(digits: ImageSet):
    found = two_of(CHOSEN, digits)
    assert found is not None  # these are carried: the first visit waits for nothing
    return found


def test_one_digit_of_each_class_is_shown_first_and_then_the_next(digits: ImageSet) -> None:
    first = digits.first()
    assert [digits.names[row] for row in first] == list("0123456789")
    following = digits.after(first)
    assert [digits.names[row] for row in following] == list("0123456789")
    assert all(row > before for row, before in zip(following, first, strict=True))
    last = tuple(max(row for row, name in enumerate(digits.names) if name == digit) for digit in "0123456789")
    assert digits.after(last) == first


def test_with_its_own_decoder_every_way_is_the_model_and_relative_codes_swap(two, digits: ImageSet) -> None:
    images = digits.test[:100]
    found = {(one.way, one.path): one for one in passed(two, images)}
    assert set(found) == {(way, path) for way in WAYS for path in PATHS}
    for way in WAYS:
        models = two.relative if way == "relative" else two.absolute
        for at in (0, 1):
            torch.testing.assert_close(found[way, (at, at)].images, models[at].reconstruct(images))
    one = found["relative", (0, 1)]
    np.testing.assert_allclose(one.mse, (one.images - images).square().mean((1, 2, 3)), rtol=1e-5)

    def error(way: str, *paths: tuple[int, int]) -> float:
        return float(np.mean([found[way, path].mse.mean() for path in paths]))

    same, other = PATHS[::3], PATHS[1:3]
    assert error("relative", *other) <= 5 * error("relative", *same)
    assert error("absolute", *other) >= 10 * error("absolute", *same)
    assert error("irp", *other) < 0.5 * error("absolute", *other)


def test_the_ends_of_a_walk_are_the_two_images_reconstructed(two, digits: ImageSet) -> None:
    walks = dict(between(two, digits.test[3], digits.test[8], 5))
    for name, model in (("Absolute", two.absolute[0]), ("Relative", two.relative[0])):
        made = walks[f"{name}, own decoder"]
        assert made.shape == (5, 1, 28, 28)
        torch.testing.assert_close(made[[0, 4]], model.reconstruct(digits.test[[3, 8]]), atol=1e-5, rtol=1e-4)


def test_sliders_that_rest_change_nothing_and_one_that_moves_does(two, digits: ImageSet) -> None:
    codes = relative_codes(two, digits.test[3])
    anchors = extreme_anchors(codes)
    assert anchors == codes.abs().topk(8).indices.tolist()
    own, other = decode_changed(two, codes, {})
    torch.testing.assert_close(own[None], two.relative[0].reconstruct(digits.test[3:4]))
    after, _ = decode_changed(two, codes, {anchors[0]: -1.0})
    assert (after - own).abs().max() > 0.1
    assert other.shape == own.shape == (1, 28, 28)
    assert len(anchor_images(two.relative[0].options, digits)) == len(codes)


def test_a_slider_is_moved_when_it_does_not_stand_where_it_stood() -> None:
    codes = torch.tensor([0.104, -0.906, 0.5049, 1.0000001])
    assert [at_rest(codes, at) for at in range(4)] == [0.1, -0.91, 0.5, 1.0]
    assert moved(codes, {0: 0.1, 1: -0.91, 2: 0.1 + 0.2 + 0.2, 3: 1.0}) == {}
    found = moved(codes, {0: 0.11, 2: -0.5, 3: 1.0, 1: -0.9})
    assert list(found.items()) == [(1, -0.9), (2, -0.5), (0, 0.11)]


@settings(deadline=None)
@given(
    st.lists(st.floats(-1, 1, width=32), min_size=1, max_size=30),
    st.sets(st.integers(0, 29), max_size=MOST_MOVED),
)
def test_anchors_that_are_kept_are_among_those_that_tell_most(codes: list[float], asked: set[int]) -> None:
    kept = {anchor for anchor in asked if anchor < len(codes)}
    found = extreme_anchors(torch.tensor(codes), kept)
    assert len(found) == min(MOST_MOVED, len(codes))
    assert kept <= set(found)
    assert [abs(codes[at]) for at in found] == sorted((abs(codes[at]) for at in found), reverse=True)
    others = set(range(len(codes))) - set(found)
    chosen = set(found) - kept
    assert (
        not others
        or not chosen
        or max(abs(codes[at]) for at in others) <= min(abs(codes[at]) for at in chosen)
    )
    assert extreme_anchors(torch.tensor(codes), found) == found


def test_two_seeds_differ_and_what_is_not_there_is_a_task_with_a_name_of_its_own(digits: ImageSet) -> None:
    assert seeds_of(Decoding(one=3, other=3)) == (3, 4)
    chosen = Decoding(latent=7, one=5, other=6)
    assert two_of(chosen, digits) is None
    tasks = missing_tasks(chosen, digits)
    assert len({task.key for task in tasks}) == 4
    assert missing_tasks(CHOSEN, digits) == []


def test_all_seeds_have_the_same_anchors_carried_or_not(digits: ImageSet) -> None:
    for kind, latent, anchors in (("ae", 2, 16), ("ae", 64, 64), ("vae", 32, 32), ("ae", 9, 64)):
        for codes in ("absolute", "relative"):
            told = [options_of(Decoding(kind=kind, latent=latent), codes, seed, digits) for seed in range(8)]
            assert {one.anchors for one in told} == {anchors}
            assert [one.seed for one in told] == list(range(8))
    chosen = Decoding(anchors=9)
    assert options_of(chosen, "relative", 0, digits).anchors == 9
    assert len(missing_tasks(chosen, digits)) == 4


def test_what_was_trained_is_kept_whole(digits: ImageSet) -> None:
    options = Options(codes="relative", latent=2, anchors=8, epochs=1, width=1, batch=1000, seed=77)
    assert autoencoder(options, digits) is None
    task = autoencoder_task(options, digits)
    made = task.run()
    found = autoencoder(options, digits)
    assert found is not None
    assert found.options == options
    np.testing.assert_array_equal(found.anchors, made.anchors)


def test_latent_spaces_of_all_trainings_that_are_there(digits: ImageSet) -> None:
    maps = latent_maps(Decoding(codes="relative"), True, (0, 1))
    assert [one.points.shape for one in maps] == [(len(digits.test), 2)] * len(maps)
    assert len(maps) >= 2
    apart = [
        np.linalg.norm(maps[0].points - maps[1].points) / np.linalg.norm(maps[0].points)
        for maps in (maps, latent_maps(Decoding(codes="absolute"), True, (0, 1)))
    ]
    assert apart[0] < 0.7 * apart[1]
    with pytest.raises(relviz.Error, match="trained yet"):
        latent_maps(Decoding(kind="vae", latent=9), True, ())


def test_the_first_two_are_those_that_are_carried(two) -> None:
    torch.testing.assert_close(two.absolute[0].anchors, bundled_autoencoder("ae", "absolute", 64, 0).anchors)

"""Images to train on: pictures of any size made small, split, named and found again by their key."""

import io

import numpy as np
import pytest
import torch
from PIL import Image

import relviz
from relviz.autoencoders import Options, small_images
from relviz.items import Pictures, items_of_demo, read_pictures
from relviz.results import autoencoders
from relviz.results.autoencoders import autoencoder, autoencoder_task, options_of
from relviz.state.image_sets import DIGITS, ImageSet, image_set, images_task
from relviz.state.view import Decoding


def odd(many: int, seed: int = 0, color: bool = True) -> Pictures:
    """Pictures of random sizes, a bright disc or square somewhere on each, a folder for each shape."""
    rng = np.random.default_rng(seed)
    files = []
    for at in range(many):
        width, height = rng.integers(5, 90, 2)
        pixels = rng.integers(0, 80, (height, width, 3), dtype=np.uint8)
        if not color:
            pixels[:] = pixels[..., :1]
        pixels[: height // 2 + 1, : width // 2 + 1] = rng.integers(120, 255) if at % 2 else 255
        file = io.BytesIO()
        Image.fromarray(pixels).save(file, "PNG")
        files.append((f"{'squares' if at % 2 else 'corners'}/{at}.png", file.getvalue()))
    return read_pictures(files, name="odd")


@pytest.fixture(scope="module")
def own() -> ImageSet:
    task = images_task(odd(220))
    task.run()
    return image_set(task.key)


def test_pictures_of_odd_sizes_become_images_of_one_size_split_and_named(own: ImageSet) -> None:
    assert own.train.shape == (176, 3, 28, 28)
    assert own.test.shape == (44, 3, 28, 28)
    assert own.title == "odd"
    assert own.labels is not None
    assert set(own.names) == set(own.labels[0]) == {"corners", "squares"}
    pictures = odd(220)
    every = small_images(pictures).images
    found = torch.cat([own.train, own.test])
    assert torch.equal(
        found.flatten(1).sum(1).sort().values.round(decimals=2),
        every.flatten(1).sum(1).sort().values.round(decimals=2),
    )
    assert [own.names[row] for row in own.first()] == 5 * ["corners"] + 5 * ["squares"]
    following = own.after(own.first())
    assert [own.names[row] for row in following] == 5 * ["corners"] + 5 * ["squares"]
    assert set(following).isdisjoint(own.first())


def test_gray_pictures_have_one_channel_and_colors_can_be_left_out() -> None:
    for pictures, color in ((odd(200, 1, color=False), None), (odd(200, 2), False)):
        task = images_task(pictures, 32, color)
        task.run()
        found = image_set(task.key)
        assert found.train.shape[1:] == (1, 32, 32)
        assert any("left out" in note for note in found.notes) == (color is False)


def test_without_classes_the_first_are_from_all_over_and_named_by_their_ids() -> None:
    pictures = odd(200, 3)
    bare = Pictures(pictures.contents, pictures.small, pictures.ids, None, "bare")
    task = images_task(bare)
    task.run()
    found = image_set(task.key)
    assert found.labels is None
    assert found.first() == (0, 4, 8, 12, 16, 20, 24, 28, 32, 36)
    assert found.after(found.first()) == (1, 5, 9, 13, 17, 21, 25, 29, 33, 37)
    assert 39 in found.after((38, 39))
    assert set(found.names) <= set(pictures.ids or ())


def test_a_demos_pictures_serve_too() -> None:
    pictures = items_of_demo("emoji")["pictures"]
    assert isinstance(pictures, Pictures)
    task = images_task(pictures)
    assert task.key == images_task(pictures).key != images_task(pictures, 32).key
    task.run()
    found = image_set(task.key)
    assert len(found.train) + len(found.test) == len(pictures)
    assert found.train.shape[1] == 3


@pytest.mark.parametrize(
    "source", ["images-0123456789abcdef0123456789abcdef", "../../etc/passwd", "umap-" + 32 * "0", "own"]
)
def test_a_link_to_images_that_are_not_here_says_what_to_do(source: str) -> None:
    with pytest.raises(relviz.ParameterError, match="Add them again"):
        image_set(source)


def test_one_picture_and_pictures_all_alike_are_refused() -> None:
    with pytest.raises(relviz.ShapeError, match="1 image is too few"):
        images_task(odd(1)).run()
    same = odd(1)
    with pytest.raises(relviz.ParameterError, match="look the same"):
        images_task(Pictures(list(same.contents) * 250, np.repeat(same.small, 250, 0))).run()


def test_few_images_are_seen_more_often_and_an_own_set_trains(
    own: ImageSet, monkeypatch: pytest.MonkeyPatch
) -> None:
    digits = image_set(DIGITS)
    assert options_of(Decoding(), "relative", 7, digits) == Options(codes="relative", seed=7)
    few = options_of(Decoding(), "relative", 0, own)
    assert few.epochs == 200
    monkeypatch.setattr(autoencoders, "STEPS", 3)
    short = options_of(Decoding(latent=4), "relative", 0, own)
    assert short.epochs == 2
    assert autoencoder(short, own) is None
    autoencoder_task(short, own).run()
    model = autoencoder(short, own)
    assert model is not None
    assert model.reconstruct(own.test[:3]).shape == (3, 3, 28, 28)
    assert autoencoder_task(short, own).key != autoencoder_task(short, digits).key

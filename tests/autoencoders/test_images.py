"""Own pictures: any sizes and colors become small squares, or are refused with the reason."""

import io

import numpy as np
import pytest
import torch
from PIL import Image

from relviz.autoencoders import Options, as_images, drawn, small_images, train
from relviz.errors import ParameterError, ShapeError
from relviz.items import read_pictures

RNG = np.random.default_rng(0)


def odd_sizes(n=200, color=False):
    shapes = RNG.integers(5, 60, size=(n, 2))
    return [RNG.integers(0, 256, size=(*shape, *((3,) if color else ())), dtype=np.uint8) for shape in shapes]


def test_odd_sizes_become_squares_of_one_size():
    found = small_images(odd_sizes(), side=32)
    assert found.images.shape == (200, 1, 32, 32)
    assert found.images.dtype == torch.float32
    assert found.rows.tolist() == list(range(200))
    assert found.notes == ()
    assert torch.equal(as_images(found.images), found.images)


def test_a_picture_that_is_no_square_stands_in_the_middle_of_a_white_one():
    pictures = [np.zeros((14, 28), np.uint8)] * 199 + [np.full((28, 28), 128, np.uint8)]
    image = small_images(pictures).images[0, 0]
    assert float(image[14, 14]) == 0
    assert image[0].min() == image[-1].min() == 1


def test_pixels_of_the_right_size_are_kept_as_they_are():
    pixels = RNG.integers(0, 256, size=(200, 28, 28), dtype=np.uint8)
    expected = torch.from_numpy(pixels)[:, None] / 255
    for given in (pixels, pixels / 255, torch.from_numpy(pixels), list(pixels), pixels[..., None]):
        torch.testing.assert_close(small_images(given).images, expected)


def test_colors_are_kept_where_there_are_any():
    assert small_images(odd_sizes(color=True)).images.shape[1] == 3
    gray = [np.repeat(picture[..., None], 3, axis=2) for picture in odd_sizes()]
    assert small_images(gray).images.shape[1] == 1
    without = small_images(odd_sizes(color=True), color=False)
    assert without.images.shape[1] == 1
    assert without.notes == ("Colors are left out.",)


def test_pictures_of_files_are_taken_as_they_come():
    files = []
    for number, pixels in enumerate(odd_sizes(color=True)):
        file = io.BytesIO()
        Image.fromarray(pixels).save(file, "PNG")
        files.append((f"{number}.png", file.getvalue()))
    told = []
    found = small_images(read_pictures(files), on_progress=told.append)
    assert found.images.shape == (200, 3, 28, 28)
    assert told == [1.0]
    model = train(found.images, Options(latent=4, anchors=8, epochs=1, width=2))
    assert model.reconstruct(found.images[:2]).shape == (2, 3, 28, 28)


def test_of_a_huge_set_as_many_as_allowed_are_used_evenly_spread(monkeypatch):
    import sys

    monkeypatch.setattr(sys.modules["relviz.autoencoders.images"], "MOST", 250)
    found = small_images(RNG.integers(0, 256, size=(500, 9, 9), dtype=np.uint8))
    assert len(found.images) == 250
    assert found.rows[0] == 0
    assert found.rows[-1] == 499
    assert found.notes == ("250 of 500 images are used, evenly spread.",)


@pytest.mark.parametrize(
    ("pictures", "error", "said"),
    [
        (odd_sizes(1), ShapeError, "1 image is too few to train an autoencoder.*at least 200"),
        (odd_sizes(150), ShapeError, "150 images are too few"),
        ([], ShapeError, "0 images"),
        (np.full((200, 9, 9), 7, np.uint8), ParameterError, "look the same"),
        ([*odd_sizes(199), np.zeros(5, np.uint8)], ShapeError, r"Image 199 must be .* \(5,\)"),
        ([*odd_sizes(199), np.zeros((0, 5), np.uint8)], ShapeError, "Image 199"),
        ([*odd_sizes(199), np.zeros((5, 5, 4), np.uint8)], ShapeError, r"\(5, 5, 4\)"),
        ([*odd_sizes(199), np.array([["a"]])], ShapeError, "Image 199"),
        ([*odd_sizes(199), np.full((5, 5), np.nan)], ParameterError, "between 0 and 1"),
        ([*odd_sizes(199), np.full((5, 5), 300)], ParameterError, "between 0 and 255; .* 300"),
    ],
)
def test_what_cannot_be_trained_on_is_refused(pictures, error, said):
    with pytest.raises(error, match=said):
        small_images(pictures)


def test_there_are_two_sides():
    with pytest.raises(ParameterError, match="28 or 32; it is 64"):
        small_images(odd_sizes(), side=64)


def test_a_drawing_is_one_image():
    assert drawn(np.zeros((280, 280), np.uint8)).shape == (1, 1, 28, 28)
    assert drawn(np.zeros((280, 300, 3), np.uint8), 32, color=True).shape == (1, 3, 32, 32)

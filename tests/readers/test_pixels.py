"""Pictures of every kind become pixels; what is none is refused in one way."""

import io
from contextlib import suppress

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

from relviz.encoders import as_pixels
from relviz.errors import Error, ReadError
from relviz.readers import pixels as picture


def file(image, kind="PNG", **how):
    held = io.BytesIO()
    image.save(held, kind, **how)
    return held.getvalue()


def noise(width, height, mode="RGB"):
    shape = (height, width, len(mode))
    return Image.fromarray(np.random.default_rng(0).integers(0, 256, shape, dtype=np.uint8), mode)


def test_pixels_of_the_right_size_are_left_as_they_are():
    image = noise(128, 128)
    np.testing.assert_array_equal(as_pixels(image), np.asarray(image))
    np.testing.assert_array_equal(as_pixels(file(image)), np.asarray(image))
    assert as_pixels(image, 32).shape == (32, 32, 3)


def test_transparent_pixels_become_white():
    image = Image.new("RGBA", (4, 4), (255, 0, 0, 0))
    image.paste((0, 0, 255, 255), (0, 0, 2, 4))
    pixels = as_pixels(image, 4)
    assert pixels[0, 0].tolist() == [0, 0, 255]
    assert pixels[0, 3].tolist() == [255, 255, 255]


@pytest.mark.parametrize(("size", "white"), [((8, 4), (0, 7)), ((4, 8), (7, 0))])
def test_the_aspect_is_kept_with_white_on_both_sides(size, white):
    pixels = as_pixels(Image.new("RGB", size, "black"), 8)
    assert pixels[white[1], white[0]].tolist() == [255] * 3
    assert pixels[7 - white[1], 7 - white[0]].tolist() == [255] * 3
    assert pixels[3, 3].tolist() == [0] * 3
    assert (pixels == 0).all(2).sum() == 32


@pytest.mark.parametrize("kind", picture.FORMATS)
def test_files_of_every_kind_are_read(kind):
    pixels = as_pixels(file(Image.new("RGB", (40, 40), (250, 128, 10)), kind), 16)
    assert np.abs(pixels.astype(int) - [250, 128, 10]).max() <= 12


@pytest.mark.parametrize(
    ("image", "grey"),
    [
        (Image.new("L", (9, 9), 128), 128),
        (Image.new("1", (9, 9), 1), 255),
        (Image.new("LA", (9, 9), (128, 255)), 128),
        (Image.new("P", (9, 9), 0), 0),
        (Image.new("CMYK", (9, 9), (0, 0, 0, 127)), 128),
        (Image.fromarray(np.full((9, 9), 128 * 257, np.uint16)), 128),
    ],
    ids=["grey", "bits", "grey with alpha", "palette", "ink", "16 bits"],
)
def test_every_mode_is_read(image, grey):
    assert np.unique(as_pixels(image, 9)).tolist() == [grey]


def test_pictures_are_turned_as_the_camera_says():
    image = Image.new("RGB", (8, 8), "black")
    image.paste("white", (0, 0, 8, 4))
    exif = Image.Exif()
    exif[0x0112] = 6
    turned = as_pixels(file(image, exif=exif), 8)
    assert turned[0, 0].tolist() == [0] * 3
    assert turned[0, 7].tolist() == [255] * 3


def test_of_an_animation_the_first_picture_is_taken():
    frames = [Image.new("RGB", (8, 8), colour) for colour in ("red", "blue")]
    raw = file(frames[0], "GIF", save_all=True, append_images=frames[1:])
    assert as_pixels(raw, 8)[4, 4].tolist() == [255, 0, 0]


@pytest.mark.parametrize("kind", ["PNG", "JPEG"])
def test_a_large_picture_looks_like_itself(kind):
    ramp = np.tile(np.linspace(0, 255, 2000).astype(np.uint8), (2000, 1))
    pixels = as_pixels(file(Image.fromarray(ramp), kind), 16)
    assert np.abs(pixels[8, :, 0].astype(int) - np.linspace(8, 247, 16)).max() < 4


def test_the_caller_s_picture_stays_as_it_is():
    image = noise(1500, 20, "RGBA")
    before = image.copy()
    as_pixels(image, 16)
    assert (image.size, image.tobytes()) == (before.size, before.tobytes())


@pytest.mark.parametrize("raw", [b"", b"no picture", b"%!PS-Adobe-3.0 EPSF-3.0", file(noise(30, 30))[:200]])
def test_what_is_no_picture_is_refused(raw):
    with pytest.raises(ReadError, match=r"not an image that can be read.* PNG, JPEG, WEBP, GIF or BMP file"):
        as_pixels(raw)


def test_size_is_checked_before_pixels_are_decoded(monkeypatch):
    bomb = file(Image.new("1", (9000, 9000)))
    with pytest.raises(ReadError, match="9,000 × 9,000 pixels; at least one and at most 64,000,000"):
        as_pixels(bomb)
    for edge in (10_000, 20_000):
        with pytest.raises(ReadError, match="has more than 64,000,000 pixels"):
            as_pixels(file(Image.new("1", (edge, edge))))
    monkeypatch.setattr(picture, "MAX_BYTES", 100)
    with pytest.raises(ReadError, match="bytes; the limit is 100"):
        as_pixels(file(noise(30, 30)))


def test_scans_and_sides_are_counted_before_pixels_are_decoded():
    raw = file(Image.new("RGB", (64, 64), "red"), "JPEG", progressive=True)
    last = raw[raw.rindex(b"\xff\xda") : -2]
    assert as_pixels(raw[:-2] + 5 * last + raw[-2:], 8)[4, 4].tolist() == [254, 0, 0]
    with pytest.raises(ReadError, match=r"is stored in 2\d\d scans; at most 100 are read"):
        as_pixels(raw[:-2] + 200 * last + raw[-2:])
    with pytest.raises(ReadError, match=r"1 × 65,536 pixels; .* and 65,535 on a side"):
        as_pixels(file(Image.new("L", (1, 65_536))))


@pytest.mark.parametrize("mode", ["RGB", "RGBA", "L", "P", "1", "LA"])
@pytest.mark.parametrize("size", [(700, 300), (301, 703)])
def test_a_picture_that_is_shrunk_in_strips_looks_the_same(mode, size, monkeypatch):
    ramp = np.add.outer(np.linspace(0, 100, size[1]), np.linspace(0, 100, size[0])).astype(np.uint8)
    image = Image.fromarray(ramp).convert("RGBA" if mode == "RGBA" else "RGB").convert(mode)
    exif = Image.Exif()
    exif[0x0112] = 6
    raw = file(image, exif=exif)
    whole = as_pixels(raw, 4)
    monkeypatch.setattr(picture, "_WHOLE_PIXELS", 1000)
    monkeypatch.setattr(picture, "_STRIP_PIXELS", 5000)
    assert np.abs(as_pixels(raw, 4).astype(int) - whole).max() <= (12 if mode in "1P" else 3)


@settings(deadline=None, max_examples=300)
@given(
    st.sampled_from(picture.FORMATS),
    st.lists(st.tuples(st.integers(0, 10_000), st.integers(0, 255)), min_size=1, max_size=6),
    st.integers(0, 40),
)
def test_damage_gives_pixels_or_an_error_of_ours(kind, changes, lost):
    raw = bytearray(FILES[kind])
    for at, value in changes:
        raw[at % min(len(raw), 120)] = value
    with suppress(Error):
        assert as_pixels(bytes(raw[: len(raw) - lost]), 8).shape == (8, 8, 3)


FILES = {kind: file(noise(12, 10), kind) for kind in picture.FORMATS}

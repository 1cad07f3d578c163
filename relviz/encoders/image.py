"""Image bundled encoders, each set as it was for the demos."""

import io
import struct
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from PIL import Image, ImageOps, UnidentifiedImageError
from torch import Tensor

from relviz.compute.device import device
from relviz.encoders.encoder import Card
from relviz.encoders.files import needed
from relviz.encoders.model import Model
from relviz.errors import ReadError
from relviz.wording import count

DIMENSION = 1280


BLOCKS = (16, 21)
"""How many there are in EfficientNet-Lite0 and 1."""


def efficientnet_lite(size: int, card: Card, package: Path) -> Model:
    """EfficientNet-Lite ``size`` (0 or 1): features averaged over space (Apache-2.0).

    Pixels go in as (x − 127) / 128. Layer 0 is the stem, layer k what block k gives.
    """
    (weights,) = lite_files(size, package)
    from efficientnet_lite_pytorch import EfficientNet

    model = EfficientNet.from_name(f"efficientnet-lite{size}").eval()
    model.load_state_dict(torch.load(weights, weights_only=True, map_location="cpu"))
    model.to(device())

    def embed(pictures: NDArray[np.uint8], layer: int | None, _: str | None) -> Tensor:
        pixels = torch.from_numpy(pictures).to(device()).permute(0, 3, 1, 2)
        given = (pixels.to(torch.float32) - 127) / 128
        if layer is None:
            features: Tensor = model.extract_features(given)
            return features.mean((2, 3))
        state: Tensor = model._swish(model._bn0(model._conv_stem(given)))
        for block in model._blocks[:layer]:
            state = block(state)
        return state.mean((2, 3))

    widths = [model._bn0.num_features, *(block._bn2.num_features for block in model._blocks)]
    return Model(card, (weights,), embed, model, widths)


def lite_files(size: int, package: Path) -> tuple[Path, ...]:
    """The weights of EfficientNet-Lite ``size``."""
    return needed(package / "models", f"efficientnet-lite{size}-*.pth")


SIDE = 128
"""Pixels of the square pictures that the demos' encoders were given."""
MAX_BYTES = 50_000_000
MAX_PIXELS = 64_000_000
FORMATS = ("PNG", "JPEG", "WEBP", "GIF", "BMP")
LARGE = 8
"""Pictures more than so many times the wanted size are made smaller first, which takes less memory."""


def as_pixels(picture: Any, side: int = SIDE) -> NDArray[np.uint8]:
    """A picture as ``(side, side, 3)`` pixels: turned as its camera says, on white, its aspect kept.

    A picture that is no square stands in the middle of a white one. Of an animation it is the first picture.

    Parameters
    ----------
    picture
        The content of a PNG, JPEG, WebP, GIF or BMP file, or a PIL image.
    side
        Pixels; ``Encoder.side`` says what an encoder takes.

    Raises
    ------
    ReadError
        If it is no such picture, is damaged, or has more than ``MAX_BYTES`` bytes or ``MAX_PIXELS`` pixels;
        the size is checked before any pixel is decoded.
    """
    try:
        if isinstance(picture, Image.Image):
            return _pixels(_checked_size(picture), side)
        with Image.open(io.BytesIO(_checked_bytes(picture)), formats=FORMATS) as opened:
            _checked_size(opened).draft("RGB", (LARGE * side, LARGE * side))
            return _pixels(opened, side)
    except ReadError:
        raise
    except (Image.DecompressionBombError, Image.DecompressionBombWarning):
        raise ReadError(f"The image has more than {count(MAX_PIXELS)} pixels. Make it smaller.") from None
    except (OSError, SyntaxError, ValueError, EOFError, IndexError, TypeError, struct.error) as reason:
        said = "" if isinstance(reason, UnidentifiedImageError) else f" ({reason})"
        raise ReadError(
            f"This is not an image that can be read{said}. Give a whole {', '.join(FORMATS[:-1])} or "
            f"{FORMATS[-1]} file."
        ) from None


def _checked_bytes(content: Any) -> bytes:
    raw = bytes(content)
    if len(raw) > MAX_BYTES:
        raise ReadError(
            f"The image takes {count(len(raw))} bytes; the limit is {count(MAX_BYTES)}. Make it smaller."
        )
    return raw


def _checked_size(image: Image.Image) -> Image.Image:
    width, height = image.size
    if not 0 < width * height <= MAX_PIXELS:
        raise ReadError(
            f"The image has {count(width)} × {count(height)} pixels; at least one and at most "
            f"{count(MAX_PIXELS)} are taken. Make it smaller."
        )
    return image


def _pixels(image: Image.Image, side: int) -> NDArray[np.uint8]:
    image = ImageOps.exif_transpose(image)
    if image.mode.startswith("I"):
        # Pillow would cut 16 bits off at 255.
        image = image.convert("F").point(lambda value: value / 257).convert("L")
    image = image.convert("RGBA")
    if max(image.size) > LARGE * side:
        image.thumbnail((LARGE * side, LARGE * side), Image.Resampling.BICUBIC)
    edge = max(image.size)
    white = Image.new("RGBA", (edge, edge), "white")
    white.alpha_composite(image, ((edge - image.width) // 2, (edge - image.height) // 2))
    return np.asarray(white.convert("RGB").resize((side, side), Image.Resampling.BICUBIC))

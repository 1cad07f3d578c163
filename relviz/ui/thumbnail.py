"""A space as a small picture: its principal components, colored by class."""

from functools import lru_cache

import numpy as np
import streamlit as st
from PIL import Image, ImageColor, ImageDraw

import relviz
from relviz.plotting.colors import CLASSES, class_colors
from relviz.results.thumbnail import MOST, thumbnail
from relviz.ui.cells import as_uri
from relviz.ui.names import space_shown
from relviz.ui.verbatim import verbatim

Size = tuple[int, int]
"""Width and height in pixels of the screen."""
_DENSE = 2
"""Pixels of the picture for one of the screen."""
_DOT, _MARGIN = 1.6, 4
"""Radius of a row, and what stays free around all, in pixels of the screen."""


def show_thumbnail(source: str, size: Size, fill: bool = False) -> None:
    """The picture of a space, as wide as it may be to ``fill`` its column.

    Nothing is shown where it has too few rows or dimensions for a map.
    """
    space = space_shown(source)
    picture = thumbnail_uri(space, size)
    if picture is None:
        return
    alt = f"{verbatim(space.name)}: {min(len(space), MOST)} rows on two principal components"
    if space.labels:
        alt += ", colored by class"
    st.image(picture, width="stretch" if fill else size[0], alt=alt)


def thumbnail_uri(space: relviz.Space, size: Size) -> str | None:
    """The picture of a space as a URI; None where it has too few rows or dimensions for a map."""
    try:
        made = thumbnail(space).run()
    except relviz.Error:
        return None
    dots = [CLASSES[0]] * len(made.rows)
    if space.labels:
        colors = class_colors(space.labels)
        dots = [colors[space.labels[row]] for row in made.rows]
    return _drawn(np.asarray(made.points, np.float64).tobytes(), tuple(dots), size)


@lru_cache(maxsize=64)
def _drawn(points: bytes, dots: tuple[str, ...], size: Size) -> str:
    """A picture as a URI, drawn once however often its page is; ``points`` are ``(r, 2)`` float64."""
    return as_uri(pixels(np.frombuffer(points).reshape(-1, 2), list(dots), size))


def pixels(points: np.ndarray, dots: list[str], size: Size) -> np.ndarray:
    """Places ``(r, 2)`` as dots of these colors on nothing: ``(height, width, 4)`` bytes.

    Both axes have one scale; the middle 98% of the rows fill the picture, and those beyond lie at its edge.
    """
    low, high = np.quantile(points, (0.01, 0.99), axis=0)
    whole = np.array(size)
    room = whole - 2 * _MARGIN
    scale = float((room / np.maximum(high - low, 1e-12)).min())
    places = (points - (low + high) / 2) * (scale, -scale) + whole / 2
    places = np.clip(places, _MARGIN, whole - _MARGIN) * _DENSE
    image = Image.new("RGBA", (size[0] * _DENSE, size[1] * _DENSE))
    brush = ImageDraw.Draw(image)
    reach = _DOT * _DENSE
    for (x, y), color in zip(places.tolist(), dots, strict=True):
        brush.ellipse((x - reach, y - reach, x + reach, y + reach), fill=(*ImageColor.getrgb(color)[:3], 200))
    return np.asarray(image)

"""Pictures inside the page's own messages.

Streamlit keeps a picture as a file until the page is drawn again: of a page that is drawn again at once, as
when somebody draws or slides, the browser would ask for files that are gone.
"""

import base64
import io
from typing import Literal

import numpy as np
import streamlit as st
from PIL import Image


def show_picture(pixels: np.ndarray, width: int | Literal["stretch"], caption: str | None = None) -> None:
    """Show ``(height, width, 3)`` bytes, so many pixels wide, under them a caption in Markdown."""
    st.image(as_uri(pixels), caption=caption, width=width)


def as_uri(pixels: np.ndarray) -> str:
    """Pixels as a PNG in a data URI.

    >>> as_uri(np.zeros((1, 1, 3), np.uint8))[:30]
    'data:image/png;base64,iVBORw0K'
    """
    file = io.BytesIO()
    Image.fromarray(pixels).save(file, "PNG")
    return "data:image/png;base64," + base64.b64encode(file.getvalue()).decode("ascii")

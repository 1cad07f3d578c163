"""Something new for a probe: which encoders of a view can be asked here, and what they make of it."""

import io
from functools import lru_cache
from typing import Any

import numpy as np
from PIL import Image
from torch import Tensor

from relviz.encoders import as_pixels, encoder_names, hub_folder, installed_encoders
from relviz.errors import Error, ParameterError
from relviz.view.allowed import allowed_path
from relviz.view.choices import View
from relviz.view.encoding import Chosen
from relviz.view.probe import Probe, probe_vector
from relviz.view.sources import open_pair, open_space, origin_of

LONGEST = 2000
"""Letters of a text that is typed."""
SIDE = 128
"""Pixels of a picture that no encoder asks for."""
THINGS = {"text": "texts", "image": "pictures"}


def live_encoders(view: View) -> tuple[Chosen | None, Chosen | None]:
    """Who made the source's vectors and the target's, each if it can be asked here."""
    source, target = _sides(view)
    return _live(source), _live(target)


def check_asked(view: View, modality: str) -> None:
    """Whether the source's encoder can be asked here about a text, or an image.

    Raises
    ------
    ParameterError
        If it is not known, not here, or takes other things; what would help is said.
    """
    source, _ = _sides(view)
    about = f"{THINGS[modality].capitalize()} cannot be probed in {open_space(source).name} here"
    try:
        takes = _encoder_of(source).card().modality
    except Error as reason:
        raise ParameterError(f"{about}: {reason}") from None
    if takes != modality:
        raise ParameterError(f"{about}: its encoder takes {THINGS[takes]}.")


def as_typed(text: str) -> str:
    """A text as encoders are asked about it: on one line.

    >>> as_typed(" a  small\\ndog ")
    'a small dog'
    """
    return " ".join(text.split())


def probe_new(view: View, what: str | bytes) -> Probe:
    """What becomes of a text, or of the content of a picture's file.

    The target is asked about it too, where it takes such things.

    Raises
    ------
    relviz.Error
        If the source cannot be asked, or the picture is none that can be read.
    """
    check_asked(view, "text" if isinstance(what, str) else "image")
    source, target = live_encoders(view)
    assert source is not None
    pair = open_pair(view.a, view.b)
    itself = None
    if target is not None and target.card().modality == source.card().modality:
        itself = _encoded(target, what)
    return probe_vector(view, pair, _encoded(source, what), itself)


def small_picture(view: View, content: bytes) -> bytes:
    """A picture's file as a PNG of no more pixels than the encoders of a view see of it, and nothing else.

    Raises
    ------
    ReadError
        If it is no picture that can be read.
    """
    sides = [one.card().side or 0 for one in live_encoders(view) if one is not None]
    file = io.BytesIO()
    Image.fromarray(pixels(content, max(sides, default=0) or SIDE)).save(file, "PNG")
    return file.getvalue()


@lru_cache(maxsize=4)
def pixels(content: bytes, side: int) -> np.ndarray:
    """A picture's file as ``(side, side, 3)`` uint8, decoded once.

    Raises
    ------
    ReadError
        If it is no picture that can be read.
    """
    return as_pixels(content, side)


def _sides(view: View) -> tuple[str, str]:
    return (view.b, view.a) if view.back else (view.a, view.b)


def _live(source: str) -> Chosen | None:
    try:
        return _encoder_of(source)
    except Error:
        return None


def _encoder_of(source: str) -> Chosen:
    """Whom a space names as its encoder, if it is here.

    A path in a workspace of someone else's is only read if allowed.
    """
    origin = origin_of(source)
    chosen = Chosen(origin.encoder, origin.layer, origin.pooling)
    if not chosen.name:
        raise ParameterError(
            "nothing says which encoder made it. Encode its items here, or open a workspace that has them "
            "encoded."
        )
    if chosen.name in encoder_names():
        if chosen.name not in installed_encoders():
            chosen.load()  # says what to install
        return chosen
    try:
        if hub_folder(chosen.name) is None:
            allowed_path(chosen.name)
        chosen.card()
    except Error:
        raise ParameterError(
            f"its encoder {chosen.name[:80]!r} is not on this machine, or may not be read. The Encode page "
            "says how to have it."
        ) from None
    return chosen


@lru_cache(maxsize=64)
def _encoded(chosen: Chosen, what: str | bytes) -> Tensor:
    encoder = chosen.load()
    given: Any = [what] if isinstance(what, str) else pixels(what, encoder.side or 0)[None]
    return encoder.encode(given)[0]

"""Something new for a probe: which encoders of a view can be asked here, and what they make of it."""

from functools import lru_cache
from typing import Any

import numpy as np
from torch import Tensor

from relviz.encoders import Card, as_pixels, card, installed_encoders, load_encoder
from relviz.view.choices import View
from relviz.view.probe import Probe, probe_vector
from relviz.view.sources import open_pair, origin_of

LONGEST = 2000
"""Letters of a text that is typed."""


def live_encoders(view: View) -> tuple[Card | None, Card | None]:
    """Who made the source's vectors and the target's, each if it is installed here."""
    source, target = (view.b, view.a) if view.back else (view.a, view.b)
    return _live(source), _live(target)


def probe_new(view: View, what: str | bytes) -> Probe:
    """What becomes of a text, or of the content of a picture's file.

    The target is asked about it too, where it takes such things.

    Raises
    ------
    relviz.Error
        If the source cannot be asked, or the picture is none that can be read.
    """
    source, target = live_encoders(view)
    assert source is not None
    pair = open_pair(view.a, view.b)
    itself = None
    if target is not None and target.modality == source.modality:
        itself = _encoded(target.name, what)
    return probe_vector(view, pair, _encoded(source.name, what), itself)


@lru_cache(maxsize=4)
def pixels(content: bytes, side: int) -> np.ndarray:
    """A picture's file as ``(side, side, 3)`` uint8, decoded once.

    Raises
    ------
    ReadError
        If it is no picture that can be read.
    """
    return as_pixels(content, side)


def _live(source: str) -> Card | None:
    name = origin_of(source).encoder
    return card(name) if name in installed_encoders() else None


@lru_cache(maxsize=64)
def _encoded(name: str, what: str | bytes) -> Tensor:
    encoder = load_encoder(name)
    given: Any = [what] if isinstance(what, str) else pixels(what, encoder.side or 0)[None]
    return encoder.encode(given)[0]

"""Something new for a probe: which encoders of a view can be asked here, and what they make of it."""

from functools import lru_cache
from typing import Any

import numpy as np
from torch import Tensor

from relviz.encoders import as_pixels, encoder_names, hub_folder, installed_encoders
from relviz.errors import Error
from relviz.view.allowed import allowed_path
from relviz.view.choices import View
from relviz.view.encoding import Chosen
from relviz.view.probe import Probe, probe_vector
from relviz.view.sources import open_pair, origin_of

LONGEST = 2000
"""Letters of a text that is typed."""


def live_encoders(view: View) -> tuple[Chosen | None, Chosen | None]:
    """Who made the source's vectors and the target's, each if it can be asked here."""
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
    if target is not None and target.card().modality == source.card().modality:
        itself = _encoded(target, what)
    return probe_vector(view, pair, _encoded(source, what), itself)


@lru_cache(maxsize=4)
def pixels(content: bytes, side: int) -> np.ndarray:
    """A picture's file as ``(side, side, 3)`` uint8, decoded once.

    Raises
    ------
    ReadError
        If it is no picture that can be read.
    """
    return as_pixels(content, side)


def _live(source: str) -> Chosen | None:
    """Whom a space names as its encoder; a path in a workspace of someone else's is only read if allowed."""
    origin = origin_of(source)
    chosen = Chosen(origin.encoder, origin.layer, origin.pooling)
    if chosen.name in encoder_names():
        return chosen if chosen.name in installed_encoders() else None
    if not chosen.name:
        return None
    try:
        if hub_folder(chosen.name) is None:
            allowed_path(chosen.name)
        chosen.card()
    except Error:
        return None
    return chosen


@lru_cache(maxsize=64)
def _encoded(chosen: Chosen, what: str | bytes) -> Tensor:
    encoder = chosen.load()
    given: Any = [what] if isinstance(what, str) else pixels(what, encoder.side or 0)[None]
    return encoder.encode(given)[0]

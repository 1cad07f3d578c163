"""What somebody typed or drew at a step: the server's answer, and what is made ready for it to be quick."""

from collections.abc import Mapping
from functools import partial
from typing import Any

import numpy as np

from relviz.errors import Error
from relviz.results.stories.decoders import drawn
from relviz.results.stories.heads import typed
from relviz.stories import Picture
from relviz.ui.pad import SIDE
from relviz.ui.pad import drawn as pixels_of
from relviz.ui.warming import warm

EXAMPLE = "a small dog"
Reply = dict[str, Any]


def reply_to(picture: Picture, message: Mapping[str, object]) -> Reply:
    """The answer to what the browser asks, with the number it asked under; an error in words."""
    number = message.get("number")
    try:
        if picture.kind == "heads" and isinstance(message.get("sentence"), str):
            return {"number": number, **typed(picture.options["pair"], str(message["sentence"]))}
        pixels = pixels_of({"drawn": message.get("drawing")})
        if picture.kind == "decoder" and pixels is not None:
            return {"number": number, **drawn(pixels)}
    except Error as reason:
        return {"number": number, "error": str(reason)}
    return {"number": number, "error": "Nothing was asked."}


def make_ready(picture: Picture) -> None:
    """Have what answers loaded in the background, once in a process."""
    if picture.kind == "heads":
        pair = picture.options["pair"]
        warm(f"heads of {pair}", partial(typed, pair, EXAMPLE))
    elif picture.kind == "decoder":
        warm("decoders", partial(drawn, np.eye(SIDE, dtype=np.uint8) * 255))

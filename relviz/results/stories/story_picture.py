"""What a picture of a story holds: numbers for its texts, and what the browser draws."""

from dataclasses import dataclass, field

import numpy as np


@dataclass(frozen=True, eq=False)
class StoryPicture:
    """A picture of a story, computed.

    Attributes
    ----------
    facts
        Numbers that texts may hold, and that conditions are on; shares are between 0 and 1.
    texts
        Lists of texts by name: titles, items, classes.
    arrays
        What is drawn, by name; float32, int32, int16 or uint8.
    sheet
        Source of the demo whose picture sheet the items are drawn from, by row; empty for none.
    """

    facts: dict[str, float]
    texts: dict[str, list[str]] = field(default_factory=dict)
    arrays: dict[str, np.ndarray] = field(default_factory=dict)
    sheet: str = ""

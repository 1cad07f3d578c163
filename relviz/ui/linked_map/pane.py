"""One pane of a linked map."""

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True, eq=False)
class Pane:
    """One map: ``(n, 2)`` points, its title, and the caption that says how it was made.

    Panes of one ``group`` were fitted together: they share their limits and may be moved as one.
    ``joined`` is the place of another pane of the group: selected rows are joined to their places there,
    or where nothing is selected some rows in every part. ``message`` stands in place of points that
    cannot be had.
    """

    title: str
    points: np.ndarray | None
    caption: str = ""
    group: int | None = None
    message: str = ""
    joined: int | None = None

"""What lies over the points of a map in print: pictures, texts, and lines to where rows should be."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection
from matplotlib.offsetbox import AnnotationBbox, OffsetImage

from relviz.figures.lettering import readable
from relviz.figures.style import INK, SMALL

PICTURE = 5.0
"""Width of a picture on a point, in mm."""
FEW_WAYS, MOST_WAYS = 60, 500
"""Lines to other places where no rows are chosen, and where some are: as many as on the screen."""
FRAME = "#C8C8C8"


def spread(rows: np.ndarray, most: int) -> np.ndarray:
    """At most so many of the rows, from the first to the last, those that the screen takes.

    >>> spread(np.arange(10), 4)
    array([0, 3, 5, 8])
    """
    step = max(1.0, len(rows) / most)
    parts = np.floor(np.arange(-1, len(rows)) / step)
    return rows[parts[1:] != parts[:-1]]


def draw_ways(axes: Axes, starts: np.ndarray, ends: np.ndarray) -> None:
    """Lines from ``(w, 2)`` places to others, a square at each start."""
    look: dict[str, Any] = {"linewidths": 0.35, "alpha": 0.7 if len(starts) <= 100 else 0.35, "zorder": 3}
    axes.add_collection(
        LineCollection(list(np.stack([starts, ends], axis=1)), colors=INK, gid="ways", **look), autolim=False
    )
    axes.scatter(starts[:, 0], starts[:, 1], s=4, marker="s", c="none", edgecolors=INK, gid="goals", **look)


def decorate(
    axes: Axes, points: np.ndarray, pictures: Mapping[int, np.ndarray], labelled: Mapping[int, str]
) -> None:
    """Pictures in place of points, and texts beside them, at ``(n, 2)`` places."""
    for row, picture in pictures.items():
        zoom = PICTURE / 25.4 * 72 / max(picture.shape[:2])
        image = OffsetImage(picture, zoom=zoom, interpolation="none")
        box = AnnotationBbox(image, tuple(points[row]), frameon=False, pad=0)
        box.set_zorder(5)
        axes.add_artist(box)
    for row, text in labelled.items():
        axes.annotate(
            readable(text, 30),
            tuple(points[row]),
            xytext=(8 if row in pictures else 2.5, 0),
            textcoords="offset points",
            size=SMALL,
            va="center",
            color=INK,
            zorder=6,
            annotation_clip=True,
            bbox={"boxstyle": "square,pad=0.12", "fc": "white", "ec": "none", "alpha": 0.75},
        )


def frame(axes: Axes, ticks: bool) -> None:
    """The frame of a map, with ticks where places mean something."""
    for spine in axes.spines.values():
        spine.set_visible(True)
        spine.set_color(FRAME)
    if ticks:
        axes.tick_params(labelbottom=False, labelleft=False, direction="in", color=FRAME)
    else:
        axes.set(xticks=[], yticks=[])

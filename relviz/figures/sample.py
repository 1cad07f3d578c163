"""Which rows a map draws when there are more than a browser should, and how dense all of them are."""

import numpy as np

MOST_DRAWN = 100_000
"""Rows drawn in a pane; of more, a seeded sample of the same rows in all panes."""
DENSITY_SIDE = 192


def shown_rows(n: int, seed: int = 0, most: int = MOST_DRAWN) -> np.ndarray:
    """The rows to draw of n, in order: all, or a seeded sample.

    >>> shown_rows(5, most=5)
    array([0, 1, 2, 3, 4])
    """
    if n <= most:
        return np.arange(n)
    return np.sort(np.random.default_rng(seed).choice(n, most, replace=False))


def density(points: np.ndarray, box: tuple[float, float, float, float]) -> np.ndarray:
    """How many of ``(n, 2)`` points lie in each cell of a box, highest y first, as 0 to 255.

    The scale is the square root of the count, so that single points beside a crowd are still seen.
    """
    x0, y0, x1, y1 = box
    counts, _, _ = np.histogram2d(points[:, 1], points[:, 0], bins=DENSITY_SIDE, range=[[y0, y1], [x0, x1]])
    roots = np.sqrt(counts[::-1])
    return np.rint(255 * roots / max(roots.max(), 1)).astype(np.uint8)

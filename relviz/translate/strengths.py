"""How strongly to regularise: strengths tried over many decades, then nearer ones beside the best."""

from collections.abc import Callable

FIRST = tuple(10 ** (half / 2) for half in range(-8, 5))
"""From 1e-4 to 1e2, in units of the mean eigenvalue of what is regularised."""
_BESIDE = tuple(10 ** (eighth / 8) for eighth in (-3, -2, -1, 1, 2, 3))


def tried(score: Callable[[float], float]) -> dict[float, float]:
    """Strengths and their scores, higher meaning better: half decades, then eighths beside the best.

    >>> found = tried(lambda strength: -abs(strength - 6))
    >>> round(max(found, key=found.__getitem__), 2)
    5.62
    """
    found = {strength: score(strength) for strength in FIRST}
    best = max(found, key=found.__getitem__)
    return found | {best * step: score(best * step) for step in _BESIDE}

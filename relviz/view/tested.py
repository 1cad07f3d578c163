"""Sentences on the rows that test: how many, how sure that makes a share, and what chance gives."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from relviz.stitch.interval import wilson
from relviz.wording import plural


def tested_said(records: Sequence[Mapping[str, Any]]) -> str:
    """How many rows test, how wide an interval that makes, and what always saying one class would give."""
    rows, chance = [one["rows"] for one in records], [one["chance"] for one in records]
    half = max((one["accuracy_high"] - one["accuracy_low"]) / 2 for one in records)
    most = f"{min(chance):.3f}" if np.ptp(chance) < 5e-4 else f"{min(chance):.3f}–{max(chance):.3f}"
    return (
        f"{plural(rows[0], 'test row')} in each draw, neither anchors nor in any training: 95% intervals of "
        f"±{half:.3f} at most. The most frequent class is {most} of them."
    )


def swept_said(tests: int, chance: float | None) -> str:
    """Of a sweep: on which rows its cosines and accuracies are; ``chance`` is None without classes.

    >>> swept_said(60, None)
    'Queries: 60 items in each draw, neither anchors nor in any training.'
    """
    said = f"Queries: {plural(tests, 'item')} in each draw, neither anchors nor in any training."
    return said if chance is None else f"{said} {chance_said(tests, chance)}"


def tests_said(made: Mapping[str, Any]) -> str:
    """Of heads and one split for each seed; ``made`` says ``tests`` and ``chance``.

    >>> tests_said({"tests": 60, "chance": 0.25})[:46]
    '60 test rows, none of which trained anything. '
    """
    tests = made["tests"]
    return (
        f"{plural(tests, 'test row')}, none of which trained anything. {chance_said(tests, made['chance'])}"
    )


def chance_said(tests: int, chance: float) -> str:
    """What accuracy means among so many test rows.

    >>> chance_said(60, 0.25)
    'The most frequent class is 0.250 of them; 95% intervals of accuracy are ±0.123 at most.'
    """
    low, high = wilson(0.5, tests)  # no interval is wider
    return (
        f"The most frequent class is {chance:.3f} of them; 95% intervals of accuracy are "
        f"±{(high - low) / 2:.3f} at most."
    )

"""The heads of a view, one for either space, and what they predict for translated items."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
import torch
from torch import Tensor

from relviz.compute.jobs import Ticket
from relviz.compute.key import result_key, text_digest
from relviz.compute.store import default_store
from relviz.compute.task import Made, Task
from relviz.errors import ParameterError
from relviz.pair import Pair
from relviz.state.sources import open_pair
from relviz.state.view import View
from relviz.stitching.accuracy import most_frequent, wilson
from relviz.stitching.heads import Head, train_head
from relviz.stitching.labels import Labels, check_labels, check_split, split_rows
from relviz.wording import count, plural

SPLIT_SEED, TEST = 0, 0.2
MOST_CLASSES = 200
"""Each cell of a stitching matrix keeps what is taken for what: the square of this many counts."""


@dataclass(frozen=True, eq=False)
class Heads:
    """A head for either space, trained on the same rows, source first.

    ``truth`` holds ``(n,)`` class numbers of all rows, source and target; ``tests`` ``(m,)`` the rows that
    trained neither head.
    """

    classes: tuple[str, ...]
    source: Head
    target: Head
    truth: tuple[np.ndarray, np.ndarray]
    tests: Tensor


NOT_SAID = {"accuracy": None, "accuracy_low": None, "accuracy_high": None, "accuracy_rows": 0}
"""What a record says of heads where there are none, or no row is left to test them on."""


@dataclass(frozen=True)
class Said:
    """Shares of ``rows`` test rows whose class was found, by whom and from what.

    The target's head on ``translated`` rows; each head on its own: ``own`` of the source, ``native`` of
    the target. ``chance`` is the share of the most frequent class among these rows.
    """

    translated: float
    own: float
    native: float
    rows: int
    chance: float

    @property
    def interval(self) -> tuple[float, float]:
        """Of ``translated``, 95% (Wilson)."""
        return wilson(self.translated, self.rows)

    def record(self) -> dict[str, Any]:
        """One flat record of what the target's head says of translated rows."""
        if not self.rows:
            return dict(NOT_SAID)
        low, high = self.interval
        said = {"accuracy": self.translated, "accuracy_low": low, "accuracy_high": high}
        return {**said, "accuracy_rows": self.rows, "accuracy_chance": self.chance, "native": self.native}


@lru_cache(maxsize=8)
def labels_of(pair: Pair) -> Labels:
    """The classes of both sides; those of one side serve for both where the other has none.

    Raises
    ------
    ParameterError
        If neither side has classes, there is only one, there are more than ``MOST_CLASSES``, or the two
        sides do not have the same.
    """
    a, b = pair.a.labels, pair.b.labels
    if a is None and b is None:
        raise ParameterError(
            "These items have no classes, so no head can be trained. Add a column of classes to your "
            "files, or use a demo with classes: emoji or glosses."
        )
    n = len(pair)
    told = {"A": list(a or b or ()), "B": list(b or a or ())}
    numbers = {side: _numbers(labels) for side, labels in told.items()}
    ordered = all(numbers.values())
    labels = check_labels(numbers if ordered else told, {"A": n, "B": n})
    if len(labels.classes) > MOST_CLASSES:
        raise ParameterError(
            f"There are {count(len(labels.classes))} classes among {count(n)} rows; heads are trained for "
            f"at most {MOST_CLASSES}. Merge some classes."
        )
    return labels


def source_labels(view: View, pair: Pair) -> list[str | float]:
    """The class of every row as the source has it; ParameterError as ``labels_of``."""
    labels = labels_of(pair)
    found: list[str | float] = names_of(labels)[labels.rows["B" if view.back else "A"]].tolist()
    return found


def names_of(labels: Labels) -> np.ndarray:
    """``(c,)`` classes in their order: numbers where they are ordered, else texts."""
    return np.array(labels.classes) if labels.values is None else labels.values


def heads_task(view: View, pair: Pair) -> Task:
    """The task that trains a head for A and one for B; its result holds what both consist of."""
    labels = labels_of(pair)
    digests = [pair.digest, _digest(pair)]

    def compute(ticket: Ticket) -> Made:
        train, _ = _split(labels)
        arrays: dict[str, np.ndarray] = {}
        for place, (side, space) in enumerate((("A", pair.a), ("B", pair.b))):
            ticket.report(place / 2, f"for {space.name}")
            head = train_head(space.vectors[train], labels.rows[side][train], view.head, SPLIT_SEED)
            arrays |= {f"{side}.{name}": part for name, part in head.arrays().items()}
        return arrays, {}

    key = result_key("heads", digests, {"kind": view.head, "test": TEST}, SPLIT_SEED)
    return Task(key, "Training the heads", compute)


def heads_of(view: View, pair: Pair) -> Heads | None:
    """The heads, once they are trained.

    Raises
    ------
    ParameterError
        If the classes do not suffice for them.
    """
    key = heads_task(view, pair).key
    if not default_store().has(key):
        return None
    return _kept(key, View(a=view.a, b=view.b, back=view.back))


def heads_of_if_any(view: View, pair: Pair) -> Heads | None:
    """The heads; None until they are trained, and where there is nothing for them to say."""
    try:
        return heads_of(view, pair)
    except ParameterError:
        return None


def rows_to_test(pair: Pair) -> Tensor:
    """Rows ``(m,)`` that train no head; all of them, where there is nothing for heads to say."""
    try:
        return torch.from_numpy(_split(labels_of(pair))[1])
    except ParameterError:
        return torch.arange(len(pair))


def said_of(heads: Heads, source: Tensor, made: Tensor, target: Tensor, anchors: Tensor) -> Said:
    """What the heads find among test rows that are no anchors; all of ``(n, d)``, anchors ``(k,)`` rows."""
    rows = heads.tests[~torch.isin(heads.tests, anchors)]
    here, there = (truth[rows.numpy()] for truth in heads.truth)
    if not len(rows):
        none = float("nan")
        return Said(none, none, none, rows=0, chance=none)
    return Said(
        translated=float((heads.target(made[rows]) == here).mean()),
        own=float((heads.source(source[rows]) == here).mean()),
        native=float((heads.target(target[rows]) == there).mean()),
        rows=len(rows),
        chance=most_frequent(here),
    )


@lru_cache(maxsize=8)
def _kept(key: str, view: View) -> Heads | None:
    kept = default_store().get(key)
    if kept is None:
        return None
    labels = labels_of(open_pair(view.a, view.b))
    _, tests = _split(labels)
    sides = ("B", "A") if view.back else ("A", "B")
    source, target = (
        Head.of({name[2:]: part for name, part in kept.arrays.items() if name.startswith(f"{side}.")})
        for side in sides
    )
    truth = labels.rows[sides[0]], labels.rows[sides[1]]
    return Heads(labels.classes, source, target, truth, torch.from_numpy(tests))


def _numbers(labels: Sequence[str]) -> list[float]:
    """Labels as the numbers they are; none unless all of them are."""
    try:
        values = [float(one) for one in labels]
    except ValueError:
        return []
    if not np.isfinite(values).all():
        return []
    return [int(value) if value.is_integer() else value for value in values]


@lru_cache(maxsize=8)
def _digest(pair: Pair) -> str:
    labels = labels_of(pair)
    _split(labels)  # what cannot be split has no heads
    return text_digest([str(row) for side in ("A", "B") for row in labels.rows[side]])


def _split(labels: Labels) -> tuple[np.ndarray, np.ndarray]:
    return check_split(split_rows(labels.rows["A"], labels.classes, TEST, SPLIT_SEED), labels)


def tested_said(records: Sequence[Mapping[str, Any]]) -> str:
    """How many rows test, how wide an interval that makes, and what always saying one class would give."""
    rows, chance = [one["rows"] for one in records], [one["chance"] for one in records]
    half = max((one["accuracy_high"] - one["accuracy_low"]) / 2 for one in records)
    most = f"{min(chance):.3f}" if np.ptp(chance) < 5e-4 else f"{min(chance):.3f}–{max(chance):.3f}"
    return (
        f"{plural(rows[0], 'test row')} in each run, neither anchors nor training rows: 95% intervals of "
        f"±{half:.3f} at most. The most frequent class is {most} of them."
    )


def swept_said(tests: int, chance: float | None) -> str:
    """Of a sweep: on which rows its cosines and accuracies are; ``chance`` is None without classes.

    >>> swept_said(60, None)
    'Queries: 60 items in each run, neither anchors nor training rows.'
    """
    said = f"Queries: {plural(tests, 'item')} in each run, neither anchors nor training rows."
    return said if chance is None else f"{said} {chance_said(tests, chance)}"


def tests_said(made: Mapping[str, Any]) -> str:
    """Of heads and one split for each seed; ``made`` says ``tests`` and ``chance``.

    >>> tests_said({"tests": 60, "chance": 0.25})[:14]
    '60 test rows. '
    """
    tests = made["tests"]
    return f"{plural(tests, 'test row')}. {chance_said(tests, made['chance'])}"


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

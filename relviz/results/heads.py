"""The heads of a pair, one for either space, and what they predict for translated items."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import torch
from torch import Tensor

from relviz.compute.job import Ticket
from relviz.compute.store import default_store
from relviz.compute.task import Task, task
from relviz.errors import ParameterError
from relviz.names import Record
from relviz.pair import Pair
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


@dataclass(frozen=True)
class HeadAccuracy:
    """Shares of ``rows`` test rows whose class was found, by whom and from what.

    The target's head on ``translated`` rows; each head on its own: ``own`` of the source, ``native`` of
    the target. ``chance`` is the share of the most frequent class among these rows. NaN where no row is left.
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

    def record(self) -> Record:
        """One flat record of what the target's head finds among translated rows."""
        if not self.rows:
            return dict(NO_ACCURACY)
        low, high = self.interval
        found = {"accuracy": self.translated, "accuracy_low": low, "accuracy_high": high}
        return {**found, "accuracy_rows": self.rows, "accuracy_chance": self.chance, "native": self.native}


NO_ACCURACY = {"accuracy": None, "accuracy_low": None, "accuracy_high": None, "accuracy_rows": 0}
"""What a record says of heads where there are none, or no row is left to test them on."""


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
    given = {"A": list(a or b or ()), "B": list(b or a or ())}
    numbers = {side: _numbers(labels) for side, labels in given.items()}
    ordered = all(numbers.values())
    labels = check_labels(numbers if ordered else given, {"A": n, "B": n})
    if len(labels.classes) > MOST_CLASSES:
        raise ParameterError(
            f"There are {count(len(labels.classes))} classes among {count(n)} rows; heads are trained for "
            f"at most {MOST_CLASSES}. Merge some classes."
        )
    return labels


def class_names(labels: Labels, side: str) -> list[str | float]:
    """The class of every row of side ``"A"`` or ``"B"``: as a number where they are ordered."""
    found: list[str | float] = names_of(labels)[labels.rows[side]].tolist()
    return found


def names_of(labels: Labels) -> np.ndarray:
    """``(c,)`` classes in their order: numbers where they are ordered, else texts."""
    return np.array(labels.classes) if labels.values is None else labels.values


@dataclass(frozen=True, eq=False)
class TrainedHeads:
    """A head for either side of a pair, trained on the same rows."""

    a: Head
    b: Head


@task("heads", "Training the heads")
def _trained(
    ticket: Ticket, pair: Pair, labels: Labels, *, kind: str, test: float, seed: int
) -> TrainedHeads:
    train, _ = _split(labels, test, seed)
    heads = []
    for place, (side, space) in enumerate((("A", pair.a), ("B", pair.b))):
        ticket.report(place / 2, f"for {space.name}")
        heads.append(train_head(space.vectors[train], labels.rows[side][train], kind, seed))
    return TrainedHeads(*heads)


def heads_task(pair: Pair, kind: str) -> Task[TrainedHeads]:
    """The task that trains a head of a kind for A and one for B.

    Raises
    ------
    ParameterError
        If the items have no classes, or they do not suffice for heads.
    """
    labels = labels_of(pair)
    _split(labels)  # what cannot be split has no heads
    return _trained(pair, labels, kind=kind, test=TEST, seed=SPLIT_SEED)


def heads_of(pair: Pair, kind: str, back: bool) -> Heads | None:
    """The heads of a direction, once they are trained; None before, and where there is nothing to predict."""
    try:
        key = heads_task(pair, kind).key
    except ParameterError:
        return None
    return _directed(pair, kind, back, key) if default_store().has(key) else None


@lru_cache(maxsize=8)
def _directed(pair: Pair, kind: str, back: bool, _: str) -> Heads:
    return directed(heads_task(pair, kind).run(), labels_of(pair), back)


def directed(trained: TrainedHeads, labels: Labels, back: bool) -> Heads:
    """The heads of a pair as those of a source and a target."""
    _, tests = _split(labels)
    sides = (("A", trained.a), ("B", trained.b))
    (here, source), (there, target) = reversed(sides) if back else sides
    truth = labels.rows[here], labels.rows[there]
    return Heads(labels.classes, source, target, truth, torch.from_numpy(tests))


def rows_to_test(pair: Pair) -> Tensor:
    """Rows ``(m,)`` that train no head; all of them, where there is nothing for heads to predict."""
    try:
        return torch.from_numpy(_split(labels_of(pair))[1])
    except ParameterError:
        return torch.arange(len(pair))


def head_accuracy(
    heads: Heads, source: Tensor, made: Tensor, target: Tensor, anchors: Tensor
) -> HeadAccuracy:
    """What the heads find among test rows that are not anchors; all of ``(n, d)``, anchors ``(k,)`` rows."""
    rows = heads.tests[~torch.isin(heads.tests, anchors)]
    here, there = (truth[rows.numpy()] for truth in heads.truth)
    if not len(rows):
        none = float("nan")
        return HeadAccuracy(none, none, none, rows=0, chance=none)
    return HeadAccuracy(
        translated=float((heads.target(made[rows]) == here).mean()),
        own=float((heads.source(source[rows]) == here).mean()),
        native=float((heads.target(target[rows]) == there).mean()),
        rows=len(rows),
        chance=most_frequent(here),
    )


def _numbers(labels: Sequence[str]) -> list[float]:
    """Labels as the numbers they are; none unless all of them are."""
    try:
        values = [float(one) for one in labels]
    except ValueError:
        return []
    if not np.isfinite(values).all():
        return []
    return [int(value) if value.is_integer() else value for value in values]


def _split(labels: Labels, test: float = TEST, seed: int = SPLIT_SEED) -> tuple[np.ndarray, np.ndarray]:
    return check_split(split_rows(labels.rows["A"], labels.classes, test, seed), labels)


def describe_sweep(tests: int, chance: float | None) -> str:
    """Of a sweep: on which rows its cosines and accuracies are; ``chance`` is None without classes.

    >>> describe_sweep(60, None)
    'Queries: 60 items in each run, neither anchors nor training rows.'
    """
    queries = f"Queries: {plural(tests, 'item')} in each run, neither anchors nor training rows."
    return queries if chance is None else f"{queries} {describe_chance(tests, chance)}"


def describe_splits(tests: int, chance: float) -> str:
    """Of heads and one split for each seed.

    >>> describe_splits(60, 0.25)[:14]
    '60 test rows. '
    """
    return f"{plural(tests, 'test row')}. {describe_chance(tests, chance)}"


def describe_chance(tests: int, chance: float) -> str:
    """What accuracy means among so many test rows.

    >>> describe_chance(60, 0.25)
    'The most frequent class is 0.250 of them; 95% intervals of accuracy are ±0.123 at most.'
    """
    low, high = wilson(0.5, tests)  # no interval is wider
    return (
        f"The most frequent class is {chance:.3f} of them; 95% intervals of accuracy are "
        f"±{(high - low) / 2:.3f} at most."
    )

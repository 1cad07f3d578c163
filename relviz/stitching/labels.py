"""Classes of the rows, and which rows train and which test."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from numbers import Real
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from relviz.compute.arrays import ArrayLike
from relviz.compute.key import array_digest, text_digest, value_digest
from relviz.errors import ParameterError, ShapeError
from relviz.wording import plural

Classes: TypeAlias = NDArray[np.int64]
"""Class numbers, or row numbers, ``(n,)``."""


@dataclass(frozen=True, eq=False)
class Labels:
    """Classes in their order, and for every space the class number of each row: ``(n,)`` int64.

    ``values`` are the classes as numbers, where they are ordered.
    """

    classes: tuple[str, ...]
    rows: Mapping[str, Classes]
    values: NDArray[np.float64] | None

    @cached_property
    def digest(self) -> str:
        """Content digest of the classes and of the class of every row."""
        rows = {name: array_digest(numbers) for name, numbers in self.rows.items()}
        return value_digest([text_digest(self.classes), rows, self.values is not None])


def check_labels(
    labels: Sequence[object] | Mapping[str, Sequence[object]], spaces: Mapping[str, int]
) -> Labels:
    """One label a row, or one list for each space; ``spaces`` gives the numbers of rows.

    Numbers are ordered labels. ShapeError if a list is not as long as the rows; ParameterError if two
    spaces do not have the same classes, or there is only one class.
    """
    given: Mapping[str, Sequence[object]] = (
        labels if isinstance(labels, Mapping) else {name: list(labels) for name in spaces}
    )
    missing = [name for name in spaces if name not in given]
    if missing:
        raise ParameterError(f"There are no labels for {', '.join(missing)}; give a list for every space.")
    for name, n in spaces.items():
        if len(given[name]) != n:
            raise ShapeError(
                f"{name} has {plural(n, 'row')} but {len(given[name])} labels; give one for each."
            )
    every = [one for name in spaces for one in given[name]]
    ordered = all(isinstance(one, Real) and not isinstance(one, bool) for one in every)
    kinds = {name: {_text(one) for one in given[name]} for name in spaces}
    first, *rest = kinds
    for name in rest:
        odd = sorted(kinds[first] ^ kinds[name])
        if odd:
            raise ParameterError(
                f"{first} and {name} do not have the same classes: {', '.join(odd[:3])} "
                f"{'is' if len(odd) == 1 else 'are'} in one of them only. A head knows the "
                "classes it was trained on; leave the others out."
            )
    by_value: dict[str, Any] = {_text(one): one for one in every}
    classes = sorted(by_value, key=by_value.__getitem__) if ordered else sorted(by_value)
    if len(classes) < 2:
        raise ParameterError(f"All rows are of class {classes[0]!r}; a head needs at least 2 classes.")
    number = {name: at for at, name in enumerate(classes)}
    rows = {name: np.array([number[_text(one)] for one in given[name]]) for name in spaces}
    values = np.array([float(by_value[name]) for name in classes]) if ordered else None
    return Labels(tuple(classes), rows, values)


def unlabeled(spaces: Iterable[str], n: int) -> Labels:
    """All ``n`` rows of one class, for a split of rows that have none."""
    return Labels(("rows",), {name: np.zeros(n, dtype=np.int64) for name in spaces}, None)


def split_rows(
    labels: Classes, classes: Sequence[str], test: float, seed: int, anchors: Classes | None = None
) -> tuple[Classes, Classes]:
    """Rows that train and rows that test, each class in its share; anchors always train.

    ParameterError if a class has too few rows to have one on either side.
    """
    rng = np.random.default_rng([20240615, seed])
    tests = []
    for number, name in enumerate(classes):
        rows = rng.permutation(np.flatnonzero(labels == number))
        free = rows if anchors is None else rows[~np.isin(rows, anchors)]
        if len(rows) < 2 or not len(free):
            few = f"{plural(len(rows), 'row')}, {len(rows) - len(free)} of them anchors"
            raise ParameterError(
                f"Class {name!r} has {few}; one is needed to train and one that is not an anchor to test. "
                "Drop the class, merge it with another, or choose fewer anchors."
            )
        count = min(max(1, round(test * len(rows))), len(free), len(rows) - 1)
        tests.append(free[:count])
    chosen = np.sort(np.concatenate(tests))
    return np.setdiff1d(np.arange(len(labels)), chosen), chosen


def check_split(split: tuple[ArrayLike, ArrayLike], labels: Labels) -> tuple[Classes, Classes]:
    """Given (train, test) rows: no row in both, every class among the rows that train."""
    train, test = (np.asarray(part, dtype=np.int64) for part in split)
    n = len(next(iter(labels.rows.values())))
    for name, part in (("train", train), ("test", test)):
        if not len(part) or part.min() < 0 or part.max() >= n:
            raise ShapeError(f"The {name} rows must be some of the rows 0 to {n - 1}; there are {len(part)}.")
    both = np.intersect1d(train, test)
    if len(both):
        raise ParameterError(f"Train and test share {plural(len(both), 'row')}, such as row {both[0]}.")
    for space, rows in labels.rows.items():
        seen = Counter(rows[train].tolist())
        lacking = [name for number, name in enumerate(labels.classes) if not seen[number]]
        if lacking:
            raise ParameterError(
                f"No training row of {space} is of class {', '.join(lacking[:3])}: its head could not "
                "predict it. Move some of its rows from test to train, or leave the class out."
            )
    return train, test


def _text(label: object) -> str:
    return str(label)

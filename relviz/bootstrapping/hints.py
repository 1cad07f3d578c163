"""What else is known of the rows of two spaces, short of pairs: classes, groups, names, non-matches.

The method is ours; no paper of ``relviz.papers`` has it.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

import torch
from torch import Tensor

from relviz.compute.arrays import ArrayLike, as_indices
from relviz.errors import ParameterError, ShapeError
from relviz.wording import count

Columns = tuple[Tensor, Tensor]
"""``(n, h)`` and ``(m, h)``: inner products are added to the similarities of the rows of both spaces."""

OTHER = 0.5
"""What rows of two classes lose in similarity, and rows of a group with those outside its counterpart."""
APART = 2.0
"""What a known non-match loses: more than any similarity."""
MOST_COLUMNS = 512
"""Columns that all hints take at most; each is one more dimension to match in."""


@dataclass(frozen=True, eq=False)
class Hints:
    """Weak supervision of ``relviz.bootstrap``. Each hint is optional.

    Attributes
    ----------
    labels
        ``(labels of x, labels of y)``, as many as rows; None or an empty text where a row has none. Rows of
        two labels are farther apart; a row without is as near to all as it was.
    groups
        ``[(rows of x, rows of y), …]``: each of these rows of x belongs to one of those rows of y.
    non_matches
        ``(rows of x, rows of y)``, as long as each other: pairs that do not belong together.
    names
        ``(names of x, names of y)``, as many as rows. Rows that alone have a name in either space are
        probable pairs: the search starts from them, but is not bound to them.

    Examples
    --------
    >>> Hints(labels=(["cat", None], ["cat", "dog", None]), non_matches=([1], [0]))
    Hints(labels, non_matches)
    """

    labels: tuple[Sequence[str | None], Sequence[str | None]] | None = None
    groups: Sequence[tuple[ArrayLike, ArrayLike]] = ()
    non_matches: tuple[ArrayLike, ArrayLike] | None = None
    names: tuple[Sequence[str | None], Sequence[str | None]] | None = None

    def __repr__(self) -> str:
        given = [name for name in ("labels", "groups", "non_matches", "names") if getattr(self, name)]
        return f"Hints({', '.join(given)})"


@dataclass(frozen=True, eq=False)
class HintColumns:
    """Hints as a solver takes them.

    Attributes
    ----------
    x, y
        ``(n, h)`` and ``(m, h)`` float32; h may be 0.
    shared
        How many of the first columns say what several rows have in common: labels and groups.
    likely
        ``(px, py)``, rows of probable pairs.
    """

    x: Tensor
    y: Tensor
    shared: int = 0
    likely: tuple[Tensor, Tensor] = field(
        default_factory=lambda: (torch.empty(0, dtype=torch.int64), torch.empty(0, dtype=torch.int64))
    )


def hint_columns(hints: Hints | None, n: int, m: int) -> HintColumns:
    """What hints say of n rows of x and m rows of y.

    Raises
    ------
    ShapeError
        If there are not as many labels or names as rows, or lists differ in length.
    ParameterError
        If a row does not exist, or there are more than ``MOST_COLUMNS`` columns.
    """
    parts: list[Columns] = [(torch.zeros(n, 0), torch.zeros(m, 0))]
    likely = torch.empty(0, dtype=torch.int64), torch.empty(0, dtype=torch.int64)
    shared = 0
    if hints is not None:
        if hints.labels is not None:
            parts.append(_of_labels(*_checked(hints.labels, n, m, "labels")))
        parts += [_of_group(group, n, m) for group in hints.groups]
        shared = sum(part[0].shape[1] for part in parts)
        if hints.non_matches is not None:
            parts.append(_of_non_matches(hints.non_matches, n, m))
        if hints.names is not None:
            likely = _pairs_of_names(*_checked(hints.names, n, m, "names"))
    x, y = (torch.cat([part[side] for part in parts], 1) for side in (0, 1))
    if x.shape[1] > MOST_COLUMNS:
        raise ParameterError(
            f"The hints take {count(x.shape[1])} columns: one a label, one a group, and one a row of x with "
            f"non-matches. Give at most {count(MOST_COLUMNS)}."
        )
    return HintColumns(x, y, shared, likely)


def with_hints(side: Tensor, columns: Tensor) -> Tensor:
    """Rows ``(…, r)`` with the columns of hints after them."""
    if not columns.shape[1]:
        return side
    return torch.cat([side, columns.expand(*side.shape[:-1], columns.shape[1])], -1)


def cost_of(columns: Columns | None) -> str:
    """The cost of rows with these columns; of none the cosine, which rows of length one have as well."""
    return "inner" if columns is not None and columns[0].shape[1] else "cosine"


def _checked(
    texts: tuple[Sequence[str | None], Sequence[str | None]], n: int, m: int, name: str
) -> tuple[list[str], list[str]]:
    found = []
    for side, rows, space in zip(texts, (n, m), "xy", strict=True):
        if len(side) != rows:
            raise ShapeError(
                f"{name} of {space} must be one for each of its {count(rows)} rows; there are "
                f"{count(len(side))}. Give None where a row has none."
            )
        found.append(["" if one is None else str(one) for one in side])
    return found[0], found[1]


def _of_labels(x: list[str], y: list[str]) -> Columns:
    """Two labels: − OTHER; one, or without: 0."""
    shared = sorted(set(filter(None, x)) & set(filter(None, y)))
    place = {label: at for at, label in enumerate(shared)}
    sides = []
    for sign, labels in ((-1.0, x), (1.0, y)):
        columns = torch.zeros(len(labels), len(shared) + 1)
        for row, label in enumerate(labels):
            if label in place:
                columns[row, place[label]] = 1.0
            columns[row, -1] = sign * bool(label)
        sides.append(OTHER**0.5 * columns)
    return sides[0], sides[1]


def _of_group(group: tuple[ArrayLike, ArrayLike], n: int, m: int) -> Columns:
    rows = as_indices(group[0], n, "groups, rows of x,"), as_indices(group[1], m, "groups, rows of y,")
    x, y = torch.zeros(n, 1), torch.full((m, 1), -OTHER)
    x[rows[0]], y[rows[1]] = 1.0, 0.0
    return x, y


def _of_non_matches(pairs: tuple[ArrayLike, ArrayLike], n: int, m: int) -> Columns:
    px = as_indices(pairs[0], n, "non_matches[0], rows of x,")
    py = as_indices(pairs[1], m, "non_matches[1], rows of y,")
    if len(px) != len(py):
        raise ShapeError(
            f"non_matches are a row of x and one of y, but there are {count(len(px))} rows of x and "
            f"{count(len(py))} of y. Give two lists of the same length."
        )
    rows, places = px.unique(return_inverse=True)
    x, y = torch.zeros(n, len(rows)), torch.zeros(m, len(rows))
    x[rows, torch.arange(len(rows))] = 1.0
    y[py, places] = -APART
    return x, y


def _pairs_of_names(x: list[str], y: list[str]) -> tuple[Tensor, Tensor]:
    places = [_once(names) for names in (x, y)]
    shared = [name for name in places[0] if name in places[1]]
    px, py = (torch.tensor([place[name] for name in shared], dtype=torch.int64) for place in places)
    return px, py


def _once(names: list[str]) -> dict[str, int]:
    """The rows of the names that no other row has."""
    found: dict[str, int] = {}
    repeated = set()
    for row, name in enumerate(names):
        if name in found:
            repeated.add(name)
        found[name] = row
    return {name: row for name, row in found.items() if name and name not in repeated}

"""Two spaces of the same items, row against row, and the audit of how they were matched."""

from dataclasses import dataclass, field
from functools import cached_property

import torch
from torch import Tensor

from relviz.compute.arrays import ArrayLike, as_indices
from relviz.compute.key import value_digest
from relviz.errors import PairingError, ParameterError, UnpairedError
from relviz.space import Space


@dataclass(frozen=True)
class SideAudit:
    """What happened to the rows of one space. All values are numbers of rows.

    ``nan``, ``infinite``, ``zero`` and ``constant`` count rows of the file, matched or not; rows with NaN
    or infinite values are dropped from the pair; zero and constant rows are kept.
    """

    rows: int
    unmatched: int
    duplicated: int
    nan: int
    infinite: int
    zero: int
    constant: int

    @property
    def dropped(self) -> int:
        """Rows of this side that are not in the pair for a reason of their own."""
        return self.unmatched + self.duplicated + self.nan + self.infinite


@dataclass(frozen=True)
class Audit:
    """How the rows of two spaces were matched.

    ``kept`` is the number of rows in the pair; ``matched_by`` is ``"ids"`` or ``"position"``;
    ``same_order`` tells whether these rows were in the same order on both sides.
    """

    kept: int
    matched_by: str
    same_order: bool
    label_conflicts: int
    a: SideAudit
    b: SideAudit

    @property
    def left_out_for_values(self) -> int:
        """Rows left out on either side because they hold NaN or infinite values."""
        return self.a.nan + self.a.infinite + self.b.nan + self.b.infinite


@dataclass(frozen=True, eq=False)
class Pair:
    """Two spaces whose rows are matched by ids, or by position where neither has ids.

    ``a`` and ``b`` contain only the matched rows, in the order of the first space. If an id repeats, its
    first row is used. Rows with NaN or infinite values are dropped on both sides; ``audit`` has all
    counts.

    Raises
    ------
    UnpairedError
        If only one side has ids, if the sides have no ids in common, or if they have no ids and
        different lengths.
    PairingError
        If fewer than two rows remain.

    Examples
    --------
    >>> import relviz
    >>> a = relviz.Space([[1, 0], [0, 1], [1, 1]], ids=["x", "y", "z"])
    >>> b = relviz.Space([[5, 5], [2, 0]], ids=["z", "x"])
    >>> pair = relviz.Pair(a, b)
    >>> pair.a.ids, pair.audit.a.unmatched, pair.audit.same_order
    (('x', 'z'), 1, False)
    """

    a: Space
    b: Space
    audit: Audit = field(default=None, repr=False)  # type: ignore[assignment]  # set below

    def __post_init__(self) -> None:
        a, b = self.a, self.b
        flaws_a, flaws_b = _flaws(a.vectors), _flaws(b.vectors)
        rows_a, rows_b, matched_by = _match(a, b)
        usable = ~(flaws_a["bad"][rows_a] | flaws_b["bad"][rows_b])
        kept_a, kept_b = rows_a[usable], rows_b[usable]
        if len(kept_a) < 2:
            raise PairingError(
                f"Only {len(kept_a)} of {len(rows_a)} matched rows hold finite numbers on both sides; "
                "at least 2 are needed."
            )
        left, right = a.take(kept_a), b.take(kept_b)
        conflicts = 0
        if left.labels is not None and right.labels is not None:
            conflicts = sum(x != y for x, y in zip(left.labels, right.labels, strict=True))
        object.__setattr__(self, "a", left)
        object.__setattr__(self, "b", right)
        object.__setattr__(
            self,
            "audit",
            Audit(
                kept=len(kept_a),
                matched_by=matched_by,
                same_order=bool((kept_b.diff() > 0).all()),
                label_conflicts=conflicts,
                a=_side(a, flaws_a, rows_a),
                b=_side(b, flaws_b, rows_b),
            ),
        )

    def __len__(self) -> int:
        return len(self.a)

    def __repr__(self) -> str:
        return f"Pair({self.a!r}, {self.b!r}, matched by {self.audit.matched_by})"

    def take(self, rows: ArrayLike) -> "Pair":
        """The pair of the given rows, as numbers or a mask ``(n,)``; its audit is of these rows alone."""
        index = as_indices(rows, len(self), "rows")
        return Pair(self.a.take(index), self.b.take(index))

    @property
    def ids(self) -> tuple[str, ...]:
        """Ids of the matched rows; row numbers where there are none."""
        return tuple(self.a.ids) if self.a.ids is not None else tuple(map(str, range(len(self))))

    @property
    def labels(self) -> tuple[str, ...] | None:
        """Class of each matched row: the first side's, else the second's."""
        labels = self.a.labels if self.a.labels is not None else self.b.labels
        return None if labels is None else tuple(labels)

    @property
    def items(self) -> tuple[str, ...]:
        """What to show for each matched row: the first side's items, else the second's, else ids."""
        items = self.a.items if self.a.items is not None else self.b.items
        return self.ids if items is None else tuple(items)

    @cached_property
    def digest(self) -> str:
        """Content digest of both sides' vectors."""
        return value_digest([self.a.digest, self.b.digest])


def both_sides(
    x: ArrayLike | Pair, y: ArrayLike | None, names: str = "x and y"
) -> tuple[ArrayLike, ArrayLike]:
    """Two matrices as they were given, or the two sides of a pair that was given in their place.

    Raises
    ------
    ParameterError
        If there is a pair and more, or one matrix alone.
    """
    if isinstance(x, Pair):
        if y is not None:
            raise ParameterError("A relviz.Pair stands for both sides; pass the other arguments by name.")
        return x.a, x.b
    if y is None:
        raise ParameterError(f"One side is missing; give {names}, or a relviz.Pair instead.")
    return x, y


def _flaws(vectors: Tensor) -> dict[str, Tensor]:
    """What may be wrong with a row, each a mask ``(n,)``."""
    low, high = vectors.amin(1), vectors.amax(1)  # either is NaN where one of the row is
    nan = low.isnan()
    infinite = low.isinf() | high.isinf()
    constant = (low == high) & ~infinite
    zero = constant & (low == 0)
    return {
        "nan": nan,
        "infinite": infinite,
        "bad": nan | infinite,
        "zero": zero,
        "constant": constant & ~zero,
    }


def _first_rows(ids: tuple[str, ...]) -> dict[str, int]:
    first: dict[str, int] = {}
    for row, name in enumerate(ids):
        first.setdefault(name, row)
    return first


def _match(a: Space, b: Space) -> tuple[Tensor, Tensor, str]:
    if (a.ids is None) != (b.ids is None):
        lacking = "second" if b.ids is None else "first"
        raise UnpairedError(
            f"The {lacking} space has no ids but the other one does, so rows cannot be matched. Give ids to "
            "both, or to neither (rows are then matched by position)."
        )
    if a.ids is None or b.ids is None:
        if len(a) != len(b):
            raise UnpairedError(
                "Without ids, rows are matched by position, so both sides need the same number of rows; "
                f"they have {len(a)} and {len(b)}. Add an id column to both files."
            )
        rows = torch.arange(len(a))
        return rows, rows, "position"
    first_a, first_b = _first_rows(tuple(a.ids)), _first_rows(tuple(b.ids))
    common = [name for name in first_a if name in first_b]
    if not common:
        raise UnpairedError(
            f"The two spaces have no id in common ({len(first_a)} ids such as {next(iter(first_a))!r}, "
            f"{len(first_b)} such as {next(iter(first_b))!r}). Check which column holds the ids."
        )
    rows_a = torch.tensor([first_a[name] for name in common])
    rows_b = torch.tensor([first_b[name] for name in common])
    return rows_a, rows_b, "ids"


def _side(space: Space, flaws: dict[str, Tensor], matched: Tensor) -> SideAudit:
    n = len(space)
    duplicated = 0 if space.ids is None else n - len(set(space.ids))
    return SideAudit(
        rows=n,
        unmatched=n - duplicated - len(matched),
        duplicated=duplicated,
        nan=int(flaws["nan"].sum()),
        infinite=int(flaws["infinite"].sum()),
        zero=int(flaws["zero"].sum()),
        constant=int(flaws["constant"].sum()),
    )

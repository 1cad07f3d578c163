"""Parallel anchors of two spaces, checked, centered and of length one: what every translator starts from."""

from dataclasses import dataclass
from functools import cached_property

import torch
from torch import Tensor

from relviz.compute.arrays import ArrayLike, check_same_rows
from relviz.errors import ParameterError, ShapeError
from relviz.relative_projection import centered, finite_matrix, unit_rows
from relviz.translation.inverse import ROUNDING, condition_number
from relviz.wording import plural


@dataclass(frozen=True, eq=False)
class Side:
    """The anchors of one space.

    Attributes
    ----------
    mean
        ``(d,)`` float32, the anchor mean.
    unit
        ``(k, d)`` float32, anchors minus their mean, of length one; an anchor at the mean is zero.
    length
        Mean length of the anchors minus their mean, in units of the space.
    """

    mean: Tensor
    unit: Tensor
    length: float

    @cached_property
    def exact(self) -> Tensor:
        """``unit`` in float64: inverses of Gram matrices square their condition number."""
        return self.unit.double()

    @cached_property
    def cosines(self) -> Tensor:
        """``(k, k)`` float64, the relative representation of the anchors themselves."""
        return self.exact @ self.exact.T

    @cached_property
    def gram(self) -> Tensor:
        """``(d, d)`` float64, inner products of the columns."""
        return self.exact.T @ self.exact

    @cached_property
    def level(self) -> Tensor:
        """``exact`` minus its mean: rows made of length one no longer have the mean zero."""
        return self.exact - self.exact.mean(0)

    @cached_property
    def svd(self) -> tuple[Tensor, Tensor, Tensor]:
        """``level`` as u, singular values, vᵀ, without those below float32 rounding."""
        u, values, vt = self._svd
        kept = values > max(float(values[0]), ROUNDING) * max(self.unit.shape) * ROUNDING
        return u[:, kept], values[kept], vt[kept]

    @property
    def condition_number(self) -> float:
        """Of ``level`` as it is, whatever ``svd`` leaves out."""
        return condition_number(self._svd[1] ** 2)

    @cached_property
    def _svd(self) -> tuple[Tensor, Tensor, Tensor]:
        u, values, vt = torch.linalg.svd(self.level, full_matrices=False)
        return u, values, vt


@dataclass(frozen=True, eq=False)
class Framed:
    """Rows of the source as every translator of the same anchors takes them.

    ``given`` ``(n, dx)`` float32 are the rows; ``unit`` the same after centering on the anchors, of length
    one; ``lengths`` ``(n, 1)`` what they were; ``anchors`` the source's.
    """

    given: Tensor
    unit: Tensor
    lengths: Tensor
    anchors: Side

    @cached_property
    def cosines(self) -> Tensor:
        """``(n, k)`` float64, their relative representation."""
        return (self.unit @ self.anchors.unit.T).double()


@dataclass(frozen=True, eq=False)
class AnchorPairs:
    """Anchor i of the source is anchor i of the target. Made by ``anchor_pairs``; all on the CPU.

    ``dimensions`` are those of the two spaces; ``usable`` are the numbers of the anchors that are not
    zero once centered, on either side: ``(u,)`` int64. ``frame``, where there is one, is the mean and the
    mean length of the rows whose prepared frame the target's anchors lie in.
    """

    source: Side
    target: Side
    usable: Tensor
    frame: tuple[Tensor, float] | None = None

    def __len__(self) -> int:
        return len(self.source.unit)

    @property
    def dimensions(self) -> tuple[int, int]:
        """Of the source and of the target."""
        return self.source.unit.shape[1], self.target.unit.shape[1]

    @staticmethod
    def of(source: Side, target: Side, frame: tuple[Tensor, float] | None = None) -> "AnchorPairs":
        """From both sides; which anchors are usable follows from them."""
        usable = (source.unit.any(1) & target.unit.any(1)).nonzero()[:, 0]
        return AnchorPairs(source, target, usable, frame)

    @property
    def unframed(self) -> Side:
        """The target's anchors in the target space itself, where they lay in a prepared frame of it."""
        if self.frame is None:
            return self.target
        mean, length = self.frame
        return Side(self.target.mean * length + mean, self.target.unit, self.target.length * length)

    def turned(self) -> "AnchorPairs":
        """Source and target exchanged."""
        return AnchorPairs.of(self.unframed, self.source)

    def framed(self, x: ArrayLike) -> Framed:
        """Rows ``(n, dx)`` of the source, prepared once for any number of translators.

        Raises
        ------
        ShapeError
            If the dimension is not that of the source's anchors.
        ParameterError
            If a number is NaN or infinite.
        """
        rows = finite_matrix(x, graph=True).cpu()
        d = len(self.source.mean)
        if rows.shape[1] != d:
            raise ShapeError(f"x must have the {d} columns of the anchors; its shape is {tuple(rows.shape)}.")
        moved = rows - self.source.mean
        lengths = torch.linalg.vector_norm(moved, dim=1, keepdim=True)
        return Framed(rows, unit_rows(moved), lengths, self.source)

    @cached_property
    def rank(self) -> int:
        """How many directions the anchors take, in the space where they take fewer."""
        return min(len(side.svd[1]) for side in (self.source, self.target))

    def products(self, rows: Tensor, side: Side) -> tuple[Tensor, Tensor]:
        """Source times target ``(dx, dy)`` and a side times itself ``(d, d)``, over some of the anchors."""
        few = torch.ones(len(self), dtype=torch.bool)
        few[rows] = False
        if 2 * len(rows) <= len(self):
            return self._products(~few, side)
        cross, gram = self._products(few, side)
        return self._cross - cross, side.gram - gram

    @cached_property
    def _cross(self) -> Tensor:
        return self.source.exact.T @ self.target.exact

    def _products(self, taken: Tensor, side: Side) -> tuple[Tensor, Tensor]:
        rows = side.exact[taken]
        return self.source.exact[taken].T @ self.target.exact[taken], rows.T @ rows


def anchor_pairs(xa: ArrayLike, ya: ArrayLike, target: ArrayLike | None = None) -> AnchorPairs:
    """Check parallel anchors and prepare them, once for any number of translators.

    Step 1 of the inverse relative projection (arXiv 2406.15057, section 4).

    Parameters
    ----------
    xa, ya
        ``(k, dx)`` and ``(k, dy)``, row i of one the counterpart of row i of the other.
    target
        ``(m, dy)`` rows of the target space, if ``ya`` lie in the frame that ``relviz.prepare`` gives
        them, as the anchors of ``relviz.bootstrap`` do.

    Raises
    ------
    ShapeError
        If the numbers of anchors or the dimensions of ``target`` and ``ya`` differ.
    ParameterError
        If a number is NaN or infinite.
    """
    rows, points = finite_matrix(xa, "xa").cpu(), finite_matrix(ya, "ya").cpu()
    check_same_rows(rows, points, "xa and ya, the anchors of the two spaces,")
    source, goal = _side(rows), _side(points)
    return AnchorPairs.of(source, goal, None if target is None else _frame(target, points))


def check_directions(pairs: AnchorPairs, method: str) -> None:
    """ParameterError unless the anchors, centered, point anywhere in both spaces."""
    if len(pairs.usable):
        return
    what = "One anchor" if len(pairs) == 1 else f"{plural(len(pairs), 'anchor')} that are all the same"
    raise ParameterError(
        f"{what} cannot show {method!r} any direction: after centering on the anchors, nothing is left. "
        "Give at least 2 anchors that differ in both spaces."
    )


def _side(rows: Tensor) -> Side:
    moved = centered(rows)
    length = torch.linalg.vector_norm(moved.double(), dim=1).mean()
    return Side(rows.double().mean(0).float(), unit_rows(moved), float(length))


def _frame(target: ArrayLike, points: Tensor) -> tuple[Tensor, float]:
    rows = finite_matrix(target, "target").cpu()
    if rows.shape[1] != points.shape[1]:
        raise ShapeError(
            f"target must have the {points.shape[1]} columns of ya; its shape is {tuple(rows.shape)}."
        )
    whole = _side(rows)
    return whole.mean, whole.length

"""A fitted translator: vectors of one encoder translated into another's space by the anchors alone."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from torch import Tensor

from relviz.relative_projection import unit_rows
from relviz.translation.irp import Fit, between
from relviz.translation.pairs import AnchorPairs, Framed


@dataclass(frozen=True, eq=False)
class Translator:
    """Carries rows ``(n, dx)`` into the other space ``(n, dy)``: ``translator(x)``.

    Attributes
    ----------
    method
        One of ``METHODS``.
    parameters
        What it was told, and what it chose itself, as far as the method makes use of it.
    condition_number
        Of the anchors that were inverted, as given: largest over smallest singular value, without
        directions that no anchor has to float32 rounding; what the inverse leaves out counts. The largest of
        all subspaces; 1 where nothing was inverted.
    anchors_kept
        How many anchors it rests on, the mean over subspaces.
    """

    method: str
    parameters: Mapping[str, Any]
    condition_number: float
    anchors_kept: float
    pairs: AnchorPairs = field(default=None, repr=False)  # type: ignore[assignment]  # always given
    length: str = field(default="own", repr=False)
    fit: Fit = field(default=None, repr=False)  # type: ignore[assignment]  # always given

    @cached_property
    def matrix(self) -> Tensor:
        """``(dx, dy)`` float32, between the unit frames: rows after centering on the anchors, of length one.

        Row j is the image of unit vector j.
        """
        if self.fit.weights is not None:
            return between(self.pairs, self.fit.weights).float()
        assert self.fit.matrix is not None
        return self.fit.matrix

    def __call__(self, x: Any) -> Tensor:
        """Translate rows ``(n, dx)``: center, unit length, matrix, length, de-center; ``(n, dy)`` float32.

        A row at the anchor mean goes to the anchor mean. Gradients reach ``x``, that of such a row is 0; the
        anchors that the translator was fitted on have none.

        Raises
        ------
        ShapeError
            If the dimension is not that of the source's anchors.
        ParameterError
            If a number is NaN or infinite.
        """
        return self.carry(self.pairs.framed(x))

    def carry(self, rows: Framed) -> Tensor:
        """Translate rows that ``AnchorPairs.framed`` of the same anchors has prepared."""
        if self.method == "absolute":
            return self._framed(rows.given.clone())
        goal = self.pairs.target
        made = unit_rows(self._turned(rows))
        own = self.length == "own"
        made = made * (goal.length * (rows.lengths / rows.anchors.length) if own else goal.length)
        return self._framed(made + goal.mean)

    def _turned(self, rows: Framed) -> Tensor:
        if self.fit.weights is not None:
            # The inverse's large numbers cancel in float64; what is left is a sum of anchors.
            return (rows.cosines @ self.fit.weights).float() @ self.pairs.target.unit
        made = rows.unit @ self.matrix
        return made if self.fit.offset is None else made + self.fit.offset

    def _framed(self, made: Tensor) -> Tensor:
        if self.pairs.frame is None:
            return made
        mean, length = self.pairs.frame
        return made * length + mean

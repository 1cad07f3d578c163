"""The frame all methods work in, kept: ``relviz.prepare`` for rows that come later."""

from dataclasses import dataclass

import torch
from torch import Tensor

from relviz.compute.arrays import ArrayLike
from relviz.errors import ParameterError, ShapeError
from relviz.relative_projection import finite_matrix, mean_row, moved, unit_rows


@dataclass(eq=False, repr=False)
class Frame:
    """Centers rows on the mean of the rows it was fitted on, and scales them to unit length.

    ``relviz.prepare(x)`` uses the mean of the given rows, so a single row becomes zero. A frame stores the
    mean: the rows it was fitted on become the same as with ``prepare``, and other rows are centered on
    that same mean.

    Attributes
    ----------
    mean
        ``(d,)`` float32, of the rows it was fitted on; None before.

    Examples
    --------
    >>> frame = Frame().fit([[1.0, 0.0], [3.0, 0.0], [2.0, 3.0]])
    >>> frame.transform([[2.0, 2.0]])
    tensor([[0., 1.]])
    """

    mean: Tensor | None = None

    def fit(self, x: ArrayLike) -> "Frame":
        """Take the mean of these rows ``(n, d)``; the frame itself, for ``Frame().fit(x)``."""
        self.mean = mean_row(finite_matrix(x))
        return self

    def transform(self, x: ArrayLike) -> Tensor:
        """Rows ``(m, d)`` minus the mean, of length one: ``(m, d)`` float32. Gradients reach ``x``.

        Raises
        ------
        ParameterError
            If it was not fitted, or a number is NaN or infinite.
        ShapeError
            If the dimension is not that of the rows it was fitted on.
        """
        rows, mean = finite_matrix(x, graph=True).cpu(), self._fitted
        if rows.shape[1] != len(mean):
            raise ShapeError(
                f"x must have the {len(mean)} columns that the frame was fitted on; its shape is "
                f"{tuple(rows.shape)}."
            )
        return unit_rows(moved(rows, mean))

    def fit_transform(self, x: ArrayLike) -> Tensor:
        """``relviz.prepare(x)``, and the mean is kept."""
        return self.fit(x).transform(x)

    def moved_to(self, other: "Frame", points: Tensor, nearest: Tensor) -> Tensor:
        """Unit ``points`` ``(k, d)`` of this frame in another.

        A direction seen from one mean needs a length to be seen from another. Each point gets that of the
        row in ``nearest`` ``(k, d)``, the raw row that stands for it. So a point that is a row becomes that
        row in the other frame, exactly; the error of others is of second order in the shift of the mean.
        """
        own, others = self._fitted, other._fitted
        if torch.equal(own, others):
            return points
        lengths = torch.linalg.vector_norm(nearest - own, dim=1, keepdim=True)
        return unit_rows(points * lengths + (own - others))

    def __repr__(self) -> str:
        return "Frame(not fitted)" if self.mean is None else f"Frame(dimension {len(self.mean)})"

    @property
    def _fitted(self) -> Tensor:
        if self.mean is None:
            raise ParameterError("The frame is not fitted yet; call fit first.")
        return self.mean

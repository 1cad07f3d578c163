"""What a translation method is: the function that fits it, and how it is called on screens and in errors."""

from collections.abc import Callable
from dataclasses import dataclass

import torch
from torch import Tensor

from relviz.errors import ShapeError
from relviz.translation.pairs import AnchorPairs


@dataclass(frozen=True, eq=False)
class Fit:
    """A matrix ``(dx, dy)`` between the two unit frames, and what its making rested on.

    ``condition_number`` is that of whatever was inverted, 1 where nothing was; where several matrices were,
    the largest, and ``mean_condition_number`` their mean, else None. ``anchors_kept`` is the mean number of
    anchors used; ``offset`` ``(dy,)`` is added to the product; ``chosen`` holds the
    strengths that the method chose for itself. ``weights`` ``(k, k)`` float64 stand for the matrix
    ``A_xᵀ W A_y`` where going through the anchors takes fewer products than the matrix itself.
    """

    matrix: Tensor | None
    condition_number: float
    anchors_kept: float
    offset: Tensor | None = None
    chosen: tuple[tuple[str, float], ...] = ()
    weights: Tensor | None = None
    mean_condition_number: float | None = None


@dataclass(frozen=True)
class Method:
    """One way to translate. Choices, labels, help texts, tables and errors are all read from here.

    Attributes
    ----------
    fit
        Called with the anchors, and with the options of ``takes`` by name.
    title
        What screens and figures call it.
    says
        What it does, in one line without a full stop; Markdown.
    takes
        Names of ``relviz.translation.Options`` that ``fit`` makes use of.
    has_length
        Whether translated rows are given a length, so that the option ``length`` is of use.
    """

    fit: Callable[..., Fit]
    title: str
    says: str
    takes: tuple[str, ...] = ()
    has_length: bool = True

    @property
    def uses(self) -> tuple[str, ...]:
        """Every option that makes a difference."""
        return (*self.takes, "length") if self.has_length else self.takes


def absolute(pairs: AnchorPairs) -> Fit:
    """The vectors themselves.

    Raises
    ------
    ShapeError
        If the dimensions differ.
    """
    dx, dy = pairs.dimensions
    if dx != dy:
        raise ShapeError(
            f"Untranslated vectors cannot be compared: the spaces have {dx} and {dy} dimensions. "
            "Use another method than 'absolute'."
        )
    return Fit(torch.eye(dx), 1.0, len(pairs))


ABSOLUTE = Method(
    absolute,
    "No translation (baseline)",
    "the untranslated vectors, where the dimensions agree",
    has_length=False,
)

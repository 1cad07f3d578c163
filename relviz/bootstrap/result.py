"""What anchor optimisation gives: every step while it runs, and the result."""

from collections.abc import Callable
from dataclasses import dataclass

from torch import Tensor

from relviz.bootstrap.verdict import Evidence


@dataclass(frozen=True, eq=False)
class Entry:
    """One step of a run, in numbers.

    Attributes
    ----------
    index, of
        Which step, from 0, of how many planned.
    loss
        Mean squared difference of the matched relative rows.
    eps
        Entropic regularisation of the step's correspondence, in units of its cost.
    agreement
        Share of the rows of x that the row they are matched with chooses back, 0 to 1.
    """

    index: int
    of: int
    loss: float
    eps: float
    agreement: float


@dataclass(frozen=True, eq=False)
class Step(Entry):
    """What ``on_step`` is given: the entry, the matches ``(n,)`` int64 and the anchors ``(k, dy)``.

    Both tensors are on the CPU and belong to the receiver: later steps leave them as they are.
    """

    matches: Tensor
    anchors: Tensor


OnStep = Callable[[Step], object]
"""Called after every step; truthy stops the run, whose result is what stands at that moment."""


@dataclass(frozen=True, eq=False)
class Bootstrap:
    """Anchors of x found again in y.

    Attributes
    ----------
    anchors
        ``(k, dy)`` float32, rows of length one in the frame of ``relviz.prepare(y)``; row j stands
        for anchor j of x and need not be any row of y.
    indices
        ``(k,)`` int64, the rows of y nearest to them, all different; seeds keep their own rows.
    matches
        ``(n,)`` int64, a row of y for every row of x.
    converged
        Whether the correspondence is believed to be true, decided without the truth.
    evidence
        What that belief rests on.
    history
        One entry a step.
    method
        The method that ran.
    stopped
        Whether ``on_step`` ended the run before its planned end.
    """

    anchors: Tensor
    indices: Tensor
    matches: Tensor
    converged: bool
    evidence: Evidence
    history: tuple[Entry, ...]
    method: str
    stopped: bool

"""The steps of a run, recorded one by one, and how far it is."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

import torch
from torch import Tensor

from relviz.bootstrapping.anneal import Pulse
from relviz.bootstrapping.checkpoint import Checkpoint
from relviz.bootstrapping.search import Standing
from relviz.compute.blocks import OnBlock


@dataclass(frozen=True, eq=False)
class Entry:
    """One step of a run, in numbers.

    Attributes
    ----------
    index, of
        Which step, from 0, of how many planned so far: a run that does not believe its result plans another
        round. For a progress bar of the whole run take ``on_progress``.
    loss
        Mean squared difference of the matched relative rows.
    eps
        Entropic regularization of the step's correspondence, in units of its cost.
    agreement
        Share of the rows of x that the row they are matched with chooses back, 0 to 1. Annealing counts it on
        a sample of 500 rows, which choose each other more often than all rows do, by 0.04 in most steps.
    standing
        Where two populations of rotations stand, after a generation of them; None after all other steps.
    """

    index: int
    of: int
    loss: float
    eps: float
    agreement: float
    standing: Standing | None


@dataclass(frozen=True, eq=False)
class Step(Entry):
    """What ``on_step`` is given: the entry, the matches ``(n,)`` int64 and the anchors ``(k, dy)``.

    Both tensors are on the CPU and belong to the receiver: later steps do not change them.
    """

    matches: Tensor
    anchors: Tensor


OnStep = Callable[[Step], object]
"""Called after every step; truthy stops the run, whose result is what stands at that moment."""


T = TypeVar("T")
_STEPS = "steps"


@dataclass(frozen=True, eq=False)
class History:
    """The entries of a run as numbers, ``(t, 5)`` each and float64.

    ``entries`` are their fields up to the agreement; ``standings`` the fields of theirs, NaN without one.
    """

    entries: Tensor
    standings: Tensor

    @staticmethod
    def of(entries: Sequence[Entry]) -> "History":
        numbers = [(one.index, one.of, one.loss, one.eps, one.agreement) for one in entries]
        standings = [
            [torch.nan] * 5 if (at := one.standing) is None else [*at.fits, *at.coherences, at.agreement]
            for one in entries
        ]
        return History(*(torch.tensor(x, dtype=torch.float64).reshape(-1, 5) for x in (numbers, standings)))

    def taken(self) -> list[Entry]:
        """The entries themselves."""
        rows = zip(self.entries.tolist(), self.standings.tolist(), strict=True)
        return [
            Entry(int(index), int(of), loss, eps, agreement, _standing(*standing))
            for (index, of, loss, eps, agreement), standing in rows
        ]


def _standing(f: float, g: float, c: float, d: float, alike: float) -> Standing | None:
    return None if alike != alike else Standing((f, g), (c, d), alike)


@dataclass
class Record:
    """History of a run of ``of`` planned steps, told step by step to ``on_step``.

    Between the steps ``beat`` is called over and over, so that ``on_progress`` hears of searches for a start
    and of verdicts too. A run may end after any round: each has a share of what is left of the progress.

    What the stages of the run come to goes to the ``checkpoint`` and comes from it; a step that was taken
    before is in the history, and ``on_step`` hears no more of it.
    """

    on_step: OnStep | None = None
    pulse: Pulse | None = None
    on_progress: OnBlock | None = None
    checkpoint: Checkpoint | None = None
    of: int = 0
    history: list[Entry] = field(default_factory=list)
    stopped: bool = False
    _round: int = -1
    _beats: int = 0
    _planned: int = 1
    _begun: float = 0.0
    _share: float = 0.0

    def begin(self, steps: int, beats: int, share: float = 0.5) -> None:
        """A round begins, of so many steps, in which ``beat`` will be called about so often.

        It has this share of what is left of the progress.
        """
        self.of += steps
        self._begun += (1 - self._begun) * self._share
        self._share = share
        self._round, self._beats, self._planned = self._round + 1, 0, beats

    def skip(self, steps: int) -> None:
        """So many of the planned steps are not needed."""
        self.of -= steps

    def beat(self, step: bool = False) -> None:
        """Something was done; of a ``step`` that is recorded the pulse hears by ``on_step`` alone."""
        if self.pulse is not None and not step:
            self.pulse()
        self._beats += 1
        if self.on_progress is not None:
            done = self._share * min(1.0, self._beats / self._planned)
            self.on_progress(self._begun + (1 - self._begun) * done)

    @property
    def due(self) -> bool:
        """Whether a stage that is not done should keep where it stands."""
        return self.checkpoint is not None and self.checkpoint.due

    def keep(self, stage: str, value: object, generator: torch.Generator | None = None) -> None:
        """Keep where a stage of this round stands, a dataclass."""
        if self.checkpoint is None:
            return
        numbers = len(self.history), self.of, self._round, self._beats, self._planned
        self.checkpoint.keep(f"{self._round} {stage}", value, numbers, generator)
        if self.checkpoint.due:
            self.checkpoint.keep(_STEPS, History.of(self.history))
            self.checkpoint.save()

    def restored(self, stage: str, kind: type[T], generator: torch.Generator | None = None) -> T | None:
        """Where a stage of this round stood, tensors on the CPU; record and generator go on from there."""
        if self.checkpoint is None:
            return None
        found = self.checkpoint.restored(f"{self._round} {stage}", kind, generator)
        if found is None:
            return None
        value, (steps, self.of, self._round, self._beats, self._planned) = found
        self.history = taken_steps(self.checkpoint)[:steps]
        return value

    def step(
        self,
        loss: float,
        eps: float,
        agreement: float,
        matches: Tensor,
        anchors: Tensor,
        standing: Standing | None = None,
    ) -> bool:
        """Note one step and pass it on; whether the run is to stop."""
        index = len(self.history)
        numbers = (index, self.of, float(loss), float(eps), float(agreement), standing)
        self.history.append(Entry(*numbers))
        if self.on_step is not None:
            step = Step(*numbers, own(matches, torch.int64), own(anchors, torch.float32))
            self.stopped = bool(self.on_step(step)) and index + 1 < self.of
            return self.stopped
        return False

    def done(self) -> None:
        """The run ends: all of its steps are kept, and all of the progress was made."""
        if self.checkpoint is not None:
            self.checkpoint.keep(_STEPS, History.of(self.history))
        if self.on_progress is not None:
            self.on_progress(1.0)


def taken_steps(checkpoint: Checkpoint) -> list[Entry]:
    """The steps that were taken before the checkpoint."""
    found = checkpoint.restored(_STEPS, History)
    return [] if found is None else found[0].taken()


def own(values: Tensor, dtype: torch.dtype) -> Tensor:
    """A copy on the CPU, which later steps do not change."""
    return values.detach().to("cpu", dtype, copy=True)

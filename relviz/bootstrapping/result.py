"""What a run of anchor optimization gives: its recorded steps, its anchors, its matches."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial
from typing import TypeVar

import torch
from torch import Tensor

from relviz.bootstrapping.anneal import Pulse
from relviz.bootstrapping.checkpoint import Checkpoint
from relviz.bootstrapping.counterpart_score import has_counterpart
from relviz.bootstrapping.inputs import Given
from relviz.bootstrapping.known_alone import KnownAlone
from relviz.bootstrapping.procrustes import align
from relviz.bootstrapping.search import Standing
from relviz.bootstrapping.verdict import Evidence
from relviz.compute.blocks import OnBlock, top_k
from relviz.notebook import table_html
from relviz.relative_projection import unit_rows


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
        Share of the rows of x that the row they are matched with chooses back, 0 to 1.
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


@dataclass(frozen=True, eq=False, repr=False)
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
    known_alone
        Where ``annealed`` has rejected its search and the known pairs alone tell more: what they tell, which
        anchors and matches rest on. None wherever these rest on the search.
    """

    anchors: Tensor
    indices: Tensor
    matches: Tensor
    converged: bool
    evidence: Evidence
    history: tuple[Entry, ...]
    method: str
    stopped: bool
    known_alone: KnownAlone | None = None
    counterparts: Callable[[], Tensor] = field(kw_only=True)

    @cached_property
    def has_counterpart(self) -> Tensor:
        """How probable it is that a row has a counterpart in y and that its match is it: ``(n,)``, 0 to 1.

        Float32, decided without the truth, and computed when it is first asked for: a second at 2,000 rows.
        Not to be relied on where the run has not converged.
        """
        return _own(self.counterparts(), torch.float32)

    def __repr__(self) -> str:
        said = ", ".join(f"{name} {value}" for name, value in self._said())
        return f"Bootstrap({said})"

    def _repr_html_(self) -> str:
        return table_html(("anchor optimization", ""), self._said(), self.evidence.reason)

    def _said(self) -> list[tuple[str, str]]:
        margin = "not measured" if self.evidence.margin is None else f"{self.evidence.margin:.3f}"
        return [
            ("method", self.method),
            ("anchors", str(len(self.anchors))),
            ("rows", str(len(self.matches))),
            ("steps", f"{len(self.history)}{' (stopped)' if self.stopped else ''}"),
            ("converged", str(self.converged)),
            ("agreement", f"{self.evidence.agreement:.3f}"),
            ("halves", f"{self.evidence.halves:.3f}"),
            ("margin", margin),
            ("right", "not estimated" if self.evidence.right is None else f"about {self.evidence.right}"),
        ]


RIDGE = 1.0
"""Weight of the rotation against the rows, in units of the mean variance of a direction of y."""


def fitted_anchors(given: Given, matches: Tensor, trusted: Tensor) -> Tensor:
    """Anchors of y that make the relative rows of matched rows alike.

    The objective of anchor optimization, ``‖X A_Xᵀ − Y A_Yᵀ‖²`` over matched rows, is quadratic in A_Y:
    it is solved outright, with a ridge that draws A_Y toward the anchors of x translated by the
    orthogonal Procrustes rotation of the same rows. On rows that took no part in the fit this was never
    worse than the rotation alone, and up to 0.07 better in MRR (docs/anchor-optimization.md).

    Parameters
    ----------
    matches
        ``(n,)``, a row of y for every row of x.
    trusted
        ``(n,)`` bool, the rows to fit to.

    Returns
    -------
    anchors
        ``(k, dy)``, rows of length one.
    """
    x, y = given.x[trusted], given.y[matches[trusted]]
    points = given.x[given.anchors]
    rotated = align(x.T @ y, len(x)).carry(points)
    covariance = y.T @ y
    d = len(covariance)
    ridge = (RIDGE * covariance.trace() / d).clamp_min(1e-6)
    covariance.diagonal().add_(ridge)
    left_over = x @ points.T - y @ rotated.T
    return unit_rows(rotated + torch.linalg.solve(covariance, y.T @ left_over).T)


_NEAREST = 16


def distinct_rows(given: Given, anchors: Tensor) -> Tensor:
    """The rows of y that stand for the anchors ``(k, dy)``: together the most alike, none used twice.

    Cosines are summed and maximized by linear assignment among the nearest rows of each anchor. Seeds
    keep the rows they were given, which no other anchor may take.

    Returns
    -------
    indices
        ``(k,)`` int64, on the CPU.
    """
    from scipy.optimize import linear_sum_assignment

    free = torch.ones(len(anchors), dtype=torch.bool, device=anchors.device)
    free[given.seed_columns] = False
    open_rows = torch.ones(len(given.y), dtype=torch.bool, device=anchors.device)
    open_rows[given.sy] = False
    indices = torch.empty(len(anchors), dtype=torch.int64)
    indices[given.seed_columns.cpu()] = given.sy.cpu()
    wanted, allowed = anchors[free], open_rows.nonzero().squeeze(1)
    if not len(wanted):
        return indices
    near = top_k(wanted, given.y[allowed], min(_NEAREST, len(allowed)))[1]
    # As many rows again as there are anchors, so that each gets one even if all want the same few.
    options = allowed[torch.cat([near.flatten(), torch.arange(len(wanted), device=near.device)]).unique()]
    cosines = wanted @ given.y[options].T
    row, column = linear_sum_assignment(cosines.cpu().numpy(), maximize=True)
    assigned = torch.empty(len(wanted), dtype=torch.int64)
    assigned[torch.from_numpy(row)] = options.cpu()[torch.from_numpy(column)]
    indices[free.cpu()] = assigned
    return indices


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

    def kept(self, stage: str, kind: type[T], generator: torch.Generator | None = None) -> T | None:
        """Where a stage of this round stood, tensors on the CPU; record and generator go on from there."""
        if self.checkpoint is None:
            return None
        found = self.checkpoint.kept(f"{self._round} {stage}", kind, generator)
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
            told = Step(*numbers, _own(matches, torch.int64), _own(anchors, torch.float32))
            self.stopped = bool(self.on_step(told)) and index + 1 < self.of
            return self.stopped
        return False

    def result(
        self,
        given: Given,
        method: str,
        anchors: Tensor,
        matches: Tensor,
        verdict: tuple[bool, Evidence],
        known_alone: KnownAlone | None = None,
    ) -> Bootstrap:
        """The result of the run, its tensors on the CPU."""
        if self.checkpoint is not None:
            self.checkpoint.keep(_STEPS, History.of(self.history))
        if self.on_progress is not None:
            self.on_progress(1.0)
        return Bootstrap(
            anchors=_own(anchors, torch.float32),
            indices=distinct_rows(given, anchors),
            matches=_own(matches, torch.int64),
            converged=verdict[0],
            evidence=verdict[1],
            history=tuple(self.history),
            method=method,
            stopped=self.stopped,
            known_alone=known_alone,
            counterparts=partial(has_counterpart, given, matches, self.pulse),
        )


def taken_steps(checkpoint: Checkpoint) -> list[Entry]:
    """The steps that were taken before the checkpoint."""
    found = checkpoint.kept(_STEPS, History)
    return [] if found is None else found[0].taken()


def _own(values: Tensor, dtype: torch.dtype) -> Tensor:
    return values.detach().to("cpu", dtype, copy=True)

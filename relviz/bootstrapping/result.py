"""What a run of anchor optimization gives: anchors, matches, and whether to believe them."""

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property, partial

import torch
from torch import Tensor

from relviz.bootstrapping.counterpart_score import has_counterpart
from relviz.bootstrapping.fitted_anchors import distinct_rows
from relviz.bootstrapping.inputs import Given
from relviz.bootstrapping.known_alone import KnownAlone
from relviz.bootstrapping.record import Entry, Record, own
from relviz.bootstrapping.verdict import Evidence
from relviz.notebook import table_html


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
        return own(self.counterparts(), torch.float32)

    def __repr__(self) -> str:
        facts = ", ".join(f"{name} {value}" for name, value in self._facts())
        return f"Bootstrap({facts})"

    def _repr_html_(self) -> str:
        return table_html(("anchor optimization", ""), self._facts(), self.evidence.reason)

    def _facts(self) -> list[tuple[str, str]]:
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


def result_of(
    record: Record,
    given: Given,
    method: str,
    anchors: Tensor,
    matches: Tensor,
    verdict: tuple[bool, Evidence],
    known_alone: KnownAlone | None = None,
) -> Bootstrap:
    """The result of a run that ends, its tensors on the CPU."""
    record.done()
    return Bootstrap(
        anchors=own(anchors, torch.float32),
        indices=distinct_rows(given, anchors),
        matches=own(matches, torch.int64),
        converged=verdict[0],
        evidence=verdict[1],
        history=tuple(record.history),
        method=method,
        stopped=record.stopped,
        known_alone=known_alone,
        counterparts=partial(has_counterpart, given, matches, verdict[1].right, record.pulse),
    )

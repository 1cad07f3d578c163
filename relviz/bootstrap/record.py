"""The record that a solver keeps while it runs, and the result it makes of it."""

from dataclasses import dataclass, field

import torch
from torch import Tensor

from relviz.bootstrap.anneal import Pulse
from relviz.bootstrap.discretise import distinct_rows
from relviz.bootstrap.given import Given
from relviz.bootstrap.result import Bootstrap, Entry, OnStep, Step
from relviz.bootstrap.verdict import Evidence


@dataclass
class Record:
    """History of a run of ``of`` planned steps, told step by step to ``on_step``."""

    on_step: OnStep | None = None
    pulse: Pulse | None = None
    of: int = 0
    history: list[Entry] = field(default_factory=list)
    stopped: bool = False

    def step(self, loss: float, eps: float, agreement: float, matches: Tensor, anchors: Tensor) -> bool:
        """Note one step and pass it on; whether the run is to stop."""
        index = len(self.history)
        numbers = (index, self.of, float(loss), float(eps), float(agreement))
        self.history.append(Entry(*numbers))
        if self.on_step is not None:
            told = Step(*numbers, _own(matches, torch.int64), _own(anchors, torch.float32))
            self.stopped = bool(self.on_step(told)) and index + 1 < self.of
            return self.stopped
        return False

    def result(
        self, given: Given, method: str, anchors: Tensor, matches: Tensor, verdict: tuple[bool, Evidence]
    ) -> Bootstrap:
        """The result of the run, its tensors on the CPU."""
        return Bootstrap(
            anchors=_own(anchors, torch.float32),
            indices=distinct_rows(given, anchors),
            matches=_own(matches, torch.int64),
            converged=verdict[0],
            evidence=verdict[1],
            history=tuple(self.history),
            method=method,
            stopped=self.stopped,
        )


def _own(values: Tensor, dtype: torch.dtype) -> Tensor:
    return values.detach().to("cpu", dtype, copy=True)

"""How a map in the making reports its progress, and how it is stopped."""

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

OnStep = Callable[[float | None, np.ndarray | None], object]
"""Called with the fraction done and the places so far, either of which may be None; truthy stops."""


class Stopped(Exception):
    """``on_step`` asked for the map to be given up. Not an error: nothing was wrong."""


@dataclass(frozen=True)
class Report:
    """Passes progress on to ``on_step``, as a share of the whole work, and stops when told to."""

    on_step: OnStep | None = None
    start: float = 0.0
    span: float = 1.0

    def __call__(self, fraction: float | None, places: np.ndarray | None = None) -> None:
        """Report a fraction of this part; None where no fraction can be given.

        Raises
        ------
        Stopped
            If ``on_step`` returned something truthy. What ``on_step`` raises is let through.
        """
        if self.on_step is None:
            return
        done = None if fraction is None else self.start + self.span * fraction
        if self.on_step(done, places):
            raise Stopped("The map was stopped before it was finished.")

    def part(self, start: float, stop: float) -> "Report":
        """The report of a piece of this work that runs from one fraction of it to another."""
        return replace(self, start=self.start + self.span * start, span=self.span * (stop - start))

"""How work that takes a while reports what it has done, and is stopped.

There is one convention for every ``on_…`` argument of a public function:

- ``on_step`` is called after every step of work whose result can be used early, with an object that says
  which step it was. If it returns something truthy, the work ends and the result is what stands then.
- ``on_progress`` is called with the fraction done, 0 to 1, by work that is worth nothing half done. If it
  returns something truthy, the work ends with ``relviz.Stopped``.
- What either raises ends the work and reaches the caller.
"""

from collections.abc import Callable

from relviz.compute.blocks import OnBlock
from relviz.errors import Stopped

OnProgress = Callable[[float], object]
"""Called with the fraction done, 0 to 1; truthy stops with ``relviz.Stopped``."""


def heard(on_progress: OnProgress | None) -> OnBlock | None:
    """The callback, raising ``relviz.Stopped`` once it has returned something truthy."""
    if on_progress is None:
        return None

    def report(done: float) -> None:
        if on_progress(done):
            raise Stopped(f"The work was stopped when {done:.0%} of it was done.")

    return report

"""The pauses of a work between its steps."""

import threading
import time


class Pauses:
    """Whether a work is to pause after its step, how many steps it may still take, how long it paused."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._paused = False
        self._steps = 0
        self._seconds = 0.0
        self._since: float | None = None

    @property
    def wanted(self) -> bool:
        """Whether the work should pause, or does."""
        return self._paused

    @property
    def seconds(self) -> float:
        """How long it has paused so far."""
        with self._changed:
            return self._seconds + (0.0 if self._since is None else time.monotonic() - self._since)

    def pause(self) -> None:
        """Have the work pause when its step is done."""
        self._set(True, 0)

    def resume(self) -> None:
        """Have the work go on."""
        self._set(False, 0)

    def step(self) -> None:
        """Have the work take one step more, then pause."""
        with self._changed:
            self._paused, self._steps = True, self._steps + 1
            self._changed.notify_all()

    def wake(self) -> None:
        """Have the work look whether it should stop."""
        with self._changed:
            self._changed.notify_all()

    def wait(self, stop: threading.Event) -> None:
        """Called by the work: return when it may go on, or should stop."""
        with self._changed:
            self._since = time.monotonic()
            self._changed.wait_for(lambda: stop.is_set() or not self._paused or self._steps > 0)
            self._seconds, self._since = self._seconds + time.monotonic() - self._since, None
            self._steps = max(0, self._steps - 1)

    def _set(self, paused: bool, steps: int) -> None:
        with self._changed:
            self._paused, self._steps = paused, steps
            self._changed.notify_all()

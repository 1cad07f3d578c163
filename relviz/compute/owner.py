"""Who asks: a visitor of the server, known by a secret, or nobody in particular on the command line.

A visitor opens what they brought, sees the jobs they asked for, and stops those that nobody else waits for.
A script or a notebook has no visitors: there everything is open.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, TypeVar

T = TypeVar("T")
NOBODY = ""
"""A visitor who is not known: demos are open, nothing else."""

_UNSAID = "unsaid"
_acting: ContextVar[str | None] = ContextVar("relviz_owner", default=_UNSAID)
_asked: list[Callable[[], str]] = []


def owner() -> str | None:
    """The secret of the visitor who asks, or ``NOBODY``; None where there are no visitors."""
    acting = _acting.get()
    if acting != _UNSAID:
        return acting
    return _asked[-1]() if _asked else None


def find_owner_by(ask: Callable[[], str]) -> None:
    """From now on there are visitors, and ``ask`` says who of them the present thread works for."""
    _asked[:] = [ask]


@contextmanager
def acting_for(who: str | None) -> Iterator[None]:
    """Work for a visitor, whatever the thread; None: as where there are no visitors."""
    before = _acting.set(who)
    try:
        yield
    finally:
        _acting.reset(before)


def on_behalf(make: Callable[..., T]) -> Callable[..., T]:
    """A callable that works for who asks now, to be called later in a context of its own.

    What the same context does afterward with what was made is done for them too.
    """
    who = owner()

    def made(*given: Any, **named: Any) -> T:
        _acting.set(who)
        return make(*given, **named)

    return made

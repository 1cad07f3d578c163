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
_watched: list[Callable[[str | None], bool]] = []
_GUEST = "guest"


def owner() -> str | None:
    """The secret of the visitor who asks, or ``NOBODY``; None where there are no visitors."""
    acting = _acting.get()
    if acting != _UNSAID:
        return acting
    return _asked[-1]() if _asked else None


def guest_of(link: str, who: str) -> str:
    """Who a visitor is on a page that a link of another shows them: somebody with nothing of their own."""
    return f"{_GUEST} {link} {who}"


def account_of(who: str | None) -> str | None:
    """The visitor behind a guest; anybody else as they are."""
    return who.split(" ", 2)[2] if link_of(who) and who else who


def link_of(who: str | None) -> str:
    """The link by which a guest is here; empty for anybody else."""
    return who.split(" ", 2)[1] if who and who.startswith(f"{_GUEST} ") else ""


def watch_by(rule: Callable[[str | None], bool]) -> None:
    """From now on who asks may watch the jobs of those of whom this says so."""
    _watched[:] = [rule]


def watches(whom: str | None) -> bool:
    """Whether who asks may see how the jobs of another are getting on."""
    return any(rule(whom) for rule in _watched)


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

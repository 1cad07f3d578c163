"""How much a visitor may keep: embeddings and images that they brought or made, until they delete them."""

from collections.abc import Iterator
from dataclasses import dataclass

from relviz.compute.key import kind_of
from relviz.compute.owner import owner
from relviz.compute.store import default_store
from relviz.errors import Error
from relviz.state.owners import claim_of
from relviz.wording import size

BROUGHT = frozenset({"space", "images"})
"""Kinds of what visitors bring."""

_each: list[int] = []


class QuotaError(Error):
    """Something that a visitor would keep beyond their quota."""


@dataclass(frozen=True)
class Stored:
    """Something that who asks keeps: what names it, what they call it, and its bytes on the disk."""

    source: str
    name: str
    bytes: int


def allow_each(quota: int) -> None:
    """From now on each visitor keeps so many bytes at most; 0: what the whole store may take."""
    _each[:] = [quota] if quota else []


def quota() -> int:
    """Bytes that who asks may keep."""
    return min([default_store().cap_bytes, *_each])


def stored() -> list[Stored]:
    """What who asks keeps, the largest first."""
    return sorted(_stored(), key=lambda one: -one.bytes)


def check_room(source: str, needed: int, what: str) -> None:
    """Raise QuotaError unless who asks may keep so many bytes more under a source that names them.

    Where there are no visitors, as in a script, the oldest is thrown out instead.
    """
    if owner() is None:
        return
    if claim_of(source) is not None and default_store().has(source):
        return
    used = sum(one.bytes for one in _stored())
    if used + needed > quota():
        raise QuotaError(
            f"{what} takes {size(needed)}, and you keep {size(used)} of the {size(quota())} that you may. "
            "Delete something under Storage on the Shelf."
        )


def check_left(what: str) -> None:
    """Raise QuotaError if who asks keeps as much as they may; for what has a size only when it is made."""
    used = sum(one.bytes for one in _stored())
    if used >= quota():
        raise QuotaError(
            f"There is no room for {what}: you keep {size(used)} of the {size(quota())} that you may. "
            "Delete something under Storage on the Shelf."
        )


def _stored() -> Iterator[Stored]:
    for entry in default_store().entries():
        if kind_of(entry.key) in BROUGHT and (claim := claim_of(entry.key)) is not None:
            yield Stored(entry.key, claim.name, entry.bytes)

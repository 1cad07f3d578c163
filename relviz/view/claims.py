"""Who brought what: a visitor opens what they loaded or made themselves, and nothing of another.

A claim is kept in the store under a name made of the visitor's secret and of what is claimed, so that whoever
knows one of the two cannot tell the other. Two who bring the same have a claim each, with the name that each
gave it. Where there are no visitors, everything is open.
"""

import hashlib
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from relviz.compute.owner import NOBODY, owner
from relviz.compute.store import default_store
from relviz.view.origin import Origin

KIND = "claim"
_HERE = "no visitors"
"""Stands for the secret where there are no visitors: the claim then keeps the name alone."""


@dataclass(frozen=True)
class Claim:
    """What a visitor calls something they brought, and where it came from; empty where that is not noted."""

    name: str = ""
    origin: Origin | None = None


def claim(source: str, name: str = "", origin: Origin | None = None) -> None:
    """Note that who asks has brought, or begun to make, what is kept under a source."""
    who = owner()
    if who == NOBODY:
        return
    said = {"name": name, "origin": None if origin is None else origin.to_meta()}
    key = _key(source, who)
    if _said(key) != said:
        default_store().keep(key, {}, said)
        _read.cache_clear()


def claim_of(source: str) -> Claim | None:
    """The claim that who asks has on a source; None where they may not open it."""
    who = owner()
    said = None if who == NOBODY else _said(_key(source, who))
    if said is None:
        return Claim() if who is None else None
    origin = said["origin"]
    return Claim(said["name"], None if origin is None else Origin.from_meta(origin))


def forget_claims() -> None:
    """Ask the store again about every claim."""
    _read.cache_clear()


def _key(source: str, who: str | None) -> str:
    secret = hashlib.sha256((_HERE if who is None else f"visitor {who}").encode()).digest()
    return f"{KIND}-{hashlib.blake2b(source.encode(), digest_size=16, key=secret).hexdigest()}"


def _said(key: str) -> dict[str, Any] | None:
    try:
        return _read(default_store().root, key)
    except LookupError:
        return None


@lru_cache(maxsize=4096)
def _read(_: Path, key: str) -> dict[str, Any]:
    """A claim by the folder and its key; LookupError, which is not remembered, where there is none."""
    kept = default_store().get(key)
    if kept is None:
        raise LookupError(key)
    return kept.meta

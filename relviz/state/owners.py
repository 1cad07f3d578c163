"""Where a space came from and whose it is: a visitor opens what they brought, and nothing of another."""

import hashlib
import time
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, replace
from functools import lru_cache
from pathlib import Path

from relviz.compute.owner import NOBODY, link_of, owner
from relviz.compute.store import Entry, default_store, protect_by
from relviz.compute.typed import pack, unpack


@dataclass(frozen=True)
class Origin:
    """Where a space came from.

    Attributes
    ----------
    words
        For a person: a demo, a file, an encoder and its data.
    encoder, layer, pooling
        What ``load_encoder`` is told to have the encoder that made it; an empty name where it was not
        made here.
    sha256
        Of the file that it was read from, in hex; empty where it was not read from one.
    """

    words: str = ""
    encoder: str = ""
    layer: int | None = None
    pooling: str | None = None
    sha256: str = ""

    def portable(self) -> "Origin":
        """The same for another machine, where the path of an encoder would say nothing."""
        return replace(self, encoder="") if Path(self.encoder).is_absolute() else self

    def to_meta(self) -> dict[str, object]:
        """As JSON holds it."""
        return asdict(self)

    @staticmethod
    def from_meta(meta: Mapping[str, object]) -> "Origin":
        """What ``to_meta`` gave; whatever is not of the right kind counts as not said."""
        names = ("words", "encoder", "layer", "pooling", "sha256")
        words, encoder, layer, pooling, sha256 = map(meta.get, names)
        return Origin(
            words if isinstance(words, str) else "",
            encoder if isinstance(encoder, str) else "",
            layer if isinstance(layer, int) else None,
            pooling if isinstance(pooling, str) else None,
            sha256 if isinstance(sha256, str) else "",
        )


KIND = "claim"
LINKS = frozenset({"share", "links"})
"""Kinds of what visitors shared (see ``relviz.state.shares``)."""
_HERE = "no visitors"
"""Stands for the secret where there are no visitors: the claim then keeps the name alone."""


@dataclass(frozen=True)
class Claim:
    """What a visitor calls something they brought, and where it came from; empty where that is not noted.

    ``of`` is the source that it is a claim on.
    """

    name: str = ""
    origin: Origin | None = None
    of: str = ""


def claim(source: str, name: str = "", origin: Origin | None = None) -> None:
    """Note that who asks has brought, or begun to make, what is kept under a source."""
    who = owner()
    if who == NOBODY or link_of(who):
        return
    claim, key = Claim(name, origin, source), _key(source, who)
    if _claim_at(key) != claim:
        default_store().keep(key, *pack(claim))
        _read.cache_clear()


def unclaim(source: str) -> bool:
    """Give up the claim of who asks on a source; whether nobody has one on it now."""
    who = owner()
    if who == NOBODY or link_of(who):
        return False
    default_store().remove(_key(source, who))
    _read.cache_clear()
    claims = [entry.key for entry in default_store().entries() if entry.kind == KIND]
    left = [kept.meta.get("of") for key in claims if (kept := default_store().get(key)) is not None]
    return all(of and of != source for of in left)


def claim_of(source: str) -> Claim | None:
    """The claim that who asks has on a source; None where they may not open it."""
    who = owner()
    if link_of(who):
        return next((claim(link_of(who), source) for claim in _GRANTED), None)
    claim = None if who == NOBODY else _claim_at(_key(source, who))
    return Claim() if claim is None and who is None else claim


_GRANTED: list[Callable[[str, str], Claim | None]] = []


def grant_by(claim: Callable[[str, str], Claim | None]) -> None:
    """From now on a guest opens the sources for which this gives a claim, of the link and the source."""
    _GRANTED[:] = [claim]


def seal(who: str | None, what: str) -> str:
    """What stands for a visitor in the name of an entry (32 hex digits): it tells nothing of their secret."""
    secret = hashlib.sha256((_HERE if who is None else f"visitor {who}").encode()).digest()
    return hashlib.blake2b(what.encode(), digest_size=16, key=secret).hexdigest()


def forget_claims() -> None:
    """Ask the store again about every claim."""
    _read.cache_clear()


PROTECTED_SECONDS = 24 * 3600.0
"""So long after its last use what a visitor brought is not thrown out for another."""


def protected(entry: Entry) -> bool:
    """Whether the store should keep an entry although it needs room for who asks: another visitor uses it."""
    if owner() is None or time.time() - entry.used / 1e9 > PROTECTED_SECONDS:
        return False
    return entry.kind in LINKS or entry.kind == KIND or claim_of(entry.key) is None


protect_by(protected)


def _key(source: str, who: str | None) -> str:
    return f"{KIND}-{seal(who, source)}"


def _claim_at(key: str) -> Claim | None:
    try:
        return _read(default_store().root, key)
    except LookupError:
        return None


@lru_cache(maxsize=4096)
def _read(_: Path, key: str) -> Claim:
    """A claim by the folder and its key; LookupError, which is not remembered, where there is none."""
    kept = default_store().get(key)
    if kept is None:
        raise LookupError(key)
    return unpack(Claim, kept)

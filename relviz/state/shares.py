"""Links by which a visitor shares a view: whoever has one sees it as it was then, until it is revoked.

A link opens the spaces that its view uses, and nothing else that its owner has.
"""

import hashlib
import logging
import re
import secrets
import threading
import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from relviz.compute.key import is_key
from relviz.compute.owner import NOBODY, link_of, owner, watch_by
from relviz.compute.store import default_store
from relviz.compute.typed import pack, unpack
from relviz.errors import ParameterError
from relviz.state.owners import Claim, claim_of, grant_by, seal, unclaim
from relviz.state.sources import is_own
from relviz.wording import plural

KIND, LIST = "share", "links"
MOST_LINKS = 100
"""Of one visitor."""
_TOKEN = re.compile("[0-9a-f]{32}")
_lock = threading.Lock()

logger = logging.getLogger(__name__)


@dataclass(frozen=True)
class Shared:
    """A space, or a set of images, that a link opens: under the name that its owner gave it."""

    source: str
    claim: Claim


@dataclass(frozen=True)
class Share:
    """A view that is shared.

    Attributes
    ----------
    token
        What the link has: 128 random bits in hex.
    page
        The page that it shows.
    view
        Its choices as URL parameters.
    spaces
        All that it opens, beside the demos.
    owner
        Stands for whoever made it, and tells nothing of their secret.
    made
        When, in seconds since the epoch.
    """

    token: str
    page: str
    view: Mapping[str, str]
    spaces: tuple[Shared, ...]
    owner: str
    made: float


@dataclass(frozen=True)
class Links:
    """The tokens of one visitor, the newest in front."""

    tokens: tuple[str, ...] = ()


def own_of(used: Iterable[str]) -> tuple[str, ...]:
    """Those of some sources that are no demo's."""
    return tuple(source for source in used if is_own(source) or is_key(source))


def share(page: str, params: Mapping[str, str], used: Iterable[str]) -> Share:
    """Make a link to a page.

    Parameters
    ----------
    page, params
        Its name, and the parameters of its address.
    used
        The sources that it shows.

    Raises
    ------
    ParameterError
        If it shows nothing of who asks, something that is not theirs, or they have too many links.
    """
    who = owner()
    claims = {source: claim_of(source) for source in own_of(used)}
    if who == NOBODY or link_of(who) or not claims or None in claims.values():
        raise ParameterError("This page shows nothing of yours to share.")
    spaces = tuple(Shared(source, claimed) for source, claimed in claims.items() if claimed is not None)
    made = Share(secrets.token_hex(16), page, dict(params), spaces, seal(who, LIST), time.time())
    with _lock:
        tokens = [one.token for one in shares()]
        if len(tokens) >= MOST_LINKS:
            raise ParameterError(
                f"You have {plural(len(tokens), 'link')}, as many as are allowed. Revoke one on the Shelf."
            )
        default_store().keep(_key(made.token), *pack(made))
        _keep_list((made.token, *tokens))
    logger.info("The link %s is made: %s of %s", named(made.token), page, ", ".join(claims))
    return made


def share_of(token: str) -> Share | None:
    """What a link shows; None if there is no such link, or it was revoked."""
    if _TOKEN.fullmatch(token) is None or not default_store().has(_key(token)):
        return None
    try:
        return _read(default_store().root, token)
    except LookupError:
        return None


def shares() -> list[Share]:
    """The links of who asks, the newest in front."""
    kept = default_store().get(f"{LIST}-{seal(owner(), LIST)}")
    tokens = () if kept is None or owner() == NOBODY else unpack(Links, kept).tokens
    return [found for found in map(share_of, tokens) if found is not None]


def revoke(tokens: Iterable[str]) -> None:
    """Have links of who asks show nothing any more; those of others stay.

    Raises
    ------
    ParameterError
        If the store cannot be changed.
    """
    with _lock:
        mine = shares()
        gone = {one.token for one in mine if one.token in set(tokens)}
        for token in gone:
            default_store().remove(_key(token))
            if default_store().has(_key(token)):
                raise ParameterError("The link could not be revoked: the folder of results is read-only.")
            logger.info("The link %s is revoked", named(token))
        if gone:
            _keep_list(tuple(one.token for one in mine if one.token not in gone))


def discard(source: str) -> None:
    """Delete what who asks keeps under a source, and revoke the links that open it.

    Another visitor who brought the same still has it.
    """
    revoke(one.token for one in shares() if source in {space.source for space in one.spaces})
    if unclaim(source):
        default_store().remove(source)


def named(token: str) -> str:
    """A link as the log names it: eight hex digits that do not open it."""
    return hashlib.sha256(f"log {token}".encode()).hexdigest()[:8]


def _keep_list(tokens: tuple[str, ...]) -> None:
    default_store().keep(f"{LIST}-{seal(owner(), LIST)}", *pack(Links(tokens)))


def _key(token: str) -> str:
    return f"{KIND}-{hashlib.blake2b(token.encode(), digest_size=16).hexdigest()}"


@lru_cache(maxsize=1024)
def _read(_: Path, token: str) -> Share:
    kept = default_store().get(_key(token))
    if kept is None:
        raise LookupError(token)
    return unpack(Share, kept)


def _granted(token: str, source: str) -> Claim | None:
    found = share_of(token)
    return next((one.claim for one in found.spaces if one.source == source), None) if found else None


def _watches(whom: str | None) -> bool:
    found = share_of(link_of(owner()))
    return found is not None and found.owner == seal(whom, LIST)


grant_by(_granted)
watch_by(_watches)

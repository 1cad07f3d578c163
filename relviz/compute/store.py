"""The store of results: content-addressed, on disk, capped; in memory where the disk takes no more."""

import atexit
import logging
import os
import shutil
import tempfile
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from relviz.compute import entry
from relviz.compute.entry import Array, DamagedError, Result
from relviz.compute.installation import clone
from relviz.compute.key import CHECKPOINT, check_key, checkpoint_key, is_key, kind_of, result_key
from relviz.errors import Error
from relviz.wording import size


def results_folder(chosen: str | None) -> Path:
    """The chosen folder, else the usual one, else a temporary one; the log says which.

    The usual one is ``cache/`` of a clone; of an installed copy it is the user's cache folder.
    """
    folder = Path(chosen) if chosen else _usual()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            return folder
    except OSError as reason:
        logger.warning("Results cannot be kept in %s (%s).", folder, reason.strerror)
    temporary = tempfile.mkdtemp(prefix="relviz-")
    atexit.register(shutil.rmtree, temporary, ignore_errors=True)
    logger.warning("Results are kept in %s until the program ends.", temporary)
    return Path(temporary)


def _usual() -> Path:
    project = clone()
    if project is not None:
        return project / "cache"
    from platformdirs import user_cache_path

    return user_cache_path("relviz", appauthor=False)


HELD_BYTES = 1024**3
"""What they may take together; the newest stays whatever it takes."""


class Held:
    """Results by key, at most ``cap_bytes`` of them; those not asked for longest go first."""

    def __init__(self, cap_bytes: int = HELD_BYTES) -> None:
        self._cap = cap_bytes
        self._results: OrderedDict[str, Result] = OrderedDict()
        self._lock = threading.Lock()

    def __contains__(self, key: str) -> bool:
        with self._lock:
            return key in self._results

    def __bool__(self) -> bool:
        with self._lock:
            return bool(self._results)

    def add(self, key: str, result: Result) -> None:
        """Hold a result; others go where they are too much together."""
        with self._lock:
            self._results.pop(key, None)
            self._results[key] = result
            while len(self._results) > 1 and sum(map(_bytes, self._results.values())) > self._cap:
                self._results.popitem(last=False)

    def get(self, key: str) -> Result | None:
        """A result as a read of the store gives it: arrays of its own."""
        with self._lock:
            found = self._results.get(key)
            if found is None:
                return None
            self._results.move_to_end(key)
        return Result({name: x.copy() for name, x in found.arrays.items()}, found.meta)

    def drop(self, key: str) -> None:
        """Hold it no longer."""
        with self._lock:
            self._results.pop(key, None)

    def items(self) -> Iterable[tuple[str, Result]]:
        """What is held, the oldest first."""
        with self._lock:
            return list(self._results.items())


def _bytes(result: Result) -> int:
    return sum(x.nbytes for x in result.arrays.values())


CAP_BYTES = 2 * 1024**3
_LOOK_SECONDS, _LOOK_SHARE, _CLEARLY = 5.0, 50, 0.8
"""While there clearly is room, all entries are looked at so seldom, or after so many times what that took."""
PINNED = frozenset({"space", "claim", "share", "links"})
"""Kinds that cannot be computed again, such as uploads: thrown out only when nothing else is left."""


__all__ = ["Entry", "Result", "Store", "StoreError", "default_store", "result_key"]

logger = logging.getLogger(__name__)


class StoreError(Error):
    """A result that the store cannot keep."""


@dataclass(frozen=True)
class Entry:
    """One file of the store; ``used`` is when it was last written or read, in ns since the epoch."""

    key: str
    bytes: int
    used: int

    @property
    def kind(self) -> str:
        """What sort of result it is: the word before the digits of its key."""
        return kind_of(self.key)


_PROTECTORS: list[Callable[[Entry], bool]] = []


def protect_by(rule: Callable[[Entry], bool]) -> None:
    """Throw out no pinned entry of which this says that another visitor needs it."""
    _PROTECTORS[:] = [rule]


class Store:
    """Results in one folder, at most ``cap_bytes`` of them; those not used for longest go first.

    Parameters
    ----------
    root
        The folder; made when the first result is kept.
    cap_bytes
        Most that all entries together may take, in bytes.
    pinned
        Kinds that go only when nothing else is left to go.
    """

    def __init__(self, root: Path | str, cap_bytes: int = CAP_BYTES, pinned: frozenset[str] = PINNED) -> None:
        self.root = Path(root)
        self.cap_bytes = cap_bytes
        self.pinned = pinned
        self._held = Held()
        self._why = ""
        self._total, self._look_at = 0, 0.0

    def get(self, key: str) -> Result | None:
        """The result kept under a key; None if there is none, or it was damaged (then it is removed)."""
        path = self._path(key)
        try:
            found = entry.read(path, key)
        except DamagedError as damage:
            logger.warning("%s; it is removed and will be computed again", damage)
            self.remove(key)
            return None
        except OSError:
            return self._held.get(key)
        entry.touch(path)
        return found

    def put(self, key: str, arrays: Mapping[str, Array], meta: Mapping[str, object] | None = None) -> Result:
        """Keep a result, throw out old ones over the cap, and return it as it will be read back.

        Raises
        ------
        StoreError
            If it alone is larger than the cap, or cannot be written.
        ShapeError, ParameterError
            If it holds something that cannot be kept.
        """
        check_key(key)
        kept = entry.result(arrays, meta or {})
        self._keep(key, kept)
        return kept

    def keep(self, key: str, arrays: Mapping[str, Array], meta: Mapping[str, object] | None = None) -> Result:
        """As ``put``, but what cannot be written is held in memory until the program ends.

        A result that took hours is not lost to a full disk; ``trouble`` says that it is not kept.
        """
        check_key(key)
        kept = entry.result(arrays, meta or {})
        try:
            self._keep(key, kept)
        except StoreError as reason:
            logger.warning("%s It is held in memory until the program ends.", reason)
            self._held.add(key, kept)
            self._why = str(reason)
        else:
            self._held.drop(key)
            self._settle()
        return kept

    @property
    def trouble(self) -> str:
        """Why results are held in memory, as a sentence or two; empty where all of them are kept."""
        return self._why if self._held else ""

    def cached(
        self, key: str, compute: Callable[[], tuple[Mapping[str, Array], Mapping[str, object]]]
    ) -> Result:
        """The result kept under a key, else computed now and kept as ``keep`` does."""
        found = self.get(key)
        return self.keep(key, *compute()) if found is None else found

    def has(self, key: str) -> bool:
        """Whether there is an entry under a key, damaged or not, or a result in memory."""
        return self._path(key).is_file() or key in self._held

    def remove(self, key: str) -> None:
        """Throw out the entry under a key, if there is one."""
        self._held.drop(key)
        # On Windows a file that another process is reading stays; it is tried again another time.
        with suppress(FileNotFoundError, PermissionError):
            self._path(key).unlink()

    def size(self) -> int:
        """Bytes that all entries take together."""
        return sum(found.bytes for found in self.entries())

    def entries(self) -> list[Entry]:
        """All entries, the one not used for longest first."""
        found = []
        for path in self.root.glob(f"*{entry.SUFFIX}"):
            if is_key(path.stem):
                with suppress(FileNotFoundError):
                    status = path.stat()
                    found.append(Entry(path.stem, status.st_size, status.st_mtime_ns))
        return sorted(found, key=lambda one: (one.used, one.key))

    def _path(self, key: str) -> Path:
        check_key(key)
        return self.root / f"{key}{entry.SUFFIX}"

    def _keep(self, key: str, kept: Result) -> None:
        path, raw = self._path(key), entry.pack(key, kept)
        if len(raw) > self.cap_bytes:
            raise StoreError(
                f"The result {key} takes {size(len(raw))} and the store keeps at most "
                f"{size(self.cap_bytes)}. Use fewer rows, or a store with a larger cap."
            )
        try:
            self.root.mkdir(parents=True, exist_ok=True)
            entry.write(path, raw)
        except OSError as reason:
            raise StoreError(
                f"The result {key} ({size(len(raw))}) cannot be written to {self.root.name}/ "
                f"({reason.strerror}). Free some space there, or set RELVIZ_CACHE to another folder."
            ) from reason
        entry.touch(path)
        if kind_of(key) != CHECKPOINT:
            self.remove(checkpoint_key(key))
        self._evict(spare=key, added=len(raw))

    def _settle(self) -> None:
        """Write what is held in memory, now that something could be written."""
        for key, result in self._held.items():
            if sum(x.nbytes for x in result.arrays.values()) < self.cap_bytes:
                with suppress(StoreError):
                    self._keep(key, result)
                    self._held.drop(key)

    def _evict(self, spare: str, added: int) -> None:
        self._total += added
        if time.monotonic() < self._look_at and self._total < _CLEARLY * self.cap_bytes:
            return
        entries, protected = self._looked_at(), False
        excess = self._total - self.cap_bytes
        for one in sorted(entries, key=lambda one: one.kind in self.pinned):  # stable: oldest first
            if excess <= 0:
                return
            if one.key == spare:
                continue
            if one.kind in self.pinned and any(rule(one) for rule in _PROTECTORS):
                protected = True
                continue
            self.remove(one.key)
            excess -= one.bytes
        if protected and excess > 0:
            self._path(spare).unlink(missing_ok=True)
            raise StoreError(
                f"The store of {size(self.cap_bytes)} is full of what other visitors have brought. Try "
                "again tomorrow, or ask for a larger store."
            )

    def _looked_at(self) -> list[Entry]:
        """All entries, oldest first: how much there is, and when to look again."""
        began = time.monotonic()
        entries = self.entries()
        self._total = sum(one.bytes for one in entries) + entry.sweep(self.root)
        now = time.monotonic()
        self._look_at = now + max(_LOOK_SECONDS, _LOOK_SHARE * (now - began))
        return entries


def default_store() -> Store:
    """The store that the app uses: ``RELVIZ_CACHE``, else ``cache/`` of a clone or the user's cache folder.

    Where that folder cannot be written, results are kept in a temporary one until the program ends;
    the log says so.
    """
    return _CHOSEN[-1] if _CHOSEN else _store_at(os.environ.get("RELVIZ_CACHE"))


_CHOSEN: list[Store] = []


def use_store(chosen: Store) -> None:
    """From now on the default store of this process is this one, whether it can be written or not."""
    _CHOSEN[:] = [chosen]


@cache
def _store_at(chosen: str | None) -> Store:
    return Store(results_folder(chosen))

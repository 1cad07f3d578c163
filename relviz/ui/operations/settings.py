"""The one settings file of a server: relviz.toml, whose defaults suit a laptop.

It is the file that ``RELVIZ_SETTINGS`` names, else ``relviz.toml`` of the clone or of the user's settings
folder.
"""

import os
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Literal, TypeVar

from relviz.compute.installation import clone
from relviz.compute.queue import Limits
from relviz.errors import ParameterError

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

T = TypeVar("T", bound="DataclassInstance")

NAME = "relviz.toml"
Answered = Literal["nobody", "this machine", "everybody"]


@dataclass(frozen=True)
class StoreSettings:
    """Where results are kept.

    Attributes
    ----------
    folder
        Empty: ``RELVIZ_CACHE``, else the usual folder.
    gigabytes
        Most that they take together.
    """

    folder: str = ""
    gigabytes: float = 2.0


@dataclass(frozen=True)
class WorkSettings:
    """What heavy runs may take.

    Attributes
    ----------
    workers
        Processes that compute at the same time; 0: threads of the server, as in a script.
    begun, begun_each
        Runs that hold memory, in all and of one visitor; they take turns on the workers.
    waiting, waiting_each
        Unfinished runs of any kind, in all and of one visitor; more are refused.
    minutes
        How long a run may compute; 0: as long as it takes.
    orphan_minutes
        How long a run goes on after its visitor left, unless they asked for it to be kept; 0: to its end.
    drain_seconds
        How long a server that is being ended waits for its runs.
    cluster
        Address of a Dask scheduler, whose workers compute in place of processes of the server; the variable
        ``RELVIZ_CLUSTER`` goes before it.
    """

    workers: int = 1
    begun: int = 4
    begun_each: int = 2
    waiting: int = 500
    waiting_each: int = 50
    minutes: float = 0.0
    orphan_minutes: float = 0.0
    drain_seconds: float = 3.0
    cluster: str = ""

    def limits(self) -> Limits:
        """As the queue takes them."""
        return Limits(
            max(1, self.workers),
            self.begun,
            self.begun_each,
            self.waiting,
            self.waiting_each,
            60 * self.minutes or None,
        )


@dataclass(frozen=True)
class QuotaSettings:
    """What visitors may bring and keep.

    Attributes
    ----------
    upload_megabytes
        Of one uploaded file.
    uploads_megabytes_each
        Of all uploaded files that the open pages of one visitor hold in memory.
    embedding_gigabytes
        Memory that the vectors of one embedding may take.
    opened_gigabytes
        Memory that the embeddings that are open may take, of all visitors; those not used for longest are
        closed.
    stored_gigabytes_each
        Disk that the embeddings and images of one visitor may take; 0: what the whole store may.
    """

    upload_megabytes: int = 500
    uploads_megabytes_each: int = 2000
    embedding_gigabytes: float = 2.0
    opened_gigabytes: float = 2.0
    stored_gigabytes_each: float = 0.0

    def embedding_bytes(self) -> int:
        """As the readers take it."""
        return max(1, round(self.embedding_gigabytes * 2**30))


@dataclass(frozen=True)
class VisitorSettings:
    """Who a visitor is.

    Attributes
    ----------
    known_by
        ``"cookie"``: the browser. ``"login"``: the user of ``st.login``. ``"header"``: the user whom a proxy
        names.
    header
        Its name.
    proxies
        Addresses from which it is believed; from others it is removed.
    """

    known_by: Literal["cookie", "login", "header"] = "cookie"
    header: str = "X-Forwarded-User"
    proxies: tuple[str, ...] = ("127.0.0.1", "::1")


@dataclass(frozen=True)
class LogSettings:
    """What the log has: from which level on, as lines of ``"text"`` or of ``"json"``."""

    level: Literal["DEBUG", "INFO", "WARNING", "ERROR"] = "INFO"
    format: Literal["text", "json"] = "text"


@dataclass(frozen=True)
class MetricsSettings:
    """Who may read ``/metrics``."""

    answered: Answered = "this machine"


@dataclass(frozen=True)
class Settings:
    """All of them."""

    store: StoreSettings = field(default_factory=StoreSettings)
    work: WorkSettings = field(default_factory=WorkSettings)
    quotas: QuotaSettings = field(default_factory=QuotaSettings)
    visitors: VisitorSettings = field(default_factory=VisitorSettings)
    log: LogSettings = field(default_factory=LogSettings)
    metrics: MetricsSettings = field(default_factory=MetricsSettings)


@cache
def settings() -> Settings:
    """Those of this server; ParameterError if the file cannot be read or says what is not known."""
    path = settings_file()
    return Settings() if path is None else read_settings(path)


def settings_file() -> Path | None:
    """The file that counts, if there is one."""
    chosen = os.environ.get("RELVIZ_SETTINGS")
    if chosen:
        return Path(chosen)
    from platformdirs import user_config_path

    folder = clone() or user_config_path("relviz", appauthor=False)
    return folder / NAME if (folder / NAME).is_file() else None


def read_settings(path: Path) -> Settings:
    """What a file says, over the defaults.

    Raises
    ------
    ParameterError
        If it cannot be read, or has a section, a name or a value that is not known.
    """
    try:
        given = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as reason:
        raise ParameterError(f"The settings {path} cannot be read: {reason}.") from reason
    sections = {one.name: one.default_factory for one in fields(Settings)}
    unknown = sorted(set(given) - set(sections))
    if unknown:
        known = ", ".join(f"[{name}]" for name in sections)
        raise ParameterError(f"{path} has a section [{unknown[0]}]; relviz knows {known}.")
    made = {
        name: _section(path, name, section(), given.get(name, {}))  # type: ignore[operator]  # have one
        for name, section in sections.items()
    }
    return Settings(**made)


def _section(path: Path, section: str, defaults: T, given: object) -> T:
    where = f"{path}, [{section}]"
    if not isinstance(given, Mapping):
        raise ParameterError(f"{where}: must be a section.")
    known = {one.name: one.type for one in fields(defaults)}
    values = {}
    for name, value in given.items():
        if name not in known:
            raise ParameterError(f"{where}: {name} is not known; it has {', '.join(known)}.")
        values[name] = _value(f"{where}: {name}", value, known[name], getattr(defaults, name))
    return replace(defaults, **values)


def _value(where: str, value: object, hint: object, default: object) -> object:
    options = getattr(hint, "__args__", ()) if getattr(hint, "__origin__", None) is Literal else ()
    if options:
        if value not in options:
            raise ParameterError(f"{where} must be one of {', '.join(map(repr, options))}; it is {value!r}.")
        return value
    if isinstance(default, tuple):
        if not isinstance(value, list) or not all(isinstance(one, str) for one in value):
            raise ParameterError(f"{where} must be a list of texts; it is {value!r}.")
        return tuple(value)
    if isinstance(default, str):
        if not isinstance(value, str):
            raise ParameterError(f"{where} must be text; it is {value!r}.")
        return value
    whole = isinstance(default, int)
    if isinstance(value, bool) or not isinstance(value, int if whole else int | float) or value < 0:
        kind = "a whole number" if whole else "a number"
        raise ParameterError(f"{where} must be {kind}, 0 or more; it is {value!r}.")
    return value if whole else float(value)

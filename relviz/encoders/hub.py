"""Models of the Hugging Face hub: which are on this machine, and fetching one."""

import os
import re
import socket
import threading
import urllib.parse
import urllib.request
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path, PurePosixPath

from relviz.encoders.bundled import installed_encoders
from relviz.encoders.encoder import OnProgress
from relviz.encoders.files import SETTINGS, NotWhole
from relviz.encoders.folder import look_into
from relviz.errors import Error, ParameterError, ReadError
from relviz.wording import count

_PART = r"[A-Za-z0-9](?:[A-Za-z0-9._-]{0,94}[A-Za-z0-9_])?"
_ID = re.compile(f"{_PART}/{_PART}")


def is_hub_id(name: str) -> bool:
    """Whether a name has the shape of a model's on the hub, "org/name".

    >>> is_hub_id("google-bert/bert-base-uncased"), is_hub_id("../bert"), is_hub_id("bert")
    (True, False, False)
    """
    return (
        len(name) <= 96 and _ID.fullmatch(name) is not None and not any(two in name for two in ("..", "--"))
    )


def hub_folder(name: str) -> Path | None:
    """Where a model of the hub lies on this machine, whole; None if it does not, or is no "org/name"."""
    if not is_hub_id(name):
        return None
    for folder in _snapshots(name):
        try:
            look_into(folder)
        except NotWhole:
            continue
        except ReadError:
            pass  # it is there; who loads it is told why that cannot be
        return folder
    return None


def _snapshots(name: str) -> list[Path]:
    """Every version of a model in the cache: the one of its main branch first, then from the newest on."""
    from huggingface_hub import constants

    cache = os.environ.get("HF_HUB_CACHE") or constants.HF_HUB_CACHE
    place = Path(cache).expanduser() / f"models--{name.replace('/', '--')}"
    try:
        found = [folder for folder in (place / "snapshots").iterdir() if folder.is_dir()]
        found.sort(key=lambda folder: -folder.stat().st_mtime_ns)
        main = (
            (place / "refs" / "main").read_text("utf-8").strip()
            if (place / "refs" / "main").is_file()
            else ""
        )
    except (OSError, UnicodeDecodeError):
        return []
    return sorted(found, key=lambda folder: folder.name != main)


MAX_BYTES = 20_000_000_000
"""A model with larger files is not fetched."""
REACH = 4.0
"""Seconds within which the hub must be reached."""
ANSWER = 4.5
"""Seconds within which it must answer, again and again while a file comes."""
_TENSORS = r"(-\d+-of-\d+)?\.safetensors(\.index\.json)?"
_BINARY = r"pytorch_model(-\d+-of-\d+)?\.bin(\.index\.json)?"
_MODULE = re.compile(r"\d+_\w+")


def fetch_from_hub(name: str, on_progress: OnProgress | None = None) -> Path:
    """Bring a model to the local cache, and say where it lies: ``load_encoder(name)`` then finds it.

    What lies there already is not asked for again.
    Safetensors, or pytorch_model.bin where there are none; settings and vocabularies; never program code.

    Parameters
    ----------
    name
        "org/name".
    on_progress
        Called with the fraction of the bytes after every file; it may raise to stop.

    Raises
    ------
    ParameterError
        If the name has another shape, use of the hub is off (``HF_HUB_OFFLINE=1`` or ``RELVIZ_HUB=off``), the
        hub cannot be reached within ``REACH`` seconds, it has no such model, or more than ``MAX_BYTES``.
    """
    if not is_hub_id(name):
        raise ParameterError(f"Hub models are named org/name; {name[:100]!r} is not.")
    there = hub_folder(name)
    if there is not None:
        return there
    if is_hub_off():
        raise ParameterError(
            f"{name} was not fetched: the hub is disabled (HF_HUB_OFFLINE or RELVIZ_HUB). {without()}"
        )
    _probe(_endpoint())
    with _asking(name):
        from huggingface_hub import HfApi

        api = HfApi(endpoint=_endpoint())
        about = api.model_info(name, files_metadata=True, timeout=ANSWER)
    sizes = {one.rfilename: one.size for one in about.siblings or ()}
    files = wanted_files(list(sizes))
    if not any(re.search(r"\.(safetensors|bin)$", file) for file in files):
        raise ParameterError(
            f"{name} has no safetensors and no pytorch_model.bin, so it cannot be read. {without()}"
        )
    total = sum(sizes[file] or 0 for file in files)
    if total > MAX_BYTES or any(sizes[file] is None for file in files):
        raise ParameterError(
            f"{name} has files of {count(total)} bytes; the limit is {count(MAX_BYTES)}. Use a smaller one."
        )
    done = 0
    for file in files:
        with _asking(name):
            api.hf_hub_download(name, file, revision=about.sha, etag_timeout=ANSWER)
        done += sizes[file] or 0
        if on_progress:
            on_progress(done / max(1, total))
    folder = hub_folder(name)
    if folder is None:
        raise ParameterError(
            f"{name} was fetched, but is not a complete model of texts or images. {without()}"
        )
    return folder


def is_hub_off() -> bool:
    """Whether the environment says that the hub is not to be asked."""
    offline = os.environ.get("HF_HUB_OFFLINE", "").upper() in ("1", "ON", "YES", "TRUE")
    return offline or os.environ.get("RELVIZ_HUB", "").lower() in ("off", "0", "no")


def without() -> str:
    """What works without the hub, in a sentence."""
    return (
        f"Without it: {', '.join(installed_encoders())}, which are installed, or the path of a folder with a "
        "model of your own."
    )


def wanted_files(names: Sequence[str]) -> list[str]:
    """Of a model's files those that are read here, settings first."""
    places: dict[str, list[str]] = {}
    for name in names:
        parts = PurePosixPath(name).parts
        if len(parts) == 1 or (len(parts) == 2 and _MODULE.fullmatch(parts[0])):
            places.setdefault("" if len(parts) == 1 else parts[0], []).append(name)
    found, tensors = [], []
    for inside in places.values():
        ends = {name: PurePosixPath(name).name for name in inside}
        whole = [name for name in inside if ends[name] == "model.safetensors"]
        parted = [name for name in inside if re.fullmatch("model" + _TENSORS, ends[name])]
        binary = [name for name in inside if re.fullmatch(_BINARY, ends[name])]
        single = [name for name in binary if ends[name] == "pytorch_model.bin"]
        tensors += whole or parted or single or binary
        found += [
            name
            for name in inside
            if ends[name].endswith(SETTINGS) and not ends[name].endswith(".index.json")
        ]
    return sorted(found) + sorted(tensors)


def _endpoint() -> str:
    return os.environ.get("HF_ENDPOINT", "https://huggingface.co").rstrip("/")


def _probe(endpoint: str) -> None:
    """Raise ParameterError unless the hub, or the proxy before it, takes a connection in ``REACH`` seconds.

    In a thread of its own: looking up a name has no limit of time.
    """
    place = urllib.parse.urlsplit(endpoint)
    proxy = urllib.request.getproxies().get(place.scheme)
    if proxy and not urllib.request.proxy_bypass(place.hostname or ""):
        place = urllib.parse.urlsplit(proxy if "://" in proxy else f"http://{proxy}")
    reached = threading.Event()

    def connect() -> None:
        with (
            suppress(OSError, ValueError),
            socket.create_connection((place.hostname, _port(place)), timeout=REACH),
        ):
            reached.set()

    thread = threading.Thread(target=connect, name="hub probe", daemon=True)
    thread.start()
    thread.join(REACH)
    if not reached.is_set():
        raise ParameterError(
            f"The Hugging Face hub ({place.hostname}) cannot be reached from here. {without()}"
        )


def _port(place: urllib.parse.SplitResult) -> int:
    return place.port or (80 if place.scheme == "http" else 443)


@contextmanager
def _asking(name: str) -> Iterator[None]:
    """No bars; whatever the hub's library raises leaves as one ParameterError."""
    from huggingface_hub import errors
    from huggingface_hub.utils import are_progress_bars_disabled, disable_progress_bars, enable_progress_bars

    hidden = are_progress_bars_disabled()
    disable_progress_bars()
    try:
        yield
    except Error:
        raise
    except errors.GatedRepoError:
        raise ParameterError(
            f"{name} is gated: request access on its page, then run hf auth login. {without()}"
        ) from None
    except errors.RepositoryNotFoundError:
        raise ParameterError(
            f"The Hugging Face hub has no model {name}, or it is private. {without()}"
        ) from None
    except Exception as reason:  # of sockets, certificates, proxies, files: many kinds, one meaning
        said = " ".join(str(reason).split())[:200]
        raise ParameterError(
            f"{name} could not be fetched ({type(reason).__name__}: {said}). Try again later. {without()}"
        ) from reason
    finally:
        if not hidden:
            enable_progress_bars()

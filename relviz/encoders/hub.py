"""The local cache of the Hugging Face hub: which models lie there. No network is asked."""

import os
import re
from pathlib import Path

from relviz.encoders.files import NotWhole
from relviz.encoders.folder import look_into
from relviz.errors import ReadError

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

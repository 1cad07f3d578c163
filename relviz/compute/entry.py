"""One entry of the store as files: arrays, texts and metadata, checked when they are read."""

import json
import logging
import os
import platform
import tempfile
import time
import zlib
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import torch
from safetensors import safe_open
from safetensors.numpy import save
from torch import Tensor

from relviz.compute.key import array_digest, plain, value_digest
from relviz.errors import ParameterError, ShapeError

SUFFIX = ".safetensors"
TEMPORARY = ".tmp"

logger = logging.getLogger(__name__)

_STALE_SECONDS = 3600.0
_MACHINE = f"{zlib.crc32(platform.node().encode()):08x}"

Array = np.ndarray | Tensor


class DamagedError(Exception):
    """A file that does not hold what was written to it."""


@dataclass(frozen=True, eq=False)
class Result:
    """What a computation gave: named arrays, and whatever else fits in JSON.

    Every read makes its own arrays; changing them changes nothing in the store.
    """

    arrays: dict[str, np.ndarray]
    meta: dict[str, Any] = field(default_factory=dict)


def result(arrays: Mapping[str, Array], meta: Mapping[str, object]) -> Result:
    """The result as it will be read back: its own numpy arrays, JSON values.

    Raises
    ------
    ShapeError
        If an array does not hold numbers or truth values.
    ParameterError
        If an array's name is not a word, or ``meta`` holds what JSON cannot.
    """
    return Result({name: _own(name, x) for name, x in arrays.items()}, plain(dict(meta), "meta"))


def pack(key: str, entry: Result) -> bytes:
    """The bytes of the file that holds the entry."""
    meta = json.dumps(entry.meta)
    return save(entry.arrays, {"meta": meta, "digest": _digest(key, entry.arrays, meta)})


def holds(path: Path, key: str, entry: Result) -> bool:
    """Whether the file at ``path`` holds this entry, in whatever order its format keeps names."""
    try:
        kept = read(path, key)
    except (DamagedError, OSError):
        return False
    return digest(key, kept) == digest(key, entry)


def digest(key: str, entry: Result) -> str:
    """Of every bit of an entry, its key and its metadata."""
    return _digest(key, entry.arrays, json.dumps(entry.meta))


def write(path: Path, raw: bytes) -> None:
    """Put the bytes at ``path``, whole or not at all."""
    writer = f".{path.stem}-{_MACHINE}-{os.getpid()}-"
    handle, temporary = tempfile.mkstemp(TEMPORARY, writer, path.parent)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(raw)
        # Not flushed to the disk: what a power cut leaves behind does not pass its digest.
        os.replace(temporary, path)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise


def read(path: Path, key: str) -> Result:
    """The entry at ``path``.

    Raises
    ------
    DamagedError
        If it is not, to the last bit, what was written under this key.
    OSError
        If it is absent or cannot be read.
    """
    try:
        with safe_open(path, framework="numpy") as file:
            header = file.metadata() or {}
            arrays = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118  # not a dict
        meta, digest = header["meta"], header["digest"]
    except (OSError, MemoryError):
        raise
    except Exception as reason:  # damaged bytes fail in whatever way the format's reader does
        raise DamagedError(f"{path.name} cannot be read: {reason}") from reason
    if digest != _digest(key, arrays, meta):
        raise DamagedError(f"{path.name} is not what was written under that name")
    return Result(arrays, json.loads(meta))


def touch(path: Path) -> None:
    """Mark a file as used now."""
    with suppress(OSError):  # it may have been thrown out meanwhile
        os.utime(path, ns=(time.time_ns(),) * 2)


def sweep(folder: Path) -> int:
    """Remove what writers that died left behind; the bytes that others are writing."""
    left = 0
    for path in folder.glob(f".*{TEMPORARY}"):
        with suppress(OSError):
            status = path.stat()
            if _writer_died(path.name) or time.time() - status.st_mtime > _STALE_SECONDS:
                path.unlink()
                logger.info("%s, %d bytes of a writer that ended, is removed", path.name, status.st_size)
            else:
                left += status.st_size
    return left


def _writer_died(name: str) -> bool:
    """Whether the process that wrote a temporary file is gone; one of another machine is not known."""
    machine, _, process = name.rpartition("-")[0].rpartition("-")
    if os.name != "posix" or not machine.endswith(_MACHINE) or not process.isdecimal():
        return False
    try:
        os.kill(int(process), 0)
    except ProcessLookupError:
        return True
    except OSError:
        return False
    return False


def _own(name: str, x: Array) -> np.ndarray:
    if not isinstance(name, str) or name == "__metadata__":
        raise ParameterError(f"An array cannot be named {name!r}; use a word.")
    if isinstance(x, Tensor):
        x = (x.float() if x.dtype == torch.bfloat16 else x).detach().cpu().numpy()
    array = np.asarray(x)
    if array.dtype.kind not in "fiub" or array.dtype.itemsize > 8:
        raise ShapeError(
            f"The array {name!r} must hold numbers of at most 64 bits; its dtype is {array.dtype}. "
            "Text belongs in meta."
        )
    return np.array(array, dtype=array.dtype.newbyteorder("="), order="C")


def _digest(key: str, arrays: Mapping[str, np.ndarray], meta: str) -> str:
    return value_digest([key, meta, {name: array_digest(x) for name, x in arrays.items()}])

"""Content digests: the same bytes give the same name, whatever they are called."""

import hashlib
import json
from collections.abc import Iterable
from typing import Any

import numpy as np
from torch import Tensor


def array_digest(x: Tensor | np.ndarray) -> str:
    """Digest of every element of an array of numbers, its dtype and its shape (32 hex digits)."""
    array = x.detach().cpu().numpy() if isinstance(x, Tensor) else x
    if array.dtype.hasobject:
        raise TypeError("An array of Python objects has no content digest.")
    array = np.ascontiguousarray(array)
    head = f"{array.dtype.str}{array.shape}".encode()
    return _hex(head + array.tobytes())


def text_digest(texts: Iterable[str] | None) -> str:
    """Digest of a sequence of strings; their borders count, and none is not an empty one."""
    digest = hashlib.blake2b(b"" if texts is None else b"texts", digest_size=16)
    for text in texts or ():
        raw = text.encode("utf-8", "surrogatepass")
        digest.update(len(raw).to_bytes(8, "little") + raw)
    return digest.hexdigest()


def files_digest(contents: Iterable[bytes]) -> str:
    """Digest of a sequence of files' contents, in their order; their borders count."""
    digest = hashlib.blake2b(b"files", digest_size=16)
    for content in contents:
        digest.update(len(content).to_bytes(8, "little"))
        digest.update(content)
    return digest.hexdigest()


def value_digest(value: Any) -> str:
    """Digest of a JSON-like value: dictionaries by content, not by order.

    Raises
    ------
    TypeError
        If something in it is not text, a number, a truth value, None, a list or a dictionary.
    """
    raw = json.dumps(value, sort_keys=True, ensure_ascii=False)
    return _hex(raw.encode("utf-8", "surrogatepass"))


def _hex(raw: bytes) -> str:
    return hashlib.blake2b(raw, digest_size=16).hexdigest()

"""Content digests: the same bytes give the same name, whatever they are called."""

import hashlib
import json
from collections.abc import Iterable
from typing import Any

import numpy as np
from torch import Tensor


def array_digest(x: Tensor | np.ndarray) -> str:
    """Digest of every element of an array, its dtype and its shape (32 hex digits)."""
    array = x.detach().cpu().numpy() if isinstance(x, Tensor) else x
    array = np.ascontiguousarray(array)
    head = f"{array.dtype.str}{array.shape}".encode()
    return hashlib.blake2b(head + array.tobytes(), digest_size=16).hexdigest()


def text_digest(texts: Iterable[str] | None) -> str:
    """Digest of a sequence of strings; their borders count."""
    digest = hashlib.blake2b(digest_size=16)
    for text in texts or ():
        raw = text.encode("utf-8", "surrogatepass")
        digest.update(len(raw).to_bytes(8, "little") + raw)
    return digest.hexdigest()


def value_digest(value: Any) -> str:
    """Digest of a JSON-like value: dictionaries by content, not by order."""
    raw = json.dumps(value, sort_keys=True, ensure_ascii=False, default=str).encode()
    return hashlib.blake2b(raw, digest_size=16).hexdigest()

"""The name of a result: made of everything that the result depends on."""

import hashlib
import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from torch import Tensor

from relviz.compute.version import code_version
from relviz.errors import ParameterError


def array_digest(x: Tensor | np.ndarray) -> str:
    """Digest of every element of an array of numbers, its dtype and its shape (32 hex digits)."""
    array = x.detach().cpu().numpy() if isinstance(x, Tensor) else x
    if array.dtype.hasobject:
        raise TypeError("An array of Python objects has no content digest.")
    array = np.ascontiguousarray(array)
    digest = hashlib.blake2b(f"{array.dtype.str}{array.shape}".encode(), digest_size=16)
    digest.update(array.reshape(-1).view(np.uint8).data)
    return digest.hexdigest()


def text_digest(texts: Iterable[str] | None) -> str:
    """Digest of a sequence of strings; their borders count, and none is not an empty one."""
    digest = hashlib.blake2b(b"" if texts is None else b"texts", digest_size=16)
    for text in texts or ():
        raw = text.encode("utf-8", "surrogatepass")
        digest.update(len(raw).to_bytes(8, "little") + raw)
    return digest.hexdigest()


@dataclass(frozen=True)
class Strings:
    """Texts that a result depends on, of any number; identified by their digest."""

    values: tuple[str, ...] | None

    @cached_property
    def digest(self) -> str:
        """Content digest: none is not an empty one."""
        return text_digest(self.values)


def strings(texts: Sequence[str] | None) -> Strings:
    """Texts as an argument of a task."""
    return Strings(None if texts is None else tuple(texts))


def files_digest(contents: Iterable[bytes]) -> str:
    """Digest of a sequence of files' contents, in their order; their borders count."""
    digest = hashlib.blake2b(b"files", digest_size=16)
    for content in contents:
        digest.update(len(content).to_bytes(8, "little"))
        digest.update(content)
    return digest.hexdigest()


def value_digest(value: object) -> str:
    """Digest of a JSON-like value: dictionaries by content, not by order.

    Raises
    ------
    TypeError
        If something in it is not text, a number, a truth value, None, a list or a dictionary.
    """
    raw = json.dumps(value, sort_keys=True, ensure_ascii=False)
    return hashlib.blake2b(raw.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()


_KIND = "[a-z][a-z0-9_-]{0,63}"
_KEY = f"{_KIND}-[0-9a-f]{{32}}"


def result_key(
    kind: str, inputs: Sequence[str], parameters: Mapping[str, object], seed: int | None = None
) -> str:
    """The name of a result: ``kind`` and 32 hex digits of everything that it depends on.

    Parameters
    ----------
    kind
        What sort of result it is, in lower case: ``"umap"``.
    inputs
        Content digests of what it is computed from; their order counts.
    parameters
        Options, as JSON would hold them; their order does not count.
    seed
        Of the random choices, if there are any.

    Raises
    ------
    ParameterError
        If ``kind`` is not such a word, an input is not text, or a parameter does not fit in JSON.

    Examples
    --------
    >>> result_key("umap", ["9f0c"], {"k": 15}) == result_key("umap", ["9f0c"], {"k": 16})
    False
    """
    if not re.fullmatch(_KIND, kind):
        raise ParameterError(f"A kind is a lower-case word such as 'umap'; got {kind!r}.")
    if isinstance(inputs, str) or not all(isinstance(name, str) for name in inputs):
        raise ParameterError(f"inputs must be a list of content digests; got {inputs!r:.80}.")
    options = plain(dict(parameters), "parameters")
    seed = plain(seed, "seed")
    return f"{kind}-{value_digest([list(inputs), options, seed, code_version()])}"


def recipe_key(kind: str, parameters: Mapping[str, object]) -> str:
    """As ``result_key``, but the same whatever the version of the code: what packed results are found by."""
    return f"{kind}-{value_digest(plain(dict(parameters), 'parameters'))}"


def is_key(text: str) -> bool:
    """Whether a text has the form of a key; such a text is safe as the name of a file."""
    return re.fullmatch(_KEY, text) is not None


def check_key(text: str) -> None:
    """Raise ParameterError unless a text has the form of a key."""
    if not is_key(text):
        raise ParameterError(
            f"A key is a kind, '-' and 32 hex digits, as result_key gives; got {text!r:.80}."
        )


def kind_of(key: str) -> str:
    """What sort of result a key names: the part before its digits."""
    return key.rpartition("-")[0]


CHECKPOINT = "checkpoint"
"""The kind of what a run that is not done keeps."""


def checkpoint_key(key: str) -> str:
    """What the run that makes the result of that key keeps its checkpoint under."""
    check_key(key)
    return f"{CHECKPOINT}-{key.rpartition('-')[2]}"


def plain(value: object, name: str) -> Any:
    """A value as JSON would give it back: numpy numbers as Python's, tuples as lists.

    NaN and infinities stay what they are.

    Raises
    ------
    ParameterError
        If something in it is neither text, a number, a truth value, None, a list nor a dictionary
        with text for keys.
    """
    if isinstance(value, np.generic):
        value = value.item()
    if value is None or isinstance(value, bool | int | float | str):
        return value
    if isinstance(value, list | tuple):
        return [plain(item, f"{name}[{i}]") for i, item in enumerate(value)]
    if isinstance(value, Mapping):
        wrong = next((key for key in value if not isinstance(key, str)), None)
        if wrong is not None:
            raise ParameterError(f"The keys of {name} must be text; one is {wrong!r}.")
        return {key: plain(item, f"{name}[{key!r}]") for key, item in value.items()}
    raise ParameterError(
        f"{name} must be text, a number, a list or a dictionary; it is a {type(value).__name__}. "
        "Arrays belong among the arrays of a result, and enter a key by their digest."
    )

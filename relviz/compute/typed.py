"""Typed results as entries of the store: what a dataclass holds, as named arrays and as JSON."""

from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from functools import cache
from types import NoneType, UnionType
from typing import Any, TypeAlias, TypeVar, Union, cast, get_args, get_origin, get_type_hints

import numpy as np
import torch
from torch import Tensor

from relviz.compute.entry import Array, Result
from relviz.compute.key import plain
from relviz.errors import ParameterError

T = TypeVar("T")
Hint: TypeAlias = Any
"""A type hint, as ``typing`` gives it."""
Made = tuple[Mapping[str, Array], Mapping[str, Any]]
"""Arrays and JSON-safe values, as the store takes them."""

_ARRAYS = (np.ndarray, Tensor)


def pack(value: object) -> Made:
    """A dataclass as the store takes it.

    Fields that are arrays, wherever they are nested, become arrays named by their path (``"a.points"``,
    ``"runs.0.points"``); everything else must fit in JSON.

    Raises
    ------
    ParameterError
        If the value is no dataclass, or one of its fields is neither an array nor fits in JSON.
    """
    kind = type(value)
    if not is_dataclass(value) or isinstance(value, type):
        raise ParameterError(f"A result is a dataclass; this is a {kind.__name__}.")
    arrays: dict[str, Array] = {}
    return arrays, {name: _packed(item, hint, name, arrays) for name, hint, item in _items(value)}


def unpack(kind: type[T], result: Result) -> T:
    """The dataclass that ``pack`` took apart."""
    values = {
        name: _unpacked(result.meta.get(name), hint, name, result.arrays)
        for name, hint in _hints(cast(Hint, kind)).items()
    }
    return kind(**values)


def _packed(value: object, hint: Hint, path: str, arrays: dict[str, Array]) -> Any:
    hint = _without_none(hint)
    if value is None:
        return None
    if isinstance(value, _ARRAYS):
        arrays[path] = value
        return True
    if is_dataclass(value) and not isinstance(value, type):
        return {name: _packed(item, of, f"{path}.{name}", arrays) for name, of, item in _items(value)}
    if isinstance(value, list | tuple) and _holds_more(hint):
        hints = _of_items(hint, len(value))
        return [
            _packed(item, of, f"{path}.{at}", arrays)
            for at, (of, item) in enumerate(zip(hints, value, strict=True))
        ]
    if isinstance(value, Mapping) and _holds_more(hint):
        of = get_args(hint)[1]
        return {key: _packed(item, of, f"{path}.{key}", arrays) for key, item in value.items()}
    return plain(value, path)


def _unpacked(value: Any, hint: Hint, path: str, arrays: Mapping[str, np.ndarray]) -> Any:
    hint = _without_none(hint)
    if value is None:
        return None
    if _is_numpy(hint):
        return arrays[path]
    if hint is Tensor:
        return torch.from_numpy(arrays[path])
    if isinstance(hint, type) and is_dataclass(hint):
        return hint(
            **{
                name: _unpacked(value.get(name), of, f"{path}.{name}", arrays)
                for name, of in _hints(hint).items()
            }
        )
    origin: object = get_origin(hint)
    if origin in (list, tuple) and isinstance(value, list):
        hints = _of_items(hint, len(value))
        found = [
            _unpacked(item, of, f"{path}.{at}", arrays)
            for at, (of, item) in enumerate(zip(hints, value, strict=True))
        ]
        return tuple(found) if origin is tuple else found
    if origin in (dict, Mapping) and isinstance(value, dict):
        of = get_args(hint)[1]
        return {key: _unpacked(item, of, f"{path}.{key}", arrays) for key, item in value.items()}
    return value


def _items(value: object) -> list[tuple[str, Hint, object]]:
    return [(name, hint, getattr(value, name)) for name, hint in _hints(cast(Hint, type(value))).items()]


@cache
def _hints(kind: Hint) -> dict[str, Hint]:
    hints = get_type_hints(kind)
    return {field.name: hints[field.name] for field in fields(kind) if field.init}


def _without_none(hint: Hint) -> Hint:
    origin: object = get_origin(hint)
    if origin in (Union, UnionType):
        kinds = [kind for kind in get_args(hint) if kind is not NoneType]
        return kinds[0] if len(kinds) == 1 else Any
    return hint


def _of_items(hint: Hint, many: int) -> list[Hint]:
    """The hint of each item of a list or a tuple."""
    arguments = get_args(hint)
    origin: object = get_origin(hint)
    if origin is tuple and not (len(arguments) == 2 and arguments[1] is ...):
        return list(arguments)
    return [arguments[0] if arguments else Any] * many


def _is_numpy(hint: Hint) -> bool:
    origin: object = get_origin(hint)
    return np.ndarray in (hint, origin)


@cache
def _holds_more(hint: Hint) -> bool:
    """Whether a list, a tuple or a dictionary has items that are arrays or dataclasses."""
    return any(
        kind in _ARRAYS
        or _is_numpy(kind)
        or (isinstance(kind, type) and is_dataclass(kind))
        or _holds_more(kind)
        for kind in map(_without_none, get_args(hint))
    )

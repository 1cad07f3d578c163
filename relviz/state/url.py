"""Choices as texts in a URL: every kind of value, written and read back."""

import re
from collections.abc import Mapping
from dataclasses import fields, replace
from typing import Any, TypeVar

MOST_PICKS = 2000
MOST_NAMES = 16
Rows = tuple[int, ...]
T = TypeVar("T")


class Names(tuple[str, ...]):
    """Names in their order, each of letters, digits and ``.-_``."""

    __slots__ = ()


def written(choices: Any, default: Any, prefix: str = "") -> dict[str, str]:
    """The fields of a dataclass that differ from the default, as URL parameters."""
    values = {f.name: (getattr(choices, f.name), getattr(default, f.name)) for f in fields(choices)}
    return {prefix + name: encode(value) for name, (value, usual) in values.items() if value != usual}


def read(
    default: T,
    params: Mapping[str, str],
    choices: Mapping[str, tuple[str, ...]],
    ranges: Mapping[str, tuple[float, float]],
    prefix: str = "",
) -> tuple[T, list[str]]:
    """What URL parameters make of a default, and a sentence for each that had to be ignored."""
    found, notices = default, []
    for f in fields(default):  # type: ignore[arg-type]  # a dataclass
        text = params.get(prefix + f.name)
        if text is None:
            continue
        usual = getattr(default, f.name)
        try:
            value = decode(f.name, text, usual, choices, ranges)
            found = replace(found, **{f.name: value})  # type: ignore[type-var]
        except ValueError as reason:
            notices.append(
                f"The link asks for {prefix}{f.name} = {text[:40]!r}, {reason}; showing {encode(usual)!r}."
            )
    return found, notices


def encode(value: Any) -> str:
    """A value as text."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, Names):
        return "~".join(value)
    if isinstance(value, tuple):
        return ".".join(map(str, value))
    return f"{value:g}" if isinstance(value, float) else str(value)


def decode(
    name: str,
    text: str,
    default: Any,
    choices: Mapping[str, tuple[str, ...]],
    ranges: Mapping[str, tuple[float, float]],
) -> Any:
    """The value of a field that a text stands for; ValueError, with a clause that says why, if for none."""
    if name in choices:
        if text not in choices[name]:
            raise ValueError(f"which is not one of {', '.join(choices[name])}")
        return text
    if isinstance(default, bool):
        if text not in ("yes", "no"):
            raise ValueError("which is neither yes nor no")
        return text == "yes"
    if name in ranges:
        return _number(text, type(default), *ranges[name])
    if isinstance(default, Names):
        return _names(text)
    if isinstance(default, tuple):
        return _rows(text)
    if len(text) > 200:
        raise ValueError("which is too long for a name")
    return text


def _number(text: str, kind: type, low: float, high: float) -> Any:
    try:
        number = kind(text)
    except ValueError:
        raise ValueError("which is not a number") from None
    if not low <= number <= high:
        raise ValueError(f"which does not lie between {low:g} and {high:g}")
    return number


def _rows(text: str) -> Rows:
    parts = [part for part in text.split(".") if part]
    if len(parts) > MOST_PICKS or not all(part.isdecimal() and len(part) < 10 for part in parts):
        raise ValueError(f"which is not a list of at most {MOST_PICKS} row numbers")
    return tuple(dict.fromkeys(map(int, parts)))


def _names(text: str) -> Names:
    parts = [part for part in text.split("~") if part]
    if len(parts) > MOST_NAMES or not all(re.fullmatch(r"[A-Za-z0-9._-]{1,80}", part) for part in parts):
        raise ValueError(f"which is not a list of at most {MOST_NAMES} names")
    return Names(dict.fromkeys(parts))

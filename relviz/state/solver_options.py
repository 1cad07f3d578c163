"""The options of a solver as its dataclass tells them: names, kinds, defaults, and what each one means."""

import importlib
import inspect
import re
from dataclasses import dataclass, fields, replace
from typing import Any

from relviz.errors import ParameterError

DEFAULTS = {
    "annealed": ("relviz.bootstrapping.options", "AnnealedOptions"),
    "adam": ("relviz.bootstrapping.adam", "RETRIEVAL"),
    "adam_warm": ("relviz.bootstrapping.adam", "WARM"),
}
"""Where the default options of each method are found: an instance, or a class that makes one."""

_HEADING = re.compile(r"^Attributes\n-+\n", re.MULTILINE)
_NAMES = re.compile(r"^(\w+(?:, \w+)*)(?: *:.*)?\n((?: {4}.*\n?|\n)+)", re.MULTILINE)


@dataclass(frozen=True)
class Option:
    """One option: ``kind`` is bool, int, float or str, and ``meaning`` a sentence or two."""

    name: str
    kind: type
    default: Any
    meaning: str


def default_options(method: str) -> Any:
    """The options that a method takes when it is given none."""
    module, name = DEFAULTS[method]
    found = getattr(importlib.import_module(module), name)
    return found() if inspect.isclass(found) else found


def options_of(method: str) -> tuple[Option, ...]:
    """Every option of a method that a person can set: numbers, words and switches."""
    default = default_options(method)
    meanings = _meanings(inspect.getdoc(type(default)) or "")
    values = [(f.name, getattr(default, f.name)) for f in fields(default)]
    return tuple(
        Option(name, type(value), value, meanings.get(name, ""))
        for name, value in values
        if isinstance(value, bool | int | float | str)
    )


def chosen_options(method: str, text: str) -> Any:
    """The options that ``name=value, …`` makes of a method's defaults.

    Raises
    ------
    ParameterError
        If a method has no such option, or the value cannot be one of it.
    """
    known = {option.name: option for option in options_of(method)}
    changes = {}
    for part in filter(None, text.split(",")):
        name, _, value = part.partition("=")
        if name not in known:
            raise ParameterError(f"{method} has no option {name!r}; it has {', '.join(known)}.")
        changes[name] = _value(known[name], value)
    return replace(default_options(method), **changes)


def set_option(method: str, text: str, name: str, value: Any) -> str:
    """The text of the options with one of them set; those at their defaults are left out."""
    options = chosen_options(method, text)
    values = {option.name: getattr(options, option.name) for option in options_of(method)} | {name: value}
    changed = {o.name: values[o.name] for o in options_of(method) if values[o.name] != o.default}
    return ",".join(
        f"{name}={value!r}" if isinstance(value, float) else f"{name}={value}"
        for name, value in changed.items()
    )


def _value(option: Option, text: str) -> Any:
    if option.kind is bool:
        if text not in ("True", "False"):
            raise ParameterError(f"{option.name} is True or False; it is {text!r}.")
        return text == "True"
    try:
        return option.kind(text)
    except ValueError:
        kind = "a whole number" if option.kind is int else "a number"
        raise ParameterError(f"{option.name} must be {kind}; it is {text!r}.") from None


def _meanings(doc: str) -> dict[str, str]:
    """What the section Attributes of a docstring says of each name."""
    parts = _HEADING.split(doc)
    if len(parts) < 2:
        return {}
    section = re.split(r"\n\n\w+\n-+\n", parts[1])[0]
    return {
        name.strip(): " ".join(said.split())
        for names, said in _NAMES.findall(section + "\n")
        for name in names.split(",")
    }

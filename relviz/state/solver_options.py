"""The options of a solver as its dataclass declares them: names, kinds, defaults, and what each one means."""

import inspect
import re
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace

from relviz.bootstrapping import AnnealedOptions, SolverOptions
from relviz.bootstrapping.adam import RETRIEVAL, WARM
from relviz.errors import ParameterError

DEFAULTS: Mapping[str, SolverOptions] = {
    "annealed": AnnealedOptions(),
    "adam": RETRIEVAL,
    "adam_warm": WARM,
}
"""The default options of each method."""

Setting = bool | int | float | str
_HEADING = re.compile(r"^Attributes\n-+\n", re.MULTILINE)
_NAMES = re.compile(r"^(\w+(?:, \w+)*)(?: *:.*)?\n((?: {4}.*\n?|\n)+)", re.MULTILINE)


@dataclass(frozen=True)
class Option:
    """One option: its default, whose kind all its values have, and ``meaning``, a sentence or two."""

    name: str
    default: Setting
    meaning: str

    @property
    def label(self) -> str:
        """For a person."""
        return self.name.replace("_", " ").capitalize()

    def read(self, text: str) -> Setting:
        """The value that a text stands for; ParameterError if it is not of the option's kind."""
        kind = type(self.default)
        if kind is bool:
            if text not in ("True", "False"):
                raise ParameterError(f"{self.name} is True or False; it is {text!r}.")
            return text == "True"
        try:
            return kind(text)
        except ValueError:
            words = "a whole number" if kind is int else "a number"
            raise ParameterError(f"{self.name} must be {words}; it is {text!r}.") from None

    def write(self, value: Setting) -> str:
        """A value as the text that ``read`` reads."""
        return repr(value) if isinstance(value, float) else str(value)


def options_of(method: str) -> tuple[Option, ...]:
    """Every option of a method that a person can set: numbers, words and switches."""
    default = DEFAULTS[method]
    meanings = _meanings(inspect.getdoc(type(default)) or "")
    values = [(f.name, getattr(default, f.name)) for f in fields(default)]
    return tuple(
        Option(name, value, meanings.get(name, ""))
        for name, value in values
        if isinstance(value, bool | int | float | str)
    )


def parts_of(text: str) -> list[tuple[str, str]]:
    """The names and values of ``name=value,name=value``, as texts."""
    return [(name, value) for name, _, value in (part.partition("=") for part in text.split(",") if part)]


def settings_of(method: str, text: str) -> dict[str, Setting]:
    """Every option of a method by its name, with the values that ``name=value, …`` gives some of them.

    Raises
    ------
    ParameterError
        If a method has no such option, or the value cannot be one of it.
    """
    known = {option.name: option for option in options_of(method)}
    found = {name: option.default for name, option in known.items()}
    for name, value in parts_of(text):
        if name not in known:
            raise ParameterError(f"{method} has no option {name!r}; it has {', '.join(known)}.")
        found[name] = known[name].read(value)
    chosen_of(method, found)
    return found


def chosen_options(method: str, text: str) -> SolverOptions:
    """The options that ``name=value, …`` makes of a method's defaults; ParameterError if it cannot be."""
    return chosen_of(method, settings_of(method, text))


def chosen_of(method: str, settings: Mapping[str, Setting]) -> SolverOptions:
    """The options with these settings; ParameterError for one out of its range."""
    changes: dict[str, object] = dict(settings)
    return replace(DEFAULTS[method], **changes)  # type: ignore[arg-type]  # names and kinds are its own


def set_option(method: str, text: str, name: str, value: Setting) -> str:
    """The text of the options with one of them set; those at their defaults are left out.

    Raises
    ------
    ParameterError
        If the options cannot be so.
    """
    settings = settings_of(method, text) | {name: value}
    chosen_of(method, settings)
    changed = [option for option in options_of(method) if settings[option.name] != option.default]
    return ",".join(f"{option.name}={option.write(settings[option.name])}" for option in changed)


def _meanings(doc: str) -> dict[str, str]:
    """What the section Attributes of a docstring says of each name."""
    parts = _HEADING.split(doc)
    if len(parts) < 2:
        return {}
    section = re.split(r"\n\n\w+\n-+\n", parts[1])[0]
    return {
        name.strip(): " ".join(help_text.split())
        for names, help_text in _NAMES.findall(section + "\n")
        for name in names.split(",")
    }

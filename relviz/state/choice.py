"""What is said of a choice, once: its default, what it may be, its label and its help.

A dataclass of choices declares each with its field: ``count: int = number(300, 2, 5000, "Number of anchors",
"…")``. Links, pages, recipes and the command line read nothing else.
"""

import re
from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from typing import Any, ClassVar, NamedTuple, Self, TypeVar

from relviz.errors import ParameterError

MOST_PICKS = 2000
MOST_NAMES = 16
MOST_LETTERS = 200
_DECLARED = "choice"


class Names(tuple[str, ...]):
    """Names in their order, each of letters, digits and ``.-_``."""

    __slots__ = ()


Value = str | int | float | tuple[int, ...] | Names
N = TypeVar("N", int, float)


@dataclass(frozen=True)
class Choice(ABC):
    """A choice: its default, and a label and a help for a person."""

    default: Value
    label: str
    help: str

    @abstractmethod
    def read(self, text: str) -> Value:
        """The value that a text stands for; ValueError with a predicate that says why, if for none."""

    def write(self, value: Value) -> str:
        """A value as the text that ``read`` reads."""
        return str(value)

    @property
    def explained(self) -> str:
        """The help with all there is to say, in Markdown."""
        return self.help


class Option(NamedTuple):
    """One of the named options of a choice: its label, and what it means where that needs a sentence."""

    label: str
    meaning: str = ""


@dataclass(frozen=True)
class OneOf(Choice):
    """One of named options."""

    default: str
    options: Mapping[str, Option]

    @property
    def labels(self) -> dict[str, str]:
        """The labels of the options, by their names."""
        return {name: option.label for name, option in self.options.items()}

    @property
    def explained(self) -> str:
        lines = [f"\n- **{label}**: {meaning}" for label, meaning in self.options.values() if meaning]
        return self.help + "".join(lines)

    def read(self, text: str) -> str:
        if text not in self.options:
            raise ValueError(f"is not one of {', '.join(self.options)}")
        return text


@dataclass(frozen=True)
class Number(Choice):
    """A whole number, or one with a fraction, from ``low`` to ``high``."""

    default: int | float
    low: int | float
    high: int | float
    step: int | float

    @property
    def is_whole(self) -> bool:
        """Whether it has no fraction."""
        return isinstance(self.default, int)

    def read(self, text: str) -> int | float:
        try:
            number = int(text) if self.is_whole else float(text)
        except ValueError:
            raise ValueError("is not a number") from None
        if not self.low <= number <= self.high:
            raise ValueError(f"does not lie between {self.low:g} and {self.high:g}")
        return number

    def write(self, value: Value) -> str:
        return f"{value:g}" if isinstance(value, float) else str(value)


@dataclass(frozen=True)
class Switch(Choice):
    """Yes or no."""

    default: bool

    def read(self, text: str) -> bool:
        if text not in ("yes", "no"):
            raise ValueError("is neither yes nor no")
        return text == "yes"

    def write(self, value: Value) -> str:
        return "yes" if value else "no"


@dataclass(frozen=True)
class Rows(Choice):
    """Rows of a space, each once, in the order of their choice."""

    default: tuple[int, ...]

    def read(self, text: str) -> tuple[int, ...]:
        parts = [part for part in text.split(".") if part]
        if len(parts) > MOST_PICKS or not all(part.isdecimal() and len(part) < 10 for part in parts):
            raise ValueError(f"is not a list of at most {MOST_PICKS} row numbers")
        return tuple(dict.fromkeys(map(int, parts)))

    def write(self, value: Value) -> str:
        return ".".join(map(str, value)) if isinstance(value, tuple) else str(value)


@dataclass(frozen=True)
class Sources(Choice):
    """Names of spaces, each once."""

    default: Names

    def read(self, text: str) -> Names:
        parts = [part for part in text.split("~") if part]
        if len(parts) > MOST_NAMES or not all(re.fullmatch(r"[A-Za-z0-9._-]{1,80}", one) for one in parts):
            raise ValueError(f"is not a list of at most {MOST_NAMES} names")
        return Names(dict.fromkeys(parts))

    def write(self, value: Value) -> str:
        return "~".join(map(str, value)) if isinstance(value, tuple) else str(value)


@dataclass(frozen=True)
class Text(Choice):
    """A short text."""

    default: str

    def read(self, text: str) -> str:
        if len(text) > MOST_LETTERS:
            raise ValueError("is too long for a name")
        return text


def one_of(default: str, label: str, help: str, options: Mapping[str, Option]) -> str:
    """Declare a choice of named options."""
    return field(default=default, metadata={_DECLARED: OneOf(default, label, help, options)})


def number(default: N, low: N, high: N, label: str, help: str, step: N | None = None) -> N:
    """Declare a number; the pages change it by ``step``, 1 where it is not given."""
    return field(
        default=default,
        metadata={_DECLARED: Number(default, label, help, low, high, 1 if step is None else step)},
    )


def switch(default: bool, label: str, help: str) -> bool:
    """Declare a choice of yes and no."""
    return field(default=default, metadata={_DECLARED: Switch(default, label, help)})


def picked_rows(label: str, help: str) -> tuple[int, ...]:
    """Declare rows, none by default."""
    return field(default=(), metadata={_DECLARED: Rows((), label, help)})


def source_names(label: str, help: str) -> Names:
    """Declare names of spaces, none by default."""
    return field(default=Names(), metadata={_DECLARED: Sources(Names(), label, help)})


def text(default: str, label: str, help: str) -> str:
    """Declare a short text."""
    return field(default=default, metadata={_DECLARED: Text(default, label, help)})


@dataclass(frozen=True)
class Choices:
    """A value made of choices. ``prefix`` stands before their names in a link."""

    prefix: ClassVar[str] = ""

    @classmethod
    def declared(cls) -> dict[str, Choice]:
        """What is said of each choice, by its name."""
        return {f.name: f.metadata[_DECLARED] for f in fields(cls) if _DECLARED in f.metadata}

    @classmethod
    def choice(cls, name: str) -> Choice:
        """What is said of one choice; ParameterError where there is none of that name."""
        declared = cls.declared()
        if name not in declared:
            raise ParameterError(f"There is no choice {name[:40]!r}; there are {', '.join(declared)}.")
        return declared[name]

    @classmethod
    def allowed(cls, name: str, value: Value, called: str = "") -> Value:
        """The value, if the choice's declaration allows it; else ParameterError, by what it is ``called``."""
        choice = cls.choice(name)
        text = choice.write(value)
        try:
            read = choice.read(text)
        except ValueError as reason:
            raise ParameterError(f"{called or name} {text[:40]} {reason}.") from None
        return value if isinstance(value, float) else read

    @classmethod
    def labels(cls, name: str) -> dict[str, str]:
        """The labels of a choice's options, by their names; none where it has no options."""
        choice = cls.choice(name)
        return choice.labels if isinstance(choice, OneOf) else {}

    @classmethod
    def limits(cls, name: str) -> tuple[float, float]:
        """The least and the greatest value of a number; ParameterError where a choice is none."""
        choice = cls.choice(name)
        if not isinstance(choice, Number):
            raise ParameterError(f"The choice {name} is not a number.")
        return choice.low, choice.high

    def with_changes(self, **changes: Any) -> Self:
        """The same with some choices changed."""
        return replace(self, **changes)


@dataclass(frozen=True)
class Notice:
    """A choice that was asked for and cannot be had.

    Attributes
    ----------
    name
        What it is called where it was asked for.
    asked
        The text that was given for it.
    reason
        A predicate: ``"is not a number"``.
    used
        The text of the value that serves in its place.
    """

    name: str
    asked: str
    reason: str
    used: str

    @property
    def asks(self) -> str:
        """What was asked for and why it cannot be, as a predicate of who asks."""
        return f"asks for {self.name} = {self.asked[:40]!r}, which {self.reason}"

    def sentence(self, asker: str) -> str:
        """For a page, which shows something else: ``asker`` is what asked, such as ``"The link"``."""
        return f"{asker} {self.asks}; showing {self.used!r}."

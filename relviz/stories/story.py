"""What a story is: steps, each with a text, a picture, a question and what to notice."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

Kind = Literal["slider", "choice", "switch"]


@dataclass(frozen=True)
class Control:
    """A control of a picture.

    Attributes
    ----------
    name, label, kind
        What the picture calls it, what a person reads, and how it is set.
    value, after
        At first, and where the answer to the question sets it; ``after`` is None where it stays.
    stops
        Values with their titles: those of a choice, or of a slider that has no others.
    least, most, step
        The range of a slider without stops.
    """

    name: str
    label: str
    kind: Kind
    value: str
    after: str | None = None
    stops: tuple[tuple[str, str], ...] = ()
    least: float = 0.0
    most: float = 1.0
    step: float = 1.0


@dataclass(frozen=True)
class Lab:
    """A page with its choices as URL parameters; a parameter may be ``{control}``, the value of a control."""

    page: str
    params: Mapping[str, str]


@dataclass(frozen=True)
class Picture:
    """What a step shows: a kind of picture, its options and controls, and the page that has all of it."""

    kind: str
    options: Mapping[str, str]
    controls: tuple[Control, ...] = ()
    lab: Lab | None = None


@dataclass(frozen=True)
class Option:
    """An answer to choose. ``check`` is the condition on the picture's numbers that makes it right."""

    text: str
    right: bool
    check: str


@dataclass(frozen=True)
class Guess:
    """A number to guess on a scale: the picture's number ``answer``, in percent with ``unit`` ``"%"``."""

    answer: str
    least: float
    most: float
    unit: str = ""


@dataclass(frozen=True)
class Question:
    """What is asked before the answer can be seen: ``options`` to choose from, or a ``guess``."""

    text: str
    options: tuple[Option, ...]
    guess: Guess | None
    because: str


@dataclass(frozen=True)
class Notice:
    """A sentence on what to notice, and the condition on the picture's numbers that makes it true."""

    text: str
    check: str


@dataclass(frozen=True)
class Step:
    """One step of a story. Texts may hold ``{name}``, a number of the picture."""

    title: str
    text: str
    picture: Picture
    question: Question | None
    notices: tuple[Notice, ...]

    @property
    def words(self) -> int:
        """Words of the text and of what to notice, which a person reads before the next step."""
        return sum(len(text.split()) for text in (self.text, *(one.text for one in self.notices)))


@dataclass(frozen=True)
class Story:
    """A story by its ``name`` in the address."""

    name: str
    title: str
    about: str
    steps: tuple[Step, ...]

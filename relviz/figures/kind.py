"""What a figure holds, before it is drawn: its numbers, its caption, its parts or its tables."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, TypeAlias, TypeVar

import numpy as np

from relviz.compute.key import array_digest, text_digest, value_digest
from relviz.compute.task import Task
from relviz.errors import ParameterError
from relviz.plotting.linked_map.scene import Scene
from relviz.plotting.stack import Part
from relviz.sheet import Sheet, written
from relviz.state.view import View

Options = Mapping[str, Any]
"""Of a kind, by their names: each is like its default, which its kind declares."""
Columns = Mapping[str, Sequence[object]]
Inputs = TypeVar("Inputs")
Value = TypeVar("Value")
LETTERS, ENTRIES = 200, 2000
"""Of an option, at most, where its kind does not say otherwise."""


@dataclass(frozen=True, eq=False)
class Linked:
    """A map for a browser, and what its file says beside the caption.

    Attributes
    ----------
    scene
        Panes, colors, texts, pictures.
    title
        A line.
    credits
        Where the data are from, and their license.
    """

    scene: Scene
    title: str
    credits: str


@dataclass(frozen=True, eq=False)
class Content:
    """A figure or a table without its looks.

    Attributes
    ----------
    caption
        Ready to be pasted: how many, what fit, which parameters and seeds.
    arrays
        Every number that is drawn, by name: what the npz holds.
    columns
        The same as a table of columns of equal length: what the csv holds, unrounded.
    parts
        Makes the parts of the figure for a width in mm; None for a table.
    sheets
        Tables, by their titles.
    linked
        Makes what the figure shows as a linked map, for a file that a browser opens; None where it is no map.
    """

    caption: str
    arrays: Mapping[str, np.ndarray]
    columns: Columns
    parts: Callable[[float], list[Part]] | None = None
    sheets: Mapping[str, Sheet] = field(default_factory=dict)
    linked: Callable[[], Linked] | None = None

    def digest(self) -> str:
        """Digest of every number and text that is drawn or written."""
        arrays = {name: array_digest(array) for name, array in sorted(self.arrays.items())}
        columns = {name: text_digest(map(written, values)) for name, values in self.columns.items()}
        return value_digest([arrays, columns])


@dataclass(frozen=True)
class Kind(Generic[Inputs, Value]):
    """A kind of figure.

    Attributes
    ----------
    words
        For a person.
    page, part
        The page that shows the same, and the part of it where it has parts.
    of
        What of a view it is made of (see ``relviz.figures.inputs``); ``tasks`` and ``content`` take no more.
    tasks
        What has to be computed for it: if all of that is kept, the figure is there at once.
    content
        The figure, of the tasks' results in their order.
    options
        What can be asked beyond the view, and its default.
    shelf
        Whether all spaces at hand are in it, and not A and B alone.
    sources
        The spaces that it is made of whatever A and B are; empty where it is made of them.
    checks
        Options whose default does not show what they may be: each with what raises ParameterError at others.
    paired
        Whether the rows of A and B have to be matched.
    longest
        Letters or entries of an option that may have more of them than usual.
    """

    words: str
    page: str
    of: Callable[[View], Inputs]
    tasks: Callable[[Inputs, Options], Sequence[Task[Value]]]
    content: Callable[[Inputs, Options, Sequence[Value]], Content]
    options: Options = field(default_factory=dict)
    shelf: bool = False
    part: str = ""
    sources: tuple[str, ...] = ()
    checks: Mapping[str, Callable[[object], None]] = field(default_factory=dict)
    paired: bool = True
    longest: Mapping[str, int] = field(default_factory=dict)

    def chosen(self, options: Options) -> Options:
        """All options, those that are not given by default.

        Raises
        ------
        ParameterError
            If there is no such option, or a value is not of its kind, or too long.
        """
        for name, value in options.items():
            if name not in self.options:
                known = ", ".join(self.options) or "none"
                raise ParameterError(
                    f"This kind of figure has no option {name[:40]!r}; its options are {known}."
                )
            usual, most = self.options[name], self.longest.get(name)
            if name in self.checks:
                self.checks[name](value)
            elif not _alike(value, usual, most):
                length = f", with at most {most} entries" if most else ""
                raise ParameterError(
                    f"The option {name} is {str(value)[:60]!r}; it should be like {usual!r}{length}."
                )
        return {**self.options, **options}


AnyKind: TypeAlias = Kind[Any, Any]


def of_records(records: Sequence[Mapping[str, object]]) -> dict[str, list[object]]:
    """Flat records as columns."""
    names = dict.fromkeys(name for record in records for name in record)
    return {name: [record.get(name) for record in records] for name in names}


def _alike(value: object, default: object, most: int | None = None) -> bool:
    if isinstance(default, bool):
        return isinstance(value, bool)
    if isinstance(default, int):
        return isinstance(value, int) and not isinstance(value, bool)
    if isinstance(default, float):
        return isinstance(value, int | float) and not isinstance(value, bool)
    if isinstance(default, list | tuple):
        like = default[0] if default else 0
        if not isinstance(value, list | tuple) or len(value) > (most or ENTRIES):
            return False
        return all(_alike(one, like) for one in value)
    return isinstance(value, str) and len(value) <= (most or LETTERS)

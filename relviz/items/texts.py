"""Texts to encode."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar, Literal

from relviz.errors import ReadError, ShapeError
from relviz.readers import messages
from relviz.readers.limits import Limits
from relviz.readers.roles import checked_texts


@dataclass(frozen=True, eq=False)
class Texts:
    """Texts for a text encoder, with what is known about each.

    Parameters
    ----------
    texts
        The texts, whole characters, at least one.
    ids
        One name a text, by which rows of two spaces are matched; of a repeated one the first row is.
    labels
        One class name a text.
    name
        What the collection is called on screen.
    notes
        What was left out or changed on the way, for a person.

    Raises
    ------
    ShapeError
        If there are no texts, or a list is not as long as they are.

    Examples
    --------
    >>> Texts(["a canine", "a tree"], ids=["dog", "oak"])
    Texts('', 2 texts)
    """

    texts: Sequence[str]
    ids: Sequence[str] | None = None
    labels: Sequence[str] | None = None
    name: str = ""
    notes: tuple[str, ...] = ()
    modality: ClassVar[Literal["text"]] = "text"

    def __post_init__(self) -> None:
        if not len(self.texts):
            raise ShapeError("There are no texts; give at least one.")
        for what in ("texts", "ids", "labels"):
            values = getattr(self, what)
            if values is None:
                continue
            if len(values) != len(self.texts):
                raise ShapeError(
                    f"There are {len(self.texts)} texts but {len(values)} {what}; give one for each."
                )
            object.__setattr__(self, what, tuple(values))

    def __len__(self) -> int:
        return len(self.texts)

    def __repr__(self) -> str:
        return f"Texts({self.name!r}, {messages.plural(len(self), 'text')})"

    @cached_property
    def digest(self) -> str:
        """Content digest of the texts alone."""
        from relviz.compute.key import text_digest  # brings torch, which a process that reads files has not

        return text_digest(self.texts)


def texts_of(
    cells: Mapping[str, list[str]],
    columns: Mapping[str, str | None],
    name: str,
    notes: Sequence[str],
    limits: Limits,
    what: str,
) -> Texts:
    """The rows of a table that have a text, their cells fit to be shown.

    ``cells`` and ``columns`` give each of ``texts``, ``ids`` and ``labels`` that there is its cells and the
    column they come from.

    Raises
    ------
    ReadError
        If no row has a text, or an id or a label is too long.
    """
    all_notes = list(notes)
    filled = [row for row, text in enumerate(cells["texts"]) if text.strip()]
    empty = len(cells["texts"]) - len(filled)
    if not filled:
        raise ReadError(f"{what} holds no texts: all {messages.plural(empty, 'cell')} of them are empty.")
    if empty:
        all_notes.append(f"{messages.plural(empty, 'empty text')} left out")
    kept: dict[str, list[str]] = {}
    for role, values in cells.items():
        values = [values[row] for row in filled] if empty else values
        kept[role], cut = checked_texts(
            values, "items" if role == "texts" else role, columns[role] or "", limits
        )
        all_notes += cut
    if "ids" in kept and (repeated := len(filled) - len(set(kept["ids"]))):
        all_notes.append(
            f"{messages.plural(repeated, 'id')} repeated: pairs are made of the first row of each"
        )
    return Texts(kept["texts"], kept.get("ids"), kept.get("labels"), name, tuple(all_notes))

"""Which parts of a file are ids, labels and items: by what they are called, then by what they hold."""

import re
from collections.abc import Callable, Iterable, Sequence

from relviz.errors import ReadError
from relviz.readers import messages
from relviz.readers.found import Part
from relviz.readers.limits import Limits

ROLES = ("ids", "labels", "items")

TEXT_NAMES = (
    *("text", "texts", "sentence", "sentences", "gloss", "glosses", "definition", "definitions"),
    *("content", "contents", "item", "items", "description", "descriptions", "document", "documents"),
    *("body", "message", "messages", "comment", "comments", "review", "reviews", "caption", "captions"),
    *("question", "questions", "prompt", "prompts", "answer", "answers", "summary", "summaries"),
    *("abstract", "abstracts", "headline", "headlines"),
)
"""Columns that hold what a text encoder reads, the likeliest first."""

_NAMES = {
    "ids": "id ids uid uuid unified key keys char chars word words token tokens",
    "labels": "label labels class classes category categories group groups",
    "items": "text texts item items name names sentence sentences title titles gloss glosses",
}
_ROLE_OF_NAME = {name: role for role, names in _NAMES.items() for name in names.split()}
_ROW_NUMBERS = re.compile(r"unnamed\W*\d*|index|__index_level_\d+__", re.IGNORECASE)
_LONGEST_ID = 80
_MOST_CLASSES = 200


def is_role_name(name: str) -> bool:
    """Whether a column of this name says who a row is, and not where it lies."""
    return name.lower() in _ROLE_OF_NAME


def is_table_name(name: str) -> bool:
    """Whether the first line of a table of texts would hold this as the name of a column."""
    return name.lower() in TEXT_NAMES or is_role_name(name)


def words_of(name: str) -> list[str]:
    """The words that a column's name is made of, digits and case aside.

    >>> words_of("Text_en 2")
    ['text', 'en']
    """
    return re.findall(r"[a-z]+", name.lower())


def names_of(role: str) -> list[str]:
    """What columns that hold a role are called, the likeliest first."""
    return _NAMES[role].split()


def is_row_number_name(name: str) -> bool:
    """Whether a column of this name is the row number that data frames write beside the data."""
    return _ROW_NUMBERS.fullmatch(name) is not None


def detect(
    parts: Sequence[Part], missing: Iterable[str], texts: Callable[[str], list[str]]
) -> dict[str, str | None]:
    """Name the part for each missing role, or None.

    A part called exactly like a role comes first, in the order of the lists above; then text parts
    whose first word is such a name ("text_en"); then text parts by content: all different and short
    are ids, few different are labels, the longest of the rest are items.
    """
    found: dict[str, str | None] = dict.fromkeys(missing)
    left = [part.name for part in parts]
    text_parts = {part.name for part in parts if part.kind == "text"}

    def take(role: str, name: str) -> None:
        found[role] = name
        left.remove(name)

    for role in list(found):
        exact = {name.lower(): name for name in reversed(left)}
        for known in _NAMES[role].split():
            if known in exact:
                take(role, exact[known])
                break
    for name in [name for name in left if name in text_parts]:
        role = _ROLE_OF_NAME.get(re.split(r"[^a-z0-9]+", name.lower())[0], "")
        if role in found and found[role] is None:
            take(role, name)
    if None in found.values():
        _detect_by_content([name for name in left if name in text_parts], found, texts)
    return found


def _detect_by_content(
    names: Sequence[str], found: dict[str, str | None], texts: Callable[[str], list[str]]
) -> None:
    mean_length: dict[str, float] = {}
    for name in names:
        values = texts(name)
        distinct = set(values)
        longest = max(map(len, distinct))
        if (
            _lacks(found, "ids")
            and len(distinct) == len(values)
            and longest <= _LONGEST_ID
            and "" not in distinct
        ):
            found["ids"] = name
        elif _lacks(found, "labels") and are_classes(values):
            found["labels"] = name
        elif len(distinct) > 1:
            mean_length[name] = sum(map(len, values)) / len(values)
    if _lacks(found, "items") and mean_length:
        found["items"] = max(mean_length, key=mean_length.__getitem__)


def are_classes(values: Sequence[str]) -> bool:
    """Whether few of a column's cells are different, so that they may be classes."""
    return 2 <= len(set(values)) <= min(len(values) // 2, _MOST_CLASSES)


def _lacks(found: dict[str, str | None], role: str) -> bool:
    return role in found and found[role] is None


def checked_texts(
    values: list[str], role: str, part: str, limits: Limits
) -> tuple[list[str], tuple[str, ...]]:
    """Cells fit to be shown: whole characters only, none longer than the limit; with notes.

    Raises
    ------
    ReadError
        If an id or a label is too long. Long items are cut: two cut ids might become one.
    """
    values = [value if value.isascii() else _whole_characters(value) for value in values]
    long = [row for row, value in enumerate(values) if len(value) > limits.cell]
    if not long:
        return values, ()
    if role != "items":
        raise ReadError(
            f"{messages.quote(part)} has {messages.plural(len(long), 'value')} of more than "
            f"{messages.count(limits.cell)} characters, first in row {long[0] + 1}: too long for {role}. "
            f"Choose another with {role}='...', or give limits=Limits(cell=...)."
        )
    for row in long:
        values[row] = values[row][: limits.cell - 1] + "…"
    return values, (f"{messages.plural(len(long), 'text')} cut to {messages.count(limits.cell)} characters",)


def _whole_characters(text: str) -> str:
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")

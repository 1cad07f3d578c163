"""Which columns of a table are the texts, ids and labels: by what they are called, then by length."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from statistics import fmean

from relviz.errors import ParameterError, ReadError
from relviz.readers import messages
from relviz.readers.choice import Holding, check_role
from relviz.readers.found import Part
from relviz.readers.roles import TEXT_NAMES, are_classes, names_of, words_of


@dataclass(frozen=True)
class Choice:
    """The columns that are taken. ``ids`` and ``labels`` are None where there are none."""

    texts: str
    ids: str | None = None
    labels: str | None = None
    notes: tuple[str, ...] = ()


def choose_columns(
    holding: Holding, what: str, texts: str | None = None, ids: str | None = None, labels: str | None = None
) -> Choice:
    """What to take from a table: what the caller named, else what the columns are called.

    Classes are also taken from a column of texts of which few are different.

    Raises
    ------
    ReadError
        If a named column is not there or holds no texts, or if several may be the texts.
    ParameterError
        If a name is no text.
    """
    given = {"texts": texts, "ids": ids, "labels": labels}
    for role, name in given.items():
        if not isinstance(name, str | None):
            raise ParameterError(f"{role} is the name of a column; it is {name!r}.")
        if name:
            part = holding.named(name, what)
            check_role(part, role, part.shape[0], what)
    if texts == "":
        raise ParameterError("texts must name a column; only ids and labels may be none.")
    taken = {name for name in given.values() if name}
    columns = [part for part in holding.parts if part.kind != "other" and part.kind != "matrix"]
    if texts is None:
        texts = _detect_texts(holding, [part for part in columns if part.name not in taken], what)
    free = [part for part in columns if part.name not in {*taken, texts}]
    notes: list[str] = []
    if labels is None:
        labels = next(called("labels", free), None)
    if ids is None:
        own = [part for part in columns if part.name == texts]
        candidates = called("ids", [part for part in (*free, *own) if part.name != labels])
        ids = next((name for name in candidates if _is_unique(name, holding.texts(name), notes)), None)
    if labels is None:
        rest = [part.name for part in free if part.kind == "text" and part.name != ids]
        labels = next((name for name in rest if are_classes(holding.texts(name))), None)
    return Choice(texts, ids or None, labels or None, tuple(notes))


def _detect_texts(holding: Holding, columns: Sequence[Part], what: str) -> str:
    if len(columns) == len(holding.parts) == 1:
        return columns[0].name
    every, columns = columns, [part for part in columns if part.kind == "text"]
    for known in TEXT_NAMES:
        for name in exactly(known, columns):
            return name
    like = [part.name for part in columns if words_of(part.name)[:1] and words_of(part.name)[0] in TEXT_NAMES]
    if len(like) > 1:
        raise ReadError(
            f"{what} has {len(like)} columns that may be the texts: "
            f"{messages.listing(map(messages.quote, like))}. Choose one with texts={like[0]!r} or another."
        )
    if like:
        return like[0]
    labels, ids = [*called("labels", columns)], [*called("ids", columns)]
    rest = [part.name for part in columns if part.name not in (*ids, *labels)]
    numbers = [name for known in TEXT_NAMES for name in exactly(known, every)]
    rest = rest or [name for name in ids if name not in labels] or numbers[:1] or labels
    if not rest:
        there = messages.listing(str(part) for part in holding.parts)
        raise ReadError(f"{what} holds no column of texts, only {there}. Name one with texts='...'.")
    return max(rest, key=lambda name: _mean_length(holding.first_texts(name)))


def exactly(known: str, columns: Iterable[Part]) -> list[str]:
    """Columns of that name, whatever the case."""
    return [part.name for part in columns if part.name.strip().lower() == known]


def called(role: str, columns: Sequence[Part]) -> Iterator[str]:
    """Columns called as a role is; then those whose first or last word is such a name."""
    names = names_of(role)
    exact = [name for known in names for name in exactly(known, columns)]
    yield from exact
    for part in columns:
        words = words_of(part.name)
        if part.name not in exact and words and (words[0] in names or words[-1] in names):
            yield part.name


def _is_unique(name: str, values: Sequence[str], notes: list[str]) -> bool:
    repeated = len(values) - len(set(values))
    if repeated:
        notes.append(
            f"column {messages.quote(name)} repeats {messages.plural(repeated, 'value')}: not taken as ids"
        )
    return not repeated


def _mean_length(values: Sequence[str]) -> float:
    return fmean(map(len, values)) if values else 0.0

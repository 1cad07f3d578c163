"""Texts as lines: a .txt file, or what was pasted. A line may begin with an id and a tab."""

import codecs
import io
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import NoReturn

from relviz.errors import ReadError
from relviz.items.limits import TEXT_LIMITS
from relviz.items.texts import Texts, texts_of
from relviz.readers import messages
from relviz.readers.choice import Holding
from relviz.readers.found import Part
from relviz.readers.limits import Limits
from relviz.readers.source import BLOCK_BYTES, Source

_UTF16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)


@dataclass(frozen=True)
class Lines:
    """Lines that are not blank, and how many were.

    Where each of them is an id, a tab and a text, ``columns`` are ``id``, ``text`` and ``line``, which is all
    of it; else ``text`` alone.
    """

    columns: dict[str, list[str]]
    blank: int

    @property
    def notes(self) -> tuple[str, ...]:
        """What is to be said of them."""
        notes = (f"{messages.plural(self.blank, 'blank line')} left out",) if self.blank else ()
        return (*notes, "ids from before the first tab of every line") if "id" in self.columns else notes


def survey(source: Source, limits: Limits) -> Holding:
    """What a text file holds."""
    lines = lines_of_file(source, limits)
    rows = len(lines.columns["text"])
    if not rows:
        raise ReadError(f"{source.name} holds no texts: all its lines are blank.")
    parts = tuple(Part(name, "text", (rows,), "text", "holds text, not numbers") for name in lines.columns)
    texts = lines.columns.__getitem__
    return Holding("txt", parts, _no_vectors, texts, texts, notes=lines.notes)


def pasted(text: str, name: str = "Pasted texts", limits: Limits = TEXT_LIMITS) -> Texts:
    """Texts of a text, one a line; where every line has a tab, ids stand before the first.

    Raises
    ------
    ReadError
        If it holds no texts, or too many.

    Examples
    --------
    >>> pasted("ant\\ta small insect\\n\\noak\\ta tree\\n").ids
    ('ant', 'oak')
    """
    found = lines_of_text(text, limits, name)
    if not found.columns["text"]:
        raise ReadError(f"{name}: there is no text yet. Give one text per line.")
    columns = {"texts": "text", "ids": "id"}
    cells = {role: found.columns[column] for role, column in columns.items() if column in found.columns}
    return texts_of(cells, columns, name, found.notes, limits, name)


def _no_vectors(names: tuple[str, ...]) -> NoReturn:
    raise KeyError(names)


def lines_of_file(source: Source, limits: Limits) -> Lines:
    """The lines of a text file: UTF-8, or UTF-16 with a byte order mark.

    Raises
    ------
    ReadError
        If it is neither, or holds too many or too long texts.
    """
    return _gathered(_file_lines(source, limits), limits, source.name)


def lines_of_text(text: str, limits: Limits, what: str) -> Lines:
    """The lines of a text."""
    lines = io.StringIO(text.removeprefix("\ufeff"), newline=None)
    longest = _longest_line(limits)
    return _gathered((line.removesuffix("\n")[:longest] for line in lines), limits, what)


def _gathered(lines: Iterable[str], limits: Limits, what: str) -> Lines:
    texts = []
    blank = length = 0
    for line in lines:
        if not line.strip():
            blank += 1
            continue
        texts.append(line)
        length += len(line)
        if len(texts) > limits.rows:
            limits.check_rows(len(texts), f"{what} has more than {messages.plural(limits.rows, 'text')}")
        limits.check_memory(length, what)
    cut = [line.partition("\t") for line in texts]
    if all(tab and name.strip() for name, tab, _ in cut) and any(text.strip() for _, _, text in cut):
        ids, behind = [name.strip() for name, _, _ in cut], [text for _, _, text in cut]
        return Lines({"id": ids, "text": behind, "line": texts}, blank)
    return Lines({"text": texts}, blank)


def _file_lines(source: Source, limits: Limits) -> Iterator[str]:
    """Lines without their ends; of one that is too long, more than is allowed, but not all."""
    longest = _longest_line(limits)
    encoding = "utf-16" if bytes(source.read(0, min(2, source.size))) in _UTF16 else "utf-8-sig"
    decoder = io.IncrementalNewlineDecoder(codecs.getincrementaldecoder(encoding)(), translate=True)
    source.file.seek(0)
    held = ""
    at = 0
    while at < source.size:
        raw = source.file.read(BLOCK_BYTES)
        if not raw:
            break
        at += len(raw)
        held, *rest = (held + _decoded(decoder, raw, at >= source.size, source)).split("\n")
        for line in rest:
            yield held[:longest]
            held = line
        held = held[:longest]
    if held:
        yield held


def _longest_line(limits: Limits) -> int:
    """An id, a tab and a text, each a character longer than is allowed."""
    return 2 * limits.cell + 3


def _decoded(decoder: io.IncrementalNewlineDecoder, raw: bytes, final: bool, source: Source) -> str:
    try:
        text = decoder.decode(raw, final)
    except UnicodeDecodeError as reason:
        raise ReadError(
            f"{source.name} is neither UTF-8 nor UTF-16 with a byte order mark "
            f"({reason.reason}: {bytes(reason.object[reason.start : reason.end])!r}); save it as UTF-8."
        ) from None
    if "\0" in text:
        raise ReadError(
            f"{source.name} holds zero bytes: it is not text, or is UTF-16 without a byte order mark. "
            "Save it as UTF-8."
        )
    return text

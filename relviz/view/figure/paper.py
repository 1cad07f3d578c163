"""The figure or table of a paper that a shipped figure stands beside, as a recipe holds it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from relviz.errors import ParameterError

LONGEST = 500
MOST_DIGITS = 6


@dataclass(frozen=True)
class Beside:
    """A figure of a paper, and which of ours stands beside it.

    Ours is the number of a ``column`` in the row where all columns of ``where`` have these values, as the csv
    writes them.
    """

    words: str
    theirs: str
    column: str
    where: Mapping[str, str] = field(default_factory=dict)
    digits: int = 2


@dataclass(frozen=True)
class Paper:
    """What a shipped figure stands beside.

    ``place`` is where, such as "RR table 1", ``title`` what stands there, ``says`` what it says in words, and
    ``beside`` its figures.
    """

    place: str
    title: str
    says: str = ""
    beside: tuple[Beside, ...] = ()


def paper_of(said: Mapping[str, Any]) -> Paper:
    """What a recipe's file says of a paper; ParameterError, KeyError or TypeError if it is damaged."""
    texts = {name: text_of(one) for name, one in said.items() if name != "beside"}
    return Paper(**texts, beside=tuple(map(_beside, said.get("beside", ()))))


def _beside(said: Mapping[str, Any]) -> Beside:
    where = {text_of(name): text_of(value) for name, value in said.get("where", {}).items()}
    texts = {name: text_of(said[name]) for name in ("words", "theirs", "column")}
    digits = said.get("digits", 2)
    if digits not in range(MOST_DIGITS + 1):
        raise ParameterError(f"{str(digits)[:20]} digits are asked for, where 0 to {MOST_DIGITS} can be had")
    return Beside(**texts, where=where, digits=digits)


def text_of(value: Any) -> str:
    """A text of a recipe's file; ParameterError if it is none, or too long."""
    if not isinstance(value, str) or len(value) > LONGEST:
        raise ParameterError(f"{str(value)[:40]!r} stands where a text of at most {LONGEST} letters should")
    return value

"""How figures and names are written in messages about files."""

from collections.abc import Iterable, Sequence

from relviz.wording import count, plural, size

__all__ = ["clip", "count", "listing", "plural", "quote", "shape", "size"]

_LONGEST_QUOTE = 60
_LONGEST_LIST = 12


def shape(lengths: Sequence[int]) -> str:
    """Lengths of the sides of an array.

    >>> shape((1906, 1280)), shape(())
    ('1,906 × 1,280', 'a single value')
    """
    return " × ".join(map(count, lengths)) or "a single value"


def clip(text: str) -> str:
    """A text short enough for a message."""
    return text if len(text) <= _LONGEST_QUOTE else text[: _LONGEST_QUOTE - 1] + "…"


def quote(text: str) -> str:
    """A text from a file in quotation marks, control characters made visible, and not too long."""
    return repr(clip(text))


def listing(texts: Iterable[str]) -> str:
    """The first few of many.

    >>> listing(str(n) for n in range(20))
    '0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11 and 8 more'
    """
    every = list(texts)
    shown = ", ".join(every[:_LONGEST_LIST])
    hidden = len(every) - _LONGEST_LIST
    return f"{shown} and {hidden} more" if hidden > 0 else shown

"""What an encoder is given: checked, measured, and taken a few rows at a time."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal, Protocol

import numpy as np
from numpy.typing import NDArray

from relviz.errors import ParameterError, ShapeError
from relviz.wording import count

BATCH = 64
"""Items at a time, at most, where nobody says otherwise."""
BATCH_CHARACTERS = 100_000
"""A batch of long texts is made shorter until its texts, padded to the longest, have no more than this."""
BATCH_PIXELS = 64 * 128 * 128
"""A batch of large pictures has no more pixels."""


class Batches:
    """Rows in batches, each once, items of like size together and the largest first: little is padded.

    Parameters
    ----------
    sizes
        Of every item; those of texts are their lengths.
    budget
        What a batch may have, each of its items taken to be as large as its largest.
    batch
        Items at a time, at most.
    """

    def __init__(self, sizes: Sequence[int], budget: int, batch: int | None = None) -> None:
        self._sizes = sizes
        self._budget = budget
        self._batch = batch or BATCH
        self._order = sorted(range(len(sizes)), key=lambda row: -sizes[row])
        self._at = 0

    def next(self) -> list[int]:
        """Row numbers of the next batch; none behind the last."""
        rest = self._order[self._at : self._at + self._batch]
        rows = rest[: max(1, self._budget // self._size(rest))] if rest else []
        self._at += len(rows)
        return rows

    def halve(self, rows: list[int], who: str) -> None:
        """Memory did not suffice for this batch, which ``next`` gave last: half as many, from there on.

        Raises
        ------
        ParameterError
            If there was a single item in it.
        """
        if len(rows) == 1:
            raise ParameterError(
                f"There is not enough memory for {who} and a single item of {count(self._sizes[rows[0]])} "
                "characters or pixels. Close other programs, give shorter items, or use a smaller encoder."
            )
        self._at -= len(rows)
        self._budget = self._size(rows) * (len(rows) // 2)

    def _size(self, rows: list[int]) -> int:
        """The size of the largest, which comes first."""
        return max(1, self._sizes[rows[0]])


def text_batches(texts: Sequence[str], batch: int) -> Iterator[list[int]]:
    """Every batch of texts."""
    return iter(Batches([len(text) for text in texts], BATCH_CHARACTERS, batch).next, [])


MAX_CHARACTERS = 100_000
"""Longer texts are cut there, before any encoder's own limit of tokens."""


class LazyPictures(Protocol):
    """Pictures that are decoded when they are wanted: many never lie in memory at once."""

    def __len__(self) -> int:
        """How many there are."""

    def pixels(self, rows: Sequence[int], side: int) -> NDArray[np.uint8]:
        """Those rows as ``(b, side, side, 3)`` pixels."""


@dataclass(frozen=True)
class Given:
    """Items of known sizes. ``budget``: what a batch may have, each item as large as its largest."""

    sizes: Sequence[int]
    budget: int
    take: Callable[[list[int]], object]


def given_items(items: Any, modality: Literal["text", "image"], side: int | None) -> Given:
    """Texts or pictures, checked. What can be gone through only once, a generator say, is kept as a list.

    Raises
    ------
    ParameterError
        If texts are not texts.
    ShapeError
        If pictures have another shape or type.
    """
    if isinstance(items, Iterator):
        items = list(items)
    if modality == "text":
        texts = checked_texts(items)
        lengths = [len(text) for text in texts]
        return Given(lengths, BATCH_CHARACTERS, lambda rows: [texts[row] for row in rows])
    assert side is not None
    if hasattr(items, "pixels"):

        def decoded(rows: list[int]) -> NDArray[np.uint8]:
            some = checked_pictures(items.pixels(rows, side), side)
            if len(some) != len(rows):
                raise ShapeError(f"pixels() gave {len(some)} images for {len(rows)} rows.")
            return some

        return Given([side * side] * len(items), BATCH_PIXELS, decoded)
    pictures = checked_pictures(items, side)
    return Given([side * side] * len(pictures), BATCH_PIXELS, lambda rows: pictures[rows])


def checked_texts(items: Any) -> list[str]:
    """Texts, each cut at ``MAX_CHARACTERS``; half characters, which no tokenizer takes, become "?"."""
    if isinstance(items, str):
        raise ParameterError("Give a list of texts; pass a single text as [text].")
    try:
        items = list(items)
    except TypeError:
        raise ParameterError(f"Give a list of texts; this is {type(items).__name__}.") from None
    for at, text in enumerate(items):
        if not isinstance(text, str):
            raise ParameterError(
                f"Item {at} is not a text but a {type(text).__name__}; this encoder reads texts."
            )
    return [text[:MAX_CHARACTERS] if text.isascii() else _whole_characters(text) for text in items]


def _whole_characters(text: str) -> str:
    return text[:MAX_CHARACTERS].encode("utf-8", "replace").decode()


def checked_pictures(items: Any, side: int) -> NDArray[np.uint8]:
    """Pictures as an ``(n, side, side, 3)`` uint8 array."""
    pictures = np.asarray(items)
    if pictures.size == 0 and len(pictures) == 0:
        return np.empty((0, side, side, 3), np.uint8)
    if pictures.dtype != np.uint8 or pictures.shape[1:] != (side, side, 3):
        raise ShapeError(
            f"Images must be (n, {side}, {side}, 3) of uint8; they are {pictures.shape} of "
            f"{pictures.dtype}. as_pixels(picture, {side}) makes one of any image."
        )
    return pictures

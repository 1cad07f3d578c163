"""What an encoder is: items in, one ``(n, d)`` matrix out, in batches, the same wherever it comes from."""

import hashlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from threading import Lock
from typing import Any, Literal

import numpy as np
import torch
from torch import Tensor

from relviz.errors import ParameterError, ShapeError

BATCH = 64
MAX_CHARACTERS = 10_000
"""Longer texts are cut there, before any encoder's own limit of tokens."""
BATCH_CHARACTERS = 100_000
"""A batch of long texts is made shorter until its texts, padded to the longest, have no more than this."""

OnProgress = Callable[[float], object]
"""Called with the fraction done after every batch; it may raise to stop."""


@dataclass(frozen=True)
class Card:
    """What is known of an encoder before it is loaded. ``side``: pixels of the pictures that it takes."""

    name: str
    title: str
    modality: Literal["text", "image"]
    dimension: int
    side: int | None = None


@dataclass(frozen=True, eq=False)
class Encoder(Card):
    """A loaded encoder.

    Attributes
    ----------
    files
        All that its vectors depend on: weights, vocabulary, settings.
    embed
        One batch, a list of texts or a ``(b, side, side, 3)`` uint8 array, to its ``(b, d)`` vectors on any
        device. Called by one thread at a time: tokenizers and GPUs ask for it.
    network
        The model itself, for those who look inside.
    """

    files: tuple[Path, ...] = ()
    embed: Callable[[Any], Tensor] = field(kw_only=True)
    network: Any = None
    _turn: Lock = field(default_factory=Lock, repr=False)

    @cached_property
    def digest(self) -> str:
        """Digest of the content of ``files`` (32 hex digits)."""
        digest = hashlib.blake2b(digest_size=16)
        for path in self.files:
            with path.open("rb") as file:
                digest.update(hashlib.file_digest(file, "blake2b").digest())
        return digest.hexdigest()

    def encode(self, items: Any, on_progress: OnProgress | None = None, batch: int = BATCH) -> Tensor:
        """Vectors ``(n, d)`` of the items, float32 on the CPU, in their order.

        Parameters
        ----------
        items
            Texts, cut at ``MAX_CHARACTERS`` and then where the encoder stops reading; or pictures as an
            ``(n, side, side, 3)`` uint8 array, as ``as_pixels`` makes them. None give ``(0, d)``.
        on_progress
            See ``OnProgress``.
        batch
            Items at a time, at most.

        Raises
        ------
        ParameterError
            If texts are not texts, or ``batch`` is less than 1.
        ShapeError
            If pictures have another shape or type.
        """
        if batch < 1:
            raise ParameterError(f"batch must be at least 1; it is {batch}.")
        texts = self.modality == "text"
        given: Any = checked_texts(items) if texts else checked_pictures(items, self.side)
        parts = text_batches(given, batch) if texts else picture_batches(len(given), batch)
        vectors = torch.empty(len(given), self.dimension)
        done = 0
        for rows in parts:
            some = [given[row] for row in rows] if texts else given[rows]
            with self._turn, torch.inference_mode():
                found = self.embed(some)
            vectors[rows] = found.to("cpu", torch.float32)
            done += len(rows)
            if on_progress:
                on_progress(done / len(given))
        return vectors


def checked_texts(items: Any) -> list[str]:
    """Texts, each cut at ``MAX_CHARACTERS``; half characters, which no tokenizer takes, become "?"."""
    if isinstance(items, str):
        raise ParameterError("Give a list of texts; a single text goes in as [text].")
    for at, text in enumerate(items):
        if not isinstance(text, str):
            raise ParameterError(f"Item {at} is no text but {type(text).__name__}; this encoder reads texts.")
    return [text[:MAX_CHARACTERS].encode("utf-8", "replace").decode() for text in items]


def checked_pictures(items: Any, side: int | None) -> np.ndarray:
    """Pictures as an ``(n, side, side, 3)`` uint8 array."""
    pictures = np.asarray(items)
    if pictures.size == 0 and len(pictures) == 0:
        return np.empty((0, side or 0, side or 0, 3), np.uint8)
    if pictures.dtype != np.uint8 or pictures.shape[1:] != (side, side, 3):
        raise ShapeError(
            f"Pictures must be (n, {side}, {side}, 3) of uint8; they are {pictures.shape} of "
            f"{pictures.dtype}. as_pixels(picture, {side}) makes one of any picture."
        )
    return pictures


def text_batches(texts: Sequence[str], batch: int) -> Iterator[list[int]]:
    """Row numbers, texts of like length together, the longest first: little is padded."""
    order = sorted(range(len(texts)), key=lambda row: -len(texts[row]))
    while order:
        longest = max(1, len(texts[order[0]]))
        size = min(batch, max(1, BATCH_CHARACTERS // longest))
        yield order[:size]
        order = order[size:]


def picture_batches(n: int, batch: int) -> Iterator[list[int]]:
    """Row numbers in their order."""
    for start in range(0, n, batch):
        yield list(range(start, min(start + batch, n)))

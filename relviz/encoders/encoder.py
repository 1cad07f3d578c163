"""What an encoder is: items in, one ``(n, d)`` matrix out, in batches, the same wherever it comes from."""

import hashlib
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from pathlib import Path
from threading import Lock
from typing import Any, Literal

import torch
from torch import Tensor

from relviz.compute.arrays import as_whole
from relviz.encoders.batches import Batches, given_items
from relviz.encoders.layers import Network
from relviz.errors import ReadError

_lock = Lock()
_inside = 0
_before: tuple[str, bool] = "highest", True


@contextmanager
def whole_float32() -> Iterator[None]:
    """Products and convolutions as float32 has them, while anybody is inside; then as they were set before.

    Torch has one setting for all threads: who goes first must not put it back for those who are still in.
    """
    global _inside, _before
    with _lock:
        if _inside == 0:
            _before = torch.get_float32_matmul_precision(), torch.backends.cudnn.allow_tf32
            _set("highest", False)
        _inside += 1
    try:
        yield
    finally:
        with _lock:
            _inside -= 1
            if _inside == 0:
                _set(*_before)


def _set(products: str, convolutions: bool) -> None:
    torch.set_float32_matmul_precision(products)
    torch.backends.cudnn.allow_tf32 = convolutions


Stamp = tuple[Path, int, int]
OnProgress = Callable[[float], object]
"""Called with the fraction done after every batch; it may raise to stop."""


@dataclass(frozen=True)
class Card:
    """What is known of an encoder before it is loaded.

    Attributes
    ----------
    side
        Pixels of the pictures that it takes.
    layers, poolings
        What there is to choose from: hidden states 0 (the embeddings) to ``layers``, and ways to make one
        vector of a hidden state; 0 and none where there is nothing to choose.
    layer, pooling
        What its vectors are made of; both None where they are what the model itself gives.
    """

    name: str
    title: str
    modality: Literal["text", "image"]
    dimension: int
    side: int | None = None
    layers: int = 0
    poolings: tuple[str, ...] = ()
    layer: int | None = None
    pooling: str | None = None


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
    turn
        Held while ``embed`` is called; encoders that share a network share it.
    """

    files: tuple[Path, ...] = ()
    embed: Callable[[Any], Tensor] = field(kw_only=True)
    network: Network = None
    turn: Any = field(default_factory=Lock, repr=False)
    _stamps: tuple[Stamp, ...] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_stamps", tuple(map(stamp, self.files)))

    @cached_property
    def digest(self) -> str:
        """Digest of the content of ``files``, of the layer and of the pooling (32 hex digits).

        Raises
        ------
        ReadError
            If a file changed since the encoder was made: what it gives is no longer what the files say.
        """
        if tuple(map(stamp, self.files)) != self._stamps:
            raise ReadError(f"The files of {self.title} changed since it was loaded. Load it again.")
        return digest_of(self.files, self)

    def encode(self, items: Any, on_progress: OnProgress | None = None, batch: int | None = None) -> Tensor:
        """Vectors ``(n, d)`` of the items, float32 on the CPU, in their order.

        Parameters
        ----------
        items
            Texts, cut at ``MAX_CHARACTERS`` and then where the encoder stops reading; or pictures as an
            ``(n, side, side, 3)`` uint8 array, as ``as_pixels`` makes them; or pictures that are decoded a
            batch at a time, ``LazyPictures``. A generator is read to its end first. None give ``(0, d)``.
        on_progress
            See ``OnProgress``.
        batch
            Items at a time, at most; without it, as many as their lengths or pixels let seem good. Where
            memory does not suffice, batches are halved until it does.

        Raises
        ------
        ParameterError
            If texts are not texts, ``batch`` is less than 1, or memory does not suffice for a single item.
        ShapeError
            If pictures have another shape or type.
        """
        batch = None if batch is None else as_whole(batch, "batch", 1)
        given = given_items(items, self.modality, self.side)
        batches = Batches(given.sizes, given.budget, batch)
        vectors = torch.empty(len(given.sizes), self.dimension)
        done = 0
        with whole_float32():
            while rows := batches.next():
                found = self._embedded(given.take, rows)
                if found is None:
                    batches.halve(rows, self.title)
                    continue
                vectors[torch.tensor(rows)] = found
                done += len(rows)
                if on_progress:
                    on_progress(done / len(vectors))
        return vectors

    def _embedded(self, take: Callable[[list[int]], Any], rows: list[int]) -> Tensor | None:
        """Vectors of these rows on the CPU; None if memory does not suffice for them."""
        try:
            some = take(rows)
            with self.turn, torch.inference_mode():
                return self.embed(some).to("cpu", torch.float32)
        except (MemoryError, RuntimeError) as reason:
            if not is_out_of_memory(reason):
                raise
        # Behind the except: while it lasts, the frames that failed hold what they took.
        if torch.cuda.is_available():
            torch.cuda.empty_cache()
        return None


def digest_of(files: Iterable[Path], card: Card) -> str:
    """Digest of the content of an encoder's files, of its layer and of its pooling (32 hex digits)."""
    digest = hashlib.blake2b(digest_size=16)
    for path in files:
        digest.update(_content(*stamp(path)))
    if card.layer is not None:
        digest.update(f"layer {card.layer}, {card.pooling}".encode())
    return digest.hexdigest()


def stamp(file: Path) -> Stamp:
    """A file, its bytes and when it was written: another one if it was written anew."""
    status = file.stat()
    return file, status.st_size, status.st_mtime_ns


def is_out_of_memory(reason: BaseException) -> bool:
    """Whether this says that memory did not suffice, on whatever device."""
    said = str(reason).lower()
    return isinstance(reason, (MemoryError, torch.cuda.OutOfMemoryError)) or (
        isinstance(reason, RuntimeError)
        and any(words in said for words in ("out of memory", "can't allocate memory", "not enough memory"))
    )


@lru_cache(maxsize=4096)
def _content(path: Path, size: int, changed: int) -> bytes:  # noqa: ARG001, a file that changed is read anew
    with path.open("rb") as file:
        return hashlib.file_digest(file, "blake2b").digest()

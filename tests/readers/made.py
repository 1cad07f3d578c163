"""One small space, written as each format that relviz reads."""

import io
import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from safetensors.numpy import save as safetensors_bytes

import relviz
from relviz.readers import load_space, look

ROWS, DIMENSION = 12, 4
VECTORS = np.random.default_rng(0).normal(size=(ROWS, DIMENSION)).astype(np.float32)
WORDS = [f"wörd{row}" for row in range(ROWS)]
CLASSES = [f"class {row % 3}" for row in range(ROWS)]


def load(raw: bytes, filename: str, **options: Any) -> relviz.Space:
    return load_space(io.BytesIO(raw), filename=filename, **options)


def peek(raw: bytes, filename: str, **options: Any) -> Any:
    return look(io.BytesIO(raw), filename=filename, **options)


@contextmanager
def here() -> Iterator[None]:
    """Have files read in this process, as where there is no fork: what is patched holds, and it is quick."""
    with pytest.MonkeyPatch.context() as patch:
        patch.delattr("os.fork")
        yield


def npy(array: np.ndarray, **options: Any) -> bytes:
    file = io.BytesIO()
    np.save(file, array, **options)
    return file.getvalue()


def npz(save: Callable[..., None] = np.savez, **arrays: Any) -> bytes:
    file = io.BytesIO()
    save(file, **arrays)
    return file.getvalue()


def csv(header: Sequence[str], rows: Sequence[Sequence[Any]], separator: str = ",") -> bytes:
    return "".join(separator.join(map(str, cells)) + "\n" for cells in [header, *rows]).encode()


def parquet(columns: dict[str, Any], **options: Any) -> bytes:
    file = io.BytesIO()
    pq.write_table(pa.table(columns), file, **options)
    return file.getvalue()


def word_lines(words: Sequence[str] = WORDS, vectors: np.ndarray = VECTORS) -> bytes:
    return "".join(
        " ".join([word, *map(str, row)]) + "\n" for word, row in zip(words, vectors.tolist(), strict=True)
    ).encode()


def word_binary(words: Sequence[str] = WORDS, vectors: np.ndarray = VECTORS, end: bytes = b"\n") -> bytes:
    rows = [word.encode() + b" " + row.tobytes() + end for word, row in zip(words, vectors, strict=True)]
    return f"{len(words)} {vectors.shape[1]}\n".encode() + b"".join(rows)


_NUMBERS = {f"d{at}": VECTORS[:, at] for at in range(DIMENSION)}
_TABLE = [[WORDS[row], CLASSES[row], *VECTORS[row].tolist()] for row in range(ROWS)]
_TEXTS = {"ids": json.dumps(WORDS), "labels": json.dumps(CLASSES)}
_HEADER = f"{ROWS} {DIMENSION}\n".encode()

FILES = {
    "half.npy": npy(VECTORS.astype(np.float16)),
    "turned.npy": npy(np.asfortranarray(VECTORS.astype(">f8"))),
    "plain.npz": npz(v=VECTORS, word=np.array(WORDS), label=np.array(CLASSES)),
    "packed.npz": npz(np.savez_compressed, v=VECTORS, word=np.array(WORDS), label=np.array(CLASSES)),
    "table.csv": csv(["word", "kind", *_NUMBERS], _TABLE),
    "columns.parquet": parquet({"word": WORDS, "kind": CLASSES, **_NUMBERS}),
    "lists.parquet": parquet({"word": WORDS, "kind": CLASSES, "e": list(VECTORS)}, compression="none"),
    "own.safetensors": safetensors_bytes({"vectors": VECTORS}, metadata=_TEXTS),
    "headless.txt": word_lines(),
    "text.vec": _HEADER + word_lines(),
    "text.w2v": _HEADER + word_lines(),
    "binary.bin": word_binary(),
    "binary.w2v": word_binary(end=b""),
}
"""Every format, holding VECTORS; where it can, WORDS as ids and CLASSES as labels."""

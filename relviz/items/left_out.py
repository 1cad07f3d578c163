"""Which files of a collection were left out, and why, in words."""

from dataclasses import dataclass, field
from enum import Enum

from relviz.items.paths import natural_order
from relviz.readers import messages
from relviz.readers.pixels import MAX_BYTES, MAX_PIXELS, MAX_SIDE

_NAMED = 3


class Why(Enum):
    """Why a file is left out: said of one file, and of several."""

    NO_PICTURE = "is not an image", "are not images"
    DAMAGED = "is a damaged image", "are damaged images"
    TOO_LARGE = f"takes more than {messages.size(MAX_BYTES)}", f"take more than {messages.size(MAX_BYTES)}"
    TOO_MANY_PIXELS = (
        f"has more than {messages.count(MAX_PIXELS)} pixels, or {messages.count(MAX_SIDE)} on a side,",
        f"have more than {messages.count(MAX_PIXELS)} pixels, or {messages.count(MAX_SIDE)} on a side,",
    )
    LEADS_OUT = "has a name that leads elsewhere", "have names that lead elsewhere"
    LINK = "is a link", "are links"
    ENCRYPTED = "is encrypted", "are encrypted"
    PACKED = "is packed in a way that is not read", "are packed in a way that is not read"
    REPEATED = "has the name of a later one", "have the names of later ones"


@dataclass(frozen=True)
class LeftOut:
    """Names of the files that were left out, by the reason."""

    names: dict[Why, list[str]] = field(default_factory=dict)

    def add(self, why: Why, name: str) -> None:
        """Leave a file out."""
        self.names.setdefault(why, []).append(name)

    def notes(self, files: int) -> tuple[str, ...]:
        """A sentence for each reason, of so many files in all.

        >>> left = LeftOut()
        >>> left.add(Why.NO_PICTURE, "a.txt")
        >>> left.notes(103)
        ("1 of 103 files is not an image and was left out: 'a.txt'",)
        """
        notes = []
        for why, names in self.names.items():
            one, several = why.value
            subject = f"{one} and was" if len(names) == 1 else f"{several} and were"
            first = sorted(names, key=natural_order)[:_NAMED]
            shown = ", ".join([*map(messages.quote, first), *["…"][: len(names) > _NAMED]])
            notes.append(
                f"{messages.count(len(names))} of {messages.plural(files, 'file')} {subject} left out: "
                f"{shown}"
            )
        return tuple(notes)

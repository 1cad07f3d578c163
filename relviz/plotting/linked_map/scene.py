"""What a linked map shows, and what of it goes to a browser: a message, the texts, the pictures."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np

from relviz.compute.key import text_digest
from relviz.plotting.colors import Colors, check_length, named_classes
from relviz.plotting.drawing import renamed
from relviz.plotting.linked_map.encoding import ANCHOR, BLOCK, HOLLOW, LABELED, encode, text_file
from relviz.plotting.pane import Pane

Rows = np.ndarray | Sequence[int]


@dataclass(frozen=True)
class PictureSheet:
    """A PNG with a picture of every row: row ``i`` is cell ``i``.

    Cells are squares of ``cell`` pixels, ``columns`` of them side by side, counted from the top left.
    """

    png: bytes = field(repr=False)
    cell: int
    columns: int


@dataclass(frozen=True, eq=False)
class Scene:
    """Panes of the same rows, and what is known of the rows.

    Attributes
    ----------
    views
        Panes that are shown together, by the words of a switch between them.
    colors, ids, items, labels
        Of every row; ``items`` are texts.
    anchors, discovered, labeled
        Rows drawn as stars, as hollow stars, and with their text beside them.
    sprite
        Pictures of the rows.
    opens
        The view that is shown first; by default the first.
    """

    views: Mapping[str, Sequence[Pane]]
    colors: Colors
    ids: Sequence[str]
    items: Sequence[str]
    labels: Sequence[str] | None = None
    anchors: Rows = ()
    discovered: Rows = ()
    labeled: Rows = ()
    anchors_shown: bool = False
    sprite: PictureSheet | None = None
    star_name: str = "anchors"
    opens: str = ""

    @cached_property
    def identity(self) -> str:
        """What a selection is of."""
        return text_digest(self.ids)

    @property
    def pictures(self) -> bytes:
        """The sheet of pictures; empty where there is none."""
        return b"" if self.sprite is None else self.sprite.png

    @cached_property
    def text_file(self) -> tuple[bytes, np.ndarray]:
        """Items and labels as one file, and where its blocks start."""
        return text_file(self.items, self.labels)

    def named(self, names: Mapping[str, str]) -> "Scene":
        """The same with other names of spaces and classes."""
        if not names:
            return self
        every = {
            pane: replace(pane, title=renamed(pane.title, names))
            for shown in self.views.values()
            for pane in shown
        }
        views = {words: [every[pane] for pane in shown] for words, shown in self.views.items()}
        labels = None if self.labels is None else [names.get(label, label) for label in self.labels]
        return replace(self, views=views, colors=named_classes(self.colors, names), labels=labels)

    def message(self, name: str, height: int, below: int = 0) -> bytes:
        """All panes, each once; the browser puts texts and pictures beside it.

        Parameters
        ----------
        name
            Of the map, where there are several.
        height, below
            Pixels of the map at most, and of the screen that are left under it.
        """
        check_length(self.colors, len(self.ids))
        panes = list(dict.fromkeys(pane for shown in self.views.values() for pane in shown))
        flags = flags_of(len(self.ids), self.anchors, self.discovered, self.labeled)
        places = {words: [panes.index(pane) for pane in shown] for words, shown in self.views.items()}
        about = about_of(
            name, self.identity, len(self.anchors), len(self.discovered), self.anchors_shown, self.star_name
        )
        about |= {
            "height": height,
            "below": below,
            "views": places,
            "opens": self.opens or next(iter(places)),
        }
        if self.sprite is not None:
            about["sprite"] = {"cell": self.sprite.cell, "columns": self.sprite.columns}
        texts = {"block": BLOCK}
        return encode(panes, len(self.ids), self.colors, flags, about, texts, self.text_file[1])


def flags_of(total: int, anchors: Rows, discovered: Rows, labeled: Rows) -> np.ndarray:
    """``(total,)`` uint8: what each row is drawn as."""
    flags = np.zeros(total, np.uint8)
    for flag, marked in ((ANCHOR, anchors), (HOLLOW, discovered), (LABELED, labeled)):
        flags[np.asarray(marked, dtype=np.int64)] |= flag
    return flags


def about_of(
    name: str, identity: str, anchors: int, discovered: int, anchors_shown: bool, star_name: str
) -> dict[str, object]:
    """What the head of a message says wherever a map is shown."""
    return {
        "name": name,
        "identity": identity,
        "move_ms": MOVE_MS,
        "anchors_shown": anchors_shown,
        "stars": {ANCHOR: anchors, HOLLOW: discovered},
        "star_name": star_name,
        "sprite": None,
    }


MOVE_MS = 700
"""How long points take to new places."""

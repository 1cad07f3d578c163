"""Tables in print, as papers set them: rules above and below, words first, then figures in columns."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from relviz.errors import ShapeError
from relviz.plotting.drawing import drawing
from relviz.plotting.stack import LINE, Page
from relviz.plotting.style import INK, SMALL, fitted, printable, titled, width_of, wrapped

GAP = 3.0
"""Between two columns."""
ROW = 3.8
BLOCKS = 2.5
"""Between two parts of a table that is too wide for the page."""
WORDS = 0.36
"""Most of the width that a column of words may take; the first one has what the others leave."""
HEADS = (26.0, 18.0, 12.0, 9.0)
"""Widths that the head of a column may take, before it goes on in another line."""
MIDDLE = 0.75
"""From the line that letters stand on up to the middle of a capital."""
RULES = {"outer": 0.8, "inner": 0.4, "mark": 0.4}


class PrintTable:
    """A table; where its columns do not fit beside each other, they go on below, the first one said again.

    Parameters
    ----------
    head, rows
        Texts, as many in every row as in the head.
    width
        In mm.
    title
        Stands over it, after the letter of the panel.
    words
        How many columns are of words at least, the first ones.
    marks
        Cells, by row and column, that are the ``"best"``, printed bold, or the ``"second"``, underlined.

    Raises
    ------
    ShapeError
        If a row is longer or shorter than the head.
    """

    panels = 1

    def __init__(
        self,
        head: Sequence[str],
        rows: Sequence[Sequence[str]],
        width: float,
        title: str = "",
        words: int = 1,
        marks: Mapping[tuple[int, int], str] = MappingProxyType({}),
    ) -> None:
        wrong = [len(row) for row in rows if len(row) != len(head)]
        if wrong:
            raise ShapeError(f"The head has {len(head)} columns, and a row has {wrong[0]}.")
        named = drawing().named
        self._title = titled(named(title), width - LINE) if title else []
        rows = [[printable(named(cell)) for cell in row] for row in rows]
        head = [printable(named(name)) for name in head]
        natural = max(width_of(row[0], SMALL) for row in (head, *rows))
        room = [(WORDS if at < words else 0.5) * width for at in range(len(head))]
        self._rows = [
            [fitted(text, most, SMALL) for text, most in zip(row, room, strict=True)] for row in rows
        ]
        columns = [[row[at] for row in self._rows] for at in range(1, len(head))]
        for most in HEADS:  # in as few lines as there is room for
            self._heads = [wrapped(text, max(most, _widest(text.split()))) for text in head[1:]]
            self._widths = [
                _widest([*lines, *cells]) for lines, cells in zip(self._heads, columns, strict=True)
            ]
            left = width - sum(GAP + wide for wide in self._widths)
            self._first = min(natural, max(WORDS * width, left))
            self._blocks = _blocks(self._widths, width - self._first)
            if len(self._blocks) == 1:
                break
        self._words = [fitted(row[0], self._first, SMALL) for row in rows]
        self._corner = fitted(head[0], self._first, SMALL)
        self._width, self._marks = width, marks
        of_words = [all(map(_is_words, cells)) and any(cells) for cells in columns]
        self._left = [at < words or left for at, left in enumerate(of_words, 1)]

    @property
    def height(self) -> float:
        """In mm."""
        tall = sum(self._block_height(block) for block in self._blocks)
        return LINE * len(self._title) + 1.0 * bool(self._title) + tall + BLOCKS * (len(self._blocks) - 1)

    def draw(self, page: Page, x: float, y: float, letter: int | None) -> None:
        """Draw it, its top left at (x, y)."""
        page.head(x, y, self._title, letter if self._title else None)
        y += LINE * len(self._title) + 1.0 * bool(self._title)
        for block in self._blocks:
            self._draw_block(page, x, y, block)
            y += self._block_height(block) + BLOCKS

    def _draw_block(self, page: Page, x: float, y: float, block: Sequence[int]) -> None:
        wide = self._first + sum(self._widths[at] + GAP for at in block)
        if not self._title:  # which stands at the left
            x += max(0.0, (self._width - wide) / 2)
        tall = self._head_height(block)
        _rule(page, x, y, wide, "outer")
        _cell(page, x, y + tall - LINE / 2 - 0.4, self._corner)
        right = x + self._first
        for at in block:
            right += GAP + self._widths[at]
            lines = self._heads[at]
            side = right - self._widths[at] if self._left[at] else right
            ha = "left" if self._left[at] else "right"
            for number, line in enumerate(reversed(lines)):
                _cell(page, side, y + tall - LINE * (number + 0.5) - 0.4, line, ha)
            for number, row in enumerate(self._rows):
                middle, mark = y + tall + ROW * (number + 0.5), self._marks.get((number, at + 1), "")
                _cell(page, side, middle, row[at + 1], ha, "bold" if mark == "best" else "normal")
                if mark == "second":
                    _rule(
                        page,
                        right - width_of(row[at + 1], SMALL),
                        middle + 1.35,
                        width_of(row[at + 1], SMALL),
                        "mark",
                    )
        for number, words in enumerate(self._words):
            _cell(page, x, y + tall + ROW * (number + 0.5), words)
        _rule(page, x, y + tall, wide, "inner")
        _rule(page, x, y + tall + ROW * len(self._rows), wide, "outer")

    def _head_height(self, block: Sequence[int]) -> float:
        return LINE * max([1, *(len(self._heads[at]) for at in block)]) + 1.0

    def _block_height(self, block: Sequence[int]) -> float:
        return self._head_height(block) + ROW * len(self._rows) + 0.3


def _blocks(widths: Sequence[float], room: float) -> list[list[int]]:
    """Columns that fit beside each other, in as few blocks as need be, of about as many columns each."""
    needed, taken = 1, 0.0
    for wide in widths:
        if taken and taken + GAP + wide > room:
            needed, taken = needed + 1, 0.0
        taken += GAP + wide
    each = -(-len(widths) // needed)
    blocks: list[list[int]] = [[]]
    for at, wide in enumerate(widths):
        full = len(blocks[-1]) >= each or sum(widths[one] + GAP for one in blocks[-1]) + GAP + wide > room
        if blocks[-1] and full:
            blocks.append([])
        blocks[-1].append(at)
    return blocks


def _is_words(text: str) -> bool:
    """Whether a cell begins like words, and not like a figure or the dash that stands for one."""
    return text[:1].isalpha()


def _widest(texts: Sequence[str]) -> float:
    return max((width_of(text, SMALL, "bold") for text in texts), default=0.0)


def _cell(page: Page, x: float, y: float, text: str, ha: str = "left", weight: str = "normal") -> None:
    """A text whose letters stand on the line of their neighbors', whatever accents they have."""
    page.text(x, y + MIDDLE, text, SMALL, ha=ha, va="baseline", weight=weight)


def _rule(page: Page, x: float, y: float, width: float, kind: str) -> None:
    page.plane.plot([x, x + width], [y, y], color=INK, lw=RULES[kind], solid_capstyle="butt")

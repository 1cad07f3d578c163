"""Tables in print hold every text they are given, in columns, within the page."""

from itertools import pairwise

import numpy as np
import pytest

from relviz.errors import ShapeError
from relviz.plotting.charts import _apart
from relviz.plotting.heat import Heat, HeatGrid
from relviz.plotting.stack import Part, stacked
from relviz.plotting.style import SMALL, rendered, width_of
from relviz.plotting.table import PrintTable
from tests.plotting.pdf import page, size_mm, sizes_of, text_of

HEAD = ["anchors", "Jaccard A → B", "MRR A → B", "matches right"]
ROWS = [
    ["true anchors (GT)", "0.491", "0.989", "–"],
    ["15 known pairs only", "0.229", "0.629 ± 0.012", "100.0%"],
]


def print_of(table: Part, width: float = 175) -> bytes:
    return rendered(stacked([table], width), "pdf")


def test_every_text_is_there_and_can_be_read() -> None:
    raw = print_of(PrintTable(HEAD, ROWS, 172, "Ours"))
    said = " ".join(text_of(raw).split())
    for text in ["Ours", *HEAD, *(cell for row in ROWS for cell in row)]:
        assert text in said, text
    assert min(sizes_of(raw)) == pytest.approx(SMALL)


@pytest.mark.parametrize("width", [85, 175, 300])
def test_what_is_too_wide_goes_on_below_with_the_first_column_again(width: float) -> None:
    head = ["space", *(f"measure {at}" for at in range(14))]
    rows = [[name, *(f"0.{at:03d} ± 0.9" for at in range(14))] for name in ("one", "two")]
    table = PrintTable(head, rows, width - 3)
    raw = print_of(table, width)
    assert size_mm(raw)[0] == pytest.approx(width, abs=0.1)
    words = text_of(raw).split()
    assert [words.count(f"0.{at:03d}") for at in range(14)] == [2] * 14
    assert words.count("space") == words.count("two") >= 1
    assert (words.count("space") == 1) == (width == 300)
    with page(raw) as one:
        text = one.get_textpage()
        right = max(text.get_charbox(at)[2] for at in range(text.count_chars()))
        text.close()
        assert right <= one.get_width()


def test_signs_that_the_font_lacks_take_no_room_and_alone_are_named() -> None:
    rows = [["🐑 sheep", "🇬🇧", "0.5"], ["👩\u200d👧", "goat 🐐", "🐑"], ["", "\u200d", "–"]]
    said = " ".join(text_of(print_of(PrintTable(["item 🐑", "other", "🐑"], rows, 172))).split())
    for text in ("item", "sheep", "regional indicator symbol letter g", "woman, girl", "goat", "0.5"):
        assert text in said, text
    assert "\ufffd" not in said


def test_a_short_table_is_as_tall_as_its_lines() -> None:
    two, three = (PrintTable(HEAD, rows, 172).height for rows in (ROWS, [*ROWS, ROWS[0]]))
    assert three - two == pytest.approx(3.8)
    assert PrintTable(HEAD, [], 172).height > 0


def test_a_row_that_is_too_short_is_an_error() -> None:
    with pytest.raises(ShapeError, match="4 columns, and a row has 2"):
        PrintTable(HEAD, [["a", "b"]], 100)


def test_figures_of_ticks_never_touch() -> None:
    for wide in (20.0, 45.0, 160.0):
        ticks = [0.0, 0.2, 0.8, 0.9, 1.0, 1.1]
        kept = _apart(ticks, False, wide)
        assert kept[-1] == 1.1
        scale = wide / 1.1 / 1.1
        for one, other in pairwise(kept):
            between = (other - one) * scale - (
                width_of(f"{one:g}", SMALL) + width_of(f"{other:g}", SMALL)
            ) / 2
            assert between >= 1.0
    assert _apart(ticks, False, 160.0) == ticks


def test_no_figure_stands_in_a_cell_that_is_too_small_for_it() -> None:
    values = [[0.5] * 30] * 2
    narrow = HeatGrid([Heat("", np.array(values), ["a", "b"], [""] * 30)], 100, scale="x")
    wide = HeatGrid([Heat("", np.array(values)[:, :10], ["a", "b"], [""] * 10)], 100, scale="x")
    assert "0.50" not in text_of(print_of(narrow, 103))
    raw = print_of(wide, 103)
    assert "0.50" in text_of(raw)
    assert min(sizes_of(raw)) == pytest.approx(SMALL)

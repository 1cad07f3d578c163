"""Files of figures: their size, their text, their fonts, and the same bytes every time."""

import hashlib
import os
import subprocess
import sys
import threading
from io import BytesIO
from pathlib import Path

import matplotlib
import pytest
from matplotlib.figure import Figure
from PIL import Image

from relviz.errors import ParameterError
from relviz.plotting.maps import MapGrid, legend_of
from relviz.plotting.stack import inner, stacked
from relviz.plotting.style import (
    WIDTHS,
    fitted,
    flowed,
    readable,
    rendered,
    styled,
    titled,
    width_of,
    wrapped,
)
from tests.plotting.made import colors, panes
from tests.plotting.pdf import fonts_of, size_mm, text_of

ROOT = Path(__file__).resolve().parents[2]


def drawn(width: float = WIDTHS["one"], rows: int = 60) -> Figure:
    room = inner(width)
    grid = MapGrid(panes(rows), colors(rows), room, anchors=[1, 2])
    return stacked([grid, legend_of(colors(rows), room, anchors=True)], width)


@pytest.mark.parametrize("width", [*WIDTHS.values(), 120.5])
def test_pages_are_as_wide_as_asked_to_the_tenth_of_a_millimeter(width: float) -> None:
    figure = drawn(width)
    across, down = size_mm(rendered(figure, "pdf"))
    assert across == pytest.approx(width, abs=0.1)
    assert down == pytest.approx(figure.get_figheight() * 25.4, abs=0.1)


def test_text_of_a_pdf_can_be_selected_and_its_fonts_are_in_it() -> None:
    raw = rendered(drawn(), "pdf")
    said = text_of(raw)
    for words in ("A · absolute", "B · relative", "cat", "dog", "owl", "anchors"):
        assert words in said, said
    described, held = fonts_of(raw)
    assert described == held >= 2
    assert b"/Type3" not in raw


def test_text_of_an_svg_is_text() -> None:
    raw = rendered(drawn(), "svg")
    assert b">cat</text>" in raw
    assert b"<dc:date>" not in raw


@pytest.mark.parametrize("form", ["pdf", "svg", "png"])
def test_the_same_figure_is_the_same_bytes(form: str) -> None:
    figure = drawn()
    assert rendered(figure, form, "said") == rendered(figure, form, "said") == rendered(drawn(), form, "said")
    assert b"CreationDate" not in rendered(figure, form)


def digests() -> list[str]:
    return [hashlib.sha256(rendered(drawn(), form)).hexdigest() for form in ("pdf", "svg", "png")]


@pytest.mark.slow
def test_another_process_writes_the_same_bytes() -> None:
    code = "from tests.plotting.test_style import digests; print(*digests())"
    other = {"PYTHONHASHSEED": "1", "TZ": "Asia/Tokyo", "PYTHONPATH": "."}
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=ROOT,
        env=os.environ | other,
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.split() == digests()


def test_settings_of_whoever_calls_neither_matter_nor_change() -> None:
    before = rendered(drawn(), "svg")
    with matplotlib.rc_context(
        {"font.size": 30, "svg.hashsalt": "x", "pdf.fonttype": 3, "lines.linewidth": 9}
    ):
        kept = dict(matplotlib.rcParams)
        assert rendered(drawn(), "svg") == before
        assert b"/Type3" not in rendered(drawn(), "pdf")
        assert dict(matplotlib.rcParams) == kept


def test_threads_draw_as_one_does() -> None:
    expected = rendered(drawn(), "svg")
    made: list[bytes] = []
    threads = [threading.Thread(target=lambda: made.append(rendered(drawn(), "svg"))) for _ in range(4)]
    before = dict(matplotlib.rcParams)
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert made == [expected] * 4
    assert dict(matplotlib.rcParams) == before


def test_a_png_has_twice_the_dots_of_a_screen() -> None:
    image = Image.open(BytesIO(rendered(drawn(85), "png")))
    assert image.width == pytest.approx(85 / 25.4 * 300, abs=1)


def test_what_cannot_be_is_said() -> None:
    with pytest.raises(ParameterError, match="pdf, svg, png"):
        rendered(drawn(), "eps")
    for width in (1.0, 1000.0, float("nan")):
        with pytest.raises(ParameterError, match="mm"):
            inner(width)
    with pytest.raises(ParameterError, match="mm tall"):
        stacked([MapGrid(panes() * 40, colors(), 80.0)], 85)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("8️⃣ keycap", "8 keycap"),
        ("🏃 person running", "person running"),
        ("日本", "��"),
        ("a\n\tb ", "a b"),
        ("$x$", "$x$"),
        ("\x00\u202e", ""),
        ("", ""),
    ],
)
def test_texts_are_readable(text: str, said: str) -> None:
    assert readable(text) == said


def test_long_texts_are_cut_where_they_no_longer_fit() -> None:
    assert readable("abcdef", 4) == "abc…"
    for width in (5.0, 20.0, 40.0):
        cut = fitted("a long name of an encoder that goes on and on", width)
        assert width_of(cut) <= width
        assert cut.endswith("…")
    assert fitted("short", 60) == "short"
    assert titled("An encoder · absolute", 12) == ["An", "encoder", "absolute"]
    assert titled("encoder-base-uncased · absolute", 22) == ["encoder-base-", "uncased", "absolute"]
    assert titled("A · encoder-base-uncased", 22) == ["A · encoder-base-", "uncased"]
    assert titled("", 10) == []
    assert all(width_of(line, 6) <= 15 for line in wrapped("some words that do not fit into one line", 15))


def test_measured_widths_are_those_of_the_page() -> None:
    for text, weight in (("An encoder · absolute (cosine)", "normal"), ("Bold 0.25", "bold")):
        with styled():
            figure = Figure(dpi=720)
            box = figure.text(0, 0, text, size=7, weight=weight).get_window_extent()
        assert width_of(text, 7, weight) == pytest.approx(box.width / 720 * 25.4, rel=0.03)


def test_legends_flow_in_columns() -> None:
    assert flowed([10, 10, 10], 100, 2) == [[0, 1, 2]]
    assert flowed([10, 30, 10, 10], 50, 2) == [[0, 1], [2, 3]]
    assert flowed([500], 50, 2) == [[0]]
    assert flowed([], 50, 2) == []


def test_names_with_dollars_are_no_formulas() -> None:
    with styled():
        figure = Figure()
        figure.text(0.5, 0.5, "$costs$ 5_000 $")
    assert "$costs$ 5_000 $" in text_of(rendered(figure, "pdf"))

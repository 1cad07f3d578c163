"""Looks of figures: they change no number, hold at print size, do what they say, or are refused."""

import base64
import json
import re
from io import BytesIO
from itertools import product

import numpy as np
import pytest
from fontTools.ttLib import TTFont
from matplotlib.text import Text

import relviz
from relviz.figures.look import Look, look_of
from relviz.figures.make import PrintFigure, make
from relviz.figures.recipe import read_recipe
from relviz.plotting.legend import Key
from relviz.plotting.linked_map.encoding import STEPS, MapSeen, decode_seen, encode
from relviz.plotting.maps import MapGrid
from relviz.plotting.placing import merged
from relviz.plotting.venues import VENUES
from tests.plotting.pdf import size_mm, text_of
from tests.ui.made import CLASSES, ROWS, spaces


@pytest.fixture
def pair() -> relviz.Pair:
    return relviz.Pair(*spaces())


def drawn_points(figure: PrintFigure) -> list[np.ndarray]:
    """The points that each map of a figure has, in order."""
    found = []
    for axes in figure.figure.axes:
        groups = [one.get_offsets().data for one in axes.collections if one.get_gid() == "points"]
        if groups:
            points = np.concatenate(groups)
            found.append(points[np.lexsort(points.T)])
    return found


HIDDEN = ([], ["odd"], ["even", "<u>third</u>"])
BOXES = ({}, {"a": (-8.0, 8.0, -8.0, 9.0)}, {"a": (-9.0, 5.0, -9.0, 9.0), "d": (-1.5, 1.5, -2.0, 2.0)})
VIEWS = [*product(HIDDEN, BOXES), (["odd"], {"b": (-9.0, 9.0, -9.0, 0.5)})]


@pytest.mark.parametrize(("hidden", "boxes"), VIEWS)
def test_what_is_on_screen_is_what_is_printed(
    pair: relviz.Pair, hidden: list[str], boxes: dict[str, tuple[float, float, float, float]]
) -> None:
    """The message to the browser, with what the browser sends back, against the marks in print."""
    windows = [boxes.get(letter) for letter in "abcd"]
    sent = {"identity": "x", "hidden": hidden, "windows": [list(box) if box else None for box in windows]}
    seen = decode_seen(sent, "x")
    zoom = {chr(97 + at): box for at, box in seen.windows.items()}
    figure = relviz.figure(pair, "maps", anchors=9, look={"hidden": list(seen.hidden), "zoom": zoom})
    grid = figure.parts[0]
    assert isinstance(grid, MapGrid)
    panes = grid._panes
    message = encode(panes, ROWS, grid._colors, np.zeros(ROWS, np.uint8), {"name": "maps"})
    size = int.from_bytes(message[:4], "little")
    header, body = json.loads(message[4 : 4 + size]), message[4 + size :]
    start, many = header["codes"]
    codes = np.frombuffer(body, np.uint8, many, start)
    gone = np.array([name in hidden for name in header["colors"]["names"]])[codes]
    assert gone.tolist() == [name in hidden for name in CLASSES]
    for at, (shown, printed) in enumerate(zip(header["panes"], drawn_points(figure), strict=True)):
        start, many = shown["positions"]
        steps = np.frombuffer(body, "<u2", many, start).reshape(-1, 2) / STEPS
        x0, y0, x1, y1 = shown["box"]
        points = (np.array([x0, y0]) + steps * [x1 - x0, y1 - y0])[~gone]
        if windows[at]:
            left, right, low, high = windows[at]
            points = points[((points >= (left, low)) & (points <= (right, high))).all(1)]
        assert len(printed) == len(points)
        np.testing.assert_allclose(printed, points[np.lexsort(points.T)], atol=1e-3)


def test_what_a_browser_sends_of_other_rows_or_without_sense_shows_everything() -> None:
    assert decode_seen({"identity": "y", "hidden": ["odd"], "windows": []}, "x") == MapSeen()
    assert decode_seen({"identity": "x", "hidden": [1], "windows": [[1, 0, 0, 1], "x"]}, "x") == MapSeen()


def test_caption_and_legend_say_what_is_left_out(pair: relviz.Pair) -> None:
    figure = relviz.figure(pair, "maps", anchors=9, look={"hidden": ["odd"], "zoom": {"b": [-1, 1, -1, 1]}})
    assert figure.caption.endswith("Not shown: odd. Panel b shows a part.")
    assert "odd" not in text_of(figure.file("pdf")).split()


@pytest.mark.parametrize("style", ["acl", "nature", "poster"])
def test_styles_have_exact_widths_and_no_letter_below_6_points(pair: relviz.Pair, style: str) -> None:
    look, venue = Look(style=style), VENUES[style]
    for name, width in look.widths.items():
        figure = relviz.figure(pair, "maps", anchors=9, rows="relative", width=name, look=look)
        raw = figure.file("pdf")
        assert size_mm(raw)[0] == pytest.approx(width, abs=0.05)
        assert size_mm(raw)[1] == pytest.approx(figure.height, abs=0.05)
        sizes = [text.get_fontsize() for text in figure.figure.findobj(Text) if isinstance(text, Text)]
        assert min(sizes) >= 6 - 1e-9
        assert venue.size in np.round(sizes, 6)


def test_looks_change_no_number(pair: relviz.Pair) -> None:
    plain = relviz.figure(pair, "maps", anchors=9)
    look = {"names": {"Encoder A": "BERT"}, "palette": "gray", "layout": "1x4", "ticks": "numbers"}
    other = relviz.figure(pair, "maps", anchors=9, look=look)
    assert other.recipe.numbers == plain.recipe.numbers
    again = make(read_recipe(other.recipe.to_json()))
    assert again.recipe.look == other.recipe.look
    assert again.file("svg") == other.file("svg")


def test_names_titles_and_panels_are_those_asked_for(pair: relviz.Pair) -> None:
    look = {"names": {"Encoder A": "BERT"}, "titles": {"d": "Mine"}, "panes": "da", "letters": "(a)"}
    figure = relviz.figure(pair, "maps", anchors=9, look=look)
    said = text_of(figure.file("pdf"))
    assert {"Mine", "BERT", "(b)"} <= set(said.split())
    assert "Encoder" not in said
    assert figure.caption.startswith("A: BERT (6 dimensions)")
    assert len(drawn_points(figure)) == 2
    table = relviz.figure(pair, "measures", anchors=9, look={"names": {"Encoder A": "BERT"}})
    assert "BERT" in table.file("tex").decode()


def test_classes_are_named_where_there_is_room(pair: relviz.Pair) -> None:
    figure = relviz.figure(pair, "maps", anchors=9, rows="relative", look={"class_names": True})
    boxes = []
    for axes in figure.figure.axes:
        texts = [one for one in axes.texts if one.get_gid() == "class name"]
        boxes.append([one.get_window_extent() for one in texts])
    assert sum(map(len, boxes)) == 6
    for some in boxes:
        assert not any(one.overlaps(other) for at, one in enumerate(some) for other in some[:at])


@pytest.mark.parametrize(
    ("said", "words"),
    [
        ({"colour": "red"}, "no choice 'colour'"),
        ({"style": "emnlp99"}, "is not one of"),
        ({"layout": "four"}, "rows x columns"),
        ({"font": "Comic Sans 9"}, "no font"),
        ({"font_size": 5.0}, "smaller than 6 pt"),
        ({"zoom": {"a": [1, 0, 0, 1]}}, "is empty"),
        ({"hidden": "odd"}, "list of names"),
        ({"siunitx": "yes"}, "should be like False"),
    ],
)
def test_what_cannot_be_is_refused(said: dict[str, object], words: str) -> None:
    with pytest.raises(relviz.ParameterError, match=words):
        look_of(said)


def test_a_panel_that_is_not_there_is_refused(pair: relviz.Pair) -> None:
    with pytest.raises(relviz.ParameterError, match="no panel f; it has a to d"):
        relviz.figure(pair, "maps", anchors=9, look={"panes": "af"}).file("pdf")


def test_an_svg_carries_its_letters_or_has_them_as_shapes(pair: relviz.Pair) -> None:
    figure = relviz.figure(pair, "maps", anchors=9, rows="relative")
    svg = figure.file("svg").decode()
    fonts = re.findall(r"data:font/woff;base64,([A-Za-z0-9+/=]+)", svg)
    assert len(fonts) == 2  # regular and bold
    letters = set().union(*(TTFont(BytesIO(base64.b64decode(one))).getBestCmap() for one in fonts))
    assert set(map(ord, "Encoder A")) <= letters
    assert len(svg) < 300_000
    shapes = make(figure.recipe.with_changes(look=Look(svg_text="paths"))).file("svg")
    assert b"<text" not in shapes
    assert b"font/woff" not in shapes


SEPARATE = {"anchors": 9, "fit_absolute": "independent"}


def test_maps_turned_on_screen_are_turned_in_print(pair: relviz.Pair) -> None:
    plain = relviz.figure(pair, "maps", **SEPARATE)
    seen = decode_seen({"identity": "x", "hidden": [], "windows": [None] * 4, "turned": True}, "x")
    turned = relviz.figure(pair, "maps", look={"turned": seen.turned}, **SEPARATE)
    grid = plain.parts[0]
    assert isinstance(grid, MapGrid)
    panes = grid._panes
    flags = np.zeros(ROWS, np.uint8)
    message = encode(panes, ROWS, grid._colors, flags, {"name": "maps"})
    size = int.from_bytes(message[:4], "little")
    sent = json.loads(message[4 : 4 + size])["panes"]
    assert [one["turn"] is not None for one in sent] == [False, True, False, False]
    matrix = np.array(sent[1]["turn"]["matrix"]).reshape(2, 2)
    expected = panes[1].points @ matrix
    np.testing.assert_allclose(drawn_points(turned)[1], expected[np.lexsort(expected.T)])
    np.testing.assert_allclose(drawn_points(turned)[0], drawn_points(plain)[0])
    assert "turned or mirrored onto the first" in turned.caption
    assert turned.recipe.numbers == plain.recipe.numbers


def test_what_cannot_be_turned_is_refused(pair: relviz.Pair) -> None:
    with pytest.raises(relviz.ParameterError, match="No map of this figure can be turned"):
        relviz.figure(pair, "maps", anchors=9, look={"turned": True}).file("pdf")


@pytest.mark.parametrize("kind", ["maps", "anchor_curve"])
def test_a_legend_stands_beside_and_inside_without_covering_letters(pair: relviz.Pair, kind: str) -> None:
    tall = {}
    for place in ("below", "beside", "inside", "none"):
        rows = {"rows": "relative"} if kind == "maps" else {}
        figure = relviz.figure(pair, kind, anchors=9, look={"legend": place}, **rows)
        said = text_of(figure.file("pdf"))
        word = "even" if kind == "maps" else "chance"
        assert said.split().count(word) == (0 if place == "none" else 1)
        tall[place] = figure.height
        if place == "beside":
            frames = [axes.get_position().x1 for axes in figure.figure.axes if axes.get_label() != "page"]
            assert max(frames) < 0.95
    assert tall["inside"] == pytest.approx(tall["none"])
    assert tall["inside"] < tall["below"]


def test_one_legend_for_all_panels_is_refused_where_it_would_be_wrong() -> None:
    blue = [[Key("on its own", "blue")], [Key("on the other", "blue")]]
    assert merged([blue[0], blue[0]]) == blue[0]
    with pytest.raises(relviz.ParameterError, match="One legend cannot serve all panels"):
        merged(blue)


@pytest.mark.parametrize(
    ("kind", "look", "words"),
    [
        ("maps", {"hidden": ["green"]}, "no class 'green' to leave out; it has"),
        ("measures", {"hidden": ["odd"]}, "it has no classes"),
        ("measures", {"panes": "b"}, "no panel b"),
        ("anchor_curve", {"zoom": {"a": [0, 1, 0, 1]}}, "Panel a is no map"),
    ],
)
def test_what_a_figure_does_not_have_is_refused_and_not_ignored(
    pair: relviz.Pair, kind: str, look: dict[str, object], words: str
) -> None:
    figure = relviz.figure(pair, kind, anchors=9, look=look)
    with pytest.raises(relviz.ParameterError, match=words):
        figure.caption  # noqa: B018

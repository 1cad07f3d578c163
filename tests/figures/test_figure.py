"""A figure of a pair that is at hand, and its place in another figure."""

import html
from pathlib import Path

import numpy as np
import pytest
from matplotlib.figure import Figure

import relviz
from relviz.cli.main import main
from relviz.figures.figure import FigureKind
from relviz.plotting.style import MM
from tests.ui.made import spaces


@pytest.fixture
def pair() -> relviz.Pair:
    return relviz.Pair(*spaces())


def test_it_is_what_the_command_line_makes_of_the_same_files(pair: relviz.Pair, tmp_path: Path) -> None:
    told = {"anchors": 12, "rows": "relative", "seed": 1, "color": "agreement"}
    figure = relviz.figure(pair, "maps", width="one", **told)
    figure.save(tmp_path / "maps.json", tmp_path / "here.svg")
    for space in (pair.a, pair.b):
        arrays = {name: np.array(getattr(space, name)) for name in ("ids", "labels", "items")}
        np.savez(tmp_path / f"{space.name}.npz", vectors=space.vectors, **arrays)
    data = [word for space in (pair.a, pair.b) for word in ("--data", str(tmp_path / f"{space.name}.npz"))]
    main(["figure", str(tmp_path / "maps.json"), *data, "-o", str(tmp_path / "there.svg")])
    assert (tmp_path / "there.svg").read_bytes() == (tmp_path / "here.svg").read_bytes()


def test_rows_are_anchors(pair: relviz.Pair) -> None:
    figure = relviz.figure(pair, "maps", anchors=[5, 3, 9], stars=True)
    assert sorted(figure.content.arrays["anchors"].tolist()) == [3, 5, 9]
    assert "3 anchors chosen by hand" in figure.caption


def test_a_run_takes_the_choices_of_a_run(pair: relviz.Pair) -> None:
    made = relviz.figure(pair, "run", anchors=20, seeds=10, seed=2)
    run = made.recipe.view.ao
    assert (run.anchors, run.seeds, run.seed) == (20, 10, 2)
    table = relviz.figure(pair, "retrieval", anchors=20, seeds=[10], draws=1)
    assert table.recipe.options["anchors"] == 20
    assert made.content.linked is not None
    scene, arrays = made.content.linked().scene, made.content.arrays
    last = len(arrays["step"])
    assert (next(iter(scene.views)), scene.opens) == ("Step 1", f"Step {last}")
    a, b = scene.views[scene.opens]
    np.testing.assert_array_equal(a.points, arrays["places_a"])
    np.testing.assert_array_equal(b.points, arrays[f"places_b_{last}"])
    assert all(panes[0] is a for panes in scene.views.values())


def test_maps_have_two_or_three_dimensions_in_print_and_in_a_browser(pair: relviz.Pair) -> None:
    flat, solid = (relviz.figure(pair, "maps", anchors=9, dimensions=one) for one in ("2", "3"))
    for figure, dimension in ((flat, 2), (solid, 3)):
        assert figure.content.linked is not None
        views = figure.content.linked().scene.views
        assert [len(panes) for panes in views.values()] == [2, 2, 4]
        assert figure.content.arrays["relative_a"].shape == (len(pair), dimension)
        assert figure.file("svg")
        assert {np.shape(pane.points) for panes in views.values() for pane in panes} == {
            (len(pair), dimension)
        }


def test_spaces_without_a_name_are_a_and_b() -> None:
    pair = relviz.Pair(*(relviz.Space(space.vectors) for space in spaces()))
    assert relviz.figure(pair, anchors=9).caption.startswith("A: A (6 dimensions); B: B (6 dimensions)")


def test_it_is_drawn_in_the_place_of_axes_alone(pair: relviz.Pair) -> None:
    whole = Figure(figsize=(8, 8))
    left, right = whole.subplots(2, 2)[0]
    figure = relviz.figure(pair, "maps", anchors=9, rows="relative", axes=left)
    room = left.get_position()
    assert figure.recipe.width == pytest.approx(room.width * 8 / MM)
    drawn = [axes.get_position() for axes in whole.axes if axes not in (left, right)]
    assert len(drawn) > 2
    edges = [(box.x0 - room.x0, room.x1 - box.x1, box.y0 - room.y0, room.y1 - box.y1) for box in drawn]
    assert min(map(min, edges[2:])) > -1e-6
    assert not left.axison
    assert right.axison


def test_axes_that_are_too_small_say_how_large_it_is(pair: relviz.Pair) -> None:
    axes = Figure(figsize=(5, 1)).subplots()
    with pytest.raises(relviz.Error, match=r"The axes are 98.4 × 19.6 mm; this figure takes 98.4 × "):
        relviz.figure(pair, anchors=9, axes=axes)


@pytest.mark.parametrize(
    ("told", "match"),
    [
        ({"kind": "map"}, "'map' is not a kind of figure; give one of maps, anchors"),
        ({"kind": "mse"}, "is made of images, not of a pair"),
        ({"projection": "pcs"}, "projection pcs is not one of pca"),
        ({"colour": "class"}, "There is no choice 'colour'. Options of this kind: rows, stars"),
        ({"rows": "left"}, "The option rows is 'left'"),
        ({"anchors": 1}, "anchors 1 does not lie between 2 and 5000"),
        ({"anchors": [1]}, "anchors are 1 different rows; give at least 2"),
        ({"anchors": [1, 90]}, "anchors"),
        ({"anchors": [1, 2], "method": "fps"}, "Give one of the two"),
        ({"kind": "run", "anchors": [1, 2]}, "samples its anchors: give how many"),
        ({"width": "three"}, "The width 'three' is neither"),
        ({"width": 20}, "does not fit a page"),
    ],
)
def test_errors_say_what_there_is(told: dict[str, object], match: str, pair: relviz.Pair) -> None:
    with pytest.raises(relviz.Error, match=match):
        relviz.figure(pair, **told)


def test_maps_are_written_as_a_page_with_both_rows_their_caption_and_recipe(
    pair: relviz.Pair, tmp_path: Path
) -> None:
    made = relviz.figure(pair, "maps", anchors=20)
    made.save(tmp_path / "maps.html")
    text = (tmp_path / "maps.html").read_text("utf-8")
    assert html.escape(made.caption) in text
    assert html.escape(made.recipe.to_json()) in text
    assert "Data: the author&#x27;s own." in text
    assert made.content.linked is not None
    views = made.content.linked().scene.views
    assert [len(views[name]) for name in ("Original", "Relative", "2 × 2")] == [2, 2, 4]


@pytest.mark.parametrize("kind", ["anchors", "landing"])
def test_other_maps_are_pages_too_and_tables_hold_none(pair: relviz.Pair, kind: FigureKind) -> None:
    made = relviz.figure(pair, kind, anchors=20)
    assert b'id="message"' in made.file("html")
    assert relviz.figure(pair, "measures", anchors=20).content.linked is None

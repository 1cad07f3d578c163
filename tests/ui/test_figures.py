"""The figure of what is on screen shows what is on screen: points, colors, order, numbers."""

import base64
from threading import Event
from typing import Any

import numpy as np
import pytest
from matplotlib.axes import Axes
from streamlit.testing.v1 import AppTest

import relviz.ui.maps
from relviz.figures.kinds.bootstrap import options_of
from relviz.figures.make import PrintFigure, make, tasks_of
from relviz.figures.open_recipe import recipe_of, view_of
from relviz.figures.recipe import read_recipe
from relviz.plotting.legend import FEW_WAYS, spread
from relviz.plotting.maps import rgb_of
from relviz.state import View
from relviz.state.sources import keep_space
from relviz.state.view import Names
from relviz.ui.decode import sliders, spaces, swap
from relviz.ui.linked_map import linked_map
from relviz.ui.pad import SIDE
from tests.results.test_asked import keycap
from tests.ui.made import ROWS, small_pair, unpaired
from tests.ui.made import spaces as made_spaces
from tests.ui.screen import chart, figured, finished, opened, pressed, said, selected, values, went

QUICK = {"ao_method": "adam_warm", "ao_options": "steps=5,warm_up=2", "ao_anchors": "20", "ao_seeds": "8"}
SMALL = {"count": "13", "k": "4", "runs": "2", "queries": "20"}
DOWNLOADS = ["PDF", "SVG", "PNG"]


@pytest.fixture
def drawn(monkeypatch: pytest.MonkeyPatch) -> list[dict[str, Any]]:
    """What every linked map was given."""
    seen: list[dict[str, Any]] = []
    real = linked_map

    def spy(panes: Any, ids: Any, colors: Any, key: str, **more: Any) -> Any:
        seen.append({"panes": panes, "ids": ids, "colors": colors, "key": key, **more})
        return real(panes, ids, colors, key, **more)

    monkeypatch.setattr(relviz.ui.maps, "linked_map", spy)
    monkeypatch.setattr(spaces, "linked_map", spy)
    return seen


def computed(kind: str, params: dict[str, str], **options: Any) -> None:
    """Have what a figure shows be kept before its page is opened."""
    view, notices = View.from_params(params)
    assert not notices
    for task in tasks_of(recipe_of(view, kind, options)):
        task.run()


def labels(at: AppTest) -> list[str]:
    return [one.label for one in at.get("download_button")]


def charts(figure: Any) -> list[Axes]:
    return [axes for axes in figure.axes if any(one.get_gid() == "points" for one in axes.collections)]


def marks(axes: Axes, name: str) -> np.ndarray:
    found = [one for one in axes.collections if one.get_gid() == name]
    return np.asarray(found[0].get_offsets()) if found else np.empty((0, 2))


def agree(screen: dict[str, Any], figure: Any) -> None:
    """The panes of a linked map are those of a figure: the same points in the same colors, and in the same
    order unless classes have shapes, which are drawn one after the other."""
    panes = screen["panes"]
    assert len(charts(figure)) == len(panes)
    for axes, pane in zip(charts(figure), panes, strict=True):
        drawn = [one for one in axes.collections if one.get_gid() == "points"]
        printed = np.hstack(
            [
                np.concatenate([np.asarray(one.get_offsets()) for one in drawn]),
                np.concatenate([np.asarray(one.get_facecolor())[:, :3] for one in drawn]),
            ]
        )
        shown = np.hstack([pane.points, rgb_of(screen["colors"])])
        if len(drawn) > 1:
            printed, shown = (rows[np.lexsort(rows.T)] for rows in (printed, shown))
        np.testing.assert_allclose(printed, shown)


MAPS = [
    ("compare", "compare", "maps", {}),
    ("compare", "compare", "maps", {"color": "agreement", "similarity": "euclidean", "center": "no"}),
    ("compare", "compare", "maps", {"color": "cluster_b", "clusters": "4", "fit_relative": "joint"}),
    ("anchors", "anchors", "anchors", {"method": "hand", "picks": "3.5.8"}),
    ("stitch", "translate", "landing", {"translate": "ridge", "back": "yes"}),
    ("decode", "latents", "latents", {"de_part": "spaces"}),
    ("decode", "latents", "latents", {"de_part": "spaces", "de_latent": "2", "de_codes": "absolute"}),
]


@pytest.mark.slow
@pytest.mark.parametrize(("page", "key", "kind", "changes"), MAPS)
def test_points_colors_and_order_are_those_of_the_screen(
    page: str, key: str, kind: str, changes: dict[str, str], drawn: Any, made: list[PrintFigure]
) -> None:
    params = {**(small_pair() | SMALL if page != "decode" else {}), **changes}
    computed(kind, params)
    at = figured(page, key, params)
    agree(drawn[-1], made[-1].figure)
    assert labels(at)[: len(DOWNLOADS)] == DOWNLOADS or page != "decode"
    assert made[-1].caption in [code.value for code in at.code]
    svg = made[-1].file("svg")
    assert svg == make(read_recipe(made[-1].file("json"))).file("svg")
    assert view_of(read_recipe(made[-1].file("json"))).to_params() == View.from_params(params)[0].to_params()


@pytest.mark.slow
def test_anchors_are_starred_as_on_the_screen(drawn: Any, made: list[PrintFigure]) -> None:
    figured("anchors", "anchors", small_pair() | SMALL)
    for axes, pane in zip(charts(made[-1].figure), drawn[-1]["panes"], strict=True):
        np.testing.assert_allclose(marks(axes, "anchors"), pane.points[drawn[-1]["anchors"]])
    assert made[-1].content.columns["anchor"] == [int(row in drawn[-1]["anchors"]) for row in range(ROWS)]


def test_a_few_items_are_joined_to_where_they_should_be(drawn: Any, made: list[PrintFigure]) -> None:
    figured("stitch", "translate", small_pair() | SMALL)
    assert drawn[-1]["panes"][1].joined == 0
    rows = spread(np.arange(ROWS), FEW_WAYS)
    landed = charts(made[-1].figure)[1]
    np.testing.assert_allclose(marks(landed, "goals"), drawn[-1]["panes"][0].points[rows])


def test_what_is_selected_on_the_map_is_marked(made: list[PrintFigure]) -> None:
    params = small_pair() | SMALL
    at = figured("anchors", "anchors", params)
    assert made[-1].recipe.options["texts"] == []
    selected(at, "anchor_map", [9, 12])
    assert made[-1].recipe.options["texts"] == [9, 12]
    assert "item 9" in made[-1].file("svg").decode()


def test_options_of_the_button_are_those_of_the_recipe(made: list[PrintFigure]) -> None:
    params = small_pair() | SMALL
    computed("maps", params)
    at = figured("compare", "compare", params, width="one", stars=True)
    recipe = made[-1].recipe
    assert recipe.width == 85
    assert recipe.options["stars"] is True
    assert any(caption.value.startswith("85 × ") for caption in at.caption)
    assert "figure" not in vars(made[-1])  # it is drawn when a file is asked for


def test_nothing_is_made_before_the_button_is_pressed(made: list[PrintFigure]) -> None:
    at = opened("anchors", small_pair() | SMALL)
    assert not made
    assert not at.code
    assert not at.get("download_button")


def test_the_table_and_the_curve_of_compare_are_figures_too(made: list[PrintFigure]) -> None:
    params = small_pair() | SMALL
    for kind in ("measures", "anchor_curve"):
        computed(kind, params)
    at = figured("compare", "compare", params, kind="measures")
    assert labels(at)[-3:] == ["Data, csv", "Recipe", "Paper bundle"]
    shown = at.table[0].value.to_numpy().tolist()
    (sheet,) = made[-1].content.sheets.values()
    assert [list(row) for row in sheet.rows] == shown
    at = figured("compare", "compare", params, "Number of anchors", kind="anchor_curve")
    lines = [line["y"] for line in chart(at)["data"]]
    arrays = made[-1].content.arrays
    names = ["top1_a_to_b", "top1_b_to_a", "mrr_at_k_a_to_b", "mrr_at_k_b_to_a"]
    for name, line in zip(names, lines, strict=True):
        np.testing.assert_allclose(values(line), arrays[name])


@pytest.mark.slow
def test_a_run_s_points_and_steps_are_those_of_the_screen(drawn: Any, made: list[PrintFigure]) -> None:
    params = small_pair() | QUICK
    computed("run", params)
    figured("bootstrap", "run_0", params)
    screen, content = drawn[-1], made[-1].content
    np.testing.assert_allclose(screen["panes"][0].points, content.arrays["places_a"])
    last = int(content.arrays["step"][-1])
    np.testing.assert_allclose(screen["panes"][1].points, content.arrays[f"places_b_{last}"])
    assert len(charts(made[-1].figure)) == 4
    np.testing.assert_allclose(marks(charts(made[-1].figure)[-1], "points"), screen["panes"][1].points)


def test_what_a_run_found_and_got_right_is_shown_as_on_the_screen(
    drawn: Any, made: list[PrintFigure]
) -> None:
    params = small_pair() | QUICK
    computed("run", params)
    at = figured("bootstrap", "run_0", params, found=True, right=True)
    screen, last = drawn[-1], charts(made[-1].figure)[-1]
    np.testing.assert_allclose(marks(last, "discovered"), screen["panes"][1].points[screen["discovered"]])
    at.segmented_control(key="ao_color_0").set_value("Right or wrong")
    went(at)
    (points,) = [one for one in last.collections if one.get_gid() == "points"]
    np.testing.assert_allclose(np.asarray(points.get_facecolor())[:, :3], rgb_of(drawn[-1]["colors"]))
    figured("bootstrap", "run_0", params, kind="found")
    columns = made[-1].content.columns
    assert len(columns["row_a"]) == 20
    assert sum(columns["seed"]) == 8
    (sheet,) = made[-1].content.sheets.values()
    assert [row[0] for row in sheet.rows] == [
        item for item, seed in zip(columns["item_a"], columns["seed"], strict=True) if not seed
    ]


def heats(at: AppTest) -> list[np.ndarray]:
    return [np.array(values(one["z"]), np.float64) for one in chart(at)["data"] if one["type"] == "heatmap"]


@pytest.mark.slow
@pytest.mark.parametrize(("part", "key"), [("heads", "matrix"), ("sweep", "sweep")])
def test_cells_of_heat_maps_are_those_of_the_screen(part: str, key: str, made: list[PrintFigure]) -> None:
    params = small_pair() | {"count": "18", "part": part}
    computed(key, params)
    at = figured("stitch", key, params)
    for seen, (name, cells) in zip(heats(at), made[-1].content.arrays.items(), strict=True):
        expected = np.log10(cells) if name == "condition_number" else cells
        np.testing.assert_allclose(seen, expected)
    assert labels(at)[: len(DOWNLOADS)] == DOWNLOADS
    assert made[-1].file("pdf").startswith(b"%PDF")


def test_the_cell_that_is_looked_at_is_the_figure_of_what_is_confused(made: list[PrintFigure]) -> None:
    params = small_pair() | {"count": "18", "part": "heads"}
    computed("matrix", params)
    at = figured("stitch", "matrix", params, kind="confusion")
    counts = values(chart(at, 1)["data"][0]["customdata"])
    np.testing.assert_array_equal(counts, made[-1].content.arrays["counts"])


def test_every_pair_of_the_shelf_is_one_figure(made: list[PrintFigure]) -> None:
    third = keep_space(made_spaces(9)[1])
    params = View(**small_pair(), count=18, shelf=Names([third])).to_params()
    computed("pairs", params)
    at = figured("shelf", "pairs", params)
    for seen, cells in zip(heats(at), made[-1].content.arrays.values(), strict=True):
        np.testing.assert_allclose(seen, cells)


@pytest.mark.slow
def test_a_typed_text_has_its_figure(made: list[PrintFigure]) -> None:
    params = {"a": "glosses.minilm", "b": "glosses.wordllama", "count": "40", "part": "probe"}
    computed("probe", params)
    at = figured("stitch", "probe", params)
    assert made[-1].recipe.options == {"text": "", "picture": ""}
    at.segmented_control(key="probe_way").set_value("text")
    went(at)
    many = len(made)
    at.text_input(key="probe_text").set_value("a  small animal that barks ")
    went(at)
    assert made[many].recipe.options["text"] == "a small animal that barks"
    for table, sheet in zip(at.table, made[-1].content.sheets.values(), strict=True):
        shown = [item.removesuffix(" …") for item in table.value["item"]]
        assert [item[:30] for item in shown] == [item[:30] for item, _ in sheet.rows]
        assert list(table.value["cosine"]) == [cosine for _, cosine in sheet.rows]


@pytest.mark.slow
def test_a_picture_that_no_recipe_holds_says_why_it_has_no_figure(
    made: list[PrintFigure], monkeypatch: pytest.MonkeyPatch
) -> None:
    params = {"count": "40", "part": "probe"}
    at = figured("stitch", "probe", params)
    at.segmented_control(key="probe_way").set_value("image")
    finished(at)
    at.get("file_uploader")[0].upload("keycap.png", keycap(), "image/png")
    many = len(made)
    went(at)
    assert made[many].recipe.options["picture"]
    monkeypatch.setattr("relviz.figures.kinds.probe.LARGEST_PICTURE", 100)
    many = len(made)
    went(at)
    assert len(made) == many
    assert "This image is too large for a recipe: it takes" in said(at)


@pytest.mark.slow
def test_counterparts_that_were_found_are_all_in_the_files(made: list[PrintFigure]) -> None:
    link = unpaired() | {"ao_seed": "3"}
    known = tuple((row, row) for row in range(15))
    computed("correspondences", link, **options_of(known))
    at = figured("bootstrap", "correspondences", link)
    assert not made
    at.text_area(key="unpaired_known").set_value("\n".join(f"id{row}, {row + 1}" for row in range(15)))
    went(at)
    columns = made[-1].content.columns
    assert made[-1].recipe.view.ao.seed == 3
    assert made[-1].recipe.options["known_a"] == list(range(15))
    assert made[-1].caption in [code.value for code in at.code]
    assert labels(at)[-4:] == ["Data, csv", "Data, npz", "Recipe", "Paper bundle"]
    shown = at.dataframe[0].value
    order = np.argsort(columns["has_counterpart"], kind="stable")[::-1]
    assert list(shown["A"]) == [columns["name_a"][at] for at in order]
    assert list(shown["B"]) == [columns["name_b"][at] for at in order]
    for suffix in made[-1].suffixes():
        assert made[-1].file(suffix)


def test_the_papers_table_is_a_figure_of_what_was_tried(made: list[PrintFigure]) -> None:
    params = small_pair() | QUICK | {"ao_known": "yes"}
    trials = {"anchors": 300, "seeds": [10], "methods": ["adam_warm"], "draws": 1, "papers_count": False}
    computed("retrieval", params, **trials)
    at = opened("bootstrap", params)
    at.session_state["figure_retrieval"] = True
    at.multiselect(key="ao_table_seeds").set_value([10])
    at.multiselect(key="ao_table_methods").set_value(["adam_warm"])
    at.number_input(key="ao_table_draws").set_value(1)
    went(at)
    assert made[-1].recipe.options == trials
    shown = [table.value.to_numpy().tolist() for table in at.table]
    assert [list(row) for row in made[-1].content.sheets["Ours"].rows] in shown


@pytest.mark.slow
@pytest.mark.parametrize(
    ("page", "key", "params", "kind"),
    [
        ("stitch", "scale", {"count": "18", "part": "scale"}, "scale"),
        ("stitch", "probe", {"count": "18", "part": "probe"}, "probe"),
        ("stitch", "translate", {"count": "18"}, "translation"),
        ("decode", "between", {"de_part": "between", "de_image": "3"}, "between"),
        ("decode", "swap", {"de_images": "4.7"}, "swap"),
    ],
)
def test_every_page_offers_its_figure_and_makes_it(
    page: str, key: str, params: dict[str, str], kind: str, made: list[PrintFigure]
) -> None:
    params = params if page == "decode" else small_pair() | params
    computed(kind, params)
    chosen = {"kind": kind} if kind == "translation" else {}
    at = figured(page, key, params, **chosen)
    assert made[-1].recipe.kind == kind
    assert not at.error
    for suffix in made[-1].suffixes():
        assert made[-1].file(suffix)


@pytest.fixture
def strips(monkeypatch: pytest.MonkeyPatch) -> list[np.ndarray]:
    """Every strip of images that a part of the Decode page showed, as bytes."""
    seen: list[np.ndarray] = []
    for part in (swap, sliders):
        real = part.show_strip
        monkeypatch.setattr(
            part,
            "show_strip",
            lambda images, *more, real=real, **rest: (seen.append(images), real(images, *more, **rest)),
        )
    return seen


def printed(figure: Any) -> list[np.ndarray]:
    return [np.asarray(axes.images[0].get_array()) for axes in figure.axes if axes.images]


def as_bytes(images: Any) -> np.ndarray:
    return (images.clamp(0, 1) * 255).round().byte().numpy()[0, 0]


@pytest.mark.slow
def test_what_is_drawn_is_printed_as_the_screen_shows_it_and_a_new_drawing_too(
    strips: list[Any], made: list[PrintFigure]
) -> None:
    at = figured("decode", "draw", {"de_part": "draw"})
    assert not made
    for side in (30, 9):
        drawing = np.zeros((SIDE, SIDE), np.uint8)
        drawing[5 : 5 + side, 20:26] = 255
        at.session_state["decode_pad"] = {"drawn": base64.b64encode(drawing.tobytes()).decode()}
        strips.clear()
        went(at)
        shown = [as_bytes(images) for images in strips]
        np.testing.assert_array_equal(printed(made[-1].figure), shown)
        assert len(shown) == 1 + 3 * 4
        np.testing.assert_array_equal(made[-1].content.arrays["image"], strips[0][0, 0])
    assert made[0].recipe.numbers != made[-1].recipe.numbers
    assert made[-1].caption in [code.value for code in at.code]


def test_sliders_that_move_move_the_figure_of_an_open_button(
    strips: list[Any], made: list[PrintFigure]
) -> None:
    at = figured("decode", "slide", {"de_part": "slide", "de_image": "4"})
    assert made[-1].recipe.options == {"changes": []}
    rested = [slider.value for slider in at.slider]
    anchors = [int(slider.label.split()[-1]) for slider in at.slider]
    at.slider[1].set_value(-0.93)
    at.slider[6].set_value(0.4)
    strips.clear()
    went(at)
    assert made[-1].recipe.options == {"changes": [[anchors[1], -0.93], [anchors[6], 0.4]]}
    shown = [as_bytes(images) for images in strips]
    assert len(shown) == 3
    np.testing.assert_array_equal(printed(made[-1].figure)[:3], shown)
    assert len(printed(made[-1].figure)) == 3 + 2
    at.slider[6].set_value(rested[6])
    went(at)
    assert made[-1].recipe.options == {"changes": [[anchors[1], -0.93]]}
    pressed(at, "Reset")
    assert [slider.value for slider in at.slider] == rested
    assert made[-1].recipe.options == {"changes": []}


@pytest.mark.usefixtures("own_cache")
def test_a_job_can_be_watched_on_the_page_and_in_its_figure(monkeypatch: pytest.MonkeyPatch) -> None:
    held = Event()
    monkeypatch.setattr("relviz.results.heads.train_head", lambda *_: held.wait(60) and None)
    try:
        at = figured("stitch", "probe", small_pair() | {"count": "18", "part": "probe"})
        assert len([one for one in at.button if one.label == "Cancel"]) == 2
    finally:
        held.set()


@pytest.mark.usefixtures("own_cache")
def test_what_is_not_computed_yet_says_how_to_have_it(made: list[PrintFigure]) -> None:
    at = figured("compare", "compare", small_pair() | SMALL, kind="anchor_curve")
    assert not made
    assert "has not computed it yet" in said(at) or [one.label for one in at.button if one.label == "Cancel"]

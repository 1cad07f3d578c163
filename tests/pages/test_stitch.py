"""The Stitch page: what it shows is what the library makes of the anchors chosen."""

import re

import numpy as np
import pytest
import torch
from streamlit.testing.v1 import AppTest

import relviz
from relviz.compute.jobs import jobs
from relviz.results.rescaling import rescale_task
from relviz.results.translation_examples import translation_examples
from relviz.state import View
from relviz.state.sources import keep_space, open_pair
from relviz.translation import LITERAL
from relviz.ui.item_rows import TEXTS as TEXTS_AT_ONCE
from relviz.ui.stitch.matrix import confusion_figure
from tests.results.test_asked import keycap
from tests.results.translated import problem_of
from tests.ui.made import ROWS, TEXTS, small_pair
from tests.ui.screen import (
    chart,
    drawn,
    finished,
    maps,
    opened,
    pressed,
    rows_of_items,
    said,
    selected,
    values,
    went,
)

SMALL = {"count": "20"}


def view_of(**changes: object) -> View:
    return View(**small_pair(), count=20).with_changes(**changes)


def on_tab(name: str, params: dict[str, str]) -> AppTest:
    """Translate with the small pair, and a tab open under its maps."""
    at = opened("stitch", small_pair() | params)
    at.session_state["stitch_tab"] = name
    return went(at)


@pytest.mark.parametrize("back", [False, True])
@pytest.mark.parametrize("method", ["irp", "ridge", "procrustes"])
def test_a_translation_is_the_library_s(method: str, back: bool) -> None:
    view = view_of(translate=method, back=back)
    pair = open_pair(view.a, view.b)
    rows = relviz.select_anchors(pair.a.vectors, 20, seed=0)
    source, target = (pair.b, pair.a) if back else (pair.a, pair.b)
    fitted = relviz.translator(source.vectors[rows], target.vectors[rows], method)
    made = problem_of(view, pair).translation
    torch.testing.assert_close(made.made, fitted(source.vectors))
    assert made.cosines.mean() > (0.9 if method == "ridge" else 0.4)
    assert np.median(made.scores.ranks) < ROWS / 4
    assert made.landed.shape == (ROWS, 2)


def test_the_page_shows_the_target_and_what_was_carried_there() -> None:
    at = opened("stitch", small_pair() | SMALL | {"translate": "ridge"})
    panes = maps(at)
    assert [len(points) for points in panes] == [ROWS, ROWS]
    assert np.abs(panes[0] - panes[1]).max() < 0.5 * np.ptp(panes[0])
    assert {metric.label for metric in at.metric} >= {"Condition number", "Anchors kept"}
    before = at.metric[0].value
    at.selectbox(key="choice_translate").set_value("irp")
    went(at)
    at.slider(key="choice_delta").set_value(0.2)
    went(at)
    assert View.from_params(at.query_params)[0].delta == 0.2
    assert at.metric[0].value != before


@pytest.mark.parametrize(
    ("params", "told"),
    [
        ({"method": "hand", "picks": "3"}, "choose at least 2"),
        ({"translate": "absolute"}, "dimensions"),
        ({"method": "run"}, "No run of anchor optimization"),
    ],
)
def test_what_cannot_be_translated_is_explained(params: dict[str, str], told: str) -> None:
    at = opened("stitch", small_pair(dimension_b=9) | SMALL | params)
    assert told in said(at)


def test_landed_items_are_joined_to_where_they_should_be() -> None:
    header, _ = drawn(opened("stitch", small_pair() | SMALL))
    assert [pane["joined"] for pane in header["panes"]] == [None, 0]
    assert header["panes"][0]["group"] == header["panes"][1]["group"] == 0


def test_heads_and_every_other_method_stand_beside_the_translation() -> None:
    at = finished(opened("stitch", small_pair() | SMALL))
    accuracy = next(metric.value for metric in at.metric if metric.label == "Stitched accuracy")
    assert 0 <= float(accuracy) <= 1
    assert re.search(r"Accuracy: \d+ test rows that are neither anchors nor training rows", said(at))
    assert "Queries: 40 items that took no part in the fit. Candidates: all 60 items" in said(at)
    assert "counterparts shuffled: cosine similarity to the target" in said(at)
    bars = chart(at)["data"]
    assert [bar["name"] for bar in bars[:3]] == [
        "cosine similarity to the target",
        "MRR of the true counterpart",
        "accuracy of the target's head",
    ]
    assert bars[0]["x"][:3] == ["IRP", "IRP+", "Procrustes"]
    shown = next(metric.value for metric in at.metric if metric.label == "Cosine similarity to the target")
    chosen = bars[0]["x"].index("Procrustes")
    assert bars[0]["y"][chosen] == pytest.approx(float(shown), abs=1e-3)


def test_examples_are_nearest_items_before_and_after_translation() -> None:
    at = on_tab("Examples", SMALL)
    made = translation_examples(problem_of(view_of(), open_pair(**small_pair())), TEXTS_AT_ONCE, 0)
    assert made.before is not None
    told = np.stack([made.rows, made.before, made.after]).T.ravel().tolist()
    found = rows_of_items(at)
    assert [text for _, text in found] == [TEXTS[row] for row in told]
    assert [look == "right" for look, _ in found[2::3]] == (made.after == made.rows).tolist()
    pressed(at, "resample")
    assert rows_of_items(at) != found


def test_irp_is_read_as_in_the_paper_at_one_press() -> None:
    at = opened("stitch", small_pair() | SMALL | {"translate": "irp"})
    pressed(at, "As in the paper")
    view = View.from_params(at.query_params)[0]
    assert (view.decided_by, view.completion, view.length) == ("target", False, "raw")
    pair = open_pair(view.a, view.b)
    rows = relviz.select_anchors(pair.a.vectors, 20, seed=0)
    fitted = relviz.translator(pair.a.vectors[rows], pair.b.vectors[rows], "irp", **LITERAL)
    torch.testing.assert_close(problem_of(view, pair).translation.made, fitted(pair.a.vectors))
    shown = {metric.label: metric.value for metric in at.metric}
    assert shown["Condition number"] == f"{fitted.condition_number:.3g}"
    assert shown["Condition number, mean"] == f"{fitted.mean_condition_number:.3g}"
    pressed(at, "Use relviz's defaults")
    assert View.from_params(at.query_params)[0] == view.with_changes(
        decided_by="both", completion=True, length="own"
    )


def test_source_and_target_change_places() -> None:
    at = opened("stitch", small_pair() | SMALL)
    pressed(at, "Encoder A → Encoder B")
    assert View.from_params(at.query_params)[0].back
    pressed(at, "Encoder B → Encoder A")
    assert not View.from_params(at.query_params)[0].back


@pytest.mark.parametrize("part", ["heads", "scale"])
def test_a_part_offers_nothing_that_it_does_not_use(part: str) -> None:
    at = opened("stitch", small_pair() | SMALL | {"part": part, "translate": "irp"})
    offered = {widget.key for kind in ("selectbox", "slider", "toggle") for widget in at.sidebar.get(kind)}
    assert not offered & {"choice_translate", "choice_delta", "choice_omega"}


def test_selected_items_are_listed_and_the_first_can_be_probed() -> None:
    at = selected(on_tab("Selection", SMALL | {"translate": "ridge"}), "stitch_maps", [30, 41])
    assert list(at.dataframe[0].value["item"]) == ["item 30", "item 41"]
    assert (at.dataframe[0].value["cosine similarity to the target"] > 0.5).all()
    pressed(at, "Probe the first")
    view = View.from_params(at.query_params)[0]
    assert (view.part, view.item) == ("probe", 30)
    assert "item 30" in said(at)


def test_fewer_anchors_are_a_slider() -> None:
    at = opened("stitch", small_pair() | SMALL)
    before = at.metric[0].value
    assert (at.slider(key="choice_used").value, at.slider(key="choice_used").max) == (20, 20)
    at.slider(key="choice_used").set_value(5)
    went(at)
    assert View.from_params(at.query_params)[0].used == 5
    assert at.metric[0].value != before
    at.slider(key="choice_used").set_value(20)
    went(at)
    assert View.from_params(at.query_params)[0].used == 0


@pytest.mark.slow
def test_the_matrix_and_what_a_cell_confuses() -> None:
    at = finished(opened("stitch", small_pair() | SMALL | {"part": "heads"}))
    maps = [trace for trace in chart(at)["data"] if trace["type"] == "heatmap"]
    assert len(maps) == 8
    table = at.table[0].value
    assert list(table["encoder → head"])[1:3] == ["Encoder B → Encoder A", "Encoder A → Encoder B"]
    assert f"{values(maps[0]['z'])[0][1]:.3f}" in table["Relative"][2]
    assert f"{values(maps[0]['z'])[0][0]:.3f}" in table["Native"][0]
    at.selectbox(key="stitching_method").set_value("irp_plus")
    went(at)
    assert "weighted F1" in said(at)
    assert "12 test rows in each run, neither anchors nor training rows" in said(at)
    assert re.search(r"95% interval 0\.\d+–\d\.\d+ for 12 test rows; the most frequent", said(at))
    at.selectbox(key="stitching_encoder").set_value("Encoder B")
    went(at)
    assert at.selectbox(key="stitching_method").value == "native"  # a head on its own encoder


def test_delta_and_omega_are_swept() -> None:
    at = finished(opened("stitch", small_pair() | SMALL | {"part": "sweep", "delta": "0.5", "omega": "4"}))
    maps = [trace for trace in chart(at)["data"] if trace["type"] == "heatmap"]
    assert len(maps) == 4
    framed = next(trace for trace in chart(at)["data"] if trace["type"] == "scatter")
    at_delta = framed["marker"]["opacity"].index(1.0)
    assert (framed["x"][at_delta], framed["y"][at_delta]) == ("4", "0.5")
    assert "Highest cosine similarity to the target at δ" in said(at)
    assert len(at.dataframe[0].value) == 8 * 5
    assert "Queries: 12 items in each run, neither anchors nor training rows." in said(at)


@pytest.mark.slow
def test_the_scale_of_both_encoders() -> None:
    at = opened("stitch", small_pair() | SMALL | {"part": "scale"})
    assert [trace["name"] for trace in chart(at)["data"]] == ["Encoder A", "Encoder B"]
    assert "standard deviation" in said(at)
    assert "12 test rows." in said(finished(at))


def test_the_probe_says_plainly_when_it_is_wrong() -> None:
    right = opened("stitch", small_pair() | SMALL | {"part": "probe", "item": "30", "translate": "ridge"})
    assert "is translated correctly" in said(right)
    wrong = opened("stitch", small_pair() | {"part": "probe", "item": "30", "count": "2"})
    assert "is mistranslated" in said(wrong)


@pytest.mark.parametrize("part", ["heads", "scale", "translate", "sweep", "probe"])
def test_items_without_classes_are_explained_and_the_rest_works(part: str) -> None:
    rows = torch.randn(60, 5, generator=torch.Generator().manual_seed(0))
    a, b = (keep_space(relviz.Space(rows * scale, name=f"no classes {scale}")) for scale in (1, 2))
    at = finished(opened("stitch", {"a": a, "b": b, "count": "20", "part": part}))
    if part in ("heads", "scale", "probe"):
        assert "have no classes" in said(at)
    if part == "translate":
        assert next(metric.value for metric in at.metric if metric.label == "Stitched accuracy") == "–"


@pytest.mark.parametrize("used", ["1", "2"])
def test_one_anchor_and_anchors_on_a_line_are_explained(used: str) -> None:
    at = opened("stitch", small_pair() | SMALL | {"used": used})
    assert ("One anchor cannot show" in said(at)) == (used == "1")


def test_anchors_on_a_line_are_told() -> None:
    rows = torch.randn(40, 5, generator=torch.Generator().manual_seed(0))
    rows[:6] = torch.arange(6)[:, None] * torch.ones(5)
    a, b = (keep_space(relviz.Space(rows * scale, name=f"line {scale}")) for scale in (1, 3))
    at = opened("stitch", {"a": a, "b": b, "method": "hand", "picks": "0.1.2.3.4.5"})
    assert "lie on a line" in said(at)


def test_about_as_many_anchors_as_dimensions_are_warned_of() -> None:
    rows = torch.randn(90, 40, generator=torch.Generator().manual_seed(0))
    noisy = rows + 0.5 * torch.randn(90, 40, generator=torch.Generator().manual_seed(1))
    a, b = (keep_space(relviz.Space(side, name=name)) for side, name in ((rows, "x"), (noisy, "y")))
    at = opened("stitch", {"a": a, "b": b, "count": "41", "translate": "lstsq"})
    condition = next(float(metric.value) for metric in at.metric if metric.label == "Condition number")
    assert ("small differences" in said(at)) == (condition > 1000)


GLOSSES = {"a": "glosses.minilm", "b": "glosses.wordllama", "translate": "ridge", "part": "probe"}


def test_a_sentence_is_typed_and_answered() -> None:
    at = opened("stitch", GLOSSES)
    at.segmented_control(key="probe_way").set_value("text")
    went(at)
    assert not at.success  # nothing is said before something is typed
    at.text_input(key="probe_text").set_value("a large wild animal with a mane")
    went(at)
    assert "Its translation is nearest to" in said(at)
    assert [list(table.value.columns) for table in at.table[:3]] == [["cosine", "item"]] * 3
    assert not at.dataframe
    assert any("…" in item for item in at.table[0].value["item"])
    at.text_input(key="probe_text").set_value("   ")
    went(at)
    assert "Its translation is nearest to" not in said(at)


@pytest.mark.slow
def test_a_picture_is_given_and_what_is_none_is_refused() -> None:
    at = opened("stitch", {"part": "probe", "translate": "ridge"})
    at.segmented_control(key="probe_way").set_value("image")
    went(at)
    uploader = at.get("file_uploader")[0]
    uploader.upload("keycap.png", keycap(), "image/png")
    went(at)
    first = relviz.load_demo("emoji").pair().items[0]
    assert at.dataframe[0].value["item"][0] == at.dataframe[2].value["item"][0] == first
    at.get("file_uploader")[0].upload("x.png", b"<svg onload=alert(1)>", "image/png")
    went(at)
    assert "This is not an image" in said(at)


def test_spaces_of_no_live_encoder_have_items_only() -> None:
    at = opened("stitch", small_pair() | SMALL | {"part": "probe"})
    assert "Items only" in said(at)
    assert [group.key for group in at.segmented_control] == ["choice_part"]


@pytest.mark.slow
def test_layers_are_rescaled_where_the_source_is_a_transformer() -> None:
    at = opened("stitch", GLOSSES | {"part": "scale"})
    assert [button.label for button in at.button if "layer" in button.label] == ["Rescale all layers"]
    problem = problem_of(View.from_params(GLOSSES)[0], open_pair(GLOSSES["a"], GLOSSES["b"]))
    jobs().find(rescale_task(problem).key).cancel()
    at = opened("stitch", GLOSSES | {"part": "scale", "back": "yes"})
    assert "has no layers to inspect" in said(at)


def test_another_item_is_one_click_away_and_is_a_fair_test() -> None:
    at = finished(opened("stitch", small_pair() | SMALL | {"part": "probe"}))
    first = at.selectbox(key="choice_item").value
    assert "it tests neither translation nor head" not in said(at)
    pressed(at, "Resample")
    assert at.selectbox(key="choice_item").value != first
    assert "it tests neither translation nor head" not in said(at)
    assert View.from_params(at.query_params)[0].item == at.selectbox(key="choice_item").value


def test_classes_that_begin_alike_stay_apart() -> None:
    long = [f"{'the same beginning of a name ' * 2}{number}" for number in range(3)]
    axis = confusion_figure(np.eye(3, dtype=np.int64), long).data[0].x
    assert len(set(axis)) == 3
    assert [name[:2] for name in axis] == ["1 ", "2 ", "3 "]
    assert confusion_figure(np.eye(2, dtype=np.int64), ["<b>", "c"]).data[0].x == ("&lt;b&gt;", "c")

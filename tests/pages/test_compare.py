"""Compare: the maps are the library's, so are the figures, and slow maps are run and canceled on demand."""

import threading
import time
from collections.abc import Callable, Mapping
from itertools import count
from pathlib import Path

import numpy as np
import pytest
import torch
from streamlit.testing.v1 import AppTest

import relviz
from relviz.clusters import clusters
from relviz.compute.job import AnyJob
from relviz.compute.jobs import jobs
from relviz.measure import agreement, chance_jaccard, nearest_others
from relviz.projection import project
from relviz.results.comparison import comparison_of
from relviz.results.examples import examples
from relviz.state import View
from relviz.state.sources import keep_space
from relviz.ui.job_view import show_job
from relviz.ui.linked_map import MapEvent
from tests.ui import screen
from tests.ui.made import ROWS, TEXTS, small_pair, spaces
from tests.ui.screen import cells, drawn, finished, maps, pressed, rows_of_items, said, stars, went


def opened(params: Mapping[str, str] | None = None, tab: str = "Metrics") -> AppTest:
    """Compare with the original spaces over the relative ones."""
    return screen.opened("compare", {"spaces": "both", **(params or {})}, tab)


def held(monkeypatch: pytest.MonkeyPatch, after: int = 0) -> threading.Event:
    """Have searches of the measures, after so many, wait until the event is set, and pages for none."""
    gate, known, searches = threading.Event(), relviz.retrieval, count()

    def waiting(*args: object, **options: object) -> object:
        if next(searches) >= after:
            gate.wait(screen.PATIENCE)
        return known(*args, **options)  # type: ignore[arg-type]  # as it was called

    monkeypatch.setattr("relviz.measure.anchored.retrieval", waiting)
    monkeypatch.setattr("relviz.ui.job_view.PATIENCE_SECONDS", 0.0)
    return gate


def test_it_opens_with_the_relative_spaces_of_the_emoji_pair() -> None:
    at = screen.opened(tab="Examples")
    assert [len(points) for points in maps(at)] == [1906] * 2
    both = maps(opened())
    for shown, points in zip(maps(at), both[2:], strict=True):
        np.testing.assert_array_equal(shown, points)
    at.segmented_control(key="choice_spaces").set_value("absolute")
    for shown, points in zip(maps(went(at)), both[:2], strict=True):
        np.testing.assert_array_equal(shown, points)
    assert at.query_params["spaces"] == "absolute"


def test_all_four_maps_can_be_seen_at_once() -> None:
    panes = maps(opened())
    assert [len(points) for points in panes] == [1906] * 4
    assert all(np.isfinite(points).all() and points.std(0).min() > 0 for points in panes)


def test_the_figures_are_those_of_the_library() -> None:
    at = finished(opened(params=small_pair() | {"count": "5", "runs": "3", "k": "4"}))
    a, b = spaces()
    table = relviz.anchor_retrieval(a.vectors, b.vectors, 5, n_draws=3, k=4)
    found = {(r["representation"], r["direction"], r["metric"]): r for r in table.records()}
    shown = {metric.label.lower(): metric.value for metric in at.metric}
    for metric, words in {
        "top1": "top-1",
        "mrr_at_k": "mrr@k",
        "jaccard": "jaccard",
        "cosine": "cosine",
    }.items():
        both = [found["relative", way, metric]["mean"] for way in ("x→y", "y→x")]
        assert [value for label, value in shown.items() if words in label] == [f"{np.mean(both):.3f}"]
    both = [found["relative", way, "top1"]["mean"] for way in ("x→y", "y→x")]
    assert f"{np.mean(both):.1%}" in said(at)
    for representation in ("relative", "absolute"):
        for way, words in (("x→y", "A → B"), ("y→x", "B → A")):
            record = found[representation, way, "mrr_at_k"]
            spread = "" if record["sd"] is None else f" ± {record['sd']:.3f}"
            assert f"{record['mean']:.3f}{spread}" in cells(at, f"{representation} {words}")


def test_figures_that_take_a_moment_are_there_at_once() -> None:
    at = opened(params=small_pair() | {"count": "6", "runs": "2"})
    assert not jobs().running()
    assert not at.get("progress")
    assert len(at.metric) == 4
    assert "6 anchors" in said(at)


def test_figures_that_take_longer_come_after_what_the_first_anchor_samples_say(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    first = relviz.anchor_retrieval(*spaces(), 7, n_draws=1)
    gate = held(monkeypatch, 4)  # both ways without anchors, and both ways through the first sample, go on
    at = opened(params=small_pair() | {"count": "7", "runs": "3"})
    (job,) = jobs().running()
    until = time.monotonic() + screen.PATIENCE
    while job.partial is None:
        assert time.monotonic() < until
    at = went(at)
    assert "Based on 1 of 3 anchor samples so far." in said(at)
    assert at.get("progress")
    assert not at.metric
    both = [runs.mean["top1"] for runs in (first.x_to_y, first.y_to_x)]
    assert f"{np.mean(both):.1%}" in said(at)
    gate.set()
    at = finished(at)
    assert "so far" not in said(at)
    assert len(at.metric) == 4


def test_who_goes_back_while_a_measure_is_being_canceled_gets_it_all_the_same(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    gate = held(monkeypatch)
    at = opened(params=small_pair() | {"count": "13", "runs": "2"})  # measured by no other test
    (left,) = jobs().running()
    at.number_input(key="choice_count").set_value(14)
    at = went(at)
    assert left.canceling

    def ended_by_then(job: AnyJob, *args: object, **options: object) -> None:
        if job is left:
            gate.set()
            assert job.wait(screen.PATIENCE)
        show_job(job, *args, **options)  # type: ignore[arg-type]  # as it was called

    monkeypatch.setattr("relviz.ui.job_view.show_job", ended_by_then)
    threading.Timer(0.5, gate.set).start()  # it is still at work when it is wanted again
    at.number_input(key="choice_count").set_value(13)
    at = finished(went(at))
    assert left.state == "canceled"
    assert "canceled" not in said(at)
    assert len(at.metric) == 4


def test_examples_are_answers_of_the_library() -> None:
    link = small_pair() | {"count": "9"}
    at = finished(opened(link, tab="Examples"))
    a, b = spaces()
    view = View.from_params(link)[0]
    made = examples(comparison_of(view, relviz.Pair(a, b)), 6, 0).run()
    found = rows_of_items(at)
    assert made.original is not None
    told = np.stack([made.rows, made.original, made.relative]).T.ravel().tolist()
    assert [text for _, text in found] == [TEXTS[row] for row in told]
    for at_, row in enumerate(made.rows.tolist()):
        looks = [look for look, _ in found[3 * at_ : 3 * at_ + 3]]
        assert looks[2] == ("right" if made.relative[at_] == row else "other")
    finished(pressed(at, "resample"))
    assert rows_of_items(at) != found


@pytest.mark.slow
def test_where_they_disagree_shows_neighbors_in_both_spaces_and_marks_them() -> None:
    params = small_pair() | {"count": "9", "k": "5", "clusters": "3"}
    at = finished(finished(opened(params, tab="Where they disagree")))
    tables = [html for html in at.get("html") if "rows-of-items" in html.proto.body]
    assert len(tables) == 6
    assert "differ most" in said(at)
    a, b = (space.vectors for space in spaces())
    index = agreement(a, b, 5).jaccard
    shared = np.rint(10 * index / (1 + index))
    assert f"**{shared.mean():.1f} of 5** nearest neighbors" in said(at)
    texts = [text for _, text in rows_of_items(at)]
    at.button(key="disagreement_mark_0").click()
    went(at)
    number, rows = at.session_state["relviz_marked_maps"]
    assert number == 1
    assert {TEXTS[row] for row in rows} == {text.removesuffix(" (in both lists)") for text in texts}
    for chosen, words in (
        ("most", "agree most"),
        ("near_a", "nearest item in A"),
        ("clusters", "3 clusters of"),
    ):
        at.segmented_control(key="disagreement_rows").set_value(chosen)
        assert words in said(finished(went(at)))


def test_the_slider_under_the_maps_is_the_number_of_anchors() -> None:
    at = opened(small_pair() | {"count": "9"})
    assert at.select_slider(key="anchor_slider 9").value == 9
    at.select_slider(key="anchor_slider 9").set_value(20)
    went(at)
    assert at.query_params["count"] == "20"
    assert at.number_input(key="choice_count").value == 20


def test_the_maps_are_those_of_the_library() -> None:
    at = opened(params=small_pair() | {"count": "7", "seed": "3", "similarity": "euclidean"})
    a, b = (space.vectors for space in spaces())
    rows = relviz.select_anchors(a, 7, seed=3)
    frames = [relviz.prepare(side) for side in (a, b)]
    told = [relviz.relative(frame, frame[rows], "euclidean") for frame in frames]
    expected = [*project([a, b], "pca", "first"), *project(told, "pca", "first")]
    for shown, points in zip(maps(at), expected, strict=True):
        np.testing.assert_allclose(shown, points, atol=np.ptp(points, 0).max() / 65535)
    np.testing.assert_array_equal(stars(at), maps(at)[0][np.sort(rows.numpy())])


def test_spaces_of_different_dimensions_have_no_control_and_say_so() -> None:
    at = finished(opened(params=small_pair(dimension_b=4) | {"count": "9"}))
    assert "6 and 4 dimensions" in said(at)
    assert set(cells(at, "absolute A → B")) == {"–"}
    assert [len(points) for points in maps(at)] == [ROWS] * 4


@pytest.mark.parametrize("fit", ["joint", "first"])
def test_an_impossible_fit_leaves_the_other_row(fit: str) -> None:
    at = opened(params=small_pair(dimension_b=4) | {"count": "9", "fit_absolute": fit})
    assert [points is None for points in maps(at)] == [True, True, False, False]
    notes = [pane["message"] for pane in drawn(at)[0]["panes"]]
    assert sum("6" in note and "4" in note and "dimension" in note for note in notes) == 2


def test_words_of_50_and_100_dimensions_compare() -> None:
    words = {"a": "words.glove50", "b": "words.wink100", "count": "5", "runs": "1", "queries": "20"}
    at = opened(params=words | {"fit_absolute": "joint"})
    panes = maps(at)
    assert [points is None for points in panes] == [True, True, False, False]
    assert len(panes[2]) == len(panes[3]) >= 10_000


@pytest.mark.slow
@pytest.mark.usefixtures("own_cache")
def test_pca_is_shown_until_a_slow_map_is_there() -> None:
    at = opened(params=small_pair() | {"count": "9", "projection": "tsne", "perplexity": "5"})
    stand_in = maps(at)
    assert all(len(points) == ROWS for points in stand_in)
    finished(at)
    for shown, before in zip(maps(at), stand_in, strict=True):
        assert shown.shape == before.shape
        assert not np.allclose(shown, before)
    assert not [button.label for button in at.button if "Run" in button.label]


@pytest.mark.slow
@pytest.mark.usefixtures("own_cache")
def test_a_slow_map_that_nobody_waits_for_is_stopped() -> None:
    at = opened(params={"projection": "tsne", "map_seed": "1", "count": "20", "runs": "1", "queries": "20"})
    first = [job for job in jobs().running() if "t-SNE" in job.title]
    assert len(first) == 2
    at.number_input(key="choice_perplexity").set_value(31)
    went(at)
    assert all(job.canceling for job in first)
    second = [job for job in jobs().running() if "t-SNE" in job.title and not job.canceling]
    assert len(second) == 2
    at.segmented_control(key="choice_projection").set_value("pca")
    went(at)
    assert all(job.canceling for job in second)
    at.segmented_control(key="choice_projection").set_value("tsne")
    went(at)
    assert all(job.wait(60) for job in first + second)
    went(at)
    assert len([job for job in jobs().running() if not job.canceling and "t-SNE" in job.title]) == 2


@pytest.mark.slow
@pytest.mark.usefixtures("own_cache")
def test_a_map_that_runs_can_be_canceled_and_run_again() -> None:
    params = {"projection": "tsne", "map_seed": "1", "count": "20", "runs": "1", "queries": "20"}
    at = finished(opened(params=params | {"projection": "pca"}))
    before = maps(at)
    at.segmented_control(key="choice_projection").set_value("tsne")
    went(at)
    running = jobs().running()
    assert running
    for job in running:
        job.cancel()
    finished(at)
    assert said(at).count("canceled") == len(running)
    np.testing.assert_array_equal(maps(at)[3], before[3])
    first = next(button for button in at.button if "again" in button.label.lower())
    first.click()
    went(at)
    assert said(at).count("canceled") == len(running) - 1
    assert [job.title for job in jobs().running()] == [running[0].title]


def test_a_measure_that_fails_says_so_and_can_be_tried_again(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object, **__: object) -> None:
        raise relviz.Error("The disk is full of sand.")

    with monkeypatch.context() as patch:
        patch.setattr("relviz.results.metrics.anchor_retrieval", fail)
        at = finished(opened(params=small_pair() | {"count": "11"}))
    assert len(at.error) == 1
    assert "full of sand" in at.error[0].value
    assert all(len(points) == ROWS for points in maps(at))
    finished(pressed(at, "again"))
    assert not at.error
    assert at.metric


def test_per_class_without_classes_says_so_and_keeps_the_absolute_maps() -> None:
    a, b = (relviz.Space(space.vectors, name=space.name) for space in spaces())
    at = opened(params={"a": keep_space(a), "b": keep_space(b), "method": "per_class", "count": "9"})
    finished(at)
    assert "needs labels" in said(at)
    assert [points is None for points in maps(at)] == [False, False, True, True]


def test_who_comes_back_to_a_choice_has_its_measures(monkeypatch: pytest.MonkeyPatch) -> None:
    began = threading.Event()

    def slow(*_: object, on_progress: Callable[[float], None], **__: object) -> None:
        began.set()
        while True:
            on_progress(0.1)
            time.sleep(0.01)

    with monkeypatch.context() as patch:
        patch.setattr("relviz.results.metrics.anchor_retrieval", slow)
        at = opened(params=small_pair() | {"count": "13"})
        assert began.wait(30)
        left = next(job for job in jobs().running() if job.state == "running")
        at.number_input(key="choice_count").set_value(14)
        went(at)
        assert left.wait(30)
        assert left.state == "canceled"  # nobody waited for it
        for job in jobs().running():
            job.cancel()
    at.number_input(key="choice_count").set_value(13)
    finished(went(at))
    assert "canceled" not in said(at)
    assert at.metric


def select(monkeypatch: pytest.MonkeyPatch, rows: list[int]) -> None:
    """Have the maps say that rows are selected: a test's session has no state of Compare's own to set."""
    clicked = rows[0] if len(rows) == 1 else None
    monkeypatch.setattr("relviz.ui.linked_map.decode", lambda *_: MapEvent(np.array(rows), clicked))


def test_what_is_selected_is_shown_with_its_agreement(monkeypatch: pytest.MonkeyPatch) -> None:
    select(monkeypatch, [4, 9, 30])
    at = opened(params=small_pair() | {"count": "9", "k": "5"}, tab="Selection")
    a, b = (space.vectors for space in spaces())
    index = agreement(a, b, 5).jaccard
    shown = at.dataframe[0].value
    assert list(shown["item"]) == [TEXTS[row] for row in (4, 9, 30)]
    np.testing.assert_allclose(shown["agreement"], index[[4, 9, 30]], atol=1e-4)
    assert f"**{index[[4, 9, 30]].mean():.3f}**" in said(at)
    assert f"by chance: {chance_jaccard(ROWS - 1, 5):.3f}" in said(at)
    per_class = at.dataframe[1].value
    assert per_class["selected"].sum() == 3
    pressed(at, "use as anchors")
    assert (at.query_params["method"], at.query_params["picks"]) == ("hand", "4.9.30")


def test_the_neighbors_of_an_item_are_those_of_both_spaces(monkeypatch: pytest.MonkeyPatch) -> None:
    select(monkeypatch, [12])
    at = opened(params=small_pair() | {"count": "9", "k": "4"}, tab="Selection")
    table = at.dataframe[-1].value
    for side, column in zip(spaces(), ("in A", "in B"), strict=True):
        near = nearest_others(side.vectors, torch.tensor([12]), 4)[0].tolist()
        assert [cell[2:] for cell in table[column]] == [TEXTS[row] for row in near]
    marked = [{cell for cell in table[column] if cell.startswith("●")} for column in ("in A", "in B")]
    assert marked[0] == marked[1] == {f"● {text[2:]}" for text in set(table["in A"]) & set(table["in B"])}


@pytest.mark.parametrize("side", ["a", "b"])
def test_color_can_be_the_similarity_to_the_item_clicked(side: str, monkeypatch: pytest.MonkeyPatch) -> None:
    at = opened(params=small_pair() | {"count": "9", "color": f"similarity_{side}"})
    assert "Click an item" in said(at)
    assert drawn(at)[0]["colors"]["kind"] == "class"
    select(monkeypatch, [7])
    header, body = drawn(went(at))
    assert (header["colors"]["low"], header["colors"]["high"]) == (-1, 1)
    codes = np.frombuffer(body, "<u2", ROWS, header["codes"][0]) / 65534 * 2 - 1
    unit = relviz.prepare(spaces()["ab".index(side)].vectors)
    np.testing.assert_allclose(codes, unit @ unit[7], atol=1e-4)


def test_color_can_be_the_agreement_of_neighborhoods() -> None:
    at = finished(opened(params=small_pair() | {"count": "9", "k": "6", "color": "agreement"}))
    header, body = drawn(at)
    codes = np.frombuffer(body, "<u2", ROWS, header["codes"][0]) / 65534
    a, b = (space.vectors for space in spaces())
    np.testing.assert_allclose(codes, agreement(a, b, 6).jaccard, atol=1e-4)
    assert "by chance" in header["colors"]["note"]


@pytest.mark.parametrize("side", ["a", "b"])
def test_color_can_be_the_clusters_of_one_encoder(side: str) -> None:
    link = small_pair() | {"count": "9", "color": f"cluster_{side}", "clusters": "5"}
    header, body = drawn(finished(opened(params=link)))
    space = spaces()["ab".index(side)]
    members = clusters(space.vectors, 5).numpy()
    np.testing.assert_array_equal(np.frombuffer(body, "u1", ROWS, header["codes"][0]), members)
    assert header["colors"]["names"] == [f"cluster {number}" for number in range(1, 6)]
    assert header["colors"]["counts"] == np.bincount(members).tolist()
    assert f"Found in {side.upper()}, {space.name}, by k-means" in header["colors"]["note"]


def test_the_number_of_clusters_is_a_choice_of_its_own() -> None:
    at = opened(params=small_pair() | {"count": "9"})
    assert "Clusters" not in [number.label for number in at.number_input]
    at.selectbox(key="choice_color").set_value("cluster_a")
    at = finished(went(at))
    assert len(drawn(at)[0]["colors"]["names"]) == 8
    at.number_input(key="choice_clusters").set_value(30)
    header, _ = drawn(finished(went(at)))
    assert header["colors"]["names"][-1] == "6 other classes"
    assert at.query_params["clusters"] == "30"


def test_maps_of_very_many_rows_are_waited_for_with_progress(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    from relviz.ui import maps as comparison

    monkeypatch.setenv("RELVIZ_CACHE", str(tmp_path))
    gate = threading.Event()

    def once_asked(*args: object, **options: object) -> object:
        gate.wait(screen.PATIENCE)
        return project(*args, **options)  # type: ignore[arg-type]  # as it was called

    monkeypatch.setattr("relviz.results.maps.project", once_asked)
    monkeypatch.setattr(comparison, "AT_ONCE", ROWS - 1)
    params = small_pair() | {"count": "9"}
    at = opened(params=params)
    header, _ = drawn(at)
    assert [pane["message"] for pane in header["panes"]] == ["Computing this map."] * 4
    gate.set()
    at = finished(at)
    late = maps(at)
    monkeypatch.setattr(comparison, "AT_ONCE", ROWS)
    assert all(
        np.array_equal(one, other) for one, other in zip(late, maps(opened(params=params)), strict=True)
    )
    assert [len(points) for points in late] == [ROWS] * 4

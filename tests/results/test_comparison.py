"""What a view asks for: a result's key changes exactly when something that it depends on changes."""

from collections.abc import Callable, Iterable
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

import relviz
from relviz.compute.jobs import Canceled, Job, Ticket
from relviz.compute.task import Task
from relviz.projection import project
from relviz.quantize import quantize
from relviz.results import maps as mapping
from relviz.results import metrics as measuring
from relviz.results.comparison import comparison_of
from relviz.results.metrics import CURVE_COUNTS
from relviz.state import View

N = 40
LABELS = tuple("ab"[row % 2] for row in range(N))


def space(seed: int, dimension: int = 6, labels: tuple[str, ...] | None = LABELS) -> relviz.Space:
    vectors = torch.randn(N, dimension, generator=torch.Generator().manual_seed(seed))
    return relviz.Space(vectors, labels=labels)


PAIR = relviz.Pair(space(1), space(2))
UNEVEN = relviz.Pair(space(1), space(2, dimension=4))
PLAIN = relviz.Pair(space(1, labels=None), space(2, labels=None))
OTHER = relviz.Pair(space(1), space(3))
SHIFTED = relviz.Pair(relviz.Space(PAIR.a.vectors + 2, labels=LABELS), PAIR.b)
RELABELED = relviz.Pair(space(1, labels=LABELS[::-1]), space(2))

VIEW = View(method="per_class", count=8, perplexity=5, neighbors=5, k=3, queries=20)
CHANGES: dict[str, Any] = {
    "method": "uniform",
    "count": 9,
    "seed": 1,
    "picks": (1, 2, 3),
    "similarity": "l1",
    "center": False,
    "quantum": 0.3,
    "projection": "first",
    "fit_absolute": "procrustes",
    "fit_relative": "procrustes",
    "perplexity": 6,
    "neighbors": 6,
    "map_seed": 1,
    "k": 4,
    "runs": 2,
    "queries": 10,
}
DRAWN = {"method", "count", "seed"}
FRAMED = {"similarity", "center", "quantum"}
MEASURED = {"method", "seed", "k", "queries"} | FRAMED


def anchors_of(view: View, pair: relviz.Pair) -> torch.Tensor:
    return comparison_of(view, pair).anchors


def relative_of(view: View, pair: relviz.Pair) -> tuple[torch.Tensor, torch.Tensor]:
    return comparison_of(view, pair).relative


def frames_of(view: View, pair: relviz.Pair) -> tuple[torch.Tensor, torch.Tensor]:
    return comparison_of(view, pair).frames


def fit_of(view: View, pair: relviz.Pair, row: str) -> str:
    return mapping.fit_of(comparison_of(view, pair), view.map_choices, row)


def maps(view: View, pair: relviz.Pair, row: str) -> Task[mapping.Maps]:
    return mapping.maps(comparison_of(view, pair), view.map_choices, row)


def metrics(view: View, pair: relviz.Pair, papers: bool = False) -> Task[measuring.Metrics]:
    return measuring.metrics(comparison_of(view, pair), view.metric_choices, papers)


def curve(view: View, pair: relviz.Pair) -> Task[measuring.Curve]:
    return measuring.curve(comparison_of(view, pair), view.metric_choices)


def records(found: Iterable[measuring.Metric]) -> list[dict[str, Any]]:
    return [asdict(one) for one in found]


@pytest.fixture(autouse=True)
def _own_store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RELVIZ_CACHE", str(tmp_path))


def key_of(what: str, view: View, pair: relviz.Pair = PAIR) -> str:
    if what in ("absolute", "relative"):
        return maps(view, pair, what).key
    return (metrics if what == "measures" else curve)(view, pair).key


def depends(what: str, view: View) -> set[str]:
    """Which changes of a view ask for another result."""
    before = key_of(what, view)
    changed = {name: view.with_changes(**{name: value}) for name, value in CHANGES.items()}
    return {name for name, other in changed.items() if key_of(what, other) != before}


@pytest.mark.parametrize(
    ("projection", "options"),
    [("pca", set()), ("tsne", {"perplexity", "map_seed"}), ("umap", {"neighbors", "map_seed"})],
)
def test_maps_depend_on_what_they_are_made_of(projection: str, options: set[str]) -> None:
    view = VIEW.with_changes(projection=projection)
    common = {"projection"} | options
    assert depends("absolute", view) == common | {"fit_absolute"}
    assert depends("relative", view) == common | {"fit_relative"} | DRAWN | FRAMED


def test_measures_depend_on_what_they_are_made_of() -> None:
    assert depends("measures", VIEW) == MEASURED | {"count", "runs"}
    assert depends("curve", VIEW) == MEASURED | {"count", "runs"}


def test_picks_matter_when_anchors_are_chosen_by_hand() -> None:
    view = VIEW.with_changes(method="hand", picks=(3, 4, 5))
    assert depends("relative", view) >= {"picks", "method"}
    assert "picks" not in depends("absolute", view)
    assert depends("measures", view) >= {"picks", "method"}
    assert not {"count", "runs"} & depends("measures", view)


@pytest.mark.parametrize("what", ["absolute", "relative", "measures", "curve"])
def test_other_vectors_are_another_result(what: str) -> None:
    assert key_of(what, VIEW, OTHER) != key_of(what, VIEW)
    assert key_of(what, VIEW, relviz.Pair(PAIR.b, PAIR.a)) != key_of(what, VIEW)


def test_classes_matter_where_anchors_are_drawn_by_them() -> None:
    for what, matter in {"absolute": False, "relative": True, "measures": True, "curve": True}.items():
        assert (key_of(what, VIEW, RELABELED) != key_of(what, VIEW)) == matter
        drawn = VIEW.with_changes(method="uniform")
        assert key_of(what, drawn, RELABELED) == key_of(what, drawn)


def test_keys_say_their_kind_and_all_differ() -> None:
    keys = [key_of(what, VIEW) for what in ("absolute", "relative", "measures", "curve")]
    assert [key.split("-")[0] for key in keys] == ["maps", "maps", "retrieval", "curve"]
    assert len(set(keys)) == 4


@pytest.mark.parametrize("method", ["uniform", "fps", "kmeans", "top", "per_class"])
def test_anchors_are_those_of_the_library_and_are_kept(method: str, monkeypatch: pytest.MonkeyPatch) -> None:
    view = VIEW.with_changes(method=method, seed=4)
    expected = relviz.select_anchors(relviz.prepare(PAIR.a.vectors), 8, method, 4, PAIR.labels)
    assert torch.equal(anchors_of(view, PAIR), expected)

    def never(*_: object) -> None:
        raise AssertionError("computed twice")

    monkeypatch.setattr("relviz.results.comparison.select_anchors", never)
    assert torch.equal(anchors_of(view, PAIR), expected)


@pytest.mark.parametrize("method", ["uniform", "fps", "kmeans", "top", "per_class"])
@pytest.mark.parametrize("frame", [{}, {"center": False}, {"quantum": 0.5}])
def test_the_anchors_on_the_maps_are_those_that_are_measured(method: str, frame: dict[str, Any]) -> None:
    view = VIEW.with_changes(method=method, seed=4, runs=1, **frame)
    picks = tuple(anchors_of(view, SHIFTED).tolist())
    by_hand = view.with_changes(method="hand", picks=picks)
    measured, expected = (metrics(one, SHIFTED).run().metrics for one in (view, by_hand))
    assert measured == expected


def test_ten_rows_are_always_left_as_queries() -> None:
    assert len(anchors_of(VIEW.with_changes(method="fps", count=500), PAIR)) == N - 10


@pytest.mark.parametrize("asked", [anchors_of, relative_of, lambda view, pair: maps(view, pair, "relative")])
def test_per_class_needs_classes(asked: Callable[[View, relviz.Pair], object]) -> None:
    with pytest.raises(relviz.Error, match="needs labels"):
        asked(VIEW, PLAIN)
    maps(VIEW, PLAIN, "absolute")


def test_picks_are_taken_as_they_are_and_those_beyond_the_rows_left_out() -> None:
    view = VIEW.with_changes(method="hand", picks=(7, 3, N, 10**6, 5))
    assert anchors_of(view, PAIR).tolist() == [7, 3, 5]


@pytest.mark.parametrize("picks", [(), (3,), (3, N)])
def test_too_few_picks_are_said(picks: tuple[int, ...]) -> None:
    view = VIEW.with_changes(method="hand", picks=picks)
    for asked in (anchors_of, metrics):
        with pytest.raises(relviz.Error, match="at least 2"):
            asked(view, PAIR)


@pytest.mark.parametrize(
    ("projection", "same", "uneven"),
    [
        ("pca", "first", "independent"),
        ("first", "first", "independent"),
        ("tsne", "joint", "independent"),
        ("umap", "joint", "independent"),
    ],
)
def test_both_rows_are_treated_alike_where_they_can_be(projection: str, same: str, uneven: str) -> None:
    view = View(projection=projection)
    assert fit_of(view, PAIR, "absolute") == fit_of(view, PAIR, "relative") == same
    assert fit_of(view, UNEVEN, "relative") == same
    assert fit_of(view, UNEVEN, "absolute") == uneven


def test_a_fit_that_was_chosen_is_taken_for_its_row_alone() -> None:
    view = View(fit_absolute="joint", fit_relative="procrustes")
    assert fit_of(view, UNEVEN, "absolute") == "joint"
    assert fit_of(view, UNEVEN, "relative") == "procrustes"


@pytest.mark.parametrize("fit", ["joint", "first"])
def test_a_fit_that_cannot_be_made_is_said(fit: str) -> None:
    with pytest.raises(relviz.Error, match="6"):
        maps(View(fit_absolute=fit), UNEVEN, "absolute").run()
    maps(View(fit_absolute=fit, count=5), UNEVEN, "relative").run()


def test_frames_are_centered_and_quantized_as_asked() -> None:
    x = PAIR.a.vectors
    assert torch.equal(frames_of(View(center=False), PAIR)[0], x)
    assert torch.equal(frames_of(View(), PAIR)[0], relviz.prepare(x))
    assert torch.equal(frames_of(View(center=False, quantum=0.5), PAIR)[0], quantize(x, 0.5))
    assert not torch.equal(quantize(x, 0.5), x)


def test_relative_spaces_are_those_of_the_library() -> None:
    view = VIEW.with_changes(similarity="euclidean")
    rows = anchors_of(view, PAIR)
    for told, frame in zip(relative_of(view, PAIR), frames_of(view, PAIR), strict=True):
        assert torch.equal(told, relviz.relative(frame, frame[rows], "euclidean"))


@pytest.mark.parametrize("row", ["absolute", "relative"])
def test_maps_are_those_of_the_library(row: str) -> None:
    result = maps(VIEW, PAIR, row).run()
    sides = (PAIR.a.vectors, PAIR.b.vectors) if row == "absolute" else relative_of(VIEW, PAIR)
    expected = project(sides, "pca", "first")
    np.testing.assert_array_equal(result.points[0], expected[0])
    np.testing.assert_array_equal(result.points[1], expected[1])
    np.testing.assert_allclose(result.explained, expected.explained)


def test_a_map_says_what_it_was_made_with() -> None:
    result = maps(VIEW.with_changes(projection="tsne", map_seed=3), PAIR, "absolute").run()
    assert result.parameters["perplexity"] == 5
    residual = maps(VIEW.with_changes(fit_relative="procrustes"), PAIR, "relative").run().residual
    assert residual is not None
    assert len(residual) == 1
    assert 0 <= residual[0] <= 1


def test_measures_are_those_of_the_library() -> None:
    view = VIEW.with_changes(seed=2, runs=2)
    made = metrics(view, PAIR).run()
    table = relviz.anchor_retrieval(
        PAIR.a.vectors, PAIR.b.vectors, 8, "per_class", 2, n_draws=2, k=3, labels=LABELS, queries=20
    )
    assert records(made.metrics) == table.records()
    assert (made.anchors, made.method, made.k, made.rows, made.queries) == (8, "per_class", 3, N, 20)


def test_measures_stay_within_the_rows() -> None:
    made = metrics(View(count=500, k=100, queries=0, runs=1), PAIR).run()
    assert (made.anchors, made.k, made.queries) == (N - 10, N - 1, 10)


def test_measures_of_picks_are_of_these_picks() -> None:
    view = VIEW.with_changes(method="hand", picks=(5, 1, 9))
    made = metrics(view, PAIR).run()
    table = relviz.anchor_retrieval(PAIR.a.vectors, PAIR.b.vectors, [5, 1, 9], n_draws=1, k=3, queries=20)
    assert made.method == "given"
    assert records(made.metrics) == table.records()


def test_the_curve_goes_as_far_as_the_rows() -> None:
    made = curve(VIEW, PAIR).run()
    assert list(made.counts) == sorted({8, *(count for count in CURVE_COUNTS if count <= N - 10)})
    assert len(made.tables) == len(made.counts)
    assert made.seeds == tuple(range(VIEW.seed, VIEW.seed + VIEW.runs))


def test_one_number_of_anchors_has_one_set_of_metrics() -> None:
    measured, grown = metrics(VIEW, PAIR).run(), curve(VIEW, PAIR).run()
    assert grown.tables[grown.counts.index(8)] == measured.metrics


def test_as_the_papers_count_is_another_result() -> None:
    held_out, papers = (metrics(VIEW.with_changes(queries=0), PAIR, one).run() for one in (False, True))
    assert (held_out.queries, papers.queries) == (N - 8, N)
    assert held_out.metrics != papers.metrics


@pytest.mark.parametrize("make", [metrics, curve])
def test_work_reports_its_progress(make: Callable[[View, relviz.Pair], Any]) -> None:
    task = make(VIEW, PAIR)
    job: Job[Any] = Job(task.key)
    task.compute(Ticket(job))
    seen = [report.fraction for report in job.history]
    assert seen == sorted(seen)
    assert seen[-1] == pytest.approx(1)
    job.cancel()
    with pytest.raises(Canceled):
        task.compute(Ticket(job))

"""A run as a task: what it finds is the library's, what it records can be watched, replayed and used."""

import csv
import io
import threading
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
import torch

import relviz
from relviz.bootstrapping import Step
from relviz.compute.jobs import Canceled, Job, Ticket, jobs
from relviz.compute.owner import acting_for
from relviz.figures.files import anchors_csv, found_npz, matches_csv
from relviz.measure import held_out
from relviz.projection import project
from relviz.results import bootstrap
from relviz.results.bootstrap import SHUFFLE_SEED, bootstrap_task, rows_of
from relviz.results.comparison import comparison_of
from relviz.results.metrics import metrics
from relviz.results.replay import CURVES, Film, Opening, Reel, films
from relviz.results.run import anchors_from_run, found_of, reel_of
from relviz.state.solver_options import chosen_options
from relviz.state.view import Run
from tests.results.made_runs import ROWS, RUN, VIEW, turned_pair

PAIR = turned_pair()
PATIENCE = 60


@pytest.fixture(scope="module")
def shared_cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("runs")


@pytest.fixture(autouse=True)
def _store(shared_cache: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Results are named by what they were made from, so tests may share them."""
    monkeypatch.setenv("RELVIZ_CACHE", str(shared_cache))
    yield
    for job in jobs().running():
        job.cancel()
        assert job.wait(PATIENCE)
        jobs().forget(job.key)


def task(run: Run = RUN, pair: relviz.Pair = PAIR) -> bootstrap.Task:
    made = bootstrap_task(VIEW, run, pair)
    if (job := made.job()) is not None and not job.alive:
        jobs().forget(made.key)
    return made


def alone(run: Run = RUN, pair: relviz.Pair = PAIR) -> tuple[relviz.Bootstrap, torch.Tensor]:
    """What the library gives on the rows of B in the order that the task gives them in, and the order."""
    order = torch.randperm(len(pair), generator=torch.Generator().manual_seed(SHUFFLE_SEED))
    anchors, seeds = rows_of(run, pair)
    given = (seeds, order.argsort()[seeds])
    options = chosen_options(run.method, run.options)
    y = pair.b.vectors[order]
    return relviz.bootstrap(pair.a.vectors, y, anchors, given, run.method, run.seed, options=options), order


def test_what_is_kept_is_what_the_library_finds_in_the_order_of_the_pair() -> None:
    made = task()
    kept = made.run()
    result, order = alone()
    np.testing.assert_array_equal(kept.arrays["anchors"], result.anchors)
    np.testing.assert_array_equal(kept.arrays["matches"], order[result.matches])
    np.testing.assert_array_equal(kept.arrays["indices"], order[result.indices])
    assert (kept.arrays["matches"] == np.arange(ROWS)).mean() > 0.7
    found = found_of(made)
    assert found is not None
    np.testing.assert_array_equal(
        found.indices[torch.isin(found.rows, found.seeds)].sort()[0], found.seeds.sort()[0]
    )


@pytest.fixture
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A store in which nothing has been computed yet."""
    monkeypatch.setenv("RELVIZ_CACHE", str(tmp_path))


@pytest.mark.usefixtures("own_cache")
def test_the_solver_is_not_told_the_pairing(monkeypatch: pytest.MonkeyPatch) -> None:
    seen = []

    def solve(x, y, anchors, seeds, *rest, **more):
        seen.append((y, seeds))
        return relviz.bootstrap(x, y, anchors, seeds, *rest, **more)

    monkeypatch.setattr(bootstrap, "bootstrap", solve)
    task().run()
    (y, (sx, sy)), b = seen[0], PAIR.b.vectors
    assert (y == b).all(1).float().mean() < 0.1
    torch.testing.assert_close(y[sy], b[sx])


def test_every_step_is_recorded_and_the_store_replays_it() -> None:
    made = task()
    made.run()
    reel = reel_of(made)
    assert reel is not None
    assert (reel.of, reel.steps, [frame.step for frame in reel.frames]) == (8, 8, list(range(8)))
    result, _ = alone()
    for curve in ("loss", "eps", "agreement"):
        expected = [getattr(entry, curve) for entry in result.history]
        np.testing.assert_allclose(reel.curves[:, CURVES.index(curve)], expected, rtol=1e-5)
    last = reel.frames[-1]
    assert last.matches.tolist() == made.kept().arrays["matches"].tolist()
    free = np.setdiff1d(np.arange(ROWS), reel.opening.seeds)
    accuracy = (last.matches == np.arange(ROWS))[free].mean()
    assert reel.curves[-1, CURVES.index("accuracy")] == pytest.approx(accuracy)
    assert 0.6 < reel.curves[-1, CURVES.index("mrr")] < 1
    assert set(reel.opening.lines) == {"truth", "seeds"}
    assert reel.outcome is not None
    assert reel.outcome["evidence"]["reason"]
    assert set(reel.outcome["measured"]) == {"truth", "seeds", "found", "rows"}


@pytest.mark.usefixtures("own_cache")
def test_the_places_are_those_of_the_relative_rows_on_the_axes_of_a(monkeypatch: pytest.MonkeyPatch) -> None:
    steps = []

    def solve(*given, on_step, **more):
        def both(step: Step) -> object:
            steps.append(step.anchors)
            return on_step(step)

        return relviz.bootstrap(*given, on_step=both, **more)  # type: ignore[misc]

    monkeypatch.setattr(bootstrap, "bootstrap", solve)
    made = task()
    made.run()
    reel = reel_of(made)
    assert reel is not None
    x, y = relviz.prepare(PAIR.a.vectors), relviz.prepare(PAIR.b.vectors)
    rx = x @ x[rows_of(RUN, PAIR)[0]].T
    for frame in (reel.frames[0], reel.frames[-2]):
        a, b = project([rx, y @ steps[frame.step].T], "pca", "first")
        np.testing.assert_allclose(reel.opening.places, a, atol=1e-4)
        np.testing.assert_allclose(frame.places, b, atol=1e-4)


def test_a_second_session_sees_the_run_that_goes_on_and_nothing_is_lost_when_it_is_canceled() -> None:
    made = task(RUN.with_changes(options="steps=100000"))
    job = made.result_or_job()
    assert isinstance(job, Job)
    wait_for(lambda: (reel := reel_of(made)) is not None and reel.steps > 1)
    job.pause()
    wait_for(lambda: job.state == "paused")
    again = bootstrap_task(VIEW, RUN.with_changes(options="steps=100000", beside="paper"), PAIR)
    reel = reel_of(again)
    assert again.result_or_job() is job
    assert reel is not None
    job.step()
    wait_for(lambda: reel_of(again).steps == reel.steps + 1)
    job.cancel()
    assert job.wait(PATIENCE)
    kept = reel_of(again)
    assert (job.state, kept.steps, kept.outcome) == ("canceled", reel.steps + 1, None)
    assert again.kept() is None
    jobs().forget(made.key)


def test_two_runs_at_once_give_what_each_gives_alone() -> None:
    runs = [RUN.with_changes(options="steps=40"), RUN.with_changes(seeds=12, options="steps=40")]
    made = [task(run) for run in runs]
    started = [one.result_or_job() for one in made]
    for one, job, run in zip(made, started, runs, strict=True):
        assert isinstance(job, Job)
        assert job.wait(PATIENCE)
        kept = one.kept()
        assert kept is not None
        result, order = alone(run)
        np.testing.assert_array_equal(kept.arrays["matches"], order[result.matches])
        np.testing.assert_allclose(kept.arrays["anchors"], result.anchors, atol=1e-5)


@pytest.mark.usefixtures("own_cache")
def test_a_run_that_fails_keeps_what_was_recorded(monkeypatch: pytest.MonkeyPatch) -> None:
    add = Film.add

    def stumble(film: Film, *given: object) -> None:
        add(film, *given)  # type: ignore[arg-type]
        if len(film.reel().frames) == 3:
            raise relviz.Error("Out of luck.")

    monkeypatch.setattr(Film, "add", stumble)
    made = task()
    job = made.result_or_job()
    assert isinstance(job, Job)
    assert job.wait(PATIENCE)
    assert (job.state, str(job.error), reel_of(made).steps) == ("failed", "Out of luck.", 3)
    jobs().forget(made.key)


@pytest.mark.usefixtures("own_cache")
def test_a_canceled_ticket_stops_within_the_step() -> None:
    made, seen = task(), []
    job: Job[None] = Job(made.key)

    class Once(Ticket):
        def rest(self) -> None:
            seen.append(1)
            job.cancel()
            super().rest()

    with pytest.raises(Canceled):
        made.compute(Once(job))
    assert seen == [1]


@pytest.mark.usefixtures("own_cache")
def test_a_further_round_is_told() -> None:
    unrelated = torch.randn(len(PAIR), 7, generator=torch.Generator().manual_seed(0))
    pair = relviz.Pair(PAIR.a, relviz.Space(unrelated, ids=PAIR.a.ids))
    options = "steps=3,refining=1,rounds=2,generations=1"
    made = task(RUN.with_changes(method="annealed", options=options), pair)
    job: Job[None] = Job(made.key)
    made.compute(Ticket(job))
    said = [report.message for report in job.history]
    assert "step 4 of 4" in said
    assert "step 5 of 16, round 2" in said
    assert "step 16 of 16, round 2" in said


def test_a_long_film_keeps_every_so_many_frames_and_the_newest(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("relviz.results.replay.MOST_BYTES", 20 * 120)
    film = Film()
    assert film.reel() is None
    film.open(Opening(np.arange(2), np.arange(1), np.zeros((10, 2), np.float32), 1.0, {}))
    for step in range(57):
        film.add(100, {"loss": step}, np.zeros(10, np.int32), np.zeros((10, 2), np.float32))
    reel = film.reel()
    assert reel.steps == 57
    assert [frame.step for frame in reel.frames] == [*range(0, 56, 5), 56]
    assert reel.frame_at(7).step == 5
    assert np.isnan(reel.curves[0, CURVES.index("mrr")])


def test_of_films_that_broke_off_the_newest_are_kept() -> None:
    for number in range(10):
        films().start(f"broken-{number}")
        films().end(f"broken-{number}")
    assert [films().find(f"broken-{number}") is not None for number in range(10)] == [False] * 4 + [True] * 6


def test_a_visitor_lists_their_own_runs_by_their_own_names() -> None:
    with acting_for("anna"):
        for number in range(20):
            films().enlist(f"run-{number}", f"mine {number}", {"a": "x"})
        films().enlist("run-5", "mine again", {"a": "y"})
        assert [one.title for one in films().listed()][-2:] == ["mine 19", "mine again"]
        assert len(films().listed()) == 16
    with acting_for("ben"):
        assert films().listed() == []
        films().enlist("run-5", "his", {})
        assert [one.title for one in films().listed()] == ["his"]


def test_a_reel_survives_the_store() -> None:
    made = task()
    made.run()
    one, other = (Reel.of_result(made.kept()) for _ in range(2))
    assert one.meta() == other.meta()
    for name, array in one.arrays().items():
        np.testing.assert_array_equal(array, other.arrays()[name])


@pytest.mark.parametrize("rows", [False, True])
def test_found_anchors_serve_like_any_others(rows: bool) -> None:
    made = task()
    made.run()
    found = found_of(made)
    view = VIEW.with_changes(method="run", run=made.key, rows=rows, runs=2, queries=0, k=3)
    assert torch.equal(comparison_of(view, PAIR).anchors, found.rows)
    x, y = relviz.prepare(PAIR.a.vectors), relviz.prepare(PAIR.b.vectors)
    rx, ry = comparison_of(view, PAIR).relative
    torch.testing.assert_close(rx, relviz.relative(x, x[found.rows]))
    torch.testing.assert_close(ry, relviz.relative(y, y[found.indices] if rows else found.points))
    measured = metrics(comparison_of(view, PAIR), view.metric_choices).run()
    expected = relviz.retrieval(rx, ry, k=3, queries=held_out(ROWS, found.rows))
    mrr = measured.find("mrr")
    assert mrr is not None
    assert mrr.mean == pytest.approx(expected.mrr, abs=1e-6)
    other = metrics(comparison_of(view.with_changes(rows=not rows), PAIR), view.metric_choices)
    assert other.key != metrics(comparison_of(view, PAIR), view.metric_choices).key
    assert comparison_of(VIEW, PAIR).counterparts is None


@pytest.mark.parametrize(
    ("run", "said"), [("", "No run"), ("bootstrap-" + "0" * 32, "no longer kept"), ("../x", "no longer kept")]
)
def test_anchors_of_a_run_that_is_not_there_say_so(run: str, said: str) -> None:
    with pytest.raises(relviz.ParameterError, match=said):
        anchors_from_run(VIEW.with_changes(method="run", run=run).anchor_choices, PAIR)


def test_anchors_of_another_pair_say_so() -> None:
    made = task()
    made.run()
    with pytest.raises(relviz.ParameterError, match="another pair"):
        _ = comparison_of(VIEW.with_changes(method="run", run=made.key), turned_pair(5)).anchors


def test_files_hold_what_was_found() -> None:
    made = task()
    made.run()
    found = found_of(made)
    lines = list(csv.DictReader(io.StringIO(anchors_csv(found, PAIR))))
    assert [int(line["row_a"]) for line in lines] == found.rows.tolist()
    assert [line["item_b"] for line in lines] == [f"item {row}" for row in found.indices.tolist()]
    assert sum(int(line["seed"]) for line in lines) == 9
    lines = list(csv.DictReader(io.StringIO(matches_csv(found, PAIR))))
    assert [int(line["row_b"]) for line in lines] == found.matches.tolist()
    with np.load(io.BytesIO(found_npz(found))) as arrays:
        np.testing.assert_array_equal(arrays["anchors_b"], found.points)
        np.testing.assert_array_equal(arrays["matches"], found.matches)


def wait_for(true) -> None:
    patience = threading.Event()
    for _ in range(PATIENCE * 200):
        if true():
            return
        patience.wait(0.005)
    raise AssertionError("It did not come.")

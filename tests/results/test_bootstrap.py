"""A run as a task: what it finds is the library's, what it records can be watched, replayed and used."""

import csv
import io
import json
import re
import threading
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch

import relviz
from relviz.bootstrapping import Evidence, Step
from relviz.bootstrapping.right_share import Interval
from relviz.compute import entry
from relviz.compute.job import here_and_now
from relviz.compute.jobs import Canceled, Job, Ticket, jobs
from relviz.compute.owner import acting_for
from relviz.compute.task import Task
from relviz.compute.typed import pack, unpack
from relviz.figures.numbers import anchors_csv, matches_csv, run_npz
from relviz.measure import held_out
from relviz.projection import project
from relviz.results import bootstrap
from relviz.results.bootstrap import SHUFFLE_SEED, bootstrap_task, rows_of
from relviz.results.comparison import comparison_of
from relviz.results.metrics import metrics
from relviz.results.replay import Recorder
from relviz.results.run import RunRecord, Verdict, record_of, record_of_pair, stored_record
from relviz.results.run_summary import right_summary
from relviz.state.solver_options import chosen_options
from relviz.state.view import Run
from tests.results.made_runs import ROWS, RUN, VIEW, failing_after, turned_pair

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


def task(run: Run = RUN, pair: relviz.Pair = PAIR) -> Task[RunRecord]:
    made = bootstrap_task(run, pair)
    if (job := made.job()) is not None and not job.alive:
        jobs().forget(made.key)
    return made


def alone(run: Run = RUN, pair: relviz.Pair = PAIR) -> tuple[relviz.Bootstrap, torch.Tensor]:
    """What the library gives on the rows of B in the order that the task gives them in, and the order."""
    order = torch.randperm(len(pair), generator=torch.Generator().manual_seed(SHUFFLE_SEED))
    anchors, seeds = rows_of(run, pair.a.vectors, pair.labels)
    given = (seeds, order.argsort()[seeds])
    options = chosen_options(run.method, run.options)
    y = pair.b.vectors[order]
    return relviz.bootstrap(pair.a.vectors, y, anchors, given, run.method, run.seed, options=options), order


def test_what_is_kept_is_what_the_library_finds_in_the_order_of_the_pair() -> None:
    record = task().run()
    found = record.outcome
    result, order = alone()
    np.testing.assert_array_equal(found.points, result.anchors)
    np.testing.assert_array_equal(found.matches, order[result.matches])
    np.testing.assert_array_equal(found.nearest, order[result.indices])
    assert (found.matches.numpy() == np.arange(ROWS)).mean() > 0.7
    np.testing.assert_array_equal(
        found.nearest[torch.isin(record.anchors, record.seeds)].sort()[0], record.seeds.sort()[0]
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
    record = record_of(made)
    assert record is not None
    replay = record.replay
    assert (replay.planned, replay.steps) == (8, 8)
    assert [snapshot.step for snapshot in replay.snapshots] == list(range(8))
    result, _ = alone()
    for curve in ("loss", "eps", "agreement"):
        expected = [getattr(entry, curve) for entry in result.history]
        np.testing.assert_allclose(replay.curve(curve), expected, rtol=1e-5)
    last = replay.last
    assert last.matches.tolist() == made.stored().outcome.matches.tolist()
    free = np.setdiff1d(np.arange(ROWS), record.seeds)
    accuracy = (last.matches == np.arange(ROWS))[free].mean()
    assert replay.curve("accuracy")[-1] == pytest.approx(accuracy)
    assert 0.6 < replay.curve("mrr")[-1] < 1
    assert set(record.references) == {"truth", "seeds"}
    assert record.outcome.verdict.evidence.reason
    assert set(record.outcome.evaluation.retrieval) == {"truth", "seeds", "found", "rows"}


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
    record = record_of(made)
    assert record is not None
    x, y = relviz.prepare(PAIR.a.vectors), relviz.prepare(PAIR.b.vectors)
    rx = x @ x[rows_of(RUN, PAIR.a.vectors, PAIR.labels)[0]].T
    for snapshot in (record.replay.snapshots[0], record.replay.snapshots[-2]):
        a, b = project([rx, y @ steps[snapshot.step].T], "pca", "first")
        np.testing.assert_allclose(record.places, a, atol=1e-4)
        np.testing.assert_allclose(snapshot.places, b, atol=1e-4)


def test_a_second_session_sees_the_run_that_goes_on_and_nothing_is_lost_when_it_is_canceled() -> None:
    made = task(RUN.with_changes(options="steps=100000"))
    job = made.result_or_job()
    assert isinstance(job, Job)
    wait_for(lambda: (record := record_of(made)) is not None and record.replay.steps > 1)
    job.pause()
    wait_for(lambda: job.state == "paused")
    again = bootstrap_task(RUN.with_changes(options="steps=100000", beside="paper"), PAIR)
    record = record_of(again)
    assert again.result_or_job() is job
    assert record is not None
    taken = record.replay.steps
    job.step()
    wait_for(lambda: record_of(again).replay.steps == taken + 1)
    job.cancel()
    assert job.wait(PATIENCE)
    kept = record_of(again)
    assert (job.state, kept.replay.steps, kept.result) == ("canceled", taken + 1, None)
    assert record.replay.steps == taken
    with pytest.raises(relviz.ParameterError, match="no result"):
        _ = kept.outcome
    assert again.stored() is None
    jobs().forget(made.key)


def test_two_runs_at_once_give_what_each_gives_alone() -> None:
    runs = [RUN.with_changes(options="steps=40"), RUN.with_changes(seeds=12, options="steps=40")]
    made = [task(run) for run in runs]
    started = [one.result_or_job() for one in made]
    for one, job, run in zip(made, started, runs, strict=True):
        assert isinstance(job, Job)
        assert job.wait(PATIENCE)
        kept = one.stored()
        assert kept is not None
        result, order = alone(run)
        np.testing.assert_array_equal(kept.outcome.matches, order[result.matches])
        np.testing.assert_allclose(kept.outcome.points, result.anchors, atol=1e-5)


@pytest.mark.usefixtures("own_cache")
def test_a_run_that_fails_keeps_what_was_recorded(monkeypatch: pytest.MonkeyPatch) -> None:
    failing_after(3, "Out of luck.", monkeypatch)
    made = task()
    job = made.result_or_job()
    assert isinstance(job, Job)
    assert job.wait(PATIENCE)
    assert (job.state, str(job.error), record_of(made).replay.steps) == ("failed", "Out of luck.", 3)
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
    options = "steps=3,refining=1,rounds=2"
    made = task(RUN.with_changes(method="annealed", options=options), pair)
    job: Job[None] = Job(made.key)
    made.compute(Ticket(job))
    said = [report.message for report in job.history]
    assert "step 4 of 4" in said
    assert "step 5 of 17, round 2" in said
    last = [message for message in said if message.startswith("step")][-1]
    assert re.fullmatch(r"step (\d+) of \1, round 2", last)  # some generations were not needed


@pytest.mark.usefixtures("own_cache")
def test_a_run_that_came_with_relviz_is_shown_and_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    made = task(RUN.with_changes(seed=3))
    whole = unpack(RunRecord, entry.result(*made.compute(here_and_now())))
    few = whole.with_steps(whole.replay.thinned(3), whole.result)
    shipped = {made.recipe: entry.result(*pack(few))}
    monkeypatch.setattr("relviz.results.run.packed", shipped.get)
    assert record_of(task(RUN.with_changes(seed=7))) is None
    record = record_of(made)
    assert record.replay.kept.tolist() == [0, 3, 6]
    assert record.replay.steps == whole.replay.steps
    np.testing.assert_array_equal(record.replay.curves, whole.replay.curves)
    np.testing.assert_array_equal(record.replay.at(5).matches, whole.replay.at(3).matches)
    assert torch.equal(record.outcome.points, whole.outcome.points)
    assert record_of_pair(made.key, PAIR).title == whole.title  # other pages find it by its key


def test_a_long_replay_keeps_every_so_many_steps_and_the_newest(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("relviz.results.replay.MOST_BYTES", 20 * 120)
    recorder = Recorder(10)
    assert recorder.replay().steps == 0
    assert recorder.replay().at(0) is None
    for step in range(57):
        recorder.add(100, {"loss": step}, np.full(10, step, np.int32), np.zeros((10, 2), np.float32))
    replay = recorder.replay()
    assert replay.steps == 57
    assert [snapshot.step for snapshot in replay.snapshots] == [*range(0, 56, 5), 56]
    assert [snapshot.matches[0] for snapshot in replay.snapshots] == [*range(0, 56, 5), 56]
    assert [replay.at(step).step for step in (0, 4, 7, 55, 56, 99)] == [0, 0, 5, 55, 56, 56]
    assert np.isnan(replay.curve("mrr")[0])


def test_a_replay_stays_what_it_is_while_the_run_goes_on() -> None:
    recorder, before = Recorder(3), []
    for step in range(40):
        recorder.add(40, {"loss": step}, np.full(3, step, np.int32), np.full((3, 2), step, np.float32))
        before.append(recorder.replay())
    recorder.finish({"accuracy": 1.0}, np.full(3, 99, np.int32), np.full((3, 2), 99, np.float32))
    for step, replay in enumerate(before):
        assert replay.curve("loss").tolist() == list(range(step + 1))
        assert np.isnan(replay.curve("accuracy")).all()
        assert [snapshot.matches[0] for snapshot in replay.snapshots] == list(range(step + 1))
        assert [snapshot.places[0, 0] for snapshot in replay.snapshots] == list(range(step + 1))
    last = recorder.replay()
    assert (last.last.step, last.last.matches[0], last.curve("accuracy")[-1]) == (39, 99, 1.0)
    assert last.curve("loss")[-1] == 39


def test_a_visitor_has_a_link_of_their_own_to_a_run() -> None:
    run = RUN.with_changes(options="steps=100000")
    renamed = relviz.Pair(
        *(relviz.Space(s.vectors, s.ids, s.labels, s.items, "his") for s in (PAIR.a, PAIR.b))
    )
    with acting_for("anna"):
        mine = bootstrap_task(run, PAIR, ("mine.a", "mine.b"))
        job = mine.result_or_job()
        assert isinstance(job, Job)
        assert job.link.words == f"{mine.title} · A / B"
        assert job.link.params["a"] == "mine.a"
        wait_for(lambda: record_of(mine) is not None)
    with acting_for("ben"):
        his = bootstrap_task(run, renamed, ("his.a", "his.b"))
        assert (his.key, jobs().running(), record_of(his)) == (mine.key, [], None)
        assert his.result_or_job() is job
        assert job.link.words.endswith("· his / his")
        assert record_of(his) is not None
        job.cancel()
        assert record_of(his) is None
    with acting_for("anna"):
        assert job.link.params["a"] == "mine.a"
        job.cancel()
    assert job.wait(PATIENCE)


def test_a_record_survives_the_store() -> None:
    made = task()
    made.run()
    one, other = made.stored(), made.stored()
    assert one is not other
    assert stored_record(made.key) is stored_record(made.key)
    for name, array in pack(one)[0].items():
        np.testing.assert_array_equal(array, pack(other)[0][name])
    assert pack(one)[1] == pack(other)[1]
    assert one.run == RUN.essential()


def test_where_the_store_has_no_run_there_is_no_record(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = task()
    made.run()
    assert record_of(made) is not None
    monkeypatch.setenv("RELVIZ_CACHE", str(tmp_path))
    assert record_of(made) is None


@pytest.mark.parametrize("rows", [False, True])
def test_found_anchors_serve_like_any_others(rows: bool) -> None:
    made = task()
    record = made.run()
    view = VIEW.with_changes(method="run", run=made.key, rows=rows, runs=2, queries=0, k=3)
    assert torch.equal(comparison_of(view, PAIR).anchors, record.anchors)
    x, y = relviz.prepare(PAIR.a.vectors), relviz.prepare(PAIR.b.vectors)
    rx, ry = comparison_of(view, PAIR).relative
    torch.testing.assert_close(rx, relviz.relative(x, x[record.anchors]))
    torch.testing.assert_close(
        ry, relviz.relative(y, y[record.outcome.nearest] if rows else record.outcome.points)
    )
    measured = metrics(comparison_of(view, PAIR), view.metric_choices).run()
    expected = relviz.retrieval(rx, ry, k=3, queries=held_out(ROWS, record.anchors))
    mrr = measured.find("mrr")
    assert mrr is not None
    assert mrr.mean == pytest.approx(expected.mrr, abs=1e-6)
    other = metrics(comparison_of(view.with_changes(rows=not rows), PAIR), view.metric_choices)
    assert other.key != metrics(comparison_of(view, PAIR), view.metric_choices).key
    assert comparison_of(VIEW, PAIR).counterparts is None


@pytest.mark.parametrize(
    ("run", "said"),
    [("", "No run"), ("bootstrap-" + "0" * 32, "no longer stored"), ("../x", "no longer stored")],
)
def test_anchors_of_a_run_that_is_not_there_say_so(run: str, said: str) -> None:
    with pytest.raises(relviz.ParameterError, match=said):
        record_of_pair(run, PAIR)


def test_anchors_of_another_pair_say_so() -> None:
    made = task()
    made.run()
    with pytest.raises(relviz.ParameterError, match="another pair"):
        _ = comparison_of(VIEW.with_changes(method="run", run=made.key), turned_pair(5)).anchors


def test_files_hold_what_was_found() -> None:
    record = task().run()
    lines = list(csv.DictReader(io.StringIO(anchors_csv(record, PAIR))))
    assert [int(line["row_a"]) for line in lines] == record.anchors.tolist()
    assert [line["item_b"] for line in lines] == [f"item {row}" for row in record.outcome.nearest.tolist()]
    assert sum(int(line["seed"]) for line in lines) == 9
    lines = list(csv.DictReader(io.StringIO(matches_csv(record, PAIR))))
    assert [int(line["row_b"]) for line in lines] == record.outcome.matches.tolist()
    with np.load(io.BytesIO(run_npz(record))) as arrays:
        np.testing.assert_array_equal(arrays["anchors_b"], record.outcome.points)
        np.testing.assert_array_equal(arrays["matches"], record.outcome.matches)


def wait_for(true) -> None:
    patience = threading.Event()
    for _ in range(PATIENCE * 200):
        if true():
            return
        patience.wait(0.005)
    raise AssertionError("It did not come.")


def test_the_estimate_of_right_matches_is_kept_and_said() -> None:
    evidence = Evidence(0.9, 0.6, 0.3, "because", Interval(0.57, 0.49, 0.643))
    kept = [Verdict(True, False, evidence), Verdict(False, False, replace(evidence, right=None))]
    for verdict in kept:
        arrays, meta = pack(verdict)
        assert unpack(Verdict, entry.Result(arrays, json.loads(json.dumps(meta)))) == verdict
    said, rejected = map(right_summary, kept)
    assert said == "Estimated share of correct matches: 57% (90% interval 49–64%)."
    assert "not estimated" in rejected
    assert right_summary(replace(kept[1], converged=True)) == ""
    assert right_summary(replace(kept[0], converged=False)) == said

"""A run that is broken off goes on from its checkpoint, and ends as if it had not been."""

import errno
from collections.abc import Callable
from typing import Any

import pytest

from relviz.bootstrapping import Checkpoint
from relviz.compute import entry
from relviz.compute.job import Canceled, Job, Ticket
from relviz.compute.key import checkpoint_key, kind_of
from relviz.compute.store import Store, default_store
from relviz.compute.task import Task
from relviz.results.bootstrap import bootstrap_task
from relviz.results.checkpoint import RESUMED
from relviz.results.retrieval_table import Trials, table_task
from relviz.results.several import several_task
from relviz.results.unpaired import unpaired_task
from relviz.state.sources import keep_space
from relviz.state.view import Run
from tests.compute.watched import Mortal
from tests.results.made_runs import RUN, turned_pair

SHORT = "steps=6,refining=2,members=4,generations=2,rounds=2"
RUNS = [
    RUN,
    Run(anchors=20, seeds=9, method="annealed", options=SHORT),
    Run(anchors=20, seeding="none", method="annealed", options=SHORT),
]
PAIR = turned_pair(noise=0.4)


class MortalStep(Job[object]):
    """Is broken off at its ``last`` report of a step."""

    def __init__(self, last: int) -> None:
        super().__init__("mortal")
        self.steps, self.said = last, list[str]()

    def note(self, fraction, message, data) -> None:
        super().note(fraction, message, data)
        self.said.append(message)
        if message.startswith("step"):
            self.steps -= 1
            if not self.steps:
                raise Canceled


@pytest.fixture(autouse=True)
def often(monkeypatch: pytest.MonkeyPatch, fresh_store: Store) -> None:  # noqa: ARG001
    """A checkpoint after every stage."""
    monkeypatch.setattr("relviz.results.checkpoint.SECONDS", 0.0)
    monkeypatch.setattr("relviz.bootstrapping.checkpoint._SHARE", 1e9)


@pytest.mark.parametrize("run", RUNS, ids=["adam", "known pairs", "no known pairs"])
def test_it_ends_as_if_it_had_not_been(run: Run) -> None:
    task = bootstrap_task(run, PAIR)
    whole = entry.result(*task.compute(Ticket(Job("whole"))))
    default_store().remove(checkpoint_key(task.key))
    for last in (3, 4):
        with pytest.raises(Canceled):
            task.compute(Ticket(MortalStep(last)))
    assert default_store().has(checkpoint_key(task.key))
    job = MortalStep(-1)
    again = entry.result(*task.compute(Ticket(job)))
    assert entry.digest(task.key, again) == entry.digest(task.key, whole)
    assert "resumed at step 5" in job.said
    assert any(said.startswith("step 6 of ") for said in job.said)
    assert not any(said.startswith("step 5 of ") for said in job.said)


TASKS: dict[str, Callable[[], Task[Any]]] = {
    "several spaces": lambda: several_task([PAIR.a, PAIR.b, turned_pair(noise=0.1).b], 9, 0),
    "no pairs": lambda: unpaired_task(keep_space(PAIR.a), keep_space(PAIR.b), ((0, 0), (1, 1))),
    "table": lambda: table_task(Trials(anchors=12, seed_counts=(8,), methods=("adam",), draws=2), PAIR),
}


@pytest.mark.slow
@pytest.mark.usefixtures("few_clusterings")
@pytest.mark.parametrize("made", TASKS.values(), ids=TASKS)
def test_so_do_runs_that_are_made_of_others(made: Callable[[], Task[Any]]) -> None:
    task = made()
    whole = entry.result(*task.compute(Ticket(Mortal())))
    default_store().remove(checkpoint_key(task.key))
    with pytest.raises(Canceled):
        task.compute(Ticket(Mortal(0.5)))
    assert default_store().has(checkpoint_key(task.key))
    job = Mortal()
    again = entry.result(*task.compute(Ticket(job)))
    assert RESUMED in job.message
    assert entry.digest(task.key, again) == entry.digest(task.key, whole)


def test_it_is_gone_when_the_result_is_kept_and_counts_in_the_cap() -> None:
    task, store = bootstrap_task(RUN, PAIR), default_store()
    with pytest.raises(Canceled):
        task.compute(Ticket(MortalStep(4)))
    assert [kind_of(one.key) for one in store.entries()] == ["checkpoint"]
    task.run()
    assert [one.key for one in store.entries()] == [task.key]


def test_a_disk_that_takes_no_checkpoint_does_not_end_the_run(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("relviz.compute.entry.os.replace", full)
    task = bootstrap_task(RUN, PAIR)
    assert task.run().result is not None
    assert caplog.text.count("No checkpoint is kept") == 1
    assert default_store().has(task.key)  # in memory


def test_a_slow_disk_is_written_to_rarely(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two saves take a fiftieth of the time between them, at most."""
    taken: list[float] = []

    def slow(_: dict[str, object], __: dict[str, object]) -> None:
        now[0] += 0.5
        taken.append(now[0])

    now = [0.0]
    monkeypatch.setattr("relviz.bootstrapping.checkpoint._SHARE", 0.02)
    monkeypatch.setattr("relviz.bootstrapping.checkpoint.time.monotonic", lambda: now[0])
    checkpoint = Checkpoint(slow, None, 10.0)
    for _ in range(200):
        now[0] += 1.0
        if checkpoint.due:
            checkpoint.save()
    assert taken == [10.5, 36.0, 61.5, 87.0, 112.5, 138.0, 163.5, 189.0]


def test_other_code_does_not_go_on_from_it(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(Canceled):
        bootstrap_task(RUN, PAIR).compute(Ticket(MortalStep(4)))
    monkeypatch.setattr("relviz.compute.key.code_version", lambda: "another")
    job = MortalStep(-1)
    bootstrap_task(RUN, PAIR).compute(Ticket(job))
    assert not any("resumed" in said for said in job.said)

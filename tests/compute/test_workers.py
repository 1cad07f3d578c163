"""Heavy work in a process of its own: the same answers, progress, pause, cancel and errors as in a thread."""

import itertools
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest
import torch

from relviz.compute import jobs as module
from relviz.compute.device import device
from relviz.compute.entry import digest, result
from relviz.compute.job import here_and_now
from relviz.compute.jobs import Jobs
from relviz.compute.key import checkpoint_key
from relviz.compute.owner import acting_for
from relviz.compute.queue import Limits
from relviz.compute.store import default_store
from relviz.compute.workers import WorkerError, Workers, use_workers
from relviz.errors import ParameterError
from relviz.results.bootstrap import bootstrap_task
from relviz.state.view import Run
from tests.compute.heavy import (
    GATE,
    begun,
    counted,
    counted_lightly,
    deaf,
    doubled,
    failing,
    gone,
    held,
    hurried,
    idle,
    readiness,
)
from tests.compute.watched import FOREVER, PATIENCE, over, pauses_goes_one_step_and_is_canceled, until
from tests.results.made_runs import turned_pair

PROJECT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def shared():
    pool = Workers()
    yield pool
    pool.end()


@pytest.fixture
def pool(shared, monkeypatch, fresh_store):  # noqa: ARG001
    monkeypatch.setattr(module, "_PROCESS_WIDE", Jobs())
    use_workers(shared)
    yield shared
    use_workers(None)
    for job in module.jobs().alive():
        job.cancel()
        assert job.wait(PATIENCE)


def test_a_worker_gives_what_a_thread_gives_and_works_for_who_asked(pool):
    x = np.arange(4.0)
    with acting_for("anna"):
        task = doubled(x)
        job = over(task.result_or_job())
        made = task.result_or_job()
    assert job.state == "done"
    assert made.x.tolist() == (2 * x).tolist()
    assert made.who == "anna"
    assert [made.process] == pool.processes()
    assert job.message == "doubling"
    assert job.history[0].data["step"].tolist() == [1, 1]
    again = doubled(x + 1)
    over(again.result_or_job())
    assert again.stored().process == made.process  # it is kept warm


@pytest.mark.skipif(device().type != "cpu", reason="An accelerator is for one job at a time.")
@pytest.mark.usefixtures("pool")
def test_what_pages_compute_themselves_has_every_core(monkeypatch, request):
    monkeypatch.setattr(os, "cpu_count", lambda: 2 * torch.get_num_threads())
    module.cores.cache_clear()
    request.addfinalizer(module.cores.cache_clear)
    three = [counted_lightly(FOREVER + at) for at in range(3)]
    jobs = []
    for at, one in enumerate(three):
        with acting_for(f"visitor {at}"):
            jobs.append(one.result_or_job())
    until(lambda: module.cores().lengths() == (2, 1))
    until(lambda: all(job.fraction for job in jobs))  # in fair turns
    for job in jobs:
        job.cancel()
        assert over(job).state == "canceled"
    assert module.cores().lengths() == (0, 0)
    use_workers(None)
    two = [counted_lightly(FOREVER + 3 + at).result_or_job() for at in range(2)]
    until(lambda: two[0].fraction)
    assert two[1].state == "queued", "a script has one device"
    for job in two:
        job.cancel()


@pytest.mark.skipif(sys.platform != "linux", reason="Only Linux schedules sessions as groups.")
def test_a_worker_yields_to_the_pages_and_is_deaf_to_ctrl_c(pool):
    over(doubled(np.ones(3)).result_or_job())
    (worker,) = pool.processes()
    assert pool.size == 1
    assert os.getpriority(os.PRIO_PROCESS, worker) > os.getpriority(os.PRIO_PROCESS, os.getpid())
    assert os.getsid(worker) == os.getsid(os.getpid())
    assert os.getpgid(worker) != os.getpgid(os.getpid())


@pytest.mark.usefixtures("fresh_store")
def test_a_script_computes_in_its_own_process():
    task = doubled(np.ones(2))
    over(task.result_or_job())
    assert task.stored().process == os.getpid()


def test_it_is_seen_so_far_pauses_goes_one_step_and_is_canceled(pool):
    def others_may_go(job):
        assert job.partial.process in pool.processes()
        assert pool.queue.lengths() == (0, 0)

    pauses_goes_one_step_and_is_canceled(others_may_go)
    assert over(doubled(np.ones(1)).result_or_job()).state == "done"


@pytest.mark.usefixtures("pool")
def test_two_take_turns(monkeypatch):
    monkeypatch.setattr("relviz.compute.queue.SLICE_SECONDS", 0.0)
    long, short = counted(FOREVER), counted(3)
    first = long.result_or_job()
    until(lambda: first.fraction)
    with acting_for("ben"):
        assert over(short.result_or_job()).state == "done"
    assert first.alive
    first.cancel()
    over(first)


def test_a_cancel_is_heard_by_work_that_does_not_listen(pool):
    job = deaf(600.0).result_or_job()
    until(lambda: job.message == "asleep")
    job.cancel()
    assert over(job).state == "canceled"
    assert not pool.processes()


@pytest.mark.usefixtures("pool")
def test_errors_keep_their_message():
    job = over(failing(False).result_or_job())
    assert isinstance(job.error, ParameterError)
    assert str(job.error) == "k must be at most 4."
    assert "k must be at most 4." in str(over(failing(True).result_or_job()).error)


@pytest.mark.usefixtures("pool")
def test_a_worker_that_is_gone_fails_its_work_alone():
    job = over(gone().result_or_job())
    assert isinstance(job.error, WorkerError)
    assert "ended unexpectedly (code 9)" in str(job.error)
    assert over(doubled(np.zeros(1)).result_or_job()).state == "done"


@pytest.mark.slow
def test_a_run_whose_worker_is_killed_goes_on_from_its_checkpoint(pool):
    run = Run(anchors=20, seeds=9, method="adam", options="steps=150")
    task = bootstrap_task(run, turned_pair())
    over(hurried().result_or_job())
    (process,) = pool.processes()
    first = task.result_or_job()
    until(lambda: default_store().has(checkpoint_key(task.key)))
    os.kill(process, signal.SIGKILL)
    assert "Run it again, and it goes on from its last checkpoint" in str(over(first).error)
    module.jobs().forget(task.key)
    again = over(task.result_or_job())
    assert any("resumed at step" in report.message for report in again.history)
    assert not default_store().has(checkpoint_key(task.key))
    kept = default_store().get(task.key)
    assert digest(task.key, kept) == digest(task.key, result(*task.compute(here_and_now())))


def test_work_ends_when_its_time_is_over(pool, monkeypatch):
    monkeypatch.setattr(pool.queue, "limits", Limits(seconds=0.05))
    job = over(deaf(601.0).result_or_job())
    assert isinstance(job.error, WorkerError)
    assert "that this server allows" in str(job.error)


@pytest.mark.usefixtures("pool")
def test_what_cannot_be_stored_is_shown_all_the_same(monkeypatch, tmp_path: Path):
    (tmp_path / "file").write_text("no folder can be made here")
    store = default_store()
    monkeypatch.setattr(store, "root", tmp_path / "file")
    task = doubled(np.arange(3.0))
    assert over(task.result_or_job()).state == "done"
    assert task.result_or_job().x.tolist() == [0, 2, 4]
    assert "cannot be written" in store.trouble
    store._held.drop(task.key)


def test_too_many_are_refused_with_a_sentence(pool, monkeypatch):
    monkeypatch.setattr(pool.queue, "limits", Limits(waiting_each=1))
    with acting_for("anna"):
        first = counted(FOREVER).result_or_job()
        refused = doubled(np.ones(5)).result_or_job()
        assert (refused.state, str(refused.error)) == (
            "failed",
            "You have 1 unfinished runs, as many as this server allows. Cancel one, or wait.",
        )
        first.cancel()
        over(first)


def test_a_work_waits_for_one_step_that_makes_ready_and_not_for_all(pool, tmp_path, monkeypatch):
    gate = tmp_path / "gate"
    monkeypatch.setenv(GATE, str(gate))
    own = Workers(prepare=(held, idle))
    use_workers(own)
    try:
        own.warm()
        until(begun(gate).exists)
        job = readiness(0).result_or_job()
        until(lambda: any(process.busy for process in own._all))
        gate.touch()
        over(job)
        assert readiness(0).stored().steps == "held"

        turns = itertools.count(1)

        def asked_again():
            time.sleep(0.3)  # in which it has nothing else to do
            task = readiness(next(turns))
            over(task.result_or_job())
            return task.stored().steps

        until(lambda: asked_again() == "held idle")
    finally:
        use_workers(pool)
        own.end()


KILLED = """
import os, signal
from relviz.compute.workers import Workers
pool = Workers()
pool.warm()
print(*pool.processes(), flush=True)
os.kill(os.getpid(), signal.SIGKILL)
"""


@pytest.mark.skipif(os.name != "posix", reason="asks for processes as POSIX has them")
def test_workers_end_with_a_server_that_is_killed():
    server = subprocess.run([sys.executable, "-c", KILLED], cwd=PROJECT, capture_output=True, text=True)
    process = int(server.stdout)

    def gone():
        try:
            os.kill(process, 0)
        except ProcessLookupError:
            return True
        return "Z" in Path(f"/proc/{process}/stat").read_text().rpartition(")")[2][:3]

    until(gone)

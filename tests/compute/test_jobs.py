"""Jobs run in the background, once per key, one at a time on the device, and stop when they are told."""

import gc
import logging
import subprocess
import sys
import threading
import time
import weakref
from contextlib import contextmanager
from pathlib import Path
from unittest import mock

import numpy as np
import pytest
import torch

from relviz.compute import blocks, device
from relviz.compute import jobs as module
from relviz.compute.device import DEVICE_LOCK
from relviz.compute.entry import Result
from relviz.compute.jobs import Canceled, Job, Jobs, Link, jobs, result_or_job
from relviz.compute.owner import acting_for, owner
from relviz.compute.store import Store
from relviz.errors import ParameterError

PATIENCE = 20
KEY = "toy-" + "0" * 32


@pytest.fixture
def registry(monkeypatch):
    fresh = Jobs(keep=3)
    monkeypatch.setattr(module, "_PROCESS_WIDE", fresh)
    yield fresh
    for job in fresh.running():  # outside of a visitor: all of them
        job.cancel()
        assert job.wait(PATIENCE)


@contextmanager
def device_held_by_another():
    """Another thread has the device meanwhile."""
    taken, give_back = threading.Event(), threading.Event()

    def hold():
        with DEVICE_LOCK:
            taken.set()
            give_back.wait()

    holder = threading.Thread(target=hold)
    holder.start()
    taken.wait(PATIENCE)
    try:
        yield
    finally:
        give_back.set()
        holder.join()


def device_is_free():
    free = DEVICE_LOCK.acquire(timeout=1)
    if free:
        DEVICE_LOCK.release()
    return free


def until(condition):
    end = time.monotonic() + PATIENCE
    while not condition() and time.monotonic() < end:
        time.sleep(0.005)
    assert condition()


def endless(ticket):
    while True:
        ticket.report()
        time.sleep(0.001)


def failing(_):
    raise ParameterError("k must lie between 1 and 4; it is 9.")


def stopping(_):
    raise Canceled


def over(job):
    assert job.wait(PATIENCE)
    return job


def test_progress_is_seen_while_it_works(registry):
    told, go_on = threading.Event(), threading.Event()

    def work(ticket):
        ticket.report(0.25, "matching", loss=2.0)
        told.set()
        go_on.wait(PATIENCE)
        return 42

    job = registry.start("k", work, "AO of words")
    assert told.wait(PATIENCE)
    assert (job.state, job.fraction, job.message, job.title) == ("running", 0.25, "matching", "AO of words")
    assert job.seconds_left >= 0
    assert registry.find("k") is job
    assert registry.running() == [job]
    go_on.set()
    over(job)
    assert (job.state, job.fraction, job.result, job.error) == ("done", 1, 42, None)
    assert registry.running() == []
    assert job.history[0].data == {"loss": 2.0}


def test_cancel_is_answered_at_the_next_report(registry):
    step, told, steps = threading.Semaphore(0), threading.Semaphore(0), []

    def work(ticket):
        while True:
            ticket.report()
            steps.append(1)
            told.release()
            step.acquire()

    job = registry.start("k", work, exclusive=True)
    told.acquire()
    job.cancel()
    step.release()
    over(job)
    assert (job.state, len(steps), job.result) == ("canceled", 1, None)
    assert device_is_free()


def test_a_kernel_stops_between_two_blocks(registry):
    x = torch.ones(1000, 2)

    def work(ticket):
        while True:
            blocks.top_k(x, x, 1, on_block=ticket.report)

    with mock.patch.multiple(blocks, TILE_ELEMENTS=1000, TILE_COLUMNS=1000):
        job = registry.start("k", work)
        until(lambda: job.history)
        job.cancel()
        over(job)
    assert job.state == "canceled"


def test_work_that_ends_before_it_hears_of_the_cancel_is_done(registry):
    go_on = threading.Event()
    job = registry.start("k", lambda _: go_on.wait(PATIENCE))
    until(lambda: job.state == "running")
    job.cancel()
    go_on.set()
    assert over(job).state == "done"


def test_it_waits_for_the_device_and_can_be_canceled_while_it_waits(registry):
    ran = []
    with device_held_by_another():
        first = registry.start("a", ran.append, exclusive=True)
        second = registry.start("b", ran.append, exclusive=True)
        assert over(registry.start("c", lambda _: "needs no device")).state == "done"
        assert not first.wait(0.15)
        assert (first.state, second.state, first.seconds, ran) == ("queued", "queued", 0, [])
        assert registry.running() == [first, second]
        first.cancel()
        assert over(first).state == "canceled"
    assert over(second).state == "done"
    assert len(ran) == 1


def test_canceled_just_before_the_device_is_free_it_does_not_run(registry, monkeypatch):
    monkeypatch.setattr(device, "_POLL_SECONDS", PATIENCE)
    ran = []
    with device_held_by_another():
        job = registry.start("k", ran.append, exclusive=True)
        job.cancel()
    assert over(job).state == "canceled"
    assert ran == []


def test_one_at_a_time_has_the_device(registry):
    inside, most = [], []

    def work(ticket):
        inside.append(ticket)
        most.append(len(inside))
        time.sleep(0.01)
        inside.remove(ticket)

    for job in [registry.start(str(i), work, exclusive=True) for i in range(4)]:
        assert over(job).state == "done"
    assert max(most) == 1


@pytest.mark.parametrize("work", [failing, lambda _: None, stopping])
def test_the_device_is_given_back_however_it_ends(registry, work):
    over(registry.start("k", work, exclusive=True))
    assert device_is_free()


def test_a_failure_keeps_its_message_for_the_page_and_its_traceback_for_the_log(registry, caplog):
    with caplog.at_level(logging.ERROR):
        job = over(registry.start("k", failing, "t-SNE"))
    assert job.state == "failed"
    assert isinstance(job.error, ParameterError)
    assert str(job.error) == "k must lie between 1 and 4; it is 9."
    assert "The job k (t-SNE) failed" in caplog.text
    assert "in failing" in caplog.text


@pytest.mark.parametrize("error", [RuntimeError("no"), SystemExit(3), KeyboardInterrupt()])
def test_no_error_leaves_a_job_that_looks_alive(registry, error):
    def work(_):
        raise error

    assert over(registry.start("k", work)).error is error


def test_a_failure_does_not_hold_the_arrays_of_the_work(registry, monkeypatch):
    monkeypatch.setattr(module.logger, "disabled", True)  # pytest keeps what is logged, frames and all
    arrays = []

    def work(_):
        large = torch.ones(1000)
        arrays.append(weakref.ref(large))
        try:
            large.reshape(3, 3)
        except RuntimeError as reason:
            raise ParameterError("It has no such shape.") from reason

    job = over(registry.start("k", work))
    gc.collect()
    assert job.error.__cause__ is not None
    assert arrays[0]() is None


def test_one_that_runs_or_is_done_is_not_started_twice(registry):
    go_on = threading.Event()
    job = registry.start("k", lambda _: go_on.wait(PATIENCE))
    assert registry.start("k", failing) is job
    go_on.set()
    over(job)
    assert registry.start("k", failing) is job


def test_one_that_failed_or_was_canceled_is_started_anew(registry):
    over(registry.start("k", failing))
    again = registry.start("k", endless)
    again.cancel()
    assert over(again).state == "canceled"
    assert over(registry.start("k", lambda _: "now")).result == "now"


def test_one_that_was_asked_to_stop_makes_way(registry):
    go_on = threading.Event()
    old = registry.start("k", lambda _: go_on.wait(PATIENCE))
    old.cancel()
    new = registry.start("k", lambda _: "new")
    assert new is not old
    go_on.set()
    over(old)
    assert over(registry.find("k")).result == "new"


def test_threads_that_start_the_same_key_at_once_get_one_job(registry):
    together, got, ran = threading.Barrier(8), [], []

    def ask():
        together.wait()
        got.append(registry.start("k", ran.append))

    askers = [threading.Thread(target=ask) for _ in range(8)]
    for asker in askers:
        asker.start()
    for asker in askers:
        asker.join()
    over(got[0])
    assert len(got) == 8
    assert len(set(map(id, got))) == 1
    assert len(ran) == 1


def test_of_those_that_ended_the_newest_are_remembered(registry):
    alive = registry.start("alive", endless)
    for number in range(5):
        over(registry.start(str(number), lambda _: None))
    registry.start("another", endless)
    assert [registry.find(str(number)) is not None for number in range(5)] == [False, False, True, True, True]
    assert registry.find("alive") is alive


def test_only_one_that_ended_can_be_forgotten(registry):
    job = registry.start("k", endless)
    registry.forget("k")
    assert registry.find("k") is job
    job.cancel()
    over(job)
    registry.forget("k")
    registry.forget("k")
    assert registry.find("k") is None


def test_a_program_ends_though_a_job_still_works():
    code = (
        "import time; from relviz.compute.jobs import jobs\n"
        "job = jobs().start('k', lambda _: time.sleep(600), exclusive=True)\n"
        "while job.state != 'running': time.sleep(0.01)\n"
    )
    project = Path(__file__).resolve().parents[2]
    ended = subprocess.run([sys.executable, "-c", code], cwd=project, timeout=60, capture_output=True)
    assert (ended.returncode, ended.stderr) == (0, b"")


class TestVisitors:
    def test_a_visitor_finds_and_lists_only_what_they_asked_for(self, registry):
        with acting_for("anna"):
            job = registry.start("k", endless)
            assert registry.find("k") is job
        with acting_for("ben"):
            assert registry.find("k") is None
            assert registry.running() == []
            job.cancel()
            job.pause()
            assert not job.canceling
            assert not job.pausing
        with acting_for(None):  # no visitors: a script sees all
            assert registry.running() == [job]

    def test_two_who_ask_for_the_same_share_it_and_one_who_cancels_only_leaves(self, registry):
        with acting_for("anna"):
            job = registry.start("k", endless)
            job.pause()
            assert job.pausing
        with acting_for("ben"):
            assert registry.start("k", endless) is job
            assert registry.find("k") is job
            assert not job.pausing  # who joins does not wait for another's pause to end
            for act in (job.pause, job.step):
                act()
                assert not job.pausing
            job.cancel()
            assert registry.find("k") is None
        assert not job.canceling
        with acting_for("anna"):
            job.pause()
            assert job.pausing
            job.cancel()
            assert over(job).state == "canceled"
            assert registry.find("k") is job

    def test_who_asks_for_what_another_had_stopped_gets_a_job_of_their_own(self, registry, tmp_path):
        store = Store(tmp_path)
        with acting_for("anna"):
            failed = over(result_or_job(KEY, failing, store=store))
            assert result_or_job(KEY, failing, store=store) is failed
        with acting_for("ben"):
            assert registry.find(KEY) is None
            job = result_or_job(KEY, lambda _: ({}, {"made": 1}), store=store)
            assert over(job).state == "done"

    def test_the_work_is_done_on_behalf_of_who_started_it(self, registry):
        with acting_for("anna"):
            job = registry.start("k", lambda _: owner())
        assert over(job).result == "anna"


@pytest.mark.usefixtures("registry")
class TestResultOrJob:
    @pytest.fixture
    def store(self, tmp_path):
        return Store(tmp_path)

    def test_a_page_drawn_again_gets_the_job_until_there_is_a_result(self, store):
        go_on = threading.Event()

        def compute(ticket):
            ticket.report(0.5)
            go_on.wait(PATIENCE)
            return {"x": np.arange(3)}, {"loss": 0.5}

        first, second = (result_or_job(KEY, compute, "PCA", store) for _ in range(2))
        assert isinstance(first, Job)
        assert first is second is jobs().find(KEY)
        go_on.set()
        assert over(first).result == KEY
        found = result_or_job(KEY, failing, "PCA", store)
        assert isinstance(found, Result)
        assert found.arrays["x"].tolist() == [0, 1, 2]
        assert found.meta == {"loss": 0.5}

    def test_what_the_store_has_starts_no_job(self, store):
        store.put(KEY, {"x": np.ones(1)})
        assert isinstance(result_or_job(KEY, failing, store=store), Result)
        assert jobs().find(KEY) is None

    def test_what_left_the_store_is_computed_again(self, store):
        job = over(result_or_job(KEY, lambda _: ({}, {}), store=store))
        store.remove(KEY)
        again = result_or_job(KEY, lambda _: ({}, {"n": 2}), store=store)
        assert again is not job
        over(again)
        assert store.get(KEY).meta == {"n": 2}

    def test_a_failure_is_shown_until_someone_asks_for_another_try(self, store):
        job = over(result_or_job(KEY, failing, store=store))
        assert job.state == "failed"
        assert result_or_job(KEY, failing, store=store) is job
        jobs().forget(KEY)
        assert over(result_or_job(KEY, lambda _: ({}, {}), store=store)).state == "done"

    def test_a_failure_is_forgiven_when_another_process_has_the_result(self, store):
        over(result_or_job(KEY, failing, store=store))
        store.put(KEY, {})
        assert isinstance(result_or_job(KEY, failing, store=store), Result)

    def test_a_result_that_cannot_be_kept_is_there_all_the_same(self, tmp_path):
        store = Store(tmp_path, cap_bytes=10)
        job = result_or_job(KEY, lambda _: ({"x": np.zeros(100)}, {}), store=store)
        assert over(job).state == "done"
        assert len(result_or_job(KEY, failing, store=store).arrays["x"]) == 100
        assert "keeps at most" in store.trouble
        jobs().forget(KEY)

    def test_it_waits_for_the_device_unless_told_otherwise(self, store):
        with device_held_by_another():
            waits = result_or_job(KEY, lambda _: ({}, {}), store=store)
            assert not waits.wait(0.15)
            free = result_or_job("toy-" + "1" * 32, lambda _: ({}, {}), store=store, exclusive=False)
            assert over(free).state == "done"
            assert waits.state == "queued"
        assert over(waits).state == "done"

    def test_without_a_store_it_is_the_default_one(self, monkeypatch, store):
        monkeypatch.setattr(module, "default_store", lambda: store)
        over(result_or_job(KEY, lambda _: ({}, {"n": 1})))
        assert store.get(KEY).meta == {"n": 1}


def test_what_a_job_has_made_so_far_is_seen_until_it_is_done(registry):
    go_on, seen = threading.Event(), []

    def work(ticket):
        ticket.part(0, 1).show(lambda: "a part of it")
        ticket.show(lambda: len(seen))
        assert go_on.wait(PATIENCE)

    job = registry.start("so far", work)
    wait_until(lambda: job.shows)
    assert job.partial == 0
    seen.append(1)
    assert job.partial == 1
    go_on.set()
    assert job.wait(PATIENCE)
    assert (job.shows, job.partial) == (False, None)


def test_of_jobs_that_broke_off_the_newest_keep_what_they_made():
    many = Jobs()

    def work(ticket):
        ticket.show(lambda: "half")
        raise ParameterError("Broken off.")

    for number in range(10):
        job = many.start(f"broken-{number}", work)
        assert job.wait(PATIENCE)
    wait_until(lambda: not many.find("broken-3").shows)
    assert [many.find(f"broken-{number}").partial for number in range(10)] == [None] * 4 + ["half"] * 6


def test_each_owner_has_their_own_link_to_a_job(registry):
    go_on = threading.Event()
    with acting_for("anna"):
        job = registry.start("one", lambda _: go_on.wait(PATIENCE), link=Link("hers", {"a": "x"}))
        registry.join("one")
        assert job.link == Link("hers", {"a": "x"})
    with acting_for("ben"):
        assert job.link is None
        registry.join("one", Link("his", {"a": "y"}))
        assert job.link == Link("his", {"a": "y"})
        job.cancel()
        assert job.link is None
    with acting_for("anna"):
        assert job.link == Link("hers", {"a": "x"})
    go_on.set()
    assert job.wait(PATIENCE)


def wait_until(true) -> None:
    end = time.monotonic() + PATIENCE
    while not true():
        assert time.monotonic() < end
        time.sleep(0.002)

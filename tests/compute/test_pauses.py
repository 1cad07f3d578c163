"""A work that rests between its steps can be paused, stepped, resumed, and canceled in a pause."""

import time

import pytest

from relviz.compute.device import DEVICE_LOCK
from relviz.compute.job import Canceled, Job, Ticket
from relviz.compute.jobs import Jobs

PATIENCE = 20


def wait_until(true):
    until = time.monotonic() + PATIENCE
    while not true():
        assert time.monotonic() < until
        time.sleep(0.002)


@pytest.fixture
def stepping():
    """A job on the device that counts its steps, up to 1000, resting after each."""
    registry, steps = Jobs(), []

    def work(ticket):
        for index in range(1000):
            steps.append(index)
            time.sleep(0.001)
            ticket.report((index + 1) / 1000)
            ticket.rest()
        return len(steps)

    job = registry.start("k", work, exclusive=True)
    wait_until(lambda: len(steps) > 2)
    yield job, steps, registry
    job.cancel()
    assert job.wait(PATIENCE)


def paused(job):
    job.pause()
    wait_until(lambda: job.state == "paused")


def device_is_free():
    free = DEVICE_LOCK.acquire(blocking=False)
    if free:
        DEVICE_LOCK.release()
    return free


def test_a_paused_work_stands_still_has_given_the_device_back_and_its_time_stops(stepping):
    job, steps, _ = stepping
    paused(job)
    taken, seconds = len(steps), job.seconds
    assert job.alive
    assert job.pausing
    assert device_is_free()
    time.sleep(0.05)
    assert len(steps) == taken
    assert job.seconds == pytest.approx(seconds, abs=0.02)


def test_a_step_is_one_step(stepping):
    job, steps, _ = stepping
    paused(job)
    for _ in range(3):
        taken = len(steps)
        job.step()
        wait_until(lambda taken=taken: len(steps) == taken + 1 and job.state == "paused")
    time.sleep(0.02)
    assert len(steps) == taken + 1


def test_it_goes_on_to_the_end_when_resumed(stepping):
    job, steps, _ = stepping
    paused(job)
    job.resume()
    assert job.wait(PATIENCE)
    assert (job.state, job.result) == ("done", 1000)
    assert steps == list(range(1000))
    assert device_is_free()


def test_cancel_in_a_pause_answers_without_another_step(stepping):
    job, steps, _ = stepping
    paused(job)
    taken = len(steps)
    job.cancel()
    assert job.wait(PATIENCE)
    assert (job.state, len(steps)) == ("canceled", taken)


def test_cancel_in_a_pause_does_not_wait_for_the_device(stepping):
    job, _, _ = stepping
    paused(job)
    with DEVICE_LOCK:
        job.cancel()
        assert job.wait(PATIENCE)
    assert job.state == "canceled"
    assert device_is_free()


def test_another_work_runs_while_one_is_paused(stepping):
    job, _, registry = stepping
    paused(job)
    other = registry.start("other", lambda _: 7, exclusive=True)
    assert other.wait(PATIENCE)
    assert (other.result, job.state) == (7, "paused")


def test_two_works_that_rest_take_turns_and_both_finish():
    registry, order = Jobs(), []

    def work(name):
        def run(ticket):
            for _ in range(6):
                order.append(name)
                ticket.rest()
            return name

        return run

    with DEVICE_LOCK:
        jobs = [registry.start(name, work(name), exclusive=True) for name in "ab"]
        wait_until(lambda: len(DEVICE_LOCK._waiting) == 2)
    for job in jobs:
        assert job.wait(PATIENCE)
        assert job.result == job.key
    assert "".join(order) in {"ab" * 6, "ba" * 6}


def test_a_work_canceled_before_its_rest_does_not_rest():
    job = Job("k")
    job.pause()
    job.cancel()
    with pytest.raises(Canceled):
        Ticket(job).rest()

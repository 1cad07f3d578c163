"""What a page sees of a job: its state, its progress, and how long it will take."""

from types import SimpleNamespace

import pytest

from relviz.compute import job
from relviz.compute.job import Canceled, Job, Ticket


@pytest.fixture
def clock(monkeypatch):
    now = SimpleNamespace(seconds=1000.0)
    monkeypatch.setattr(
        job, "time", SimpleNamespace(monotonic=lambda: now.seconds, time=lambda: 5e8 + now.seconds)
    )
    return now


def test_time_is_counted_from_when_it_runs_and_stands_still_when_it_is_over(clock):
    made = Job("k", "t-SNE of words")
    clock.seconds += 50
    assert (made.state, made.seconds, made.started, made.seconds_left) == ("queued", 0, None, None)
    made.begin()
    clock.seconds += 10
    assert (made.state, made.seconds, made.started) == ("running", 10, 5e8 + 1050)
    made.end("done", result=7)
    clock.seconds += 99
    assert (made.seconds, made.result, made.fraction, made.alive) == (10, 7, 1, False)


def test_the_time_left_is_in_proportion_and_unknown_without_a_fraction(clock):
    made = Job("k")
    made.begin()
    clock.seconds += 10
    assert made.seconds_left is None
    made.note(0.25, "", {})
    assert made.seconds_left == 30
    made.end("failed")
    assert made.seconds_left is None


def test_a_fraction_just_begun_says_nothing_yet(clock):
    made = Job("k")
    made.begin()
    clock.seconds += 10
    made.note(0.001, "", {})
    assert made.seconds_left is None


@pytest.mark.parametrize(("told", "shown"), [(0.5, 0.5), (-1, 0), (7, 1), (float("nan"), None), (None, None)])
def test_a_fraction_stays_between_nothing_and_all(told, shown):
    made = Job("k")
    made.begin()
    Ticket(made).report(told)
    assert made.fraction == shown


def test_what_a_report_leaves_out_stays_and_its_data_is_remembered(clock):
    made = Job("k")
    made.begin()
    ticket = Ticket(made)
    ticket.report(0.1, "matching", loss=3.0)
    clock.seconds += 2
    ticket.report(loss=1.0)
    assert (made.fraction, made.message) == (0.1, "matching")
    assert [(one.seconds, one.fraction, one.data["loss"]) for one in made.history] == [
        (0, 0.1, 3.0),
        (2, 0.1, 1.0),
    ]


def test_only_the_last_reports_are_remembered():
    made = Job("k")
    made.begin()
    for step in range(job.KEPT_REPORTS + 5):
        Ticket(made).report(step=step)
    assert len(made.history) == job.KEPT_REPORTS
    assert made.history[-1].data["step"] == job.KEPT_REPORTS + 4


def test_after_cancel_the_next_word_raises_and_is_not_heard():
    made = Job("k")
    ticket = Ticket(made)
    ticket.check()
    assert not ticket.canceled
    made.cancel()
    assert ticket.canceled
    assert made.canceling
    assert made.alive
    with pytest.raises(Canceled):
        ticket.check()
    with pytest.raises(Canceled):
        ticket.report(0.5)
    assert made.history == ()


def test_waiting_ends_with_the_job_or_with_patience():
    made = Job("k")
    assert not made.wait(0.01)
    made.end("canceled")
    assert made.wait()


def test_without_a_title_it_is_called_by_its_key():
    assert Job("k").title == "k"
    assert repr(Job("k")) == "Job('k', queued)"

"""A task that is part of another work: its reports are heard there, and it stops when that is canceled."""

from pathlib import Path

import pytest

from relviz.compute.job import here_and_now
from relviz.compute.jobs import Jobs, Ticket
from relviz.compute.task import Task

KEY = f"inner-{'0' * 32}"


@pytest.fixture(autouse=True)
def _own_store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RELVIZ_CACHE", str(tmp_path))


def inner(reached: list[str], on_start=lambda: None) -> Task:
    def compute(ticket: Ticket):
        ticket.report(0.5, "half")
        on_start()
        ticket.check()
        reached.append("end")
        return {}, {"made": 1}

    return Task(KEY, "Inner", compute)


def test_what_it_reports_is_heard() -> None:
    heard: list[tuple[float | None, str]] = []
    found = inner([]).run(here_and_now(lambda fraction, message: heard.append((fraction, message))))
    assert found.meta == {"made": 1}
    assert heard == [(0.5, "half")]


def test_it_stops_with_the_work_that_it_is_part_of() -> None:
    reached: list[str] = []
    running = Jobs()

    def outer(ticket: Ticket) -> None:
        job = running.find("outer")
        assert job is not None
        inner(reached, job.cancel).run(ticket.part(0.5, 1.0))

    job = running.start("outer", outer)
    assert job.wait(10)
    assert job.state == "canceled"
    assert reached == []
    assert inner(reached).stored() is None
    inner(reached).run()
    assert reached == ["end"]


def test_a_part_of_a_work_reports_as_its_share_of_the_whole_and_a_part_of_that_as_its() -> None:
    heard: list[tuple[float | None, str]] = []
    whole = here_and_now(lambda fraction, message: heard.append((fraction, message)))
    part = whole.part(0.25, 0.5, "Training")
    part.report(0.5, "epoch 3")
    part.report(1.0)
    part.part(0.5, 1.0).report(0.0, "the last half")
    assert heard == [(0.375, "Training: epoch 3"), (0.5, "Training"), (0.375, "Training: the last half")]

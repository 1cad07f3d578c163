"""A run that a visitor asked to be kept is begun again by the next server, for them alone."""

from collections.abc import Callable, Iterator

import pytest

from relviz.compute import jobs as of_jobs
from relviz.compute.job import Job
from relviz.compute.jobs import Jobs
from relviz.compute.owner import acting_for
from relviz.compute.store import default_store
from relviz.results.bootstrap import bootstrap_task
from relviz.results.several import several_task
from relviz.state.sources import keep_space, open_pair, open_space
from relviz.state.view import Run
from relviz.ui.operations import kept_runs
from tests.results.made_runs import turned_pair

PATIENCE = 60
LONG = Run(anchors=20, seeds=9, method="adam_warm", options="steps=100000,warm_up=3")


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch, fresh_store: object) -> Iterator[Callable[[], None]]:  # noqa: ARG001
    """Has the server end and another begin, with the same store."""

    def ended() -> None:
        with acting_for(None):
            for job in of_jobs.jobs().alive():
                job.cancel()
                assert job.wait(PATIENCE)
        monkeypatch.setattr(of_jobs, "_PROCESS_WIDE", Jobs())
        monkeypatch.setattr(kept_runs, "_PARAMS", {})

    ended()
    yield ended
    ended()


def of_anna() -> Job[str]:
    with acting_for("anna"):
        sources = tuple(keep_space(space) for space in (turned_pair().a, turned_pair().b))
        job = bootstrap_task(LONG, open_pair(*sources), sources).result_or_job()
    assert isinstance(job, Job)
    return job


def test_it_goes_on_for_who_asked_and_nobody_else(server: Callable[[], None]) -> None:
    first = of_anna()
    first.keep = True
    kept_runs.note()
    for _ in range(2):
        server()
        kept_runs.begin_again()
        kept_runs.note()
        (job,) = of_jobs.jobs().alive()
        assert (job.key, job.keep, job.owners) == (first.key, True, ())
    with acting_for("ben"):
        assert not job.mine
        job.cancel()
    assert not job.canceling
    assert of_anna() is job
    with acting_for("anna"):
        job.cancel()
    assert job.wait(PATIENCE)
    kept_runs.note()
    server()
    kept_runs.begin_again()
    assert not of_jobs.jobs().alive()


def test_several_spaces_go_on_too(server: Callable[[], None]) -> None:
    with acting_for("anna"):
        sources = [keep_space(space) for space in (turned_pair().a, turned_pair().b)]
        job = several_task([open_space(one) for one in sources], 3, 1, sources).result_or_job()
    assert isinstance(job, Job)
    job.keep = True
    kept_runs.note()
    server()
    kept_runs.begin_again()
    (again,) = of_jobs.jobs().alive()
    assert (again.key, again.keep, again.owners) == (job.key, True, ())


def test_only_where_it_was_to_be_kept_and_the_code_is_the_same(
    server: Callable[[], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    job = of_anna()
    kept_runs.note()
    assert not default_store().has(kept_runs.PLACE)
    job.keep = True
    kept_runs.note()
    server()
    monkeypatch.setattr("relviz.compute.key.code_version", lambda: "another")
    kept_runs.begin_again()
    assert not of_jobs.jobs().alive()

"""A Dask cluster of two worker processes: the same answers, progress, pause and cancel as on one machine."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from relviz.compute import jobs as module
from relviz.compute.cluster import Cluster
from relviz.compute.entry import digest, result
from relviz.compute.job import here_and_now
from relviz.compute.jobs import Jobs
from relviz.compute.owner import acting_for
from relviz.compute.store import default_store
from relviz.compute.workers import WorkerError, use_workers
from relviz.errors import ParameterError
from relviz.results.bootstrap import bootstrap_task
from relviz.ui.operations import lifecycle
from relviz.ui.operations.health import exposed
from relviz.ui.operations.settings import Settings, WorkSettings
from tests.compute.heavy import counted, doubled, failing
from tests.compute.watched import FOREVER, over, pauses_goes_one_step_and_is_canceled, until
from tests.results.made_runs import RUN, turned_pair

asked = pytest.mark.skipif(
    not os.environ.get("RELVIZ_TEST_CLUSTER"), reason="Starts a cluster: RELVIZ_TEST_CLUSTER=1 runs it."
)
PROJECT = Path(__file__).resolve().parents[2]
LOCAL = ["--host", "127.0.0.1", "--no-dashboard"]


@pytest.fixture(scope="module")
def processes(
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[tuple[str, list[subprocess.Popen[bytes]]]]:
    """The address of a scheduler, and its two workers."""
    folder = tmp_path_factory.mktemp("dask")
    environment = os.environ | {"PYTHONPATH": str(PROJECT), "OMP_NUM_THREADS": "1"}
    said = folder / "scheduler.json"

    def dask(*words: str) -> subprocess.Popen[bytes]:
        return subprocess.Popen(
            [sys.executable, "-m", "distributed.cli.dask_" + words[0], *words[1:]],
            cwd=folder,
            env=environment,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )

    scheduler = dask("scheduler", "--port", "0", *LOCAL, "--scheduler-file", str(said))
    until(said.is_file)
    address = json.loads(said.read_text())["address"]
    one = ("worker", address, "--nthreads", "1", "--no-nanny", *LOCAL)
    started = [dask(*one), dask(*one)]
    yield address, started
    for process in (*started, scheduler):
        process.kill()
        process.wait()


@pytest.fixture
def pool(
    processes: tuple[str, list[subprocess.Popen[bytes]]],
    monkeypatch: pytest.MonkeyPatch,
    fresh_store: object,  # noqa: ARG001
) -> Iterator[Cluster]:
    monkeypatch.setattr(module, "_PROCESS_WIDE", Jobs())
    cluster = Cluster(processes[0])
    cluster._client.wait_for_workers(len([one for one in processes[1] if one.poll() is None]))
    cluster._client.run(exec, "import relviz.results.bootstrap")  # on a busy machine it takes a minute
    use_workers(cluster)
    yield cluster
    use_workers(None)
    for job in module.jobs().alive():
        job.cancel()
        over(job)
    cluster.end()


@asked
@pytest.mark.usefixtures("pool")
@pytest.mark.filterwarnings("default")
class TestCluster:
    def test_answers_are_those_of_one_process(self) -> None:
        with acting_for("anna"):
            job = over(doubled(np.arange(4.0)).result_or_job())
            made = doubled(np.arange(4.0)).result_or_job()
        assert job.state == "done"
        assert made.x.tolist() == [0, 2, 4, 6]
        assert made.who == "anna"
        assert made.process != os.getpid()
        task = bootstrap_task(RUN, turned_pair())
        over(task.result_or_job())
        kept = default_store().get(task.key)
        assert digest(task.key, kept) == digest(task.key, result(*task.compute(here_and_now())))

    def test_the_metrics_count_its_workers(self) -> None:
        assert "relviz_workers 2" in exposed()

    def test_two_run_at_once(self) -> None:
        two = [counted(FOREVER).result_or_job(), counted(FOREVER + 1).result_or_job()]
        until(lambda: all(job.fraction for job in two))
        for job in two:
            job.cancel()
        assert [over(job).state for job in two] == ["canceled"] * 2

    def test_it_is_seen_so_far_pauses_goes_one_step_and_is_canceled(self) -> None:
        pauses_goes_one_step_and_is_canceled()

    def test_errors_keep_their_message(self) -> None:
        job = over(failing(False).result_or_job())
        assert isinstance(job.error, ParameterError)
        assert str(job.error) == "k must be at most 4."

    def test_another_version_of_the_code_is_refused(self, monkeypatch: pytest.MonkeyPatch) -> None:
        task = doubled(np.ones(3))
        monkeypatch.setattr("relviz.compute.cluster.code_version", lambda: "another")
        job = over(task.result_or_job())
        assert isinstance(job.error, WorkerError)
        assert "another version of relviz" in str(job.error)

    def test_the_work_of_a_killed_worker_is_done_by_the_other(
        self, processes: tuple[str, list[subprocess.Popen[bytes]]]
    ) -> None:
        task = counted(400)
        job = task.result_or_job()
        until(lambda: job.shows and job.partial is not None)
        at_work = job.partial.process
        assert at_work in [one.pid for one in processes[1]]
        os.kill(at_work, signal.SIGKILL)
        assert over(job).state == "done"
        made = task.stored()
        assert made.x.tolist() == list(range(400))
        assert made.process in [one.pid for one in processes[1]]
        assert made.process != at_work


def test_a_scheduler_that_does_not_answer_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("distributed")
    monkeypatch.setattr("relviz.compute.cluster.REACH_SECONDS", 0.2)
    with pytest.raises(ParameterError, match=r"No Dask scheduler answers at tcp://127\.0\.0\.1:9\."):
        Cluster("tcp://127.0.0.1:9")


@pytest.mark.parametrize("variable", ["", "tcp://another:8786"])
@pytest.mark.usefixtures("fresh_store")
def test_one_setting_has_works_done_by_a_cluster(variable: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RELVIZ_CLUSTER", variable)
    monkeypatch.setattr(lifecycle, "Cluster", lambda address, _: SimpleNamespace(address=address))
    monkeypatch.setattr(lifecycle, "use_store", lambda _: None)
    monkeypatch.setattr(lifecycle, "use_workers", lambda _: None)
    pool = lifecycle.start(Settings(work=WorkSettings(cluster="tcp://scheduler:8786")))
    assert vars(pool) == {"address": variable or "tcp://scheduler:8786"}

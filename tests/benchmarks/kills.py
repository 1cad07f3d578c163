"""What is lost when a server or one of its workers is killed (SIGKILL) at any moment, under load.

Run as a program: ``python -m tests.benchmarks.kills``. A server with workers makes runs of anchor
optimization, of all methods and of several spaces at once, and always has some that are not done. It, or one
of its workers, is killed at random moments, and started again; what failed is asked for again. At the end
every result is compared, bit by bit, with that of a run alone, in one process and without a kill.
"""

import argparse
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import torch

import relviz
import relviz.results.checkpoint
from relviz.compute import entry
from relviz.compute.job import Job, here_and_now
from relviz.compute.jobs import jobs
from relviz.compute.key import checkpoint_key
from relviz.compute.store import default_store
from relviz.compute.task import Task
from relviz.compute.workers import WorkerError, Workers, workers
from relviz.results.bootstrap import bootstrap_task
from relviz.results.run import RunRecord
from relviz.results.several import SeveralMatched, several_task
from relviz.state.view import Run
from relviz.ui.operations.lifecycle import start
from relviz.ui.operations.settings import Settings, StoreSettings, WorkSettings

ROWS, DIMENSION = 500, 24
UNFINISHED = 3
"""Runs that are not done, at any time."""
WORKERS = 2
SECONDS = 0.3
"""Between two checkpoints."""
SHORT = "steps=40,members=6,generations=4,rounds=2"
KINDS = (
    Run(anchors=80, seeding="none", options=SHORT),
    Run(anchors=80, seeds=15, options=SHORT),
    Run(anchors=80, seeds=15, method="adam", options="steps=120"),
    Run(anchors=80, seeds=15, method="adam_warm", options="steps=120"),
    None,
)
"""Runs of two spaces; None: of three at once."""


def main() -> None:
    """Print what was killed, resumed, served again, and wrong."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kills", type=int, default=50)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument(
        "--longest", type=float, default=10.0, help="Seconds that workers compute between two kills."
    )
    options = parser.parse_args()
    draw = random.Random(options.seed)
    torch.set_num_threads(1)
    with tempfile.TemporaryDirectory() as folder:
        told, killed = Told(), Counter[str]()
        server = Server(folder, told)
        for _ in range(options.kills):
            server.work_for(draw.uniform(0.0, options.longest))
            victim = draw.choice(("server", "worker"))
            killed[victim] += 1
            print(f"kill {killed.total()}: {victim}, {told.resumed} resumptions so far", flush=True)
            if victim == "worker" and (found := server.workers()):
                os.kill(draw.choice(found), signal.SIGKILL)
            else:
                server.kill()
                server = Server(folder, told)
        last = told.asked
        server.finish(last)
        print(f"{killed['server']} kills of the server, {killed['worker']} of a worker, {last} runs")
        print(f"{told.resumed} resumptions, {told.before} kept steps not taken again")
        print(f"{told.served} times a finished result was served again after a restart")
        missing = [at for at in range(last) if at not in told.digests]
        wrong = [at for at in range(last) if at in told.digests and told.digests[at] != {alone(at)}]
        left = [path.name for path in Path(folder).glob("checkpoint-*")]
        print(
            f"{len(missing)} runs without a result, {len(wrong)} wrong answers, {len(left)} checkpoints left"
        )
        print(f"{told.lost} finished results computed again, {len(told.failures)} other failures")
        for one in told.failures:
            print(one)
    if missing or wrong or left or told.lost or told.failures:
        sys.exit(1)


@dataclass
class Told:
    """What all servers have said."""

    digests: dict[int, set[str]] = field(default_factory=dict)
    asked: int = 0
    served: int = 0
    lost: int = 0
    resumed: int = 0
    before: int = 0
    failures: list[str] = field(default_factory=list)

    def hear(self, line: dict[str, Any]) -> None:
        """One line of a server."""
        at = line["run"]
        self.asked = max(self.asked, at + 1)
        if line["what"] == "result":
            known = at in self.digests
            self.digests.setdefault(at, set()).add(line["digest"])
            self.served += line["served"]
            self.lost += known and not line["served"]
        elif line["what"] == "resumed":
            self.resumed += 1
            self.before += line["step"]
        elif line["what"] == "failed":
            self.failures.append(line["why"])


class Server:
    """A server in a process of its own."""

    def __init__(self, folder: str, told: Told) -> None:
        self._told = told
        program = f"from tests.benchmarks.kills import serve; serve({folder!r}, {told.asked})"
        self._process = subprocess.Popen(
            [sys.executable, "-c", program],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        self._busy = threading.Event()
        self._ear = threading.Thread(target=self._listen, daemon=True)
        self._ear.start()

    def work_for(self, seconds: float) -> None:
        """Wait until a run has taken a step, and workers have computed for so long since then."""
        self._busy.wait()
        first, now = self._computed(), dict[int, float]()
        while sum(now.values()) - sum(first.get(one, 0.0) for one in now) < seconds:
            time.sleep(0.05)
            now |= self._computed()

    def _computed(self) -> dict[int, float]:
        """Seconds that each worker has computed."""
        computed = {}
        for process in self.workers():
            with suppress(OSError):
                said = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
                computed[process] = (int(said[11]) + int(said[12])) / os.sysconf("SC_CLK_TCK")
        return computed

    def workers(self) -> list[int]:
        """Process ids of its workers."""
        process = self._process.pid
        children = []
        for task in Path(f"/proc/{process}/task").iterdir():
            with suppress(OSError):  # the thread has ended
                children += [int(one) for one in (task / "children").read_text().split()]
        return children

    def kill(self) -> None:
        """End it at once."""
        self._process.send_signal(signal.SIGKILL)
        self._process.wait()
        self._ear.join()

    def finish(self, runs: int) -> None:
        """Have it make these runs and no more, and wait."""
        assert self._process.stdin is not None
        self._process.stdin.write(f"{runs}\n")
        self._process.stdin.flush()
        self._process.wait()
        self._ear.join()

    def _listen(self) -> None:
        assert self._process.stdout is not None
        for text in self._process.stdout:
            try:
                line = json.loads(text)
            except ValueError:  # cut off by the kill
                continue
            self._told.hear(line)
            if line["what"] in ("begun", "resumed"):
                self._busy.set()


def task(at: int) -> Task[RunRecord] | Task[SeveralMatched]:
    """The run of that number."""
    draw = torch.Generator().manual_seed(at)
    a = torch.randn(ROWS, DIMENSION, generator=draw)
    turn = torch.linalg.qr(torch.randn(DIMENSION, DIMENSION, generator=draw))[0]
    noise = 0.1 + 0.3 * (at % 3)
    b, c = (a @ turn + noise * torch.randn(ROWS, DIMENSION, generator=draw) for _ in range(2))
    names = [str(row) for row in range(ROWS)]
    spaces = [relviz.Space(x, ids=names, name=name) for x, name in zip((a, b, c), "abc", strict=True)]
    kind = KINDS[at % len(KINDS)]
    if kind is None:
        return several_task(spaces, 15, at)
    return bootstrap_task(replace(kind, seed=at), relviz.Pair(*spaces[:2]))


def digest(one: Task[RunRecord] | Task[SeveralMatched]) -> str:
    """Of every bit of a kept result."""
    found = default_store().get(one.key)
    assert found is not None
    return entry.digest(one.key, found)


def alone(at: int) -> str:
    """The digest of a run that was not killed."""
    one = task(at)
    with tempfile.TemporaryDirectory() as folder:
        os.environ["RELVIZ_CACHE"] = folder
        return entry.digest(one.key, entry.result(*one.compute(here_and_now())))


def hurried() -> None:
    """In a worker: keep checkpoints often."""
    relviz.results.checkpoint.SECONDS = SECONDS


def serve(folder: str, asked: int) -> None:
    """What the server does: keep some runs going, and say what becomes of them, one line each."""
    torch.set_num_threads(1)
    limits = WorkSettings(workers=WORKERS, begun=UNFINISHED, begun_each=UNFINISHED)
    pool = start(Settings(store=StoreSettings(folder), work=limits))
    assert isinstance(pool, Workers)
    assert workers() is pool
    pool._prepare = (hurried,)
    most: list[int] = []
    threading.Thread(target=lambda: most.append(int(input())), daemon=True).start()
    jobs_of: dict[int, Job[Any]] = {}
    heard = dict.fromkeys(range(asked), False)
    for at in heard:
        _ask(at, jobs_of, True)
    while not most or jobs_of:
        for at, job in list(jobs_of.items()):
            if job.alive:
                _tell_start(at, job, heard)
                continue
            del jobs_of[at]
            if isinstance(job.error, WorkerError):
                heard[at] = False
                jobs().forget(job.key)
                _ask(at, jobs_of, False)
            elif job.error is not None:
                _say("failed", at, why=repr(job.error))
            else:
                _say("result", at, digest=digest(task(at)), served=False)
        while not most and len(jobs_of) < UNFINISHED:
            _ask(asked, jobs_of, False)
            heard[asked] = False
            asked += 1
        time.sleep(0.02)


def _ask(at: int, jobs_of: dict[int, Job[Any]], again: bool) -> None:
    one = task(at)
    found = one.result_or_job()
    if isinstance(found, Job):
        jobs_of[at] = found
        _say("asked", at)
    else:
        assert not default_store().has(checkpoint_key(one.key))
        _say("result", at, digest=digest(one), served=again)


def _tell_start(at: int, job: Job[Any], heard: dict[int, bool]) -> None:
    if heard[at] or not job.message or job.message == "preparing":
        return
    heard[at] = True
    if "resumed" in job.message:
        step = job.message.rpartition("resumed at step ")[2]
        _say("resumed", at, step=int(step) if step.isdigit() else 0)
    else:
        _say("begun", at)


def _say(what: str, at: int, **more: object) -> None:
    print(json.dumps({"what": what, "run": at, **more}), flush=True)


if __name__ == "__main__":
    main()

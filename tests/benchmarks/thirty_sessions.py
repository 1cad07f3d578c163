"""Thirty people on one server: ``python -m tests.benchmarks.thirty_sessions [--sessions 30] [--minutes 10]``.

Each has a pair of their own and moves the number of anchors on Compare, with pauses as people make them,
while two others search for the anchors of 20,000 rows. They speak to the server as browsers do, over the
websocket. Before that, another server answers each of their questions to one session alone: the sentence and
the points of the maps have to be the same. An answer is there when the page has its first sentence, maybe
from the first anchor sample alone; it is whole when all samples are in. Memory, descriptors and threads are
what ``/metrics`` says.
"""

import argparse
import asyncio
import os
import statistics
import sys
import tempfile
import time
import urllib.request
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import NamedTuple

import torch

import relviz
from relviz.compute.owner import acting_for
from relviz.state import View
from relviz.state.sources import keep_space
from relviz.state.view import Run
from tests.benchmarks.protocol import Session
from tests.browser.server import served

ROWS, DIMENSION, ANSWERS = 1_500, 96, 8
HEAVY_ROWS, HEAVY_DIMENSION = 20_000, 300
PATIENCE = 300.0
READY_SECONDS = 30.0
"""After its first page a server makes its workers ready."""
FORGOTTEN_SECONDS = 150.0
"""Streamlit keeps a session whose tab is closed for two minutes."""
WITHIN = 0.2
NUMBER, RUN, SO_FAR = "Number of anchors", "Run", "anchor samples so far"


class Took(NamedTuple):
    """Seconds until an answer was there, and until it was whole."""

    first: float
    whole: float


@dataclass
class Person:
    """Who sits before a page: a visitor with the address of a pair, and what was answered to them alone."""

    secret: str
    params: dict[str, str]
    counts: list[int]
    alone: dict[int, tuple[str, str]] = field(default_factory=dict)
    took: list["Took"] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)


def people(many: int) -> list[Person]:
    """So many, each with other numbers of anchors to try."""
    return [
        Person(f"{at + 1:064x}", {}, [40 + at + 10 * turn for turn in range(ANSWERS)]) for at in range(many)
    ]


def bring(someone: Person, seed: int, rows: int, dimension: int, **choices: object) -> None:
    """Put a pair of theirs in the store: random rows, and the same turned, with noise."""
    generator = torch.Generator().manual_seed(seed)
    x = torch.randn(rows, dimension, generator=generator)
    turn = torch.linalg.qr(torch.randn(dimension, dimension, generator=generator))[0]
    y = x @ turn + 0.5 * torch.randn(rows, dimension, generator=generator)
    ids = [f"item {row}" for row in range(rows)]
    with acting_for(someone.secret):
        a, b = (
            keep_space(relviz.Space(one, name=name, ids=ids)) for one, name in ((x, "left"), (y, "right"))
        )
    someone.params = View(a=a, b=b).with_changes(**choices).to_params()


async def answer(session: Session, count: int) -> tuple[Took, tuple[str, str]]:
    """Ask for so many anchors; the seconds that it took, and the answer."""
    words = f"Relative to {count:,} anchors"

    def sentence() -> str:
        lines = session.said().replace("*", "").splitlines()
        return next((line for line in lines if words in line), "")

    began = time.perf_counter()
    await session.set_number(NUMBER, count)
    await session.until(lambda: bool(sentence()), PATIENCE)
    first = time.perf_counter() - began
    if SO_FAR in sentence():
        await session.until(lambda: bool(sentence()) and SO_FAR not in sentence(), PATIENCE)
    return Took(first, time.perf_counter() - began), (sentence(), session.drawn())


async def opened(address: str, someone: Person, page: str = "compare") -> Session:
    """Their page, drawn."""
    session = await Session.open(address, page, someone.params, someone.secret)
    await session.until(lambda: session.has("number_input", NUMBER) or session.has("button", RUN), PATIENCE)
    return session


async def ask_alone(address: str, all_people: Sequence[Person]) -> list[Took]:
    """Every question of everybody, one after the other; the seconds that each took."""
    took = []
    for someone in all_people:
        session = await opened(address, someone)
        for count in someone.counts:
            seconds, someone.alone[count] = await answer(session, count)
            took.append(seconds)
        await session.close()
    return took


async def sit(address: str, someone: Person, until: float, pause: float, seed: int) -> None:
    """Move the number of anchors until a time, with pauses; some close their tab and come back."""
    random = Random(seed)
    await asyncio.sleep(random.uniform(0, pause))
    session = await opened(address, someone)
    turn = 0
    while time.monotonic() < until:
        count = someone.counts[turn % ANSWERS] if turn < ANSWERS else random.choice(someone.counts)
        turn += 1
        seconds, said = await answer(session, count)
        someone.took.append(seconds)
        if said != someone.alone[count]:
            someone.wrong.append(f"{count} anchors: {said}, alone {someone.alone[count]}")
        await asyncio.sleep(random.uniform(0.5, 1.5) * pause)
        if random.random() < 0.05:
            await session.close()
            session = await opened(address, someone)
    await session.close()


async def search(address: str, someone: Person, until: float) -> None:
    """Have a heavy run going until a time; when it is done, another one with other known pairs."""
    draw = 0
    while time.monotonic() < until:
        view = View.from_params(someone.params)[0]
        someone.params = view.with_changes(ao=view.ao.with_changes(draw=draw)).to_params()
        draw += 1
        session = await opened(address, someone, "bootstrap")
        await session.press(RUN)
        try:
            await session.until(lambda: session.has("button", "Replay"), max(1.0, until - time.monotonic()))  # noqa: B023
        except TimeoutError:
            await session.press("Cancel")
            await session.until(lambda: session.has("button", "Run again"), PATIENCE)  # noqa: B023
        await session.close()


def told(address: str) -> dict[str, float]:
    """Numbers of ``/metrics``; memory is that of the server and of its workers together."""
    with urllib.request.urlopen(f"{address}/metrics", timeout=30) as answered:
        lines = [line for line in answered.read().decode().splitlines() if not line.startswith("#")]
    found: dict[str, float] = {}
    for line in lines:
        name, _, value = line.rpartition(" ")
        name = name.partition("{")[0] if name.startswith("relviz_memory") else name
        found[name] = found.get(name, 0.0) + float(value)
    return found


KINDS = {"relviz_memory_bytes": "memory, MB", "relviz_open_files": "descriptors", "relviz_threads": "threads"}


async def watch(address: str, seen: list[dict[str, float]]) -> None:
    """Note the metrics every few seconds."""
    while True:
        seen.append(await asyncio.to_thread(told, address))
        await asyncio.sleep(5)


async def together(
    address: str, all_people: list[Person], heavy: list[Person], minutes: float, pause: float
) -> list[dict[str, float]]:
    """Everybody at once, for some minutes; the metrics meanwhile."""
    until, seen = time.monotonic() + 60 * minutes, []
    watching = asyncio.create_task(watch(address, seen))
    searches = [asyncio.create_task(search(address, one, until)) for one in heavy]
    await asyncio.gather(*(sit(address, one, until, pause, seed) for seed, one in enumerate(all_people)))
    await asyncio.gather(*searches)
    watching.cancel()
    return seen


def main() -> int:
    """Print how it went, and what the server took; 1 if an answer is wrong or too much is left."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--sessions", type=int, default=30)
    parser.add_argument("--minutes", type=float, default=10.0)
    parser.add_argument("--pause", type=float, default=15.0, help="Seconds between two moves, about.")
    parser.add_argument("--heavy", type=int, default=2, help="Runs that go on meanwhile.")
    asked = parser.parse_args()
    all_people = people(asked.sessions)
    heavy = [Person(f"{2**40 + at:064x}", {}, []) for at in range(asked.heavy)]
    run = Run(anchors=300, seeds=15)
    with tempfile.TemporaryDirectory() as folder:
        for name in ("alone", "together"):
            os.environ["RELVIZ_CACHE"] = f"{folder}/{name}/cache"
            Path(folder, name).mkdir()
            for at, one in enumerate(all_people):
                bring(one, at, ROWS, DIMENSION)
            for at, one in enumerate(heavy):
                bring(one, 1000 + at, HEAVY_ROWS, HEAVY_DIMENSION, ao=run)
        with served(Path(folder, "alone")) as address:
            alone = asyncio.run(ask_alone(address, all_people))
        print(f"alone: {_quantiles(alone)}", flush=True)
        with served(Path(folder, "together")) as address:
            asyncio.run(ask_alone(address, [Person("f" * 64, {}, [50, 60])]))  # the demo: all is imported
            time.sleep(READY_SECONDS)
            before = told(address)
            seen = asyncio.run(together(address, all_people, heavy, asked.minutes, asked.pause))
            time.sleep(FORGOTTEN_SECONDS)
            after = told(address)
    return _report(all_people, before, seen, after)


def _quantiles(took: list[Took]) -> str:
    def said(seconds: Sequence[float]) -> str:
        late = sorted(seconds)[int(0.95 * len(seconds))]
        return f"median {statistics.median(seconds):.2f} s, 95% within {late:.2f} s"

    first, whole = zip(*took, strict=True)
    return f"{len(took):,} answers, {said(first)} (all samples: {said(whole)})"


def _report(
    all_people: list[Person], before: dict[str, float], seen: list[dict[str, float]], after: dict[str, float]
) -> int:
    took = [one for person in all_people for one in person.took]
    wrong = [line for person in all_people for line in person.wrong]
    running = statistics.mean(one["relviz_queue_running"] + one["relviz_queue_waiting"] for one in seen)
    print(
        f"together: {_quantiles(took)}; {len(wrong)} other than alone; {running:.1f} heavy runs on average\n"
    )
    print("| what | before | most | after |\n|---|---|---|---|")
    over = []
    for name, words in KINDS.items():
        scale = 1e6 if "MB" in words else 1.0
        first, most, last = before[name] / scale, max(one[name] for one in seen) / scale, after[name] / scale
        print(f"| {words} | {first:,.0f} | {most:,.0f} | {last:,.0f} |")
        over += [words] * (last > (1 + WITHIN) * first)
    for line in (*wrong, *(f"not back to within {WITHIN:.0%}: {words}" for words in over)):
        print(line)
    return 1 if wrong or over else 0


if __name__ == "__main__":
    sys.exit(main())

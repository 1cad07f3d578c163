"""Pack the demos' default results with the project: python -m relviz.results.pack [KIND ...].

What is packed and still made by the same code stays as it is; everything else is computed, or taken from the
store. ``--check`` computes nothing and fails where something is missing or stale.
"""

import argparse
import sys
import time
from collections.abc import Iterator
from typing import Any

from relviz.compute import entry, typed
from relviz.compute.entry import Result
from relviz.compute.job import here_and_now
from relviz.compute.key import kind_of
from relviz.compute.packed import packed, write_packed
from relviz.compute.store import default_store
from relviz.compute.task import Task
from relviz.demos import demo_names, load_demo
from relviz.results.bootstrap import bootstrap_task
from relviz.results.comparison import comparison_of
from relviz.results.home import home
from relviz.results.maps import maps
from relviz.results.metrics import curve, metrics
from relviz.results.run import KIND, RunRecord
from relviz.results.several import several_task
from relviz.results.stories.prepare import tasks_of_stories
from relviz.results.thumbnail import thumbnail
from relviz.results.unpaired_decoders import latents_matched
from relviz.state.image_sets import DIGITS, image_set
from relviz.state.several_choices import Several
from relviz.state.sources import open_pair, open_space
from relviz.state.view import Decoding, View
from relviz.stories import stories

HOME_DEMO = "emoji"
PROJECTIONS = ("pca", "tsne", "umap")
SNAPSHOTS, SNAPSHOT_BYTES = (6, 20), 400_000
"""Steps of a packed run that can be seen again: fewest and most, and their bytes between these."""


def packable() -> Iterator[Task[Any]]:
    """Tasks of what a visitor sees first: Home, the stories, every pair of every demo, and searches."""
    yield home(load_demo(HOME_DEMO).pair())
    yield from tasks_of_stories(stories())
    for name in demo_names():
        for pair in load_demo(name).pairs:
            a, b = (f"{name}.{key}" for key in pair)
            for projection in PROJECTIONS:
                view = View(a=a, b=b, projection=projection)
                comparison = comparison_of(view, open_pair(a, b))
                yield from (maps(comparison, view.map_choices, row) for row in ("absolute", "relative"))
            yield metrics(comparison, view.metric_choices)
            yield curve(comparison, view.metric_choices)
    for name in demo_names():
        yield from (thumbnail(space) for space in load_demo(name).spaces.values())
    for name in demo_names():
        for pair in load_demo(name).pairs[:1]:
            yield bootstrap_task(View().ao, load_demo(name).pair(*pair))
    yield latents_matched(Decoding(), image_set(DIGITS))
    usual = Several()
    yield several_task([open_space(source) for source in usual.sources], usual.known, usual.seed)


def pack(kinds: tuple[str, ...] = ()) -> int:
    """Pack everything, or these kinds and what of the others is packed and fresh; gives the bytes."""
    results: dict[str, Result] = {}
    modules: dict[str, str] = {}
    for task in packable():
        kind, began = kind_of(task.recipe), time.perf_counter()
        found = packed(task.recipe)
        if found is None and (not kinds or kind in kinds):
            found = _computed(task)
            print(f"{time.perf_counter() - began:7.1f} s  {kind:10}{task.title}", flush=True)
        if found is not None:
            results[task.recipe], modules[kind] = _few_steps(found) if kind == KIND else found, task.module
    return write_packed(results, modules)


def missing() -> list[str]:
    """Titles of what is not packed, or was made by other code."""
    return [task.title for task in packable() if packed(task.recipe) is None]


def _computed(task: Task[Any]) -> Result:
    """Kept by the store as well, so that packing that was broken off goes on where it was."""
    return default_store().cached(task.key, lambda: task.compute(here_and_now()))


def _few_steps(run: Result) -> Result:
    """The record of a run with as many of its steps as a replay needs."""
    record = typed.unpack(RunRecord, run)
    most = max(SNAPSHOTS[0], min(SNAPSHOTS[1], SNAPSHOT_BYTES // (12 * len(record.places))))
    return entry.result(*typed.pack(record.with_steps(record.replay.thinned(most), record.result)))


def main() -> None:
    """Pack, or check what is packed."""
    parser = argparse.ArgumentParser(prog="python -m relviz.results.pack", description=__doc__)
    parser.add_argument(
        "kinds",
        nargs="*",
        metavar="KIND",
        help="home, story-maps, story-runs, …, maps, retrieval, curve, bootstrap; all of them",
    )
    parser.add_argument("--check", action="store_true")
    args = parser.parse_args()
    if args.check:
        lacking = missing()
        print(*lacking, f"{len(lacking)} missing or stale", sep="\n")
        sys.exit(bool(lacking))
    print(f"{pack(tuple(args.kinds)) / 1e6:.2f} MB")


if __name__ == "__main__":
    main()

"""Recorded runs of anchor optimization, thinned to be scrubbed: how the two spaces become one, or do not."""

import numpy as np

from relviz.compute.job import Ticket
from relviz.compute.task import task
from relviz.results.bootstrap import bootstrap_task
from relviz.results.run import RunRecord
from relviz.results.stories.retrieval import PAIRS
from relviz.results.stories.story_picture import StoryPicture
from relviz.state.sources import open_pair
from relviz.state.view import Run

MOST_SNAPSHOTS = 20
STEPS = 32767
"""Places are told in so many steps to either side of the middle."""
RUNS = {
    "pairs15": Run(),
    "pairs5": Run(seeds=5),
    "pairs2": Run(seeds=2),
    "none": Run(seeding="none"),
    "adam": Run(method="adam"),
}
SETS = {
    "one": ("pairs15",),
    "pairs": ("pairs15", "pairs5", "pairs2", "none"),
    "solvers": ("pairs15", "adam"),
}
"""Runs that are shown together, by the value of the control."""


@task("story-runs", "Runs of anchor optimization on {pair}: {show}")
def runs_picture(ticket: Ticket, *, pair: str, show: str) -> StoryPicture:
    """Recorded runs of a demo pair with ground truth; the facts are shares of right matches, and of items
    held out that are found: through the ``held`` anchors it found, the ``truth``, the known pairs ``alone``.
    """
    view, names = PAIRS[pair], SETS[show]
    both = open_pair(view.a, view.b)
    facts = {"items": float(len(both))}
    arrays: dict[str, np.ndarray] = {}
    labels = both.labels or ()
    classes = sorted(set(labels))
    for at, name in enumerate(names):
        part = ticket.part(at / len(names), (at + 1) / len(names), name)
        record = bootstrap_task(RUNS[name], both).run(part)
        facts |= _facts_of(record, name)
        arrays |= _arrays_of(record, name)
    members = np.array([classes.index(label) for label in labels], np.int32)
    return StoryPicture(facts, {"runs": list(names), "classes": classes}, {**arrays, "classes": members})


def _facts_of(record: RunRecord, name: str) -> dict[str, float]:
    verdict, curves = record.outcome.verdict, record.replay.curves
    by_items = record.outcome.evaluation.retrieval
    return {
        "anchors": float(len(record.anchors)),
        "held_out": float(len(record.held_out)),
        f"held_{name}": by_items["rows"]["top1"],
        f"truth_{name}": by_items["truth"]["top1"],
        f"alone_{name}": by_items["seeds"]["top1"] if "seeds" in by_items else 0.0,
        f"known_{name}": float(len(record.seeds)),
        f"right_{name}": float(curves[-1, 3]),
        f"first_{name}": float(curves[0, 3]),
        f"agreement_{name}": float(curves[-1, 2]),
        f"accepted_{name}": float(verdict.converged),
        f"steps_{name}": float(len(curves)),
    }


def _arrays_of(record: RunRecord, name: str) -> dict[str, np.ndarray]:
    snapshots = record.replay.snapshots
    kept = np.unique(np.linspace(0, len(snapshots) - 1, MOST_SNAPSHOTS).round().astype(int))
    places = np.stack([record.places, *(snapshots[at].places for at in kept)])
    middle = places[0].mean(axis=0)
    reach = 1.6 * np.abs(places[0] - middle).max()
    scaled = np.clip((places - middle) / reach, -1, 1) * STEPS
    return {
        f"places_{name}": scaled.round().astype(np.int16),
        f"at_{name}": np.array([snapshots[at].step for at in kept], np.int32),
        f"right_{name}": record.replay.curves[:, 3].astype(np.float32),
        f"agreement_{name}": record.replay.curves[:, 2].astype(np.float32),
    }

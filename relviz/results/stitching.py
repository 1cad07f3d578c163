"""The stitching matrix of a view, its sweep over δ and ω, and its sweep over anchors."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from relviz.compute.entry import Result
from relviz.compute.jobs import Ticket
from relviz.compute.key import result_key, text_digest
from relviz.compute.task import Made, Task
from relviz.errors import ParameterError
from relviz.pair import Pair
from relviz.results.heads import TEST, labels_of, names_of, tested_said
from relviz.results.translation import TITLES, sides_of
from relviz.sheet import Sheet, records_csv
from relviz.space import Space
from relviz.state.shelf import shelf_of
from relviz.state.sources import demo_of, open_space
from relviz.state.view import View
from relviz.stitching import METHODS, StitchStep, SweepStep, stitch, sweep
from relviz.stitching.sweep import FIGURES, Sweep

WORDS = {"native": "Native", "relative": "Relative"} | TITLES
RUNS = 5
KNOWN = 15
"""Anchors whose counterpart is given, where the others are bootstrapped."""
DELTAS = (0.0, 0.2, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9)
OMEGAS = (1, 2, 4, 8, 16)
SWEPT = {
    "similarity": "cosine similarity to the target",
    "accuracy": "accuracy of the target's head",
    "condition_number": "condition number, log₁₀",
    "anchors_kept": "anchors kept",
}
"""Figures of the sweep that are shown, in their order."""


def anchor_count(view: View, pair: Pair) -> int:
    """How many anchors each draw takes from the rows that train: those of the view, as far as there are."""
    asked = view.used or view.count
    return max(2, min(asked, int(len(pair) * (1 - TEST) * 0.95)))


def encoders_of(view: View, pair: Pair) -> dict[str, Space]:
    """The spaces whose heads meet each other: the pair, or every space at hand with the same rows."""
    both = {pair.a.name: pair.a, pair.b.name: pair.b}
    if len(both) < 2:
        both = {f"A · {pair.a.name}": pair.a, f"B · {pair.b.name}": pair.b}
    return both | others_of(view, pair) if view.wide else both


def others_of(view: View, pair: Pair) -> dict[str, Space]:
    """Further spaces with the same rows: of the shelf, and of the demo that the pair is of."""
    found: dict[str, Space] = {}
    demo = demo_of(view.a)
    sources = [one.source for one in shelf_of(view.sources) if not one.problem]
    if demo is not None and demo is demo_of(view.b):
        sources += [f"{demo.name}.{key}" for key in demo.spaces]
    for source in dict.fromkeys(sources):
        space = open_space(source)
        same = space.ids is not None and tuple(space.ids) == pair.ids
        if same and source not in (view.a, view.b) and space.name not in (pair.a.name, pair.b.name):
            found.setdefault(space.name, space)
    return found


def matrix_task(view: View, pair: Pair) -> Task:
    """The task that stitches every encoder to every head, by every method.

    Its result holds ``confusion`` (cells, classes, classes) and says ``records``, ``classes`` and the
    conditions.

    Raises
    ------
    ParameterError
        If the items have no classes, or they do not suffice for heads.
    """
    labels = labels_of(pair)
    spaces = encoders_of(view, pair)
    own = {name: labels.rows["B" if space is pair.b else "A"] for name, space in spaces.items()}
    names = names_of(labels)
    known = min(KNOWN, anchor_count(view, pair))
    told: dict[str, Any] = {
        "anchors": anchor_count(view, pair),
        "head": view.head,
        "partners": view.partners,
        "known": known,
        "runs": RUNS,
        "test": TEST,
    }

    def compute(ticket: Ticket) -> Made:
        def on_step(step: StitchStep) -> None:
            ticket.report((step.index + 1) / step.of, f"head of {step.head}, draw {step.seed}")
            ticket.rest()

        ticket.report(0.0, "splitting the rows")
        table = stitch(
            {name: space.vectors for name, space in spaces.items()},
            {name: names[rows].tolist() for name, rows in own.items()},
            methods=tuple(METHODS),
            seed=view.seed,
            on_step=on_step,
            pulse=ticket.check,
            **told,
        )
        confusion = np.stack([cell.confusion for cell in table.cells])
        said = {"classes": list(table.classes), "encoders": list(spaces), "seed": view.seed}
        return {"confusion": confusion}, {"records": table.records(), **said, **told}

    digests = [text for name, space in spaces.items() for text in (name, space.digest)]
    digests += [text_digest(map(str, labels.classes))]
    digests += [text_digest(rows.astype(str).tolist()) for rows in own.values()]
    return Task(result_key("stitching", digests, told, view.seed), "The stitching matrix", compute)


def matrix_sheet(made: Mapping[str, Any]) -> Sheet:
    """Accuracy of each encoder with each head by each method, mean ± sd."""
    cells: dict[tuple[str, str], dict[str, str]] = {}
    for record in made["records"]:
        sd = record["accuracy_sd"]
        text = f"{record['accuracy']:.3f}" + ("" if sd is None else f" ± {sd:.3f}")
        cells.setdefault((record["encoder"], record["head"]), {})[record["method"]] = text
    rows = [
        (f"{encoder} → {head}", *(found.get(method, "–") for method in METHODS))
        for (encoder, head), found in cells.items()
    ]
    last = made["seed"] + made["runs"] - 1
    anchors = f"{made['anchors']} anchors, uniform among the training rows"
    if made["partners"] == "bootstrap":
        anchors += f", {made['known']} of them known, the others bootstrapped"
    caption = (
        f"Accuracy on {made['test']:.0%} of the rows, mean ± sd over seeds {made['seed']}–{last} of split "
        f"and anchors; {made['head']} head; {anchors}. {tested_said(made['records'])}"
    )
    return Sheet(("encoder → head", *(WORDS[method] for method in METHODS)), tuple(rows), caption)


def matrix_values(made: Mapping[str, Any]) -> dict[str, np.ndarray]:
    """Mean accuracy of each method, ``(encoders, heads)``; on the diagonal each head on its own encoder."""
    names = made["encoders"]
    cells = {(r["method"], r["encoder"], r["head"]): r["accuracy"] for r in made["records"]}
    return {
        method: np.array(
            [[cells.get((method if e != h else "native", e, h), np.nan) for h in names] for e in names]
        )
        for method in METHODS
        if method != "native"
    }


def matrix_csv(made: Mapping[str, Any]) -> str:
    """Every figure unrounded: a line for each encoder, head and method."""
    return records_csv(made["records"])


def sweep_means(made: Result) -> dict[str, np.ndarray]:
    """``(δ, ω)`` over the draws of what ``sweep_task`` found, for each figure that there is."""
    found = {name: made.arrays[name].mean(0) for name in SWEPT}
    return {name: values for name, values in found.items() if np.isfinite(values).any()}


def swept(
    source: Space,
    target: Space,
    labels: Sequence[str] | None,
    told: Mapping[str, Any],
    ticket: Ticket,
    words: Callable[[SweepStep], str],
) -> Sweep:
    """A sweep as part of a job, which says in ``words`` what each step was."""

    def on_step(step: SweepStep) -> None:
        ticket.report((step.index + 1) / step.of, words(step))
        ticket.rest()

    ticket.report(0.0, "splitting the rows")
    return sweep(source.vectors, target.vectors, labels, **told, on_step=on_step)


def sweep_task(view: View, pair: Pair) -> Task:
    """The task that translates test items for every δ and ω; its result holds ``FIGURES`` (seeds, δ, ω)."""
    source, target = sides_of(view, pair)
    labels, digest = None, ""
    try:
        known = labels_of(pair)
    except ParameterError:
        pass
    else:
        labels = names_of(known)[known.rows["A"]].tolist()
        digest = text_digest(list(map(str, labels)))
    count = anchor_count(view, pair)
    told = {
        "deltas": DELTAS,
        "omegas": OMEGAS,
        "counts": (count,),
        "seeds": tuple(range(view.seed, view.seed + RUNS)),
        "head": view.head,
        "test": TEST,
    }

    def compute(ticket: Ticket) -> Made:
        found = swept(source, target, labels, told, ticket, lambda step: f"draw {step.seed}")
        figures = {name: found.figures[name][0] for name in FIGURES}
        said = {"anchors": count, "runs": RUNS, "seed": view.seed, "labeled": labels is not None}
        return figures, said | {"tests": found.rows, "chance": found.chance}

    key = result_key("sweep", [source.digest, target.digest, digest], told, view.seed)
    return Task(key, "Trying every δ and ω", compute)


COUNTS = (25, 50, 100, 200, 300, 384, 500, 768, 1000)
SHARE = 0.95
"""Of the rows that train, so many may be anchors."""
ANCHOR_SWEEP_DELTAS, ANCHOR_SWEEP_OMEGAS = (0.0, 0.8), (1, 8)
ANCHOR_SWEEP_RUNS = 3


def anchor_sweep_task(view: View, pair: Pair) -> Task:
    """The task that translates test items for every number of anchors.

    Its result holds ``FIGURES`` (counts, seeds, δ, ω), and says ``counts`` and the conditions.

    Raises
    ------
    ParameterError
        If there are too few rows for two numbers of anchors, or no classes for a head.
    """
    source, target = sides_of(view, pair)
    known = labels_of(pair)
    labels = names_of(known)[known.rows["A"]].tolist()
    counts = tuple(one for one in COUNTS if one <= SHARE * (1 - TEST) * len(pair))
    if len(counts) < 2:
        raise ParameterError(
            f"{len(pair)} rows are too few for several numbers of anchors; it takes {2 * COUNTS[1]}."
        )
    told = {
        "deltas": ANCHOR_SWEEP_DELTAS,
        "omegas": ANCHOR_SWEEP_OMEGAS,
        "counts": counts,
        "seeds": tuple(range(view.seed, view.seed + ANCHOR_SWEEP_RUNS)),
        "head": view.head,
        "test": TEST,
    }

    def compute(ticket: Ticket) -> Made:
        found = swept(
            source, target, labels, told, ticket, lambda step: f"{step.anchors} anchors, draw {step.seed}"
        )
        figures = {name: found.figures[name] for name in FIGURES}
        tested = {"tests": found.rows, "chance": found.chance}
        return figures, {"counts": list(counts), "runs": ANCHOR_SWEEP_RUNS, "seed": view.seed, **tested}

    digest = text_digest(list(map(str, labels)))
    key = result_key("anchor-sweep", [source.digest, target.digest, digest], told, view.seed)
    return Task(key, "Trying every number of anchors", compute)

"""Runs of anchor optimization in print: the run, the anchors it found, the matches."""

from collections.abc import Sequence

import numpy as np

from relviz.compute.task import Task
from relviz.errors import ParameterError
from relviz.figures.captions import MOST_STARS, describe_pair, map_columns
from relviz.figures.inputs import Optimized, Unpaired, optimized, unpaired
from relviz.figures.kind import Content, Kind, Linked, Options
from relviz.figures.linked import linked
from relviz.figures.numbers import texts_array
from relviz.figures.panes import match_colors, plain_colors
from relviz.plotting.charts import Chart, ChartRow, Line
from relviz.plotting.colors import CLASSES
from relviz.plotting.maps import MapGrid, legend_of
from relviz.plotting.pane import Pane
from relviz.plotting.stack import Part
from relviz.results.bootstrap import bootstrap_task
from relviz.results.replay import CURVES
from relviz.results.run import RunRecord, RunResult, title_of
from relviz.results.run_maps import KINDS, RunMaps, run_maps
from relviz.results.run_summary import THROUGH, accuracy_summary, queries_summary
from relviz.results.unpaired import ANCHORS, Correspondence, one_to_one, unpaired_task
from relviz.sheet import Sheet
from relviz.state.known_pairs import Known, checked_pairs, names_of
from relviz.state.view import Run
from relviz.wording import count, plural

BLUE, ORANGE, GREEN, PURPLE = CLASSES[:4]
GRAY = CLASSES[7]
SNAPSHOTS, MOST_SNAPSHOTS = 3, 8
MOST_SCRUBBED = 40
"""Steps that the map of a run in a browser goes through."""
NONE = np.empty(0, np.int64)
LINES = {name: f"MRR, {THROUGH[name]}" for name in ("truth", "seeds")}
DASHED = {"truth": "#222222", "seeds": GRAY}


def tasks(given: Optimized, _: Options) -> list[Task[RunRecord]]:
    """The run itself."""
    return [bootstrap_task(given.run, given.pair)]


def content(given: Optimized, options: Options, results: Sequence[RunRecord]) -> Content:
    """A as it stays, B at some steps, and the curves of all steps."""
    pair, run = given.pair, given.run
    (record,) = results
    replay = record.replay
    steps = list(options["steps"]) or steps_shown(replay.steps)
    shown = [snapshot for snapshot in (replay.at(step - 1) for step in steps) if snapshot is not None]
    if not 1 <= len(shown) <= MOST_SNAPSHOTS:
        raise ParameterError(
            f"The option steps names {len(steps)} steps of a run of {replay.steps}; give 1 to "
            f"{MOST_SNAPSHOTS}."
        )
    panes = [Pane(f"A · {pair.a.name}", record.places, group=0)]
    # The last step is told by the same anchors as A; earlier ones by fewer, which gives them another spread.
    groups = [None] * (len(shown) - 1) + [0]
    panes += [
        Pane(f"B · step {one.step + 1}", one.places, group=group)
        for one, group in zip(shown, groups, strict=True)
    ]
    right = options["right"] and run.known
    colors = match_colors(shown[-1].matches) if right else plain_colors(pair, record.places)
    found = [record.discovered_at(one, MOST_STARS) if options["found"] else NONE for one in shown]
    seeds = record.seeds.numpy()

    def on_screen() -> Linked:
        axes = f"PCA of A, {record.explained:.0%} of variance"
        still = Pane(f"A · {pair.a.name}", record.places, [[axes]], group=0)
        views = {
            f"Step {one.step + 1}": [
                still,
                Pane(f"B · {pair.b.name}", one.places, [["axes of A", f"step {one.step + 1}"]], group=0),
            ]
            for one in replay.thinned(MOST_SCRUBBED).snapshots
        }
        stars, opens = (seeds, found[-1]), next(reversed(views))
        return linked(pair, given.sources, views, colors, stars=stars, stars_shown=True, opens=opens)

    at = np.arange(1, replay.steps + 1)
    curves = {name: replay.curve(name).astype(np.float64) for name in CURVES}

    def parts(width: float) -> list[Part]:
        across = len(panes) if width > 100 else 2
        grid = MapGrid(panes, colors, width, across, anchors=seeds, discovered=[found[-1], *found])
        return [
            grid,
            legend_of(colors, width, bool(len(seeds)), options["found"], words="seeds"),
            *_rows(_charts(at, curves, record.references if run.known else None), width),
        ]

    arrays: dict[str, np.ndarray] = {"places_a": record.places, "seeds": seeds, "step": at, **curves}
    if options["found"]:
        arrays |= {f"found_{one.step + 1}": rows for one, rows in zip(shown, found, strict=True)}
    arrays |= {f"places_b_{one.step + 1}": one.places for one in shown}
    columns: dict[str, Sequence[object]] = {"step": at.tolist()}
    columns |= {name: values.tolist() for name, values in curves.items()}
    numbers = ", ".join(str(one.step + 1) for one in shown)
    first = "abcdefghij"[len(panes)]
    caption = (
        f"Anchor optimization: {record.title} (sampling seeds: known pairs {run.draw}, anchors "
        f"{run.anchor_seed}). {describe_pair(pair)} Cosine similarities to {count(len(record.anchors))} "
        f"anchors, projected on the first two principal components of A ({record.explained:.0%} of its "
        f"variance): (a) A, then B at steps {numbers} of {replay.steps}; {len(seeds)} known pairs as stars. "
        f"From ({first}): agreement is the share of rows whose match chooses them "
        f"back.{_measured(run, record.outcome)}{_describe_eps(curves['eps'])} "
        f"{'Converged' if record.outcome.verdict.converged else 'Not converged'} by the self-check."
    )
    return Content(caption + _starred(options), arrays, columns, parts, linked=on_screen)


def steps_shown(steps: int, many: int = SNAPSHOTS) -> list[int]:
    """Steps from 1 to the last, closer together at the beginning, where most happens.

    >>> steps_shown(60)
    [1, 30, 60]
    """
    return sorted({round(1 + (steps - 1) * (at / max(1, many - 1))) for at in range(many)})


def _describe_eps(eps: np.ndarray) -> str:
    """A curve that is level is a number."""
    return "" if _changes(eps) or not np.isfinite(eps).all() else f" eps is {eps[0]:.4g} throughout."


def _starred(options: Options) -> str:
    """Sentences on what was asked beyond the usual."""
    found = " Hollow stars: rows of B matched with other anchors." if options["found"] else ""
    return found + (" Color: right or wrong after the last of these steps." if options["right"] else "")


def _measured(run: Run, found: RunResult) -> str:
    """Sentences on what the run is measured with, and what that gave."""
    if not run.known:
        return ""
    evaluation = found.evaluation
    words = " Accuracy is the share of right matches among fitted items, known pairs excluded"
    words += "; MRR is full ranking A → B."
    words += f" {queries_summary(run, evaluation)} {accuracy_summary(evaluation)}"
    mrr = evaluation.mrr
    if mrr:
        listed = ", ".join(f"{name} {mrr[key]:.3f}" for key, name in THROUGH.items() if key in mrr)
        words += f" MRR: {listed}; chance {evaluation.chance['mrr']:.4f}."
        words += " The curve ends at the free points."
    return words


def _rows(charts: list[Chart], width: float) -> list[Part]:
    """All charts side by side, or the first over the others."""
    if width > 100:
        return [ChartRow(charts, width, first=1.6, shape=0.8)]
    return [ChartRow(charts[:1], width, shape=0.3), ChartRow(charts[1:], width, shape=0.45)]


def _charts(
    at: np.ndarray, curves: dict[str, np.ndarray], references: dict[str, float] | None
) -> list[Chart]:
    """Charts of all steps; with ``references`` also what is measured by the pairing, beside these."""
    shares = [Line("agreement", at, curves["agreement"], BLUE)]
    levels: list[tuple[float, str, str]] = []
    if references is not None:
        shares += [
            Line("accuracy", at, curves["accuracy"], GREEN, dash="-."),
            Line("MRR, free points", at, curves["mrr"], ORANGE, dash=":"),
        ]
        levels = [(value, LINES[name], DASHED[name]) for name, value in references.items()]
    title = "Agreement" if references is None else "Agreement, accuracy and MRR"
    charts = [
        Chart(title, shares, "step", range_y=(0, 1.02), levels=levels),
        Chart("Loss", [Line("", at, curves["loss"], PURPLE)], "step"),
    ]
    if _changes(curves["eps"]):
        eps = Line("", at, curves["eps"], GRAY)
        charts.append(Chart("eps of the correspondence", [eps], "step", log_y=bool((eps.y > 0).all())))
    return charts


def _changes(values: np.ndarray) -> bool:
    known = values[np.isfinite(values)]
    return len(known) == len(values) > 1 and bool(np.ptp(known) > 0)


RUN_CURVES = Kind(
    words="A run of anchor optimization: snapshots and curves",
    page="bootstrap",
    of=optimized,
    tasks=tasks,
    content=content,
    options={"steps": [], "right": False, "found": False},
)


def _maps_content(given: Optimized, _: Options, results: Sequence[RunMaps]) -> Content:
    pair, run = given.pair, given.run
    (found,) = results
    colors = plain_colors(pair, found.maps[0].a)
    columns = [
        (one, f"{KINDS[one.kind]} ({one.count})" if one.kind == "seeds" else KINDS[one.kind])
        for one in found.maps
    ]
    panes = [Pane(f"A · {words}", one.a, group=at) for at, (one, words) in enumerate(columns)]
    panes += [Pane(f"B · {words}", one.b, group=at) for at, (one, words) in enumerate(columns)]

    def on_screen() -> Linked:
        views = {words: [panes[at], panes[at + len(columns)]] for at, (_, words) in enumerate(columns)}
        return linked(pair, given.sources, views, colors, opens=columns[-1][1])

    def parts(width: float) -> list[Part]:
        return [MapGrid(panes, colors, width, len(found.maps)), legend_of(colors, width, False, False)]

    arrays: dict[str, np.ndarray] = {}
    for one in found.maps:
        arrays |= {f"{one.kind}_a": one.a, f"{one.kind}_b": one.b}
    shares = "; ".join(f"{words} {one.explained[0]:.0%} and {one.explained[1]:.0%}" for one, words in columns)
    caption = (
        f"Both spaces relative to anchors: {title_of(run, found.maps[0].count)} (sampling seeds: known pairs "
        f"{run.draw}, anchors {run.anchor_seed}). {describe_pair(pair)} Cosine similarities on the first two "
        f"principal components of A, which explain of the variance of A and of B: {shares}. Color: "
        f"{'class' if pair.labels is not None else 'place along the first component of A'}."
    )
    return Content(caption, arrays, map_columns(pair, arrays), parts, linked=on_screen)


MAPS_BY_ANCHORS = Kind(
    words="Maps through true anchors, the known pairs only, and discovered anchors",
    page="bootstrap",
    of=optimized,
    tasks=lambda given, _: [run_maps(given.run, given.pair)],
    content=_maps_content,
)


LINES_SHOWN, MOST_LINES = 20, 60


def _content(given: Optimized, options: Options, results: Sequence[RunRecord]) -> Content:
    pair, run = given.pair, given.run
    (record,) = results
    found = record.outcome
    lines = options["lines"]
    if not 1 <= lines <= MOST_LINES:
        raise ParameterError(f"The option lines is {lines}; give 1 to {MOST_LINES}.")
    seeds = set(record.seeds.tolist())
    every = list(zip(record.anchors.tolist(), found.nearest.tolist(), strict=True))
    others = [(a, b) for a, b in every if a not in seeds]
    head = ("anchor in A", "discovered in B", *(("right",) if run.known else ()))
    rows = tuple(
        (pair.items[a], pair.items[b], *(("yes" if a == b else "no",) if run.known else ()))
        for a, b in others[:lines]
    )
    right = sum(a == b for a, b in others)
    caption = (
        f"Anchors discovered by anchor optimization: {record.title} (sampling seeds: known pairs "
        f"{run.draw}, anchors {run.anchor_seed}). {describe_pair(pair)} The first {len(rows)} of "
        f"{plural(len(others), 'anchor')} that were not known pairs, each with the nearest item of B"
        + (f"; {right} of {len(others)} are right." if run.known else ".")
    )
    columns: dict[str, Sequence[object]] = {
        "row_a": [a for a, _ in every],
        "item_a": [pair.items[a] for a, _ in every],
        "row_b": [b for _, b in every],
        "item_b": [pair.items[b] for _, b in every],
        "seed": [int(a in seeds) for a, _ in every],
    }
    arrays = {"anchors_a": record.anchors.numpy(), "anchors_b": found.points.numpy()}
    arrays |= {"indices_b": found.nearest.numpy(), "seeds_a": record.seeds.numpy()}
    return Content(
        caption, arrays, columns, sheets={"Anchors discovered": Sheet(head, rows, caption, words=2)}
    )


ANCHORS_FOUND = Kind(
    words="Anchors that a run discovered, as a table",
    page="bootstrap",
    of=optimized,
    tasks=tasks,
    content=_content,
    options={"lines": LINES_SHOWN},
)


MOST_KNOWN = 5000
"""Pairs that a recipe holds."""


def options_of(known: Known) -> Options:
    """What ``known_of`` reads; ParameterError for more pairs than a recipe holds."""
    if len(known) > MOST_KNOWN:
        raise ParameterError(
            f"{plural(len(known), 'pair')} are known, but a recipe stores at most {count(MOST_KNOWN)}. Give "
            "fewer known pairs for a figure."
        )
    return {"known_a": [a for a, _ in known], "known_b": [b for _, b in known]}


def known_of(given: Unpaired, options: Options) -> Known:
    """The pairs that a recipe says are known; ParameterError if they cannot be."""
    return checked_pairs(options["known_a"], options["known_b"], *given.spaces)


def _correspondence_tasks(given: Unpaired, options: Options) -> list[Task[Correspondence]]:
    return [unpaired_task(*given.sources, known_of(given, options), given.seed)]


def _correspondence_content(given: Unpaired, options: Options, results: Sequence[Correspondence]) -> Content:
    a, b = given.spaces
    known, lines = known_of(given, options), options["lines"]
    if not 1 <= lines <= MOST_LINES:
        raise ParameterError(f"The option lines is {lines}; give 1 to {MOST_LINES}.")
    found = results[0]
    rows, counterparts = one_to_one(found.matches, found.similarity)
    similarity = found.similarity[rows]
    names_a, names_b = names_of(a), names_of(b)
    known_set = {*known}
    again = [int(pair in known_set) for pair in zip(rows, counterparts, strict=True)]
    items, of_items = [names_a[row] for row in rows], [names_b[row] for row in counterparts]
    columns: dict[str, Sequence[object]] = {
        "row_a": rows,
        "name_a": items,
        "row_b": counterparts,
        "name_b": of_items,
        "similarity": similarity.tolist(),
        "known": again,
    }
    arrays = {"row_a": np.array(rows, np.int64), "name_a": texts_array(items)}
    arrays |= {"row_b": np.array(counterparts, np.int64), "name_b": texts_array(of_items)}
    arrays |= {"similarity": similarity, "known": np.array(again, np.uint8)}
    if found.has_counterpart is not None:
        columns |= {"has_counterpart": found.has_counterpart[rows].tolist()}
        arrays |= {"has_counterpart": found.has_counterpart[rows]}
    best = [at for at in np.argsort(-similarity, kind="stable").tolist() if not again[at]][:lines]
    table = tuple((items[at], of_items[at], f"{similarity.tolist()[at]:.3f}") for at in best)
    caption = _caption(given, known, found, len(rows), sum(again), len(table))
    sheet = Sheet(("item of A", "counterpart in B", "similarity"), table, caption, words=2)
    return Content(caption, arrays, columns, sheets={"Correspondences": sheet})


def _caption(given: Unpaired, known: Known, found: Correspondence, many: int, again: int, listed: int) -> str:
    a, b = given.spaces
    sides = "; ".join(
        f"{side}: {space.name} ({plural(len(space), 'row')}, {plural(space.dimension, 'dimension')})"
        for side, space in (("A", a), ("B", b))
    )
    known_words = "no known pairs"
    if known:
        known_words = f"{plural(len(known), 'known pair')}, {again} of them among the correspondences found"
    anchors = max(len(known), min(ANCHORS, len(a), len(b)))
    verdict = (
        "converged"
        if found.verdict.converged
        else "rejected by the self-check: do not trust the correspondences"
    )
    matched = "is matched with one row of B" if many == 1 else "are matched one-to-one with rows of B"
    return (
        "Correspondences found by anchor optimization, with no other pairing of the rows of A and B. "
        f"{sides}. {plural(many, 'row')} of A {matched}; {known_words}. Annealed method, "
        f"{plural(anchors, 'anchor')} (known rows and others sampled at random), sampling and solver seed "
        f"{given.seed}. Self-check: {verdict}. {found.verdict.evidence.reason} Similarity: cosine of the "
        f"two relative vectors. Listed: the {listed} most similar that were not known."
    )


CORRESPONDENCES = Kind(
    words="Correspondences found, as a table",
    page="bootstrap",
    of=unpaired,
    tasks=_correspondence_tasks,
    content=_correspondence_content,
    options={"known_a": [], "known_b": [], "lines": LINES_SHOWN},
    paired=False,
    longest={"known_a": MOST_KNOWN, "known_b": MOST_KNOWN},
)

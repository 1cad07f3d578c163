"""A run of anchor optimisation in print: snapshots in a strip, and its curves under them."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from relviz.compute.entry import Result
from relviz.compute.task import Task
from relviz.errors import ParameterError
from relviz.figures.charts import Chart, ChartRow, Line
from relviz.figures.colours import OKABE_ITO
from relviz.figures.maps import MapGrid, legend_of
from relviz.figures.pane import Pane
from relviz.figures.stack import Part
from relviz.view.bootstrapping import bootstrap_task, title_of
from relviz.view.choices import View
from relviz.view.coloured import match_colours, plain_colours
from relviz.view.figure.content import Content, Kind, Options
from relviz.view.figure.marked import MOST_STARS
from relviz.view.figure.words import both_said
from relviz.view.reel import CURVES, Reel
from relviz.view.run import Run
from relviz.view.run_said import KINDS, asked_said, right_said
from relviz.view.sources import open_pair
from relviz.wording import count

BLUE, ORANGE, GREEN, PURPLE = OKABE_ITO[:4]
GREY = OKABE_ITO[7]
SNAPSHOTS, MOST_SNAPSHOTS = 3, 8
NONE = np.empty(0, np.int64)
LINES = {"truth": "MRR, true anchors", "seeds": "MRR, seeds alone"}
DASHED = {"truth": "#222222", "seeds": GREY}


def tasks(view: View, _: Options) -> list[Task]:
    """The run itself."""
    return [bootstrap_task(view, view.ao, open_pair(view.a, view.b))]


def content(view: View, options: Options, results: Sequence[Result]) -> Content:
    """A as it stays, B at some steps, and what every step said."""
    pair = open_pair(view.a, view.b)
    reel = Reel.of_result(results[0])
    steps = list(options["steps"]) or snapshots(reel.steps)
    frames = [frame for frame in (reel.frame_at(step - 1) for step in steps) if frame is not None]
    if not 1 <= len(frames) <= MOST_SNAPSHOTS:
        raise ParameterError(
            f"The option steps names {len(steps)} steps of a run of {reel.steps}; 1 to {MOST_SNAPSHOTS} are "
            "drawn."
        )
    panes = [Pane(f"A · {pair.a.name}", reel.opening.places, group=0)]
    panes += [Pane(f"B · step {frame.step + 1}", frame.places, group=0) for frame in frames]
    right = options["right"] and view.ao.known
    colours = match_colours(frames[-1].matches) if right else plain_colours(pair, reel.opening.places)
    found = [reel.found_at(frame, MOST_STARS) if options["found"] else NONE for frame in frames]
    seeds = reel.opening.seeds
    at = np.arange(1, reel.steps + 1)
    curves = {name: reel.curves[:, place].astype(np.float64) for place, name in enumerate(CURVES)}

    def parts(width: float) -> list[Part]:
        across = len(panes) if width > 120 else 2
        grid = MapGrid(panes, colours, width, across, anchors=seeds, discovered=[found[-1], *found])
        return [
            grid,
            legend_of(colours, width, bool(len(seeds)), options["found"], words="seeds"),
            *_rows(_charts(at, curves, reel, view.ao.known), width),
        ]

    arrays: dict[str, np.ndarray] = {"places_a": reel.opening.places, "seeds": seeds, "step": at, **curves}
    if options["found"]:
        arrays |= {f"found_{frame.step + 1}": rows for frame, rows in zip(frames, found, strict=True)}
    arrays |= {f"places_b_{frame.step + 1}": frame.places for frame in frames}
    columns: dict[str, Sequence[Any]] = {"step": at.tolist()}
    columns |= {name: values.tolist() for name, values in curves.items()}
    outcome = reel.outcome or {}
    shown = ", ".join(str(frame.step + 1) for frame in frames)
    first = "abcdefghij"[len(panes)]
    caption = (
        f"Anchor optimisation: {title_of(view.ao, pair)} (draw {view.ao.draw} of seeds, "
        f"{view.ao.anchor_seed} of anchors). {both_said(pair)} Cosines to "
        f"{count(len(reel.opening.anchors))} anchors on the first two principal axes of A "
        f"({reel.opening.explained:.0%} of its variance): (a) A, then B at steps {shown} of {reel.steps}; "
        f"{len(seeds)} seeds as stars. From ({first}): agreement is the share of rows whose match "
        f"chooses them back.{_measured(view.ao, outcome)}{_eps_said(curves['eps'])} "
        f"{'Converged' if outcome.get('converged') else 'Not converged'} by the solver's own verdict."
    )
    return Content(caption + _starred(options), arrays, columns, parts)


def snapshots(steps: int, many: int = SNAPSHOTS) -> list[int]:
    """Steps from 1 to the last, closer together at the beginning, where most happens.

    >>> snapshots(60)
    [1, 30, 60]
    """
    return sorted({round(1 + (steps - 1) * (at / max(1, many - 1))) for at in range(many)})


def _eps_said(eps: np.ndarray) -> str:
    """A curve that is level is a number."""
    return "" if _changes(eps) or not np.isfinite(eps).all() else f" eps is {eps[0]:.4g} throughout."


def _starred(options: Options) -> str:
    """Sentences on what was asked beyond the usual."""
    found = " Hollow stars: rows of B matched with other anchors." if options["found"] else ""
    return found + (" Colour: right or wrong after the last of these steps." if options["right"] else "")


def _measured(run: Run, outcome: Mapping[str, Any]) -> str:
    """Sentences on what the run is measured with, and what that gave."""
    if not run.known or not outcome:
        return ""
    said = " Accuracy is the share of right matches among items of the fit that are no seeds"
    said += f"; MRR is full ranking A → B. {asked_said(run, outcome)} {right_said(outcome)}"
    mrr = {name: one["mrr_full"] for name, one in outcome["measured"].items()}
    if mrr:
        listed = ", ".join(f"{words} {mrr[name]:.3f}" for name, words in KINDS.items() if name in mrr)
        said += (
            f" MRR: {listed}; chance {outcome['chance']['mrr_full']:.4f}. The curve ends at the free points."
        )
    return said


def _rows(charts: list[Chart], width: float) -> list[Part]:
    """All charts side by side, or the first over the others."""
    if width > 120:
        return [ChartRow(charts, width, first=1.6, shape=0.8)]
    return [ChartRow(charts[:1], width), ChartRow(charts[1:], width, shape=0.8)]


def _charts(at: np.ndarray, curves: dict[str, np.ndarray], reel: Reel, known: bool) -> list[Chart]:
    shares = [Line("agreement", at, curves["agreement"], BLUE)]
    levels: list[tuple[float, str, str]] = []
    if known:
        shares += [
            Line("accuracy", at, curves["accuracy"], GREEN),
            Line("MRR, free points", at, curves["mrr"], ORANGE),
        ]
        levels = [(value, LINES[name], DASHED[name]) for name, value in reel.opening.lines.items()]
    title = "Agreement, accuracy and MRR" if known else "Agreement"
    charts = [
        Chart(title, shares, "step", range_y=(0, 1.02), levels=levels),
        Chart("Loss", [Line("", at, curves["loss"], PURPLE)], "step"),
    ]
    if _changes(curves["eps"]):
        eps = Line("", at, curves["eps"], GREY)
        charts.append(Chart("eps of the correspondence", [eps], "step", log_y=bool((eps.y > 0).all())))
    return charts


def _changes(values: np.ndarray) -> bool:
    known = values[np.isfinite(values)]
    return len(known) == len(values) > 1 and bool(np.ptp(known) > 0)


KIND = Kind(
    words="A run of anchor optimisation: snapshots and curves",
    page="bootstrap",
    tasks=tasks,
    content=content,
    options={"steps": [], "right": False, "found": False},
)

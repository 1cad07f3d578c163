"""Before a run: the two original spaces with the known pairs, and what is nearest in B by now."""

import relviz
from relviz.figures.panes import alone
from relviz.figures.pictures import pictures_of
from relviz.results.bootstrap import rows_of
from relviz.results.comparison import Comparison
from relviz.results.replay import Snapshot
from relviz.results.run_examples import BeforeRun, before_run
from relviz.state.view import MapChoices, Run
from relviz.ui.item_rows import (
    Line,
    answers,
    drawn_at_once,
    drawn_seed,
    items,
    say_and_draw_others,
    show_lines,
)
from relviz.ui.maps import row_panes, show_map
from relviz.wording import plural

BELOW = 214
"""Pixels of the first screen under the map: three rows of examples, and what they are."""


def show_before(run: Run, comparison: Comparison, choices: MapChoices, place: int = 0) -> None:
    """Where a run starts from; nothing of a run that cannot be.

    Seeds that are given by hand are chosen on a map of their own.
    """
    pair = comparison.pair
    try:
        seeds = rows_of(run, pair.a.vectors, pair.labels)[1].numpy()
    except relviz.Error:
        return
    if run.seeding != "hand":
        panes, _ = row_panes(comparison, alone(choices), "absolute")
        pictures = pictures_of(*comparison.sources)
        key = f"ao_before_{place}"
        show_map(
            pair,
            panes,
            seeds,
            key,
            pictures,
            anchors_shown=True,
            height=620,
            star_name="known pairs",
            below=BELOW,
        )
    drawn = _drawn(run, comparison, place)
    lines = [items(f"item of {pair.a.name}", drawn.rows)]
    if drawn.original is not None:
        lines.append(answers("nearest in B, original spaces", drawn.rows, drawn.original, run.known))
    if drawn.seeded is not None:
        lines.append(answers(_by_seeds(len(seeds)), drawn.rows, drawn.seeded, run.known))
    if len(lines) > 1:
        _show(run, comparison, lines, place, drawn, "before the run")


def show_run_examples(
    run: Run, comparison: Comparison, seeds: int, shown: Snapshot, steps: int, place: int
) -> None:
    """The same items before the run and at a step of it: what is nearest in B, then their matches."""
    drawn = _drawn(run, comparison, place)
    rows, lines = drawn.rows, [items(f"item of {comparison.pair.a.name}", drawn.rows)]
    if drawn.seeded is not None:
        lines.append(answers(f"before: {_by_seeds(seeds)}", rows, drawn.seeded, run.known))
    elif drawn.original is not None:
        lines.append(answers("before: nearest in B, original spaces", rows, drawn.original, run.known))
    step = f"after {plural(shown.step + 1, 'step')}"
    words = "after: its match in B" if shown.step + 1 == steps else f"{step}: its match in B"
    lines.append(answers(words, rows, shown.matches[rows], run.known))
    _show(run, comparison, lines, place, drawn, step)


def _by_seeds(seeds: int) -> str:
    return f"nearest in B, relative to {plural(seeds, 'known pair')}"


def _drawn(run: Run, comparison: Comparison, place: int) -> BeforeRun:
    count = drawn_at_once(comparison.sources)
    return before_run(run, comparison.pair, count, drawn_seed(_name(place))).run()


def _name(place: int) -> str:
    return f"ao_examples_{place}"


def _show(
    run: Run, comparison: Comparison, lines: list[Line], place: int, drawn: BeforeRun, when: str
) -> None:
    show_lines(comparison.pair, comparison.sources, lines, "Examples")
    caption = f"{plural(len(drawn.rows), 'fitted item')}, drawn at random, known pairs excluded."
    if run.known:
        right = lines[-1].looks.count("right")
        caption += f" Green: the counterpart itself, {when} for {right} of {len(drawn.rows)}."
    say_and_draw_others(_name(place), caption)

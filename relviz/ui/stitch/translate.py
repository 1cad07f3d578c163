"""A translation on screen: its choices, where items land, and what is told of it below."""

from dataclasses import replace

import numpy as np
import streamlit as st
import torch
from streamlit.delta_generator import DeltaGenerator

import relviz
from relviz.figures.numbers import translated_npz
from relviz.figures.panes import translation_panes
from relviz.figures.pictures import pictures_of
from relviz.measure import TranslationScores
from relviz.plotting.legend import MOST_WAYS, spread
from relviz.results.comparison import Comparison
from relviz.results.heads import HeadAccuracy, heads_of, heads_task
from relviz.results.translation import TranslationProblem
from relviz.results.translation_examples import translation_examples
from relviz.state.view import TranslationChoices, View
from relviz.translation import LITERAL, Reading, Translator
from relviz.ui import controls, state
from relviz.ui.figure_button import figure_button
from relviz.ui.item_rows import answers, drawn_at_once, drawn_seed, items, say_and_draw_others, show_lines
from relviz.ui.item_table import show_item_table
from relviz.ui.job_view import result_or_progress
from relviz.ui.linked_map import MapEvent, last_event
from relviz.ui.maps import show_map
from relviz.ui.stitch.scores import show_bars, show_scores
from relviz.ui.verbatim import verbatim
from relviz.wording import count, plural

STEEP = 1e3
"""Condition number from which small differences between the spaces are amplified."""
MOST_LISTED = 200


ANCHORED = ("translate", "heads", "sweep", "probe")
DIRECTED = ("translate", "sweep", "probe", "scale")
TRANSLATED = ("translate", "probe")
"""Parts of the page that depend on the number of anchors used, on the direction, and on the translator."""
TAB, LAST_TAB = "stitch_tab", "relviz_stitch_tab"
SELECTION = "Selection"
TABS = ("Examples", "Scores", SELECTION)
WAYS = (
    "Both maps share axes. Lines join targets (squares) with translated items: 15 of them, or those you "
    "select."
)
BELOW = 214
"""Pixels of the first screen under the maps: the tabs, and the first of what is in them."""


def show_ranks(scores: TranslationScores) -> None:
    """How many items are found again, in a sentence."""
    st.markdown(
        f"**{scores.top1:.1%}** of {plural(scores.queries, 'held-out item')} have rank 1 for the true "
        f"counterpart (chance {scores.chance['top1']:.2%}). Median rank "
        f"{float(scores.ranks.quantile(0.5)):.0f} of {count(scores.candidates)}."
    )


def open_translation(comparison: Comparison, choices: TranslationChoices) -> TranslationProblem:
    """The source, the target and the anchors between them."""
    return TranslationProblem(comparison, choices)


def choose_translation(problem: TranslationProblem, part: str) -> None:
    """How many of the anchors serve, the direction, the method and its options, as far as a part asks."""
    view, pair = state.current(), problem.pair
    if part in ANCHORED:
        _choose_used(problem)
    if part in DIRECTED:
        controls.choose(view, "back", note=f"A is {verbatim(pair.a.name)}, B is {verbatim(pair.b.name)}.")
    if part in TRANSLATED:
        controls.choose(view, "translate")
        if problem.choices.method == "irp":
            for name in ("delta", "omega"):
                controls.choose(view, name)
            _choose_reading()
    elif part == "sweep":
        _choose_reading()


def _choose_reading() -> None:
    """What the paper leaves open about irp, and its literal reading at one press."""
    view = state.current()
    for name in Reading.__annotations__:
        controls.choose(view, name)
    literal = all(getattr(view, name) == value for name, value in LITERAL.items())
    usual = {name: getattr(View, name) for name in LITERAL}
    st.button(
        "Use relviz's defaults" if literal else "As in the paper",
        help="Pruned by both spaces, completed, renormalized."
        if literal
        else "The literal reading: pruned by the target, not completed, not renormalized.",
        on_click=state.change,
        kwargs=usual if literal else dict(LITERAL),
        width="stretch",
    )


def _choose_used(problem: TranslationProblem) -> None:
    try:
        there = len(problem.comparison.anchors)
    except relviz.Error:
        return
    st.session_state["choice_used"] = min(problem.choices.used or there, there)

    def take() -> None:
        chosen = st.session_state["choice_used"]
        state.change(used=0 if chosen == there else chosen)

    a, b = problem.pair.a, problem.pair.b
    choice = View.choice("used")
    st.slider(
        choice.label,
        1,
        max(2, there),
        key="choice_used",
        on_change=take,
        help=f"{choice.help} The spaces have {a.dimension} and {b.dimension}.",
    )


def show_translation(problem: TranslationProblem, head: str, tools: DeltaGenerator) -> None:
    """Maps of the translation, examples and scores; the reason, where it cannot be made or scored.

    ``head`` is a kind of head, ``tools`` the row of controls over the maps.
    """
    try:
        made = problem.translation
        scores = made.scores
    except relviz.Error as reason:
        st.error(verbatim(reason), icon=":material/error:")
        return
    show_ranks(scores)
    _warn(made.translator)
    with tools:
        _show_tools(problem)
    event = _show_maps(problem)
    st.session_state.setdefault(TAB, st.session_state.get(LAST_TAB, TABS[0]))
    for name, tab in zip(TABS, st.tabs(TABS, key=TAB, on_change="rerun"), strict=True):
        if not tab.open:
            continue
        with tab:
            match name:
                case "Examples":
                    _show_examples(problem)
                case "Scores":
                    accuracy = _accuracy_or_progress(problem, head)
                    show_scores(made.translator, scores, accuracy)
                    show_bars(problem, head, accuracy)
                case "Selection":
                    _show_selected(problem, event)
    st.session_state[LAST_TAB] = st.session_state[TAB]


def _show_tools(problem: TranslationProblem) -> None:
    """The direction, the translator, and the figure in a row."""
    pair, made, back = problem.pair, problem.translation, problem.choices.back
    chosen = {"chosen": spread(last_event("stitch_maps", pair.ids).selected, MOST_WAYS).tolist()}
    vectors = {("Translated vectors, npz", "translated.npz"): lambda: translated_npz(made, pair)}
    st.button(
        f"{verbatim(problem.source.name)} → {verbatim(problem.target.name)}",
        icon=":material/swap_horiz:",
        help="Swap source and target.",
        on_click=state.change,
        kwargs={"back": not back},
    )
    figure_button({"landing": chosen, "translation": {}}, "translate", "stitch_maps", vectors)


def _show_examples(problem: TranslationProblem) -> None:
    """Items drawn at random, and what is nearest in the target before and after translation."""
    pair, sources = problem.pair, problem.comparison.sources
    drawn = translation_examples(problem, drawn_at_once(sources), drawn_seed("stitch_examples"))
    source, target = problem.source.name, problem.target.name
    lines = [items(f"item of {source}", drawn.rows)]
    if drawn.before is not None:
        lines.append(answers(f"nearest in {target}, not translated", drawn.rows, drawn.before))
    lines.append(answers(f"nearest in {target}, translated", drawn.rows, drawn.after))
    show_lines(pair, sources, lines, "Examples")
    right = int((drawn.after == drawn.rows).sum())
    say_and_draw_others(
        "stitch_examples",
        f"{plural(len(drawn.rows), 'item')} that took no part in the fit, drawn at random. Green: the "
        f"counterpart itself, here for {right} of {len(drawn.rows)}.",
    )


def _accuracy_or_progress(problem: TranslationProblem, head: str) -> HeadAccuracy | None:
    """What the heads find; while they are being trained their progress is shown, and None given."""
    try:
        trained = result_or_progress("heads", heads_task(problem.pair, head))
    except relviz.Error as reason:
        if problem.pair.labels is not None:
            st.caption(f"No accuracy: {verbatim(reason)}")
        return None
    if trained is None:
        return None
    return problem.accuracy(heads_of(problem.pair, head, problem.choices.back))


def _warn(fitted: Translator) -> None:
    pairs = fitted.pairs
    if fitted.method != "absolute" and pairs.rank < min(3, len(pairs) - 1, *pairs.dimensions):
        st.warning(
            f"The {plural(len(pairs), 'anchor')} lie on {'a line' if pairs.rank == 1 else 'a plane'} in one "
            "of the spaces, so all translations do too. Choose more diverse anchors.",
            icon=":material/warning:",
        )
    if fitted.condition_number > STEEP:
        st.warning(
            f"The inverted matrix has condition number {fitted.condition_number:.1g}, which amplifies small "
            "differences between the spaces. Prune more (larger δ), or use IRP+ or ridge. The worst case is "
            "about as many anchors as dimensions.",
            icon=":material/warning:",
        )


def _open_selection() -> None:
    """What is selected on the map is shown under it."""
    st.session_state[TAB] = SELECTION


def _show_maps(problem: TranslationProblem) -> MapEvent:
    pair, (original, translated) = problem.pair, translation_panes(problem)
    panes = [original, replace(translated, facts=[(WAYS,)])]
    nothing = np.empty(0, dtype=np.int64)
    return show_map(
        pair,
        panes,
        nothing,
        "stitch_maps",
        pictures_of(*problem.comparison.sources),
        height=560,
        below=BELOW,
        on_select=_open_selection,
    )


def _show_selected(problem: TranslationProblem, event: MapEvent) -> None:
    pair, made = problem.pair, problem.translation
    rows = (
        event.selected if len(event.selected) else np.array([] if event.clicked is None else [event.clicked])
    )
    if not len(rows):
        st.caption("Click an item, or use the box or lasso above the maps. Shift adds, Escape clears.")
        return
    listed = rows[:MOST_LISTED]
    fitted = torch.isin(torch.from_numpy(rows), made.anchors).numpy()
    cosine = "cosine similarity to the target"
    show_item_table(
        problem.comparison.sources,
        listed.tolist(),
        {
            "item": [pair.items[row] for row in listed],
            cosine: made.cosines[listed],
            "rank of the true counterpart": problem.ranks(listed),
            "anchor": fitted[: len(listed)],
        },
        "The selected items, their cosine similarity to the target, and the rank of the true counterpart",
        config={cosine: st.column_config.NumberColumn(format="%.3f")},
    )
    more = "" if len(rows) == len(listed) else f" The first {MOST_LISTED} are listed."
    left = rows[~fitted]
    mean = "All are anchors."
    if len(left):
        mean = (
            f"Mean cosine similarity of the {count(len(left))} non-anchor items: "
            f"{made.cosines[left].mean():.3f}."
        )
    st.caption(
        f"{plural(len(rows), 'item')} selected. {mean} Ranks are among all {count(len(pair))} items.{more}"
    )
    st.button("Probe the first item", on_click=_probe, args=(int(listed[0]),), icon=":material/biotech:")


def _probe(row: int) -> None:
    state.change(part="probe", item=row)

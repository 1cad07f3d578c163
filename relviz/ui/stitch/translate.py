"""A translation on screen: its choices, scores, where items land, and the other methods."""

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go
import streamlit as st
import torch

import relviz
from relviz.figures.numbers import carried_npz
from relviz.figures.panes import landing_panes
from relviz.figures.pictures import pictures_of
from relviz.measure import SCORES, TranslationScores
from relviz.plotting.colors import OKABE_ITO
from relviz.plotting.legend import MOST_WAYS, spread
from relviz.results.heads import HeadAccuracy, heads_of, heads_task
from relviz.results.translation import (
    MethodScores,
    TranslationProblem,
    baselines_task,
)
from relviz.space import Space
from relviz.state.option_labels import TRANSLATIONS
from relviz.state.view import View
from relviz.translation import Translator
from relviz.ui import controls, state
from relviz.ui.figure_button import figure_button
from relviz.ui.job_view import result_or_progress
from relviz.ui.linked_map import MapEvent, last_event
from relviz.ui.maps import show_map
from relviz.ui.verbatim import verbatim
from relviz.wording import count, plural


def show_bars(problem: TranslationProblem, head: str, accuracy: HeadAccuracy | None) -> None:
    """Every method with the same anchors; IRP with its δ and ω, if that is what the page shows."""
    st.subheader("Method comparison")
    result = result_or_progress("baselines", baselines_task(problem, head))
    if result is None:
        return
    scores, chosen = problem.translation.scores, problem.choices.method
    found = list(result.methods)
    if chosen == "irp":
        found.insert(0, MethodScores("irp", scores, accuracy))
    native = accuracy.native if accuracy is not None and accuracy.rows else None
    st.plotly_chart(bars(found, native), key="stitch_bars", alt="Cosine, MRR and accuracy of every method")
    for one in found:
        if one.scores is None:
            st.caption(f"{TRANSLATIONS[one.method]}: {verbatim(one.reason)}")
    irp = "" if chosen == "irp" else " IRP is left out. Select it as the translator to include it."
    tested = ""
    if accuracy is not None and accuracy.rows:
        low, high = accuracy.interval
        tested = (
            f" Accuracy: {plural(accuracy.rows, 'test row')} that are neither anchors nor training rows; "
            f"the 95% interval of the method above is {low:.3f}–{high:.3f}. The most frequent class is "
            f"{accuracy.chance:.3f} of them. Dashed: the target's head on its own vectors."
        )
    st.caption(
        "Cosine after centering on the anchors, and MRR, over the same "
        f"{plural(scores.queries, 'non-anchor item')}; candidates: all {count(scores.candidates)} items. "
        f"Chance of the MRR: {scores.chance['mrr']:.4f}.{tested}{irp}"
    )


def bars(found: Sequence[MethodScores], native: float | None) -> go.Figure:
    """A group of bars for each method; ``native`` is a line to reach."""
    fine = [(one, one.scores) for one in found if one.scores is not None]
    figures: dict[str, list[float | None]] = {
        "cosine similarity to the target": [scores.cosine for _, scores in fine],
        "MRR of the true counterpart": [scores.mrr for _, scores in fine],
        "accuracy of the target's head": [
            one.accuracy.translated if one.accuracy is not None and one.accuracy.rows else None
            for one, _ in fine
        ],
    }
    figure = go.Figure()
    for (words, values), color in zip(figures.items(), OKABE_ITO, strict=False):
        if any(value is not None for value in values):
            figure.add_bar(
                name=words,
                x=[TRANSLATIONS[one.method] for one, _ in fine],
                y=values,
                texttemplate="%{y:.2f}",
                marker_color=color,
            )
    if native is not None:
        figure.add_hline(native, line_dash="dash", line_color=OKABE_ITO[2])
    lowest = min(0.0, *(scores.cosine for _, scores in fine))  # below it there is room for its number
    figure.update_layout(
        height=340,
        margin={"t": 10, "b": 10, "l": 10, "r": 10},
        yaxis_range=[lowest and lowest - 0.08, 1],
        legend={"orientation": "h", "y": 1.12},
    )
    return figure


NAMES = {
    "cosine": "cosine similarity to the target",
    "cosine_uncentered": "cosine (uncentered)",
    "mrr": "MRR",
    "top1": "top-1",
}


def show_ranks(sides: tuple[Space, Space], scores: TranslationScores) -> None:
    """How many items are found again, in a sentence."""
    source, target = (verbatim(side.name) for side in sides)
    st.markdown(
        f"{source} → {target}: **{scores.top1:.1%}** of {plural(scores.queries, 'held-out item')} have rank "
        f"1 for the true counterpart in {target} (chance {scores.chance['top1']:.2%}). Their median rank is "
        f"{float(scores.ranks.quantile(0.5)):.0f} of {count(scores.candidates)}."
    )


def show_scores(fitted: Translator, scores: TranslationScores, accuracy: HeadAccuracy | None) -> None:
    """Six numbers, and what they are held against."""
    asked = f"Over {plural(scores.queries, 'non-anchor item')}."
    figures = {
        "Cosine similarity to the target": (
            f"{scores.cosine:.3f}",
            f"After centering on the anchors. {asked}",
        ),
        "Cosine (uncentered)": (
            f"{scores.cosine_uncentered:.3f}",
            f"Not centered: the anchor mean alone can make it high. {asked}",
        ),
        "MRR": (f"{scores.mrr:.3f}", f"Mean of 1/rank of the true counterpart. {asked}"),
        "Stitched accuracy": _accuracy(accuracy),
        "Condition number": (
            f"{fitted.condition_number:.3g}",
            "Of the inverted matrix; 1 if none is inverted.",
        ),
        "Anchors kept": (f"{fitted.anchors_kept:.0f}", "The mean over subspaces."),
    }
    for column, (name, (value, help)) in zip(st.columns(len(figures)), figures.items(), strict=True):
        column.metric(name, value, help=help)
    st.caption(compared(scores, accuracy))


def compared(scores: TranslationScores, accuracy: HeadAccuracy | None) -> str:
    """What the scores rest on, and what chance and shuffled counterparts give."""
    told = [
        f"Queries: {plural(scores.queries, 'item')} that took no part in the fit. Candidates: all "
        f"{count(scores.candidates)} items, anchors included.",
        f"Chance: MRR {scores.chance['mrr']:.4f}, top-1 {scores.chance['top1']:.2%}.",
    ]
    if scores.null is not None:
        null, sd = scores.null.figures, scores.null.sd
        parts = [f"{NAMES[name]} {null[name]:.3f} ± {sd[name]:.3f}" for name in SCORES]
        told.append(f"The same translator with the queries' counterparts shuffled: {', '.join(parts)}.")
    if accuracy is not None and accuracy.rows:
        low, high = accuracy.interval
        told.append(
            f"Accuracy: {plural(accuracy.rows, 'test row')} that are neither anchors nor training rows, "
            f"95% interval {low:.3f}–{high:.3f}; the most frequent class is {accuracy.chance:.3f} of them."
        )
    return " ".join(told)


def _accuracy(found: HeadAccuracy | None) -> tuple[str, str]:
    if found is None or not found.rows:
        return "–", "Of the target's head on translated items. There is no head, or no test row."
    low, high = found.interval
    return f"{found.translated:.3f}", (
        f"The target's head on translated items: {plural(found.rows, 'row')} that are neither anchors nor "
        f"training rows, 95% interval {low:.3f}–{high:.3f}. On its own rows its accuracy is "
        f"{found.native:.3f}, the source head's {found.own:.3f}. The most frequent class is "
        f"{found.chance:.3f} of these rows."
    )


STEEP = 1e3
"""Condition number from which small differences between the spaces are amplified."""
MOST_LISTED = 200


def choose_translation(problem: TranslationProblem) -> None:
    """How many of the anchors, the direction, the method, and what the method can be told."""
    _choose_used(problem)
    view, pair = state.kept(), problem.pair
    controls.choose(view, "back", note=f"A is {verbatim(pair.a.name)}, B is {verbatim(pair.b.name)}.")
    controls.choose(view, "translate")
    if problem.choices.method == "irp":
        for name in ("delta", "omega", "decided_by"):
            controls.choose(view, name)


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


def show_translation(problem: TranslationProblem, head: str, a: str, b: str) -> None:
    """Scores and maps of the translation; the reason, where it cannot be made or scored.

    ``head`` is a kind of head, ``a`` and ``b`` are the sources of the pair, which may have pictures.
    """
    try:
        made = problem.translation
        scores = made.scores
    except relviz.Error as reason:
        st.error(verbatim(reason), icon=":material/error:")
        return
    accuracy = _accuracy_or_progress(problem, head)
    show_ranks((problem.source, problem.target), scores)
    _warn(made.translator)
    event = _show_maps(problem, a, b)
    _show_selected(problem, event)
    show_scores(made.translator, scores, accuracy)
    show_bars(problem, head, accuracy)


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
            "of the spaces: all translations land on one too. Choose more diverse anchors.",
            icon=":material/warning:",
        )
    if fitted.condition_number > STEEP:
        st.warning(
            f"The inverted matrix has the condition number {fitted.condition_number:.1g}. Small differences "
            "between the spaces are amplified. Prune more (larger δ), or use IRP+ or ridge. The worst case "
            "is about as many anchors as dimensions.",
            icon=":material/warning:",
        )


def _show_maps(problem: TranslationProblem, a: str, b: str) -> MapEvent:
    pair, made, panes = problem.pair, problem.translation, landing_panes(problem)
    chosen = {"chosen": spread(last_event("stitch_maps", pair.ids).selected, MOST_WAYS).tolist()}
    vectors = {("Translated vectors, npz", "carried.npz"): lambda: carried_npz(made, pair)}
    nothing = np.empty(0, dtype=np.int64)
    event = show_map(pair, panes, nothing, "stitch_maps", pictures_of(a, b), height=560)
    figure_button({"landing": chosen, "translation": {}}, "translate", "stitch_maps", vectors)
    st.caption(
        "Both maps share axes: a perfect translation looks like the map on the left. On the right, a line "
        "joins each translated item to its target (square), for 60 items or for those you select."
    )
    return event


def _show_selected(problem: TranslationProblem, event: MapEvent) -> None:
    pair, made = problem.pair, problem.translation
    rows = (
        event.selected if len(event.selected) else np.array([] if event.clicked is None else [event.clicked])
    )
    if not len(rows):
        return
    listed = rows[:MOST_LISTED]
    fitted = torch.isin(torch.from_numpy(rows), made.anchors).numpy()
    st.dataframe(
        {
            "item": [pair.items[row] for row in listed],
            "cosine similarity to the target": made.cosines[listed],
            "rank of the true counterpart": problem.ranks(listed),
            "anchor": fitted[: len(listed)],
        },
        hide_index=True,
        column_config={"cosine similarity to the target": st.column_config.NumberColumn(format="%.3f")},
        alt="The selected items, their cosine similarity to the target, and the rank of the true counterpart",
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

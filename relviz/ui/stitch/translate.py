"""A translation on screen: its choices, its scores, where items land, and the other methods."""

import numpy as np
import streamlit as st
import torch

import relviz
from relviz.figures.marks import MOST_WAYS, spread
from relviz.ui import controls, state
from relviz.ui.figure_button import figure_button
from relviz.ui.job_view import result_or_progress
from relviz.ui.linked_map import MapEvent, last_event
from relviz.ui.maps import show_map
from relviz.ui.stitch.bars import show_bars
from relviz.ui.stitch.scores import show_scores
from relviz.ui.verbatim import verbatim
from relviz.ui.wording import DECIDED_BY, DECIDED_BY_HELP, TRANSLATORS, TRANSLATORS_HELP
from relviz.view import View
from relviz.view.baselines import said_by_heads
from relviz.view.export import carried_npz
from relviz.view.heads import Said, heads_task
from relviz.view.panes import landing_panes
from relviz.view.translation import Translation, anchor_rows, ranks_of, sides_of, translation_of
from relviz.wording import count, plural

STEEP = 1e3
"""Condition number from which small differences between the spaces are blown up."""
MOST_LISTED = 200


def choose_translation(view: View, pair: relviz.Pair) -> None:
    """How many of the anchors, the direction, the method, and what the method can be told."""
    _choose_used(view, pair)
    a, b = pair.a.name, pair.b.name
    controls.toggle(
        view, "back", "From B into A", f"On: items of {b} are carried into {a}. Off: from A into B."
    )
    controls.choice(view, "translate", "Translator", TRANSLATORS, TRANSLATORS_HELP)
    if view.translate == "irp":
        controls.slider(
            view,
            "delta",
            "δ, pruning",
            0.01,
            "Anchors are left out until none is nearer to another than this, as 1 - |cosine|. 0 keeps all.",
        )
        controls.number(view, "omega", "ω, subspaces", "Prunings from different starts, averaged.")
        controls.choice(view, "decided_by", "Pruned by", DECIDED_BY, DECIDED_BY_HELP)


def _choose_used(view: View, pair: relviz.Pair) -> None:
    try:
        there = len(anchor_rows(view.with_changes(used=0), pair)[0])
    except relviz.Error:
        return
    st.session_state["choice_used"] = min(view.used or there, there)

    def take() -> None:
        chosen = st.session_state["choice_used"]
        state.change(used=0 if chosen == there else chosen)

    st.slider(
        "Anchors used",
        1,
        max(2, there),
        key="choice_used",
        on_change=take,
        help="The first so many of them. About as many as dimensions is the worst number for what inverts "
        f"without regularisation: the spaces have {pair.a.dimension} and {pair.b.dimension}.",
    )


def show_translation(view: View, pair: relviz.Pair) -> None:
    """Scores and maps of the view's translation; the reason, where it cannot be made or scored."""
    try:
        made = translation_of(view)
        scores = made.scores
    except relviz.Error as reason:
        st.error(verbatim(reason), icon=":material/error:")
        return
    said = _heads_said(view, pair, made)
    show_scores(sides_of(view, pair), made.translator, scores, said)
    _warn(made)
    event = _show_maps(view, pair, made)
    _show_selected(view, pair, made, event)
    show_bars(view, pair, made, said)


def _heads_said(view: View, pair: relviz.Pair, made: Translation) -> Said | None:
    """What the heads find; while they are being trained their progress is shown, and None given."""
    try:
        trained = result_or_progress("heads", heads_task(view, pair))
    except relviz.Error as reason:
        if pair.labels is not None:
            st.caption(f"No accuracy: {verbatim(reason)}")
        return None
    return None if trained is None else said_by_heads(view, pair, made)


def _warn(made: Translation) -> None:
    fitted = made.translator
    pairs = fitted.pairs
    if fitted.method != "absolute" and pairs.rank < min(3, len(pairs) - 1, *pairs.dimensions):
        st.warning(
            f"The {plural(len(pairs), 'anchor')} lie on {'a line' if pairs.rank == 1 else 'a plane'} in one "
            "of the spaces: whatever is carried over lands on one too. Choose anchors that differ in more "
            "ways.",
            icon=":material/warning:",
        )
    if fitted.condition_number > STEEP:
        st.warning(
            f"What is inverted has the condition number {fitted.condition_number:.1g}: small differences "
            "between the spaces are blown up. Prune more (a larger δ), or take IRP+ or ridge. With about as "
            "many anchors as dimensions this is worst.",
            icon=":material/warning:",
        )


def _show_maps(view: View, pair: relviz.Pair, made: Translation) -> MapEvent:
    panes = landing_panes(view, pair, made)
    chosen = {"chosen": spread(last_event("stitch_maps", pair.ids).selected, MOST_WAYS).tolist()}
    vectors = {("Carried vectors, npz", "carried.npz"): lambda: carried_npz(made, pair)}
    figure_button(view, {"landing": chosen, "translation": {}}, "translate", "stitch_maps", vectors)
    event = show_map(view, pair, panes, np.empty(0, dtype=np.int64), "stitch_maps", height=560)
    st.caption(
        "The same axes on both sides: a perfect translation looks like the space on the left. On the right, "
        "a line joins where an item lands with the square where it should be: for 60 items, or for those "
        "you select."
    )
    return event


def _show_selected(view: View, pair: relviz.Pair, made: Translation, event: MapEvent) -> None:
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
            "rank of the true counterpart": ranks_of(view, listed),
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
        mean = f"Mean cosine of the {count(len(left))} that are no anchors: {made.cosines[left].mean():.3f}."
    st.caption(
        f"{plural(len(rows), 'item')} selected. {mean} Ranks are among all {count(len(pair))} items.{more}"
    )
    st.button("Probe the first of them", on_click=_probe, args=(int(listed[0]),), icon=":material/biotech:")


def _probe(row: int) -> None:
    state.change(part="probe", item=row)

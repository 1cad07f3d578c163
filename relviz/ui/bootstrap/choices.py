"""What can be chosen about a run of anchor optimization, in the sidebar."""

from typing import Any

import numpy as np
import streamlit as st

import relviz
from relviz.bootstrapping.split import FEWEST_HELD, FEWEST_ROWS
from relviz.figures.panes import alone
from relviz.figures.pictures import pictures_of
from relviz.results.comparison import Comparison
from relviz.state.solver_options import Option, chosen_options, options_of, set_option
from relviz.state.view import MOST_PICKS, MapChoices, Run
from relviz.ui import controls, state
from relviz.ui.bootstrap.runs import has_begun
from relviz.ui.labels import (
    BESIDES,
    BESIDES_HELP,
    SEEDINGS,
    SEEDINGS_HELP,
    SOLVERS,
    SOLVERS_HELP,
    verbatim,
)
from relviz.ui.maps import row_panes, show_map
from relviz.ui.selection import offer_rows
from relviz.wording import count, plural

KNOWN_HELP = """Select it if row i of B truly is the counterpart of row i of A. Matches are then marked
right or wrong. Retrieval is compared with the true anchors and the known pairs alone. The solver never sees
the ground truth: it gets the rows of B in random order."""
HELD_OUT_HELP = f"""Items of A and B that are left out of the run and used to evaluate it. 0 = none. None are
held out of fewer than {FEWEST_ROWS} items, or where they would be fewer than {FEWEST_HELD}."""


Setting = bool | int | float | str
"""The value of an option of a solver."""


def choose_run(run: Run, rows: int) -> None:
    """Seeds, anchors, the method, and what is shown beside, of a run of a pair of so many rows."""
    controls.choice(run, "seeding", "Known pairs", SEEDINGS, SEEDINGS_HELP)
    if run.seeding in ("uniform", "per_class"):
        many, draw = st.columns(2)
        with many:
            controls.number(run, "seeds", "Number of known pairs", most=rows)
        with draw:
            controls.number(run, "draw", "Known pairs sampling seed", "Seed of the random sample.")
    count, drawn = st.columns(2)
    with count:
        controls.number(run, "anchors", "Anchors", "They include the known pairs.", most=rows)
    with drawn:
        controls.number(run, "anchor_seed", "Anchor sampling seed", "Seed of the random sample.")
    controls.choice(run, "method", "Method", SOLVERS, SOLVERS_HELP)
    controls.slider(run, "held_out", "Share held out", 0.05, HELD_OUT_HELP)
    controls.choice(run, "beside", "Compare with", BESIDES, BESIDES_HELP)
    controls.toggle(run, "known", "Ground truth available", KNOWN_HELP)


def show_options(run: Run) -> None:
    """Every option of the method, with what it means."""
    with st.expander("Solver options"):
        controls.number(run, "seed", "Solver seed", "Seed of every random choice of the solver.")
        try:
            options = chosen_options(run.method, run.options)
        except relviz.Error as reason:
            st.warning(verbatim(reason), icon=":material/tune:")
            options = None
        for option in options_of(run.method) if options is not None else ():
            _show(run, option, getattr(options, option.name))
        if run.options:
            st.button("Reset to defaults", on_click=lambda: state.change_run(options=""), width="stretch")


def _show(run: Run, option: Option, value: Setting) -> None:
    key = f"choice_ao_option_{run.method}_{option.name}"
    st.session_state[key] = _shown(option, value)

    def take() -> None:
        try:
            chosen = option.kind(st.session_state[key])
            text = set_option(run.method, run.options, option.name, chosen)
            chosen_options(run.method, text)
        except (ValueError, TypeError):
            return
        state.change_run(options=text)

    label = option.name.replace("_", " ").capitalize()
    about: dict[str, Any] = {"help": option.meaning.replace("``", "`") or None, "key": key, "on_change": take}
    if option.kind is bool:
        st.toggle(label, **about)
    elif option.kind is int:
        st.number_input(label, step=1, **about)
    else:
        st.text_input(label, **about)


def _shown(option: Option, value: Setting) -> Setting:
    return value if option.kind in (bool, int) else f"{value:g}" if option.kind is float else str(value)


def pick_seeds(run: Run, comparison: Comparison, choices: MapChoices) -> None:
    """Choose seeds on a map of both absolute spaces; those chosen can be taken out by name.

    Open until there is a run to look at.
    """
    pair = comparison.pair
    picks = [row for row in run.hand if row < len(pair)]
    with st.expander("Known pairs chosen by hand", expanded=not has_begun(run, pair)):
        st.session_state["choice_ao_hand"] = picks
        st.multiselect(
            "Known pairs",
            picks,
            format_func=lambda row: pair.items[row],
            key="choice_ao_hand",
            placeholder="None yet. Search, or select items on the map by click, box or lasso",
            on_change=lambda: state.change_run(hand=tuple(st.session_state["choice_ao_hand"])),
        )
        panes, _ = row_panes(comparison, alone(choices), "absolute")
        pictures = pictures_of(*comparison.sources)
        rows = np.array(picks, dtype=np.int64)
        event = show_map(pair, panes, rows, "ao_pick", pictures, anchors_shown=True, height=420)
        _offer(run.hand, tuple(event.selected[:MOST_PICKS].tolist()))


def _offer(hand: tuple[int, ...], rows: tuple[int, ...]) -> None:
    if not rows:
        st.caption("The solver is given each item's counterpart in B.")
        return
    offer_rows(
        rows,
        hand,
        lambda picks: state.change_run(hand=picks),
        (
            f"Make the {plural(len(rows), 'selected item')} known pairs",
            f"Add to the {count(len(hand))} chosen",
        ),
        addable=bool(hand),
    )

"""What can be chosen about a run of anchor optimization, in the sidebar."""

import numpy as np
import streamlit as st

import relviz
from relviz.figures.panes import alone
from relviz.figures.pictures import pictures_of
from relviz.results.comparison import Comparison
from relviz.state.solver_options import Option, Setting, options_of, set_option, settings_of
from relviz.state.view import MOST_PICKS, MapChoices, Run
from relviz.ui import controls, state
from relviz.ui.bootstrap.runs import has_started
from relviz.ui.maps import row_panes, show_map
from relviz.ui.selection import offer_rows
from relviz.ui.verbatim import verbatim
from relviz.wording import count, plural


def choose_run(run: Run, rows: int) -> None:
    """Seeds, anchors, the method, and what is shown beside, of a run of a pair of so many rows."""
    controls.choose(run, "seeding")
    if run.seeding in ("uniform", "per_class"):
        many, draw = st.columns(2)
        with many:
            controls.choose(run, "seeds", rows)
        with draw:
            controls.choose(run, "draw")
    count, drawn = st.columns(2)
    with count:
        controls.choose(run, "anchors", rows)
    with drawn:
        controls.choose(run, "anchor_seed")
    for name in ("method", "held_out", "beside", "known"):
        controls.choose(run, name)


def show_options(run: Run) -> None:
    """Every option of the method, with what it means."""
    with st.expander(Run.choice("options").label):
        controls.choose(run, "seed")
        try:
            settings = settings_of(run.method, run.options)
        except relviz.Error as reason:
            st.warning(verbatim(reason), icon=":material/tune:")
            settings = {}
        for option in options_of(run.method) if settings else ():
            _show(run, option, settings[option.name])
        if run.options:
            st.button("Reset to defaults", on_click=lambda: state.change_run(options=""), width="stretch")


def _show(run: Run, option: Option, value: Setting) -> None:
    key = f"choice_ao_option_{run.method}_{option.name}"
    st.session_state[key] = (
        value if isinstance(value, int) else f"{value:g}" if isinstance(value, float) else value
    )

    def take() -> None:
        try:
            chosen = option.read(str(st.session_state[key]))
            text = set_option(run.method, run.options, option.name, chosen)
        except relviz.Error:
            return
        state.change_run(options=text)

    help = option.meaning or None
    if isinstance(option.default, bool):
        st.toggle(option.label, help=help, key=key, on_change=take)
    elif isinstance(option.default, int):
        st.number_input(option.label, step=1, help=help, key=key, on_change=take)
    else:
        st.text_input(option.label, help=help, key=key, on_change=take)


def pick_seeds(run: Run, comparison: Comparison, choices: MapChoices) -> None:
    """Choose seeds on a map of both absolute spaces; those chosen can be taken out by name.

    Open until there is a run to look at.
    """
    pair = comparison.pair
    picks = [row for row in run.hand if row < len(pair)]
    with st.expander("Known pairs chosen by hand", expanded=not has_started(run, pair)):
        st.session_state["choice_ao_hand"] = picks
        choice = Run.choice("hand")
        st.multiselect(
            choice.label,
            picks,
            format_func=lambda row: pair.items[row],
            help=choice.help,
            key="choice_ao_hand",
            placeholder="None yet. Search, or select items on the map by click, box or lasso",
            on_change=lambda: state.change_run(hand=tuple(st.session_state["choice_ao_hand"])),
        )
        panes, _ = row_panes(comparison, alone(choices), "absolute")
        pictures = pictures_of(*comparison.sources)
        rows = np.array(picks, dtype=np.int64)
        event = show_map(
            pair,
            panes,
            rows,
            "ao_pick",
            pictures,
            anchors_shown=True,
            height=420,
            star_name="known pairs",
            below=190,
        )
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

"""What can be chosen about a run of anchor optimization, in the sidebar."""

from typing import Any

import numpy as np
import streamlit as st

import relviz
from relviz.bootstrapping.split import FEWEST_HELD, FEWEST_ROWS
from relviz.figures.panes import alone
from relviz.figures.pictures import pictures_of
from relviz.results.comparison import comparison_of
from relviz.state import View
from relviz.state.solver_options import Option, chosen_options, options_of, set_option
from relviz.state.view import MOST_PICKS, Run
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

KNOWN_HELP = """Tick it if row i of B truly is the partner of row i of A. Then right and wrong are shown, and
retrieval beside that of the true anchors and of the seeds alone. The solver is never told: it gets the rows
of B in random order."""
HELD_OUT_HELP = f"""Items that take no part in the run, neither in A nor in B. It is measured with them. 0:
none. Fewer than {FEWEST_ROWS} items, or fewer than {FEWEST_HELD} to hold out, and none are."""


def choose_run(run: Run, rows: int) -> None:
    """Seeds, anchors, the method, and what is shown beside, of a run of a pair of so many rows."""
    controls.choice(run, "seeding", "Seeds", SEEDINGS, SEEDINGS_HELP)
    if run.seeding in ("uniform", "per_class"):
        many, draw = st.columns(2)
        with many:
            controls.number(run, "seeds", "How many seeds", most=rows)
        with draw:
            controls.number(run, "draw", "Draw of seeds", "The seed of their draw.")
    count, drawn = st.columns(2)
    with count:
        controls.number(run, "anchors", "Anchors", "The seeds are among them.", most=rows)
    with drawn:
        controls.number(run, "anchor_seed", "Draw of anchors", "The seed of their draw.")
    controls.choice(run, "method", "Method", SOLVERS, SOLVERS_HELP)
    controls.slider(run, "held_out", "Share held out", 0.05, HELD_OUT_HELP)
    controls.choice(run, "beside", "Compare with", BESIDES, BESIDES_HELP)
    controls.toggle(run, "known", "I know the pairing", KNOWN_HELP)


def show_options(run: Run) -> None:
    """Every option of the method, with what it means."""
    with st.expander("Options of the method"):
        controls.number(run, "seed", "Seed of the solver", "Of every random choice that it makes.")
        try:
            options = chosen_options(run.method, run.options)
        except relviz.Error as reason:
            st.warning(verbatim(reason), icon=":material/tune:")
            options = None
        for option in options_of(run.method) if options is not None else ():
            _show(run, option, getattr(options, option.name))
        if run.options:
            st.button("Back to the defaults", on_click=lambda: state.change_run(options=""), width="stretch")


def _show(run: Run, option: Option, value: Any) -> None:
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


def _shown(option: Option, value: Any) -> Any:
    return value if option.kind in (bool, int) else f"{value:g}" if option.kind is float else str(value)


def pick_seeds(view: View, pair: relviz.Pair) -> None:
    """Choose seeds on a map of both absolute spaces; those chosen can be taken out by name.

    Open until there is a run to look at.
    """
    picks = [row for row in view.ao.hand if row < len(pair)]
    with st.expander("Seeds chosen by hand", expanded=not has_begun(view.ao, pair)):
        st.session_state["choice_ao_hand"] = picks
        st.multiselect(
            "Seeds",
            picks,
            format_func=lambda row: pair.items[row],
            key="choice_ao_hand",
            placeholder="None yet: select items on the map, by text or with a click, a box or a lasso",
            on_change=lambda: state.change_run(hand=tuple(st.session_state["choice_ao_hand"])),
        )
        panes, _ = row_panes(comparison_of(view, pair), alone(view.map_choices), "absolute")
        pictures = pictures_of(view.a, view.b)
        rows = np.array(picks, dtype=np.int64)
        event = show_map(pair, panes, rows, "ao_pick", pictures, anchors_shown=True, height=420)
        _offer(view.ao.hand, tuple(event.selected[:MOST_PICKS].tolist()))


def _offer(hand: tuple[int, ...], rows: tuple[int, ...]) -> None:
    if not rows:
        st.caption("The same item is the seed in both spaces: its partner in B is given to the solver.")
        return
    offer_rows(
        rows,
        hand,
        lambda picks: state.change_run(hand=picks),
        (f"Make the {plural(len(rows), 'selected item')} the seeds", f"Add to the {count(len(hand))} chosen"),
        addable=bool(hand),
    )

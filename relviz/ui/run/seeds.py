"""Seeds chosen by hand: points of the map whose partner is known."""

import numpy as np
import streamlit as st

import relviz
from relviz.ui import state
from relviz.ui.maps import show_map
from relviz.ui.panes import row_panes
from relviz.ui.run.page import has_begun
from relviz.ui.selection import offer_rows
from relviz.view import View
from relviz.view.choices import MOST_PICKS
from relviz.wording import count, plural


def pick_seeds(view: View, pair: relviz.Pair) -> None:
    """Choose seeds on a map of both absolute spaces; those chosen can be taken out by name.

    Open until there is a run to look at.
    """
    picks = [row for row in view.ao.hand if row < len(pair)]
    with st.expander("Seeds chosen by hand", expanded=not has_begun(view, pair)):
        st.session_state["choice_ao_hand"] = picks
        st.multiselect(
            "Seeds",
            picks,
            format_func=lambda row: pair.items[row],
            key="choice_ao_hand",
            placeholder="None yet: select items on the map, by text or with a click, a box or a lasso",
            on_change=lambda: state.change_run(hand=tuple(st.session_state["choice_ao_hand"])),
        )
        drawn = view.with_changes(projection="pca", fit_absolute="independent")
        panes, _ = row_panes(drawn, pair, "absolute")
        event = show_map(
            view, pair, panes, np.array(picks, dtype=np.int64), "ao_pick", anchors_shown=True, height=420
        )
        _offer(view, tuple(event.selected[:MOST_PICKS].tolist()))


def _offer(view: View, rows: tuple[int, ...]) -> None:
    if not rows:
        st.caption("The same item is the seed in both spaces: its partner in B is given to the solver.")
        return
    hand = view.ao.hand
    offer_rows(
        rows,
        hand,
        lambda picks: state.change_run(hand=picks),
        (f"Make the {plural(len(rows), 'selected item')} the seeds", f"Add to the {count(len(hand))} chosen"),
        addable=bool(hand),
    )

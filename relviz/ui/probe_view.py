"""The probe on screen: one thing through encoder A, the anchors, into B's space, and what is made of it."""

import streamlit as st

import relviz
from relviz.ui import state
from relviz.ui.job_view import result_or_progress
from relviz.ui.verbatim import verbatim
from relviz.view import View
from relviz.view.heads import heads_task
from relviz.view.probe import Near, Opinion, Probe, probe_item
from relviz.view.translation import sides_of


def show_probe(view: View, pair: relviz.Pair) -> None:
    """Choose something, and see where it lands."""
    row = _choose_item(view, pair)
    try:
        _wait_for_heads(view, pair)
        probe = probe_item(view, pair, row)
    except relviz.Error as reason:
        st.error(verbatim(reason), icon=":material/error:")
        return
    show_found(view, pair, probe)


def _choose_item(view: View, pair: relviz.Pair) -> int:
    st.session_state["choice_item"] = min(view.item, len(pair) - 1)
    row: int = st.selectbox(
        "Item",
        range(len(pair)),
        format_func=lambda one: pair.items[one][:80],
        key="choice_item",
        on_change=lambda: state.change(item=st.session_state["choice_item"]),
        help="Type to find one, or select it on the maps of Translate.",
    )
    return row


def _wait_for_heads(view: View, pair: relviz.Pair) -> None:
    try:
        result_or_progress("heads", heads_task(view, pair))
    except relviz.Error as reason:
        st.caption(verbatim(reason))


def show_found(view: View, pair: relviz.Pair, probe: Probe) -> None:
    """The verdict in a sentence, what is near in either space, and what either head says."""
    source, target = sides_of(view, pair)
    _say(pair, probe, target.name)
    lists = {
        f"Near it in {source.name}": probe.here,
        f"Carried over, near it in {target.name}": probe.carried,
        f"Near it as {target.name} itself sees it": probe.there,
    }
    for column, (words, near) in zip(st.columns(3), lists.items(), strict=True):
        with column:
            st.markdown(f"**{verbatim(words)}**")
            if near is None:
                st.caption(f"{verbatim(target.name)} cannot be asked about something new here.")
            else:
                _show_near(pair, near, probe)
    opinions = {
        f"What {source.name}'s own head says": probe.own,
        f"What {target.name}'s head says of what was carried over": probe.target,
    }
    for column, (words, opinion) in zip(st.columns(2), opinions.items(), strict=True):
        if opinion is not None:
            with column:
                st.markdown(f"**{verbatim(words)}**")
                _show_opinion(opinion, probe.truth)


def _say(pair: relviz.Pair, probe: Probe, target: str) -> None:
    said = []
    if probe.row is not None:
        place = probe.place
        said.append(
            f"**{verbatim(pair.items[probe.row][:200])}** "
            + (
                "lands nearest to itself."
                if place == 1
                else f"lands wrong: it is number {place} among what is near."
                if place
                else "lands wrong: it is not among what is near."
            )
        )
    if probe.cosine is not None:
        said.append(f"Cosine to its true place in {verbatim(target)}: {probe.cosine:.3f}.")
    if probe.own is not None and probe.target is not None:
        own, told = probe.own.classes[0][0], probe.target.classes[0][0]
        same = "the two heads agree" if own == told else "the two heads disagree"
        right = ""
        if probe.truth is not None:
            wrong = [who for who, one in (("its own", own), ("the other", told)) if one != probe.truth]
            right = f"; {' and '.join(wrong)} is wrong" if wrong else "; both are right"
        said.append(f"{same[0].upper()}{same[1:]}{right}.")
    st.markdown(" ".join(said))
    if probe.trained:
        st.caption("This item is an anchor or trained a head: it is no test of either.")


def _show_near(pair: relviz.Pair, near: Near, probe: Probe) -> None:
    st.dataframe(
        {
            "item": [("★ " if row == probe.row else "") + pair.items[row][:60] for row, _ in near],
            "cosine": [round(cosine, 3) for _, cosine in near],
        },
        hide_index=True,
        alt="The nearest items and their cosines",
    )


def _show_opinion(opinion: Opinion, truth: str | None) -> None:
    for name, share in opinion.classes:
        mark = "" if truth is None else " ✓" if name == truth else ""
        st.progress(min(1.0, share), text=f"{verbatim(name)}{mark} · {share:.0%}")

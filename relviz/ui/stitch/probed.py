"""What becomes of a probe: where it lands, what is near it there, and what either head says of it."""

import streamlit as st

import relviz
from relviz.ui.verbatim import verbatim
from relviz.view import View
from relviz.view.probe import Near, Opinion, Probe
from relviz.view.translation import sides_of


def show_found(view: View, pair: relviz.Pair, probe: Probe) -> None:
    """The verdict in a sentence, what is near in either space, and what either head says."""
    source, target = (verbatim(side.name) for side in sides_of(view, pair))
    _show_verdict(pair, probe, target)
    lists = {
        f"In {source}, near it": probe.here,
        f"Carried into {target}, near it": probe.carried,
        f"What {target} itself would find": probe.there,
    }
    for column, (words, near) in zip(st.columns(3), lists.items(), strict=True):
        with column:
            st.markdown(f"**{words}**")
            if near is None:
                st.caption(f"{target} cannot be asked about this: it takes other things, or is not here.")
            else:
                _show_near(pair, near, probe, words)
    if probe.own is not None and probe.target is not None:
        left, right = st.columns(2)
        with left:
            st.markdown(f"**The head of {source} says**")
            _show_opinion(probe.own, probe.truth)
        with right:
            st.markdown(f"**The head of {target}, of what was carried over**")
            _show_opinion(probe.target, probe.truth)
        st.caption(_heads_words(probe.own.classes[0][0], probe.target.classes[0][0], probe.truth))
    if probe.trained:
        st.caption("This item is an anchor or trained a head: it is no test of either.")


def _show_verdict(pair: relviz.Pair, probe: Probe, target: str) -> None:
    many = len(probe.carried)
    say, icon = st.success, ":material/check_circle:"
    if probe.row is not None:
        item, place = verbatim(pair.items[probe.row][:200]), probe.place
        fine = place == 1
        said = f"**{item}** lands nearest to itself." if fine else f"**{item}** lands wrong: "
        if not fine:
            said += f"it is number {place} near it." if place else f"it is not among the {many} nearest."
    else:
        fine = probe.shared != 0
        said = f"It lands nearest to **{verbatim(pair.items[probe.carried[0][0]][:80])}**."
        if not fine:
            said += f" That is wrong: {target} itself finds none of the {many} items near it."
        if probe.shared is None:
            said += f" Of what is near it before, {probe.stayed} of {many} are near it after."
            say, icon = st.info, ":material/travel_explore:"
    if probe.shared:
        said += f" {target} itself finds {probe.shared} of the {_others(probe)} near it."
    if probe.cosine is not None:
        said += f" Cosine to {target}'s own vector of it: {probe.cosine:.3f}."
    if not fine:
        say, icon = st.warning, ":material/wrong_location:"
    say(said, icon=icon)


def _others(probe: Probe) -> str:
    return f"{len(probe.others)} items" if probe.row is None else f"{len(probe.others)} others"


def _heads_words(own: str, told: str, truth: str | None) -> str:
    if truth is None:
        return "The heads agree." if own == told else "The heads disagree; which is right is not known here."
    wrong = [which for which, said in (("left", own), ("right", told)) if said != truth]
    if not wrong:
        return "Both heads are right."
    which = f"The {wrong[0]} head is" if len(wrong) == 1 else "Both heads are"
    return f"{which} wrong: it is {verbatim(truth)}."


def _show_near(pair: relviz.Pair, near: Near, probe: Probe, words: str) -> None:
    st.dataframe(
        {
            "cosine": [cosine for _, cosine in near],
            "item": [("★ " if row == probe.row else "") + pair.items[row][:200] for row, _ in near],
        },
        hide_index=True,
        column_config={"cosine": st.column_config.NumberColumn(format="%.3f", width=70)},
        alt=words,
    )


def _show_opinion(opinion: Opinion, truth: str | None) -> None:
    for name, share in opinion.classes:
        mark = " ✓" if name == truth else ""
        st.progress(min(1.0, share), text=f"{verbatim(name)}{mark} · {share:.0%}")

"""What is probed: an item, a sentence that is typed, or a picture."""

import textwrap

import streamlit as st

import relviz
from relviz.figures.kinds.probe import options_of
from relviz.results.heads import heads_of, heads_task
from relviz.results.probe import (
    LONGEST,
    SIDE,
    Near,
    Opinion,
    Probe,
    as_typed,
    live_encoders,
    pixels,
    probe_item,
    probe_new,
    probed_item,
    small_picture,
    unused_items,
)
from relviz.results.translation import TranslationProblem
from relviz.state import View
from relviz.ui import state
from relviz.ui.cells import show_picture
from relviz.ui.figure_button import figure_button
from relviz.ui.item_rows import have_pictures
from relviz.ui.item_table import show_item_table
from relviz.ui.job_view import result_or_progress
from relviz.ui.names import name_of
from relviz.ui.verbatim import verbatim
from relviz.ui.warming import warm_encoders


def show_found(problem: TranslationProblem, probe: Probe) -> None:
    """The verdict in a sentence, what is near in either space, and what either head says."""
    pair = problem.pair
    source, target = (verbatim(side.name) for side in (problem.source, problem.target))
    _show_verdict(pair, probe, target)
    lists = {
        f"Nearest in {source}": probe.here,
        f"Translated into {target}": probe.translated,
        f"{target}'s own nearest": probe.there,
    }
    for column, (words, near) in zip(st.columns(3), lists.items(), strict=True):
        with column:
            st.markdown(f"**{words}**")
            if near is None:
                st.caption(
                    f"{target} cannot encode this: it takes another kind of input, or is not installed."
                )
            else:
                _show_near(problem, near, probe, words)
    if probe.own is not None and probe.target is not None:
        left, right = st.columns(2)
        with left:
            st.markdown(f"**Prediction of {source}'s head**")
            _show_opinion(probe.own, probe.truth)
        with right:
            st.markdown(f"**Prediction of {target}'s head, translated**")
            _show_opinion(probe.target, probe.truth)
        st.caption(_heads_words(probe.own.classes[0][0], probe.target.classes[0][0], probe.truth))
    if probe.trained:
        st.caption("This item is an anchor or a training row, so it tests neither translation nor head.")


def _show_verdict(pair: relviz.Pair, probe: Probe, target: str) -> None:
    many = len(probe.translated)
    say, icon = st.success, ":material/check_circle:"
    if probe.row is not None:
        item, place = verbatim(pair.items[probe.row][:200]), probe.place
        fine = place == 1
        verdict = (
            f"**{item}** is translated correctly: its counterpart has rank 1."
            if fine
            else f"**{item}** is mistranslated: "
        )
        if not fine:
            verdict += (
                f"its counterpart has rank {place}."
                if place
                else (f"its counterpart is not among the {many} nearest.")
            )
    else:
        fine = probe.shared != 0
        verdict = f"Its translation is nearest to **{verbatim(pair.items[probe.translated[0][0]][:80])}**."
        if not fine:
            verdict += f" That is wrong: none of these {many} is near it in {target} itself."
        if probe.shared is None:
            verdict += f" {probe.stayed} of {many} neighbors are preserved."
            say, icon = st.info, ":material/travel_explore:"
    if probe.shared:
        verdict += f" {probe.shared} of the {_others(probe)} are also near it in {target} itself."
    if probe.cosine is not None:
        verdict += f" Cosine similarity to {target}'s own vector: {probe.cosine:.3f}."
    if not fine:
        say, icon = st.warning, ":material/wrong_location:"
    say(verdict, icon=icon)


def _others(probe: Probe) -> str:
    return f"{len(probe.others)} items" if probe.row is None else f"{len(probe.others)} others"


def _heads_words(own: str, translated: str, truth: str | None) -> str:
    if truth is None:
        return "The heads agree." if own == translated else "The heads disagree. The true class is unknown."
    wrong = [which for which, predicted in (("left", own), ("right", translated)) if predicted != truth]
    if not wrong:
        return "Both heads are right."
    which = f"The {wrong[0]} head is" if len(wrong) == 1 else "Both heads are"
    return f"{which} wrong: it is {verbatim(name_of(truth))}."


def _show_near(problem: TranslationProblem, near: Near, probe: Probe, words: str) -> None:
    items = [("★ " if row == probe.row else "") + problem.pair.items[row][:200] for row, _ in near]
    sources = problem.comparison.sources
    if max(map(len, items)) > ONE_LINE and not have_pictures(sources):
        cosines = [f"{cosine:.3f}" for _, cosine in near]
        texts = [verbatim(textwrap.shorten(item, TWO_LINES, placeholder=" …")) for item in items]
        st.table({"cosine": cosines, "item": texts}, hide_index=True)
        return
    show_item_table(
        sources,
        [row for row, _ in near],
        {"cosine": [cosine for _, cosine in near], "item": items},
        words,
        config={"cosine": st.column_config.NumberColumn(format="%.3f", width=70)},
    )


ONE_LINE, TWO_LINES = 36, 66
"""Letters of an item that fit beside its cosine."""


def _show_opinion(opinion: Opinion, truth: str | None) -> None:
    for name, share in opinion.classes:
        mark = " ✓" if name == truth else ""
        st.progress(min(1.0, share), text=f"{verbatim(name_of(name))}{mark} · {share:.0%}")


WAYS = {"item": "An item", "text": "A sentence", "image": "An image"}
PICTURES = ["png", "jpg", "jpeg", "webp", "gif", "bmp"]
GIVEN = "relviz_probe_picture"
"""Where the session keeps the picture of a recipe that was opened."""


def show_probe(problem: TranslationProblem, head: str, item: int) -> None:
    """Choose an item, type a sentence or give a picture, and see where it lands; ``head`` is a kind."""
    way = _choose_way(problem)
    try:
        what = _choose_item(problem, item) if way == "item" else _ask(problem.sources, way)
        if what is None:
            return
        _wait_for_heads(problem.pair, head)
        heads = heads_of(problem.pair, head, problem.choices.back)
        if isinstance(what, int):
            probe = probe_item(problem, what, heads)
        else:
            with st.spinner("Encoding. Loading the encoders takes a few seconds the first time."):
                probe = probe_new(problem, what, heads)
    except relviz.Error as reason:
        st.error(verbatim(reason), icon=":material/error:")
        return
    show_found(problem, probe)
    try:
        figure_button({"probe": options_of(what)}, "probe")
    except relviz.Error as reason:
        st.caption(verbatim(reason))


def _choose_way(problem: TranslationProblem) -> str:
    source, target = live_encoders(problem.sources)
    warm_encoders([one.name for one in (source, target) if one is not None])
    ways = ["item"] if source is None else ["item", source.card().modality]
    if len(ways) == 1:
        name = verbatim(problem.source.name)
        st.caption(
            f"Items only: the encoder of {name} is not installed. Demos with live encoders are emoji "
            "(images, English names) and glosses (MiniLM, WordLlama)."
        )
        return "item"
    if st.session_state.get("probe_way") not in ways:
        st.session_state["probe_way"] = "item"
    chosen = st.segmented_control(
        "Probe",
        ways,
        format_func=WAYS.__getitem__,
        key="probe_way",
        label_visibility="collapsed",
    )
    return chosen or "item"


def _ask(sources: tuple[str, str], way: str) -> str | bytes | None:
    source, _ = live_encoders(sources)
    assert source is not None
    about = source.card()
    if way == "text":
        text = st.text_input(
            f"Sentence for {about.title}",
            key="probe_text",
            max_chars=LONGEST,
            placeholder="Type and press Enter: a small dog that is happy to see you",
        )
        return as_typed(text) or None
    given = st.file_uploader(
        f"Image for {about.title}",
        PICTURES,
        key="probe_picture",
        help="It is placed on white and resized to 128 × 128 pixels, like the emoji.",
    )
    if given is not None:
        st.session_state.pop(GIVEN, None)
    content: bytes | None = st.session_state.get(GIVEN) if given is None else given.getvalue()
    if content is None:
        return None
    seen = small_picture(sources, content)
    show_picture(pixels(seen, SIDE), SIDE, "Probed image")
    if given is None:
        st.caption("Image from the opened recipe. Choose another to replace it.")
    return seen


def _choose_item(problem: TranslationProblem, item: int) -> int:
    pair, unused = problem.pair, unused_items(problem)
    st.session_state["choice_item"] = probed_item(problem, item)
    left, right = st.columns([5, 1], vertical_alignment="bottom")
    choice = View.choice("item")
    row: int = left.selectbox(
        choice.label,
        range(len(pair)),
        format_func=lambda one: pair.items[one][:80],
        key="choice_item",
        on_change=lambda: state.change(item=st.session_state["choice_item"]),
        help=choice.help,
    )
    place = unused.index(row) + 1 if row in unused else 0
    right.button(
        "Resample",
        icon=":material/shuffle:",
        on_click=state.change,
        kwargs={"item": unused[place % len(unused)]},
        help="Samples another item that is neither an anchor nor a training row.",
    )
    return row


def _wait_for_heads(pair: relviz.Pair, head: str) -> None:
    try:
        result_or_progress("heads", heads_task(pair, head))
    except relviz.Error as reason:
        st.caption(verbatim(reason))

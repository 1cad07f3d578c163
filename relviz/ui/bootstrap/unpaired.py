"""Two spaces that nothing matches: the known pairs, the search, and what it found."""

from collections.abc import Sequence

import streamlit as st

import relviz
from relviz.compute.jobs import Job
from relviz.figures.kinds.bootstrap import options_of
from relviz.figures.pictures import cells_of_space
from relviz.results.unpaired import (
    NO_HINTS,
    Correspondence,
    Hinted,
    one_to_one,
    pair_found,
    shared_classes,
    shared_names,
    unpaired_task,
)
from relviz.state.known_pairs import Known, groups, known_pairs, names_of, non_matches
from relviz.state.view import Run
from relviz.ui.bootstrap.outcome import show_verdict
from relviz.ui.cells import as_uri
from relviz.ui.figure_button import figure_button
from relviz.ui.job_view import show_job, start
from relviz.ui.names import space_shown
from relviz.ui.pair_view import choose_pair
from relviz.ui.thumbnail import show_thumbnail
from relviz.ui.verbatim import verbatim
from relviz.wording import count, plural

LISTED = 200


def show_unpaired(source_a: str, source_b: str, seed: int) -> None:
    """What can be done for two spaces without a pairing, on the Bootstrap page; ``seed`` is of the search."""
    a, b = space_shown(source_a), space_shown(source_b)
    _show_both((source_a, source_b))
    st.info(
        f"The correspondence between {verbatim(a.name)} ({plural(len(a), 'row')}) and {verbatim(b.name)} "
        f"({plural(len(b), 'row')}) is unknown. Anchor optimization can find it, ideally from a few known "
        "pairs. It assumes that both contain mostly the same items.",
        icon=":material/link_off:",
    )
    text = st.text_area(
        "Known pairs, one per line: name in A, comma, name in B",
        key="unpaired_known",
        height=140,
        placeholder=f"{_name(a)}, {_name(b)}",
        help="Names are ids or items, otherwise row numbers from 1. For a name that contains a comma, "
        "write its row number: row 5. Encoders of similar items often need none. If the search "
        "fails, it says so; a few known pairs then help most.",
    )
    try:
        known = known_pairs(text, a, b)
        hinted = _choose_hints(a, b)
    except relviz.Error as reason:
        st.error(verbatim(reason), icon=":material/error:")
        return
    task = unpaired_task(source_a, source_b, known, seed, hinted)
    found = task.stored()
    if found is not None:
        _show_found((source_a, source_b), known, found, hinted)
        return
    job: Job[str] | None = task.job()
    if job is not None:
        show_job(job, task)
        return
    words = f"Find correspondences from {plural(len(known), 'known pair')}"
    words += "" if hinted == NO_HINTS else " and hints"
    st.button(words, type="primary", icon=":material/play_arrow:", on_click=start, args=(task,))


def _choose_hints(a: relviz.Space, b: relviz.Space) -> Hinted:
    """What else is known of the rows; ParameterError where a text cannot be read."""
    with st.expander("Hints: classes, names, groups, non-matches", icon=":material/tips_and_updates:"):
        same = shared_names(a, b)
        classes = shared_classes(a, b)
        left, right = st.columns(2)
        labels = left.toggle(
            f"Classes correspond ({count(len(classes))} in both)",
            key="unpaired_labels",
            disabled=not classes,
            help="Items of one class are matched with each other rather than with those of another class.",
        )
        names = right.toggle(
            f"Start from equal names ({count(len(same))} in both)",
            key="unpaired_names",
            disabled=not same,
            help="Items with the same name in A and B, such as numbers, people or cognates, are probable "
            "pairs. The search starts from them but may drop them.",
        )
        groups_text = left.text_area(
            "Groups, one per line: names in A | names in B",
            key="unpaired_groups",
            height=90,
            help="Each of these items of A is one of those items of B. Separate names by commas.",
        )
        apart = right.text_area(
            "Known non-matches, one per line: name in A, name in B",
            key="unpaired_apart",
            height=90,
            help="These two are never matched with each other.",
        )
        return Hinted(
            labels and bool(classes),
            names and bool(same),
            non_matches(apart, a, b),
            groups(groups_text, a, b),
        )


def _show_both(sources: tuple[str, str]) -> None:
    for column, side, source in zip(st.columns(2), "AB", sources, strict=True):
        space = space_shown(source)
        with column.container(border=True, gap="xsmall"):
            st.caption(f"**{side}: {verbatim(space.name)}**, {count(len(space))} × {count(space.dimension)}")
            show_thumbnail(source, (480, 190), fill=True)


def _name(space: relviz.Space) -> str:
    return names_of(space)[0].replace(",", "")[:40]


def _show_found(sources: tuple[str, str], known: Known, found: Correspondence, hinted: Hinted) -> None:
    seeding = "hand" if known else "none"
    with st.container(horizontal=True, vertical_alignment="center"):
        show_verdict(Run(seeding=seeding, seeds=len(known)), found.verdict)
    rows, counterparts = one_to_one(found.matches, found.similarity)
    similarity = found.similarity[rows]
    order = similarity.argsort()[::-1][:LISTED]
    listed: dict[str, Sequence[object]] = {}
    for side, source, of in zip("AB", sources, (rows, counterparts), strict=True):
        taken = [of[at] for at in order]
        if cells := cells_of_space(source, taken):
            listed[f"{side} (image)"] = [as_uri(pixels) for pixels in cells]
        names = names_of(space_shown(source))
        listed[side] = [names[row] for row in taken]
    images = [name for name in listed if name not in ("A", "B")]
    if found.has_counterpart is not None:
        listed["probability"] = found.has_counterpart[rows][order].tolist()
    st.dataframe(
        {**listed, "similarity": similarity[order]},
        hide_index=True,
        column_config={
            "similarity": st.column_config.NumberColumn(format="%.3f", width=90),
            "probability": st.column_config.NumberColumn(format="%.2f", width=90),
            **{name: st.column_config.ImageColumn(width=80) for name in images},
        },
        alt="Correspondences found, most similar first",
    )
    st.caption(
        f"{count(len(rows))} rows of A are matched one-to-one with rows of B. Similarity is the cosine of "
        "their relative vectors. Probability estimates whether the match is the true counterpart. "
        f"The {min(LISTED, len(rows))} most similar are listed. The files under Figure contain all of them."
    )
    with st.container(horizontal=True, vertical_alignment="center"):
        st.button(
            f"Use these {count(len(rows))} as the pairing",
            type="primary" if found.verdict.converged else "secondary",
            icon=":material/link:",
            on_click=_take,
            args=(sources, found),
            help="Makes them the pair on every page. Your two spaces stay on the shelf unchanged.",
        )
        if hinted != NO_HINTS:
            st.caption("Figures are available only for searches without hints.")
            return
        try:
            figure_button({"correspondences": options_of(known)}, "correspondences")
        except relviz.Error as reason:
            st.caption(verbatim(reason))


def _take(sources: tuple[str, str], found: Correspondence) -> None:
    a, b, _ = pair_found(*sources, found)
    choose_pair(a, b)

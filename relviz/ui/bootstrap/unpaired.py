"""Two spaces that nothing matches: the known pairs, the search, and what it found."""

import streamlit as st

import relviz
from relviz.compute.jobs import Job
from relviz.figures.kinds.bootstrap import options_of
from relviz.results.unpaired import Correspondence, one_to_one, pair_found, unpaired_task
from relviz.state.known_pairs import Known, known_pairs, names_of
from relviz.state.sources import open_space
from relviz.state.view import Run
from relviz.ui.bootstrap.outcome import show_verdict
from relviz.ui.figure_button import figure_button
from relviz.ui.job_view import show_job, start
from relviz.ui.pair_view import choose_pair
from relviz.ui.verbatim import verbatim
from relviz.wording import count, plural

LISTED = 200


def show_unpaired(source_a: str, source_b: str, seed: int) -> None:
    """What can be done for two spaces without a pairing, on the Bootstrap page; ``seed`` is of the search."""
    a, b = open_space(source_a), open_space(source_b)
    st.info(
        f"It is not known which row of {verbatim(a.name)} ({plural(len(a), 'row')}) belongs to which of "
        f"{verbatim(b.name)} ({plural(len(b), 'row')}). Anchor optimization can find the correspondences, "
        "best from a few known pairs. It assumes that both hold mostly the same items.",
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
    except relviz.Error as reason:
        st.error(verbatim(reason), icon=":material/error:")
        return
    task = unpaired_task(source_a, source_b, known, seed)
    found = task.kept()
    if found is not None:
        _show_found((source_a, source_b), known, found)
        return
    job: Job[str] | None = task.job()
    if job is not None:
        show_job(job, task)
        return
    words = f"Find correspondences from {plural(len(known), 'known pair')}"
    st.button(words, type="primary", icon=":material/play_arrow:", on_click=start, args=(task,))


def _name(space: relviz.Space) -> str:
    return names_of(space)[0].replace(",", "")[:40]


def _show_found(sources: tuple[str, str], known: Known, found: Correspondence) -> None:
    seeding = "hand" if known else "none"
    with st.container(horizontal=True, vertical_alignment="center"):
        show_verdict(Run(seeding=seeding, seeds=len(known)), found.verdict)
    rows, counterparts = one_to_one(found.matches, found.similarity)
    similarity = found.similarity[rows]
    order = similarity.argsort()[::-1][:LISTED]
    names_a, names_b = (names_of(open_space(source)) for source in sources)
    st.dataframe(
        {
            "A": [names_a[rows[at]] for at in order],
            "B": [names_b[counterparts[at]] for at in order],
            "similarity": similarity[order],
        },
        hide_index=True,
        column_config={"similarity": st.column_config.NumberColumn(format="%.3f", width=90)},
        alt="Correspondences found, most similar first",
    )
    st.caption(
        f"{count(len(rows))} rows of A have a counterpart of their own in B. Similarity is the cosine of "
        f"their relative vectors. The {min(LISTED, len(rows))} most similar are listed. The files of Figure "
        "hold all."
    )
    with st.container(horizontal=True, vertical_alignment="center"):
        st.button(
            f"Use these {count(len(rows))} as the pairing",
            type="primary" if found.verdict.converged else "secondary",
            icon=":material/link:",
            on_click=_take,
            args=(sources, found),
            help="Makes them the pair of all pages. Your two spaces stay on the shelf unchanged.",
        )
        try:
            figure_button({"correspondences": options_of(known)}, "correspondences")
        except relviz.Error as reason:
            st.caption(verbatim(reason))


def _take(sources: tuple[str, str], found: Correspondence) -> None:
    a, b, _ = pair_found(*sources, found)
    choose_pair(a, b)

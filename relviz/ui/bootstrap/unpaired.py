"""Two spaces that nothing matches: what is known of their partners, the search, and what it found."""

import streamlit as st

import relviz
from relviz.compute.jobs import Job
from relviz.figures.kinds.bootstrap import options_of
from relviz.results.unpaired import Correspondence, one_to_one, pair_found, unpaired_task
from relviz.state import View
from relviz.state.known_pairs import Known, known_pairs, names_of
from relviz.state.sources import open_space
from relviz.state.view import Run
from relviz.ui.bootstrap.outcome import show_verdict
from relviz.ui.figure_button import figure_button
from relviz.ui.job_view import show_job, start
from relviz.ui.labels import verbatim
from relviz.ui.pair_view import choose_pair
from relviz.wording import count, plural

LISTED = 200


def show_unpaired(view: View) -> None:
    """What can be done for two spaces without a pairing, on the Bootstrap page."""
    a, b = open_space(view.a), open_space(view.b)
    st.info(
        f"Nothing says which row of {verbatim(a.name)} ({plural(len(a), 'row')}) belongs to which of "
        f"{verbatim(b.name)} ({plural(len(b), 'row')}). Anchor optimization can look for the partners, best "
        "from a handful that you know. It supposes that the two hold mostly the same things.",
        icon=":material/link_off:",
    )
    text = st.text_area(
        "Pairs that you know, one a line: its name in A, a comma, its name in B",
        key="unpaired_known",
        height=140,
        placeholder=f"{_name(a)}, {_name(b)}",
        help="Names are ids or items; without either, row numbers from 1. For a name with a comma in it, "
        "write the number of its row: row 5. Five are often enough, 15 are better; with none it may fail, "
        "and says so.",
    )
    try:
        known = known_pairs(text, a, b)
    except relviz.Error as reason:
        st.error(verbatim(reason), icon=":material/error:")
        return
    task = unpaired_task(view.a, view.b, known, view.ao.seed)
    found = task.kept()
    if found is not None:
        _show_found(view, a, b, known, found)
        return
    job: Job[str] | None = task.job()
    if job is not None:
        show_job(job, task)
        return
    words = f"Look for partners from {plural(len(known), 'known pair')}"
    st.button(words, type="primary", icon=":material/play_arrow:", on_click=start, args=(task,))


def _name(space: relviz.Space) -> str:
    return names_of(space)[0].replace(",", "")[:40]


def _show_found(view: View, a: relviz.Space, b: relviz.Space, known: Known, found: Correspondence) -> None:
    seeding = "hand" if known else "none"
    show_verdict(Run(seeding=seeding, seeds=len(known)), found.verdict)
    rows, partners = one_to_one(found.matches, found.similarity)
    similarity = found.similarity[rows]
    order = similarity.argsort()[::-1][:LISTED]
    names_a, names_b = names_of(a), names_of(b)
    st.dataframe(
        {
            "A": [names_a[rows[at]] for at in order],
            "B": [names_b[partners[at]] for at in order],
            "similarity": similarity[order],
        },
        hide_index=True,
        column_config={"similarity": st.column_config.NumberColumn(format="%.3f", width=90)},
        alt="Partners that were found, the most similar first",
    )
    st.caption(
        f"{count(len(rows))} rows of A have a partner of their own in B; similarity is the cosine of their "
        f"relative vectors. The {min(LISTED, len(rows))} most similar are listed; all are in the files of "
        "Figure."
    )
    with st.container(horizontal=True, vertical_alignment="center"):
        st.button(
            f"Take these {count(len(rows))} as the pairing",
            type="primary" if found.verdict.converged else "secondary",
            icon=":material/link:",
            on_click=_take,
            args=(view, found),
            help="A pair of them, for all pages. Your two spaces stay on the shelf as they are.",
        )
        try:
            figure_button(view, {"partners": options_of(known)}, "partners")
        except relviz.Error as reason:
            st.caption(verbatim(reason))


def _take(view: View, found: Correspondence) -> None:
    a, b, _ = pair_found(view.a, view.b, found)
    choose_pair(a, b)

"""Two spaces that nothing matches: the known pairs, the search, and what it found."""

from collections.abc import Sequence
from functools import partial

import streamlit as st

import relviz
from relviz.compute.jobs import Job
from relviz.figures.kinds.bootstrap import options_of
from relviz.figures.pictures import cells_of_space
from relviz.results.unpaired import (
    NO_HINTS,
    Correspondence,
    Hinted,
    SoFar,
    one_to_one,
    pair_found,
    shared_classes,
    shared_names,
    unpaired_task,
)
from relviz.state.known_pairs import Known, groups, known_pairs, names_of, non_matches
from relviz.state.view import Run
from relviz.ui import state
from relviz.ui.bootstrap.curves import show_search
from relviz.ui.bootstrap.matches import show_matches_so_far
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


def show_unpaired(source_a: str, source_b: str, run: Run) -> None:
    """What can be done for two spaces without a pairing, on the Bootstrap page, by the seed of a run."""
    a, b = space_shown(source_a), space_shown(source_b)
    sources = source_a, source_b
    _show_both(sources)
    above = st.container()
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
    task = unpaired_task(*sources, known, run.seed, hinted)
    found = task.stored()
    if found is not None:
        with above:
            _show_found(sources, known, found, hinted, run)
        return
    job: Job[str] | None = task.job()
    if job is not None:
        with above:
            show_job(job, task, show=partial(_show_so_far, sources))
        return
    above.info(
        f"The correspondence between {verbatim(a.name)} ({plural(len(a), 'row')}) and {verbatim(b.name)} "
        f"({plural(len(b), 'row')}) is unknown. Anchor optimization can find it, from a few known pairs "
        "or none. It assumes that both contain mostly the same items.",
        icon=":material/link_off:",
    )
    given = [plural(len(known), "known pair")] if known else []
    given += [] if hinted == NO_HINTS else ["hints"]
    start_from = f"from {' and '.join(given)}" if given else "without known pairs"
    words = f"Find correspondences {start_from}"
    st.button(words, type="primary", icon=":material/play_arrow:", on_click=start, args=(task,))


def _show_so_far(sources: tuple[str, str], so_far: SoFar) -> None:
    """Some items and what they are matched with by now, and how the populations come to agree."""
    examples, search = st.columns([2, 3])
    with examples:
        show_matches_so_far(sources, so_far.matches)
    with search:
        show_search(so_far.generations, "unpaired_search")


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


def _show_found(
    sources: tuple[str, str], known: Known, found: Correspondence, hinted: Hinted, run: Run
) -> None:
    """The verdict and what can be done with it, the pairs, and how the search went."""
    rows, counterparts = one_to_one(found.matches, found.similarity)
    converged = found.verdict.converged
    with st.container(horizontal=True, vertical_alignment="center"):
        show_verdict(Run(seeding="hand" if known else "none", seeds=len(known)), found.verdict)
        if not converged:
            st.button(
                "Search again from other starts",
                type="primary",
                icon=":material/restart_alt:",
                on_click=_search_again,
                args=(sources, known, hinted, run),
                help=f"With solver seed {run.seed + 1} instead of {run.seed}. Known pairs and hints stay. "
                "Where two spaces have little in common, some searches find the correspondence and others "
                "do not.",
            )
        st.button(
            f"Use these {count(len(rows))} as the pairing",
            type="primary" if converged else "secondary",
            icon=":material/link:",
            on_click=_take,
            args=(sources, found),
            help="Makes them the pair on every page. Your two spaces stay on the shelf unchanged.",
        )
    _list_pairs(sources, found, rows, counterparts)
    if found.generations is not None and len(found.generations):
        with st.expander("The search, generation by generation", icon=":material/show_chart:"):
            show_search(found.generations, "unpaired_search")
    if hinted != NO_HINTS:
        st.caption("Figures are available only for searches without hints.")
        return
    try:
        figure_button({"correspondences": options_of(known)}, "correspondences")
    except relviz.Error as reason:
        st.caption(verbatim(reason))


def _list_pairs(
    sources: tuple[str, str], found: Correspondence, rows: list[int], counterparts: list[int]
) -> None:
    """The pairs that are most probably right, or, without probabilities, the most similar ones."""
    similarity = found.similarity[rows]
    probability = None if found.has_counterpart is None else found.has_counterpart[rows]
    order = (similarity if probability is None else probability).argsort(kind="stable")[::-1][:LISTED]
    listed: dict[str, Sequence[object]] = {}
    for side, source, of in zip("AB", sources, (rows, counterparts), strict=True):
        taken = [of[at] for at in order]
        if cells := cells_of_space(source, taken):
            listed[f"{side} (image)"] = [as_uri(pixels) for pixels in cells]
        names = names_of(space_shown(source))
        listed[side] = [names[row] for row in taken]
    images = [name for name in listed if name not in ("A", "B")]
    if probability is not None:
        listed["probability"] = probability[order].tolist()
    first = "most similar" if probability is None else "most probable"
    st.dataframe(
        {**listed, "similarity": similarity[order]},
        hide_index=True,
        column_config={
            "similarity": st.column_config.NumberColumn(format="%.3f", width=90),
            "probability": st.column_config.NumberColumn(format="%.2f", width=90),
            **{name: st.column_config.ImageColumn(width=80) for name in images},
        },
        alt=f"Correspondences found, {first} first",
    )
    st.caption(
        f"{count(len(rows))} rows of A are matched one-to-one with rows of B. Similarity is the cosine of "
        "their relative vectors. Probability estimates whether the match is the true counterpart. "
        f"The {min(LISTED, len(rows))} {first} are listed. The files under Figure contain all of them."
    )


def _search_again(sources: tuple[str, str], known: Known, hinted: Hinted, run: Run) -> None:
    other = run.with_changes(seed=run.seed + 1)
    state.change(ao=other)
    start(unpaired_task(*sources, known, other.seed, hinted))


def _take(sources: tuple[str, str], found: Correspondence) -> None:
    a, b, _ = pair_found(*sources, found)
    choose_pair(a, b)

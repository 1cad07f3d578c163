"""After a run: the verdict in words, its metrics, its anchors put to use, its files."""

from collections.abc import Callable

import streamlit as st

import relviz
from relviz.compute.task import Task
from relviz.figures.numbers import anchors_csv, matches_csv, run_npz
from relviz.results.bootstrap import bootstrap_task
from relviz.results.comparison import Comparison
from relviz.results.run import RunRecord, Verdict, record_of
from relviz.results.run_summary import (
    accuracy_summary,
    free_points_note,
    queries_summary,
    retrieval_lines,
    right_summary,
    top1_summary,
)
from relviz.state.view import FEW_SEEDS, MANY_SEEDS, Run
from relviz.ui import state
from relviz.ui.figure_button import figure_button
from relviz.ui.job_view import start
from relviz.ui.verbatim import verbatim

LIMITS = (
    "What limits such a pair is how little the two encoders share. How well known pairs are retrieved when "
    "they are left out of the fit shows it. Between text and images, even a rotation fitted to all true "
    "pairs retrieves few counterparts first. More known pairs help; another search does not."
)
"""Why a search finds nothing between two encoders of different kinds."""


def show_outcome(run: Run, comparison: Comparison, task: Task[RunRecord], place: int) -> None:
    """What came of a run that is over, and what can be done with it; nothing before that."""
    record = record_of(task)
    if record is not None and record.result is not None:
        with st.container(horizontal=True, vertical_alignment="center"):
            show_verdict(run, record.result.verdict)
            _show_uses(run, comparison, task, record, place)


def show_evaluation(run: Run, record: RunRecord) -> None:
    """Retrieval through the anchors that a run found, beside the true ones and the seeds alone."""
    if record.result is None:
        st.caption("Metrics appear when the run has finished.")
        return
    if not run.known:
        st.caption("Without ground truth, retrieval cannot be measured.")
        return
    evaluation = record.result.evaluation
    lines = retrieval_lines(evaluation)
    if lines:
        st.table(lines, hide_index=True)
        st.caption(free_points_note(len(record.anchors)))
    summaries = (queries_summary(run, evaluation), accuracy_summary(evaluation), top1_summary(evaluation))
    st.caption(
        f"{' '.join(summaries)} Jaccard and MRR@k use lists of "
        "10, self-matches included. Shuffled: mean ± sd over all pairings of the same queries."
    )


def show_verdict(run: Run, verdict: Verdict) -> None:
    """Converged or not; on demand, why we think so, and what to try next."""
    if verdict.converged:
        words = f"**Converged.** The self-check accepts the matches. {right_summary(verdict)}".rstrip()
        st.success(words, icon=":material/check_circle:")
    else:
        words = "**Rejected by the self-check.** Probably wrong."
        if verdict.known_alone:
            words += " The result uses only the known pairs."
        st.warning(words, icon=":material/help:")
    with st.popover("Evidence", icon=":material/fact_check:"):
        st.markdown(verbatim(verdict.evidence.reason))
        if verdict.known_alone:
            st.markdown(LIMITS)
        if not verdict.converged:
            st.markdown("Suggestions: " + "; ".join(advice(run)) + ".")
        evidence = {
            "agreement": verdict.evidence.agreement,
            "halves": verdict.evidence.halves,
            "margin": verdict.evidence.margin,
            "shared by two starts": verdict.evidence.shared,
        }
        listed = " · ".join(f"{name} {value:.3g}" for name, value in evidence.items() if value is not None)
        how = (
            ""
            if verdict.evidence.right is None
            else " The share of correct matches is estimated from how many a rotation finds again that was "
            "fitted without them. Near-duplicates of the counterpart count as correct in it."
        )
        st.caption(
            f"Evidence, without ground truth: {listed}. Agreement is not evidence: wrong matches "
            f"agree too.{how}"
        )


def advice(run: Run) -> list[str]:
    """What may help a run that did not converge, the likeliest first."""
    suggestions = []
    if run.method != "annealed":
        suggestions.append("the annealed method")
    if run.seeding == "none":
        suggestions.append(f"{FEW_SEEDS} known pairs or more")
    elif run.seeding != "hand" and run.seeds < MANY_SEEDS:
        suggestions.append(f"{MANY_SEEDS} known pairs instead of {run.seeds}")
    if run.method == "adam":
        suggestions.append("a warm start")
    suggestions.append("another solver seed (runs that agree are more likely to be right)")
    suggestions.append("checking that the two spaces hold the same items")
    return suggestions


def next_try(run: Run) -> tuple[str, Run]:
    """The likeliest remedy of a run that did not converge: in words, and the run to try."""
    if run.method != "annealed":
        return "Try the annealed method", run.with_changes(method="annealed")
    if run.seeding == "none":
        return f"Try {FEW_SEEDS} known pairs", run.with_changes(seeding="uniform", seeds=FEW_SEEDS)
    if run.seeding != "hand" and run.seeds < MANY_SEEDS <= run.anchors:
        return f"Try {MANY_SEEDS} known pairs", run.with_changes(seeds=MANY_SEEDS)
    return "Try another solver seed", run.with_changes(seed=run.seed + 1)


def _offer_next_try(run: Run, pair: relviz.Pair, sources: tuple[str, str], place: int) -> None:
    words, other = next_try(run)

    def begin() -> None:
        state.change(ao=other)
        start(bootstrap_task(other, pair, sources))

    st.button(words, key=f"ao_next_{place}", type="primary", icon=":material/restart_alt:", on_click=begin)


def _show_uses(
    run: Run, comparison: Comparison, task: Task[RunRecord], record: RunRecord, place: int
) -> None:
    pair, anchors = comparison.pair, comparison.choices
    converged = record.outcome.verdict.converged
    in_use = anchors.method == "run" and anchors.run == task.key
    if not converged and place == 0:
        _offer_next_try(run, pair, comparison.sources, place)
    words = "Use these anchors" if converged else "Use anyway"
    st.button(
        "In use" if in_use else words,
        key=f"ao_use_{place}",
        type="primary" if converged else "secondary",
        icon=":material/anchor:",
        disabled=in_use,
        on_click=lambda: state.change(method="run", run=task.key),
        help="Used on every page: rows of A, and their discovered counterparts in B."
        + ("" if converged else " The self-check rejected this run: these anchors are probably wrong."),
    )
    if in_use:
        words, icon = "Compare relative to these anchors", ":material/compare:"
        st.page_link("pages/compare.py", label=words, icon=icon)


def offer_files(run: Run, pair: relviz.Pair, record: RunRecord, place: int) -> None:
    """What a run that is over found, as files and as a figure."""
    with st.popover("Export", icon=":material/download:"):
        _download("Anchors, csv", lambda: anchors_csv(record, pair), "anchors.csv", place)
        _download("Matched pairs, csv", lambda: matches_csv(record, pair), "matches.csv", place)
        _download("Anchors and matches, npz", lambda: run_npz(record), "bootstrap.npz", place)
    figure_button({"run": {}, "found": {}}, f"run_{place}", run=run)


def _download(words: str, made: Callable[[], str | bytes], name: str, place: int) -> None:
    # Made when it is asked for: of 20,000 rows a csv takes its time.
    st.download_button(words, made, name, on_click="ignore", key=f"ao_{name}_{place}", width="stretch")

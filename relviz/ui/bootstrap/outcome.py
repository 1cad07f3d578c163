"""After a run: the verdict in words, its figures, its anchors put to use, its files."""

from collections.abc import Callable, Mapping
from typing import Any

import streamlit as st

import relviz
from relviz.compute.task import Task
from relviz.figures.files import anchors_csv, found_npz, matches_csv
from relviz.results.bootstrap import bootstrap_task
from relviz.results.run import asked_said, found_of, free_said, held_said, measured_lines, reel_of, right_said
from relviz.state import View
from relviz.state.view import FEW_SEEDS, MANY_SEEDS, Run
from relviz.ui import state
from relviz.ui.figure_button import figure_button
from relviz.ui.job_view import start
from relviz.ui.labels import verbatim


def show_outcome(view: View, run: Run, pair: relviz.Pair, task: Task, place: int) -> None:
    """What came of a run that is over, and what can be done with it; nothing before that."""
    reel = reel_of(task)
    if reel is not None and reel.outcome is not None:
        show_verdict(run, reel.outcome)
        _show_uses(view, run, pair, task, place, reel.outcome["converged"])


def show_figures(run: Run, task: Task) -> None:
    """Retrieval through the anchors that a run found, beside the true ones and the seeds alone."""
    reel = reel_of(task)
    if reel is None or reel.outcome is None or not run.known:
        return
    outcome = reel.outcome
    lines = measured_lines(outcome)
    if lines:
        st.table(lines, hide_index=True)
        st.caption(free_said(len(reel.opening.anchors)))
    st.caption(
        f"{asked_said(run, outcome)} {right_said(outcome)} {held_said(outcome)} Jaccard and MRR use lists of "
        "10, self-matches included. Shuffled: mean ± sd over all pairings of the same queries."
    )


def show_verdict(run: Run, outcome: Mapping[str, Any]) -> None:
    """Converged or not, why we think so, and what to try next."""
    evidence = outcome["evidence"]
    reason = verbatim(evidence.get("reason", ""))
    if outcome["converged"]:
        st.success(f"**Converged.** {reason}", icon=":material/check_circle:")
    else:
        st.warning(f"**Rejected by the self-check.** {reason}", icon=":material/help:")
        st.markdown("Suggestions: " + "; ".join(advice(run)) + ".")
    figures = {name: value for name, value in evidence.items() if isinstance(value, int | float)}
    if figures:
        said = (f"{name.replace('_', ' ')} {_figure(value)}" for name, value in figures.items())
        st.caption(
            "Evidence, without ground truth: " + " · ".join(said) + ". Agreement is no evidence: "
            "wrong matches agree too."
        )


def advice(run: Run) -> list[str]:
    """What may help a run that did not converge, the likeliest first."""
    said = []
    if run.method != "annealed":
        said.append("the annealed method")
    if run.seeding == "none":
        said.append(f"{FEW_SEEDS} known pairs or more")
    elif run.seeding != "hand" and run.seeds < MANY_SEEDS:
        said.append(f"{MANY_SEEDS} known pairs instead of {run.seeds}")
    if run.method == "adam":
        said.append("a warm start")
    said.append("another solver seed (runs that agree are more likely to be right)")
    said.append("checking that the two spaces hold the same items")
    return said


def next_try(run: Run) -> tuple[str, dict[str, Any]]:
    """The likeliest remedy of a run that did not converge: in words, and as changes of the run."""
    if run.method != "annealed":
        return "Try the annealed method", {"method": "annealed"}
    if run.seeding == "none":
        return f"Try {FEW_SEEDS} known pairs", {"seeding": "uniform", "seeds": FEW_SEEDS}
    if run.seeding != "hand" and run.seeds < MANY_SEEDS <= run.anchors:
        return f"Try {MANY_SEEDS} known pairs", {"seeds": MANY_SEEDS}
    return "Try another solver seed", {"seed": run.seed + 1}


def _offer_next_try(view: View, run: Run, pair: relviz.Pair, place: int) -> None:
    words, changes = next_try(run)

    def begin() -> None:
        state.change_run(**changes)
        start(bootstrap_task(view, run.with_changes(**changes), pair))

    st.button(words, key=f"ao_next_{place}", type="primary", icon=":material/restart_alt:", on_click=begin)


def _show_uses(view: View, run: Run, pair: relviz.Pair, task: Task, place: int, converged: bool) -> None:
    found = found_of(task)
    if found is None:
        st.caption("The run is too large to be stored, so its anchors cannot be used elsewhere.")
        return
    in_use = view.method == "run" and view.run == task.key
    with st.container(horizontal=True, vertical_alignment="center"):
        if not converged and place == 0:
            _offer_next_try(view, run, pair, place)
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
        with st.popover("Export", icon=":material/download:"):
            _download("Anchors, csv", lambda: anchors_csv(found, pair), "anchors.csv", place)
            _download("Matched pairs, csv", lambda: matches_csv(found, pair), "matches.csv", place)
            _download("Anchors and matches, npz", lambda: found_npz(found), "bootstrap.npz", place)
        figure_button(view.with_changes(ao=run), {"run": {}, "found": {}}, f"run_{place}")
    if in_use:
        st.page_link("pages/compare.py", label="Compare relative to these anchors", icon=":material/compare:")


def _download(words: str, made: Callable[[], str | bytes], name: str, place: int) -> None:
    # Made when it is asked for: of 20,000 rows a csv takes its time.
    st.download_button(words, made, name, on_click="ignore", key=f"ao_{name}_{place}", width="stretch")


def _figure(value: float) -> str:
    return f"{value:.3g}" if isinstance(value, float) else str(value)

"""δ × ω on screen: how near, how useful and how well conditioned a translation is over both."""

from collections.abc import Mapping

import numpy as np
import plotly.graph_objects as go
import streamlit as st
from plotly.subplots import make_subplots

from relviz.plotting.colors import CLASSES
from relviz.results.heads import describe_sweep
from relviz.results.sweeps import DELTAS, OMEGAS, SWEPT, SWEPT_MAPS, sweep_means, sweep_task
from relviz.results.translation import TranslationProblem
from relviz.state.view import StitchingChoices
from relviz.stitching import Sweep
from relviz.ui import controls, state
from relviz.ui.cells import cells_chart
from relviz.ui.figure_button import figure_button
from relviz.ui.job_view import result_or_progress
from relviz.ui.verbatim import verbatim
from relviz.wording import plural

CELL = 38
CHOSEN = "sweep_chosen"
OWN, PICKED = CLASSES[4], CLASSES[3]


def show_sweep(problem: TranslationProblem, choices: StitchingChoices) -> None:
    """The four maps over δ and ω, once they are computed; a click makes a cell the page's δ and ω."""
    source, target = problem.source, problem.target
    st.markdown(
        f"Inverse relative projection {verbatim(source.name)} → {verbatim(target.name)} for every δ and ω: "
        "figures 3 and 6 of arXiv 2406.15057, for this pair."
    )
    if problem.pair.labels is not None:
        controls.choose(state.current(), "head")
    made = result_or_progress("sweep", sweep_task(problem, choices))
    if made is None:
        return
    means = sweep_means(made)
    chosen = st.session_state.get(CHOSEN)
    cells_chart(
        sweep_figure((problem.choices.delta, problem.choices.omega), means, chosen),
        "sweep_maps",
        "Heat maps over δ and ω; the table below holds the same numbers",
        _choose_cell,
    )
    _say(made, means, source.dimension)
    figure_button({"sweep": {}}, "sweep")
    if chosen is not None:
        _offer(*chosen)
    _show_table(means)


def sweep_figure(
    own: tuple[float, int], means: Mapping[str, np.ndarray], chosen: tuple[float, int] | None = None
) -> go.Figure:
    """A heat map for each figure.

    The cell of the page's ``own`` δ and ω, where there is one, has a frame; the one that is chosen another.
    """
    figure = make_subplots(
        1, len(means), subplot_titles=[SWEPT_MAPS[name] for name in means], shared_yaxes=True
    )
    x, y = [str(omega) for omega in OMEGAS], [f"{delta:g}" for delta in DELTAS]
    cells = [(at, of) for at in range(len(DELTAS)) for of in range(len(OMEGAS))]
    for column, (name, values) in enumerate(means.items(), 1):
        shown = np.log10(values) if name == "condition_number" else values
        digits = "%{z:.0f}" if name == "anchors_kept" else "%{z:.1f}" if shown is not values else "%{z:.2f}"
        figure.add_heatmap(
            z=shown,
            x=x,
            y=y,
            texttemplate=digits,
            colorscale="Viridis" if name in ("similarity", "accuracy") else "Cividis",
            showscale=False,
            hoverinfo="skip",
            row=1,
            col=column,
        )
        tied = [(DELTAS[at], OMEGAS[of]) for at, of in cells]
        figure.add_scatter(
            x=[x[of] for _, of in cells],
            y=[y[at] for at, _ in cells],
            customdata=tied,
            mode="markers",
            marker={
                "symbol": "square-open",
                "size": CELL - 6,
                "color": [PICKED if one == chosen else OWN for one in tied],
                "line": {"width": 3},
                "opacity": [1.0 if one in (own, chosen) else 0.0 for one in tied],
            },
            hovertemplate="δ %{y}, ω %{x}<extra></extra>",
            showlegend=False,
            row=1,
            col=column,
        )
    figure.update_xaxes(title="ω", type="category", range=[-0.5, len(OMEGAS) - 0.5], showgrid=False)
    figure.update_yaxes(type="category", range=[-0.5, len(DELTAS) - 0.5], showgrid=False)
    figure.update_yaxes(title="δ", col=1)
    figure.update_layout(height=110 + CELL * len(DELTAS), margin={"t": 30, "b": 10, "l": 10, "r": 10})
    return figure


def _say(made: Sweep, means: Mapping[str, np.ndarray], dimension: int) -> None:
    similarity = means["similarity"]
    at, of = np.unravel_index(similarity.argmax(), similarity.shape)
    best = "Highest cosine similarity to the target at "
    best += f"δ {DELTAS[at]:g}, ω {OMEGAS[of]}: {similarity[at, of]:.3f}"
    none = f"without pruning, at ω 1, {similarity[0, 0]:.3f}"
    accuracy = "" if made.chance is not None else " These items have no classes, so there is no accuracy."
    worst = _worst(means, dimension)
    st.caption(
        f"{best}; {none}.{worst} Means over seeds {made.seeds[0]}–{made.seeds[-1]} of split and "
        f"{plural(made.counts[0], 'anchor')} among the training rows; cosines after centering on the "
        f"anchors. {describe_sweep(made.rows, made.chance)}{accuracy}"
    )


def _worst(means: Mapping[str, np.ndarray], dimension: int) -> str:
    """A word on the condition number where it is known to be worst, if it is worst there."""
    condition = means["condition_number"]
    at, of = np.unravel_index(condition.argmax(), condition.shape)
    kept = means["anchors_kept"][at, of]
    if not 0.8 * dimension <= kept <= 1.25 * dimension:
        return ""
    return (
        f" The condition number is worst at δ {DELTAS[at]:g}, where about as many anchors are kept "
        f"({kept:.0f}) as {plural(dimension, 'dimension')}."
    )


def _choose_cell(delta: float, omega: int) -> None:
    st.session_state[CHOSEN] = (float(delta), int(omega))


def _offer(delta: float, omega: int) -> None:
    def use() -> None:
        del st.session_state[CHOSEN]
        state.change(delta=delta, omega=omega, translate="irp", part="translate")

    st.button(f"Translate with δ {delta:g} and ω {omega}", icon=":material/tune:", on_click=use)


def _show_table(means: Mapping[str, np.ndarray]) -> None:
    with st.expander("As a table", icon=":material/table:"):
        rows = [
            {"δ": f"{delta:g}", "ω": str(omega)}
            | {SWEPT[name]: f"{values[at, of]:.4g}" for name, values in means.items()}
            for at, delta in enumerate(DELTAS)
            for of, omega in enumerate(OMEGAS)
        ]
        st.dataframe(rows, hide_index=True, alt="Metrics for every δ and ω")

"""How good a translation is, on screen: its scores, and every other method beside it."""

from collections.abc import Sequence

import plotly.graph_objects as go
import streamlit as st

from relviz.measure import SCORES, TranslationScores
from relviz.plotting.colors import CLASSES
from relviz.results.heads import HeadAccuracy, heads_of
from relviz.results.translation import MethodScores, TranslationProblem, baselines_task, irp_scores
from relviz.state.option_labels import TRANSLATIONS
from relviz.translation import Translator
from relviz.ui.job_view import result_or_progress
from relviz.ui.verbatim import verbatim
from relviz.wording import count, plural


def show_bars(problem: TranslationProblem, head: str, accuracy: HeadAccuracy | None) -> None:
    """Every method with the same anchors; IRP with the chosen δ and ω."""
    result = result_or_progress("baselines", baselines_task(problem, head))
    if result is None:
        return
    scores = problem.translation.scores
    heads = None if accuracy is None else heads_of(problem.pair, head, problem.choices.back)
    found = [irp_scores(problem, heads), *result.methods]
    native = accuracy.native if accuracy is not None and accuracy.rows else None
    st.plotly_chart(bars(found, native), key="stitch_bars", alt="Cosine, MRR and accuracy of every method")
    for one in found:
        if one.scores is None:
            st.caption(f"{TRANSLATIONS[one.method]}: {verbatim(one.reason)}")
    tested = ""
    if accuracy is not None and accuracy.rows:
        low, high = accuracy.interval
        tested = (
            f" Accuracy: {plural(accuracy.rows, 'test row')} that are neither anchors nor training rows; "
            f"the 95% interval of the method above is {low:.3f}–{high:.3f}. The most frequent class makes "
            f"up {accuracy.chance:.3f}. Dashed: the target's head on its own vectors."
        )
    st.caption(
        "Cosine after centering on the anchors, and MRR, over the same "
        f"{plural(scores.queries, 'non-anchor item')}; candidates: all {count(scores.candidates)} items. "
        f"Chance of the MRR: {scores.chance['mrr']:.4f}.{tested}"
    )


def bars(found: Sequence[MethodScores], native: float | None) -> go.Figure:
    """A group of bars for each method; ``native`` is a line to reach."""
    fine = [(one, one.scores) for one in found if one.scores is not None]
    figures: dict[str, list[float | None]] = {
        "cosine similarity to the target": [scores.cosine for _, scores in fine],
        "MRR of the true counterpart": [scores.mrr for _, scores in fine],
        "accuracy of the target's head": [
            one.accuracy.translated if one.accuracy is not None and one.accuracy.rows else None
            for one, _ in fine
        ],
    }
    figure = go.Figure()
    for (words, values), color in zip(figures.items(), CLASSES, strict=False):
        if any(value is not None for value in values):
            figure.add_bar(
                name=words,
                x=[TRANSLATIONS[one.method] for one, _ in fine],
                y=values,
                texttemplate="%{y:.2f}",
                marker_color=color,
            )
    if native is not None:
        figure.add_hline(native, line_dash="dash", line_color=CLASSES[2])
    lowest = min(0.0, *(scores.cosine for _, scores in fine))  # below it there is room for its number
    figure.update_layout(
        height=340,
        margin={"t": 10, "b": 10, "l": 10, "r": 10},
        yaxis_range=[lowest and lowest - 0.08, 1],
        legend={"orientation": "h", "y": 1.12},
    )
    return figure


NAMES = {
    "cosine": "cosine similarity to the target",
    "cosine_uncentered": "cosine (uncentered)",
    "mrr": "MRR",
    "top1": "top-1",
}


def show_scores(fitted: Translator, scores: TranslationScores, accuracy: HeadAccuracy | None) -> None:
    """Seven numbers in a strip, and what they are held against."""
    over = f"Over {plural(scores.queries, 'non-anchor item')}."
    figures = {
        "Cosine similarity to the target": (
            f"{scores.cosine:.3f}",
            f"After centering on the anchors. {over}",
        ),
        "Cosine (uncentered)": (
            f"{scores.cosine_uncentered:.3f}",
            f"Not centered: the anchor mean alone can make it high. {over}",
        ),
        "MRR": (f"{scores.mrr:.3f}", f"Mean of 1/rank of the true counterpart. {over}"),
        "Stitched accuracy": _accuracy(accuracy),
        "Condition number": (
            f"{fitted.condition_number:.3g}",
            "Of the inverted matrix (1 if none is inverted). Maximum over subspaces.",
        ),
        "Condition number, mean": (
            f"{fitted.mean_condition_number:.3g}",
            "Mean over subspaces, as in the paper.",
        ),
        "Anchors kept": (f"{fitted.anchors_kept:.0f}", "Mean over subspaces."),
    }
    for column, (name, (value, help)) in zip(st.columns(len(figures)), figures.items(), strict=True):
        column.metric(name, value, help=help)
    st.caption(compared(scores, accuracy))


def compared(scores: TranslationScores, accuracy: HeadAccuracy | None) -> str:
    """What the scores rest on, and what chance and shuffled counterparts give."""
    sentences = [
        f"Queries: {plural(scores.queries, 'item')} that took no part in the fit. Candidates: all "
        f"{count(scores.candidates)} items, anchors included.",
        f"Chance: MRR {scores.chance['mrr']:.4f}, top-1 {scores.chance['top1']:.2%}.",
    ]
    if scores.null is not None:
        null, sd = scores.null.figures, scores.null.sd
        parts = [f"{NAMES[name]} {null[name]:.3f} ± {sd[name]:.3f}" for name in SCORES]
        sentences.append(f"The same translator with the queries' counterparts shuffled: {', '.join(parts)}.")
    if accuracy is not None and accuracy.rows:
        low, high = accuracy.interval
        sentences.append(
            f"Accuracy: {plural(accuracy.rows, 'test row')} that are neither anchors nor training rows, 95% "
            f"interval {low:.3f}–{high:.3f}; the most frequent class makes up {accuracy.chance:.3f}."
        )
    return " ".join(sentences)


def _accuracy(found: HeadAccuracy | None) -> tuple[str, str]:
    if found is None or not found.rows:
        return "–", "Accuracy of the target's head on translated items. There is no head, or no test row."
    low, high = found.interval
    return f"{found.translated:.3f}", (
        f"The target's head on translated items: {plural(found.rows, 'row')} that are neither anchors nor "
        f"training rows, 95% interval {low:.3f}–{high:.3f}. On its own rows its accuracy is "
        f"{found.native:.3f}, the source head's {found.own:.3f}. The most frequent class makes up "
        f"{found.chance:.3f} of these rows."
    )

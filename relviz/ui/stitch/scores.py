"""The scores of a translation on screen, each with how many items it rests on, its chance and its null."""

import streamlit as st

from relviz.measure import SCORES, TranslationScores
from relviz.space import Space
from relviz.translate import Translator
from relviz.ui.verbatim import verbatim
from relviz.view.heads import Said
from relviz.wording import count, plural

NAMES = {
    "cosine": "cosine similarity to the target",
    "cosine_uncentered": "cosine (uncentered)",
    "mrr": "MRR",
    "top1": "top-1",
}


def show_scores(
    sides: tuple[Space, Space], fitted: Translator, scores: TranslationScores, said: Said | None
) -> None:
    """A sentence, six numbers, and what they are held against."""
    source, target = (verbatim(side.name) for side in sides)
    st.markdown(
        f"{source} → {target}: **{scores.top1:.1%}** of {plural(scores.queries, 'held-out item')} have rank "
        f"1 for the true counterpart in {target} (chance {scores.chance['top1']:.2%}). Their median rank is "
        f"{float(scores.ranks.quantile(0.5)):.0f} of {count(scores.candidates)}."
    )
    asked = f"Over {plural(scores.queries, 'item')} that are no anchors."
    figures = {
        "Cosine similarity to the target": (
            f"{scores.cosine:.3f}",
            f"After centering on the anchors. {asked}",
        ),
        "Cosine (uncentered)": (
            f"{scores.cosine_uncentered:.3f}",
            f"With the anchor mean, which alone can make it high. {asked}",
        ),
        "MRR": (f"{scores.mrr:.3f}", f"Mean of 1/rank of the true counterpart. {asked}"),
        "Accuracy, stitched": _accuracy(said),
        "Condition number": (f"{fitted.condition_number:.3g}", "Of what was inverted; 1 where nothing was."),
        "Anchors kept": (f"{fitted.anchors_kept:.0f}", "The mean over subspaces."),
    }
    for column, (name, (value, help)) in zip(st.columns(len(figures)), figures.items(), strict=True):
        column.metric(name, value, help=help)
    st.caption(compared(scores, said))


def compared(scores: TranslationScores, said: Said | None) -> str:
    """What the scores rest on, and what chance and shuffled counterparts give."""
    told = [
        f"Queries: {plural(scores.queries, 'item')} that took no part in the fit. Candidates: all "
        f"{count(scores.candidates)} items, anchors included.",
        f"Chance: MRR {scores.chance['mrr']:.4f}, top-1 {scores.chance['top1']:.2%}.",
    ]
    if scores.null is not None:
        null, sd = scores.null.figures, scores.null.sd
        parts = [f"{NAMES[name]} {null[name]:.3f} ± {sd[name]:.3f}" for name in SCORES]
        told.append(f"The same translator with the queries' counterparts shuffled: {', '.join(parts)}.")
    if said is not None and said.rows:
        low, high = said.interval
        told.append(
            f"Accuracy: {plural(said.rows, 'test row')} that are no anchors and trained no head, 95% "
            f"interval {low:.3f}–{high:.3f}; the most frequent class is {said.chance:.3f} of them."
        )
    return " ".join(told)


def _accuracy(said: Said | None) -> tuple[str, str]:
    if said is None or not said.rows:
        return "–", "Of the target's head on translated items: there is none, or no row left to test it on."
    low, high = said.interval
    return f"{said.translated:.3f}", (
        f"The target's head on translated items: {plural(said.rows, 'row')} that are no anchors and "
        f"trained no head, 95% interval {low:.3f}–{high:.3f}. On its own rows it finds {said.native:.3f}, "
        f"the source's head {said.own:.3f}. The most frequent class is {said.chance:.3f} of these rows."
    )

"""How well the anchors serve in each encoder, and what to do where they do not."""

import numpy as np
import streamlit as st
import torch

import relviz
from relviz.ui.verbatim import verbatim
from relviz.view import View
from relviz.view.found import rows_in_b
from relviz.view.results import frames_of

NEARLY_COLLINEAR = 0.98
ILL_CONDITIONED = 1e4
FEW_ANCHORS = 50

HELP = {
    "condition": "Condition number: largest over smallest singular value of the anchors, centred, "
    "rows of unit length. 1 is best; inverting the matrix amplifies noise by up to this much.",
    "rank": "Effective rank: how many directions the anchors really span (Roy and Vetterli 2007).",
    "cosine": "The largest |cosine| between two anchors: near 1, one of the two adds little.",
    "share": "The largest share of all items that have one anchor as their nearest.",
}


def show_quality(view: View, pair: relviz.Pair, anchors: np.ndarray) -> None:
    """Figures and warnings for the anchors, encoder by encoder."""
    if not len(anchors):
        return
    st.subheader("How well they serve")
    sides = zip((pair.a, pair.b), frames_of(view, pair), st.columns(2, gap="large"), strict=True)
    chosen = torch.from_numpy(anchors)
    for rows, (space, frame, column) in zip((chosen, rows_in_b(view, pair, chosen)), sides, strict=True):
        report = relviz.anchor_report(frame, rows)
        with column:
            st.markdown(f"**{verbatim(space.name)}**")
            _show_figures(report)
            for warning in warnings_of(report, space.dimension, pair.items):
                st.warning(warning, icon=":material/warning:")


def warnings_of(report: relviz.AnchorReport, dimension: int, items: tuple[str, ...]) -> list[str]:
    """What is wrong with a set of anchors, each with a remedy; nothing if all is well."""
    k, said = len(report.coverage), []
    full = min(k, dimension)
    if k < FEW_ANCHORS and k < dimension:
        said.append(
            f"{k} anchors are few for {dimension} dimensions: what they do not span is lost. "
            f"Try {min(FEW_ANCHORS, len(items))} or more."
        )
    if report.closest is not None and report.largest_cosine > NEARLY_COLLINEAR:
        one, other = (verbatim(items[row][:60]) for row in report.closest)
        said.append(
            f"“{one}” and “{other}” point nearly the same way (|cosine| {report.largest_cosine:.3f}): "
            "one of them adds little. Farthest point avoids this."
        )
    if report.rank_deficit:
        said.append(
            f"The anchors span {report.rank} of {full} directions, so some of them say the same: "
            "their matrix cannot be inverted without leaving some out."
        )
    elif report.condition_number > ILL_CONDITIONED:
        said.append(
            f"The anchors' matrix is badly conditioned ({report.condition_number:,.3g}): inverting it, as "
            f"stitching does, amplifies noise. It is worst near as many anchors as dimensions ({dimension}); "
            "use fewer, or many more."
        )
    return said


def _show_figures(report: relviz.AnchorReport) -> None:
    figures = {
        "Condition": (f"{report.condition_number:,.3g}", HELP["condition"]),
        "Rank": (f"{report.effective_rank:,.0f}", HELP["rank"]),
        "Cosine": (f"{report.largest_cosine:.3f}", HELP["cosine"]),
        "Share": (f"{float(report.coverage.max()):.1%}", HELP["share"]),
    }
    for column, (label, (value, help)) in zip(st.columns(4), figures.items(), strict=True):
        column.metric(label, value, help=help)

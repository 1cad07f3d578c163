"""Two autoencoders that share no pair and no image, one's latents translated for the other's decoder."""

import streamlit as st

from relviz.compute.task import Task
from relviz.results.autoencoders import Two
from relviz.results.unpaired_decoders import (
    BOTH_WAYS,
    LINES,
    OWN,
    LatentsMatched,
    latents_matched,
    passed_unpaired,
)
from relviz.state.image_sets import ImageSet
from relviz.state.view import Decoding
from relviz.ui.decode.swap import show_choice, show_strip
from relviz.ui.figure_button import figure_button
from relviz.ui.job_view import show_job, start
from relviz.ui.verbatim import verbatim
from relviz.wording import count

ABOUT = (
    "Each model encodes its own half of the training images: no image is in both halves, and no pair is "
    "known. Anchor optimization matches the two latent spaces by their shapes alone; a rotation fitted to "
    "the matches translates."
)


def show_unpaired(chosen: Decoding, images: ImageSet, two: Two) -> None:
    """Test images through one encoder and the other's decoder, translated by matches without a known pair."""
    st.markdown(ABOUT)
    task = latents_matched(chosen, images)
    matched = task.stored()
    if matched is None:
        _show_before(task)
    elif not matched.verdict.converged:
        st.info(
            f"The self-check rejected the match. {verbatim(matched.verdict.evidence.reason)} More latent "
            "dimensions, or more images, may help.",
            icon=":material/rule:",
        )
    _show_strips(chosen, images, two, matched)
    if matched is not None and matched.verdict.converged:
        st.caption(
            f"{count(matched.images[0])} images encoded by model 1, {count(matched.images[1])} others by "
            "model 2; both models were trained on all of them. Self-check passed: "
            f"{verbatim(matched.verdict.evidence.reason)}"
        )


def _show_before(task: Task[LatentsMatched]) -> None:
    job = task.job()
    if job is not None:
        show_job(job, task)
        return
    with st.container(horizontal=True, vertical_alignment="center"):
        st.button("Match", type="primary", icon=":material/play_arrow:", on_click=start, args=(task,))
        st.caption("Half a minute or more. The translated images then appear below.", width="stretch")


def _show_strips(chosen: Decoding, images: ImageSet, two: Two, matched: LatentsMatched | None) -> None:
    rows = images.chosen(chosen.images)
    shown = images.test[rows]
    left, right = st.columns(2, gap="medium", vertical_alignment="bottom")
    with left:
        show_strip(shown, "Input")
    with right, st.container(horizontal=True):
        show_choice(images, rows)
        if matched is not None and matched.verdict.converged:
            figure_button({"swap_unpaired": {}}, "unpaired")
    columns = st.columns(2, gap="medium")
    for column, path in zip(columns, BOTH_WAYS, strict=True):
        found = passed_unpaired(two, matched, shown, path)
        own = next(float(one.mse.mean()) for one in found if one.way == OWN)
        with column:
            st.markdown(f"**Encoder {path[0] + 1} → decoder {path[1] + 1}**")
            for one in found:
                mse = float(one.mse.mean())
                times = "" if one.way == OWN else f" ({mse / max(own, 1e-9):.1f}×)"
                show_strip(one.images, f"{LINES[one.way]} · MSE {mse:.3f}{times}")

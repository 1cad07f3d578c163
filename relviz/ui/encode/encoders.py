"""Which encoders, and which of their hidden states pooled how."""

import streamlit as st

import relviz
from relviz.encoders import Card, card, encoder_names, hub_folder, installed_encoders
from relviz.results.encoding import Chosen, fetch_task
from relviz.results.thumbnail import MOST as MOST_DRAWN
from relviz.state.sources import allowed_path
from relviz.ui.job_view import show_job, start
from relviz.ui.thumbnail import show_thumbnail
from relviz.ui.verbatim import verbatim
from relviz.wording import count


def offer_download(name: str) -> None:
    """Say that a model is not here, with a button that fetches it; before that no network is asked."""
    task = fetch_task(name)
    job = task.job()
    if job is not None and job.state != "done":
        show_job(job, task)
        if job.alive:
            st.caption("Canceling takes effect after this file.")
        return
    with st.container(horizontal=True, vertical_alignment="center"):
        st.warning(
            f"{verbatim(name)} is not on this machine. Fetch it from the hub (needs network access), or "
            "give the path of a local folder.",
            icon=":material/cloud_download:",
        )
        st.button("Fetch", key=f"fetch {name}", on_click=start, args=(task,), icon=":material/download:")


def show_installed() -> None:
    """What can be had here before anything is given: each encoder with what it makes of the emoji."""
    st.subheader("Encoders on this machine")
    cards = [card(name) for name in installed_encoders()]
    for column, one in zip(st.columns(max(1, len(cards))), cards, strict=False):
        with column.container(border=True, gap="xsmall"):
            st.markdown(f"**{one.title}**")
            st.caption(f"{TAKES[one.modality]} → {one.dimension} dimensions")
            show_thumbnail(EMOJI[one.name], (260, 230), fill=True)
    st.caption(
        f"The same {count(MOST_DRAWN)} emoji, embedded by each encoder, on the first two principal "
        "components and colored by group. Text encoders read the names; image encoders see the pictures. No "
        "two spaces share coordinates."
    )
    st.button(
        "Try them with the items of a demo",
        icon=":material/play_arrow:",
        type="primary",
        on_click=lambda: st.session_state.update(encode_way="demo"),
    )


EMOJI = {
    "minilm": "emoji.text_en_minilm",
    "wordllama": "emoji.text_en_wordllama",
    "e5": "emoji.text_es_e5",
    "efficientnet_lite0": "emoji.image_lite0",
    "efficientnet_lite1": "emoji.image_lite1",
}
"""The space of the demo that each bundled encoder made."""
TAKES = {"text": "texts", "image": "images"}
MOST = 4
OTHER = "other"
ITSELF = "model default"
_MANY = "encode_many"


def choose_encoders(modality: str) -> list[Chosen]:
    """A line for each encoder; those that can be had."""
    installed = installed_encoders(modality)  # type: ignore[arg-type]
    many = st.session_state.setdefault(_MANY, 2)
    chosen = []
    for place in range(many):
        one = _choose(modality, place, installed)
        if one is not None and one not in chosen:
            chosen.append(one)
    with st.container(horizontal=True):
        st.button("Add encoder", icon=":material/add:", disabled=many >= MOST, on_click=_add, args=(1,))
        st.button("Remove encoder", icon=":material/remove:", disabled=many <= 1, on_click=_add, args=(-1,))
    return chosen


def _add(more: int) -> None:
    st.session_state[_MANY] += more


def _choose(modality: str, place: int, installed: tuple[str, ...]) -> Chosen | None:
    name_column, layer_column, pooling_column = st.columns([4, 2, 2], vertical_alignment="bottom")
    with name_column:
        name = _choose_name(modality, place, installed)
    if not name:
        return None
    try:
        found = _resolved(name)
        if found is None:
            return None
        about = card(found)
        if about.modality != modality:
            raise relviz.Error(
                f"{about.title} encodes {TAKES[about.modality]}. These items are of another kind."
            )
    except relviz.Error as reason:
        st.error(verbatim(reason), icon=":material/error:")
        return None
    with layer_column:
        layer = _choose_layer(about, modality, place)
    with pooling_column:
        pooling = None if layer is None else _choose_pooling(about, modality, place)
    return Chosen(found, layer, pooling)


def _choose_name(modality: str, place: int, installed: tuple[str, ...]) -> str:
    name: str = st.selectbox(
        f"Encoder {place + 1}",
        [*installed, OTHER],
        index=min(place, len(installed)),
        format_func=lambda one: "Other: a folder, or a model on the hub" if one == OTHER else card(one).title,
        key=f"encoder {modality} {place}",
    )
    if name != OTHER:
        return name
    return st.text_input(
        f"Folder, file or hub ID of encoder {place + 1}",
        key=f"other {modality} {place}",
        placeholder="~/models/mine, or org/model",
        help="On the machine that runs relviz: a folder with a transformers or sentence-transformers "
        "model, or a file of word vectors. Or the id of a model on the hub.",
    ).strip()


def _resolved(name: str) -> str | None:
    """What ``load_encoder`` takes for a name that was chosen or typed; None while a model is fetched."""
    if name in encoder_names():
        return name
    if name.startswith(("/", "~", ".", "\\")) or name.count("/") != 1:
        return str(allowed_path(name))
    if hub_folder(name) is None:
        offer_download(name)
        return None
    return name


def _choose_layer(about: Card, modality: str, place: int) -> int | None:
    if not about.layers:
        return None
    layer: int = st.selectbox(
        "Layer",
        range(-1, about.layers + 1),
        format_func=lambda one: ITSELF if one < 0 else f"{one} of {about.layers}",
        key=f"layer {modality} {place} {about.name}",
        help="0 is the embedding layer. Two layers of one model can be a pair, too.",
    )
    return None if layer < 0 else layer


def _choose_pooling(about: Card, modality: str, place: int) -> str:
    words = {"cls": "CLS token", "mean": "Mean", "last": "Last token"}
    pooling: str = st.selectbox(
        "Pooling",
        about.poolings,
        index=about.poolings.index("mean") if "mean" in about.poolings else 0,
        format_func=lambda one: words.get(one, one),
        key=f"pooling {modality} {place} {about.name}",
        help="How tokens or patches are pooled into one vector.",
    )
    return pooling

"""Everything that was loaded, saved to one file and opened from one."""

from dataclasses import replace

import streamlit as st

import relviz
from relviz.readers.limits import DEFAULT_LIMITS
from relviz.state.workspace import SUFFIX, open_workspace, save_workspace
from relviz.ui import state
from relviz.ui.operations.settings import settings
from relviz.ui.reading import reading_bar
from relviz.ui.verbatim import verbatim

_OPENED = "relviz_workspace"


def save_or_open() -> None:
    """The two buttons of a workspace, side by side."""
    view = state.current()  # a download is made outside the session, where there is none
    left, right = st.columns(2, gap="large")
    with left:
        st.markdown("**Save**")
        st.download_button(
            "Save workspace",
            lambda: save_workspace(view),
            f"workspace{SUFFIX}",
            "application/octet-stream",
            on_click="ignore",
            icon=":material/save:",
            help="One file with your spaces, their ids, classes and items, and all your settings.",
        )
        st.caption(
            "Includes your embeddings; demos are referenced by name. Results are not included; they are "
            "recomputed."
        )
    with right:
        file = st.file_uploader("**Open**", type=[SUFFIX.lstrip(".")], key="workspace_file")
        if file is not None and st.session_state.get(_OPENED) != file.file_id:
            _open(file.file_id, file.getvalue())


def _open(file_id: str, raw: bytes) -> None:
    try:
        with reading_bar("the workspace") as show:
            limits = replace(DEFAULT_LIMITS, memory=settings().quotas.embedding_bytes())
            view, notices = open_workspace(raw, limits, on_progress=show)
    except relviz.Error as reason:
        st.error(verbatim(reason), icon=":material/error:")
        return
    st.session_state[_OPENED] = file_id
    state.replace(view, [notice.sentence("The workspace") for notice in notices])
    st.rerun()

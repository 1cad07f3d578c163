"""A model that is not on this machine: the offer to fetch it, and the job that does."""

import streamlit as st

from relviz.ui.job_view import show_job, start
from relviz.ui.verbatim import verbatim
from relviz.view.fetching import fetch_task


def offer_download(name: str) -> None:
    """Say that a model is not here, with a button that fetches it; before that no network is asked."""
    task = fetch_task(name)
    job = task.job()
    if job is not None and job.state != "done":
        show_job(job, task)
        if job.alive:
            st.caption("A cancel is heard when the file that is coming is there.")
        return
    with st.container(horizontal=True, vertical_alignment="center"):
        st.warning(
            f"{verbatim(name)} is not on this machine. Fetch it from the hub, which needs the network, or "
            "give the path of a folder that has it.",
            icon=":material/cloud_download:",
        )
        st.button("Fetch", key=f"fetch {name}", on_click=start, args=(task,), icon=":material/download:")

"""The device that the numbers are computed on: shared with the browser, and named in the sidebar."""

import streamlit as st

import relviz
from relviz.compute.device import device_name, leave_a_core
from relviz.ui.verbatim import verbatim

HELP = "CUDA or Apple's GPU where there is one, else the CPU. RELVIZ_DEVICE=cpu keeps the work off the GPU."


def share_device() -> None:
    """Leave the page and the browser a core to draw with, whatever is computed."""
    leave_a_core()


def show_device() -> None:
    """Name the device; if the one asked for cannot be used, say that."""
    try:
        st.sidebar.caption(f"Computed on: {verbatim(device_name())}", help=HELP)
    except relviz.Error as reason:
        st.sidebar.error(verbatim(reason), icon=":material/error:")

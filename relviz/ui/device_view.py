"""Which device the numbers are computed on, at the foot of the sidebar."""

import streamlit as st

import relviz
from relviz.compute.device import device_name
from relviz.ui.verbatim import verbatim

HELP = "CUDA or Apple's GPU where there is one, else the CPU. RELVIZ_DEVICE=cpu keeps the work off the GPU."


def show_device() -> None:
    """Name the device; if the one asked for cannot be used, say that."""
    try:
        st.sidebar.caption(f"Computed on: {verbatim(device_name())}", help=HELP)
    except relviz.Error as reason:
        st.sidebar.error(verbatim(reason), icon=":material/error:")

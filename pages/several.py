"""Several: match three or more spaces of the same items at once, and see what a third one adds."""

import streamlit as st

from relviz.ui import state
from relviz.ui.bootstrap.several import choose_spaces, opened, show_several
from relviz.ui.head import show_head

view = state.open_page("several")
with st.sidebar:
    choose_spaces(view.se, view.sources)

show_head("Several", "Match three or more encoders at once: a third space can resolve what two cannot.")
show_several(view.se, opened(view.se.sources))

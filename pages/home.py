"""Home: two encoders of the same emoji, absolute, and relative to more and more of the same anchors."""

from pathlib import Path

import streamlit as st

from relviz.ui import state
from relviz.ui.home import LINKS, show_home

if st.query_params:  # a link to a view from when Compare stood at this address
    st.switch_page("pages/compare.py", query_params=st.query_params.to_dict())
state.open_apart("home")
show_home(tuple(page for page in LINKS if (Path(__file__).parents[1] / page).is_file()))

"""relviz in a browser: `streamlit run app.py`."""

import streamlit as st

st.set_page_config(page_title="relviz", page_icon=":material/hub:", layout="wide")

st.navigation(
    [
        st.Page("pages/data.py", title="Data", icon=":material/database:"),
        st.Page("pages/anchors.py", title="Anchors", icon=":material/anchor:"),
        st.Page("pages/compare.py", title="Compare", icon=":material/compare:", default=True),
    ]
).run()

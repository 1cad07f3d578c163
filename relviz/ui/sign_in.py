"""Signing in, where the settings of the server ask for it."""

import streamlit as st

from relviz.ui.operations.settings import settings
from relviz.ui.verbatim import verbatim


def sign_in() -> None:
    """Show who is signed in, or nothing but a button to do so; where visitors need not sign in, nothing."""
    if settings().visitors.known_by != "login":
        return
    if not st.user.get("is_logged_in"):
        st.title("relviz")
        st.markdown("Sign in to see the demos and your own embeddings.")
        st.button("Sign in", type="primary", icon=":material/login:", on_click=st.login)
        st.stop()
    name = st.user.get("name") or st.user.get("email") or st.user.get("sub")
    st.sidebar.caption(f"Signed in as {verbatim(name)}")
    st.sidebar.button("Sign out", type="tertiary", icon=":material/logout:", on_click=st.logout)

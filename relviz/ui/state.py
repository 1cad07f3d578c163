"""The current view: read from the URL, kept for the session, written back to the URL.

A link that is opened, a step back in the browser, and a reload all give the view in the URL;
a switch to another page, which clears the URL, keeps the view of the session.
"""

from typing import Any

import streamlit as st

from relviz.view.choices import View

_VIEW = "relviz_view"
_WRITTEN = "relviz_written"
_NOTICES = "relviz_notices"


def current() -> View:
    """The view of this session. Call it at the top of a page."""
    params = st.query_params.to_dict()
    written = st.session_state.get(_WRITTEN)
    if _VIEW not in st.session_state or (params and params != written):
        st.session_state[_VIEW], st.session_state[_NOTICES] = View.from_params(params)
    view: View = st.session_state[_VIEW]
    _write(view)
    return view


def change(**changes: Any) -> None:
    """Change choices of the view; for callbacks, which run before the page is drawn again."""
    view = st.session_state.get(_VIEW, View()).with_changes(**changes)
    st.session_state[_VIEW] = view
    _write(view)


def show_notices() -> None:
    """Say which parts of the link could not be followed."""
    for notice in st.session_state.get(_NOTICES, ()):
        st.warning(notice, icon=":material/link_off:")


def _write(view: View) -> None:
    wanted = view.to_params()
    if st.query_params.to_dict() != wanted:
        st.query_params.from_dict(wanted)
    st.session_state[_WRITTEN] = wanted

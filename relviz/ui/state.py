"""The current view: read from the URL, kept for the session, written back to the URL.

A link, a reload and a step back in the browser all give the view in the URL. A switch to another
page, which clears the URL, keeps the view of the session.
"""

import streamlit as st
from streamlit.runtime.pages_manager import PagesManager

from relviz.compute.store import default_store
from relviz.state import View
from relviz.ui.names import note_drawn
from relviz.ui.verbatim import verbatim
from relviz.ui.visitor import visitor

_VIEW = "relviz_view"
_WRITTEN = "relviz_written"
_NOTICES = "relviz_notices"
_TOASTS = "relviz_toasts"
_PAGE = "relviz_page"
_BARE = "relviz_bare"


def open_page(page: str) -> View:
    """The view of this session, for the page of that name. Call it at the top of every page."""
    _start_with_app()
    visitor()  # who has no cookie is somebody from the first page on
    note_drawn()
    state = st.session_state
    switched = state.get(_PAGE) != page
    state[_PAGE] = page
    params = st.query_params.to_dict()
    if _VIEW not in state or (params and params != state[_WRITTEN]):
        state[_VIEW], notices = View.from_params(params)
        state[_NOTICES] = [notice.sentence("The link") for notice in notices]
        _write()
    elif not params and switched and kept() != View():
        state.setdefault(_BARE, set()).add(page)
        _write()
    elif not params and state[_WRITTEN]:
        _step_back(page)
    for sentence in state[_NOTICES]:
        st.warning(verbatim(sentence), icon=":material/link_off:")
    _say()
    return kept()


def open_apart(page: str) -> None:
    """Open a page whose address is its own: the view of the session stays, and is not in the address."""
    _start_with_app()
    visitor()
    st.session_state[_PAGE] = page
    _say()


def _say() -> None:
    """Once on a page: what callbacks said, and that what is computed cannot be kept."""
    for sentence, icon in st.session_state.pop(_TOASTS, ()):
        st.toast(sentence, icon=icon)
    trouble = default_store().trouble
    if trouble:
        st.warning(
            f"{verbatim(trouble)} Results are still shown, but are lost when relviz ends.",
            icon=":material/save:",
        )


def _step_back(page: str) -> None:
    # The browser went back to an address without choices: the one that a switch to this page leaves
    # in its history, where the view stays, or the first of all, before any choice was made. Writing
    # the choices to it would add a step that nobody could get behind.
    if page not in st.session_state.get(_BARE, ()):
        st.session_state[_VIEW], st.session_state[_NOTICES] = View(), []
    st.session_state[_WRITTEN] = {}


def kept() -> View:
    """The view as this session has it."""
    view: View = st.session_state.get(_VIEW, View())
    return view


def change(**changes: object) -> None:
    """Change choices of the view; for callbacks, which run before the page is drawn again."""
    st.session_state[_VIEW] = kept().with_changes(**changes)
    st.session_state[_NOTICES] = []
    _write()


def replace(view: View, sentences: list[str]) -> None:
    """Have another view, and say what had to be left out of it, when the page is drawn again."""
    st.session_state[_VIEW], st.session_state[_NOTICES] = view, sentences
    _write()


def toast(sentence: str, icon: str) -> None:
    """Say something when the page is drawn again; for callbacks, whose own toasts the style replaces."""
    st.session_state.setdefault(_TOASTS, []).append((sentence, icon))


def change_run(**changes: object) -> None:
    """Change choices of the view's run of anchor optimization; for callbacks."""
    change(ao=kept().ao.with_changes(**changes))


def change_decoding(**changes: object) -> None:
    """Change choices of the Decode page; for callbacks."""
    change(de=kept().de.with_changes(**changes))


def change_several(**changes: object) -> None:
    """Change choices of the Several page; for callbacks."""
    change(se=kept().se.with_changes(**changes))


def _write() -> None:
    wanted = kept().to_params()
    if st.query_params.to_dict() != wanted:
        st.query_params.from_dict(wanted)
    st.session_state[_WRITTEN] = wanted


def _start_with_app() -> None:
    # Streamlit runs a file of pages/ by itself, without app.py, when its address is the first that a
    # server is asked for.
    if PagesManager.uses_pages_directory:
        PagesManager.uses_pages_directory = False
        st.rerun()

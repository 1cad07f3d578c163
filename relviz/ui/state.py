"""The current view: read from the URL, kept for the session, written back to the URL.

A link, a reload and a step back in the browser all give the view in the URL. Any other request with an
older URL was sent before the browser had the newer one: the session's view stands. A switch to another
page, which clears the URL, keeps the view of the session. A page that another shares has a view of its
own, which cannot be changed; the session's own is there again on the next page.
"""

import logging
from datetime import UTC, datetime

import streamlit as st
from streamlit.runtime.pages_manager import PagesManager
from streamlit.runtime.scriptrunner import get_script_run_ctx

from relviz.compute.store import default_store
from relviz.state import View
from relviz.state.shares import named, share_of
from relviz.ui.doors import refused
from relviz.ui.names import note_drawn
from relviz.ui.verbatim import verbatim
from relviz.ui.visitor import LINK, visitor

_VIEW = "relviz_view"
_WRITTEN = "relviz_written"
_NOTICES = "relviz_notices"
_TOASTS = "relviz_toasts"
_PAGE = "relviz_page"
_BARE = "relviz_bare"
_SHARED = "relviz_shared"
_OPENED = "relviz_link_opened"
PARAMETER = "share"
"""Of the address of a page that another shares."""
REVOKED = "This link was revoked, or there never was one. Ask whoever sent it for a new link."
READ_ONLY = "This page is shared with you read-only, so its settings cannot be changed."

logger = logging.getLogger(__name__)


def open_page(page: str) -> View:
    """The view of this session, for the page of that name. Call it at the top of every page."""
    _start_with_app()
    note_drawn()
    state = st.session_state
    switched = state.get(_PAGE) != page
    state[_PAGE] = page
    params = st.query_params.to_dict()
    shared = _open_link(page, params.get(PARAMETER))
    visitor()  # who has no cookie is somebody from the first page on
    if shared is not None:
        _say()
        return shared
    if _VIEW in state and params != state[_WRITTEN] and not (switched or _went_through_history()):
        # The browser asked before it had the last address: on a busy server, polls do so all the time.
        _write()
    elif _VIEW not in state or (params and params != state[_WRITTEN]):
        state[_VIEW], notices = View.from_params(params)
        state[_NOTICES] = [notice.sentence("The link") for notice in notices]
        _write()
    elif not params and switched and current() != View():
        state.setdefault(_BARE, set()).add(page)
        _write()
    elif not params and state[_WRITTEN]:
        _step_back(page)
    for sentence in state[_NOTICES]:
        st.warning(verbatim(sentence), icon=":material/link_off:")
    _say()
    return current()


def _went_through_history() -> bool:
    """Whether the browser went back or forward to the address that it asks for."""
    context = get_script_run_ctx(suppress_warning=True)
    return context is not None and context.is_history_navigation


def open_apart(page: str) -> None:
    """Open a page whose address is its own: the view of the session stays, and is not in the address."""
    _start_with_app()
    close_link()
    visitor()
    st.session_state[_PAGE] = page
    _say()


def page_shown() -> str:
    """The page that this session shows."""
    return str(st.session_state.get(_PAGE, ""))


def is_guest() -> bool:
    """Whether the page shows what another shares, which cannot be changed."""
    return LINK in st.session_state


def close_link() -> None:
    """Have the view of this session again, after one that another shares."""
    for name in (LINK, _SHARED):
        st.session_state.pop(name, None)


def _open_link(page: str, token: str | None) -> View | None:
    """The view that a link shows on its page; None without one. One that shows nothing stops the page."""
    close_link()
    if token is None:
        return None
    found = share_of(token)
    if found is None:
        visitor()
        st.error(REVOKED, icon=":material/link_off:")
        st.page_link("pages/compare.py", label="Open Compare", icon=":material/compare:")
        st.stop()
    if found.page != page:
        st.switch_page(f"pages/{found.page}.py", query_params={PARAMETER: token})
    st.session_state[LINK] = token
    st.session_state[_SHARED], notices = View.from_params(found.view)
    visitor()
    if st.session_state.get(_OPENED) != token:
        st.session_state[_OPENED] = token
        logger.info("The link %s is opened: %s", named(token), page)
    made = datetime.fromtimestamp(found.made, UTC)
    st.info(
        f"**Shared with you, read-only**, as of {made:%B} {made.day}, {made:%Y, %H:%M} UTC. "
        "Your own embeddings are on the other pages.",
        icon=":material/share:",
    )
    for notice in notices:
        st.warning(verbatim(notice.sentence("The link")), icon=":material/link_off:")
    return current()


def _say() -> None:
    """Once on a page: what callbacks said, why an upload was refused, and that results cannot be kept."""
    for sentence, icon in st.session_state.pop(_TOASTS, ()):
        st.toast(sentence, icon=icon)
    context = get_script_run_ctx(suppress_warning=True)
    if context is not None and (why := refused(context.session_id)):
        st.toast(why, icon=":material/error:", duration="infinite")
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


def current() -> View:
    """The view as this session has it."""
    view: View = st.session_state.get(_SHARED) or st.session_state.get(_VIEW, View())
    return view


def change(**changes: object) -> None:
    """Change choices of the view; for callbacks, which run before the page is drawn again."""
    if is_guest():
        toast(READ_ONLY, ":material/lock:")
        return
    st.session_state[_VIEW] = current().with_changes(**changes)
    st.session_state[_NOTICES] = []
    _write()


def replace(view: View, sentences: list[str]) -> None:
    """Have another view, and say what had to be left out of it, when the page is drawn again."""
    close_link()
    st.session_state[_VIEW], st.session_state[_NOTICES] = view, sentences
    _write()


def toast(sentence: str, icon: str) -> None:
    """Say something when the page is drawn again; for callbacks, whose own toasts the style replaces."""
    st.session_state.setdefault(_TOASTS, []).append((sentence, icon))


def change_run(**changes: object) -> None:
    """Change choices of the view's run of anchor optimization; for callbacks."""
    change(ao=current().ao.with_changes(**changes))


def change_decoding(**changes: object) -> None:
    """Change choices of the Decode page; for callbacks."""
    change(de=current().de.with_changes(**changes))


def change_several(**changes: object) -> None:
    """Change choices of the Several page; for callbacks."""
    change(se=current().se.with_changes(**changes))


def _write() -> None:
    wanted = current().to_params()
    if st.query_params.to_dict() != wanted:
        st.query_params.from_dict(wanted)
    st.session_state[_WRITTEN] = wanted


def _start_with_app() -> None:
    # Streamlit runs a file of pages/ by itself, without app.py, when its address is the first that a
    # server is asked for.
    if PagesManager.uses_pages_directory:
        PagesManager.uses_pages_directory = False
        st.rerun()

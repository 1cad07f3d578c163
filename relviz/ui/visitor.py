"""Which visitor a session is of: by the secret in the browser's cookie, or one for this session alone.

The server sets the cookie with the page (see ``relviz.ui.doors``), so a reload and a second tab are the same
visitor; a browser without cookies is a new one in every session. Where the settings say so, a visitor is the
user who signed in by ``st.login``, or whom a trusted proxy names, whatever their browser. On a page that a
link of another shows them, a visitor is a guest, with nothing of their own.
"""

import re
import secrets

import streamlit as st
from streamlit.runtime.scriptrunner_utils.script_run_context import get_script_run_ctx

from relviz.compute.owner import NOBODY, find_owner_by, guest_of
from relviz.ui.operations.presence import seen
from relviz.ui.operations.settings import settings

COOKIE = "relviz_visitor"
_SECRET = re.compile("[0-9a-f]{64}")
_SESSION = "relviz_visitor"
LINK = "relviz_link"
"""In a session that shows what another shares: the token of the link."""
without_cookies: set[str] = set()
"""Visitors whose browsers keep none."""
_users: dict[str, str] = {}
"""Visitors by their cookie, as of the last page that was drawn for it."""


def new_secret() -> str:
    """The secret of a new visitor: 256 random bits in hex."""
    return secrets.token_hex(32)


def is_secret(text: object) -> bool:
    """Whether a cookie holds what ``new_secret`` makes."""
    return isinstance(text, str) and _SECRET.fullmatch(text) is not None


def visitor() -> str:
    """The secret of the visitor whose page is drawn by this thread; ``NOBODY`` where none is."""
    context = get_script_run_ctx(suppress_warning=True)
    if context is None:
        return NOBODY
    cookie, user = st.context.cookies.get(COOKIE), user_name()
    if cookie is not None and is_secret(cookie):
        who = f"user {user}" if user else cookie
        _users[cookie] = who
    else:
        who = f"user {user}" if user else st.session_state.setdefault(_SESSION, new_secret())
        without_cookies.add(who)
    link = st.session_state.get(LINK)
    who = guest_of(link, who) if link else who
    seen(context.session_id, who)
    return who


def user_name() -> str:
    """The user who signed in, or whom a trusted proxy names; empty where there is none."""
    chosen = settings().visitors
    if chosen.known_by == "header":
        return st.context.headers.get(chosen.header) or ""
    if chosen.known_by == "login" and st.user.get("is_logged_in"):
        return " ".join(str(st.user.get(part) or "") for part in ("iss", "sub")).strip()
    return ""


def visitor_of(cookie: str) -> str:
    """The visitor whose browser sends a cookie."""
    return _users.get(cookie, cookie)


find_owner_by(visitor)

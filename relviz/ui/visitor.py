"""Which visitor a session is of: by the secret in the browser's cookie, or one for this session alone.

The server sets the cookie with the page (see ``relviz.ui.doors``), so a reload and a second tab are the same
visitor; a browser without cookies is a new one in every session.
"""

import re
import secrets

import streamlit as st
from streamlit.runtime.scriptrunner_utils.script_run_context import get_script_run_ctx

from relviz.compute.owner import NOBODY, find_owner_by

COOKIE = "relviz_visitor"
_SECRET = re.compile("[0-9a-f]{64}")
_SESSION = "relviz_visitor"
without_cookies: set[str] = set()
"""Secrets of visitors whose browsers keep none."""


def new_secret() -> str:
    """The secret of a new visitor: 256 random bits in hex."""
    return secrets.token_hex(32)


def is_secret(text: object) -> bool:
    """Whether a cookie holds what ``new_secret`` makes."""
    return isinstance(text, str) and _SECRET.fullmatch(text) is not None


def visitor() -> str:
    """The secret of the visitor whose page is drawn by this thread; ``NOBODY`` where none is."""
    if get_script_run_ctx(suppress_warning=True) is None:
        return NOBODY
    cookie = st.context.cookies.get(COOKIE)
    if cookie is not None and is_secret(cookie):
        return cookie
    secret: str = st.session_state.setdefault(_SESSION, new_secret())
    without_cookies.add(secret)
    return secret


find_owner_by(visitor)

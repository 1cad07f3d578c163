"""The doors of the server: a browser is given a secret, and a page's files go to whom the page was shown.

Streamlit itself names such a file by its content, and gives it to everyone who has the name.
"""

import logging
import os
import re
from functools import wraps
from http.cookies import CookieError, SimpleCookie
from typing import Any

import streamlit as st
from starlette.datastructures import Headers, MutableHeaders
from starlette.middleware import Middleware
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from streamlit import net_util
from streamlit.runtime import exists, get_instance
from streamlit.runtime.media_file_manager import MediaFileManager
from streamlit.runtime.memory_media_file_storage import MemoryMediaFileStorage
from streamlit.runtime.pages_manager import PagesManager

from relviz.compute.owner import account_of, link_of, on_behalf, owner
from relviz.state.shares import share_of
from relviz.ui.operations.log import shown_visitor
from relviz.ui.operations.presence import sessions_of, visitor_in
from relviz.ui.operations.settings import settings
from relviz.ui.visitor import COOKIE, is_secret, new_secret, visitor_of, without_cookies
from relviz.wording import size

KEPT_SECONDS = 365 * 24 * 3600
_UPLOAD = re.compile(r"/_stcore/upload_file/([^/]+)/[^/]+")
_MEDIA = re.compile(r"/media/([^/.]+)(?:\.[^/]*)?")

logger = logging.getLogger(__name__)

_shown: dict[str, set[str | None]] = {}
"""Who was shown a file, by its name."""
_refused: dict[str, str] = {}
"""Why an upload was refused, by the session whose page is yet to say so."""


def doors() -> list[Middleware]:
    """Shut what Streamlit leaves open; gives what stands between the server and every request."""
    PagesManager.uses_pages_directory = False  # app.py names the pages; files of pages/ are no menu
    _remember_who_is_shown_files()
    _ask_nobody_for_the_address()
    return [Middleware(Doors)]


class Doors:
    """Looks at each request before Streamlit does."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app
        self._base = f"/{str(st.get_option('server.baseUrlPath')).strip('/')}".rstrip("/")

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] in ("http", "websocket"):
            _drop_names_of_strangers(scope)
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        who = _cookie_of(headers)
        file = _MEDIA.fullmatch(scope["path"].removeprefix(self._base))
        upload = _UPLOAD.fullmatch(scope["path"].removeprefix(self._base))
        if file is not None and scope["method"] != "OPTIONS" and not may_have(file[1], who):
            await PlainTextResponse("File not found", status_code=404)(scope, receive, send)
        elif upload is not None and scope["method"] == "PUT" and (full := refusal(upload[1], headers)):
            logger.warning(
                "An upload of visitor %s is refused: %s", shown_visitor(visitor_in(upload[1])), full
            )
            _have_page_say(upload[1], full)
            await PlainTextResponse(full, status_code=413)(scope, receive, send)
        elif scope["method"] == "GET" and "text/html" in headers.get("accept", ""):
            await self._app(scope, receive, _giving(who or new_secret(), scope["scheme"] == "https", send))
        else:
            await self._app(scope, receive, send)


def may_have(file: str, who: str | None) -> bool:
    """Whether a file of some page was shown to a visitor; None is one whose browser keeps no cookies."""
    to = {one for one in _shown.get(file, set()) if not link_of(one) or share_of(link_of(one)) is not None}
    shown = set(filter(None, map(account_of, to)))
    return visitor_of(who) in shown if who is not None else not without_cookies.isdisjoint(shown)


def refusal(session: str, headers: Headers) -> str:
    """Why a visitor may not upload another file from a page now; empty where they may."""
    if not exists():
        return ""
    held = get_instance()._uploaded_file_mgr.file_storage  # type: ignore[attr-defined]  # of the one that is in memory
    mine = sessions_of(visitor_in(session)) | {session}
    used = sum(len(file.data) for one in mine for file in list(held.get(one, {}).values()))
    most = settings().quotas.uploads_megabytes_each * 2**20
    length = headers.get("content-length", "")
    needed = int(length) if length.isdecimal() else settings().quotas.upload_megabytes * 2**20
    if used + needed <= most:
        return ""
    return (
        f"Your open pages hold {size(used)} of uploaded files, and this one has {size(needed)}; the limit is "
        f"{size(most)}. Remove files from the upload controls, or close pages."
    )


def refused(session: str) -> str:
    """Why an upload from the page of a session was refused, for the page to say once; empty if none was."""
    return _refused.pop(session, "")


def _have_page_say(session: str, why: str) -> None:
    """Draw the page of a session again: of an answer its upload control shows no more than the status."""
    found = get_instance()._session_mgr.get_active_session_info(session)
    if found is not None:
        _refused[session] = why
        found.session.request_rerun(found.session._client_state)  # on the page that it shows


def _drop_names_of_strangers(scope: Scope) -> None:
    """Remove the header that names the user, unless the request comes from a trusted proxy."""
    chosen = settings().visitors
    if chosen.known_by != "header" or not _from_proxy(scope, chosen.proxies):
        named = chosen.header.lower().encode("latin-1")
        scope["headers"] = [one for one in scope["headers"] if one[0].lower() != named]


def _from_proxy(scope: Scope, proxies: tuple[str, ...]) -> bool:
    """Whether a trusted proxy sent it.

    Of the proxies in ``FORWARDED_ALLOW_IPS``, by default this machine, uvicorn gives the address of whom they
    ask for, and 0 for the port.
    """
    host, port = scope.get("client") or ("", -1)
    believes_all = "*" in os.environ.get("FORWARDED_ALLOW_IPS", "")
    return host in proxies or (port == 0 and not believes_all)


def _cookie_of(headers: Headers) -> str | None:
    try:
        found = SimpleCookie(headers.get("cookie", "")).get(COOKIE)
    except CookieError:
        return None
    return found.value if found is not None and is_secret(found.value) else None


def _giving(secret: str, encrypted: bool, send: Send) -> Send:
    """Send a page with the secret beside it, which no script of the page can read."""
    cookie = f"{COOKIE}={secret}; Path=/; Max-Age={KEPT_SECONDS}; HttpOnly; SameSite=Lax"

    async def sending(message: Message) -> None:
        if message["type"] == "http.response.start":
            MutableHeaders(scope=message).append("set-cookie", cookie + "; Secure" * encrypted)
        await send(message)

    return sending


def _ask_nobody_for_the_address() -> None:
    """Streamlit would ask another machine for it, when it starts and when a strange origin knocks."""
    net_util.get_external_ip = lambda: None


def _remember_who_is_shown_files() -> None:
    """Have Streamlit note whom it shows each file, also of files that are made when they are asked for."""
    load, drop = MemoryMediaFileStorage.load_and_get_id, MemoryMediaFileStorage.delete_file
    defer = MediaFileManager.add_deferred

    @wraps(load)
    def loaded(self: MemoryMediaFileStorage, *given: Any, **named: Any) -> str:
        file = load(self, *given, **named)
        _shown.setdefault(file, set()).add(owner())
        return file

    @wraps(drop)
    def dropped(self: MemoryMediaFileStorage, file_id: str) -> None:
        drop(self, file_id)
        _shown.pop(file_id, None)

    @wraps(defer)
    def deferred(self: MediaFileManager, data_callable: Any, *given: Any, **named: Any) -> str:
        return defer(self, on_behalf(data_callable), *given, **named)

    for owned, name, wrapped in (
        (MemoryMediaFileStorage, "load_and_get_id", loaded),
        (MemoryMediaFileStorage, "delete_file", dropped),
        (MediaFileManager, "add_deferred", deferred),
    ):
        setattr(owned, name, wrapped)

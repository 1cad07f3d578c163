"""A browser as the server sees it: a session over the websocket, whose widgets are set and texts are read."""

import asyncio
import hashlib
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from types import MappingProxyType
from typing import Any
from urllib.parse import urlencode

from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.proto.WidgetStates_pb2 import WidgetState
from websockets.asyncio.client import ClientConnection, connect

from relviz.ui.visitor import COOKIE

MOST_BYTES = 2**28
APART_SECONDS = 0.2
"""Between two polls at least: of two that come at once the server forgets one."""
_SAID = ("markdown", "alert", "text", "heading")


class Session:
    """A page of the app, open as in a browser: what it shows is kept up to date."""

    def __init__(self, socket: ClientConnection, page: str, query: str) -> None:
        self._socket, self._page, self._query = socket, page, query
        self._states: dict[str, WidgetState] = {}
        self._elements: dict[tuple[int, ...], Any] = {}
        self._fresh: set[tuple[int, ...]] = set()
        self._polls: dict[str, float] = {}
        self._new_polls: dict[str, float] = {}
        self._due: dict[str, float] = {}
        self._hash = ""
        self.finished = 0
        """How many times the page, or a part of it that polls, was drawn to its end."""

    @staticmethod
    async def open(
        address: str,
        page: str,
        params: dict[str, str],
        secret: str,
        headers: Mapping[str, str] = MappingProxyType({}),
        **connection: Any,
    ) -> "Session":
        """Open a page for the visitor of a cookie, and ask for it; further options are of the connection."""
        socket = await connect(
            f"{address.replace('http', 'ws')}/_stcore/stream",
            subprotocols=["streamlit"],  # type: ignore[list-item]  # names are strings
            additional_headers={"Cookie": f"{COOKIE}={secret}", **headers},
            max_size=MOST_BYTES,
            open_timeout=60,
            **connection,
        )
        session = Session(socket, page, urlencode(params))
        await session._ask()
        return session

    async def close(self) -> None:
        """Close the tab."""
        await self._socket.close()

    async def until(self, holds: Callable[[], bool], patience: float) -> float:
        """Take part until something holds of a page that is drawn to its end; gives the seconds that took.

        Raises
        ------
        TimeoutError
            If it takes longer than ``patience`` seconds.
        """
        began, drawn, asked = time.perf_counter(), self.finished, 0.0
        while True:
            left = patience - (time.perf_counter() - began)
            if left <= 0:
                raise TimeoutError(f"{self._page}: {self.said()[:500]}")
            due = min(self._polls, key=self._due.__getitem__, default="")
            due_at = max(self._due[due], asked + APART_SECONDS) if due else began + patience
            wait = min(left, max(0.01, due_at - time.perf_counter()))
            with suppress(TimeoutError):
                received: Any = await asyncio.wait_for(self._socket.recv(), wait)
                self._take(ForwardMsg.FromString(received))
            if self.finished > drawn:
                drawn = self.finished
                if holds():
                    return time.perf_counter() - began
            if due in self._polls and time.perf_counter() >= due_at:
                asked = time.perf_counter()
                self._due[due] = asked + self._polls[due]
                await self._ask(due)

    async def set_number(self, label: str, value: float) -> None:
        """Type into the number that has a label."""
        state = self._state(self._widget("number_input", label).id)
        state.double_value = value
        await self._ask()

    async def press(self, label: str) -> None:
        """Press a button."""
        widget = self._widget("button", label).id
        self._state(widget).trigger_value = True
        await self._ask()
        del self._states[widget]

    def has(self, kind: str, label: str) -> bool:
        """Whether the page has a widget of that kind and label."""
        return any(
            one.WhichOneof("type") == kind and getattr(one, kind).label == label
            for one in self._elements.values()
        )

    def said(self) -> str:
        """All texts of the page."""
        texts = []
        for path in sorted(self._elements):
            one = self._elements[path]
            kind = one.WhichOneof("type")
            if kind in _SAID:
                texts.append(str(getattr(getattr(one, kind), "body", "")))
            elif kind == "progress":
                texts.append(one.progress.text)
        return "\n".join(texts)

    def drawn(self) -> str:
        """Digest of the linked maps of the page."""
        digest = hashlib.blake2b(digest_size=16)
        for path in sorted(self._elements):
            one = self._elements[path]
            if one.WhichOneof("type") == "bidi_component":
                digest.update(one.bidi_component.bytes)
        return digest.hexdigest()

    def _widget(self, kind: str, label: str) -> Any:
        found = [
            getattr(one, kind)
            for one in self._elements.values()
            if one.WhichOneof("type") == kind and getattr(one, kind).label == label
        ]
        assert found, f"There is no {kind} {label!r}: {self.said()[:500]}"
        return found[0]

    def _state(self, widget: str) -> WidgetState:
        return self._states.setdefault(widget, WidgetState(id=widget))

    async def _ask(self, fragment: str = "") -> None:
        message = BackMsg()
        asked = message.rerun_script
        asked.query_string, asked.page_name = self._query, "" if self._hash else self._page
        asked.page_script_hash = self._hash
        asked.widget_states.widgets.extend(self._states.values())
        asked.fragment_id, asked.is_auto_rerun = fragment, bool(fragment)
        await self._socket.send(message.SerializeToString())

    def _take(self, message: ForwardMsg) -> None:
        kind = message.WhichOneof("type")
        if kind == "new_session":
            self._fresh, self._new_polls = set(), {}
        elif kind == "delta":
            path = tuple(message.metadata.delta_path)
            self._fresh.add(path)
            if message.delta.WhichOneof("type") == "new_element":
                self._elements[path] = message.delta.new_element
        elif kind == "navigation":
            self._hash = message.navigation.page_script_hash
        elif kind == "page_info_changed":
            self._query = message.page_info_changed.query_string
        elif kind == "auto_rerun":
            fragment, interval = message.auto_rerun.fragment_id, message.auto_rerun.interval
            self._new_polls[fragment] = interval
            self._due[fragment] = time.perf_counter() + interval
            self._polls |= self._new_polls
        elif kind == "stop_auto_rerun":
            for fragment in message.stop_auto_rerun.fragment_ids:
                self._polls.pop(fragment, None)
        elif kind == "script_finished" and message.script_finished == ForwardMsg.FINISHED_SUCCESSFULLY:
            self._elements = {path: one for path, one in self._elements.items() if path in self._fresh}
            self._polls = dict(self._new_polls)
            self.finished += 1
        elif (
            kind == "script_finished"
            and message.script_finished == ForwardMsg.FINISHED_FRAGMENT_RUN_SUCCESSFULLY
        ):
            self.finished += 1

"""Firefox, driven through its own remote protocol (Marionette): what a test of a file on a disk needs."""

import json
import shutil
import socket
import subprocess
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tests.browser.server import free_port

FIREFOX = shutil.which("firefox-esr") or shutil.which("firefox")
CUT = {
    "network.proxy.type": 1,
    "network.proxy.http": "127.0.0.1",
    "network.proxy.http_port": 9,
    "network.proxy.ssl": "127.0.0.1",
    "network.proxy.ssl_port": 9,
    "network.proxy.allow_hijacking_localhost": True,
}
"""Every request goes to a port where nobody answers."""
Place = tuple[float, float]


class Firefox:
    """A window of Firefox without a network."""

    def __init__(self, connection: socket.socket) -> None:
        self._file = connection.makefile("rwb")
        self._number = 0
        self._read()
        self.ask("WebDriver:NewSession", {})

    def ask(self, command: str, given: dict[str, object]) -> Any:
        """The answer to a command; RuntimeError for an error."""
        self._number += 1
        raw = json.dumps([0, self._number, command, given]).encode()
        self._file.write(b"%d:%s" % (len(raw), raw))
        self._file.flush()
        _, _, error, answer = self._read()
        if error:
            raise RuntimeError(f"{command}: {error['message']}")
        return answer

    def _read(self) -> Any:
        length = b""
        while (letter := self._file.read(1)) != b":":
            length += letter
        return json.loads(self._file.read(int(length)))

    def evaluate(self, expression: str) -> Any:
        """The value of an expression in the page."""
        return self.ask("WebDriver:ExecuteScript", {"script": f"return {expression};", "args": []})["value"]

    def wait_for(self, expression: str, patience: float = 30.0) -> None:
        """Wait until an expression is true; AssertionError if it does not become so."""
        end = time.monotonic() + patience
        while not self.evaluate(expression):
            assert time.monotonic() < end, expression
            time.sleep(0.05)

    def drag(self, places: Sequence[Place], presses: bool = True) -> None:
        """Move the mouse through some places, its button pressed from the first to the last, or never."""
        moves = [{"type": "pointerMove", "x": round(x), "y": round(y), "duration": 0} for x, y in places]
        down, up = ({"type": f"pointer{way}", "button": 0} for way in ("Down", "Up"))
        actions = [moves[0], down, *moves[1:], up] if presses else moves
        pointer = {"type": "pointer", "id": "mouse", "actions": actions}
        self.ask("WebDriver:PerformActions", {"actions": [pointer]})

    def write(self, text: str) -> None:
        """Press the keys of a text."""
        presses = [{"type": kind, "value": letter} for letter in text for kind in ("keyDown", "keyUp")]
        keys = {"type": "key", "id": "keys", "actions": presses}
        self.ask("WebDriver:PerformActions", {"actions": [keys]})


@contextmanager
def opened(address: str, folder: Path) -> Iterator[Firefox]:
    """Firefox on a page, with a new profile in a folder."""
    port = free_port()
    prefs = CUT | {"marionette.port": port, "datareporting.policy.dataSubmissionEnabled": False}
    lines = [f'user_pref("{name}", {json.dumps(value)});' for name, value in prefs.items()]
    (folder / "user.js").write_text("\n".join(lines))
    assert FIREFOX is not None
    command = [FIREFOX, "--headless", "--marionette", "--no-remote", "--profile", str(folder)]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        with _connected(port) as connection:
            firefox = Firefox(connection)
            firefox.ask("WebDriver:SetWindowRect", {"width": 1280, "height": 900})
            firefox.ask("WebDriver:Navigate", {"url": address})
            yield firefox
    finally:
        process.terminate()
        process.wait(30)


def _connected(port: int, patience: float = 60.0) -> socket.socket:
    end = time.monotonic() + patience
    while True:
        try:
            return socket.create_connection(("127.0.0.1", port), timeout=60)
        except OSError:
            assert time.monotonic() < end, "Firefox did not start."
            time.sleep(0.2)

"""The app in a process of its own, with a cache of its own."""

import os
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from types import MappingProxyType

ROOT = Path(__file__).resolve().parent.parent.parent
LOG = "log.txt"


@contextmanager
def served(
    folder: Path,
    patience: float = 60.0,
    script: str = "app.py",
    port: int = 0,
    environment: Mapping[str, str] = MappingProxyType({}),
) -> Iterator[str]:
    """Start the app, or another script of the project, on a port or a free one and give its address.

    Its log and cache go to ``folder``; the ``environment`` is added to that of the test.

    Raises
    ------
    TimeoutError
        If it does not answer within ``patience`` seconds, or ends before.
    """
    port = port or free_port()
    options = {"server.port": port, "server.headless": "true", "server.fileWatcherType": "none"}
    command = [sys.executable, "-m", "streamlit", "run", script]
    with (folder / LOG).open("w", encoding="utf-8") as log:
        process = subprocess.Popen(
            [*command, *(f"--{name}={value}" for name, value in options.items())],
            cwd=ROOT,
            env=os.environ
            | environment
            | {"RELVIZ_CACHE": str(folder / "cache"), "PYTHONUNBUFFERED": "1", "PYTHONPATH": str(ROOT)},
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
    address = f"http://localhost:{port}"
    try:
        wait_for(f"{address}/_stcore/health", process, patience)
        yield address
    finally:
        stop(process)


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("localhost", 0))
        return int(probe.getsockname()[1])


def wait_for(address: str, process: subprocess.Popen[bytes], patience: float) -> None:
    """Wait until a program answers at an address; TimeoutError if it does not, or ends before."""
    until = time.monotonic() + patience
    while time.monotonic() < until and process.poll() is None:
        try:
            with urllib.request.urlopen(address, timeout=1):
                return
        except OSError:
            time.sleep(0.2)
    raise TimeoutError(f"Nothing answered at {address}.")


def stop(process: subprocess.Popen[bytes]) -> None:
    """End a program and whatever it started."""
    for sent, patience in ((signal.SIGTERM, 10.0), (signal.SIGKILL, None)):
        try:
            os.killpg(process.pid, sent)
            process.wait(patience)
            return
        except ProcessLookupError:
            process.wait()
            return
        except subprocess.TimeoutExpired:
            continue

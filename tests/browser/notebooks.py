"""Notebook programs on ports of their own, whose kernels import relviz from here."""

import os
import signal
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

from tests.browser.server import ROOT

PATIENCE = 90.0


@contextmanager
def serving(folder: Path, address: str, *command: str) -> Iterator[None]:
    """A Python module as a program that answers at an address; what it writes stays in the folder."""
    names = ("JUPYTER_CONFIG_DIR", "JUPYTER_RUNTIME_DIR", "XDG_CONFIG_HOME", "XDG_STATE_HOME", "HOME")
    settings = {name: str(folder / name.lower()) for name in names}
    environment = os.environ | settings | {"PYTHONPATH": str(ROOT), "RELVIZ_CACHE": str(folder / "cache")}
    with (folder / "log.txt").open("w") as log:
        process = subprocess.Popen(
            [sys.executable, "-m", *command],
            cwd=folder,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            start_new_session=True,
        )
    try:
        _wait_for(address, process, log=folder / "log.txt")
        yield
    finally:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGTERM)
        process.wait(30)


def _wait_for(address: str, process: subprocess.Popen[bytes], log: Path) -> None:
    end = time.monotonic() + PATIENCE
    while process.poll() is None and time.monotonic() < end:
        try:
            with urllib.request.urlopen(address, timeout=5):
                return
        except OSError:
            time.sleep(0.2)
    pytest.fail(f"{address} did not answer: {log.read_text()[-2000:]}")

"""Notebook programs on ports of their own, whose kernels import relviz from here."""

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.browser.server import ROOT, stop, wait_for

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
        wait_for(address, process, PATIENCE)
        yield
    finally:
        stop(process)

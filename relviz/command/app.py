"""the dashboard, in a browser

See ABOUT for what a person is told.
"""

import argparse
import os
import sys
from pathlib import Path

from relviz.compute.installation import PACKAGE, clone

ABOUT = """\
Start the dashboard and open it in a browser. It answers to this machine only. Ctrl-C ends it.

  python -m relviz app
  python -m relviz app --port 8600 --no-browser

To open it to others, put something in front of it that asks who they are, and give --address 0.0.0.0.
"""
PORTS = range(1, 65536)


def arguments(parser: argparse.ArgumentParser) -> None:
    """Where it answers."""
    parser.add_argument("--port", type=_port, help="where it answers; 8501, or the next free one, if not given")
    parser.add_argument("--address", help="the address it answers at; localhost if not given")
    parser.add_argument("--no-browser", action="store_true", help="open no browser")


def run(asked: argparse.Namespace) -> None:
    """Become Streamlit: signals and the exit code are its own."""
    flags = {"server.port": asked.port, "server.address": asked.address}
    if asked.no_browser:
        flags["server.headless"] = "true"
    given = [f"--{name}={value}" for name, value in flags.items() if value is not None]
    # Without -P, a file in the folder of the call could pass for a module.
    command = [sys.executable, "-P", "-m", "streamlit", "run", str(app_file()), *given]
    sys.stdout.flush()
    os.execv(sys.executable, command)


def app_file() -> Path:
    """The file that Streamlit runs; its pages and its configuration lie beside it."""
    return (clone() or PACKAGE / "_app") / "app.py"


def _port(text: str) -> int:
    if not text.isdecimal() or int(text) not in PORTS:
        raise argparse.ArgumentTypeError(f"{text[:20]!r} is no port; give a number from 1 to {PORTS[-1]}")
    return int(text)

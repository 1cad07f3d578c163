"""the dashboard, in a browser

See ABOUT for what a person is told.
"""

import argparse
import atexit
import os
import sys
from pathlib import Path

from relviz.compute.installation import PACKAGE, clone
from relviz.errors import ParameterError

ABOUT = """\
Start the dashboard and open it in a browser. It answers to this machine only. Ctrl-C ends it.

  python -m relviz app
  python -m relviz app --port 8600 --no-browser

To open it to others, put an authenticating proxy in front of it, and give --address 0.0.0.0.
"""
PORTS = range(1, 65536)


def arguments(parser: argparse.ArgumentParser) -> None:
    """Where it answers."""
    parser.add_argument("--port", type=_port, help="Port; by default 8501 or the next free one.")
    parser.add_argument("--address", help="Address; by default localhost.")
    parser.add_argument("--no-browser", action="store_true", help="Do not open a browser.")


def run(args: argparse.Namespace) -> None:
    """Serve the app until it is ended, then end the program."""
    from relviz.ui.operations.settings import settings
    from relviz.ui.server import serve

    settings()  # what is wrong in them is said before the server starts
    options = {"server.port": args.port, "server.address": args.address}
    if args.no_browser:
        options["server.headless"] = "true"
    try:
        serve(app_file(), {name: value for name, value in options.items() if value is not None})
        code = 0
    except OSError as reason:
        where = f"{args.address or 'localhost'}:{args.port or 8501}"
        raise ParameterError(
            f"The app cannot listen on {where[:80]} ({reason.strerror}). Give another --address or --port."
        ) from reason
    except KeyboardInterrupt:
        print("Interrupted.", file=sys.stderr)
        code = 130
    _end(code)


def app_file() -> Path:
    """The file that Streamlit runs; its pages and its configuration lie beside it."""
    return (clone() or PACKAGE / "_app") / "app.py"


def _end(code: int) -> None:
    # Python would stop the threads that still compute within their C++, and that aborts the program.
    atexit._run_exitfuncs()
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code)


def _port(text: str) -> int:
    if not text.isdecimal() or int(text) not in PORTS:
        raise argparse.ArgumentTypeError(f"{text[:20]!r} is not a port; give a number from 1 to {PORTS[-1]}")
    return int(text)

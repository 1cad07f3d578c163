"""Streamlit's server, started from Python."""

from collections.abc import Mapping
from pathlib import Path

import click
from streamlit.web import cli


def serve(script: Path, options: Mapping[str, object]) -> None:
    """Answer until someone ends it.

    Parameters
    ----------
    script
        What Streamlit runs; ``.streamlit/config.toml`` beside it counts before that of the current folder.
    options
        Settings of Streamlit by name, as ``server.port``; they count before every file.

    Raises
    ------
    KeyboardInterrupt
        If it was interrupted.
    SystemExit
        If it cannot start, as when the port is in use. Streamlit has said why.
    """
    flags = [f"--{name}={value}" for name, value in options.items()]
    try:
        cli.main(["run", str(script), *flags], standalone_mode=False)
    except click.Abort:
        raise KeyboardInterrupt from None

"""Which folders of this machine a page may read: a path that is typed stays inside them."""

import os
from pathlib import Path

from relviz.errors import ReadError

VARIABLE = "RELVIZ_FOLDERS"


def allowed_folders() -> tuple[Path, ...]:
    """Those that the environment variable names, joined as in PATH; else the home of who runs relviz."""
    named = os.environ.get(VARIABLE)
    folders = [Path.home()] if named is None else [Path(one) for one in named.split(os.pathsep) if one]
    return tuple(folder.resolve() for folder in folders)


def allowed_path(text: str) -> Path:
    """A path that was typed, its links followed.

    Raises
    ------
    ReadError
        If it is not there, or not inside an allowed folder; which of the two is said only inside.
    """
    try:
        path = Path(text).expanduser().resolve()
    except (OSError, RuntimeError, ValueError):
        raise ReadError(f"{text[:200]!r} is no path of this machine.") from None
    if not any(path.is_relative_to(folder) for folder in allowed_folders()):
        raise ReadError(
            f"{text[:200]!r} lies outside the folders that relviz may read. Whoever starts relviz can name "
            f"others: {VARIABLE}=/data:/models streamlit run app.py"
        )
    if not path.exists():
        raise ReadError(f"There is nothing at {text[:200]!r} on the machine that relviz runs on.")
    return path

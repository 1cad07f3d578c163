"""Where the library runs from: a clone of the project, or a copy that pip installed."""

from pathlib import Path

PACKAGE = Path(__file__).resolve().parents[1]


def clone() -> Path | None:
    """The folder of the clone that the library is part of; None for an installed copy.

    A clone has ``cache/README.md`` beside the library.
    """
    project = PACKAGE.parent
    return project if (project / "cache" / "README.md").is_file() else None

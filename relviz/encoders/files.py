"""The files of an encoder in the folder that holds it."""

from pathlib import Path

from relviz.errors import ReadError


def needed(folder: Path, *patterns: str) -> tuple[Path, ...]:
    """One file for each pattern, in their order.

    Raises
    ------
    ReadError
        If the folder has no file of a pattern.
    """
    found = []
    for pattern in patterns:
        some = sorted(folder.glob(pattern))
        if not some:
            raise ReadError(
                f"{pattern} is missing from {folder.parent.name}/{folder.name}: the package is damaged. "
                "Install it anew: pip install --force-reinstall --no-deps, and its name."
            )
        found.append(some[0])
    return tuple(found)

"""One folder of results for all processes of a test session: what a story shows is computed once."""

import os
import shutil
from pathlib import Path

VARIABLE = "RELVIZ_TESTS_STORIES"
"""Names the folder; the process that starts the session sets it, and all others inherit it."""


def folder() -> Path:
    """Where results of stories are kept for the session."""
    return Path(os.environ[VARIABLE])


def copied(source: Path, target: Path) -> None:
    """Copy the results that ``target`` does not have yet; no half of one is ever seen there."""
    target.mkdir(parents=True, exist_ok=True)
    for file in source.glob("*.safetensors"):
        if not (target / file.name).exists():
            half = target / f".{file.name}.{os.getpid()}"
            shutil.copyfile(file, half)
            half.replace(target / file.name)

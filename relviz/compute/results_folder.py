"""Where results are kept: the folder that was chosen, one beside the library, or one that goes at the end."""

import atexit
import logging
import shutil
import tempfile
from pathlib import Path

_PROJECT = Path(__file__).resolve().parents[2]

logger = logging.getLogger(__name__)


def results_folder(chosen: str | None) -> Path:
    """The chosen folder, else ``cache/`` beside the library, else a temporary one; the log says which."""
    # An installed copy has no project around it, and site-packages is no place for results.
    beside = _PROJECT / "cache" if (_PROJECT / "pyproject.toml").is_file() else None
    folder = Path(chosen) if chosen else beside
    if folder is not None:
        try:
            folder.mkdir(parents=True, exist_ok=True)
            with tempfile.TemporaryFile(dir=folder):
                return folder
        except OSError as reason:
            logger.warning("Results cannot be kept in %s (%s).", folder, reason.strerror)
    temporary = tempfile.mkdtemp(prefix="relviz-")
    atexit.register(shutil.rmtree, temporary, ignore_errors=True)
    logger.warning("Results are kept in %s until the program ends.", temporary)
    return Path(temporary)

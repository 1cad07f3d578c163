"""Where results are kept: the folder that was chosen, else the usual one, else one that goes at the end."""

import atexit
import logging
import shutil
import tempfile
from pathlib import Path

from relviz.compute.installation import clone

logger = logging.getLogger(__name__)


def results_folder(chosen: str | None) -> Path:
    """The chosen folder, else the usual one, else a temporary one; the log says which.

    The usual one is ``cache/`` of a clone; of an installed copy it is the user's cache folder.
    """
    folder = Path(chosen) if chosen else _usual()
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


def _usual() -> Path:
    project = clone()
    if project is not None:
        return project / "cache"
    from platformdirs import user_cache_path

    return user_cache_path("relviz", appauthor=False)

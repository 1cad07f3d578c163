"""The server's log: lines with time, level, visitor and job, as text or as JSON."""

import hashlib
import json
import logging
import sys
import threading
import time

from relviz.compute.owner import account_of, owner
from relviz.ui.operations.settings import LogSettings


def set_up(chosen: LogSettings) -> None:
    """Write what relviz logs to the standard error."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(Lines() if chosen.format == "text" else Json())
    handler.addFilter(_about)
    logger = logging.getLogger("relviz")
    logger.handlers[:] = [handler]
    logger.setLevel(chosen.level)
    logger.propagate = False


def shown_visitor(who: str | None) -> str:
    """A visitor as the log and the metrics name them: eight hex digits that tell nothing of the secret."""
    return hashlib.sha256(f"log {account_of(who)}".encode()).hexdigest()[:8] if who else "-"


def _about(record: logging.LogRecord) -> bool:
    name = threading.current_thread().name
    record.visitor = shown_visitor(owner())
    record.job = name.removeprefix("job ") if name.startswith("job ") else "-"
    return True


class Lines(logging.Formatter):
    """``2026-11-24 18:00:00.123 INFO visitor=1a2b3c4d job=bootstrap-… relviz.compute.jobs: …``."""

    def __init__(self) -> None:
        super().__init__(
            "%(asctime)s.%(msecs)03d %(levelname)s visitor=%(visitor)s job=%(job)s %(name)s: %(message)s",
            "%Y-%m-%d %H:%M:%S",
        )


class Json(logging.Formatter):
    """One object a line."""

    def format(self, record: logging.LogRecord) -> str:
        entry = {
            "time": time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(record.created))
            + f".{record.msecs:03.0f}Z",
            "level": record.levelname,
            "visitor": getattr(record, "visitor", "-"),
            "job": getattr(record, "job", "-"),
            "logger": record.name,
            "message": record.getMessage(),
        }
        if record.exc_info:
            entry["trace"] = self.formatException(record.exc_info)
        return json.dumps(entry, ensure_ascii=False)

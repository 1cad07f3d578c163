"""Running a server: its settings, log, workers, health and metrics, and what it does when it is ended."""

from relviz.ui.operations.health import operation_routes
from relviz.ui.operations.lifecycle import lifespan

__all__ = ["lifespan", "operation_routes"]

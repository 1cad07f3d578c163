"""Running a server: its settings, log, workers, health and metrics, and what it does when it is ended."""

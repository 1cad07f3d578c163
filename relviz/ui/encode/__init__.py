"""The parts of the Encode page."""

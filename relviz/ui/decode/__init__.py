"""The parts of the Decode page."""

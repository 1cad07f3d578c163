"""The parts of the Shelf page."""

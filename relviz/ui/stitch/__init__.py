"""The parts of the Stitch page."""

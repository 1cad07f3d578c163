"""The kinds of print figure, each with its tasks and its content."""

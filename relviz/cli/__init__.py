"""The command line: what the pages do, from a terminal or a script."""

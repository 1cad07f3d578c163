"""What this program is called: a module of a clone, or the command that an installation makes."""

import sys
from pathlib import Path

MODULE = "python -m relviz"
COMMAND = "relviz"


def as_called(text: str) -> str:
    """A text that names the module, with the name by which the program was called."""
    return text.replace(MODULE, COMMAND) if Path(sys.argv[0]).stem == COMMAND else text

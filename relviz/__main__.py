"""``python -m relviz``: figures from recipes, comparison, anchor optimization and stitching of files."""

import sys

from relviz.cli.main import main

if __name__ == "__main__":
    sys.exit(main())

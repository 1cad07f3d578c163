"""The commands, their help, and what they give back to a script: 0, 1 with one line, 2, or 130."""

import argparse
import os
import sys
from collections.abc import Sequence

import relviz
from relviz.cli import app, bootstrap, bundle, compare, curve, demo, draw, figure, stitch, translate
from relviz.cli.program import MODULE, as_called
from relviz.errors import Error

ABOUT = """\
Make the latent spaces of two encoders comparable. Spaces are files of vectors (.npy, .npz, .csv,
.parquet, .safetensors, .vec, .txt, .bin), one row per item, or spaces of a demo, written demo.key.

  python -m relviz app                                the dashboard, in a browser
  python -m relviz demo                               list the demos
  python -m relviz compare emoji                      a demo's own pair, as a table
  python -m relviz compare a.npz b.npz -o maps.pdf    two files, and the maps for a paper
  python -m relviz bootstrap a.npz b.npz --seeds 15   discover the anchors of A in B
  python -m relviz stitch a.npz b.npz                 heads of each, applied to the other
  python -m relviz curve a.npz b.npz -o curve.pdf     retrieval over the number of anchors
  python -m relviz translate a.npz b.npz              every translation method, as a table
  python -m relviz draw --list                        every figure and table of the app
  python -m relviz figure --list                      list the papers' figures and tables
  python -m relviz figure rr-table-1 -o table.tex     one of them
"""
CODES = """\
Exit codes: 0 success, 1 failure (one line on stderr gives the reason and the remedy), 2 wrong usage,
130 interrupted. With --json, stdout holds one JSON object. Results are shared with the app: a clone keeps
them in cache/, an installed copy in the user's cache folder, and RELVIZ_CACHE names another folder.
Help on a command: python -m relviz COMMAND --help
"""
COMMANDS = (app, figure, demo, compare, curve, bootstrap, translate, stitch, draw, bundle)


def parser() -> argparse.ArgumentParser:
    """Everything that can be asked."""
    form = argparse.RawDescriptionHelpFormatter
    top = argparse.ArgumentParser(
        as_called(MODULE), description=as_called(ABOUT), epilog=as_called(CODES), formatter_class=form
    )
    top.add_argument("--version", action="version", version=f"relviz {relviz.__version__}")
    commands = top.add_subparsers(title="commands", metavar="COMMAND", required=True)
    for one in COMMANDS:
        name = one.__name__.rpartition(".")[2]
        words = (one.__doc__ or "").partition("\n")[0]
        sub = commands.add_parser(name, help=words, description=as_called(one.ABOUT), formatter_class=form)
        one.arguments(sub)
        if one is not app:
            sub.add_argument("--json", action="store_true", help="Print one JSON object.")
        sub.set_defaults(run=one.run)
    return top


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command; gives the exit code."""
    args = parser().parse_args(argv)
    try:
        args.run(args)
        sys.stdout.flush()
    except Error as reason:
        return _failed(as_called(str(reason)))
    except BrokenPipeError:  # who read the output has read enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except OSError as reason:
        name = os.path.basename(str(reason.filename or ""))
        return _failed(f"{name or 'A file'} cannot be read or written: {reason.strerror}.")
    except KeyboardInterrupt:
        print("Interrupted.", file=sys.stderr)
        return 130
    return 0


def _failed(why: str) -> int:
    print(f"relviz: {' '.join(why.split())}", file=sys.stderr)
    return 1

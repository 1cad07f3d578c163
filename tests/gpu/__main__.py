"""The accelerator against the CPU: what each computes, how far they differ, and how long each takes.

``python -m tests.gpu [--only KIND …] [--small] [--write] [--rounding]``

Without an accelerator it runs to its end, CPU against CPU, and says so on its first line. Differences are
then 0, unless ``--rounding`` moves the last digit of the spaces on one side: a trial of the tolerances.
``--write`` writes docs/gpu.md. The exit code is 1 if a tolerance is broken or a case fails.
``RELVIZ_DEVICE`` names another accelerator than the first.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from safetensors.torch import load_file

from relviz.compute.device import device
from tests.gpu.cases import KINDS
from tests.gpu.compare import Row, difference, table
from tests.gpu.made import ROUNDING
from tests.gpu.worker import SEEN

ROOT = Path(__file__).resolve().parent.parent.parent
PAGE = ROOT / "docs" / "gpu.md"
NO_CARD = "No accelerator is used here: this is the CPU against the CPU. The times say nothing of a GPU."


def compute(folder: Path, on: str, kinds: list[str], small: bool, rounding: bool = False) -> dict:
    """All cases on one device, in a process of its own; what it says of them."""
    folder.mkdir()
    environment = {name: value for name, value in os.environ.items() if name != ROUNDING}
    environment |= {"RELVIZ_DEVICE": on} | ({ROUNDING: "1"} if rounding else {})
    command = [sys.executable, "-m", "tests.gpu.worker", str(folder), "--only", *kinds]
    subprocess.run([*command, *["--small"][: int(small)]], cwd=ROOT, env=environment, check=True)
    return json.loads((folder / SEEN).read_text(encoding="utf-8"))


def rows_of(folders: tuple[Path, Path], seen: tuple[dict, dict], kinds: list[str], small: bool) -> list[Row]:
    """Every case on both devices."""
    cases = [(kind, case) for kind in kinds for case in KINDS[kind](small)]
    rows = []
    for at, (kind, case) in enumerate(cases):
        cpu, other = (one["cases"][at] for one in seen)
        errors = [
            f"{where}: {one['error']}" for where, one in (("CPU", cpu), ("device", other)) if "error" in one
        ]
        found = None
        if not errors:
            found = difference(*(load_file(folder / f"{at}.safetensors") for folder in folders))
        rows.append(Row(kind, case, cpu.get("seconds"), other.get("seconds"), found, "; ".join(errors)))
    return rows


def page(first: str, command: str, seen: tuple[dict, dict], rows: list[Row]) -> str:
    """docs/gpu.md, whole."""
    cpu, other = seen
    parts = [
        "# The accelerator against the CPU",
        first,
        f"CPU: {cpu['device']}. Device: {other['device']}. torch {other['torch']}. Made by `{command}`.",
        "Times are medians of three runs after a first one, or of one run where it is long. They include "
        "moving inputs to the device where the library does so. "
        "Differences of numbers are shares of the largest. "
        "Places are row numbers, such as matches.",
        table(rows),
    ]
    return "\n\n".join(parts) + "\n"


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.gpu", description=__doc__.split("\n")[0])
    parser.add_argument("--only", nargs="+", choices=KINDS, default=list(KINDS), metavar="KIND",
                        help=f"some of {', '.join(KINDS)}")  # fmt: skip
    parser.add_argument("--small", action="store_true", help="few rows: minutes on one core")
    parser.add_argument("--write", action="store_true", help="write docs/gpu.md")
    parser.add_argument("--rounding", action="store_true", help="move the last digit of one side's spaces")
    given = list(sys.argv[1:] if arguments is None else arguments)
    told = parser.parse_args(given)
    chosen = device()
    first = NO_CARD if chosen.type == "cpu" else f"The accelerator ({chosen.type}) against the CPU."
    if told.rounding:
        first += " The spaces of the second differ in their last digit."
    print(first, flush=True)
    with tempfile.TemporaryDirectory() as folder:
        folders = Path(folder) / "cpu", Path(folder) / "device"
        seen = (
            compute(folders[0], "cpu", told.only, told.small),
            compute(folders[1], str(chosen), told.only, told.small, told.rounding),
        )
        rows = rows_of(folders, seen, told.only, told.small)
    print(f"CPU: {seen[0]['device']}. Device: {seen[1]['device']}. torch {seen[1]['torch']}.\n")
    print(table(rows))
    broken = [row for row in rows if not row.ok]
    print(f"\n{len(rows) - len(broken)} of {len(rows)} within their tolerance.")
    if told.write:
        PAGE.write_text(page(first, " ".join(["python -m tests.gpu", *given]), seen, rows), encoding="utf-8")
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main())

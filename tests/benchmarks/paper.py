"""A paper of own files: every kind of figure and table at a venue's widths, compiled, and what LaTeX says.

    python -m tests.benchmarks.paper --style acl --style neurips --out paper
    python -m tests.benchmarks.paper --widths

Prints a line for each style: pages, what is too wide or too tall, the smallest letters, fonts of Type 3.
"""

import argparse
import io
import re
import shutil
import subprocess
import zipfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import torch

import relviz
from relviz.figures.bundle import bundle
from relviz.figures.look import Look
from relviz.figures.make import PrintFigure, make
from relviz.plotting.style import SMALL
from relviz.plotting.venues import VENUES

CHEAP = ("maps", "measures", "translation", "matrix", "landing", "anchor_curve", "found")
LEFT_OUT = ("layers",)
"""It encodes texts with MiniLM, which is not everywhere."""
OPTIONS: dict[str, dict[str, object]] = {
    "retrieval": {"anchors": 30, "seeds": [8], "draws": 2},
    "run": {"seeds": 8},
    "found": {"seeds": 8},
    "vector": {"anchors": 6},
    "way": {"anchors": 6},
}
KINDS_OF_TEX = ("pdflatex", "xelatex", "lualatex")


def own_pair(rows: int = 160, dimension: int = 12) -> relviz.Pair:
    """Two encoders of the same items in 5 classes: one is the other turned, with noise."""
    chosen = torch.Generator().manual_seed(0)
    labels = [f"class {row % 5}" for row in range(rows)]
    middles = torch.randn(5, dimension, generator=chosen)
    x = middles[torch.arange(rows) % 5] + 0.6 * torch.randn(rows, dimension, generator=chosen)
    turn = torch.linalg.qr(torch.randn(dimension, dimension, generator=chosen))[0]
    y = x @ turn + 0.1 * torch.randn(rows, dimension, generator=chosen)
    ids = [f"item_{row}" for row in range(rows)]
    return relviz.Pair(
        relviz.Space(x, ids=ids, labels=labels, items=ids, name="encoder-base-uncased"),
        relviz.Space(y, ids=ids, labels=labels, items=ids, name="encoder_large_v2"),
    )


def figures_of(pair: relviz.Pair, kinds: Sequence[str], style: str) -> Iterator[PrintFigure]:
    """Each kind in one column, and drawn ones in the whole text too."""
    look = Look(style=style)
    for kind in kinds:
        options: dict[str, object] = {"anchors": 30, **OPTIONS.get(kind, {})}
        made = relviz.figure(pair, kind, width="one", look=look, **options)  # type: ignore[arg-type]
        yield made
        if made.drawn and look.widths["two"] > look.widths["one"]:
            yield make(made.recipe.with_changes(width=look.widths["two"]))


@dataclass(frozen=True)
class Compiled:
    """What a compiler said: pages, boxes too wide and floats taller than a page, and its log."""

    pages: int
    overfull: list[str]
    log: str


def compiled(folder: Path, how: str = "pdflatex", name: str = "main") -> Compiled:
    """Compile a document with its references; an AssertionError if LaTeX or BibTeX fails."""
    once = [how, "-interaction=nonstopmode", "-halt-on-error", f"{name}.tex"]
    cited = (folder / "references.bib").exists() and shutil.which("bibtex")
    for command in [once, *([["bibtex", name], once] if cited else []), once]:
        done = subprocess.run(command, cwd=folder, capture_output=True, timeout=240)
        assert done.returncode == 0, done.stdout.decode("utf-8", "replace")[-2000:]
    log = (folder / f"{name}.log").read_text("utf-8", "replace")
    pages = re.search(r"\((\d+) pages?", log)
    return Compiled(int(pages[1]) if pages else 0, re.findall(r"Overfull .*|.*Float too large.*", log), log)


def type_3(pdf: Path) -> list[str]:
    """Fonts of Type 3 in a PDF, as pdffonts has them."""
    said = subprocess.run(["pdffonts", str(pdf)], capture_output=True, check=True, text=True).stdout
    return [line for line in said.splitlines() if "Type 3" in line]


def unpacked(made: Sequence[PrintFigure], folder: Path) -> Path:
    """The bundle of some figures in a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(io.BytesIO(bundle(made))) as archive:
        archive.extractall(folder)
    return folder


def main() -> None:
    """Make, compile and say."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--style", action="append", default=[])
    parser.add_argument("--out", type=Path, default=Path("paper"))
    parser.add_argument("--widths", action="store_true", help="Print the widths of every style alone.")
    parser.add_argument("--all", action="store_true", help="Every kind, not only those that are quick.")
    asked = parser.parse_args()
    if asked.widths:
        print("| style | one column | full width | text |\n|---|---:|---:|---:|")
        for name, one in VENUES.items():
            print(f"| {name or 'none'} | {one.column:.5g} mm | {one.text:.5g} mm | {one.size:g} pt |")
        return
    kinds = [one for one in relviz.FIGURES if one not in LEFT_OUT] if asked.all else CHEAP
    pair = own_pair()
    print(
        "| style | compiler | figures and tables | pages | too wide or too tall | smallest letters | Type 3 "
        "fonts |"
    )
    print("|---|---|---:|---:|---:|---:|---:|")
    for style in asked.style or ["acl", "neurips"]:
        made = list(figures_of(pair, kinds, style))
        folder = unpacked(made, asked.out / style)
        smallest = SMALL * Look(style=style).drawing().scale
        for how in filter(shutil.which, KINDS_OF_TEX):
            found = compiled(folder, how)
            three = len(type_3(folder / "main.pdf")) if shutil.which("pdffonts") else "–"
            for line in found.overfull:
                print("   ", line)
            print(
                f"| {style} | {how} | {len(made)} | {found.pages} | {len(found.overfull)} | "
                f"{smallest:.1f} pt | {three} |"
            )


if __name__ == "__main__":
    main()

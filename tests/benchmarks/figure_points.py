"""The seventeen points of a paper's author who tried the figures, each with its command and what it gives.

    python -m tests.benchmarks.figure_points

It makes two files of 627 glosses by two encoders, runs every command that it prints in a folder of its own,
and prints a table. For the column "before", run this file with ``PYTHONPATH`` of an earlier checkout and
``--json``, and give what it wrote as ``--before``.
"""

import argparse
import contextlib
import hashlib
import io
import json
import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
from PIL import Image

import relviz
from relviz.cli.main import main as main_of_relviz

ROWS = 627
TRY = Callable[["Trial"], str]


class Trial:
    """A folder with two files, and commands that run in it."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.said, self.code = folder, "", 0

    def run_all(self, commands: Sequence[str]) -> None:
        """Commands one after another: what the last said, and the first exit code that is not 0."""
        codes = [self.run(command) for command in commands]
        self.code = next(filter(None, codes), 0)

    def run(self, command: str) -> int:
        """A command of relviz, as typed after ``python -m relviz``, or a copy of a file; its exit code.

        Before it may stand a variable of the environment, as a shell takes it.
        """
        words = command.split()
        if "=" in words[0]:
            name, _, value = words[0].partition("=")
            before, os.environ[name] = os.environ[name], str(self.folder / value)
            code = self.run(" ".join(words[1:]))
            os.environ[name] = before
            return code
        if words[0] == "cp":
            shutil.copy(self.folder / words[1], self.folder / words[2])
            return 0
        said = io.StringIO()
        with (
            contextlib.chdir(self.folder),
            contextlib.redirect_stdout(said),
            contextlib.redirect_stderr(said),
        ):
            try:
                code = main_of_relviz(words)
            except SystemExit as end:  # argparse, of what it does not know
                code = int(end.code or 0)
        self.said = said.getvalue()
        return code

    def text(self, name: str) -> str:
        """A file that was written; empty if it was not."""
        path = self.folder / name
        return path.read_text("utf-8", "replace") if path.exists() else ""

    def size(self, name: str) -> tuple[float, float]:
        """Width and height of a PNG in mm."""
        with Image.open(self.folder / name) as image:
            return tuple(round(side / 300 * 25.4, 1) for side in image.size)  # type: ignore[return-value]

    def overfull(self, table: str, width_mm: float, compiler: str = "pdflatex") -> str:
        """What a compiler says of a table in a column of that width."""
        if not shutil.which(compiler):
            return "no LaTeX here"
        if not self.text(table):
            return "is not written"
        lines = [
            r"\documentclass{article}\usepackage{booktabs}",
            rf"\setlength{{\textwidth}}{{{width_mm}mm}}\begin{{document}}",
            self.text(table),
            r"\end{document}",
        ]
        (self.folder / "one.tex").write_text("\n".join(lines), "utf-8")
        command = [compiler, "-interaction=nonstopmode", "-halt-on-error", "one.tex"]
        done = subprocess.run(command, cwd=self.folder, capture_output=True, text=True, timeout=120)
        if done.returncode:
            return "does not compile"
        worst = [float(one) for one in re.findall(r"Overfull \\hbox \(([\d.]+)pt", done.stdout)]
        return f"overfull by {max(worst):.0f} pt" if worst else "compiles, no box overfull"


def held_out(trial: Trial) -> str:
    said = re.search(r"Queries: [^;]*", trial.text("translation.txt"))
    return said[0].rstrip(".") if said else "all items are queries"


def anchors_as_queries(trial: Trial) -> str:
    said = re.search(r"\d+ queries \([^)]*\)", trial.said)
    return said[0] if said else "anchors are queries"


def run_numbers(trial: Trial) -> str:
    lines = [line for line in trial.said.splitlines() if line.startswith("MRR with discovered")]
    return "; ".join(lines) or "one MRR, which is not said"


def ignored_data(trial: Trial) -> str:
    made_of = re.search(r"A: [^(;]*", trial.said)
    return f"exit {trial.code}, made of {made_of[0].strip() if made_of else 'nothing'}"


def renamed(trial: Trial) -> str:
    if trial.code:
        return "refused"
    digests = {
        hashlib.sha256((trial.folder / name).read_bytes()).digest() for name in ("maps.png", "again.png")
    }
    return "accepted, the same bytes" if len(digests) == 1 else "accepted, other bytes"


def recipe_versions(trial: Trial) -> str:
    found = json.loads(trial.text("maps.json") or "{}").get("versions", {})
    parts = [f"{name} {found[name]}" for name in ("python", "threads") if name in found]
    return ", ".join(parts) or "neither Python nor threads"


def compiles(trial: Trial) -> str:
    return trial.overfull("translation.tex", 175)


def fits(trial: Trial) -> str:
    if trial.code:  # no width can be asked for
        for command in NARROW:
            trial.run(command.replace(" --width 3.3in", ""))
    names = ("narrow", "metrics")
    return "; ".join(f"{name}: {trial.overfull(f'{name}.tex', 83.82)}" for name in names)


def hidden(trial: Trial) -> str:
    return UNASKED if trial.code else trial.text("hidden.txt").strip()[-16:]


def names(trial: Trial) -> str:
    return UNASKED if trial.code else trial.text("names.txt").partition(" (")[0]


def all_made(trial: Trial) -> str:
    return UNASKED if trial.code else "made"


def widths(trial: Trial) -> str:
    return "85 or 175 mm" if trial.code else f"{trial.size('column.png')[0]} mm"


def heights(trial: Trial) -> str:
    sizes = {name: trial.size(f"{name}.png") for name in ("maps", "run", "matrix")}
    return ", ".join(f"{name} {wide:.0f} × {tall:.0f} mm" for name, (wide, tall) in sizes.items())


def heat(trial: Trial) -> str:
    said = re.search(r"Colors from [\d.]+ to [\d.]+", trial.text("matrix.txt"))
    return said[0].lower() if said else "colors from 0 to 1"


def curve_lines(trial: Trial) -> str:
    if trial.code:
        trial.run("figure rr-anchors -o own.svg")
    drawn = trial.text("own.svg")
    legends = len(re.findall(r"B → A</text>", drawn))
    level = "chance" in re.sub(
        r"<desc.*?</desc>|<dc:description>.*?</dc:description>", "", drawn, flags=re.DOTALL
    )
    return f"legend {legends} time{'s' if legends != 1 else ''}, {'chance' if level else 'no chance'} line"


def gray(trial: Trial) -> str:
    axis = re.search(r"PC 1 \(\d+%\)", trial.text("shapes.svg"))
    return f"shapes, axis “{axis[0]}”" if not trial.code and axis else "dots alone, no numbers"


def carried(trial: Trial) -> str:
    fonts = trial.text("fonts.svg").count("@font-face")
    cited = (Path(relviz.__file__).parents[1] / "CITATION.cff").exists()
    bundled = "no" if trial.code else "a"
    return f"{fonts} fonts in the SVG, {bundled} bundle, {'a' if cited else 'no'} CITATION.cff"


UNASKED = "cannot be asked for"
FILES = "a.npz b.npz --anchors 150"
MAPS = f"compare {FILES} --runs 2"
TRANSLATION = "figure irp-translation -o translation.txt -o translation.tex"
NARROW = (
    "figure irp-translation --width 3.3in -o narrow.tex",
    f"{MAPS} --width 3.3in --table metrics.tex",
)
DATA = "--data a.npz --data b.npz"
POINTS: tuple[tuple[str, tuple[str, ...], TRY], ...] = (
    ("Translation counts its own anchors", (TRANSLATION,), held_out),
    ("Anchors are queries", (f"{MAPS} --table all.tex",), anchors_as_queries),
    ("Which points an MRR is of", (f"bootstrap {FILES} --seeds 15 -o run.png",), run_numbers),
    ("`--data` is ignored", (f"figure rr-anchors {DATA} -o curve.csv",), ignored_data),
    (
        "A renamed file breaks its recipe",
        (
            f"{MAPS} -o maps.json -o maps.png",
            "cp a.npz other.npz",
            "RELVIZ_CACHE=elsewhere figure maps.json --data other.npz --data b.npz -o again.png",
        ),
        renamed,
    ),
    ("The recipe lacks Python and threads", (f"{MAPS} -o maps.json",), recipe_versions),
    ("translation.tex under pdflatex", (TRANSLATION,), compiles),
    ("Tables in a column of 3.3 in", NARROW, fits),
    ("Hidden classes come back", (f"{MAPS} --hide act -o hidden.txt",), hidden),
    (
        "Names, panels, layout",
        (f"{MAPS} --name a=MiniLM --panes cd --layout 1x2 -o names.txt",),
        names,
    ),
    (
        "Curve, translation and colors of own files",
        (
            "curve a.npz b.npz --runs 2 -o own.csv",
            f"translate {FILES} -o own.tex",
            f"{MAPS} --color agreement -o own.png",
        ),
        all_made,
    ),
    ("Widths of templates", (f"{MAPS} --style acl --width one -o column.png",), widths),
    ("Heights", (f"stitch {FILES} --width one -o matrix.png",), heights),
    ("Scale of the heat maps", (f"stitch {FILES} -o matrix.txt",), heat),
    ("Legend and chance of the curve", ("curve a.npz b.npz --runs 2 -o own.svg",), curve_lines),
    ("Gray, shapes, axes", (f"{MAPS} --markers shapes --ticks numbers -o shapes.svg",), gray),
    (
        "Fonts, BibTeX, methods",
        (f"{MAPS} -o fonts.svg", f"bundle maps.json {DATA} -o paper.zip"),
        carried,
    ),
)


def own_files(folder: Path) -> None:
    """Two files of the same glosses, as a person would have them."""
    demo = relviz.load_demo("glosses")
    a, b = (demo.spaces[key] for key in demo.pairs[0])
    rows = np.sort(np.random.default_rng(0).choice(len(a), ROWS, replace=False))
    for name, space in (("a", a), ("b", b)):
        texts = {what: np.array(getattr(space, what))[rows] for what in ("ids", "labels", "items")}
        np.savez(folder / f"{name}.npz", vectors=space.vectors.numpy()[rows], **texts)


def main() -> None:
    """Try all of them."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--before", type=Path, help="A JSON that --json wrote in an earlier commit.")
    parser.add_argument("--json", type=Path, help="Also write what each gives.")
    asked = parser.parse_args()
    then = json.loads(asked.before.read_text()) if asked.before else []
    found = []
    with tempfile.TemporaryDirectory() as name:
        os.environ["RELVIZ_CACHE"] = str(Path(name) / "cache")
        trial = Trial(Path(name))
        own_files(trial.folder)
        for _, commands, measure in POINTS:
            try:
                trial.run_all(commands)
                found.append(measure(trial))
            except (OSError, KeyError, ValueError) as reason:
                found.append(f"not made ({type(reason).__name__})")
    if asked.json:
        asked.json.write_text(json.dumps(found, ensure_ascii=False, indent=1))
    print(f"| | point | command | {'before | ' if then else ''}now |")
    print(f"|---:|---|---|{'---|' if then else ''}---|")
    for number, ((words, commands, _), now) in enumerate(zip(POINTS, found, strict=True), 1):
        old = f"{then[number - 1]} | " if then else ""
        print(f"| {number} | {words} | {'<br>'.join(f'`{one}`' for one in commands)} | {old}{now} |")


if __name__ == "__main__":
    main()

"""The seventeen points of a paper's author who tried the figures, each with its command and what it gives.

    python -m tests.benchmarks.figure_points

It makes two files of 627 glosses by two encoders, runs the commands in a folder of its own, and prints a
table. For the column "before", run this file with ``PYTHONPATH`` of an earlier checkout and ``--json``, and
give what it wrote as ``--before``.
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
from collections.abc import Callable
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
        self.folder = folder
        self.said = ""

    def run(self, command: str) -> int:
        """A command of relviz, as typed after ``python -m relviz``; its exit code."""
        said = io.StringIO()
        with (
            contextlib.chdir(self.folder),
            contextlib.redirect_stdout(said),
            contextlib.redirect_stderr(said),
        ):
            try:
                code = main_of_relviz(command.split())
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
    trial.run(TRANSLATION)
    said = re.search(r"Queries: [^;]*", trial.said)
    return said[0].rstrip(".") if said else "all items are queries"


def anchors_as_queries(trial: Trial) -> str:
    trial.run("compare a.npz b.npz --anchors 150 --runs 2 --table m.tex")
    said = re.search(r"\d+ queries \([^)]*\)", trial.said)
    return said[0] if said else "anchors are queries"


def run_numbers(trial: Trial) -> str:
    trial.run("bootstrap a.npz b.npz --anchors 150 --seeds 15 -o run.png -o run.txt")
    lines = [line for line in trial.said.splitlines() if line.startswith("MRR with discovered")]
    return "; ".join(lines) or "one MRR, which is not said"


def ignored_data(trial: Trial) -> str:
    code = trial.run("figure rr-anchors --data a.npz --data b.npz -o curve.csv -o curve.png")
    return f"exit {code}: {trial.said.splitlines()[-1][:90] if trial.said else 'nothing said'}"


def renamed(trial: Trial) -> str:
    trial.run("compare a.npz b.npz --anchors 150 --runs 2 -o maps.json -o maps.png")
    shutil.copy(trial.folder / "a.npz", trial.folder / "other.npz")
    code = trial.run("figure maps.json --data other.npz --data b.npz -o again.png")
    if code:
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
    trial.run(TRANSLATION)
    return trial.overfull("translation.tex", 175)


def fits(trial: Trial) -> str:
    found = []
    for name, command in {
        "translation": f"{TRANSLATION} --width 3.3in",
        "metrics": "compare a.npz b.npz --anchors 150 --runs 2 --width 3.3in --table metrics.tex",
    }.items():
        if trial.run(command):
            trial.run(command.replace(" --width 3.3in", ""))
        found.append(f"{name}: {trial.overfull(f'{name}.tex', 83.82)}")
    return "; ".join(found)


def hidden(trial: Trial) -> str:
    code = trial.run("compare a.npz b.npz --anchors 150 --runs 2 --hide act -o hidden.txt")
    return trial.text("hidden.txt").strip()[-18:] if not code else "cannot be asked for"


def names(trial: Trial) -> str:
    asked = "compare a.npz b.npz --anchors 150 --runs 2 --name a=MiniLM --panes cd --layout 1x2 -o n.txt"
    code = trial.run(asked)
    return trial.text("n.txt")[:28] if not code else "cannot be asked for"


def own_curve(trial: Trial) -> str:
    codes = [trial.run("curve a.npz b.npz --runs 2 -o own.csv"), trial.run(f"{COLOR}")]
    return " and ".join("made" if not code else "cannot be asked for" for code in codes)


def widths(trial: Trial) -> str:
    code = trial.run("compare a.npz b.npz --anchors 150 --runs 2 --style acl --width one -o w.png")
    return f"{trial.size('w.png')[0]} mm, 8 pt" if not code else "85 or 175 mm, 7 pt"


def heights(trial: Trial) -> str:
    trial.run("compare a.npz b.npz --anchors 150 --runs 2 -o maps.png")
    trial.run("stitch a.npz b.npz --anchors 150 -o matrix.png --width one")
    sizes = {name: trial.size(f"{name}.png") for name in ("maps", "run", "matrix")}
    return ", ".join(f"{name} {wide:.0f} × {tall:.0f} mm" for name, (wide, tall) in sizes.items())


def heat(trial: Trial) -> str:
    trial.run("stitch a.npz b.npz --anchors 150 -o matrix.txt")
    said = re.search(r"Colors from [\d.]+ to [\d.]+", trial.text("matrix.txt"))
    return said[0] if said else "colors from 0 to 1"


def curve_lines(trial: Trial) -> str:
    code = trial.run("curve a.npz b.npz --runs 2 -o own.svg")
    if code:
        trial.run("figure rr-anchors --data a.npz --data b.npz -o own.svg")
    drawn = trial.text("own.svg")
    legends = len(re.findall(r"B → A</text>", drawn))
    level = "chance" in re.sub(
        r"<desc.*?</desc>|<dc:description>.*?</dc:description>", "", drawn, flags=re.DOTALL
    )
    return f"legend {legends} time{'s' if legends != 1 else ''}, {'chance' if level else 'no chance'} line"


def gray(trial: Trial) -> str:
    code = trial.run("compare a.npz b.npz --anchors 150 --runs 2 --markers shapes --ticks numbers -o g.svg")
    axis = re.search(r"PC 1 \(\d+%\)", trial.text("g.svg"))
    return f"shapes, axis “{axis[0]}”" if not code and axis else "dots alone, no numbers"


def carried(trial: Trial) -> str:
    trial.run("compare a.npz b.npz --anchors 150 --runs 2 -o c.svg")
    fonts = trial.text("c.svg").count("@font-face")
    code = trial.run("bundle maps.json --data a.npz --data b.npz -o paper.zip")
    cited = (Path(relviz.__file__).parents[1] / "CITATION.cff").exists()
    return (
        f"{fonts} fonts in the SVG, {'a' if not code else 'no'} bundle, {'a' if cited else 'no'} CITATION.cff"
    )


TRANSLATION = "stitch a.npz b.npz --translation --anchors 150 --table translation.tex"
COLOR = "compare a.npz b.npz --anchors 150 --runs 2 --color agreement"
POINTS: tuple[tuple[str, str, TRY], ...] = (
    ("Translation counts its own anchors", TRANSLATION, held_out),
    ("Anchors are queries", "compare a.npz b.npz --anchors 150", anchors_as_queries),
    ("Which points an MRR is of", "bootstrap a.npz b.npz --seeds 15", run_numbers),
    ("`--data` is ignored", "figure rr-anchors --data a.npz --data b.npz", ignored_data),
    ("A renamed file breaks its recipe", "figure maps.json --data other.npz", renamed),
    ("The recipe lacks Python and threads", "compare a.npz b.npz -o maps.json", recipe_versions),
    ("translation.tex under pdflatex", TRANSLATION, compiles),
    ("Tables in a column of 3.3 in", f"{TRANSLATION} --width 3.3in", fits),
    ("Hidden classes come back", "compare a.npz b.npz --hide act -o maps.pdf", hidden),
    ("Names, panels, layout", "compare a.npz b.npz --name a=MiniLM --panes cd --layout 1x2", names),
    ("Curve and colors of own files", f"curve a.npz b.npz; {COLOR}", own_curve),
    ("Widths of templates", "compare a.npz b.npz --style acl --width one", widths),
    ("Heights", "compare a.npz b.npz -o maps.png; stitch … --width one", heights),
    ("Scale of the heat maps", "stitch a.npz b.npz -o matrix.pdf", heat),
    ("Legend and chance of the curve", "curve a.npz b.npz -o curve.svg", curve_lines),
    ("Shapes and numbers of axes", "compare a.npz b.npz --markers shapes --ticks numbers", gray),
    ("Fonts, BibTeX, methods", "bundle maps.json -o paper.zip", carried),
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
        for _, _, measure in POINTS:
            try:
                found.append(measure(trial))
            except (OSError, KeyError, ValueError) as reason:
                found.append(f"not made ({type(reason).__name__})")
    if asked.json:
        asked.json.write_text(json.dumps(found, ensure_ascii=False, indent=1))
    print(f"| | point | command | {'before | ' if then else ''}now |")
    print(f"|---:|---|---|{'---|' if then else ''}---|")
    for number, ((words, command, _), now) in enumerate(zip(POINTS, found, strict=True), 1):
        old = f"{then[number - 1]} | " if then else ""
        print(f"| {number} | {words} | `{command}` | {old}{now} |")


if __name__ == "__main__":
    main()

"""Other methods on the draws of bootstrapping's table, by their authors' code, which is not part of relviz.

``python -m tests.benchmarks.bootstrap_rivals [--pairs NAME ...] [--seeds 15 0] [--draws 2]
[--vecmap FOLDER] [--mini-vec2vec FOLDER]``

The folders are clones of github.com/artetxem/vecmap and github.com/guy-dar/mini-vec2vec. Gromov-Wasserstein,
and with known pairs fused Gromov-Wasserstein, take part where POT is installed (``pip install POT``).

Each is given the rows of the fit, those of y shuffled, and comes to a row of y for every row of x. From these
matches anchors are fitted as relviz fits them to its own, and measured on the rows held out. Runs of relviz
are those of ``bootstrap_table.jsonl``. Each cell has the share of right matches among the rows of the fit,
known pairs left out, MRR, and CPU seconds: means over the draws.
"""

import argparse
import json
import resource
import subprocess
import sys
import tempfile
import types
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import redirect_stderr, redirect_stdout
from importlib.util import find_spec
from io import StringIO
from pathlib import Path

import numpy as np
import torch
from torch import Tensor

from relviz.bootstrapping.evaluation import Draw, Pairing
from relviz.bootstrapping.inputs import without
from relviz.bootstrapping.principal_axes import principal
from relviz.relative_projection import unit_rows
from tests.benchmarks.bootstrap_pairs import ANCHORS, SUBJECTS
from tests.benchmarks.bootstrap_runs import Asked, Ran, Runs

TABLE = Path(__file__).with_name("bootstrap_table.jsonl")
NEIGHBORS = 10
MOST_STEPS = {"max_iter": 1000, "numItermaxEmd": 1_000_000}
"""Of Gromov-Wasserstein, and of the linear program in each."""
MINI_CELLS = (1, 6, 7, 8, 9, 10, 11, 13, 17, 19)
"""Cells of mini-vec2vec's notebook that align two spaces; the others load and evaluate."""
WITHOUT_PAIRS = ("mini-vec2vec",)
"""Methods that take no known pairs."""

Measured = tuple[float, float, float]
"""The share of right matches without the known pairs, MRR on the rows held out, and CPU seconds."""
Rival = Callable[[Tensor, Tensor, Tensor], Tensor]
"""From prepared x ``(n, dx)`` and y ``(n, dy)`` and known pairs ``(s, 2)``: a row of y for every row of x."""


def csls(x: Tensor, y: Tensor) -> Tensor:
    """The row of y with the greatest cosine for every row of x, hubs corrected, ``(n,)``."""
    cosines = unit_rows(x) @ unit_rows(y).T
    return (2 * cosines - cosines.topk(NEIGHBORS, 0).values.mean(0)).argmax(1)


def vecmap(folder: Path) -> Rival:
    """VecMap (Artetxe et al. 2018), unsupervised or from the known pairs, by its recommended settings.

    It asks for spaces of as many dimensions: the wider one has its leading axes.
    """

    def run(x: Tensor, y: Tensor, known: Tensor) -> Tensor:
        least = min(x.shape[1], y.shape[1])
        x, y = (rows if rows.shape[1] == least else principal(rows, least)[0] for rows in (x, y))
        with tempfile.TemporaryDirectory() as made:
            files = {name: str(Path(made) / name) for name in ("x", "y", "x_mapped", "y_mapped", "pairs")}
            for name, rows in (("x", x), ("y", y)):
                write_words(Path(files[name]), name, rows.numpy())
            Path(files["pairs"]).write_text("".join(f"x{a} y{b}\n" for a, b in known.tolist()))
            how = ["--semi_supervised", files["pairs"]] if len(known) else ["--unsupervised"]
            spaces = [files[name] for name in ("x", "y", "x_mapped", "y_mapped")]
            command = [sys.executable, str(folder / "map_embeddings.py"), *how, *spaces]
            subprocess.run(command, check=True, capture_output=True)
            return csls(*(read_words(Path(files[name])) for name in ("x_mapped", "y_mapped")))

    return run


def write_words(file: Path, prefix: str, rows: np.ndarray) -> None:
    """Rows in the text format of word2vec."""
    lines = (f"{prefix}{i} {' '.join(map(repr, row.tolist()))}\n" for i, row in enumerate(rows))
    file.write_text(f"{len(rows)} {rows.shape[1]}\n" + "".join(lines))


def read_words(file: Path) -> Tensor:
    """Rows of a file that ``write_words`` or VecMap wrote."""
    lines = file.read_text().splitlines()[1:]
    return torch.tensor([[float(number) for number in line.split(" ")[1:]] for line in lines])


def mini_vec2vec(folder: Path) -> Rival:
    """mini-vec2vec (Dar 2025), by the cells of its notebook; the narrower space is filled with zeros."""
    cells = json.loads((folder / "linear_vec2vec.ipynb").read_text())["cells"]
    program = "\n".join("".join(cells[place]["source"]) for place in MINI_CELLS)
    unused = types.ModuleType("datasets")
    vars(unused)["load_dataset"] = None
    sys.modules.setdefault("datasets", unused)

    def run(x: Tensor, y: Tensor, _: Tensor) -> Tensor:
        wide = max(x.shape[1], y.shape[1])
        x, y = (torch.nn.functional.pad(rows, (0, wide - rows.shape[1])) for rows in (x, y))
        names = {"X_train": x, "Y_train": y, "X_eval": x, "Y_eval": y}
        np.random.seed(0)  # noqa: NPY002  (what the notebook draws from)
        torch.manual_seed(0)
        with redirect_stdout(StringIO()), redirect_stderr(StringIO()):
            exec(program, names)
        return csls(x @ names["W"], y)

    return run


def gromov_wasserstein(x: Tensor, y: Tensor, known: Tensor) -> Tensor:
    """The plan between cosine distances within the spaces; with known pairs fused with relative vectors."""
    import ot

    within = [(1 - unit_rows(rows) @ unit_rows(rows).T).double().numpy() for rows in (x, y)]
    weights = [np.full(len(rows), 1 / len(rows)) for rows in (x, y)]
    if not len(known):
        plan = ot.gromov.gromov_wasserstein(*within, *weights, "square_loss", **MOST_STEPS)
        return torch.from_numpy(plan).argmax(1)
    relative = [unit_rows(rows) @ unit_rows(rows[known[:, side]]).T for side, rows in enumerate((x, y))]
    costs = torch.cdist(*relative).double().numpy()
    fused = ot.gromov.fused_gromov_wasserstein
    plan = fused(costs, *within, *weights, "square_loss", alpha=0.5, **MOST_STEPS)
    return torch.from_numpy(plan).argmax(1)


def measured(draw: Draw, rival: Rival, seeds: int) -> Measured:
    """What a method comes to on the rows of a draw, of which the first anchors are known."""
    fit = draw.split.fit
    order = torch.from_numpy(np.random.default_rng(draw.rows[:8].tolist()).permutation(len(fit)))
    known = draw.split.in_fit(draw.rows[:seeds])
    began = cpu_seconds()
    matches = order[rival(draw.x[fit], draw.y[fit][order], torch.stack([known, order.argsort()[known]], 1))]
    seconds = cpu_seconds() - began
    right = (matches == torch.arange(len(fit)))[without(len(fit), known)]
    return float(right.double().mean()), draw.through(draw.fitted(matches))[0].mrr, seconds


def cpu_seconds() -> float:
    """Of this process and those that it waited for."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(one.ru_utime + one.ru_stime for one in used)


def lines(
    name: str, counts: Sequence[int], rivals: Mapping[str, Rival], draws: int, made: Mapping[Asked, Ran]
) -> Iterator[list[str]]:
    """Cells of a pair, for each number of known pairs: relviz, then each other method that takes so many."""
    pair = SUBJECTS[name].pair()
    pairing = Pairing(pair.a.vectors, pair.b.vectors, held_out=0.2)
    drawn = [pairing.draw(ANCHORS, draw) for draw in range(draws)]
    for seeds in counts:
        ours = [made[Asked(name, "annealed", seeds, draw)] for draw in range(draws)]
        cells = [summary([(one.right, one.found, one.seconds) for one in ours])]
        for method, rival in rivals.items():
            takes = not seeds or method not in WITHOUT_PAIRS
            cells.append(summary([measured(draw, rival, seeds) for draw in drawn]) if takes else "–")
        yield [name, str(seeds), *cells]


def summary(some: Sequence[Measured]) -> str:
    """Means over the draws."""
    right, mrr, seconds = np.array(some).mean(0)
    return f"{right:.1%}, {mrr:.3f}, {seconds:.0f}"


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    small = [name for name in SUBJECTS if name not in ("words", "emoji-name-image")]
    parser.add_argument("--pairs", nargs="+", choices=small, default=small)
    parser.add_argument("--seeds", nargs="+", type=int, default=[15, 0])
    parser.add_argument("--draws", type=int, default=2)
    parser.add_argument("--vecmap", type=Path, metavar="FOLDER")
    parser.add_argument("--mini-vec2vec", type=Path, metavar="FOLDER")
    chosen = parser.parse_args()
    torch.set_num_threads(1)
    rivals: dict[str, Rival] = {}
    if chosen.vecmap:
        rivals["VecMap"] = vecmap(chosen.vecmap)
    if chosen.mini_vec2vec:
        rivals["mini-vec2vec"] = mini_vec2vec(chosen.mini_vec2vec)
    if find_spec("ot"):
        rivals["Gromov-Wasserstein"] = gromov_wasserstein
    heads = "pair", "known pairs", "relviz", *rivals
    print(f"| {' | '.join(heads)} |\n|{'---|' * len(heads)}")
    made = Runs(TABLE).made
    for name in chosen.pairs:
        for cells in lines(name, chosen.seeds, rivals, chosen.draws, made):
            print(f"| {' | '.join(cells)} |", flush=True)
    print(f"\n{ANCHORS} anchors, draws 0-{chosen.draws - 1}, one thread.")


if __name__ == "__main__":
    main()

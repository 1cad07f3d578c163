"""How much of a pane its points fill: ``python -m tests.benchmarks.panes [--demos emoji] [--json FILE]``.

For every pair of a demo, projection and fit, and both rows of maps: the longer side of the box that holds
the middle 98% of the points, as a share of the pane's shorter side, for a pane as wide as it is tall. A
shared frame is measured with all the points that share it (``shared``), and with each pane centered on its
points (``own``: the fuller and the emptier of the two).

``before`` is the frame that relviz had until November 2026: limits with 99% of the points, 8% of margin, and
no more than one and a half times what most points take before the rest was left outside.
"""

import argparse
import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np

from relviz import Error, demo_names, load_demo
from relviz.figures.panes import panes_of
from relviz.plotting.pane import MIDDLE, Limits, Pane, around, frames_of
from relviz.results.comparison import comparison_of
from relviz.results.maps import fit_of, maps
from relviz.state.sources import open_pair
from relviz.state.view import View

PROJECTIONS = ("pca", "first", "tsne", "umap")
FITS = ("first", "joint", "independent")


@dataclass(frozen=True)
class Fill:
    """A row of maps: the shares filled, and how many points lie outside of both panes."""

    demo: str
    pair: str
    row: str
    projection: str
    fit: str
    before: float
    after: float
    emptier: float
    emptier_own: float
    outside: int


def before(points: np.ndarray) -> Limits:
    """The frame that panes had."""
    low, high = points.min(0), points.max(0)
    near_low, near_high = np.quantile(points, [0.005, 0.995], axis=0)
    tight = ((high - low) > 1.5 * (near_high - near_low)) & (near_high > near_low)
    low, high = np.where(tight, near_low, low), np.where(tight, near_high, high)
    return around((low + high) / 2, 1.16 * np.where(high > low, high - low, 1.0))


def filled(points: np.ndarray, home: Limits) -> float:
    """Longer side of the box of the middle of some points, in sides of a square pane."""
    tail = (1 - MIDDLE) / 2
    low, high = np.quantile(points, [tail, 1 - tail], axis=0)
    return float(np.max(high - low) / np.max(home.sides))


def measured(pair: tuple[str, str], demo: str, row: str, projection: str, fit: str) -> Fill | None:
    """One row of maps; None where the spaces do not allow the fit."""
    sources = tuple(f"{demo}.{key}" for key in pair)
    view = View(a=sources[0], b=sources[1]).with_changes(
        projection=projection, fit_absolute=fit, fit_relative=fit
    )
    comparison = comparison_of(view, open_pair(*sources))
    choices = view.map_choices
    try:
        made = maps(comparison, choices, row).run()
    except Error:
        return None
    panes = panes_of(comparison, choices, row, made)
    total = len(comparison.pair)
    shown = [np.asarray(pane.points, np.float64) for pane in panes]
    together = fit_of(comparison, choices, row) != "independent"
    frames = [np.concatenate(shown)] * 2 if together else shown
    limits_of = frames_of(panes, total)
    homes, own = ([limits_of[pane][place] for pane in panes] for place in (0, 1))
    return Fill(
        demo,
        " / ".join(pair),
        row,
        projection,
        fit,
        min(filled(points, before(points)) for points in frames),
        min(filled(points, home) for points, home in zip(frames, homes, strict=True)),
        min(filled(points, home) for points, home in zip(shown, homes, strict=True)),
        min(filled(points, home) for points, home in zip(shown, own, strict=True)),
        sum(_outside(pane, home) for pane, home in zip(panes, homes, strict=True)),
    )


def _outside(pane: Pane, home: Limits) -> int:
    return home.widened(1.0).outside(np.asarray(pane.points, np.float64))


def table(fills: Sequence[Fill]) -> Iterator[str]:
    """Lines of Markdown: a line for each demo, projection and fit, the least of its pairs and rows."""
    yield "| demo | map | fit | rows | before | after | emptier pane | centered | outside |"
    yield "|---|---|---|---:|---:|---:|---:|---:|---:|"
    for key in dict.fromkeys((one.demo, one.projection, one.fit) for one in fills):
        some = [one for one in fills if (one.demo, one.projection, one.fit) == key]
        names = ("before", "after", "emptier", "emptier_own")
        shares = " | ".join(f"{min(getattr(one, name) for one in some):.0%}" for name in names)
        most = max(one.outside for one in some)
        yield f"| {' | '.join(key)} | {len(some)} | {shares} | {most} |"


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--demos", nargs="+", default=[n for n in demo_names() if load_demo(n).pairs])
    parser.add_argument("--projections", nargs="+", default=PROJECTIONS)
    parser.add_argument("--fits", nargs="+", default=FITS)
    parser.add_argument("--pairs", type=int, default=1, help="Pairs of each demo.")
    parser.add_argument("--json", type=Path)
    args = parser.parse_args()
    fills: list[Fill] = []
    for demo in args.demos:
        for projection in args.projections:
            for fit in args.fits:
                for pair in load_demo(demo).pairs[: args.pairs]:
                    for row in ("absolute", "relative"):
                        found = measured(pair, demo, row, projection, fit)
                        fills += [found] if found is not None else []
    if args.json:
        args.json.write_text(json.dumps([asdict(one) for one in fills], indent=1))
    print("\n".join(table(fills)))


if __name__ == "__main__":
    main()

"""What a kept library would do where relviz has code of its own, as a Markdown table (two minutes).

python -m tests.benchmarks.kept_libraries
"""

import os
import time
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from unittest import mock

import numpy as np
import torch
from numpy.typing import NDArray
from scipy.optimize import quadratic_assignment
from streamlit.testing.v1 import AppTest
from tabulate import tabulate

import relviz
from relviz.bootstrapping import cluster_matching
from relviz.clusters import kmeans
from relviz.relative_projection import unit_rows
from relviz.sheet import Sheet, markdown

PAIRS = (("glosses", "minilm", "e5"), ("emoji", "image_lite0", "image_lite1"))
SEEDS = range(3)
APP = Path(__file__).resolve().parents[2] / "app.py"
RESTARTS = 20
ODD = ("a|b", "*c*", "<d>", "[e](f)")
"""Names that Markdown would not show letter by letter."""
WRONG = {"count": "999999", "method": "best", "k": "ten"}
"""Values of a link that cannot be had."""


def by_scipy(
    a: cluster_matching.Matrix, b: cluster_matching.Matrix, rng: np.random.Generator, restarts: int = RESTARTS
) -> tuple[float, NDArray[np.int64]]:
    """``match_graphs`` by scipy: as many random starts of its FAQ, the best one improved by its 2-opt."""
    options = {"maximize": True, "rng": rng}
    found = [quadratic_assignment(a, b, "faq", {**options, "P0": "randomized"}) for _ in range(restarts)]
    order = max(found, key=lambda one: one.fun).col_ind
    guess = np.stack([np.arange(len(a)), order], 1)
    best = quadratic_assignment(a, b, "2opt", {**options, "partial_guess": guess})
    return best.fun / float(np.sqrt((a * a).sum() * (b * b).sum())), best.col_ind


def by_scikit_learn(x: torch.Tensor, k: int, generator: torch.Generator) -> torch.Tensor:
    """``centroids`` by scikit-learn."""
    seed = int(torch.randint(2**31, (1,), generator=generator))
    return unit_rows(kmeans(x, k, seed)[0])


def starts(name: str, instead: Callable[..., object]) -> Iterator[tuple[float, float]]:
    """MRR of counterparts relative to matched clusters, part of starts without known pairs; seconds."""
    for demo, a, b in PAIRS:
        pair = relviz.load_demo(demo).pair(a, b)
        x, y = relviz.prepare(pair.a), relviz.prepare(pair.b)
        for seed in SEEDS:
            began = time.perf_counter()
            generator = torch.Generator().manual_seed(seed)
            with mock.patch.object(cluster_matching, name, instead):
                pool = cluster_matching.matched_clusters(x, y, generator)
            seconds = time.perf_counter() - began
            yield relviz.retrieval(*cluster_matching.relative_to_clusters(x, y, pool, generator)).mrr, seconds


def compared() -> Iterator[tuple[str, str, str]]:
    """Each library, what it would do, and what it does beside what relviz does."""
    own = _summary(starts("centroids", cluster_matching.centroids))
    for words, instead in {
        "scikit-learn: k-means of the matched clusters": ("centroids", by_scikit_learn),
        "scipy: quadratic assignment of the same clusters": ("match_graphs", by_scipy),
    }.items():
        yield words, own, _summary(starts(*instead))
    sheet = Sheet(("name",), tuple((one,) for one in ODD))
    ours, theirs_text = markdown(sheet), tabulate([[one] for one in ODD], ["name"], "github")
    said = (f"{sum(one not in text for one in ODD)} of {len(ODD)}" for text in (ours, theirs_text))
    yield "tabulate: Markdown tables", *(f"{one} odd names escaped" for one in said)
    yield 'Streamlit: `bind="query-params"`', f"{_told(bound=False)}", f"{_told(bound=True)}"


def _summary(measured: Iterable[tuple[float, float]]) -> str:
    mrr, seconds = np.array([*measured]).T
    return f"MRR by matched clusters {mrr.mean():.3f} ± {mrr.std(ddof=1):.3f}, {seconds.mean():.1f} s"


def _bound() -> None:
    import streamlit as st

    st.number_input("Anchors", 2, 5000, 300, key="count", bind="query-params")
    st.selectbox("Selection", ["uniform", "fps"], key="method", bind="query-params")
    st.number_input("k", 1, 100, 10, key="k", bind="query-params")


def _told(bound: bool) -> str:
    """How many wrong values of a link are told to who opens it."""
    at = AppTest.from_function(_bound) if bound else AppTest.from_file(str(APP), default_timeout=120)
    if not bound:
        at.switch_page("pages/compare.py")
    for name, value in WRONG.items():
        at.query_params[name] = value
    said = " ".join(warning.value for warning in at.run().warning)
    return f"{sum(value in said for value in WRONG.values())} of {len(WRONG)} wrong values in a link reported"


def main() -> None:
    """Print the table."""
    print("| library | relviz's own | the library's |\n|---|---|---|")
    for row in compared():
        print(f"| {' | '.join(row)} |", flush=True)
    os._exit(0)  # what the app computes in the background is not waited for


if __name__ == "__main__":
    main()

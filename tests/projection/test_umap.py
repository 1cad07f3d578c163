"""UMAP against umap-learn itself, and as a user meets it. All of it here: it compiles once a process."""

from typing import Any

import numpy as np
import pytest
import torch

from relviz.projection import Stopped, layout, neighbor_graph, pca, project, umap, warm_umap
from relviz.projection.fit import Report
from relviz.projection.neighbor_graph import Reference

pytestmark = [
    pytest.mark.slow,
    pytest.mark.filterwarnings("ignore:Tensorflow not installed:ImportWarning"),
]

CLASSES = np.repeat([0, 1, 2], 40)


def gaussians(seed: int = 0, d: int = 10) -> np.ndarray:
    """Three gaussians of 40 rows each, far apart."""
    centers = 12 * np.eye(3, d, dtype=np.float32)
    noise = np.random.default_rng(seed).standard_normal((len(CLASSES), d), dtype=np.float32)
    return centers[CLASSES] + noise


@pytest.fixture(scope="module")
def first_fit():
    x = gaussians()
    return x, project([x, gaussians(seed=1), x[::7]], "umap", "first")


def test_the_graph_and_the_layout_are_those_of_umap_learn():
    from umap.umap_ import find_ab_params, fuzzy_simplicial_set, simplicial_set_embedding

    x, k = gaussians(), 30
    found = Reference(torch.from_numpy(x)).among(k - 1)
    graph = neighbor_graph.graph(found)
    indices = np.hstack([np.arange(len(x))[:, None], found.indices])
    distances = np.hstack([np.zeros((len(x), 1), np.float32), found.distances])
    theirs, _, _ = fuzzy_simplicial_set(x, k, None, "euclidean", knn_indices=indices, knn_dists=distances)
    np.testing.assert_allclose(graph.toarray(), theirs.toarray(), atol=1e-4)

    start = pca.fit(torch.from_numpy(x), 2).places
    a, b = find_ab_params(1.0, 0.1)
    random = np.random.RandomState(3)
    expected, _ = simplicial_set_embedding(
        x, graph.copy(), 2, 1.0, a, b, 1.0, 5, 15, start, random, "euclidean", {}, False, {}, False
    )
    places = layout.optimize(start, graph.tocoo(), 15, 0.1, np.random.RandomState(3), Report())
    np.testing.assert_array_equal(places, expected)


def test_far_gaussians_stay_apart(first_fit):
    nearest = Reference(torch.from_numpy(first_fit[1][0])).among(10).indices
    assert (CLASSES[nearest] == CLASSES[:, None]).mean() > 0.95


def test_rows_placed_later_join_their_class_and_copies_lie_on_their_original(first_fit):
    _, (fitted, placed, copies) = first_fit
    centers = np.stack([fitted[c == CLASSES].mean(0) for c in range(3)])
    nearest = np.linalg.norm(placed[:, None] - centers, axis=2).argmin(1)
    assert (nearest == CLASSES).mean() > 0.95
    np.testing.assert_array_equal(copies, fitted[::7])


def test_the_seed_decides_the_picture_and_the_caption_says_how_it_was_made(first_fit):
    x, maps = first_fit
    np.testing.assert_array_equal(project([x], "umap")[0], maps[0])
    assert not np.array_equal(project([x], "umap", seed=1)[0], maps[0])
    assert maps.parameters == {
        "n_neighbors": 15,
        "min_dist": 0.1,
        "initialization": "pca",
        "epochs": 500,
        "placed": "by neighbors",
        "seed": 0,
    }


def test_min_dist_spreads_neighbors():
    x = gaussians()[:40]
    tight, loose = (project([x], "umap", min_dist=width)[0] for width in (0.0, 0.9))

    def nearest(places: np.ndarray) -> float:
        return float(np.median(np.sort(np.linalg.norm(places[:, None] - places, axis=2), axis=1)[:, 1]))

    assert nearest(loose) > 2 * nearest(tight)


def test_few_rows_copies_and_three_dimensions():
    few = project([gaussians()[:5]], "umap", dim=3)
    assert few[0].shape == (5, 3)
    assert (few.parameters["n_neighbors"], few.parameters["n_neighbors_asked"]) == (5, 15)
    copies = project([np.repeat(gaussians()[::40], 12, axis=0)], "umap")
    assert all(np.isfinite(places).all() for places in (few[0], copies[0]))


def test_after_warming_up_nothing_is_left_to_compile():
    warm_umap()
    kernel: Any = layout._epoch_kernel()
    compiled = list(kernel.signatures)
    project([gaussians()], "umap", dim=3)
    assert kernel.signatures == compiled
    assert layout._epoch_kernel() is kernel


def test_progress_rises_to_one_and_ends_with_the_map():
    seen = []
    maps = project(
        [gaussians()], "umap", on_step=lambda fraction, places: seen.append((fraction, places)) and None
    )
    fractions = [fraction for fraction, _ in seen if fraction is not None]
    assert fractions == sorted(fractions)
    assert (fractions[0], fractions[-1]) == (0.0, 1.0)
    shown = [places for _, places in seen if places is not None]
    assert len(shown) == umap.EPOCHS
    assert not np.array_equal(shown[0], shown[-1])
    np.testing.assert_array_equal(shown[-1], maps[0])


def test_stop_is_obeyed_at_the_next_epoch():
    drawn = []

    def on_step(_fraction, places):
        if places is not None:
            drawn.append(places)
        return len(drawn) == 3

    with pytest.raises(Stopped):
        project([gaussians()], "umap", on_step=on_step)
    assert len(drawn) == 3

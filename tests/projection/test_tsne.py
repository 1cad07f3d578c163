"""t-SNE: clusters with a known answer, sameness, progress, and what few rows allow."""

import numpy as np
import pytest
import torch

from relviz.projection import Stopped, project
from relviz.projection.neighbor_graph import Reference

CLASSES = np.repeat([0, 1, 2], 40)


def gaussians(seed: int = 0, d: int = 10) -> np.ndarray:
    """Three gaussians of 40 rows each, far apart."""
    centers = 12 * np.eye(3, d)
    return centers[CLASSES] + np.random.default_rng(seed).standard_normal((len(CLASSES), d))


def same_class(places: np.ndarray) -> float:
    """Share of the ten nearest neighbors on the map that are of the row's own class."""
    nearest = Reference(torch.from_numpy(places)).among(10).indices
    return float((CLASSES[nearest] == CLASSES[:, None]).mean())


@pytest.fixture(scope="module")
def first_fit():
    x = gaussians()
    return x, project([x, gaussians(seed=1), x], "tsne", "first", perplexity=10)


def test_far_gaussians_stay_apart(first_fit):
    _, maps = first_fit
    assert same_class(maps[0]) > 0.95


def test_rows_placed_later_join_their_class_and_copies_their_original(first_fit):
    _, (fitted, placed, copies) = first_fit
    centers = np.stack([fitted[c == CLASSES].mean(0) for c in range(3)])
    nearest = np.linalg.norm(placed[:, None] - centers, axis=2).argmin(1)
    assert (nearest == CLASSES).mean() > 0.95
    assert np.median(np.linalg.norm(copies - fitted, axis=1)) < 0.05 * fitted.std()


def test_the_map_that_others_are_placed_in_is_the_map_alone(first_fit):
    x, maps = first_fit
    (alone,) = project([x], "tsne", perplexity=10)
    np.testing.assert_array_equal(maps[0], alone)
    assert maps.parameters == {
        "perplexity": 10,
        "initialization": "pca",
        "iterations": 750,
        "placed": "row by row against the finished map",
        "seed": 0,
    }


def test_another_seed_is_another_picture_and_leaves_global_chance_alone():
    x = gaussians()[::4]
    np.random.seed(7)  # noqa: NPY002
    before = np.random.get_state(legacy=False)["state"]["key"].copy()  # noqa: NPY002
    maps = [project([x], "tsne", seed=seed, perplexity=5)[0] for seed in (0, 0, 1)]
    np.testing.assert_array_equal(maps[0], maps[1])
    assert not np.array_equal(maps[0], maps[2])
    np.testing.assert_array_equal(np.random.get_state(legacy=False)["state"]["key"], before)  # noqa: NPY002


def test_perplexity_is_lowered_to_what_the_rows_allow_and_says_so():
    x = gaussians()
    maps = project([x[:5], x[:25], x[:16]], "tsne", "independent", perplexity=7)
    assert [len(places) for places in maps] == [5, 25, 16]
    assert maps.parameters["perplexity"] == (4 / 3, 7, 5)
    assert maps.parameters["perplexity_asked"] == (7, None, 7)
    assert all(np.isfinite(places).all() for places in maps)


def test_copies_and_three_dimensions():
    x = np.repeat(gaussians()[::40], 12, axis=0)
    (places,) = project([x], "tsne", dim=3, perplexity=5)
    assert places.shape == (36, 3)
    assert np.isfinite(places).all()


def test_progress_rises_to_one_over_all_maps_and_ends_with_the_map():
    seen = []
    maps = project(
        [gaussians()[:20], gaussians()[20:40]],
        "tsne",
        "first",
        on_step=lambda fraction, places: seen.append((fraction, places)),
    )
    fractions = [fraction for fraction, _ in seen]
    assert fractions == sorted(fractions)
    assert (fractions[0], fractions[-1]) == (0.0, 1.0)
    shown = [places for _, places in seen if places is not None]
    assert len(shown) == (750 + 250) / 10
    assert shown[-1].shape == maps[1].shape
    assert np.abs(shown[-1] - maps[1]).max() < 0.1 * np.abs(maps[0]).max()


def test_stop_is_obeyed_while_searching_and_while_drawing():
    calls = []

    def stop_at(count: int):
        def on_step(fraction, _places):
            calls.append(fraction)
            return len(calls) >= count

        return on_step

    for count in (2, 10):
        calls.clear()
        with pytest.raises(Stopped):
            project([gaussians()], "tsne", on_step=stop_at(count))
        assert len(calls) == count

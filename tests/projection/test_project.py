"""The door of the room: what it takes, what it refuses, what it hands back."""

import numpy as np
import pytest
import torch

import relviz
from relviz.projection import FITS, METHODS, Projection, Stopped, project

X = np.random.default_rng(0).standard_normal((20, 5)).astype(np.float32)


def test_a_projection_is_a_list_of_maps_that_knows_how_it_was_made():
    maps = project([X, torch.from_numpy(X)], dim=3)
    assert isinstance(maps, Projection)
    assert isinstance(maps, list)
    assert [places.shape for places in maps] == [(20, 3), (20, 3)]
    assert all(places.dtype == np.float32 for places in maps)
    assert (maps.method, maps.fit, maps.residual) == ("pca", "joint", None)
    assert len(maps.explained) == 2
    assert len(maps.explained[0]) == 3


@pytest.mark.parametrize("fit", FITS[:3])
def test_first_keeps_the_first_dimensions_and_never_the_callers_memory(fit):
    before = X.copy()
    maps = project([X, X + 1], "first", fit)
    np.testing.assert_array_equal(maps[0], X[:, :2])
    np.testing.assert_array_equal(maps[1], X[:, :2] + 1)
    assert maps.explained is None
    maps[0][:] = 9
    np.testing.assert_array_equal(X, before)


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf, 1e31])
def test_rows_that_cannot_be_placed_are_counted(bad):
    x = X.copy()
    x[[3, 8], 1] = bad
    with pytest.raises(relviz.Error, match="2 of 20 rows of space 2"):
        project([X, x])


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"method": "mds"}, "no method 'mds'; choose from pca, tsne"),
        ({"fit": "both"}, "no fit 'both'; choose from joint"),
        ({"dim": 4}, "no dim 4; choose from 2, 3"),
        ({"seed": -1}, "seed must be a whole number, at least 0"),
        ({"perplexity": 0.5}, r"perplexity must be at least 1; it is 0\.5"),
        ({"perplexity": np.nan}, "perplexity must be at least 1; it is nan"),
        ({"n_neighbors": 1}, "n_neighbors must be a whole number, at least 2; it is 1"),
        ({"n_neighbors": 2.5}, r"n_neighbors must be a whole number, at least 2; it is 2\.5"),
        ({"min_dist": 2}, "min_dist must be at least 0 and at most 1; it is 2"),
    ],
)
def test_options_out_of_range_are_refused_with_the_range(options, message):
    with pytest.raises(relviz.ParameterError, match=message):
        project([X], **options)


def test_nothing_to_project_too_few_columns_and_too_few_rows():
    with pytest.raises(relviz.ParameterError, match="no space to project"):
        project([])
    with pytest.raises(relviz.ShapeError, match="space 2 has 20 × 2"):
        project([X, X[:, :2]], fit="independent", dim=3)
    for method, least in (("pca", 2), ("tsne", 4), ("umap", 4)):
        with pytest.raises(relviz.ShapeError, match=f"needs at least {least} rows; it got {least - 1}"):
            project([X[: least - 1]], method)


@pytest.mark.parametrize("method", METHODS)
def test_rows_that_are_all_alike_give_zeros(method):
    first = project([np.zeros((6, 3)), np.ones((4, 3))], method, "first")
    assert not first[0].any()
    if method != "first":
        assert not first[1].any()


def test_progress_runs_from_zero_to_one_and_the_first_no_stops():
    seen = []
    project([X, X], on_step=lambda fraction, _places: seen.append(fraction))
    assert seen == [0.0, 1.0]
    with pytest.raises(Stopped):
        project([X], on_step=lambda *_: True)
    with pytest.raises(ZeroDivisionError):
        project([X], on_step=lambda *_: 1 / 0)

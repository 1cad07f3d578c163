"""Starts without seeds, and the clusters they rest on."""

import torch

from relviz.bootstrapping.start import LEADING, centroids, seeded_sides, trials, unseeded_sides
from relviz.relative_projection import prepare
from tests.bootstrapping.made import case, right


def generator(seed=0):
    return torch.Generator().manual_seed(seed)


def lopsided(n=400, seed=0):
    """A space with shape enough to be recognized, and a shuffled rotation of it."""
    made = case(n=n, d=6, seeds=0, seed=seed)
    spread = torch.tensor([3.0, 2.0, 1.5, 1.0, 0.7, 0.5])
    x = made.x.exp() * spread
    q = torch.linalg.qr(torch.randn(6, 6, generator=generator(9)))[0]
    y = (x @ q)[made.truth.argsort()]
    return prepare(x), prepare(y), made.truth


def test_separate_clusters_get_a_centroid_each():
    corners = torch.eye(4).repeat_interleave(10, 0) + 0.01 * torch.randn(40, 4, generator=generator())
    found = centroids(corners / corners.norm(dim=1, keepdim=True), 4, generator())
    assert sorted((found @ torch.eye(4)).argmax(1).tolist()) == [0, 1, 2, 3]
    torch.testing.assert_close(found.norm(dim=1), torch.ones(4))


def test_as_many_centroids_as_asked_where_rows_repeat():
    found = centroids(torch.eye(3).repeat(5, 1), 8, generator())
    assert found.shape == (8, 3)
    assert found.isfinite().all()


def test_a_start_without_seeds_tells_more_than_chance():
    x, y, truth = lopsided()
    u, v = unseeded_sides(x, y, generator())
    counterpart = (u * v[truth]).sum(1, keepdim=True)
    better = (u @ v.T > counterpart).float().mean(1).median()
    assert float(better) < 0.1


def test_trials_that_fit_better_are_more_right():
    x, y, truth = lopsided()
    none = torch.zeros(0, dtype=torch.int64)
    made = list(trials(x, y, (none, none), 6, generator()))
    best = max(made, key=lambda one: one.fit)
    assert right(best.found.y_of_x, truth) == max(right(one.found.y_of_x, truth) for one in made) > 0.9
    assert best.stage.u.shape[1] <= LEADING


def test_seeds_tell_rows_of_a_copy_alike():
    x, y, truth = lopsided()
    seeds = torch.arange(4)
    u, v = seeded_sides(x, y, (seeds, truth[seeds]))
    torch.testing.assert_close(u, v[truth], atol=1e-5, rtol=0)

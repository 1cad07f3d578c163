"""Starts: rows of both spaces in columns that can be compared."""

import pytest
import torch

from relviz.bootstrapping.start import FEWEST_COLUMNS, Starts, seeded_sides
from tests.bootstrapping.made import lopsided

pytestmark = pytest.mark.usefixtures("few_clusterings")

NONE = torch.zeros(0, dtype=torch.int64), torch.zeros(0, dtype=torch.int64)


def generator(seed=0):
    return torch.Generator().manual_seed(seed)


def ahead(u, v, truth):
    """Share of the rows of v that are nearer than the counterpart: the median over the rows of u."""
    return float((u @ v.T > (u * v[truth]).sum(1, keepdim=True)).float().mean(1).median())


def test_a_start_without_seeds_tells_rows_of_a_copy_apart():
    x, y, truth = lopsided()
    starts = Starts(x, y, NONE, generator())
    for _ in range(4):
        u, v = starts.draw()
        assert ahead(u, v, truth) < 0.02
        torch.testing.assert_close(u.norm(dim=1), torch.ones(len(u)))


def test_starts_differ_and_come_again_with_the_seed():
    x, y, _ = lopsided(n=80)
    one, again = (Starts(x, y, NONE, generator(3)) for _ in range(2))
    first, second = one.draw(), one.draw()
    assert first[0].shape != second[0].shape or not torch.equal(first[0], second[0])
    for side, other in zip(first, again.draw(), strict=True):
        assert torch.equal(side, other)


def test_known_pairs_are_columns_of_every_start_if_they_are_many():
    x, y, truth = lopsided(n=80)
    for many, columns in ((FEWEST_COLUMNS, FEWEST_COLUMNS), (FEWEST_COLUMNS - 1, 0)):
        seeds = torch.arange(many), truth[:many]
        without, told = Starts(x, y, NONE, generator()), Starts(x, y, seeds, generator())
        assert [told.draw()[0].shape[1] - without.draw()[0].shape[1] for _ in range(2)] == [columns] * 2


def test_seeds_tell_rows_of_a_copy_alike():
    x, y, truth = lopsided()
    seeds = torch.arange(4)
    u, v = seeded_sides(x, y, (seeds, truth[seeds]))
    torch.testing.assert_close(u, v[truth], atol=1e-5, rtol=0)

"""Spaces of which most rows come in pairs that differ alike: swapping the pairs fits nearly as well."""

from dataclasses import replace

import pytest
import torch

from relviz.bootstrapping.growth import Growth
from relviz.bootstrapping.mirror_images import MirrorImages
from relviz.bootstrapping.population import nearest_rotation, spaces_of
from relviz.bootstrapping.reflection import directions_of_pairs, mirrored
from relviz.bootstrapping.verdict import Evidence
from relviz.relative_projection import prepare
from tests.bootstrapping.made import Case, case, mixed, right, started

N, D, PAIRS = 300, 60, 135
"""Rows, directions, and how many pairs nine tenths of the rows come in."""


def in_pairs(noise: float = 0.0) -> Case:
    """Rows in pairs that differ in one direction only, and a shuffled rotation of them."""
    made = case(n=N, d=D, seeds=0)
    generator = torch.Generator().manual_seed(1)
    x = torch.randn(N, D, generator=generator)
    x[PAIRS : 2 * PAIRS] = x[:PAIRS]
    x[:PAIRS, 3], x[PAIRS : 2 * PAIRS, 3], x[2 * PAIRS :, 3] = 3.0, -3.0, 1.5
    rotation = torch.linalg.qr(torch.randn(D, D, generator=generator))[0]
    y = (x + noise * torch.randn(N, D, generator=generator)) @ rotation
    return replace(made, x=x, y=y[made.truth.argsort()])


def swapped(truth: torch.Tensor) -> torch.Tensor:
    """Matches of each row of a pair with the counterpart of the other."""
    rows = torch.cat([torch.arange(PAIRS, 2 * PAIRS), torch.arange(PAIRS), torch.arange(2 * PAIRS, N)])
    return truth[rows]


def test_the_direction_in_which_pairs_differ_is_the_first():
    y = prepare(in_pairs().x)
    first = directions_of_pairs(y)[0]
    assert first.norm() == pytest.approx(1, abs=1e-5)
    assert abs(float(first[3])) > 0.99


def images(made: Case, matches: torch.Tensor) -> list[torch.Tensor]:
    """What each other optimum than that of these matches chooses for every row."""
    frame = started(made)[0].run.frame
    spaces = spaces_of(*frame.sides, frame.seeds, D, frame.hints)
    rotation = nearest_rotation(frame.x.T @ frame.y[matches])
    found = mirrored(spaces, rotation, torch.Generator().manual_seed(0))
    return [(frame.x @ other.image @ frame.y.T).argmax(1) for other in found]


@pytest.mark.parametrize("wrong", [True, False])
def test_the_other_optimum_swaps_the_rows_of_each_pair(wrong):
    made = in_pairs()
    begun, other = (swapped(made.truth), made.truth)[:: 1 if wrong else -1]
    (found,) = images(made, begun)
    assert right(found[: 2 * PAIRS], other[: 2 * PAIRS]) > 0.95


def test_rows_that_come_in_no_pairs_have_no_other_optimum():
    made = case(n=N, d=D, seeds=0)
    assert not images(made, made.truth)


@pytest.mark.parametrize("wrong", [True, False])
def test_of_a_round_and_its_mirror_image_the_one_that_finds_nearer_rows_is_taken(wrong):
    made = in_pairs(noise=0.02)
    rounds, ended = started(made)
    matches = swapped(made.truth) if wrong else made.truth
    best = replace(ended(matches), converged=True, evidence=Evidence(0.9, 0.4, 0.5, ""))
    assert right(rounds.purification.best([best]).matches, made.truth) > 0.95


def test_matches_of_both_optima_are_gathered_on_either_side():
    made = in_pairs(noise=0.02)
    rounds, _ = started(made)
    truths = made.truth, swapped(made.truth), made.truth
    found = [mixed(truth, 100, seed) for seed, truth in enumerate(truths)]
    sides = sorted(rounds.images.sides(found), key=lambda side: right(side[0], made.truth), reverse=True)
    owns = found[::2], found[1:2]
    for side, truth, own in zip(sides, (made.truth, swapped(made.truth)), owns, strict=True):
        assert len(side) == len(found)
        assert all(any(one is matches for matches in side) for one in own)
        assert all(right(matches, truth) > 0.6 for matches in side)


def test_matches_of_rows_that_come_in_no_pairs_have_one_side():
    made = case(n=N, d=D, seeds=0)
    found = [mixed(made.truth, 100, seed) for seed in range(2)]
    assert started(made)[0].images.sides(found) == [found]


@pytest.mark.parametrize("first_grows", [True, False])
def test_what_grows_on_either_side_is_taken(first_grows, monkeypatch):
    made = in_pairs(noise=0.02)
    rounds, ended = started(made)
    sides = [made.truth], [swapped(made.truth)]
    monkeypatch.setattr(MirrorImages, "sides", lambda *_: sides)
    asked = []

    def grown(_, side):
        asked.append(side)
        return replace(ended(side[0]), converged=first_grows) if first_grows or side is sides[1] else None

    monkeypatch.setattr(Growth, "grown", grown)
    assert torch.equal(rounds.growth.of_either_side([]).matches, sides[0 if first_grows else 1][0])
    assert asked == list(sides[: 1 if first_grows else 2])

"""What annealings from the same seeds agree on is right more often than what one of them finds."""

import pytest
import torch

import relviz
from relviz.bootstrapping.consensus import Consensus
from relviz.bootstrapping.principal_axes import principal
from relviz.relative_projection import prepare
from tests.bootstrapping.made import case, right


def precision(pairs, truth, seeds):
    x, y = (rows[seeds:] for rows in pairs)
    return right(y, truth[x])


def generations(x, y, seeds, count, seed=0):
    consensus = Consensus(x, y, seeds, torch.Generator().manual_seed(seed))
    briefs = [brief for _ in range(count) for brief in consensus.generation()]
    return consensus, briefs


def test_pairs_begin_with_the_seeds_and_name_no_row_twice():
    made = case(n=150, d=6, seeds=4, noise=0.4)
    consensus, _ = generations(prepare(made.x), prepare(made.y), made.seeds, 2)
    for rows, seeds in zip(consensus.pairs, made.seeds, strict=True):
        assert torch.equal(rows[:4], seeds)
        assert len(rows.unique()) == len(rows) > 20
    again, _ = generations(prepare(made.x), prepare(made.y), made.seeds, 2)
    assert all(torch.equal(one, other) for one, other in zip(again.pairs, consensus.pairs, strict=True))


def test_it_stops_growing_when_nothing_fits_better():
    made = case(n=100, d=5, seeds=5)
    consensus, _ = generations(prepare(made.x), prepare(made.y), made.seeds, 2)
    assert consensus.grows
    for _ in range(2):
        list(consensus.generation())
    assert not consensus.grows
    assert precision(consensus.pairs, made.truth, 5) == 1


def test_agreement_on_real_spaces_grows_from_five_seeds_that_one_annealing_is_lost_with():
    pair = relviz.load_demo("emoji").pair("text_en_minilm", "text_es_e5")
    some = torch.randperm(len(pair), generator=torch.Generator().manual_seed(0))[:700]
    x, y = (principal(prepare(side.vectors[some]))[0] for side in (pair.a, pair.b))
    seeds = relviz.select_anchors(x, 300, seed=1)[:5]
    truth = torch.arange(len(x))
    consensus, briefs = generations(x, y, (seeds, seeds), 2)
    alone = max(right(brief.found.y_of_x, truth) for brief in briefs[:8])
    together = precision(consensus.pairs, truth, 5)
    assert alone < 0.25
    assert together > 0.5
    assert together > 3 * alone
    assert len(consensus.pairs[0]) > 50


@pytest.mark.parametrize("rows", [3, 40])
def test_few_rows_are_no_trouble(rows):
    made = case(n=rows, d=3, k=3, seeds=3)
    consensus, _ = generations(prepare(made.x), prepare(made.y), made.seeds, 1)
    assert len(consensus.pairs[0]) >= 3

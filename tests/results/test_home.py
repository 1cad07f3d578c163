"""Every number of Home, computed by the library on the demo of emoji; what is packed is what is computed."""

import numpy as np
import pytest
import torch

import relviz
from relviz.compute.entry import result
from relviz.compute.job import here_and_now
from relviz.compute.packed import packed, stale
from relviz.compute.typed import unpack
from relviz.demos import load_demo
from relviz.measure import held_out, retrieval
from relviz.relative_projection import prepare, relative
from relviz.results.home import COUNTS, EXAMPLES, FIRST, FULL, Home, home

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def pair():
    return load_demo("emoji").pair()


@pytest.fixture(scope="module")
def shown(pair) -> Home:
    """What Home shows, computed anew."""
    arrays, meta = home(pair).compute(here_and_now())
    return unpack(Home, result(arrays, meta))


def test_what_came_along_is_what_is_computed(pair, shown):
    assert stale() == (), "Run python -m relviz.results.pack."
    came = unpack(Home, packed(home(pair).recipe))
    assert (came.counts, came.queries, came.examples) == (shown.counts, shown.queries, shown.examples)
    np.testing.assert_array_equal(came.anchors, shown.anchors)
    np.testing.assert_allclose(came.found, shown.found, atol=0.002)
    assert (came.nearest == shown.nearest).mean() > 0.995  # ties of 2 anchors may fall otherwise elsewhere
    apart = np.abs(came.places.astype(float) - shown.places.astype(float)) / FULL
    assert np.quantile(apart, 0.999) < 0.01


def test_found_is_top_1_of_the_items_that_are_no_anchors(pair, shown):
    x, y = prepare(pair.a.vectors), prepare(pair.b.vectors)
    for count in (20, FIRST):
        rows = relviz.select_anchors(x, max(COUNTS), "uniform", 0)[:count]
        measured = retrieval(relative(x, x[rows]), relative(y, y[rows]), queries=held_out(len(x), rows)).top1
        assert shown.found[shown.counts.index(count)] == pytest.approx(measured)
    assert shown.found[0] == pytest.approx(retrieval(x, y).top1)


def test_at_300_anchors_it_is_what_compare_measures(pair, shown):
    table = relviz.anchor_retrieval(pair, anchors=FIRST, n_draws=1, null=None)
    assert shown.found[shown.counts.index(FIRST)] == pytest.approx(table.x_to_y.runs[0].top1)


def test_the_meter_goes_from_nothing_to_about_45_percent(shown):
    assert round(100 * shown.found[0]) == 0
    assert 0.42 < shown.found[shown.counts.index(FIRST)] < 0.52
    assert shown.queries == tuple(1906 - count for count in shown.counts)


def test_what_b_finds_is_the_most_similar_item(pair, shown):
    x, y = prepare(pair.a.vectors), prepare(pair.b.vectors)
    rows = torch.from_numpy(shown.anchors[:FIRST].astype(np.int64))
    like = relviz.relative(relative(x, x[rows]), relative(y, y[rows])).numpy()
    said = shown.nearest[shown.counts.index(FIRST)]
    np.testing.assert_allclose(like[np.arange(len(x)), said], like.max(1), atol=1e-5)


def test_examples_come_from_the_seed_and_are_anchors_nowhere(pair, shown):
    free = held_out(len(pair), torch.from_numpy(shown.anchors.astype(np.int64)), EXAMPLES, 0).numpy()
    assert shown.examples == tuple(np.random.default_rng(0).permutation(free).tolist())
    assert set(shown.examples).isdisjoint(shown.anchors.tolist())
    heard = shown.nearest[0][list(shown.examples)]
    assert not (heard == shown.examples).any(), "Raw coordinates are nonsense."


def test_items_keep_the_order_of_their_coordinates_and_fill_both_panes(shown):
    for view in range(len(shown.counts)):
        assert np.ptp(shown.places[view][0], axis=0).min() > 0.98 * FULL
        assert np.ptp(shown.places[view][1], axis=0).min() > 0.4 * FULL

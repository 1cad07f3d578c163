"""What a run tells while it works, and how soon it ends when it is told to."""

from itertools import pairwise

import pytest

import relviz
from relviz.bootstrapping import AdamOptions, AnnealedOptions, null
from relviz.bootstrapping.record import Record
from tests.bootstrapping.made import case

QUICK = AnnealedOptions(steps=4, refining=2, rounds=3, members=4, generations=1)

pytestmark = pytest.mark.usefixtures("few_clusterings")


def made(seeds):
    return case(n=100, d=20, k=20, seeds=seeds, noise=3.0)


def run(one, method="annealed", **more):
    options = QUICK if method == "annealed" else AdamOptions(steps=5)
    return relviz.bootstrap(one.x, one.y, one.anchors, one.seeds, method, options=options, **more)


@pytest.mark.parametrize(("seeds", "method"), [(0, "annealed"), (5, "annealed"), (5, "adam")])
def test_progress_never_falls_and_ends_whole(seeds, method):
    told = []
    run(made(seeds), method, on_progress=told.append)
    assert told[-1] == 1
    assert all(0 < before <= after <= 1 for before, after in pairwise(told))
    assert len(set(told)) > 5


def test_a_round_has_its_share_of_the_progress_that_is_left():
    told = []
    record = Record(on_progress=told.append)
    for beats, share in ((2, 0.25), (1, 0.5), (1, 0.5)):
        record.begin(0, beats, share)
        for _ in range(beats + 1):
            record.beat()
    assert told == [0.125, 0.25, 0.25, 0.625, 0.625, 0.8125, 0.8125]


def test_a_run_without_known_pairs_is_heard_before_its_first_step():
    told, before = [], []
    run(made(0), on_progress=told.append, on_step=lambda _: before.append(len(told)))
    assert before[0] >= 40


def test_progress_stops_a_run_that_has_no_result_to_give():
    with pytest.raises(relviz.Stopped, match="of it was done"):
        run(made(0), on_progress=lambda _: True)


@pytest.mark.parametrize(("seeds", "method"), [(0, "annealed"), (20, "annealed"), (20, "adam")])
def test_a_run_that_was_stopped_is_not_held_against_random_starts(seeds, method, monkeypatch):
    def never(*_):
        pytest.fail("a start was drawn after the run was stopped")

    monkeypatch.setattr(null.Null, "_draw", never)
    found = run(made(seeds), method, on_step=lambda step: step.index == 1)
    assert (found.stopped, found.converged, found.evidence.margin) == (True, False, None)

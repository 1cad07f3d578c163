"""Believed matches, purified of wrong ones where the answer is known."""

from dataclasses import replace
from itertools import chain, repeat

import pytest
import torch

import relviz
from relviz.bootstrapping.mirror_images import MirrorImages
from relviz.bootstrapping.null import Null
from relviz.bootstrapping.refinement import Refinement
from relviz.bootstrapping.rounds import Found
from relviz.bootstrapping.stable_matches import stable
from relviz.bootstrapping.verdict import Evidence
from tests.bootstrapping.made import QUICK, case, mixed, right, started

pytestmark = pytest.mark.usefixtures("few_clusterings")


def believed(ended, matches, halves=0.4):
    """A believed round with these matches."""
    return replace(ended(matches), converged=True, evidence=Evidence(0.9, halves, 0.5, ""))


@pytest.mark.parametrize(("n", "further"), [(400, 0), (3000, 4000)])
def test_stable_matches_of_a_moved_copy_are_the_right_ones(n, further):
    made = case(n=n, d=20, further=further)
    x, y = relviz.prepare(made.x), relviz.prepare(made.y)
    matches = mixed(made.truth, n // 2, 0)
    rows, found = stable(x, y, matches)
    assert torch.equal(found, made.truth[rows])
    assert len(rows) == len(rows.unique())
    asked = min(n, 2000)
    assert len(rows) == pytest.approx(asked / 2, rel=0.05)


def test_stable_matches_are_right_more_often_where_there_is_noise():
    made = case(n=400, d=40, noise=1.0)
    x, y = relviz.prepare(made.x), relviz.prepare(made.y)
    matches = mixed(made.truth, 200, 0)
    rows, found = stable(x, y, matches)
    assert right(found, made.truth[rows]) > right(matches, made.truth) + 0.3


def test_rows_are_as_near_as_the_rotation_is_right_whatever_they_are_matched_with():
    made = case(n=300, d=40)
    null = Null(relviz.prepare(made.x), relviz.prepare(made.y))
    half, none = mixed(made.truth, 150, 0), mixed(made.truth, 300 - 5, 0)
    assert null.nearness(made.truth) == pytest.approx(1, abs=1e-5)
    assert null.nearness(half) == pytest.approx(1, abs=1e-2)
    assert null.nearness(none) < 0.7


def test_rows_of_both_spaces_count_in_how_near_they_are():
    made = case(n=300, d=40, further=300)
    x, y = relviz.prepare(made.x), relviz.prepare(made.y)
    near = Null(x, y).nearness(made.truth)
    assert Null(x, y[made.truth]).nearness(torch.arange(300)) > 0.99
    assert 0.5 < near < 0.9


@pytest.mark.parametrize("order", [1, -1])
def test_of_believed_rounds_the_one_that_finds_nearer_rows_is_taken(order):
    made = case(n=300, d=40, seeds=5)
    solver, ended = started(made)
    few, many = (believed(ended, mixed(made.truth, wrong, 1), halves=0.7) for wrong in (60, 240))
    assert solver.purification.best([few, many][::order]) is few


def test_what_is_stable_of_believed_matches_finds_what_they_lack():
    made = case(n=300, d=40, seeds=5, noise=0.3)
    solver, ended = started(made)
    best = believed(ended, mixed(made.truth, 200, 1))
    found = solver.purification.best([best])
    assert right(best.matches, made.truth) < 0.4
    assert right(found.matches, made.truth) > 0.99
    assert found.converged


def test_a_round_found_twice_stays_one_when_it_is_purified():
    made = case(n=300, d=40, seeds=5)
    solver, ended = started(made)
    best = believed(ended, mixed(made.truth, 150, 1))
    found = solver.purification.best([replace(best, evidence=replace(best.evidence, shared=0.5))])
    assert found.evidence.shared == 0.5


@pytest.mark.parametrize("twins", [True, False])
def test_nothing_is_purified_where_hardly_a_match_is_wrong_or_rows_have_twins(twins):
    made = case(n=300, d=40, seeds=5)
    if twins:
        made = replace(made, x=torch.cat([made.x[:150], made.x[:150] + 1e-6]))
    solver, ended = started(made)
    best = believed(ended, made.truth, halves=0.4 if twins else 0.7)
    assert solver.purification.best([best]) is best
    assert not solver.run.record.history


@pytest.mark.parametrize(("after", "kept"), [(0.5999, False), (0.597, True)])
def test_believed_matches_are_kept_where_purified_ones_find_less_near_rows(after, kept, monkeypatch):
    made = case(n=300, d=40, seeds=5)
    solver, ended = started(made)
    best = believed(ended, made.truth)
    near = chain([0.6], repeat(after))
    monkeypatch.setattr(Null, "nearness", lambda *_: next(near))
    assert (solver.purification.best([best]) is best) == kept


def test_believed_matches_are_kept_where_purified_ones_are_not_believed(monkeypatch):
    made = case(n=300, d=40, seeds=5)
    solver, ended = started(made)
    best = believed(ended, made.truth)
    monkeypatch.setattr("relviz.bootstrapping.rounds.judge", lambda *_, **__: (False, best.evidence))
    assert solver.purification.best([best]) is best


@pytest.fixture
def all_believed(monkeypatch):
    """Every round is believed, and half of its matches may be wrong."""
    evidence = Evidence(0.9, 0.4, 0.5, "Clearly believed.")
    monkeypatch.setattr("relviz.bootstrapping.rounds.judge", lambda *_, **__: (True, evidence))


@pytest.mark.parametrize(
    ("near", "mutual", "taken"), [(0.601, 0.9, True), (0.599, 0.9, False), (0.5995, 0.93, True)]
)
def test_of_a_round_and_its_image_the_one_is_taken_that_is_nearer_and_more_mutual(
    near, mutual, taken, monkeypatch
):
    made = case(n=300, d=40, seeds=5)
    solver, ended = started(made)
    image, every = made.truth.flip(0), torch.ones(300, dtype=torch.bool)

    def is_image(matches):
        return matches[-1] == made.truth[0]

    def judged(_, matches, *__, **___):
        return True, Evidence(mutual if is_image(matches) else 0.9, 0.4, 0.5, "Clearly believed.")

    monkeypatch.setattr("relviz.bootstrapping.rounds.judge", judged)
    monkeypatch.setattr(Refinement, "from_stable", lambda _, one, **__: Found(one, every, 0.9, 0.4))
    monkeypatch.setattr(MirrorImages, "of", lambda *_: iter([image]))
    monkeypatch.setattr(Null, "nearness", lambda _, matches: near if is_image(matches) else 0.6)
    found = solver.purification.best([believed(ended, made.truth)])
    assert bool(is_image(found.matches)) == taken


def test_where_neither_side_leads_both_are_purified_on_and_the_later_steps_tell(monkeypatch):
    made = case(n=300, d=40, seeds=5)
    solver, ended = started(made)
    image, every = made.truth.flip(0), torch.ones(300, dtype=torch.bool)
    steps = {True: 0, False: 0}

    def is_image(matches):
        return bool(matches[-1] == made.truth[0])

    def run(first, later):
        steps.update({True: 0, False: 0})
        purer = {True: lambda: first if steps[True] <= 7 else later, False: lambda: 0.9}

        def refined(_, matches, **__):
            steps[is_image(matches)] += 1
            return Found(matches, every, purer[is_image(matches)](), 0.4)

        monkeypatch.setattr(Refinement, "from_stable", refined)
        return is_image(solver.purification.best([believed(ended, made.truth)]).matches)

    def judged(_, __, mutual, ___, halves):
        return True, Evidence(mutual, halves, 0.5, "Clearly believed.")

    monkeypatch.setattr("relviz.bootstrapping.rounds.judge", judged)
    monkeypatch.setattr(MirrorImages, "of", lambda *_: iter([image]))
    monkeypatch.setattr(Null, "nearness", lambda *_: 0.6)
    assert not run(first=0.89, later=0.91)
    assert steps == {True: 7, False: 7}
    assert run(first=0.895, later=0.905)
    assert steps == {True: 13, False: 13}
    assert not run(first=0.905, later=0.895)


class Broken(Exception):
    pass


@pytest.mark.usefixtures("all_believed")
def test_a_run_that_is_purified_tells_each_step_and_goes_on_from_it(checkpoint):
    made = case(n=200, d=40, seeds=12, noise=0.8)

    def run(**options):
        return relviz.bootstrap(made.x, made.y, made.anchors, made.seeds, options=QUICK, **options)

    told = []
    whole = run(on_step=told.append)
    assert [step.index for step in told] == list(range(len(whole.history)))
    assert whole.history[-1].of == len(whole.history) > QUICK.steps + QUICK.refining

    def broken(step):
        if step.index == QUICK.steps + QUICK.refining:
            raise Broken

    with pytest.raises(Broken):
        run(on_step=broken, checkpoint=checkpoint())
    for _ in range(2):
        again = run(checkpoint=checkpoint())
        assert torch.equal(again.anchors, whole.anchors)
        assert torch.equal(again.matches, whole.matches)
        assert repr(again.history) == repr(whole.history)


@pytest.mark.usefixtures("all_believed")
def test_a_run_that_is_stopped_while_it_is_purified_keeps_what_it_had():
    made = case(n=200, d=40, seeds=12, noise=0.8)
    first = QUICK.steps + QUICK.refining

    def run(stop):
        args = made.x, made.y, made.anchors, made.seeds
        return relviz.bootstrap(*args, options=QUICK, on_step=lambda step: step.index == stop)

    found = run(first)
    assert found.stopped
    assert len(found.history) == first + 1
    assert right(found.matches, made.truth) >= right(run(first - 2).matches, made.truth)

"""Rounds that are not believed, trained on their own stable matches, where the answer is known."""

from dataclasses import replace

import pytest
import torch

import relviz
from relviz.bootstrapping import self_training, verdict
from relviz.bootstrapping.annealed import Rounds
from relviz.bootstrapping.mirror_images import MirrorImages
from relviz.bootstrapping.null import Null
from relviz.bootstrapping.pair_fits import PairFits
from relviz.bootstrapping.record import Record
from relviz.bootstrapping.refinement import Refinement
from relviz.bootstrapping.right_share import Interval
from relviz.bootstrapping.rounds import Found
from relviz.bootstrapping.self_training import SelfTraining
from relviz.bootstrapping.stable_matches import stable
from relviz.bootstrapping.verdict import LEAST_RIGHT, TRAINED, TRAINED_IN_PART, Evidence
from tests.bootstrapping.made import QUICK, case, mixed, right, started

pytestmark = pytest.mark.usefixtures("few_clusterings")


@pytest.fixture
def refined(monkeypatch):
    """What each refinement from pairs started from."""
    begun, made = [], Refinement.from_pairs

    def told(refinement, pairs, cross, progress):
        begun.append(pairs)
        return made(refinement, pairs, cross, progress)

    monkeypatch.setattr(Refinement, "from_pairs", told)
    return begun


@pytest.mark.slow
def test_a_few_right_matches_are_enough(refined):
    made = case(n=700, d=40, seeds=0, noise=0.3)
    solver, ended = started(made)
    begun = ended(mixed(made.truth, 602, 1))
    trained = solver.training.of(begun)
    assert right(begun.matches, made.truth) < 0.15
    assert right(trained.matches, made.truth) > 0.9
    assert trained.converged
    assert trained.evidence.shared >= TRAINED.shared
    assert len(refined[0][0]) < 50
    assert len(refined[-1][0]) > 600


@pytest.mark.slow
def test_a_run_goes_on_within_its_training_as_if_it_had_not_been_broken_off(checkpoint, monkeypatch):
    doubted = Evidence(0.9, 0.3, 0.1, "A random start fits about as well, so the matches cannot be trusted.")
    monkeypatch.setattr("relviz.bootstrapping.rounds.judge", lambda *_, **__: (False, doubted))
    made, options = case(n=300, d=40, seeds=12), replace(QUICK, steps=6, refining=3)

    class Broken(Exception):
        pass

    def broken(step):
        if step.index == options.steps + 3 * options.refining:
            raise Broken

    def run(**further):
        return relviz.bootstrap(made.x, made.y, made.anchors, made.seeds, options=options, **further)

    whole = run()
    assert whole.converged
    assert len(whole.history) >= options.steps + 5 * options.refining
    assert whole.history[-1].of == len(whole.history)
    with pytest.raises(Broken):
        run(on_step=broken, checkpoint=checkpoint())
    again = run(checkpoint=checkpoint())
    assert torch.equal(again.matches, whole.matches)
    assert torch.equal(again.anchors, whole.anchors)
    assert repr(again.history) == repr(whole.history)
    assert again.evidence == whole.evidence


def test_where_nothing_is_right_it_ends_without_a_result(refined, monkeypatch):
    monkeypatch.setattr(self_training, "_PATIENCE", 2)
    made = case(n=300, d=40, seeds=0)
    made.y[:] = torch.randn(made.y.shape, generator=torch.Generator().manual_seed(1))
    solver, ended = started(made)
    assert solver.training.of(ended(made.truth)) is None
    assert len(refined) == self_training._AT_FIRST
    refined.clear()
    monkeypatch.setattr(self_training, "_LEAST_AT_FIRST", -1.0)
    assert solver.training.of(ended(made.truth)) is None
    assert 4 < len(refined) < self_training._MOST


def test_a_refinement_starts_from_what_the_one_before_matched_too_if_that_is_enough():
    made = case(n=300, d=40, seeds=0)
    null = started(made)[0].run.null
    pairs = stable(null.x, null.y, mixed(made.truth, 150, 0))
    again = self_training._again(pairs, mixed(made.truth, 150, 1))
    assert 60 < len(again[0]) < 0.7 * len(pairs[0])
    assert torch.equal(again[1], made.truth[again[0]])
    few = self_training._again(pairs, mixed(made.truth, 295, 1))
    assert torch.equal(few[0], pairs[0])


@pytest.mark.parametrize(("d", "twins", "most"), [(8, False, 300), (40, True, 300), (40, False, 299)])
def test_few_directions_near_duplicates_and_many_rows_are_not_trained_on(
    d, twins, most, refined, monkeypatch
):
    monkeypatch.setattr(Refinement, "twins", twins)
    monkeypatch.setattr(self_training, "_MOST_ROWS", most)
    made = case(n=300, d=d, seeds=5)
    solver, ended = started(made)
    assert solver.training.of(ended(mixed(made.truth, 270, 0))) is None
    assert refined == []


@pytest.mark.parametrize("believed", [True, False])
def test_a_round_is_trained_unless_it_is_believed_or_begins_unrelated(believed, monkeypatch):
    made = case(n=300, d=40, seeds=5)
    solver, ended = started(made)
    monkeypatch.setattr(SelfTraining, "of", lambda _, last: last)
    one = replace(ended(made.truth), converged=believed)
    assert (solver.trained(one) is None) == believed
    monkeypatch.setattr(type(solver), "_unrelated", True)
    assert solver.trained(one) is None


@pytest.mark.parametrize("image_believed", [True, False])
def test_images_of_a_round_are_trained_until_one_is_believed(image_believed, monkeypatch):
    made = case(n=300, d=40, seeds=5)
    solver, ended = started(made)
    last = ended(mixed(made.truth, 150, 0))
    nowhere, image, other = made.truth.flip(0), made.truth, made.truth.clone()
    trained = []

    def of(_, one):
        trained.append(one.matches)
        return None if one.matches is nowhere else replace(one, converged=image_believed)

    monkeypatch.setattr(SelfTraining, "of", of)
    monkeypatch.setattr(MirrorImages, "of", lambda *_: iter([nowhere, image, other]))
    found = solver.believed_images(last)
    assert [one.matches is image for one in found] == [True] * image_believed
    assert len(trained) == (2 if image_believed else 3)


@pytest.mark.parametrize(
    ("owner", "name", "stands"),
    [(Rounds, "_unrelated", True), (SelfTraining, "possible", False), (Record, "stopped", True)],
)
def test_no_image_is_made_where_none_can_be_trained(owner, name, stands, monkeypatch):
    made = case(n=300, d=40, seeds=5)
    solver, ended = started(made)
    last = ended(made.truth)
    monkeypatch.setattr(MirrorImages, "of", None)
    monkeypatch.setattr(solver.run.record if owner is Record else owner, name, stands)
    assert solver.believed_images(last) == []


@pytest.mark.parametrize("believed", [True, False])
def test_a_run_that_grows_on_the_wrong_side_goes_on_from_the_image(believed, monkeypatch):
    made = case(n=300, d=40, seeds=5)
    ended = started(made)[1]
    wrong = replace(ended(made.truth.flip(0)), converged=False)
    image = replace(ended(made.truth), converged=True)
    monkeypatch.setattr(Rounds, "from_start", lambda *_: wrong)
    monkeypatch.setattr(Rounds, "trained", lambda *_: None)
    monkeypatch.setattr(Rounds, "united", lambda *_: wrong)
    monkeypatch.setattr(Rounds, "believed_images", lambda *_: [image] * believed)
    found = relviz.bootstrap(made.x, made.y, made.anchors, made.seeds, options=QUICK)
    assert found.converged == believed
    assert torch.equal(found.matches, made.truth) == believed


def test_the_refinement_that_fits_best_is_judged(monkeypatch):
    made = case(n=300, d=40, seeds=5)
    solver, ended = started(made)
    last = ended(mixed(made.truth, 150, 0))
    margins, found, judged = iter([0.05, 0.1, 0.2, *[0.1] * 40]), [], []
    refined = Refinement.from_pairs

    def kept(*args, **kwargs):
        found.append(refined(*args, **kwargs))
        return found[-1]

    monkeypatch.setattr(Refinement, "from_pairs", kept)
    monkeypatch.setattr(Null, "margin", lambda *_: next(margins))
    monkeypatch.setattr(SelfTraining, "_judged", lambda _, one, __: judged.append(one))
    solver.training.of(last)
    assert judged == [found[2]]
    assert len(found) == self_training._SMOOTHED + 1 + self_training._PATIENCE


@pytest.mark.parametrize(
    ("shared", "estimate", "believed"),
    [
        (TRAINED.shared, LEAST_RIGHT, True),
        (TRAINED.shared, LEAST_RIGHT - 0.01, False),
        (TRAINED_IN_PART.shared, TRAINED_IN_PART.right, True),
        (TRAINED.shared - 0.01, TRAINED_IN_PART.right - 0.01, False),
        (TRAINED_IN_PART.shared - 0.01, 0.9, False),
    ],
)
def test_the_less_halves_of_stable_matches_agree_the_more_have_to_be_right(
    shared, estimate, believed, monkeypatch
):
    doubted = Evidence(0.9, 0.3, 0.1, "A random start fits about as well, so the matches cannot be trusted.")
    monkeypatch.setattr("relviz.bootstrapping.rounds.judge", lambda *_, **__: (False, doubted))
    monkeypatch.setattr(PairFits, "shared", lambda *_: shared)
    monkeypatch.setattr(verdict, "right_share", lambda *_: Interval(estimate, 0.0, 0.9))
    made = case(n=300, d=40, seeds=5)
    solver = started(made)[0]
    found = Found(mixed(made.truth, 150, 0), torch.ones(300, dtype=torch.bool), 0.9, 0.3)
    pairs = torch.arange(300), made.truth
    assert solver.training._judged(found, pairs).converged == believed


@pytest.mark.parametrize(
    ("before", "after", "handed_on"), [(0.1, 0.12, True), (0.1, 0.09, False), (0.03, 0.06, False)]
)
def test_what_is_not_believed_is_handed_on_if_it_fits_better(before, after, handed_on, monkeypatch):
    monkeypatch.setattr(self_training, "_MOST", 3)
    made = case(n=300, d=40, seeds=5)
    solver, ended = started(made)
    last = ended(mixed(made.truth, 150, 0))
    last = replace(last, evidence=replace(last.evidence, margin=before))
    doubted = Evidence(
        0.9, 0.3, after, "A random start fits about as well, so the matches cannot be trusted."
    )
    monkeypatch.setattr("relviz.bootstrapping.rounds.judge", lambda *_, **__: (False, doubted))
    monkeypatch.setattr(Null, "margin", lambda *_: after)
    monkeypatch.setattr(PairFits, "shared", lambda *_: TRAINED_IN_PART.shared)
    monkeypatch.setattr(verdict, "right_share", lambda *_: Interval(0.1, 0.0, 0.9))
    trained = solver.training.of(last)
    if handed_on:
        assert (trained.converged, trained.evidence) == (False, doubted)
    else:
        assert trained is None


@pytest.mark.parametrize(
    ("margins", "more"),
    [
        ([], True),
        ([0.1, 0.0, 0.0, 0.0, 0.0], True),
        ([0.1, 0.0, 0.0, 0.0, 0.0, 0.0], False),
        ([0.1, 0.0, 0.0, 0.0, 0.2, 0.2], True),
        ([0.02, 0.01, 0.03, 0.02, 0.01, 0.03], False),
        ([0.02, 0.01, 0.03, 0.02, 0.01, 0.033], False),
        ([0.02, 0.01, 0.03, 0.02, 0.01, 0.04], True),
    ],
)
def test_it_goes_on_while_margins_were_highest_lately(margins, more, monkeypatch):
    monkeypatch.setattr(self_training, "_PATIENCE", 3)
    assert self_training._rising(margins) == more


@pytest.mark.parametrize(
    ("margins", "more"),
    [
        ([], True),
        ([-0.1, -0.1], True),
        ([0.01, 0.0, 0.015], False),
        ([0.01, 0.0, 0.015, 0.1], False),
        ([-0.1, 0.0, 0.03], True),
        ([0.03, 0.03, 0.03, -0.1, -0.1], True),
    ],
)
def test_the_first_margins_tell_whether_it_leads_anywhere(margins, more):
    assert self_training._promising(margins) == more


def test_a_run_that_is_stopped_meanwhile_has_no_trained_round(monkeypatch):
    made = case(n=300, d=40, seeds=5)
    solver, ended = started(made)
    matches = mixed(made.truth, 150, 0)

    def stopped(*_, **__):
        solver.run.record.stopped = True
        return Found(matches, torch.ones(300, dtype=torch.bool), 0.9, 0.3)

    monkeypatch.setattr(Refinement, "from_pairs", stopped)
    monkeypatch.setattr(Null, "margin", lambda *_: 0.5)
    assert solver.training.of(ended(matches)) is None

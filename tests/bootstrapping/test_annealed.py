"""Annealing from seeds, few or none, where the answer is known and on real spaces."""

from dataclasses import replace
from functools import partial
from itertools import pairwise

import pytest
import torch

import relviz
from relviz.bootstrapping import (
    AnnealedOptions,
    annealed,
    growth,
    principal_axes,
    refinement,
    stable_pairs,
    verdict,
)
from relviz.bootstrapping.annealed_starts import AnnealedStarts
from relviz.bootstrapping.blockwise import Blockwise
from relviz.bootstrapping.mirror_images import MirrorImages
from relviz.bootstrapping.null import Null
from relviz.bootstrapping.pair_fits import PairFits
from relviz.bootstrapping.principal_axes import principal
from relviz.bootstrapping.refinement import Refinement
from relviz.bootstrapping.right_share import Interval
from relviz.bootstrapping.rounds import Found, Source, compared, in_common, sources
from relviz.bootstrapping.search import Search
from relviz.bootstrapping.verdict import HALVES, Evidence
from relviz.errors import ParameterError
from tests.benchmarks.bootstrap_low import SAME_DIGITS, Asked, made
from tests.bootstrapping.made import QUICK, case, lopsided, mixed, right, started, threads

pytestmark = pytest.mark.usefixtures("few_clusterings")


def run(made, **options):
    return relviz.bootstrap(made.x, made.y, made.anchors, made.seeds, **options)


@pytest.mark.slow
@pytest.mark.parametrize("determinant", [1, -1])
@pytest.mark.parametrize("scale", [0.01, 50.0])
def test_five_seeds_match_a_moved_copy_row_for_row(determinant, scale):
    made = case(n=200, d=8, seeds=5, determinant=determinant, scale=scale)
    found = run(made)
    assert right(found.matches, made.truth) == 1
    assert torch.equal(found.indices, made.truth[made.anchors])
    assert found.converged
    x, y = relviz.prepare(made.x), relviz.prepare(made.y)
    torch.testing.assert_close(found.anchors, y[found.indices], atol=1e-2, rtol=0)
    assert relviz.retrieval(relviz.relative(x, x[made.anchors]), (y @ found.anchors.T)[made.truth]).top1 == 1


@pytest.mark.parametrize(
    ("seeds", "expected"),
    [
        (0, ["POPULATIONS"] * 3),
        (2, ["POPULATIONS"] * 3),
        (3, ["SEEDS", *["POPULATIONS"] * 3]),
        (300, ["SEEDS", *["POPULATIONS"] * 3]),
    ],
)
def test_seeds_are_the_first_start_from_three_on(seeds, expected):
    assert [source.name for source in sources(seeds, 4)] == expected
    assert sources(seeds, 1) == sources(seeds, 4)[:1]


@pytest.fixture
def sources_begun(monkeypatch):
    """The names of what rounds start from, as they begin."""
    names, started = [], AnnealedStarts.annealed

    def told(solver, source):
        names.append(source.name)
        return started(solver, source)

    monkeypatch.setattr(AnnealedStarts, "annealed", told)
    return names


@pytest.fixture
def begun(sources_begun, monkeypatch):
    """The same, where nothing starts from what rounds have in common, and none is trained."""
    monkeypatch.setattr(annealed.Rounds, "united", lambda *_: None)
    monkeypatch.setattr(annealed.Rounds, "trained", lambda *_: None)
    return sources_begun


@pytest.mark.slow
@pytest.mark.parametrize(
    ("seeds", "d", "margin", "searches"),
    [
        *((seeds, 40, 0.051, ["POPULATIONS", "POPULATIONS"]) for seeds in (0, 12)),
        (0, 8, 0.05, ["POPULATIONS", "PATIENT_POPULATIONS"]),
        (12, 8, 0.05, ["POPULATIONS"]),
        (0, 40, 0.03, ["POPULATIONS", "PATIENT_POPULATIONS"]),
        (0, 40, 0.045, ["POPULATIONS", "PATIENT_POPULATIONS"]),
        (5, 40, 0.03, ["POPULATIONS", "PATIENT_POPULATIONS"]),
        (12, 40, 0.03, ["POPULATIONS"]),
        (12, 40, 0.045, ["POPULATIONS", "POPULATIONS"]),
    ],
)
def test_populations_are_drawn_again_where_matches_fit_better_than_random_ones_or_known_pairs_are_few(
    seeds, d, margin, searches, begun, monkeypatch
):
    evidence = Evidence(0.9, 0.3, margin, "")
    monkeypatch.setattr("relviz.bootstrapping.rounds.judge", lambda *_, **__: (False, evidence))
    monkeypatch.setattr(Null, "shared", lambda *_: 0.1)
    first = ["SEEDS"] if seeds else []
    run(case(n=200, d=d, seeds=seeds), options=replace(QUICK, rounds=len(first) + 2))
    assert begun == [*first, *searches]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("unrelated", "searches"),
    [(True, ["POPULATIONS", "POPULATIONS"]), (False, ["POPULATIONS", "PATIENT_POPULATIONS"])],
)
def test_nothing_is_searched_patiently_or_grown_where_populations_are_unrelated(
    unrelated, searches, sources_begun, monkeypatch
):
    evidence, grown = Evidence(0.9, 0.3, 0.045, ""), []
    monkeypatch.setattr("relviz.bootstrapping.rounds.judge", lambda *_, **__: (False, evidence))
    monkeypatch.setattr(Search, "unrelated", property(lambda _: unrelated))
    monkeypatch.setattr(growth.Growth, "of_either_side", lambda _, matches: grown.append(matches))
    run(case(n=200, d=40, seeds=0), options=replace(QUICK, rounds=2))
    assert sources_begun == searches
    assert len(grown) == (0 if unrelated else 1)


@pytest.mark.parametrize(("right_share", "converged"), [(0.05, False), (0.5, True)])
def test_nothing_follows_where_two_searches_find_the_same_wrong_matches(
    right_share, converged, sources_begun, monkeypatch
):
    evidence, grown = Evidence(0.9, 0.25, 0.06, ""), []
    monkeypatch.setattr("relviz.bootstrapping.rounds.judge", lambda *_, **__: (False, evidence))
    monkeypatch.setattr(Null, "shared", lambda *_: 0.9)
    monkeypatch.setattr(verdict, "right_share", lambda *_: Interval(right_share, 0.0, 1.0))
    monkeypatch.setattr(growth.Growth, "of_either_side", lambda _, matches: grown.append(matches))
    found = run(case(n=200, d=40, seeds=0), options=replace(QUICK, rounds=3))
    assert (sources_begun, grown, found.converged) == (["POPULATIONS", "POPULATIONS"], [], converged)
    assert found.evidence.right.estimate == right_share


@pytest.mark.slow
@pytest.mark.parametrize(
    ("margins", "searches"),
    [
        ([0.03, 0.03], ["POPULATIONS", "PATIENT_POPULATIONS"]),
        ([0.03, 0.05], ["POPULATIONS", "PATIENT_POPULATIONS", "PATIENT_POPULATIONS"]),
        ([0.06, 0.03], ["POPULATIONS", "POPULATIONS"]),
    ],
)
def test_once_a_search_was_in_vain_the_others_are_patient(margins, searches, begun, monkeypatch):
    told = iter([*margins, 0.0])

    def judged(*_, **__):
        return False, Evidence(0.9, 0.3, next(told), "")

    monkeypatch.setattr("relviz.bootstrapping.rounds.judge", judged)
    monkeypatch.setattr(Null, "shared", lambda *_: 0.1)
    run(case(n=200, d=40, seeds=0), options=replace(QUICK, rounds=3))
    assert begun == searches


@pytest.mark.slow
@pytest.mark.parametrize(
    ("seeds", "halves", "sources"),
    [
        (0, 0.35, ["POPULATIONS"]),
        (0, 0.25, ["POPULATIONS", "POPULATIONS"]),
        (5, 0.35, ["SEEDS"]),
        (5, 0.25, ["SEEDS", "POPULATIONS"]),
        (12, 0.25, ["SEEDS"]),
    ],
)
def test_few_seeds_or_none_take_two_rounds_unless_most_matches_are_right(
    seeds, halves, sources, begun, monkeypatch
):
    evidence = Evidence(0.9, halves, 0.5, "Clearly believed.")
    monkeypatch.setattr("relviz.bootstrapping.rounds.judge", lambda *_, **__: (True, evidence))
    assert run(case(n=200, d=40, seeds=seeds), options=replace(QUICK, rounds=3)).converged
    assert begun == sources


@pytest.mark.parametrize(("seeds", "shared", "sure"), [(5, 0.1, False), (5, 0.3, True), (12, 0.1, True)])
def test_of_few_seeds_a_round_that_no_other_finds_is_followed_by_another(seeds, shared, sure):
    made = case(n=100, d=40, seeds=seeds)
    solver, ended = started(made)
    believed = Evidence(0.9, 0.25, 0.5, "", shared=shared)
    last = replace(ended(made.truth), converged=True, evidence=believed)
    assert solver.settled(last) == sure


@pytest.fixture
def doubted(monkeypatch):
    """No round is believed by itself, and none is trained."""
    monkeypatch.setattr(annealed.Rounds, "trained", lambda *_: None)
    evidence = Evidence(0.9, 0.3, 0.1, "A random start fits about as well, so the matches cannot be trusted.")
    monkeypatch.setattr("relviz.bootstrapping.rounds.judge", lambda *_, **__: (False, evidence))


@pytest.mark.slow
@pytest.mark.usefixtures("doubted")
def test_a_patient_round_is_believed_whose_populations_each_come_to_its_matches():
    made = case(n=200, d=40, seeds=0)
    solver, _ = started(made)
    quick = solver.from_start(Source.POPULATIONS)
    assert not quick.converged
    assert quick.evidence.shared is None
    patient = solver.from_start(Source.PATIENT_POPULATIONS)
    assert right(patient.matches, made.truth) > 0.95
    assert patient.converged
    assert patient.evidence.shared > 0.95


@pytest.mark.slow
@pytest.mark.usefixtures("doubted")
def test_a_run_is_believed_whose_second_round_finds_the_same_matches():
    made = case(n=200, d=40, seeds=5)
    alone = run(made, options=AnnealedOptions(rounds=1))
    assert not alone.converged
    assert alone.evidence.shared is None
    found = run(made, options=AnnealedOptions(members=6, rounds=2))
    assert found.converged
    assert found.evidence.shared == pytest.approx(1)
    assert right(found.matches, made.truth) == 1


@pytest.mark.slow
@pytest.mark.parametrize("believed", [True, False])
def test_what_two_rounds_have_in_common_finds_what_either_lacks(believed):
    made = case(n=300, d=40, seeds=5)
    solver, ended = started(made)
    one, other = (replace(ended(mixed(made.truth, 150, seed)), converged=believed) for seed in (1, 2))
    rounds = compared(solver.run.null, [one], other)
    assert all(right(one.matches, made.truth) < 0.6 for one in rounds)
    found = solver.united(rounds)
    assert right(found.matches, made.truth) == 1
    before = solver.run.null.shared(*(one.matches for one in rounds))
    assert found.evidence.shared == pytest.approx(before if believed else 1)


@pytest.mark.parametrize(("d", "wrong", "rounds"), [(40, 150, 1), (40, 290, 2), (8, 150, 2)])
def test_nothing_starts_from_what_may_be_shared_by_chance(d, wrong, rounds):
    made = case(n=300, d=d, seeds=5)
    solver, ended = started(made)
    *before, last = (ended(mixed(made.truth, wrong, seed)) for seed in range(rounds))
    assert solver.united(compared(solver.run.null, before, last)) is None


def test_what_populations_have_in_common_is_grown_where_rounds_have_nothing(monkeypatch):
    made = case(n=300, d=40, seeds=5)
    solver, ended = started(made)
    rounds = compared(solver.run.null, [ended(mixed(made.truth, 290, 1))], ended(mixed(made.truth, 290, 2)))
    monkeypatch.setattr(stable_pairs, "TURNS", 3)
    monkeypatch.setattr(MirrorImages, "sides", lambda _, matches: [matches])
    assert solver.united(rounds) is None
    found = [mixed(made.truth, 150, seed) for seed in (3, 4, 5)]
    monkeypatch.setattr(AnnealedStarts, "matches_from", lambda _, place: found[int(place)])
    solver.starts.rotations = list(torch.arange(3))
    assert right(solver.united(rounds).matches, made.truth) == 1


@pytest.mark.parametrize(
    ("halves", "twins", "shares", "grows_on"),
    [
        (0.4, False, [0.41, 0.6], True),
        (0.4, False, [0.6, 0.41], True),
        (0.4, False, [0.39], False),
        (0.7, False, [0.9], False),
        (0.4, True, [0.41], False),
    ],
)
def test_grown_matches_grow_on_from_stable_ones_where_halves_of_their_pairs_agree(
    halves, twins, shares, grows_on, monkeypatch
):
    made = case(n=300, d=40, seeds=5, noise=0.3)
    solver, ended = started(made)
    half = mixed(made.truth, 150, 1)
    rounds = [ended(half), ended(mixed(made.truth, 150, 2))]
    trusted = torch.ones(300, dtype=torch.bool)
    asked = []

    def shared(_, pairs):
        asked.append(pairs)
        return shares[len(asked) - 1]

    monkeypatch.setattr(stable_pairs, "TURNS", 3)
    monkeypatch.setattr(growth, "_FURTHER", 2)
    monkeypatch.setattr(PairFits, "shared", shared)
    monkeypatch.setattr(Refinement, "twins", twins)
    monkeypatch.setattr(Refinement, "matched", lambda *_: Found(half, trusted, 0.9, halves))
    found = solver.united(rounds)
    assert found.evidence.shared == max(shares)
    assert len(asked) == len(shares)
    if grows_on:
        x, y = asked[-1]
        assert right(found.matches, made.truth) > 0.99
        assert right(y, made.truth[x]) > 0.99
    else:
        assert torch.equal(found.matches, half)


@pytest.mark.parametrize("fit_as_random_or_came_to_an_optimum", [{"margin": 0.03}, {"halves": 0.4}])
def test_nothing_grows_where_every_round(fit_as_random_or_came_to_an_optimum, monkeypatch):
    monkeypatch.setattr(stable_pairs, "TURNS", 3)
    made = case(n=300, d=40, seeds=5)
    solver, ended = started(made)
    rounds = compared(solver.run.null, [ended(mixed(made.truth, 150, 1))], ended(mixed(made.truth, 150, 2)))
    none = [
        replace(one, evidence=replace(one.evidence, **fit_as_random_or_came_to_an_optimum)) for one in rounds
    ]
    assert solver.united(none) is None
    assert solver.united([none[0], rounds[1]]) is not None


@pytest.mark.slow
@pytest.mark.usefixtures("doubted")
@pytest.mark.parametrize("stages", [1, 1 + growth._FURTHER])
def test_a_run_whose_pairs_grow_tells_each_turn_and_goes_on_from_it(stages, monkeypatch, checkpoint):
    made, options = case(n=200, d=40, seeds=5, noise=0.5), replace(QUICK, rounds=2)
    monkeypatch.setattr(Null, "shared", lambda *_: 0.1)
    monkeypatch.setattr(refinement, "ALL_MATCHED", 2)
    turns = []

    class Broken(Exception):
        pass

    def counted(step):
        turns.append(step.index)

    whole = run(made, options=options, on_step=counted)
    first = len(whole.history) - 1 - stages * options.refining
    assert turns == list(range(len(whole.history)))
    assert whole.history[-1].of == len(whole.history)
    assert whole.evidence.shared > 0.9

    def broken(step):
        if step.index == first:
            raise Broken

    with pytest.raises(Broken):
        run(made, options=options, on_step=broken, checkpoint=checkpoint())
    for _ in range(2):
        again = run(made, options=options, checkpoint=checkpoint())
        assert torch.equal(again.anchors, whole.anchors)
        assert torch.equal(again.matches, whole.matches)
        assert repr(again.history) == repr(whole.history)
        assert again.evidence == whole.evidence


@pytest.mark.slow
@pytest.mark.usefixtures("doubted")
@pytest.mark.parametrize(("alike", "rounds"), [(True, 2), (False, 4)])
def test_what_two_rounds_are_trained_to_alike_is_believed(alike, rounds, sources_begun, monkeypatch):
    made = case(n=300, d=40, seeds=12)
    _, ended = started(made)
    trained = []

    def train(*_):
        trained.append(ended(made.truth if alike else mixed(made.truth, 290, len(trained))))
        return trained[-1]

    monkeypatch.setattr(annealed.Rounds, "trained", train)
    monkeypatch.setattr(annealed.Rounds, "united", lambda *_: None)
    found = run(made, options=replace(QUICK, rounds=4))
    assert found.converged == alike
    assert len(sources_begun) == len(trained) == rounds


@pytest.mark.slow
@pytest.mark.usefixtures("doubted")
def test_what_is_grown_is_trained_if_it_is_not_believed(monkeypatch):
    made = case(n=300, d=40, seeds=12)
    _, ended = started(made)
    grown, trained = (replace(ended(one), converged=False) for one in (mixed(made.truth, 150, 0), made.truth))
    trained = replace(trained, converged=True)
    monkeypatch.setattr(annealed.Rounds, "united", lambda *_: grown)
    monkeypatch.setattr(annealed.Rounds, "trained", lambda _, last: trained if last is grown else None)
    found = run(made, options=replace(QUICK, rounds=1))
    assert found.converged
    assert right(found.matches, made.truth) == 1


def test_what_most_rounds_have_in_common_is_found_among_three():
    truth = torch.arange(9).roll(3)
    matches = [truth.clone() for _ in range(3)]
    for place, one in enumerate(matches):
        one[3 * place : 3 * place + 3] = 8 - truth[3 * place : 3 * place + 3]
    x, y = in_common(matches)
    assert torch.equal(x, torch.arange(9))
    assert torch.equal(y, truth)


@pytest.mark.usefixtures("doubted")
@pytest.mark.parametrize(("shared", "given_up"), [(0.15, 1), (0.25, 0)])
def test_rejected_matches_are_kept_that_are_found_again_more_often_than_by_chance(
    shared, given_up, monkeypatch
):
    asked = []
    monkeypatch.setattr(Null, "shared", lambda *_: shared)
    monkeypatch.setattr(annealed.Rounds, "united", lambda *_: None)
    monkeypatch.setattr(annealed, "or_known_alone", lambda _, result, __: asked.append(1) or result)
    assert not run(case(n=200, d=40, seeds=12), options=replace(QUICK, rounds=2)).converged
    assert len(asked) == given_up


@pytest.mark.slow
@pytest.mark.parametrize("seeds", [0, 5])
def test_threads_change_nothing_but_the_time(seeds):
    made = case(n=600, d=12, seeds=seeds, noise=2.0)
    found, pulses = [], []
    for count in (1, 3):
        pulses.append([])
        with threads(count):
            options = AnnealedOptions(steps=4, refining=2, members=4, generations=2)
            heard = partial(pulses[-1].append, 0)
            found.append(run(made, options=options, on_pulse=heard))
    assert torch.equal(found[0].anchors, found[1].anchors)
    assert torch.equal(found[0].matches, found[1].matches)
    assert repr(found[0].history) == repr(found[1].history)
    assert len(pulses[0]) == len(pulses[1])


def test_noise_costs_matches_but_not_the_run():
    made = [case(n=200, d=8, seeds=5, noise=noise) for noise in (0.02, 0.6)]
    clean, noisy = (right(run(one, options=AnnealedOptions(rounds=1)).matches, one.truth) for one in made)
    assert clean == 1
    assert clean > noisy > 0.3


@pytest.mark.slow
@pytest.mark.parametrize("further", [0, 40])
def test_spaces_of_different_sizes_and_dimensions(further):
    made = case(n=200, d=8, seeds=5, further=further, dimensions=4)
    found = run(made)
    assert found.anchors.shape == (20, 12)
    assert right(found.matches, made.truth) > 0.9
    back = relviz.bootstrap(made.y, made.x, made.truth[made.anchors], made.seeds[::-1])
    assert right(back.matches[made.truth], torch.arange(200)) > 0.9


def test_a_part_of_a_space_is_found_in_all_of_it_without_a_known_pair():
    x, y, truth = lopsided()
    there = relviz.bootstrap(x[:200], y, range(20), options=QUICK)
    assert right(there.matches, truth[:200]) > 0.8
    back = relviz.bootstrap(y, x[:200], truth[:20], options=QUICK)
    assert right(back.matches[truth[:200]], torch.arange(200)) > 0.9


def test_unrelated_spaces_are_not_believed():
    generator = torch.Generator().manual_seed(0)
    x, y = (torch.randn(400, d, generator=generator) for d in (16, 20))
    seeds = torch.arange(5), torch.arange(5)
    found = relviz.bootstrap(x, y, torch.arange(30), seeds, options=AnnealedOptions(rounds=2, members=4))
    assert not found.converged
    assert found.evidence.halves > HALVES
    assert "cannot be trusted" in found.evidence.reason
    assert right(found.matches, torch.arange(400)) < 0.1


@pytest.mark.slow
def test_real_spaces_are_matched_from_five_seeds():
    spaces = relviz.load_demo("glosses").spaces
    generator = torch.Generator().manual_seed(3)
    pair = relviz.Pair(spaces["minilm"], spaces["e5"])
    pair = pair.take(torch.randperm(len(pair), generator=generator)[:600])
    anchors = torch.randperm(len(pair), generator=generator)[:300]
    order = torch.randperm(len(pair), generator=generator)
    truth = order.argsort()
    seeds = anchors[:5], truth[anchors[:5]]
    options = AnnealedOptions(steps=30, rounds=1)
    found = relviz.bootstrap(pair.a.vectors, pair.b.vectors[order], anchors, seeds, options=options)
    assert found.converged
    assert right(found.matches, truth) > 0.97
    x, y = relviz.prepare(pair.a.vectors), relviz.prepare(pair.b.vectors)
    rx, n = x @ x[anchors].T, len(pair)
    assert (
        relviz.retrieval(rx, y @ found.anchors.T, k=n).mrr > relviz.retrieval(rx, y @ y[anchors].T, k=n).mrr
    )


@pytest.mark.slow
def test_spaces_whose_rows_spread_over_few_directions_are_matched_without_known_pairs():
    asked = Asked(SAME_DIGITS, "autoencoder 1", "convolutions 1", seeds=0, draw=0, rows=400)
    x, y, truth = made(asked)
    found = relviz.bootstrap(x, y, torch.arange(100))
    assert Null(*(principal(relviz.prepare(side))[0] for side in (x, y))).low
    assert found.converged
    assert right(found.matches, truth) > 0.97


def test_many_rows_are_annealed_in_part_and_matched_in_full(monkeypatch):
    monkeypatch.setattr(principal_axes, "MOST_ROWS", 120)
    made = case(n=300, d=8, seeds=8)
    told = []
    found = run(made, on_step=told.append)
    assert right(found.matches, made.truth) == 1
    assert all(step.matches.shape == (300,) for step in told)
    quiet = run(made)
    assert torch.equal(quiet.anchors, found.anchors)
    assert [entry.loss for entry in quiet.history] == [entry.loss for entry in found.history]


def test_steps_are_told_and_counted():
    made, told = case(n=100, d=8), []
    found = run(made, options=QUICK, on_step=told.append)
    assert [step.index for step in told] == list(range(len(found.history))) == list(range(6))
    assert all(step.of == 6 for step in told)
    assert (told[0].eps, told[3].eps) == (pytest.approx(0.1), pytest.approx(0.02))
    assert told[-1].loss < told[0].loss
    torch.testing.assert_close(told[0].anchors.norm(dim=1), torch.ones(20))
    assert (found.method, found.stopped) == ("annealed", False)


@pytest.mark.parametrize("seeds", [0, 5])
@pytest.mark.parametrize("last", [0, 3, 4])
def test_a_run_stops_after_any_step(seeds, last):
    made = case(n=100, d=60, seeds=seeds)
    found = run(made, options=QUICK, on_step=lambda step: step.index == last)
    assert found.stopped
    assert len(found.history) == last + 1
    assert found.matches.shape == (100,)


def test_one_seed_gives_one_result_and_another_another():
    made = case(n=60, d=20, seeds=0, noise=0.5)
    torch.manual_seed(1)
    before = torch.random.get_rng_state()
    first, again, other = (run(made, options=QUICK, seed=seed) for seed in (4, 4, 5))
    assert torch.equal(torch.random.get_rng_state(), before)
    assert torch.equal(first.anchors, again.anchors)
    assert torch.equal(first.matches, again.matches)
    assert not torch.equal(first.anchors, other.anchors)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"steps": 0}, "steps must be a whole number, at least 1; it is 0"),
        ({"rounds": True}, "rounds must be a whole number"),
        ({"eps_last": 0.0}, "eps_last must lie between 0.0001 and 10"),
        ({"left_out": 1.0}, "left_out must lie between 0 and 0.9; it is 1.0"),
    ],
)
def test_options_out_of_range_are_refused(options, said):
    with pytest.raises(ParameterError, match=said):
        AnnealedOptions(**options)


def test_options_of_another_method_are_refused():
    with pytest.raises(ParameterError, match="options must be AnnealedOptions or None; they are dict"):
        run(case(), options={})


@pytest.mark.parametrize(("seeds", "rounds"), [(0, 1), (5, 3)])
def test_no_two_annealing_steps_pass_without_a_chance_to_stop(seeds, rounds, monkeypatch):
    taken, pulses = [], []
    update = Blockwise.update_and_average
    monkeypatch.setattr(Blockwise, "update_and_average", lambda *a: (taken.append(1), update(*a))[1])
    made = case(n=80, d=20, seeds=seeds, noise=3.0)
    options = AnnealedOptions(steps=3, refining=2, rounds=rounds, members=4, generations=1)
    run(made, options=options, on_pulse=lambda: pulses.append(len(taken)))
    # A step is two Sinkhorn iterations; before a verdict two more match all rows.
    assert max(b - a for a, b in pairwise([*pulses, len(taken)])) <= 4
    assert len(pulses) > 60  # trials or generations take part, and the verdict's null

    class Enough(Exception):
        pass

    def stop():
        pulses.append(len(taken))
        if len(pulses) > 20:
            raise Enough

    pulses.clear()
    with pytest.raises(Enough):
        run(made, options=options, on_pulse=stop)
    assert len(pulses) == 21

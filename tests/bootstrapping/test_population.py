"""Rotations that agree on what is right: closed forms, and real spaces without any known pair."""

from dataclasses import replace

import pytest
import torch

import relviz
from relviz.bootstrapping.population import (
    PATIENT,
    QUICK,
    Members,
    Population,
    annealed,
    consensus,
    correlation,
    nearest_rotation,
    spaces_of,
)
from relviz.bootstrapping.principal_axes import LEADING, Working, principal
from relviz.bootstrapping.search import ALIKE, ONE, Search, Standing
from relviz.relative_projection import prepare

NONE = torch.zeros(0, dtype=torch.int64), torch.zeros(0, dtype=torch.int64)

pytestmark = pytest.mark.usefixtures("few_clusterings")


def generator(seed=0):
    return torch.Generator().manual_seed(seed)


def rotations(count, d=12, seed=0):
    return nearest_rotation(torch.randn(count, d, d, generator=generator(seed)))


def demo(name, a, b, seed=0, rows=None):
    """Two spaces of a demo, or some rows of it, on their axes, the second shuffled, and the truth."""
    pair = relviz.load_demo(name).pair(a, b)
    if rows is not None:
        pair = pair.take(torch.randperm(len(pair), generator=generator(seed))[:rows])
    order = torch.randperm(len(pair), generator=generator(seed))
    x, y = (principal(prepare(side.vectors))[0] for side in (pair.a, pair.b))
    return x, y[order], order.argsort()


def spaces(x, y, seeds):
    """Their leading axes, without hints."""
    return spaces_of(x, y, seeds, LEADING, (x[:, :0], y[:, :0]))


def search(x, y, seeds=NONE, members=16, seed=0):
    rows = torch.arange(len(x)), torch.arange(len(y))
    return Search(
        Working(x, y, torch.eye(y.shape[1]), *rows, seeds, x[:, :0], y[:, :0]), members, generator(seed)
    )


def true_rotation(x, y, truth):
    return nearest_rotation(x[:, :LEADING].T @ y[truth][:, :LEADING])


def test_the_nearest_rotation_of_a_rotation_is_itself():
    made = rotations(3)
    torch.testing.assert_close(nearest_rotation(5 * made), made, atol=1e-4, rtol=0)
    torch.testing.assert_close(made @ made.mT, torch.eye(12).expand(3, 12, 12), atol=1e-5, rtol=0)
    assert correlation(made[0], made[0]) == pytest.approx(1)


def test_those_that_share_the_truth_are_the_most_alike():
    truth = rotations(1)[0]
    wrong = rotations(20, seed=1)
    mixed = nearest_rotation(wrong + torch.linspace(0, 2, 20)[:, None, None] * truth)
    shared = torch.tensor([correlation(one, truth) for one in mixed])
    assert torch.corrcoef(torch.stack([consensus(mixed), shared]))[0, 1] > 0.9
    assert consensus(mixed).argmax() > 14


def test_known_pairs_pull_every_member_to_them():
    x, y, truth = demo("glosses", "minilm", "e5")
    seeds = torch.arange(100), truth[:100]
    begun = rotations(2, LEADING)
    right = true_rotation(x, y, truth)
    pulled, alone = (annealed(spaces(x, y, pairs), begun, 6, generator()) for pairs in (seeds, NONE))
    assert (
        min(correlation(one, right) for one in pulled) > 0.5 > max(correlation(one, right) for one in alone)
    )


def test_members_annealed_side_by_side_are_those_annealed_one_by_one(monkeypatch):
    x, y, _ = demo("glosses", "minilm", "e5")
    leading, begun = spaces(x, y, NONE), rotations(5, LEADING)
    one_by_one = annealed(leading, begun, 4, generator())
    monkeypatch.setattr(type(leading), "batch", 3)
    torch.testing.assert_close(annealed(leading, begun, 4, generator()), one_by_one, atol=1e-3, rtol=0)


@pytest.mark.slow
def test_two_populations_come_to_the_truth_and_to_each_other():
    x, y, truth = demo("emoji", "image_lite0", "image_lite1", rows=600)
    found = search(x, y)
    *_, last = found.generations(6)
    assert last.agreement > ALIKE
    assert correlation(found.best(), true_rotation(x, y, truth)) > 0.9


@pytest.mark.slow
def test_two_populations_without_a_truth_come_to_nothing_in_common():
    drawn = generator()
    x, y = (principal(prepare(torch.randn(400, d, generator=drawn)))[0] for d in (60, 80))
    *_, last = search(x, y, members=12).generations(6)
    assert last.agreement < 0.5


def test_children_of_two_populations_are_nearer_to_the_truth_than_either():
    x, y, truth = demo("emoji", "image_lite0", "image_lite1", rows=600)
    leading, right, drawn = spaces(x, y, NONE), true_rotation(x, y, truth), generator()
    populations = []
    for known in (slice(0, 24), slice(24, 48)):
        part = torch.zeros_like(right)
        part[known] = right[known]
        members = nearest_rotation(part + 0.6 * rotations(9, LEADING, seed=known.start + 1))
        rows = torch.arange(600)
        begun = Members(members, torch.arange(9.0, 0, -1), rows, True)
        populations.append(Population(leading, lambda: (x, y), 9, drawn, begun=begun))
    alone = max(correlation(one.rotation, right) for one in populations)
    joined = populations[0].joined(populations[1])
    assert correlation(joined.rotation, right) > max(0.9, alone + 0.1)
    assert joined.fits.tolist() == sorted(joined.fits.tolist(), reverse=True)


@pytest.mark.parametrize(("selection", "members", "elite"), [(QUICK, 9, 3), (PATIENT, 6, 4), (QUICK, 3, 2)])
def test_a_third_of_the_members_are_parents_of_two_at_a_time_if_the_population_is_patient(
    selection, members, elite, monkeypatch
):
    x, y, _ = demo("glosses", "minilm", "e5", rows=60)
    made = Population(spaces(x, y, NONE), lambda: (x, y), members, generator(), selection=selection)
    assert made.elite == elite
    before, drawn, draw = made.fits[:elite].mean(), [], Population._drawn
    monkeypatch.setattr(Population, "_drawn", lambda last, many: drawn.append(many) or draw(last, many))
    made.generation()
    assert drawn == [elite] * (selection.members * members)
    assert len(draw(made, 6)) == selection.parents
    if selection.patient:
        assert made.rises == (float(made.fits[:elite].mean()) > float(before) + 2e-4)


@pytest.mark.parametrize("selection", [QUICK, PATIENT])
def test_children_of_a_patient_population_are_annealed_for_longer(selection, monkeypatch):
    x, y, _ = demo("glosses", "minilm", "e5", rows=60)
    made = Population(spaces(x, y, NONE), lambda: (x, y), 3, generator(), selection=selection)
    pulses = []
    monkeypatch.setattr(made, "_pulse", lambda: pulses.append(1))
    made.generation()
    children = 3 * selection.members
    assert len(pulses) == 12 * selection.steps * children
    assert QUICK.steps < PATIENT.steps


@pytest.mark.slow
def test_where_half_of_the_rows_have_a_counterpart_a_patient_search_finds_what_a_quick_one_does_not():
    pair = relviz.load_demo("glosses").pair("minilm", "e5")
    order = torch.randperm(len(pair), generator=generator(1))
    in_x, in_y = order[:1000], order[500:]
    x, y = (principal(prepare(side.vectors[rows]))[0] for side, rows in ((pair.a, in_x), (pair.b, in_y)))
    right = nearest_rotation(x[500:, :LEADING].T @ y[:500, :LEADING])

    generations = []

    def finds(seed: int) -> bool:
        quick, patient = (search(x, y, members=24, seed=seed) for _ in range(2))
        *_, last = quick.generations(8)
        missed = last.agreement < ALIKE and correlation(quick.best(), right) < 0.3
        generations.append(len(list(patient.generations(8, selection=PATIENT))))
        return missed and correlation(patient.best(), right) > 0.6

    # Which starts a search finds it from depends on the last bits of the processor that it runs on.
    assert any(finds(seed) for seed in (0, 2, 4, 1))
    assert max(generations) > 4


@pytest.mark.slow
def test_a_search_ends_when_it_is_settled():
    x, y, _ = demo("glosses", "minilm", "e5")
    told = list(search(x[:300], y[:300], members=6).generations(2))
    assert 1 <= len(told) <= 3
    assert not any(one.settled for one in told[:-1])
    assert told[-1].settled == (told[-1].agreement >= ALIKE or min(told[-1].coherences) >= ONE)


def test_two_with_too_little_in_common_are_apart_after_two_generations():
    apart = Standing((0.3, 0.3), (0.5, 0.5), 0.2)
    assert [apart.apart(count) for count in range(4)] == [False, False, True, True]
    assert not replace(apart, agreement=0.5).apart(8)
    fallen = replace(apart, agreement=0.6)
    assert [fallen.apart(count, at_first=0.66) for count in range(4)] == [False, False, True, True]
    assert not fallen.apart(8, at_first=0.64)
    assert not replace(apart, agreement=ALIKE).apart(8, at_first=0.9), "they agree"


@pytest.mark.parametrize(("rows", "told"), [(600, 1), (599, 2)])
def test_patience_ends_between_unrelated_spaces_of_enough_rows(rows, told):
    x, y = (torch.randn(rows, 48, generator=generator(seed)) for seed in (1, 2))
    found = search(x, y, members=8)
    standings = list(found.generations(1, selection=replace(PATIENT, members=1)))
    assert standings[-1].agreement < 0.2
    assert found.unrelated == (rows == 600)
    assert len(standings) == told


def test_spaces_are_unrelated_however_alike_known_pairs_make_populations_begin():
    x, y = (torch.randn(600, 48, generator=generator(seed)) for seed in (1, 2))
    pairs = torch.arange(9), torch.arange(9)
    found = search(x, y, pairs, members=8)
    first, *_ = found.generations(0)
    assert first.agreement > 0.2, "by the known pairs alone"
    assert found.unrelated


def test_what_begins_without_known_pairs_leaves_a_search_as_it_was():
    x, y = (torch.randn(600, 48, generator=generator(seed)) for seed in (1, 2))
    asked, not_asked = (search(x, y, (torch.arange(9), torch.arange(9)), members=4) for _ in range(2))
    told = [(standing, asked.unrelated)[0] for standing in asked.generations(1)]
    assert len(told) == 2
    assert told == list(not_asked.generations(1))


@pytest.mark.slow
def test_known_pairs_between_unrelated_spaces_do_not_keep_a_search_going():
    x, *_ = demo("emoji", "text_en_wordllama", "text_es_e5", rows=600)
    _, y, _ = demo("words", "glove50", "wink100", rows=600)
    found = search(x, y, (torch.arange(20), torch.arange(20)), members=24, seed=3)
    first, *_, last = found.generations(8)
    assert 0.5 < first.agreement < ALIKE, "by the known pairs alone"
    assert last.agreement < ALIKE
    assert found.reached.count == 2


@pytest.mark.parametrize("rows", [2, 5, 40])
def test_few_rows_are_no_trouble(rows):
    x, y = (principal(prepare(torch.randn(rows, 6, generator=generator(seed))))[0] for seed in (1, 2))
    found = search(x, y, members=3)
    assert list(found.generations(1))
    assert found.best().isfinite().all()

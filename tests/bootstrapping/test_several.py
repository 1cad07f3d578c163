"""Several spaces at once: a made case in which only the third tells, what is refused, what is left alone."""

from itertools import combinations

import pytest
import torch

import relviz
from relviz.bootstrapping.principal_axes import rows_with
from relviz.errors import Error, Stopped

N = 300
SHARED = {0: slice(0, 10), 1: slice(0, 16), 2: slice(6, 16)}
"""Dimensions of 16 that each space has; the first and the last share four."""
SHORT = relviz.AnnealedOptions(rounds=1)

pytestmark = pytest.mark.usefixtures("few_clusterings")


def made(shown=SHARED, n=N, noise=0.1, seed=0):
    """Spaces that show some dimensions of the same points, rotated and shuffled, and their orders of rows."""
    z = torch.randn(n, 16, generator=torch.Generator().manual_seed(seed))
    spaces, orders = [], []
    for at, columns in shown.items():
        generator = torch.Generator().manual_seed(1000 + at)
        x = z[:, columns]
        x = x + noise * torch.randn(x.shape, generator=generator)
        q = torch.linalg.qr(torch.randn(x.shape[1], x.shape[1], generator=generator))[0]
        orders.append(torch.randperm(n, generator=generator))
        spaces.append((x @ q)[orders[-1]])
    return spaces, orders


def pairs_known(orders, many):
    items = torch.randperm(len(orders[0]), generator=torch.Generator().manual_seed(5))[:many]
    places = [order.argsort()[items] for order in orders]
    return {(i, j): (places[i], places[j]) for i, j in combinations(range(len(orders)), 2)}


def right(orders, i, j, found):
    return float((orders[j][found.matches] == orders[i]).double().mean())


@pytest.fixture(scope="module")
def spaces():
    return made()


@pytest.fixture(scope="module")
def found(spaces):
    return relviz.bootstrap_all(spaces[0], pairs_known(spaces[1], 15), anchors=60, options=SHORT)


@pytest.mark.slow
def test_a_third_space_tells_what_two_do_not(spaces, found):
    orders = spaces[1]
    assert right(orders, 0, 1, found[0, 1]) > 0.99
    assert right(orders, 1, 2, found[1, 2]) > 0.99
    assert right(orders, 0, 2, found.alone[0, 2]) < 0.3
    assert right(orders, 0, 2, found[0, 2]) > 0.95
    assert found[0, 2].evidence.reason.startswith("Matched by way of 1 other space.")


@pytest.mark.slow
def test_spaces_that_are_believed_alone_are_matched_better_by_way_of_a_third():
    shown = {0: slice(0, 13), 1: slice(0, 16), 2: slice(3, 16)}
    spaces, orders = made(shown, noise=0.3)
    every = relviz.bootstrap_all(spaces, pairs_known(orders, 15), anchors=60, options=SHORT)
    assert every.alone[0, 2].converged
    assert right(orders, 0, 2, every.alone[0, 2]) < 0.9
    assert every[0, 2].converged
    assert right(orders, 0, 2, every[0, 2]) > 0.99
    assert every[0, 1] is every.alone[0, 1]


@pytest.mark.slow
def test_a_space_that_is_not_believed_with_one_of_two_does_not_help_them():
    shown = {0: slice(0, 11), 1: slice(0, 16), 2: slice(5, 16)}
    spaces, orders = made(shown, noise=0.3)
    every = relviz.bootstrap_all(spaces, pairs_known(orders, 15), anchors=60, options=SHORT)
    assert not every.alone[0, 2].converged
    assert every[0, 1] is every.alone[0, 1]
    assert right(orders, 0, 1, every[0, 1]) > 0.95


def test_known_pairs_stay_as_they_were_given(spaces, found):
    for places, (rows, counterparts) in pairs_known(spaces[1], 15).items():
        assert (found[places].matches[rows] == counterparts).all()


def test_what_is_not_helped_is_as_it_was_alone(found):
    for places, one in found.pairs.items():
        assert (one is found.alone[places]) == (one.evidence.halves == found.alone[places].evidence.halves)


def test_cycles_close_where_the_matches_are_right(found):
    assert found.cycles.diagonal().isnan().all()
    off = found.cycles[~torch.eye(3, dtype=torch.bool)]
    assert (off > 0.95).all()


def test_anchors_are_fitted_to_the_matches(spaces, found):
    # Relative vectors through the anchors found lead to the right rows.
    (x, _, y), orders = spaces
    one = found[0, 2]
    rx = relviz.relative(relviz.prepare(x), relviz.prepare(x)[found.anchor_rows[0]])
    ry = relviz.relative(relviz.prepare(y), one.anchors)
    nearest = (torch.nn.functional.normalize(rx) @ torch.nn.functional.normalize(ry).T).argmax(1)
    assert right(orders, 0, 2, one) > 0.95
    assert float((orders[2][nearest] == orders[0]).double().mean()) > 10 / N


def test_two_spaces_are_matched_as_by_bootstrap(spaces):
    both, orders = [each[:2] for each in spaces]
    known = pairs_known(orders, 15)
    every = relviz.bootstrap_all(both, known, anchors=60, options=SHORT)
    rows = every.anchor_rows[0]
    alone = relviz.bootstrap(*both, anchors=rows, known=known[0, 1], seed=0, options=SHORT)
    assert torch.equal(every.alone[0, 1].matches, alone.matches)
    assert right(orders, 0, 1, alone) > 0.99
    assert right(orders, 0, 1, every[0, 1]) > 0.99
    assert every.cycles.isnan().all()


@pytest.mark.slow
def test_a_space_of_other_items_does_no_harm(spaces):
    (a, b, _), orders = spaces
    known = {(0, 1): pairs_known(orders[:2], 15)[0, 1]}
    noise = torch.randn(200, 12, generator=torch.Generator().manual_seed(9))
    options = relviz.AnnealedOptions(rounds=1, members=8)
    every = relviz.bootstrap_all([a, b, noise], known, anchors=60, options=options)
    assert every[0, 1] is every.alone[0, 1]
    assert not every[0, 2].converged
    assert not every[1, 2].converged


def test_names_progress_and_what_it_says(spaces):
    heard, steps, pairs = [], [], []
    named = [relviz.Space(x, name=name) for x, name in zip(spaces[0][:2], ("<a>", "b"), strict=True)]
    every = relviz.bootstrap_all(
        *(named, pairs_known(spaces[1][:2], 15), 60),
        options=SHORT,
        on_progress=heard.append,
        on_step=lambda places, step: steps.append((places, step)),
        on_pair=lambda *done: pairs.append(done),
    )
    assert every.names == ("<a>", "b")
    assert repr(every) == "BootstrapAll(2 spaces, 1 of 1 pairs converged)"
    assert "&lt;a&gt; ↔ b" in every._repr_html_()
    assert heard == sorted(heard)
    assert heard[-1] == 1.0
    assert {places for places, _ in steps} == {(0, 1)}
    assert len(steps) == len(every[0, 1].history)
    assert all(len(step.matches) == N for _, step in steps)
    assert pairs == [((0, 1), every.alone[0, 1])]


@pytest.mark.slow
def test_one_that_is_broken_off_ends_as_if_it_had_not_been(spaces, found, checkpoint):
    # And so the same seed gives the same.
    pulses = [0, 0, 0]

    def matched(run, most):
        def pulse():
            pulses[run] += 1

        def heard(share):
            if share > most:
                raise Stopped

        args = pairs_known(spaces[1], 15), 60, 0, SHORT
        return relviz.bootstrap_all(spaces[0], *args, pulse, heard, checkpoint())

    for run, most in enumerate((0.4, 0.8)):  # in the second of three pairs, and in the first round of all
        with pytest.raises(Stopped):
            matched(run, most)
    again = matched(2, 1.0)
    assert pulses[2] < sum(pulses[:2]) / 2
    for one, other in ((again.pairs, found.pairs), (again.alone, found.alone)):
        for places in found.pairs:
            assert torch.equal(one[places].matches, other[places].matches)
            assert torch.equal(one[places].anchors, other[places].anchors)
            assert torch.equal(one[places].has_counterpart, other[places].has_counterpart)
            assert repr(one[places].evidence) == repr(other[places].evidence)
            assert repr(one[places].history) == repr(other[places].history)
    assert torch.equal(again.cycles.nan_to_num(), found.cycles.nan_to_num())


def test_a_cancel_is_heard(spaces):
    def cancel():
        raise Stopped

    with pytest.raises(Stopped):
        relviz.bootstrap_all(spaces[0], on_pulse=cancel)


@pytest.mark.parametrize(
    ("many", "known", "says"),
    [
        (1, None, "two spaces or more; there are 1"),
        (3, {(1, 0): ((0,), (0,))}, r"of spaces \(1, 0\); name two places i < j of the 3"),
        (3, {(0, 3): ((0,), (0,))}, r"of spaces \(0, 3\)"),
        (2, {(0, 1): ((0, 1), (0,))}, r"Spaces 0 \(x\) and 1 \(y\): known pairs are a row of x and one of y"),
        (2, {(0, 1): ((N,), (0,))}, "known rows of space 0 must lie between"),
        (2, {(0, 1): [(0, 1), (1, 2), (2, 3)]}, "must be a tuple of two lists"),
    ],
)
def test_what_cannot_be_is_refused(spaces, many, known, says):
    with pytest.raises(Error, match=says):
        relviz.bootstrap_all(spaces[0][:many], known)


def test_rows_are_drawn_with_their_counterparts():
    first = torch.tensor([7, 7, 3, 9])
    drawn = rows_with(12, first, 5, torch.Generator().manual_seed(0))
    assert len(drawn) == len(drawn.unique()) == 5
    assert {3, 7, 9} <= set(drawn.tolist())

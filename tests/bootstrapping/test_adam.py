"""The paper's solver and its warm start, where the answer is known."""

from unittest import mock

import pytest
import torch

import relviz
from relviz.bootstrapping import adam
from relviz.bootstrapping.adam import RETRIEVAL, STITCHING, AdamOptions
from relviz.bootstrapping.correspondence import hard
from relviz.bootstrapping.sinkhorn import sinkhorn
from relviz.errors import ParameterError
from tests.bootstrapping.made import case, right

QUICK = AdamOptions(steps=3)
METHODS = pytest.mark.parametrize("method", ["adam", "adam_warm"])


def run(made, method="adam_warm", **options):
    return relviz.bootstrap(made.x, made.y, made.anchors, made.seeds, method=method, **options)


@pytest.mark.parametrize("determinant", [1, -1])
@pytest.mark.parametrize("scale", [0.01, 50.0])
def test_a_moved_copy_is_matched_row_for_row(determinant, scale):
    made = case(determinant=determinant, scale=scale)
    found = run(made, options=AdamOptions(lr=0.05, steps=200))
    assert right(found.matches, made.truth) == 1
    assert torch.equal(found.indices, made.truth[made.anchors])
    torch.testing.assert_close(found.anchors, relviz.prepare(made.y)[found.indices], atol=0.02, rtol=0)
    assert found.history[-1].agreement == 1
    assert found.history[-1].loss < 1e-3 < found.history[0].loss


def test_noise_costs_matches_but_not_the_run():
    accuracy = [right(run(made).matches, made.truth) for made in (case(noise=0.02), case(noise=0.2))]
    assert accuracy[0] > accuracy[1] > 0.2
    assert accuracy[0] > 0.9


def test_rows_and_dimensions_of_the_two_spaces_may_differ():
    made = case(further=9, dimensions=3, k=20)
    found = run(made)
    assert found.matches.shape == (120,)
    assert found.anchors.shape == (20, 8)
    assert right(found.matches, made.truth) > 0.9
    fewer = relviz.bootstrap(made.y, made.x, made.truth[made.anchors], made.seeds[::-1], method="adam_warm")
    assert fewer.matches.shape == (129,)
    assert right(fewer.matches[made.truth], torch.arange(120)) > 0.9


def test_as_written_it_descends_and_moves_every_anchor():
    made = case(k=40, seeds=15)
    found = run(made, "adam", options=AdamOptions(steps=100))
    assert found.history[-1].loss < 0.5 * found.history[0].loss
    seeds = relviz.prepare(made.y)[made.seeds[1]]
    assert float((found.anchors[:15] - seeds).abs().amax(1).min()) > 1e-3
    warm = run(made, options=AdamOptions(steps=30))
    torch.testing.assert_close(warm.anchors[:15], seeds)


@pytest.mark.slow
def test_taken_literally_it_matches_frequent_words():
    words = relviz.load_demo("words").pair("glove50", "wink100")
    x, y = words.a.vectors[:400], words.b.vectors[:400]
    order = torch.randperm(400, generator=torch.Generator().manual_seed(1))
    rows = relviz.select_anchors(x, 100, seed=1)
    known = rows[:15], order.argsort()[rows[:15]]
    found = relviz.bootstrap(x, y[order], rows, known, "adam", seed=1, options=AdamOptions(steps=100))
    assert (order[found.matches] == torch.arange(400)).double().mean() > 0.99
    assert found.converged


@pytest.mark.slow
def test_matches_may_be_made_the_other_way():
    """Where a row of y has no counterpart, each row of x still takes one of its own."""
    made = case(k=20, further=30)
    ways = [
        relviz.bootstrap(
            made.x, made.y, made.anchors, made.seeds, "adam", options=AdamOptions(steps=2, match_x_to_y=way)
        )
        for way in (False, True)
    ]
    first, second = ([entry.loss for entry in found.history] for found in ways)
    x, y = relviz.prepare(made.x), relviz.prepare(made.y)
    start = torch.nn.functional.normalize(torch.randn(20, 5, generator=torch.Generator().manual_seed(0)))
    start[:12] = y[made.seeds[1]]
    rx, ry = x @ x[made.anchors].T, y @ start.T
    seen = hard(rx, ry)
    assert first[0] == pytest.approx(float(((ry - rx[seen.x_of_y]) ** 2).mean()), rel=1e-4)
    assert second[0] == pytest.approx(float(((ry[seen.y_of_x] - rx) ** 2).mean()), rel=1e-4)
    assert first[1] != second[1]


@METHODS
def test_results_have_the_shapes_and_meanings_they_promise(method):
    made = case()
    steps = []
    found = run(made, method, options=QUICK, on_step=steps.append)
    assert (found.anchors.dtype, found.anchors.shape) == (torch.float32, (20, 5))
    torch.testing.assert_close(found.anchors.norm(dim=1), torch.ones(20))
    assert len({*found.indices.tolist()}) == 20
    assert torch.equal(found.indices[:12], made.seeds[1])
    assert (found.matches.dtype, found.matches.shape) == (torch.int64, (120,))
    assert [(entry.index, entry.of, entry.eps) for entry in found.history] == [(i, 3, 1e-4) for i in range(3)]
    assert [step.loss for step in steps] == [entry.loss for entry in found.history]
    assert [tuple(step.matches.shape) for step in steps] == [(120,)] * 3
    assert not torch.equal(steps[0].anchors, steps[1].anchors)
    assert (found.method, found.stopped) == (method, False)


@METHODS
@pytest.mark.parametrize("seeds", [1, 12])
def test_a_run_is_believed_when_it_has_found_the_correspondence(method, seeds):
    made = case(seeds=seeds)
    found = run(made, method, options=QUICK)
    assert found.converged == (right(found.matches, made.truth) > 0.5) == (seeds == 12)


@METHODS
def test_the_loss_is_that_of_the_matched_relative_rows(method):
    made = case()
    steps = []
    run(made, method, options=QUICK, on_step=steps.append)
    x, y = relviz.prepare(made.x), relviz.prepare(made.y)
    rx, ry = x @ x[made.anchors].T, y @ steps[0].anchors.T
    sx, sy = made.seeds
    of_x, of_y = (x @ x[sx].T, y @ y[sy].T) if method == "adam_warm" else (rx, ry)
    found = hard(of_x, of_y, both=False)
    loss = float((rx[found.x_of_y] - ry).square().mean())
    assert steps[0].loss == pytest.approx(loss, rel=1e-3)
    assert torch.equal(steps[0].matches, found.y_of_x)


@pytest.mark.slow
@METHODS
def test_one_seed_gives_one_result_and_another_another(method):
    made = case(n=60)
    torch.manual_seed(1)
    before = torch.random.get_rng_state()
    first = run(made, method, options=QUICK, seed=4)
    assert torch.equal(torch.random.get_rng_state(), before)
    torch.manual_seed(2)
    again, other = run(made, method, options=QUICK, seed=4), run(made, method, options=QUICK, seed=5)
    assert torch.equal(first.anchors, again.anchors)
    assert torch.equal(first.matches, again.matches)
    assert not torch.equal(first.anchors, other.anchors)


@METHODS
def test_a_run_stops_after_the_step_that_is_told_to(method):
    stopped = run(case(), method, on_step=lambda step: step.index == 1)
    assert (stopped.stopped, len(stopped.history)) == (True, 2)
    steps = []
    run(
        case(),
        method,
        options=AdamOptions(steps=100 if method == "adam_warm" else 250),
        on_step=lambda step: steps.append(step) or step.index == 1,
    )
    torch.testing.assert_close(stopped.anchors, steps[1].anchors)


def test_fewer_dimensions_have_the_same_distances():
    generator = torch.Generator().manual_seed(0)
    x, points, ry = (torch.randn(*shape, generator=generator) for shape in ((30, 4), (12, 4), (25, 12)))
    left, right_side = adam._SameDistances(x @ points.T, points).sides(ry)
    assert left.shape == (30, 5)
    torch.testing.assert_close(torch.cdist(left, right_side), torch.cdist(x @ points.T, ry))
    few = points[:3]
    assert adam._SameDistances(x @ few.T, few).sides(ry[:, :3])[1].shape == (25, 3)


def test_with_more_iterations_matches_are_those_of_the_plan():
    made = case(n=60)
    with mock.patch.object(adam, "sinkhorn", wraps=sinkhorn) as plan:
        found = run(made, options=AdamOptions(steps=30, eps=0.01, iterations=5))
    assert plan.call_args.args[2:4] == (0.01, 5)
    assert right(found.matches, made.truth) > 0.9


def test_presets_are_those_of_the_paper():
    assert (RETRIEVAL.lr, RETRIEVAL.steps, STITCHING.lr, STITCHING.steps) == (0.02, 250, 0.05, 125)
    assert (RETRIEVAL.eps, RETRIEVAL.iterations, RETRIEVAL.tolerance) == (1e-4, 1, 1e-5)


def test_without_seeds_only_the_warm_start_is_refused():
    made = case(seeds=0)
    assert run(made, "adam", options=QUICK).matches.shape == (120,)
    with pytest.raises(ParameterError, match="there are none"):
        run(made)


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"steps": 0}, "steps must be a whole number, at least 1; it is 0"),
        ({"steps": 2.5}, "steps must be"),
        ({"warm_up": -1}, "warm_up must be a whole number, at least 0"),
        ({"lr": 0}, "lr must be a number above 0; it is 0"),
        ({"eps": float("nan")}, "eps must be"),
        ({"tolerance": -1}, "tolerance must be at least 0"),
        ({"match_x_to_y": 1}, "match_x_to_y must be True or False; it is 1"),
    ],
)
def test_options_out_of_range_are_refused(options, says):
    with pytest.raises(ParameterError, match=says):
        AdamOptions(**options)


def test_options_of_another_kind_are_refused():
    with pytest.raises(ParameterError, match="AdamOptions or None; they are dict"):
        run(case(), options={"lr": 0.1})

"""Blockwise correspondences against the dense formulas in float64, with tiles of a few rows."""

import math
import os
import shutil
import subprocess
import sys
from unittest import mock

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch.nn.functional import normalize

from relviz.bootstrapping import blockwise, costs, keops
from relviz.bootstrapping.correspondence import apply, hard, sinkhorn
from relviz.compute import blocks
from relviz.errors import ParameterError, ShapeError
from tests.bootstrapping.made import case, right

SHAPES = st.tuples(st.integers(1, 40), st.integers(1, 40), st.integers(2, 6), st.integers(0, 999))
BOTH = pytest.mark.parametrize("cost", costs.COSTS)


def points(n, m, d, seed):
    generator = torch.Generator().manual_seed(seed)
    return torch.randn(n, d, generator=generator), torch.randn(m, d, generator=generator)


def tiles(rows):
    return mock.patch.multiple(costs, _LEAST_ROWS=rows, _MOST_ROWS=rows)


def dense(x, y, cost):
    x, y = x.double(), y.double()
    if cost == "euclidean":
        return torch.cdist(x, y)
    return 1 - (normalize(x) @ normalize(y).T if cost == "cosine" else x @ y.T)


def dense_sinkhorn(m, eps, iterations):
    g = torch.zeros(m.shape[1], dtype=torch.float64)
    for _ in range(iterations):
        f = -eps * (((g - m) / eps).logsumexp(1) + math.log(m.shape[0]))
        g = -eps * (((f[:, None] - m) / eps).logsumexp(0) + math.log(m.shape[1]))
    return f, g


def near_the_best(chosen, corrected, slack):
    """Whether each chosen row costs no more than the least of its column, to within the slack."""
    return bool((corrected.gather(0, chosen[None])[0] <= corrected.amin(0) + slack).all())


@BOTH
@settings(deadline=None, max_examples=20)
@given(shape=SHAPES, rows=st.integers(1, 17))
def test_hard_matches_are_the_dense_argmins(cost, shape, rows):
    x, y = points(*shape)
    m = dense(x, y, cost)
    slack = 0.001 * float(m.max()) + 1e-3
    with tiles(rows):
        found, quick = hard(x, y, cost), hard(x, y, cost, both=False)
    assert near_the_best(found.x_of_y, m - m.amin(1, keepdim=True), slack)
    assert near_the_best(found.y_of_x, (m - m.amin(0)).T, slack)
    assert torch.equal(quick.x_of_y, found.x_of_y)
    assert near_the_best(quick.y_of_x, m.T, 1e-3)
    mutual = [int(found.x_of_y[j]) == i for i, j in enumerate(found.y_of_x.tolist())]
    assert found.agreement == pytest.approx(sum(mutual) / len(mutual))


def test_of_rows_that_tie_the_nearest_is_matched():
    x = torch.tensor([[0.0, 3.0], [0.0, 1.0], [0.0, 2.0], [9.0, 0.0]])
    y = torch.tensor([[0.0, 0.0], [9.0, 1.0]])
    assert hard(x, y).x_of_y.tolist() == [1, 3]


def test_a_hub_that_is_near_to_all_does_not_take_all():
    y = torch.tensor([[0.0, 0.0], [4.0, 0.0]])
    x = torch.tensor([[0.1, 0.0], [1.9, 0.0]])
    assert torch.cdist(x, y).argmin(0).tolist() == [0, 1]
    assert torch.cdist(x, y).argmin(1).tolist() == [0, 0]
    assert hard(x, y).y_of_x.tolist() == [0, 1]


@BOTH
@pytest.mark.parametrize("eps", [1.0, 0.1, 0.01, 1e-3, 1e-4])
@pytest.mark.parametrize(("n", "m"), [(40, 23), (17, 50)])
def test_potentials_and_means_are_the_dense_ones(cost, eps, n, m):
    x, y = points(n, m, 5, 0)
    values = torch.randn(m, 3, generator=torch.Generator().manual_seed(1))
    full = dense(x, y, cost)
    expected = dense_sinkhorn(full, eps, 3)
    with tiles(7):
        f, g = sinkhorn(x, y, eps, 3, cost)
        means = apply(x, y, f, g, eps, values, cost)
    torch.testing.assert_close((f.double(), g.double()), expected, atol=1e-5, rtol=0)
    plan = ((g.double() - full) / eps).softmax(1)
    # A cost is exact to 1e-6, an exponent to that over eps.
    torch.testing.assert_close(means.double(), plan @ values.double(), atol=1e-5 + 1e-5 / eps, rtol=0)


@settings(deadline=None, max_examples=20)
@given(shape=SHAPES, eps=st.floats(0.05, 2.0))
def test_plans_have_the_marginals_asked_for(shape, eps):
    x, y = points(*shape)
    with tiles(9):
        f, g = sinkhorn(x, y, eps, 300, tolerance=1e-7)
    plan = ((f.double()[:, None] + g.double() - dense(x, y, "cosine")) / eps).exp()
    torch.testing.assert_close(plan.sum(0) * len(y), torch.ones(len(y)).double(), atol=1e-3, rtol=0)
    torch.testing.assert_close(plan.sum(1) * len(x), torch.ones(len(x)).double(), atol=1e-2, rtol=0)


def test_iterations_go_on_from_a_start_and_stop_at_the_tolerance():
    x, y = points(30, 20, 4, 0)
    f, g = sinkhorn(x, y, 0.1, 5)
    onward = sinkhorn(x, y, 0.1, 3, start=sinkhorn(x, y, 0.1, 2)[1])
    torch.testing.assert_close(onward, (f, g))
    updates = mock.Mock(wraps=blockwise.Blockwise.update)
    with mock.patch.object(blockwise.Blockwise, "update", lambda *inputs: updates(*inputs)):
        sinkhorn(x, y, 0.1, 500, tolerance=1e-4)
    assert 2 < updates.call_count < 100


def test_rows_and_columns_whose_mass_underflows_are_taken_again():
    x = torch.tensor([[0.0, 0.0], [0.0, 0.1], [5.0, 0.0]])
    y = torch.tensor([[0.0, 0.0], [9.0, 0.0], [0.0, 4.0]])
    full = dense(x, y, "euclidean")
    expected = dense_sinkhorn(full, 0.01, 1)
    f, g = sinkhorn(x, y, 0.01, 1, "euclidean")
    torch.testing.assert_close((f.double(), g.double()), expected, atol=1e-3, rtol=1e-6)
    means = apply(x, y, f - 90, g, 0.01, torch.eye(3), "euclidean")
    torch.testing.assert_close(means.double(), ((expected[1] - full) / 0.01).softmax(1), atol=1e-2, rtol=0)


@BOTH
def test_a_shuffled_copy_is_matched_row_for_row(cost):
    made = case(n=90, scale=1.0)
    x = normalize(made.x) if cost == "inner" else made.x  # a longer row has larger products
    shuffled = torch.empty_like(x)
    shuffled[made.truth] = x
    found = hard(x, shuffled, cost)
    assert right(found.y_of_x, made.truth) == found.agreement == 1
    by_plan = hard(x, shuffled, cost, potentials=sinkhorn(x, shuffled, 1e-3, 5, cost))
    assert right(by_plan.y_of_x, made.truth) == right(by_plan.x_of_y, made.truth.argsort()) == 1


def test_no_matrix_of_all_costs_is_held():
    x, y = points(900, 800, 3, 0)
    with mock.patch.multiple(costs, _LEAST_ROWS=16, _MOST_ROWS=16):
        assert costs.costs(x, y).buffer().shape == (16, 800)
    with mock.patch.object(blocks, "TILE_ELEMENTS", 2_000):
        assert costs.costs(x, y).buffer().shape == (2, 800)


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"eps": 0}, "eps must be a finite number above 0; it is 0"),
        ({"eps": float("nan")}, "eps must be"),
        ({"iterations": 0}, "at least 1; it is 0"),
        ({"cost": "l1"}, "'l1'; use one of euclidean, cosine"),
        ({"backend": "jax"}, "'jax'; use one of torch, keops"),
    ],
)
def test_options_out_of_range_are_refused(options, says):
    with pytest.raises(ParameterError, match=says):
        sinkhorn(*points(4, 5, 2, 0), **{"eps": 0.1} | options)


def test_spaces_of_different_dimensions_are_refused():
    with pytest.raises(ShapeError, match="3 and 2"):
        hard(torch.ones(4, 3), torch.ones(4, 2))


def test_without_keops_the_error_says_why_and_what_to_use(monkeypatch):
    monkeypatch.setattr(keops, "unavailable", lambda: "no compiler")
    x, y = points(4, 5, 2, 0)
    with pytest.raises(ParameterError, match=r"\(no compiler\)\. Use backend='torch'"):
        sinkhorn(x, y, 0.1, backend="keops")


KEOPS = """
import torch
from relviz.bootstrapping.keops import unavailable
from relviz.bootstrapping.correspondence import apply, sinkhorn

if why := unavailable():
    raise SystemExit(f"KeOps cannot be used here: {why}")
x, y, values = (torch.randn(rows, d, generator=torch.Generator().manual_seed(rows)) for rows, d in
                ((30, 3), (20, 3), (20, 1)))
# Another cost than that of the means, and the formula of the check whether it can be used: two are compiled.
ours, theirs = (sinkhorn(x, y, 0.1, 3, cost="inner", backend=backend) for backend in ("torch", "keops"))
torch.testing.assert_close(ours, theirs, atol=1e-5, rtol=0)
ours = sinkhorn(x, y, 0.1, 3)
means = [apply(x, y, *ours, 0.1, values, backend=backend) for backend in ("torch", "keops")]
torch.testing.assert_close(*means, atol=1e-5, rtol=0)
"""


@pytest.mark.slow
def test_keops_gives_the_same_answers_in_silence(tmp_path):
    # In a process of its own: KeOps writes to its folder when the process ends.
    settings = os.environ | {"RELVIZ_CACHE": str(tmp_path), "PYTHONPATH": os.getcwd(), "RELVIZ_DEVICE": "cpu"}
    if compiler := shutil.which("g++"):
        # Optimizing takes longer than everything else here, and KeOps asks for it after CXXFLAGS.
        quick = tmp_path / "g++"
        quick.write_text(f'#!/bin/sh\nexec {compiler} "$@" -O0 -fno-lto\n')
        quick.chmod(0o755)
        settings["CXX"] = str(quick)
    command = [sys.executable, "-W", "error", "-c", KEOPS]
    ran = subprocess.run(command, env=settings, capture_output=True, text=True, timeout=600)
    if "cannot be used here" in ran.stderr:
        pytest.skip(ran.stderr.strip())
    assert (ran.returncode, ran.stdout, ran.stderr) == (0, "", "")
    assert (tmp_path / "keops").is_dir()


def test_powers_that_count_for_nothing_are_zero_and_never_subnormal():
    exponents = torch.linspace(-200, 0, 5000).repeat(3, 1)
    powers, top, sums = blockwise._powers(exponents.clone())
    assert not ((powers > 0) & (powers < torch.finfo(torch.float32).tiny)).any()
    exact = exponents.double().exp2()
    torch.testing.assert_close(powers.double(), exact, rtol=1e-5, atol=2.0**-100)
    torch.testing.assert_close(sums.double(), exact.sum(1), rtol=1e-5, atol=0)
    assert (top == 0).all()

"""Sweeps: each cell is a translator of its own, and where they run does not matter."""

from typing import Any

import joblib
import numpy as np
import pytest
import torch

import relviz
from relviz.errors import ParameterError
from relviz.stitching import sweep
from relviz.stitching.labels import check_labels
from relviz.stitching.sampling import draw
from tests.stitching.made import encoders
from tests.translation.made import cosines

GRID: dict[str, Any] = {"deltas": (0.2, 0.9), "omegas": (1, 3), "counts": (12, 30), "n_draws": 2}


def spaces():
    both, labels = encoders(n=120, noise=1.0)
    return both["one"], both["other"], labels


def test_a_cell_is_one_translator():
    x, y, labels = spaces()
    found = sweep(x, y, labels, **GRID)
    one = draw(check_labels(labels, {"x": 120}), 30, 0.2, None, 1)
    t = relviz.translator(x[one.anchors], y[one.anchors], "irp", delta=0.2, omega=3, seed=1)
    mean = y[one.anchors].mean(0)
    cosine = float(cosines(t(x[one.test]) - mean, y[one.test] - mean).mean())
    where = 1, 1, 0, 1
    assert found.figures["similarity"][where] == pytest.approx(cosine, abs=1e-5)
    assert found.figures["condition_number"][where] == pytest.approx(t.condition_number)
    assert found.figures["mean_condition_number"][where] == pytest.approx(t.mean_condition_number)
    assert found.figures["anchors_kept"][where] == pytest.approx(t.anchors_kept)
    assert found.figures["accuracy"].shape == (2, 2, 2, 2)
    np.testing.assert_allclose(found.mean("accuracy"), found.figures["accuracy"].mean(1))
    assert (found.figures["anchors_kept"][1, :, 0] > found.figures["anchors_kept"][1, :, 1]).all()


def test_more_subspaces_and_more_anchors_bring_translations_nearer():
    x, y, labels = spaces()
    x = x + 0.5 * torch.randn(x.shape, generator=torch.Generator().manual_seed(0))
    found = sweep(x, y, labels, deltas=(0.8,), omegas=(1, 8), counts=(15, 60), n_draws=4)
    similarity = found.mean("similarity")
    assert similarity[1, 0, 1] > similarity[1, 0, 0]
    assert similarity[1, 0, 1] > similarity[0, 0, 1]


def test_a_stopped_sweep_keeps_what_was_reached():
    x, y, labels = spaces()
    steps = []

    def stop(step):
        steps.append(step)
        return step.index == 2

    found = sweep(x, y, labels, **GRID, on_step=stop)
    assert [(step.anchors, step.seed, step.of) for step in steps] == [(12, 0, 4), (12, 1, 4), (30, 0, 4)]
    assert np.isfinite(found.figures["accuracy"]).all((2, 3)).tolist() == [[True, True], [True, False]]
    np.testing.assert_allclose(found.mean("accuracy")[1], found.figures["accuracy"][1, 0])
    first = sweep(x, y, labels, **GRID, on_step=lambda _: True)
    assert np.isnan(first.mean("accuracy")).all((1, 2)).tolist() == [False, True]


@pytest.mark.parametrize("where", [{}, {"backend": "threading", "n_jobs": 2}])
def test_what_on_step_raises_comes_through(where):
    x, y, labels = spaces()

    def cancel(_):
        raise InterruptedError

    with joblib.parallel_config(**where):
        with pytest.raises(InterruptedError):
            sweep(x, y, labels, **GRID, on_step=cancel)
        with pytest.raises(InterruptedError):
            relviz.stitch({"x": x, "y": y}, labels, 20, ["ridge"], n_draws=2, on_step=cancel)


def test_two_threads_give_what_one_gives():
    x, y, labels = spaces()
    alone = sweep(x, y, labels, **GRID)
    with joblib.parallel_config(backend="threading", n_jobs=2):
        beside = sweep(x, y, labels, **GRID)
    for name, values in alone.figures.items():
        np.testing.assert_allclose(beside.figures[name], values, rtol=1e-5)


@pytest.mark.slow
@pytest.mark.filterwarnings("default")
def test_a_dask_cluster_takes_sweeps_and_stitching_by_configuration_alone():
    from distributed import Client, LocalCluster

    x, y, labels = spaces()
    alone = sweep(x, y, labels, **GRID)
    matrix = relviz.stitch({"x": x, "y": y}, labels, 20, ["ridge", "irp"], n_draws=2)
    steps = []
    with (
        LocalCluster(n_workers=1, threads_per_worker=1, dashboard_address=None) as cluster,
        Client(cluster),
        joblib.parallel_config(backend="dask"),
    ):
        there = sweep(x, y, labels, **GRID, on_step=steps.append)
        matrix_there = relviz.stitch({"x": x, "y": y}, labels, 20, ["ridge", "irp"], n_draws=2)
    for name, values in alone.figures.items():
        np.testing.assert_allclose(there.figures[name], values, rtol=1e-5)
    assert [step.index for step in steps] == [0, 1, 2, 3]
    assert matrix_there.records() == matrix.records()


def test_nothing_to_sweep_over_is_refused():
    x, y, labels = spaces()
    for name in ("deltas", "omegas", "counts"):
        with pytest.raises(ParameterError, match=f"no {name}"):
            sweep(x, y, labels, **{**GRID, name: ()})
        with pytest.raises(ParameterError, match=rf"{name} must be a list, \[5\] for one; it is 5"):
            sweep(x, y, labels, **{**GRID, name: 5})
    with pytest.raises(ParameterError, match=r"delta .* it is 2"):
        sweep(x, y, labels, **{**GRID, "deltas": (2.0,)})
    with pytest.raises(ParameterError, match="no head 'tree'"):
        sweep(x, y, labels, head="tree")
    with pytest.raises(ParameterError, match="no translator 'x'"):
        sweep(x, y, labels, method="x")

"""The table of errors: what its cells are, on tiny autoencoders, and how it is stopped."""

import statistics
from typing import Any

import pytest

from relviz.autoencoders import OWN, STITCHED, Options, mse_table, swap
from relviz.autoencoders.model import mean_squared_error
from relviz.errors import ParameterError
from tests.autoencoders.made import SMALL, small, spots

UNSEEN = spots(40, seed=5)


THREE: dict[str, Any] = {"seeds": range(3), "options": Options(**SMALL)}


def made(**how):
    return mse_table(spots(), UNSEEN, **(THREE | how))


@pytest.mark.slow
def test_cells_are_the_errors_of_every_decoder():
    told = []
    table = made(kinds=("ae",), methods=("procrustes",), on_step=told.append)
    assert [(step.index, step.codes, step.seed) for step in told] == [
        (0, "absolute", 0),
        (1, "absolute", 1),
        (2, "absolute", 2),
        (3, "relative", 0),
        (4, "relative", 1),
        (5, "relative", 2),
    ]
    assert {(cell.codes, cell.path) for cell in table.cells} == {
        *(("absolute", path) for path in (OWN, STITCHED, "procrustes")),
        *(("relative", path) for path in (OWN, STITCHED)),
    }
    models = [small(seed=seed) for seed in range(3)]
    own = table.cell("ae", "relative", OWN)
    assert own.values == pytest.approx([model.mse(UNSEEN) for model in models], rel=1e-6)
    assert own.parameters == sum(models[0].parameters)
    others = [mean_squared_error(swap(models[one], models[1], UNSEEN), UNSEEN) for one in (0, 2)]
    assert table.cell("ae", "relative", STITCHED).values[1] == pytest.approx(
        statistics.mean(others), rel=1e-6
    )


def test_records_say_how_many_times_the_error_grows():
    table = made(kinds=("ae",), codes=("relative",), seeds=(0, 4))
    rows = {row["path"]: row for row in table.records()}
    assert rows[OWN]["times"] == 1
    assert rows[STITCHED]["times"] == pytest.approx(rows[STITCHED]["mse"] / rows[OWN]["mse"])
    values = table.cell("ae", "relative", OWN).values
    assert rows[OWN]["mse_sd"] == pytest.approx(abs(values[0] - values[1]) / 2**0.5)
    with pytest.raises(KeyError):
        table.cell("ae", "relative", "irp")


def test_stopped_it_has_what_has_two_seeds():
    table = made(kinds=("ae",), on_step=lambda step: step.index == 3)
    assert {cell.codes for cell in table.cells} == {"absolute"}
    assert len(table.cell("ae", "absolute", OWN).values) == 3


@pytest.mark.slow
def test_processes_give_the_same_table():
    import joblib

    here = made(kinds=("vae",), codes=("relative",), seeds=(0, 1))
    with joblib.parallel_config(n_jobs=2):
        there = made(kinds=("vae",), codes=("relative",), seeds=(0, 1))
    for one, other in zip(here.cells, there.cells, strict=True):
        assert one.values == pytest.approx(other.values, rel=1e-4)


@pytest.mark.parametrize(
    "wrong",
    [{"seeds": (0,)}, {"seeds": (1, 1)}, {"kinds": ()}, {"kinds": ("gan",)}, {"methods": ("magic",)}],
)
def test_what_cannot_be_tabled_is_refused(wrong):
    with pytest.raises(ParameterError):
        made(**wrong)


def test_the_pulse_ends_it():
    class Halt(Exception):
        pass

    def pulse():
        raise Halt

    with pytest.raises(Halt):
        made(pulse=pulse)

"""Who tests has trained nothing and is not an anchor; an accuracy has its rows, interval and chance."""

import numpy as np
import pytest
import torch

import relviz
from relviz.errors import ParameterError
from relviz.stitching import METHODS, rescale_injection, sweep
from relviz.stitching.accuracy import most_frequent, wilson
from relviz.stitching.labels import check_labels
from relviz.stitching.sampling import draw
from tests.stitching.made import encoders


@pytest.mark.parametrize("anchors", [2, 40, 90])
@pytest.mark.parametrize("seed", range(4))
def test_anchors_train_and_neither_tests(anchors: int, seed: int) -> None:
    _, labels = encoders(n=120)
    one = draw(check_labels(labels, {"x": 120}), anchors, 0.2, None, seed)
    train, test, chosen = (set(rows.tolist()) for rows in (one.train, one.test, one.anchors))
    assert not train & test
    assert chosen <= train
    assert len(train | test) == 120


def test_an_accuracy_has_its_rows_its_interval_and_its_chance() -> None:
    spaces, labels = encoders(n=120)
    labels = [one if at % 2 else "kind 0" for at, one in enumerate(labels)]
    table = relviz.stitch(spaces, labels, 20, n_draws=2)
    for record, cell in zip(table.records(), table.cells, strict=True):
        assert record["rows"] == cell.rows == sum(cell.runs[0].confusion.ravel())
        assert record["chance"] == pytest.approx(cell.runs[0].confusion.sum(1).max() / cell.rows)
        assert (record["accuracy_low"], record["accuracy_high"]) == wilson(record["accuracy"], record["rows"])
        assert record["accuracy_low"] <= record["accuracy"] <= record["accuracy_high"]


def test_wilson_is_the_known_interval_and_never_leaves_the_unit() -> None:
    np.testing.assert_allclose(wilson(0.5, 100), (0.4038, 0.5962), atol=1e-4)
    assert wilson(0.0, 10)[0] == 0
    assert wilson(0.0, 10)[1] == pytest.approx(0.2775, abs=1e-4)
    assert wilson(1.0, 10)[1] == 1
    for share, rows in ((1.2, 5), (-0.1, 5), (0.5, 0), (float("nan"), 5)):
        with pytest.raises(ParameterError, match="at least 1 row"):
            wilson(share, rows)


def test_always_saying_one_class_is_chance() -> None:
    assert most_frequent(np.array([2, 2, 0])) == pytest.approx(2 / 3)


@pytest.mark.parametrize("classes", [True, False])
def test_a_sweep_says_who_tests(classes: bool) -> None:
    spaces, labels = encoders(n=120)
    one, other = spaces.values()
    found = sweep(one, other, labels if classes else None, (0.5,), (1,), (10, 20), n_draws=2)
    assert found.rows == 24
    assert found.chance == (0.25 if classes else None)


def test_rescaling_says_who_tests() -> None:
    spaces, labels = encoders(n=120)
    found = rescale_injection(spaces["one"], labels, (1.0,), ("relu",), n_draws=2)
    assert (found.rows, found.chance) == (24, 0.25)


@pytest.mark.parametrize("anchors", [2, 100, 190])
def test_heads_find_nothing_of_shuffled_items(anchors: int) -> None:
    """Classes are assigned at random, so no head and no translator can find more than chance."""
    random = np.random.default_rng(anchors)
    spaces, _ = encoders(n=240)
    labels = [f"kind {one}" for one in random.permutation(np.arange(240) % 4)]
    spaces["other"] = spaces["other"][torch.from_numpy(random.permutation(240))]
    table = relviz.stitch(spaces, labels, anchors, tuple(METHODS), n_draws=2)
    for cell in table.cells:
        sd = (cell.chance * (1 - cell.chance) / cell.rows) ** 0.5
        assert abs(cell.mean["accuracy"] - cell.chance) <= 4 * sd + 1 / cell.rows, (cell.method, cell.mean)

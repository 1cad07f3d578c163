"""Classifiers on either codes: what they learn, what they cost, what is refused."""

import pytest
import torch

from relviz.autoencoders import Options, accuracy_table, labeled, train_classifier
from relviz.errors import ParameterError, ShapeError
from tests.autoencoders.made import SMALL, spots


def halves(n, seed=0):
    """Spots on the left and on the right."""
    images = spots(n, seed=seed)
    columns = images.sum((1, 2)).argmax(1)
    return images, ["left" if column < 6 else "right" for column in columns.tolist()]


DATA = labeled(*halves(320), *halves(100, seed=1))


@pytest.mark.parametrize("codes", ["absolute", "relative"])
def test_it_learns_and_says_how_well_after_every_epoch(codes):
    states = list(train_classifier(DATA, Options(codes=codes, **SMALL)))
    assert [state.epoch for state in states] == [0, 1, 2, 3]
    assert states[-1].accuracy > 0.85
    assert all(state.relative.shape == (100, 16) for state in states)
    assert float(states[-1].relative.abs().max()) < 1.0001


def test_the_same_seed_gives_the_same_accuracies():
    one, other = ([state.relative for state in train_classifier(DATA, Options(**SMALL))] for _ in range(2))
    assert all(torch.equal(a, b) for a, b in zip(one, other, strict=True))


def test_the_table_has_equal_parameters_where_there_are_as_many_anchors_as_latents():
    told = []
    options = Options(**(SMALL | {"latent": 16}))
    rows = accuracy_table(DATA, range(2), options, lambda *step: told.append(step))
    assert told == [(0, 4), (1, 4), (2, 4), (3, 4)]
    assert [row.codes for row in rows] == ["absolute", "relative"]
    assert rows[0].parameters == rows[1].parameters
    for row in rows:
        assert len(row.accuracies) == 2
        assert row.mean == pytest.approx(sum(row.accuracies) / 2)
        assert row.sd == pytest.approx(abs(row.accuracies[0] - row.accuracies[1]) / 2**0.5)


def test_what_the_pulse_raises_ends_it():
    class Halt(Exception):
        pass

    def pulse():
        raise Halt

    with pytest.raises(Halt):
        accuracy_table(DATA, (0,), Options(**SMALL), pulse=pulse)


@pytest.mark.parametrize(
    ("labels", "truth", "error", "said"),
    [
        (["a"] * 9, ["a", "b"], ShapeError, "10 images but 9 labels"),
        (["a"] * 10, ["a", "a"], ParameterError, "at least two"),
        (["a", "b"] * 5, ["a", "c"], ParameterError, "'c' is not among them"),
    ],
)
def test_labels_that_do_not_fit_are_refused(labels, truth, error, said):
    with pytest.raises(error, match=said):
        labeled(spots(10), labels, spots(2), truth)

"""Heads: what they say, how sure they are, and that they can be kept."""

import numpy as np
import pytest
import torch

from relviz.compute.entry import result
from relviz.compute.typed import pack, unpack
from relviz.stitching.heads import HEADS, Head, train_head
from tests.stitching.made import classes


def made(kinds=4):
    rows, labels = classes(kinds=kinds)
    return rows, np.array([int(label[-1]) for label in labels])


@pytest.mark.parametrize("kinds", [2, 4])
def test_logistic_regression_is_scikit_learn_s(kinds):
    from sklearn.linear_model import LogisticRegression

    rows, numbers = made(kinds)
    head = train_head(rows[:120], numbers[:120])
    mean, spread = rows[:120].mean(0), rows[:120].std(0)
    scaled = ((rows - mean) / spread).double().numpy()
    model = LogisticRegression(C=0.01, max_iter=1000).fit(scaled[:120], numbers[:120])
    np.testing.assert_array_equal(head(rows), model.predict(scaled))
    np.testing.assert_allclose(head.probabilities(rows), model.predict_proba(scaled), atol=1e-9)


@pytest.mark.parametrize("kind", list(HEADS))
def test_what_it_says_is_what_it_holds_most_probable(kind):
    rows, numbers = made()
    head = train_head(rows[:120], numbers[:120], kind)
    sure = head.probabilities(rows)
    assert sure.shape == (len(rows), 4)
    np.testing.assert_allclose(sure.sum(1), 1)
    np.testing.assert_array_equal(sure.argmax(1), head(rows))
    assert (head(rows[120:]) == numbers[120:]).mean() > 0.9


def test_a_class_it_never_saw_is_impossible():
    rows, numbers = made()
    seen = numbers[:120] != 1
    head = train_head(rows[:120][seen], numbers[:120][seen])
    assert (head.probabilities(rows)[:, 1] == 0).all()
    assert 1 not in head(rows)


@pytest.mark.parametrize("kind", list(HEADS))
def test_kept_and_taken_back_it_says_the_same(kind):
    rows, numbers = made()
    head = train_head(rows[:120], numbers[:120], kind)
    again = unpack(Head, result(*pack(head)))
    np.testing.assert_array_equal(again.probabilities(rows), head.probabilities(rows))
    assert torch.equal(again.mean, head.mean)

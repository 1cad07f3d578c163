"""Similarity to a reference over training: closed forms, and that it goes with accuracy."""

import pytest

from relviz.autoencoders import Curve, Curves, Options, small_runs, training_curves
from relviz.errors import ParameterError
from tests.autoencoders.made import SMALL
from tests.autoencoders.test_classifier import DATA

REFERENCE = Options(codes="absolute", **SMALL)


def test_a_run_like_the_reference_ends_with_similarity_one():
    found = training_curves(DATA, [REFERENCE], REFERENCE)
    run = found.runs[0]
    assert run.similarity[-1] == pytest.approx(1)
    assert run.similarity[0] < 0.999
    assert run.accuracy[-1] == found.reference


def test_every_run_has_a_point_for_each_epoch():
    told = []
    runs = small_runs(3, epochs=2, anchors=16)
    found = training_curves(DATA, runs, REFERENCE, lambda *step: told.append(step))
    assert told == [(0, 4), (1, 4), (2, 4), (3, 4)]
    rows = found.records()
    assert [(row["run"], row["epoch"]) for row in rows] == [
        (run, epoch) for run in range(3) for epoch in (0, 1)
    ]
    assert [run.options for run in found.runs] == list(runs)
    assert all(-1 <= row["similarity"] <= 1 and 0 <= row["accuracy"] <= 1 for row in rows)


def test_stopped_it_has_what_was_reached():
    found = training_curves(DATA, small_runs(4, epochs=1, anchors=16), REFERENCE, lambda index, _: index == 2)
    assert len(found.runs) == 2
    none = training_curves(DATA, small_runs(1, anchors=16), REFERENCE, lambda *_: True)
    assert none.runs == ()


def test_correlation_is_of_ranks():
    curves = Curves(1.0, (Curve(REFERENCE, (0.1, 0.2, 0.9), (0.1, 0.8, 0.81)),))
    assert curves.correlation == pytest.approx(1)
    assert Curves(1.0, ()).correlation != Curves(1.0, ()).correlation


def test_runs_are_drawn_by_a_seed():
    assert small_runs(5) == small_runs(5)
    assert small_runs(5, seed=1) != small_runs(5)
    assert len({run.rate for run in small_runs(5)}) == 5


def test_only_the_same_anchors_can_be_compared():
    with pytest.raises(ParameterError, match="8 anchors of seed 0, the reference 16 of seed 0"):
        training_curves(DATA, small_runs(1, anchors=8), REFERENCE)
    with pytest.raises(ParameterError, match="no runs"):
        training_curves(DATA, (), REFERENCE)

"""The stitching matrix on spaces where every cell is known, and what it refuses."""

import sys
from types import SimpleNamespace

import numpy as np
import pytest
import torch

import relviz
from relviz.errors import ParameterError, ShapeError
from relviz.stitching import METHODS, Cell, Run, heads
from relviz.stitching.accuracy import wilson
from relviz.stitching.heads import train_head
from relviz.stitching.labels import check_labels
from relviz.stitching.sampling import draw
from relviz.stitching.table import scored
from tests.stitching.made import classes, encoders
from tests.translation.made import gaussian

TRANSLATED = ("relative", "irp_plus", "procrustes", "lstsq", "ridge", "affine")

pytestmark = pytest.mark.usefixtures("few_clusterings")


@pytest.mark.parametrize("head", ["logistic", "mlp"])
def test_isometric_encoders_are_interchangeable_through_anchors_alone(head, monkeypatch):
    monkeypatch.setattr(heads, "STEPS", 100)  # of these classes a head learns no more after
    spaces, labels = encoders()
    table = relviz.stitch(spaces, labels, 40, n_draws=2, head=head)
    for encoder, other in (("one", "other"), ("other", "one")):
        assert table.cell(other, other, "relative").mean["accuracy"] > 0.95
        native = table.cell(other, other, "native").mean["accuracy"]
        assert native > 0.95
        for method in TRANSLATED:
            assert table.cell(encoder, other, method).mean["accuracy"] >= native - 0.03, method
        assert table.cell(encoder, other, "absolute").mean["accuracy"] < 0.7
    assert table.anchors == 40
    with pytest.raises(KeyError):
        table.cell("one", "one", "ridge")


def test_cells_exist_where_they_make_sense():
    spaces, labels = encoders()
    spaces["flat"] = spaces["one"][:, :4]
    table = relviz.stitch(spaces, labels, 20, n_draws=1)
    found = {(cell.encoder, cell.head, cell.method) for cell in table.cells}
    for a in spaces:
        for b in spaces:
            kinds = {method for x, y, method in found if (x, y) == (a, b)}
            if a == b:
                assert kinds == {"native", "relative"}
            else:
                same = spaces[a].shape[1] == spaces[b].shape[1]
                assert kinds == set(METHODS) - {"native"} - (set() if same else {"absolute"})
    records = table.records()
    assert len(records) == len(table.cells)
    assert set(records[0]) >= {"encoder", "head", "method", "accuracy", "f1", "mae"}
    assert (records[0]["mae"], records[0]["accuracy_sd"]) == (None, None)
    only = relviz.stitch(spaces, labels, 20, ["ridge"], n_draws=1)
    assert {cell.method for cell in only.cells} == {"ridge"}


def test_the_same_seed_gives_the_same_table_and_seeds_follow_on(monkeypatch):
    monkeypatch.setattr(heads, "STEPS", 20)
    spaces, labels = encoders(n=120, noise=1.5)
    methods = ["native", "irp", "relative"]
    both = relviz.stitch(spaces, labels, 20, methods, seed=3, n_draws=2, head="mlp")
    again = relviz.stitch(spaces, labels, 20, methods, seed=3, n_draws=2, head="mlp")
    assert both.records() == again.records()
    second = relviz.stitch(spaces, labels, 20, methods, seed=4, n_draws=1, head="mlp")
    for cell in second.cells:
        run = both.cell(cell.encoder, cell.head, cell.method).runs[1]
        assert run.seed == 4
        assert run.accuracy == cell.runs[0].accuracy
        np.testing.assert_array_equal(run.confusion, cell.confusion)


def test_figures_are_what_they_are_called():
    truth, found = np.array([0, 0, 0, 1, 1, 2]), np.array([0, 0, 1, 1, 2, 2])
    run = scored(7, truth, found, 3, np.array([1.0, 2.0, 5.0]))
    assert run.confusion.tolist() == [[2, 1, 0], [0, 1, 1], [0, 0, 1]]
    assert run.accuracy == pytest.approx(4 / 6)
    assert run.f1 == pytest.approx((3 * 0.8 + 2 * 0.5 + 1 * 2 / 3) / 6)
    assert run.mae == pytest.approx((1 + 3) / 6)
    assert scored(7, truth, found, 3, None).mae is None
    assert (run.rows, run.chance) == (6, 0.5)
    cell = Cell("a", "b", "irp", (run, Run(8, 0.0, 0.0, 1.0, run.confusion, 6, 0.5)))
    assert cell.interval == wilson(2 / 6, 6)
    assert cell.mean["accuracy"] == pytest.approx(2 / 6)
    assert cell.sd["accuracy"] == pytest.approx((4 / 6) / 2**0.5)
    assert cell.confusion.sum() == 12


def test_numbers_are_ordered_labels():
    rows, _ = classes(kinds=3)
    stars = [(5, 1, 3)[number % 3] for number in range(len(rows))]
    table = relviz.stitch({"a": rows, "b": rows @ torch.linalg.qr(gaussian(6, 6))[0]}, stars, 20, n_draws=1)
    assert table.classes == ("1", "3", "5")
    tens = relviz.stitch({"a": rows}, [2 * one for one in stars], 20, n_draws=1)
    assert tens.classes == ("2", "6", "10")
    assert table.cell("a", "b", "procrustes").mean["mae"] == pytest.approx(0, abs=0.1)


def test_training_rows_alone_set_the_scale_of_a_head():
    rows, labels = classes()
    numbers = np.array([int(label[-1]) for label in labels])
    head = train_head(rows[:120], numbers[:120])
    whole, alone = head(rows[120:]), np.concatenate([head(row[None]) for row in rows[120:]])
    np.testing.assert_array_equal(whole, alone)
    assert (head(rows[120:] + 100) == numbers[120:]).mean() < 0.6
    moved = train_head(rows[:120] + 1e3, numbers[:120], "mlp")
    assert (moved(rows[120:] + 1e3) == numbers[120:]).mean() > 0.9
    constant = torch.cat([rows, torch.full((len(rows), 1), 2.0)], 1)
    np.testing.assert_array_equal(train_head(constant[:120], numbers[:120])(constant[120:]), whole)


def test_anchors_and_test_rows_never_meet_and_every_class_is_on_both_sides():
    _, labels = classes(n=100)
    known = check_labels(labels, {"x": 100})
    for seed in range(5):
        one = draw(known, 30, 0.2, None, seed)
        train, test, anchors = (set(rows.tolist()) for rows in (one.train, one.test, one.anchors))
        assert not train & test
        assert train | test == set(range(100))
        assert anchors <= train
        assert len(anchors) == 30
        for rows in (one.train, one.test):
            assert len(set(known.rows["x"][rows.numpy()])) == 4
    few = draw(check_labels(["rare"] * 2 + ["often"] * 8, {"x": 10}), 1, 0.95, None, 0)
    assert {0, 1} & set(few.train.tolist())
    assert {0, 1} & set(few.test.tolist())
    given = draw(known, [3, 50, 98], 0.2, None, 0)
    assert given.anchors.tolist() == [3, 50, 98]
    assert not set(given.test.tolist()) & {3, 50, 98}


def test_a_given_split_is_kept():
    spaces, labels = encoders(n=80)
    table = relviz.stitch(spaces, labels, 20, ["native"], n_draws=1, split=(range(60), range(60, 80)))
    assert table.cells[0].confusion.sum() == 20


def test_the_solver_is_told_the_known_counterparts_and_nothing_else(monkeypatch):
    spaces, labels = encoders(n=100)
    x, y = spaces.values()
    one = draw(check_labels(labels, {"one": 100, "other": 100}), 20, 0.2, None, 3)
    told = []

    def solver(rows, goal, anchors, seeds, seed, on_pulse):
        assert on_pulse is None
        assert seed == 3
        told.append((rows, goal, anchors, seeds))
        counterparts = torch.stack([(goal - row).abs().sum(1).argmin() for row in y[one.anchors]])
        return SimpleNamespace(indices=counterparts, anchors=goal[counterparts])

    monkeypatch.setattr(sys.modules["relviz.stitching.sampling"], "bootstrap", solver)
    pairs, points = one.pairs(x, y, "bootstrap", 7)
    (rows, goal, anchors, (sx, sy)) = told[0]
    torch.testing.assert_close(rows, x[one.train])
    torch.testing.assert_close(rows[anchors], x[one.anchors])
    assert sx.tolist() == anchors[:7].tolist()
    torch.testing.assert_close(goal[sy], y[one.anchors[:7]])
    assert (goal != y[one.train]).any(1).float().mean() > 0.9
    torch.testing.assert_close(pairs.target.unit, one.pairs(x, y, "true", 7)[0].target.unit)
    torch.testing.assert_close(points, y[one.anchors])


@pytest.mark.slow
def test_bootstrapped_anchors_serve_as_true_ones_do():
    spaces, labels = encoders(n=240, d=8, kinds=5, noise=1.0)
    methods = ["relative", "irp_plus"]
    found = relviz.stitch(spaces, labels, 60, methods, n_draws=1, counterparts="bootstrap", known=15)
    true = relviz.stitch(spaces, labels, 60, methods, n_draws=1)
    for cell in found.cells:
        assert (
            cell.mean["accuracy"] >= true.cell(cell.encoder, cell.head, cell.method).mean["accuracy"] - 0.05
        )
    assert found.counterparts == "bootstrap"


def test_steps_are_told_and_can_stop():
    spaces, labels = encoders(n=80)
    steps = []
    relviz.stitch(spaces, labels, 10, ["native"], n_draws=2, on_step=steps.append)
    assert [(step.index, step.of, step.head, step.seed) for step in steps] == [
        (0, 4, "one", 0),
        (1, 4, "other", 0),
        (2, 4, "one", 1),
        (3, 4, "other", 1),
    ]
    some = relviz.stitch(spaces, labels, 10, ["native"], n_draws=2, on_step=lambda step: step.index == 0)
    assert [(cell.head, len(cell.runs)) for cell in some.cells] == [("one", 1)]


def test_a_method_alone_stands_for_itself():
    spaces, labels = encoders()
    alone = relviz.stitch(spaces, labels, 20, "ridge", n_draws=1)
    assert alone.records() == relviz.stitch(spaces, labels, 20, ["ridge"], n_draws=1).records()
    with pytest.raises(ParameterError, match="no method 'rigde'"):
        relviz.stitch(spaces, labels, 20, "rigde")
    for seed in (-1, 0.5, "0"):
        with pytest.raises(ParameterError, match="seed must be a whole number"):
            relviz.stitch(spaces, labels, 20, "ridge", seed)


def test_spaces_are_taken_by_name_or_as_a_list():
    demo = relviz.load_demo("glosses")
    minilm = demo.spaces["minilm"].take(range(200))
    table = relviz.stitch([minilm, minilm.vectors], minilm.labels, 20, ["procrustes"], n_draws=1)
    assert {cell.encoder for cell in table.cells} == {minilm.name, "space 1"}


SPACES, LABELS = encoders(n=40)
ROWS = SPACES["one"]


@pytest.mark.parametrize(
    ("spaces", "labels", "options", "error", "says"),
    [
        (SPACES, LABELS[:-1], {}, ShapeError, "40 rows but 39 labels"),
        ({"a": ROWS, "b": ROWS[:9]}, LABELS, {}, ShapeError, "a and b .* 40 and 9 rows"),
        ({}, LABELS, {}, ParameterError, "no spaces"),
        (SPACES, ["same"] * 40, {}, ParameterError, "class 'same'; a head needs at least 2"),
        (SPACES, [*LABELS[:-1], "rare"], {}, ParameterError, "Class 'rare' has 1 row, .*Drop the class"),
        (SPACES, {"one": LABELS}, {}, ParameterError, "no labels for other"),
        (
            SPACES,
            {"one": LABELS, "other": ["odd", *LABELS[1:]]},
            {},
            ParameterError,
            "one and other do not have the same classes: odd is in one",
        ),
        (SPACES, LABELS, {"anchors": 33}, ParameterError, "between 1 and the 32 training rows; it is 33"),
        (SPACES, LABELS, {"anchors": 0}, ParameterError, "between 1 and the 32 training rows; it is 0"),
        (SPACES, LABELS, {"anchors": [1, 40]}, ShapeError, "anchors must lie between 0 and 39"),
        (SPACES, LABELS, {"anchors": range(40)}, ParameterError, "10 of them anchors.*fewer anchors"),
        (SPACES, LABELS, {"methods": ["magic"]}, ParameterError, "no method 'magic'; use some of native"),
        (SPACES, LABELS, {"head": "forest"}, ParameterError, "no head 'forest'"),
        (SPACES, LABELS, {"counterparts": "guessed"}, ParameterError, "no choice of known anchors 'guessed'"),
        (SPACES, LABELS, {"counterparts": "bootstrap", "known": 30}, ParameterError, "between 1 and the 20"),
        (SPACES, LABELS, {"n_draws": 0}, ParameterError, "n_draws .* at least 1; it is 0"),
        (SPACES, LABELS, {"test": 1.0}, ParameterError, "between 0 and 1; it is 1.0"),
        (
            SPACES,
            LABELS,
            {"split": (range(0, 30), range(29, 40))},
            ParameterError,
            "Train and test share 1 row",
        ),
        (
            SPACES,
            LABELS,
            {"split": (range(30), range(30, 41))},
            ShapeError,
            "test rows must be some of .* 39",
        ),
        (
            SPACES,
            LABELS,
            {"split": ([row for row in range(40) if row % 4], [0, 4])},
            ParameterError,
            "No training row of one is of class kind 0",
        ),
        (
            SPACES,
            LABELS,
            {"anchors": [31], "split": (range(30), range(30, 40))},
            ParameterError,
            "1 are not, such as row 31",
        ),
    ],
)
def test_what_cannot_be_stitched_is_refused(spaces, labels, options, error, says):
    with pytest.raises(error, match=says):
        relviz.stitch(spaces, labels, **{"anchors": 20, "n_draws": 1, **options})


@pytest.mark.slow
def test_real_encoders_are_stitched_far_above_the_absolute_control():
    pair = relviz.load_demo("emoji").pair("image_lite0", "image_lite1")
    spaces = {"lite0": pair.a.vectors, "lite1": pair.b.vectors}
    methods = ["absolute", "relative", "irp", "irp_plus", "ridge"]
    table = relviz.stitch(spaces, pair.labels, 300, methods, n_draws=1)
    accuracy = {method: table.cell("lite0", "lite1", method).mean["accuracy"] for method in methods}
    assert accuracy["absolute"] <= 0.2
    assert min(accuracy["relative"], accuracy["irp"]) >= 0.5
    assert accuracy["irp_plus"] >= accuracy["ridge"] - 0.02

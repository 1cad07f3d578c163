"""The matrix, the sweep, the baselines and the probe of a view are the library's."""

import csv
import io
from dataclasses import asdict

import numpy as np
import pytest
import torch

import relviz
from relviz.compute.jobs import Canceled, Job, Ticket
from relviz.results.heads import Heads, heads_of, heads_task
from relviz.results.probe import probe_item, probe_vector, unused_items
from relviz.results.rescaling import layers_task, lengths_of, rescale_task
from relviz.results.stitching import (
    anchor_count,
    encoders_of,
    matrix_csv,
    matrix_sheet,
    matrix_task,
    others_of,
)
from relviz.results.sweeps import DELTAS, OMEGAS, sweep_task
from relviz.results.translation import TranslationProblem, baselines_task
from relviz.state import View
from relviz.state.owners import Origin
from relviz.state.sources import keep_space, open_pair
from relviz.state.view import Names
from relviz.stitching import METHODS, rescale_injection, sweep
from tests.results.translated import problem_of
from tests.ui.made import CLASSES, ROWS, small_pair, spaces


def kept(**changes: object) -> tuple[View, relviz.Pair]:
    view = View(**small_pair(), count=20).with_changes(**changes)
    return view, open_pair(view.a, view.b)


def problem(**changes: object) -> TranslationProblem:
    return problem_of(*kept(**changes))


def trained(pair: relviz.Pair) -> Heads:
    heads_task(pair, "logistic").run()
    heads = heads_of(pair, "logistic", back=False)
    assert heads is not None
    return heads


def test_the_matrix_is_the_library_s() -> None:
    view, pair = kept()
    made = matrix_task(pair, view.stitching_choices, {}).run()
    spaces = {pair.a.name: pair.a.vectors, pair.b.name: pair.b.vectors}
    table = relviz.stitch(spaces, CLASSES, 20)
    assert [asdict(cell) for cell in made.cells] == table.records()
    np.testing.assert_array_equal(made.confusion[1], table.cells[1].confusion)
    sheet = matrix_sheet(made)
    assert sheet.head == ("encoder → head", "Native", "Relative", "IRP", "IRP+", *sheet.head[5:])
    cell = table.cell("Encoder A", "Encoder B", "irp_plus")
    row = next(row for row in sheet.rows if row[0] == "Encoder A → Encoder B")
    assert row[4] == f"{cell.mean['accuracy']:.3f} ± {cell.sd['accuracy']:.3f}"
    lines = list(csv.DictReader(io.StringIO(matrix_csv(made))))
    assert {line["method"] for line in lines} == set(METHODS)


def test_bootstrapped_counterparts_are_told_in_the_caption_and_cancel_ends_inside_a_part() -> None:
    view, pair = kept(counterparts="bootstrap")
    task = matrix_task(pair, view.stitching_choices, {})
    job: Job = Job(task.key)
    checks = []

    class Once(Ticket):
        def check(self) -> None:
            checks.append(1)
            if len(checks) > 30:
                job.cancel()
            super().check()

    with pytest.raises(Canceled):
        task.compute(Once(job))
    assert len(job.history) == 1  # not even the first part is done


def test_all_encoders_of_a_demo_meet_each_other() -> None:
    view = View()
    pair = open_pair(view.a, view.b)
    others = others_of(pair, view.a, view.b, view.sources)
    assert len(others) == 3
    assert list(encoders_of(pair, others))[:2] == [pair.a.name, pair.b.name]
    assert len(encoders_of(pair, {})) == 2
    small, made = kept()
    assert others_of(made, small.a, small.b, small.sources) == {}
    third = spaces(9)[1]
    third = relviz.Space(third.vectors, third.ids, third.labels, third.items, "a third")
    few = relviz.Space(third.vectors[:9], third.ids[:9], name="fewer rows")
    shelf = Names(map(keep_space, (third, few)))
    others = others_of(made, small.a, small.b, small.with_changes(shelf=shelf).sources)
    assert list(encoders_of(made, others)) == ["Encoder A", "Encoder B", "a third"]


def test_two_spaces_of_one_name_are_told_apart() -> None:
    pair = relviz.Pair(relviz.Space(torch.randn(8, 3), name="x"), relviz.Space(torch.randn(8, 3), name="x"))
    assert list(encoders_of(pair, {})) == ["A · x", "B · x"]


@pytest.mark.parametrize("back", [False, True])
def test_the_sweep_is_the_library_s(back: bool) -> None:
    view, pair = kept(back=back, seed=3)
    made = sweep_task(problem_of(view, pair), view.stitching_choices).run()
    sides = (pair.b, pair.a) if back else (pair.a, pair.b)
    whole = sweep(sides[0].vectors, sides[1].vectors, CLASSES, DELTAS, OMEGAS, (20,), 3)
    for name, values in whole.figures.items():
        np.testing.assert_array_equal(made.figures[name], values)


def test_a_sweep_of_items_without_classes_has_no_accuracy() -> None:
    rows = torch.randn(80, 5, generator=torch.Generator().manual_seed(0))
    sides = [relviz.Space(rows @ torch.randn(5, 4), name=name) for name in "xy"]
    view = View(a=keep_space(sides[0]), b=keep_space(sides[1]), count=20)
    made = sweep_task(problem_of(view, open_pair(view.a, view.b)), view.stitching_choices).run()
    assert made.chance is None
    assert np.isnan(made.figures["accuracy"]).all()
    assert np.isfinite(made.figures["similarity"]).all()


def test_anchors_leave_rows_to_test() -> None:
    view, _ = kept(count=5000)
    assert anchor_count(view.stitching_choices.anchors, ROWS) < 0.8 * ROWS
    assert anchor_count(view.with_changes(used=7).stitching_choices.anchors, ROWS) == 7


def test_fewer_anchors_are_the_first() -> None:
    every, few = problem(translate="irp"), problem(translate="irp", used=6)
    assert torch.equal(few.anchors.in_a, every.anchors.in_a[:6])
    assert torch.equal(few.anchors.in_b, every.anchors.in_b[:6])
    assert few.translation.translator.parameters["omega"] == 8
    assert len(few.translation.anchors) == 6


def test_baselines_are_the_translations_of_every_other_method() -> None:
    found = {one.method: one for one in baselines_task(problem(), "logistic").run().methods}
    assert list(found) == [name for name in relviz.TRANSLATORS if name != "irp"]
    scores, made = found["ridge"].scores, problem(translate="ridge").translation
    assert scores is not None
    assert scores.record() == made.scores.record()
    assert torch.equal(scores.ranks, made.scores.ranks)
    accuracy = found["ridge"].accuracy
    assert accuracy is not None
    assert accuracy == problem(translate="ridge").accuracy(trained(kept()[1]))
    wide = View(**small_pair(dimension_b=9), count=20)
    *_, absolute = baselines_task(problem_of(wide, open_pair(wide.a, wide.b)), "logistic").run().methods
    assert absolute.scores is None
    assert "6 and 9 dimensions" in absolute.reason


def test_an_item_and_its_own_vector_are_probed_alike() -> None:
    ridge = problem(translate="ridge")
    pair, heads = ridge.pair, trained(ridge.pair)
    of_item = probe_item(ridge, 30, heads)
    of_vector = probe_vector(ridge, pair.a.vectors[30], pair.b.vectors[30], heads)
    assert of_item.place == 1
    assert of_item.translated == of_vector.translated
    assert (of_item.cosine, of_item.target) == (of_vector.cosine, of_vector.target)
    assert (of_item.truth, of_vector.truth) == (CLASSES[30], None)
    assert 30 not in [row for row, _ in of_item.here + (of_item.there or ())]
    assert of_vector.here[0][0] == 30
    assert 30 not in of_item.others
    assert 30 in of_vector.others
    assert of_item.shared == len(of_item.others & {row for row, _ in of_item.there or ()})
    cosines = [cosine for _, cosine in of_item.translated]
    assert cosines == sorted(cosines, reverse=True)
    assert of_item.own is not None
    shares = [share for _, share in of_item.own.classes]
    assert sum(shares) == pytest.approx(1)
    assert shares == sorted(shares, reverse=True)


def test_what_the_target_cannot_be_asked_is_not_told() -> None:
    irp = problem()
    probe = probe_vector(irp, irp.source.vectors[3])
    assert (probe.there, probe.cosine, probe.row, probe.place) == (None, None, None, None)


def test_the_probe_starts_with_items_that_nothing_was_told() -> None:
    irp = problem()
    untold = unused_items(irp)
    heads = trained(irp.pair)
    assert untold == unused_items(problem())  # whether the heads are trained or not
    assert untold == [row for row in untold if not probe_item(irp, row, heads).trained]
    every = {row for row in range(ROWS) if not probe_item(irp, row, heads).trained}
    assert set(untold) == every
    assert untold != sorted(untold)


def test_anchors_and_rows_that_trained_are_no_test() -> None:
    irp = problem()
    heads = trained(irp.pair)
    told = {row: probe_item(irp, row, heads).trained for row in range(ROWS)}
    assert all(told[row] for row in irp.translation.anchors.tolist())
    assert 0 < sum(not one for one in told.values()) <= ROWS // 5


@pytest.mark.slow
def test_lengths_and_rescaling_are_the_library_s(monkeypatch) -> None:
    from relviz.results import rescaling

    monkeypatch.setattr(rescaling, "RUNS", 2)
    monkeypatch.setattr(rescaling, "ALPHAS", (0.1, 1.0))
    irp = problem(back=True)
    pair = irp.pair
    found = lengths_of(pair)["Encoder B"]
    rows = pair.b.vectors - pair.b.vectors.mean(0)
    assert found.mean == pytest.approx(float(rows.norm(dim=1).mean()), rel=1e-4)
    made = rescale_task(irp).run()
    assert made.activations == ("relu", "tanh", "cosine")
    whole = rescale_injection(pair.b.vectors, CLASSES, (0.1, 1.0), n_draws=2)
    np.testing.assert_array_equal(made.accuracy, whole.accuracy)


def test_ranks_of_chosen_items_are_those_of_the_translation() -> None:
    irp = problem()
    scores = irp.translation.scores
    np.testing.assert_array_equal(irp.ranks(scores.rows[:7].numpy()), scores.ranks[:7])


def test_a_moved_slider_shares_what_it_can() -> None:
    still, moved = problem(), problem(delta=0.5)
    assert still.anchors == moved.anchors
    assert still.translation is problem().translation
    assert still.translation.translator.pairs is moved.translation.translator.pairs
    assert still.by("ridge") is moved.by("ridge")
    assert still.anchors != problem(used=6).anchors
    assert still.anchors != problem(back=True).anchors


def test_the_layers_of_own_texts_can_be_rescaled_where_minilm_encoded_them() -> None:
    a, b = spaces()
    other = keep_space(b)
    by_minilm = keep_space(relviz.Space(a.vectors, a.ids, a.labels, a.items, "own"), Origin("", "minilm"))
    by_layer = keep_space(relviz.Space(2 * a.vectors, a.ids, a.labels, a.items, "3"), Origin("", "minilm", 3))
    glosses = View(a="glosses.minilm", b="glosses.wordllama")
    for view, there in (
        (glosses, True),
        (glosses.with_changes(back=True), False),
        (View(a=by_minilm, b=other), True),
        (View(a=other, b=by_minilm), False),
        (View(a=by_layer, b=other), False),
    ):
        assert (layers_task(problem_of(view, open_pair(view.a, view.b))) is not None) == there

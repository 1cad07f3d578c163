"""The paper's tables on the digits: from what is carried where that is enough, else from tiny trainings."""

from dataclasses import replace

import pytest

from relviz.compute.job import here_and_now
from relviz.results import autoencoders
from relviz.results.decoder_tables import (
    accuracy_sheet,
    accuracy_task,
    curves_task,
    mse_sheet,
    mse_task,
)
from relviz.state.decoding_choices import Decoding
from relviz.state.image_sets import DIGITS, ImageSet, image_set


@pytest.fixture
def few(monkeypatch: pytest.MonkeyPatch) -> ImageSet:
    """300 digits, trained in a few steps."""
    monkeypatch.setattr(autoencoders, "STEPS", 10)
    digits = image_set(DIGITS)
    assert digits.labels is not None
    train, test = digits.labels
    return replace(
        digits,
        source="few",
        digest="few digits",
        train=digits.train[:300],
        test=digits.test[:100],
        names=digits.names[:100],
        labels=(train[:300], test[:100]),
    )


def test_two_seeds_are_carried_and_hold_what_the_paper_says() -> None:
    digits = image_set(DIGITS)
    some = replace(digits, digest="some digits", test=digits.test[:400])
    table = mse_task(some, 2).run()
    for kind in ("ae", "vae"):
        assert table.times(kind, "relative", "own") == table.times(kind, "absolute", "own") == 1
        assert table.times(kind, "relative") <= 5
        assert table.times(kind, "absolute") >= 10
        assert table.times(kind, "absolute", "irp") < table.times(kind, "absolute")
    sheet = mse_sheet(table)
    assert len(sheet.rows) == 14
    assert [row[-1] for row in sheet.rows if row[2] == "other model's decoder"] == [
        "148.2",
        "2.4",
        "75.2",
        "4.5",
    ]
    assert "seeds 0–1" in sheet.caption


def test_what_is_trained_for_the_table_is_kept_for_the_page(few: ImageSet) -> None:
    heard: list[tuple[float | None, str]] = []
    task = mse_task(few, 2)
    table = task.run(here_and_now(lambda share, said: heard.append((share, said))))
    assert table.n == 100
    assert {cell.kind for cell in table.cells} == {"ae", "vae"}
    shares = [share for share, _ in heard if share is not None]
    assert shares == sorted(shares)
    assert shares[-1] == 1
    assert any("(8 of 8)" in said for _, said in heard)
    chosen = Decoding(latent=64)
    assert autoencoders.missing_tasks(chosen, few) == []


def test_classifiers_on_either_code_have_the_same_parameters(few: ImageSet) -> None:
    made = accuracy_task(few, 1).run()
    absolute, relative = made.rows
    assert absolute.parameters == relative.parameters
    assert absolute.sd is None
    sheet = accuracy_sheet(made)
    assert [row[0] for row in sheet.rows] == ["absolute", "relative"]
    assert "±" not in sheet.rows[0][1]


def test_every_small_run_gives_a_point_an_epoch(few: ImageSet) -> None:
    made = curves_task(few, runs=2, epochs=2).run()
    assert [len(run.accuracy) for run in made.curves.runs] == [2, 2]
    assert made.rows == 300
    assert -1 <= made.curves.runs[0].similarity[0] <= 1
    assert made.correlation == made.curves.correlation

"""The numbers behind a view as files: the rows that were matched, and vectors that were translated."""

import csv
import io

import numpy as np
import pytest

from relviz.figures.numbers import LONGEST, pair_csv, pair_npz, translated_npz
from relviz.state import View
from relviz.state.sources import keep_space, open_pair
from tests.results.translated import problem_of
from tests.ui.made import CLASSES, ROWS, TEXTS, spaces

pytestmark = pytest.mark.usefixtures("fresh_store")


@pytest.fixture
def view() -> View:
    a, b = map(keep_space, spaces())
    return View(a=a, b=b, count=20, translate="ridge")


def read(raw: bytes) -> dict[str, np.ndarray]:
    with np.load(io.BytesIO(raw), allow_pickle=False) as kept:
        return dict(kept)


def test_rows_are_written_with_what_they_are(view: View) -> None:
    rows = list(csv.DictReader(io.StringIO(pair_csv(open_pair(view.a, view.b)), newline="")))
    assert [row["item"] for row in rows] == TEXTS
    assert [row["class"] for row in rows] == CLASSES
    assert [int(row["row"]) for row in rows] == list(range(ROWS))


def test_both_sides_are_written_row_against_row(view: View) -> None:
    pair = open_pair(view.a, view.b)
    kept = read(pair_npz(pair))
    np.testing.assert_array_equal(kept["a"], pair.a.vectors)
    np.testing.assert_array_equal(kept["b"], pair.b.vectors)
    assert kept["ids"].tolist() == list(pair.ids)
    assert kept["labels"].tolist() == CLASSES


def test_translated_vectors_are_those_of_the_page(view: View) -> None:
    pair = open_pair(view.a, view.b)
    made = problem_of(view, pair).translation
    kept = read(translated_npz(made, pair))
    np.testing.assert_array_equal(kept["vectors"], made.made)
    np.testing.assert_array_equal(kept["cosines"], made.cosines)
    assert set(kept["anchors"].tolist()) == set(made.anchors.tolist())
    assert len(kept["ids"]) == ROWS


def test_one_long_id_does_not_make_all_of_them_long() -> None:
    a, b = spaces()
    ids = ["x" * 9000, *(f"id{row}" for row in range(1, ROWS))]
    for space in (a, b):
        object.__setattr__(space, "ids", tuple(ids))
    pair = open_pair(*map(keep_space, (a, b)))
    assert read(pair_npz(pair))["ids"].dtype.itemsize <= 4 * LONGEST

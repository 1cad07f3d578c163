"""Correspondences where nothing matches the rows: all are in the files, and found again from the recipe."""

import csv
import io
import json

import numpy as np
import pytest

import relviz
from relviz.figures.inputs import unpaired
from relviz.figures.kinds.bootstrap import MOST_KNOWN, known_of, options_of
from relviz.figures.make import PrintFigure, make
from relviz.figures.open_recipe import changes_of, page_of, recipe_of, view_of
from relviz.figures.recipe import LARGEST, read_recipe
from relviz.readers.formulas import unmarked
from relviz.state import View
from relviz.state.known_pairs import Known
from relviz.state.sources import keep_space
from relviz.state.view import Run
from tests.plotting.pdf import text_of

N, MORE = 90, 15
ODD = ["=1+1", "-", "=)", "@sum(A1)", "a,b", "🐑", "\tx", 'say "x"', "two\rlines"]
NAMES = [*ODD, *(f"thing {row}" for row in range(len(ODD), N + MORE))]


@pytest.fixture(scope="module")
def two() -> tuple[relviz.Space, relviz.Space, np.ndarray]:
    """A without ids, a turned copy in another order with rows of its own, and where each row of A went."""
    rng = np.random.default_rng(0)
    whole = rng.normal(size=(N + MORE, 8)).astype(np.float32) * np.linspace(3, 0.5, 8, dtype=np.float32)
    turn = np.linalg.qr(rng.normal(size=(8, 8)))[0].astype(np.float32)
    order = rng.permutation(N + MORE)
    a = relviz.Space(whole[:N], items=NAMES[:N], name="one")
    b = relviz.Space(4 * (whole @ turn)[order], items=[NAMES[row].upper() for row in order], name="two")
    return a, b, order.argsort()[:N]


@pytest.fixture
def counterparts(two) -> tuple[View, Known, PrintFigure]:
    a, b, place = two
    view = View(a=keep_space(a), b=keep_space(b))
    known = tuple((row, int(place[row])) for row in range(10))
    return view, known, make(recipe_of(view, "correspondences", options_of(known)))


def rows_of(made: PrintFigure) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(made.file("csv").decode(), newline="")))


def test_every_counterpart_is_in_the_files_and_the_most_similar_in_the_table(two, counterparts) -> None:
    a, b, place = two
    _, known, made = counterparts
    rows = rows_of(made)
    assert len(rows) > 0.9 * N
    for row in rows:
        at, counterpart = int(row["row_a"]), int(row["row_b"])
        assert unmarked([row["name_a"]]) == [a.items[at]]
        assert unmarked([row["name_b"]]) == [b.items[counterpart]]
        assert row["known"] == str(int((at, counterpart) in known))
    assert np.mean([place[int(row["row_a"])] == int(row["row_b"]) for row in rows]) > 0.9
    assert len({row["row_b"] for row in rows}) == len(rows)
    with np.load(io.BytesIO(made.file("npz")), allow_pickle=False) as kept:
        assert kept["row_a"].tolist() == [int(row["row_a"]) for row in rows]
        assert kept["row_b"].tolist() == [int(row["row_b"]) for row in rows]
        np.testing.assert_array_equal(kept["similarity"], [np.float32(row["similarity"]) for row in rows])
        assert kept["name_b"].tolist() == [b.items[at] for at in kept["row_b"]]
        np.testing.assert_array_equal(
            kept["has_counterpart"], [np.float32(row["has_counterpart"]) for row in rows]
        )
        assert kept["has_counterpart"].min() >= 0
        assert kept["has_counterpart"][kept["known"] == 1].tolist() == [1.0] * len(known)
    (sheet,) = make(
        made.recipe.with_changes(options={**made.recipe.options, "lines": 60})
    ).content.sheets.values()
    best = sorted((row for row in rows if row["known"] == "0"), key=lambda row: -float(row["similarity"]))
    assert [line[2] for line in sheet.rows] == [f"{float(row['similarity']):.3f}" for row in best[:60]]
    assert len(made.content.sheets["Correspondences"].rows) == 20


def test_the_table_can_be_printed_and_the_caption_says_how(counterparts) -> None:
    _, _, made = counterparts
    again = sum(made.content.columns["known"])
    for words in (
        "A: one (90 rows, 8 dimensions); B: two (105 rows, 8 dimensions)",
        f"{len(made.content.columns['row_a'])} rows of A are matched one-to-one with rows of B",
        f"10 known pairs, {again} of them among the correspondences found",
        "90 anchors",
        "seed 0",
        "Self-check: converged",
        "Similarity: cosine of",
        "the 20 most similar that were not known",
    ):
        assert words in made.caption
    said = text_of(made.file("pdf"))
    assert "counterpart in B" in said
    assert said.count("THING") > 15
    assert "\\begin{tabular}{@{}llr@{}}" in made.file("tex").decode()


def test_the_recipe_finds_the_same_counterparts_again(counterparts) -> None:
    view, known, made = counterparts
    recipe = read_recipe(made.file("json"))
    assert known_of(unpaired(recipe.view), recipe.options) == known
    assert (view_of(recipe), page_of(recipe), changes_of(recipe)) == (view, "bootstrap", [])
    again = make(recipe)
    assert again.changes == ()
    assert again.file("csv") == made.file("csv")
    assert again.file("svg") == made.file("svg")


def test_another_seed_is_another_search_and_stands_in_the_recipe(counterparts) -> None:
    view, known, made = counterparts
    other = make(recipe_of(view.with_changes(ao=Run(seed=3)), "correspondences", options_of(known)))
    assert other.recipe.view.ao.seed == 3
    assert "sampling and solver seed 3" in other.caption
    assert other.content.columns["similarity"] != made.content.columns["similarity"]


def test_anchors_of_a_run_are_no_matter_of_a_search(counterparts) -> None:
    view, known, made = counterparts
    through_run = view.with_changes(method="run", run="bootstrap-" + "0" * 32)
    assert view_of(recipe_of(through_run, "correspondences", options_of(known))) == view
    by_hand = made.recipe.with_changes(view=through_run)
    assert changes_of(by_hand) == []
    assert make(by_hand).file("csv") == made.file("csv")


@pytest.mark.parametrize(
    ("options", "why"),
    [
        ({"known_a": [0], "known_b": []}, "1 rows of A and 0 of B"),
        ({"known_a": [0, 90], "known_b": [0, 1]}, "rows 0 to 89"),
        ({"known_a": [0], "known_b": [-1]}, "rows 0 to 104"),
        ({"known_a": [0, 0], "known_b": [0, 1]}, "in two known pairs"),
        ({"lines": 0}, "give 1 to 60"),
    ],
)
def test_known_pairs_that_cannot_be_are_refused(counterparts, options, why: str) -> None:
    view, known, _ = counterparts
    recipe = recipe_of(view, "correspondences", {**options_of(known), **options})
    with pytest.raises(relviz.ParameterError, match=why):
        make(recipe)


def test_as_many_known_pairs_as_a_recipe_holds_fit_into_its_file() -> None:
    rows = range(9_000_000, 9_000_000 + MOST_KNOWN)
    known = tuple(zip(rows, rows, strict=True))
    text = recipe_of(View(), "correspondences", options_of(known)).to_json()
    assert len(text) < LARGEST
    assert known == tuple(
        zip(*(read_recipe(text).options[name] for name in ("known_a", "known_b")), strict=True)
    )
    with pytest.raises(
        relviz.ParameterError, match="5,001 pairs are known, but a recipe stores at most 5,000"
    ):
        options_of((*known, (0, 0)))
    said = json.loads(text)
    said["options"]["known_a"].append(1)
    with pytest.raises(relviz.ReadError, match="with at most 5000 entries"):
        read_recipe(json.dumps(said))

"""Where the encoders disagree, in print: counts of a plain loop, and what the page lists."""

import numpy as np
import pytest

import relviz
from relviz.figures.kinds.disagreement import DISAGREEMENT, shared_by_chance, shared_of
from relviz.figures.make import make
from relviz.figures.open_recipe import recipe_of
from relviz.results.neighborhoods import neighborhood_agreement
from relviz.state import View
from tests.ui.made import CLASSES, ROWS, spaces

K = 3


def _lists(space: relviz.Space) -> list[set[int]]:
    """The nearest others of each row by cosine, counted plainly."""
    units = space.vectors.double().numpy()
    units = units / np.linalg.norm(units, axis=1, keepdims=True)
    cosines = units @ units.T
    np.fill_diagonal(cosines, -2)
    return [set(np.argsort(-row)[:K].tolist()) for row in cosines]


def test_shared_neighbors_are_those_of_a_plain_loop_and_the_sheets_list_what_stands_out(made: View) -> None:
    made = made.with_changes(k=K, clusters=4)
    figure = make(recipe_of(made, "disagreement", {"lines": 4}))
    a, b = (_lists(space) for space in spaces())
    expected = [len(one & other) for one, other in zip(a, b, strict=True)]
    assert list(figure.content.columns["shared"]) == expected
    np.testing.assert_array_equal(figure.content.arrays["shared"], expected)
    assert f"{np.mean(expected):.1f} are the same in both spaces" in figure.caption
    sheets = figure.content.sheets
    assert list(sheets) == [
        *("Least agreement", "Most agreement", "Near in A alone", "Near in B alone", "Classes", "Clusters"),
    ]
    said = {line[3] for line in sheets["Most agreement"].rows}
    assert said == {f"{max(expected)} of {K}"}
    assert len(sheets["Least agreement"].rows) == 4
    for side, lists, name in ((0, a, "Near in A alone"), (1, b, "Near in B alone")):
        space = spaces()[side]
        for item, near, _ in sheets[name].rows:
            assert space.items.index(near) in lists[space.items.index(item)]  # type: ignore[union-attr]
    means = {name: float(mean) for name, _, mean in sheets["Classes"].rows}
    jaccard = np.array(figure.content.columns["jaccard"])
    for name, mean in means.items():
        assert mean == pytest.approx(jaccard[np.array(CLASSES) == name].mean(), abs=6e-4)
    assert len(sheets["Clusters"].rows) == 8
    assert figure.file("png")[:4] == b"\x89PNG"


def test_chance_is_what_lists_drawn_at_random_share() -> None:
    rng = np.random.default_rng(0)
    pair = relviz.Pair(relviz.Space(rng.normal(size=(300, 40))), relviz.Space(rng.normal(size=(300, 40))))
    agreement = neighborhood_agreement(pair, 10).run()
    assert shared_of(agreement).mean() == pytest.approx(shared_by_chance(agreement), abs=0.1)


def test_an_impossible_number_of_lines_is_refused(made: View) -> None:
    with pytest.raises(relviz.ParameterError, match="lines is 0"):
        make(recipe_of(made, "disagreement", {"lines": 0}))
    assert DISAGREEMENT.options["lines"] < ROWS

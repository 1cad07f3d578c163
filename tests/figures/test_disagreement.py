"""Where the encoders disagree, in print: counts, classes and items are those that the library finds."""

from pathlib import Path

import numpy as np
import pytest

from relviz.cli.main import main
from relviz.errors import ParameterError
from relviz.figures.make import make
from relviz.figures.open_recipe import recipe_of
from relviz.measure import agreement, nearest_others
from relviz.state import View
from relviz.state.sources import open_pair
from tests.benchmarks.paper import own_pair


def test_neighbors_shared_are_those_of_both_lists(made: View) -> None:
    content = make(recipe_of(made, "disagreement")).content
    pair = open_pair(made.a, made.b)
    lists = [nearest_others(side.vectors, np.arange(len(pair)), made.k).numpy() for side in (pair.a, pair.b)]
    shared = [len({*a} & {*b}) for a, b in zip(*map(np.ndarray.tolist, lists), strict=True)]
    assert content.columns["shared"] == shared
    found = agreement(pair.a.vectors, pair.b.vectors, made.k)
    np.testing.assert_allclose(content.arrays["jaccard"], found.jaccard)
    assert f"{np.mean(shared):.1f} are the same in both" in content.caption
    labels = np.array(pair.labels)
    for name, items, mean in content.sheets["Classes"].rows:
        assert (int(items), mean) == ((labels == name).sum(), f"{found.jaccard[labels == name].mean():.3f}")


def test_items_are_those_that_the_page_lists(made: View) -> None:
    for show, title in (("most", "Most agreement"), ("near_b", "Near in B alone")):
        sheet = make(recipe_of(made, "disagreement", {"show": show, "lines": 4})).content.sheets[title]
        assert len(sheet.rows) == 4
    pair = open_pair(made.a, made.b)
    item, near, rank = sheet.rows[0]
    row = pair.items.index(item)
    assert pair.items[int(nearest_others(pair.b.vectors, [row], 1)[0, 0])] == near
    order = nearest_others(pair.a.vectors, [row], len(pair) - 1)[0].tolist()
    assert order.index(pair.items.index(near)) + 1 == int(rank)
    with pytest.raises(ParameterError, match="use one of least, most, near_a, near_b"):
        make(recipe_of(made, "disagreement", {"show": "all"}))


def test_a_command_draws_it_of_own_files(tmp_path: Path) -> None:
    pair = own_pair(60, 8)
    files = [str(tmp_path / f"{side}.npz") for side in "ab"]
    for file, space in zip(files, (pair.a, pair.b), strict=True):
        np.savez(file, vectors=space.vectors, ids=np.array(space.ids), labels=np.array(space.labels))
    out = [str(tmp_path / f"d.{suffix}") for suffix in ("svg", "tex")]
    assert main(["draw", "disagreement", *files, "--set", "show=near_a", "-o", out[0], "-o", out[1]]) == 0
    assert "neighbors shared" in Path(out[0]).read_text()
    assert "rank in B" in Path(out[1]).read_text()

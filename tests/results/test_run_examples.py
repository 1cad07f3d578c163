"""Examples of a run: fitted items that are not known pairs; a rotated copy answers through known pairs."""

import numpy as np
import pytest

import relviz
from relviz.results.bootstrap import rows_of, split_of
from relviz.results.run_examples import before_run
from relviz.state.view import Run
from tests.results.test_examples import D, N, rotated

RUN = Run(seeding="uniform", seeds=D + 4, anchors=40)


def test_enough_known_pairs_give_the_item_itself_and_raw_coordinates_do_not() -> None:
    drawn = before_run(RUN, rotated(), 20, 0).run()
    assert drawn.seeded is not None
    assert drawn.original is not None
    assert (drawn.seeded == drawn.rows).mean() > 0.9
    assert (drawn.original == drawn.rows).mean() < 0.2


def test_examples_are_fitted_items_and_no_known_pairs() -> None:
    pair = rotated()
    anchors, seeds = rows_of(RUN, pair.a.vectors, None)
    fit = set(split_of(RUN, N, anchors).fit.tolist())
    drawn = before_run(RUN, pair, N, 0).run().rows.tolist()
    assert sorted(drawn) == sorted(fit - set(seeds.tolist()))


@pytest.mark.parametrize(("seeding", "dimension"), [("none", D), ("uniform", D + 3)])
def test_what_cannot_be_compared_has_no_answer(seeding: str, dimension: int) -> None:
    drawn = before_run(RUN.with_changes(seeding=seeding), rotated(dimension), 8, 0).run()
    assert (drawn.seeded is None) == (seeding == "none")
    assert (drawn.original is None) == (dimension != D)


def test_the_seed_draws() -> None:
    drawn = [before_run(RUN, rotated(), 10, seed).run().rows for seed in (0, 0, 1)]
    np.testing.assert_array_equal(drawn[0], drawn[1])
    assert drawn[0].tolist() != drawn[2].tolist()


def test_a_run_that_cannot_be_has_no_examples() -> None:
    with pytest.raises(relviz.Error, match="cannot be among"):
        before_run(RUN.with_changes(seeds=60), rotated(), 8, 0)

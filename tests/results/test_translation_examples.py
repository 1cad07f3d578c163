"""Examples of a translation: a rotated copy is found by its translated vectors, and not by its own."""

import numpy as np
import pytest

from relviz.results.comparison import Comparison
from relviz.results.translation import TranslationProblem
from relviz.results.translation_examples import translation_examples
from relviz.state.view import View
from tests.results.test_examples import D, N, comparison, rotated


def problem(pair: Comparison, **changes: object) -> TranslationProblem:
    return TranslationProblem(pair, View().with_changes(translate="ridge", **changes).translation_choices)


@pytest.mark.parametrize("back", [False, True])
def test_translated_vectors_find_the_item_itself(back: bool) -> None:
    made = translation_examples(problem(comparison(rotated()), back=back), 20, 0)
    assert made.before is not None
    assert (made.after == made.rows).mean() > 0.9
    assert (made.before == made.rows).mean() < 0.2


def test_examples_took_part_in_no_fit_and_the_seed_draws_them() -> None:
    one = comparison(rotated())
    drawn = [translation_examples(problem(one), N, seed).rows for seed in (0, 0, 1)]
    np.testing.assert_array_equal(drawn[0], drawn[1])
    assert drawn[0].tolist() != drawn[2].tolist()
    assert sorted(drawn[0].tolist()) == sorted(set(range(N)) - set(one.anchors.tolist()))


def test_spaces_of_other_dimensions_have_no_answer_before() -> None:
    made = translation_examples(problem(comparison(rotated(D + 3))), 10, 0)
    assert made.before is None
    assert (made.after == made.rows).mean() > 0.9

"""The translation of a view, for tests."""

from relviz.pair import Pair
from relviz.results.comparison import comparison_of
from relviz.results.translation import TranslationProblem
from relviz.state.view import View


def problem_of(view: View, pair: Pair) -> TranslationProblem:
    """What the pages make of a view."""
    return TranslationProblem(comparison_of(view, pair), view.translation_choices)

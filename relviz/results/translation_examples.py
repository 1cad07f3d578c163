"""Examples of a translation: items, and what is nearest to them in the target before and after it."""

from dataclasses import dataclass

import numpy as np
import torch

from relviz.measure import held_out
from relviz.measure.neighbors import neighbors
from relviz.relative_projection import unit_rows
from relviz.results.translation import TranslationProblem


@dataclass(frozen=True, eq=False)
class TranslationExamples:
    """Items drawn at random, and the nearest item of the target for each.

    Attributes
    ----------
    rows
        ``(m,)`` items that took part in no fit.
    before
        ``(m,)`` rows of the target nearest to the source's own vectors; None where the dimensions differ.
    after
        ``(m,)`` rows of the target nearest to the translated vectors, after centering on the anchors.
    """

    rows: np.ndarray
    before: np.ndarray | None
    after: np.ndarray


def translation_examples(problem: TranslationProblem, count: int, seed: int) -> TranslationExamples:
    """Draw held-out items of the source, and look for the nearest item of the target for each, twice.

    Raises
    ------
    relviz.Error
        If there is no translation, or no item is left that took no part in the fit.
    """
    made = problem.translation
    source, target = made.sides
    rng = np.random.default_rng(seed)
    free = held_out(len(made.made), made.anchors)
    rows = torch.from_numpy(rng.permutation(free.numpy())[:count])
    before = None
    if source.shape[1] == target.shape[1]:
        before = neighbors(unit_rows(source[rows]), unit_rows(target), 1, rng)[:, 0].numpy()
    center = made.translator.center
    moved, goal = unit_rows(made.made[rows] - center), unit_rows(target - center)
    return TranslationExamples(rows.numpy(), before, neighbors(moved, goal, 1, rng)[:, 0].numpy())

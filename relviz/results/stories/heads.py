"""A head that never saw an encoder: what it says of that encoder's items, as they are and through anchors."""

from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np
import torch
from torch import Tensor

from relviz.compute.job import Ticket
from relviz.compute.task import Task, task
from relviz.errors import ParameterError
from relviz.results.comparison import comparison_of
from relviz.results.heads import Heads, TrainedHeads, directed, heads_task, labels_of
from relviz.results.probe import as_typed, encode_input
from relviz.results.stitching import matrix_task, others_of, shown_method
from relviz.results.stories.dictionary import shuffled
from relviz.results.stories.retrieval import PAIRS
from relviz.results.stories.story_picture import StoryPicture
from relviz.results.translation import TranslationProblem
from relviz.state.sources import open_pair
from relviz.state.view import View
from relviz.stitching import METHODS

THROUGH = (0, 2, 5, 10, 20, 50, 100, 300)
"""Numbers of anchors that vectors reach the other head through; 0 for vectors as they are."""
EXAMPLES, NAMED, LONGEST = 60, 3, 300


@dataclass(frozen=True, eq=False)
class _Stitched:
    """A pair, a head for either side, and translators through the first so many anchors, by that number."""

    view: View
    heads: Heads
    rows: Tensor
    problems: dict[int, TranslationProblem]

    def fed(self, vectors: Tensor, count: int) -> Tensor:
        """What B's head is given of vectors ``(n, d)`` of A."""
        return self.problems[count].translation.translator(vectors) if count else vectors


@lru_cache(maxsize=2)
def _stitched(pair: str, _: str) -> _Stitched:
    view = replace(PAIRS[pair], translate="irp")
    both = open_pair(view.a, view.b)
    trained: TrainedHeads = heads_task(both, view.head).run()
    comparison = comparison_of(view, both)
    problems = {
        count: TranslationProblem(comparison, replace(view, used=count).translation_choices)
        for count in THROUGH
        if count
    }
    heads = directed(trained, labels_of(both), back=False)
    rows = heads.tests[~torch.isin(heads.tests, comparison.anchors)]
    return _Stitched(view, heads, rows, problems)


def stitched_heads(pair: str) -> Task[TrainedHeads]:
    """The task that trains the heads of a pair: what a typed sentence needs beside the picture."""
    view = PAIRS[pair]
    return heads_task(open_pair(view.a, view.b), view.head)


@task("story-heads", "Heads of {pair}, and items of the other encoder")
def heads_picture(ticket: Ticket, *, pair: str) -> StoryPicture:
    """Test items with the predictions of A's own head, and of B's head through numbers of anchors."""
    stitched_heads(pair).run(ticket.part(0.0, 0.7, "heads"))
    made = _stitched(pair, stitched_heads(pair).key)
    heads, rows = made.heads, made.rows
    both = open_pair(made.view.a, made.view.b)
    a, b = both.a.vectors[rows], both.b.vectors[rows]
    truth = heads.truth[0][rows.numpy()]
    own, native = heads.source(a), heads.target(b)
    answers = []
    for at, count in enumerate(THROUGH):
        ticket.report(0.7 + 0.3 * at / len(THROUGH), f"{count} anchors")
        answers.append(heads.target(made.fed(a, count)))
    facts = {f"right_{count}": _share(one, truth) for count, one in zip(THROUGH, answers, strict=True)}
    facts |= {
        "tests": float(len(rows)),
        "classes": float(len(heads.classes)),
        "own": _share(own, truth),
        "native": _share(native, truth),
        "chance": float(np.bincount(truth).max() / len(truth)),
    }
    shown = shuffled(torch.arange(len(rows)))[:EXAMPLES].numpy()
    items = both.a.items or both.ids
    return StoryPicture(
        facts,
        {"items": [items[row] for row in rows[shown].tolist()], "classes": list(heads.classes)},
        {
            "truth": truth[shown].astype(np.int32),
            "own": own[shown].astype(np.int32),
            "told": np.stack([one[shown] for one in answers]).astype(np.int32),
            "through": np.array(THROUGH, np.int32),
        },
    )


def typed(pair: str, text: str) -> dict[str, object]:
    """What A's head says of a sentence, and B's head through each number of anchors: classes and shares.

    Raises
    ------
    ParameterError
        If there is no text, or the encoder of A is not installed.
    """
    typed_text = as_typed(text)[:LONGEST]
    if not typed_text:
        raise ParameterError("Type a sentence first.")
    made = _stitched(pair, stitched_heads(pair).key)
    vector = encode_input(made.view.a, typed_text)[None]
    classes = made.heads.classes
    return {
        "text": typed_text,
        "own": _first(classes, made.heads.source.probabilities(vector)[0]),
        "told": [
            _first(classes, made.heads.target.probabilities(made.fed(vector, count))[0]) for count in THROUGH
        ],
    }


@task("story-matrix", "Every encoder of {pair} with every head")
def matrix_picture(ticket: Ticket, *, pair: str) -> StoryPicture:
    """Accuracy of every encoder with every head, by every method; the lab's own matrix."""
    view = PAIRS[pair]
    both = open_pair(view.a, view.b)
    made = matrix_task(both, view.stitching_choices, others_of(both, view.a, view.b, ())).run(ticket)
    many = len(made.encoders)
    methods = [name for name in METHODS if name != "native"]
    values = np.full((len(methods), many, many), np.nan, np.float32)
    for at, method in enumerate(methods):
        for i, encoder in enumerate(made.encoders):
            for j, head in enumerate(made.encoders):
                found = made.find(encoder, head, shown_method(method, encoder, head))
                if found is not None:
                    values[at, i, j] = found[0].accuracy
    off = ~np.eye(many, dtype=bool)
    facts = {f"off_{method}": float(np.nanmean(values[at][off])) for at, method in enumerate(methods)}
    facts |= {f"least_{method}": float(np.nanmin(values[at][off])) for at, method in enumerate(methods)}
    facts |= {
        "own": float(np.mean([one.accuracy for one in made.cells if one.method == "native"])),
        "encoders": float(many),
        "anchors": float(made.conditions.anchors),
        "runs": float(made.conditions.n_draws),
        "chance": float(np.mean([cell.chance for cell in made.cells])),
    }
    return StoryPicture(facts, {"encoders": list(made.encoders), "methods": methods}, {"accuracy": values})


def _share(predicted: np.ndarray, truth: np.ndarray) -> float:
    return float((predicted == truth).mean())


def _first(classes: tuple[str, ...], shares: np.ndarray) -> list[tuple[str, float]]:
    order = np.argsort(-shares, kind="stable")[:NAMED]
    return [(classes[at], round(float(shares[at]), 4)) for at in order]

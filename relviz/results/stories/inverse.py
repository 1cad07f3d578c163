"""Items translated through the anchors and back: over the number of anchors, and over pruning."""

from dataclasses import replace

import numpy as np

from relviz.compute.job import Ticket
from relviz.compute.task import task
from relviz.results.comparison import comparison_of
from relviz.results.stories.retrieval import PAIRS
from relviz.results.stories.story_picture import StoryPicture
from relviz.results.translation import TranslationProblem
from relviz.state.sources import open_pair
from relviz.state.view import View

ANCHORS = (10, 20, 50, 100, 200, 300, 400, 500, 1000)
DELTAS = (0.0, 0.2, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9)
USUAL = 300
PLAIN, PRUNED = (0.0, 1), (0.8, 8)
"""δ and ω without pruning, and as they are by default."""
METRICS = ("cosine", "mrr", "condition")


@task("story-inverse", "Translation of {pair} over {over}")
def inverse_picture(ticket: Ticket, *, pair: str, over: str) -> StoryPicture:
    """Scores of inverse relative projection on held-out items, for two ways of pruning and without any."""
    if over == "anchors":
        places, lines = [float(count) for count in ANCHORS], ["Not pruned", "Pruned (δ 0.8, ω 8)"]
        chosen = [[(count, *pruning) for count in ANCHORS] for pruning in (PLAIN, PRUNED)]
        names = ("plain", "pruned")
    else:
        places, lines = list(DELTAS), ["One subspace (ω 1)", "Eight averaged (ω 8)"]
        chosen = [[(USUAL, delta, omega) for delta in DELTAS] for omega in (1, 8)]
        names = ("one", "eight")
    view = replace(PAIRS[pair], count=max(ANCHORS), translate="irp")
    facts = {"dimensions": float(open_pair(view.a, view.b).b.dimension), "usual": float(USUAL)}
    arrays = {name: np.full((3, len(places)), np.nan, np.float32) for name in METRICS}
    for line, (name, row) in enumerate(zip(names, chosen, strict=True)):
        for at, (count, delta, omega) in enumerate(row):
            ticket.report((line + at / len(row)) / 2, f"{count} anchors")
            made = _scored(replace(view, used=count, delta=delta, omega=omega))
            label = count if over == "anchors" else round(100 * delta)
            for metric in METRICS:
                arrays[metric][line, at] = made[metric]
                facts[f"{metric}_{name}_{label}"] = made[metric]
            facts[f"number_{name}_{label}"] = 10 ** made["condition"]
            facts[f"kept_{name}_{label}"] = made["kept"]
    baseline = _scored(replace(view, used=USUAL, translate="absolute"))
    for metric in ("cosine", "mrr"):
        arrays[metric][2] = baseline[metric]
        facts[f"{metric}_absolute"] = baseline[metric]
    title = "Number of anchors" if over == "anchors" else "Pruning threshold δ"
    return StoryPicture(
        facts,
        {
            "lines": [*lines, "No translation"],
            "x": [title],
            "scale": ["log" if over == "anchors" else "linear"],
        },
        {"x": np.array(places, np.float32), **arrays},
    )


def _scored(view: View) -> dict[str, float]:
    """Metrics of one translator; the condition number as its logarithm to the base of ten."""
    comparison = comparison_of(view, open_pair(view.a, view.b))
    made = TranslationProblem(comparison, view.translation_choices).translation
    scores = made.scores.record()
    return {
        "cosine": float(scores["cosine"]),
        "mrr": float(scores["mrr"]),
        "condition": float(np.log10(made.translator.condition_number)),
        "kept": float(made.translator.anchors_kept),
    }

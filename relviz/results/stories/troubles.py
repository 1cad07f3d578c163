"""When it does not work: unrelated spaces, wrong pairs, a stretched space, too little in common."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import torch
from torch import Tensor

from relviz.bootstrapping.verdict import HALVES, margin_required
from relviz.compute.job import Ticket
from relviz.compute.task import task
from relviz.demos import load_demo
from relviz.measure import held_out, retrieval
from relviz.pair import Pair
from relviz.relative_projection import prepare, relative
from relviz.results.bootstrap import bootstrap_task
from relviz.results.comparison import Comparison, comparison_of
from relviz.results.stories.retrieval import compared
from relviz.results.stories.story_picture import StoryPicture
from relviz.space import Space
from relviz.state.sources import open_pair
from relviz.state.view import Run, View
from relviz.translation import anchor_pairs, fit_translator

WRONG = (0, 10, 20, 30, 40, 50, 75, 100)
STRETCHED = (1, 2, 4, 8, 16, 32)
ANCHORS = (2, 5, 10, 20, 50, 100, 300)
AXES = 10
"""Principal axes of B that are stretched."""
COMMON = {
    "images": ("emoji.image_lite0", "emoji.image_lite1"),
    "languages": ("emoji.text_en_minilm", "emoji.text_es_e5"),
    "names": ("emoji.text_en_minilm", "emoji.text_en_wordllama"),
    "mixed": ("emoji.text_en_minilm", "emoji.image_lite0"),
}
"""Demo pairs of the same emoji, whose models have more or less in common."""


@task("story-trouble", "Trouble on {pair}: {what}")
def trouble_picture(ticket: Ticket, *, pair: str, what: str) -> StoryPicture:
    """Share found first by items that are not anchors, as a trouble grows; beside what stays, or helps."""
    ticket.check()
    comparison = compared(pair)
    made = KINDS[what](comparison)
    more = {
        "items": float(len(comparison.pair)),
        "anchors": float(len(comparison.anchors)),
        "chance": 1 / len(comparison.pair),
    }
    return replace(made, facts=made.facts | more)


def _unrelated(comparison: Comparison) -> StoryPicture:
    """Over the number of anchors: the true counterparts, and those of a space that is unrelated."""
    x, y = (prepare(side) for side in comparison.sides)
    strange = prepare(_unrelated_vectors(len(y)))
    lines = [[_top1(x, b, comparison.anchors[:count]) for count in ANCHORS] for b in (y, strange)]
    facts = {f"related_{count}": one for count, one in zip(ANCHORS, lines[0], strict=True)}
    facts |= {f"unrelated_{count}": one for count, one in zip(ANCHORS, lines[1], strict=True)}
    named = dict(zip(("Model B", "A space of other things"), lines, strict=True))
    return _curve(facts, "Number of anchors", ANCHORS, named, "log")


def _wrong(comparison: Comparison) -> StoryPicture:
    """Over the share of anchors whose counterpart is wrong."""
    x, y = (prepare(side) for side in comparison.sides)
    anchors = comparison.anchors
    found = []
    for percent in WRONG:
        matches = anchors.clone()
        many = round(len(anchors) * percent / 100)
        matches[:many] = anchors[:many].roll(1) if many > 1 else matches[:many]
        found.append(_top1(x, y, anchors, matches))
    alone = [
        _top1(x, y, anchors[round(len(anchors) * percent / 100) :]) if percent < 100 else 0.0
        for percent in WRONG
    ]
    facts = {f"found_{percent}": one for percent, one in zip(WRONG, found, strict=True)}
    facts |= {f"left_{percent}": one for percent, one in zip(WRONG, alone, strict=True)}
    named = {"With the wrong pairs": found, "With the right ones alone": alone}
    return _curve(facts, "Wrong pairs (percent)", WRONG, named, "linear")


def _stretched(comparison: Comparison) -> StoryPicture:
    """Over a stretch of B's first principal axes: by cosines to the anchors, and by a linear translation."""
    a, b = comparison.sides
    x = prepare(a)
    anchors = comparison.anchors
    centered = b - b.mean(0)
    axes = torch.linalg.svd(centered, full_matrices=False).Vh[:AXES]
    lines: list[list[float]] = [[], []]
    queries = held_out(len(a), anchors)
    for factor in STRETCHED:
        moved = centered + (factor - 1) * (centered @ axes.T) @ axes
        lines[0].append(_top1(x, prepare(moved), anchors))
        carried = fit_translator(anchor_pairs(moved[anchors], a[anchors]), "ridge")(moved)
        lines[1].append(retrieval(x, carried - a.mean(0), queries=queries).top1)
    facts = {f"found_{factor}": one for factor, one in zip(STRETCHED, lines[0], strict=True)}
    facts |= {f"linear_{factor}": one for factor, one in zip(STRETCHED, lines[1], strict=True)}
    facts["axes"] = float(AXES)
    named = dict(zip(("Relative to the anchors", "Translated by ridge regression"), lines, strict=True))
    return _curve(facts, "Stretch of B (times)", STRETCHED, named, "log")


KINDS: dict[str, Callable[[Comparison], StoryPicture]] = {
    "unrelated": _unrelated,
    "wrong": _wrong,
    "stretched": _stretched,
}


@task("story-common", "How much pairs of models have in common")
def common_picture(ticket: Ticket) -> StoryPicture:
    """Share found first relative to the anchors, for pairs that have more or less in common."""
    facts: dict[str, float] = {}
    names = []
    for at, (name, (a, b)) in enumerate(COMMON.items()):
        ticket.report(at / len(COMMON), name)
        pair = open_pair(a, b)
        comparison = comparison_of(View(a=a, b=b), pair)
        x, y = (prepare(side) for side in comparison.sides)
        facts[f"found_{name}"] = _top1(x, y, comparison.anchors)
        facts |= {
            "items": float(len(pair)),
            "anchors": float(len(comparison.anchors)),
            "chance": 1 / len(pair),
        }
        names.append(f"{pair.a.name} and {pair.b.name}")
    bars = np.array([facts[f"found_{name}"] for name in COMMON], np.float32)
    return StoryPicture(facts, {"names": names, "keys": list(COMMON)}, {"bars": bars})


@task("story-verdict", "Runs on a related and an unrelated space")
def verdict_picture(ticket: Ticket, *, pair: str) -> StoryPicture:
    """The evidence of two runs of anchor optimization: between two models, and with an unrelated space."""
    both = compared(pair).pair
    strange = Pair(both.a, Space(_unrelated_vectors(len(both)), ids=both.a.ids, name="An unrelated space"))
    run = Run()
    facts = {"known": float(run.seeds), "halves_asked": HALVES}
    for at, (name, one) in enumerate((("related", both), ("unrelated", strange))):
        found = bootstrap_task(run, one).run(ticket.part(at / 2, (at + 1) / 2, name)).outcome
        facts[f"agreement_{name}"] = found.verdict.evidence.agreement
        facts[f"halves_{name}"] = found.verdict.evidence.halves
        facts[f"margin_{name}"] = found.verdict.evidence.margin or 0.0
        facts[f"accepted_{name}"] = float(found.verdict.converged)
        facts[f"found_{name}"] = found.evaluation.retrieval["rows"]["top1"]
        facts[f"margin_asked_{name}"] = margin_required(found.verdict.evidence.halves)
    return StoryPicture(facts, {"runs": ["related", "unrelated"]}, {})


def _unrelated_vectors(rows: int) -> Tensor:
    """Pictures of emoji as one of their models sees them ``(rows, d)``: nothing of what A has read."""
    return load_demo("emoji").spaces["image_lite0"].vectors[:rows]


def _top1(x: Tensor, y: Tensor, anchors: Tensor, matches: Tensor | None = None) -> float:
    """Share of items that are not anchors found first, relative to rows of ``x`` and matches in ``y``."""
    rows = anchors if matches is None else matches
    queries = held_out(len(x), anchors)
    return retrieval(relative(x, x[anchors]), relative(y, y[rows]), queries=queries).top1


def _curve(
    facts: dict[str, float], title: str, x: tuple[int, ...], lines: dict[str, list[float]], scale: str
) -> StoryPicture:
    arrays = {"x": np.array(x, np.float32), "top1": np.array(list(lines.values()), np.float32)}
    return StoryPicture(facts, {"lines": list(lines), "x": [title], "scale": [scale]}, arrays)

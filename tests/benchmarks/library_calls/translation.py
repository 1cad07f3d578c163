"""Translation by the library: fitted on the anchors, measured on items that took no part in the fit."""

import torch
from torch import Tensor

import relviz
from relviz.figures.kind import Content, Options
from relviz.results.translation import QUERY_SEED, queries_of
from relviz.state import View
from relviz.state.sources import open_pair
from tests.benchmarks.library_calls.compared import Compared, arrays, differences, records
from tests.benchmarks.library_calls.retrieval import relative_of


def sides(view: View, pair: relviz.Pair) -> tuple[Tensor, Tensor]:
    sides = pair.a.vectors, pair.b.vectors
    return sides[::-1] if view.back else sides


def translator_of(view: View, pair: relviz.Pair, method: str) -> tuple[relviz.Translator, Tensor]:
    """A translator by ``relviz.translator``, and the rows of its anchors."""
    rows, (x, y) = relative_of(view, pair)[0], sides(view, pair)
    options = {
        "delta": view.delta,
        "omega": view.omega,
        "completion": view.completion,
        "decided_by": view.decided_by,
        "length": view.length,
    }
    asked = options if method == "irp" else {}
    return relviz.translator(x[rows], y[rows], method, **asked), rows  # type: ignore[arg-type]


def translation(view: View, _: Options, content: Content) -> Compared:
    """Every method by ``relviz.translator`` and ``relviz.translation_scores``; heads are left out."""
    pair, library = open_pair(view.a, view.b), []
    for method in content.columns["method"]:
        made, rows = translator_of(view, pair, str(method))
        scores = relviz.translation_scores(made, *sides(view, pair), rows, queries_of(len(pair)), QUERY_SEED)
        library.append({"method": method, **scores.record()})
    numbers = [name for name in library[0] if name != "method"]
    yield from differences(records(content.columns), library, ("method",), numbers)


def _cosines(made: relviz.Translator, x: Tensor, y: Tensor) -> Tensor:
    return torch.cosine_similarity(made(x) - made.center, y - made.center)


def landing(view: View, _: Options, content: Content) -> Compared:
    """Cosines of all items and ranks of the queries by the translator that ``relviz.translator`` fits."""
    pair = open_pair(view.a, view.b)
    made, rows = translator_of(view, pair, view.translate)
    scores = relviz.translation_scores(made, *sides(view, pair), rows, queries_of(len(pair)), QUERY_SEED)
    yield from arrays("queries", content.arrays["queries"], scores.rows)
    yield from arrays("rank", content.arrays["rank"], scores.ranks)
    yield from arrays("cosine", content.arrays["cosine"], _cosines(made, *sides(view, pair)))
    for name in ("mrr", "top1"):
        yield name, float(content.arrays[name]), getattr(scores, name)
    yield "mean cosine", float(content.arrays["mean_cosine"]), scores.cosine


def way(view: View, _: Options, content: Content) -> Compared:
    """The item's relative vector by ``relviz.relative``, and its cosine by ``relviz.translator``."""
    pair = open_pair(view.a, view.b)
    item = list(pair.items).index(content.columns["item"][0])
    made, _rows = translator_of(view, pair, view.translate)
    x, y = (side[[item]] for side in sides(view, pair))
    space = relative_of(view, pair)[1][1 if view.back else 0]
    yield from arrays("similarities", content.arrays["relative"], space[item])
    yield "cosine", float(content.arrays["cosine"]), float(_cosines(made, x, y))


def probe(view: View, _: Options, content: Content) -> Compared:
    """Cosines of the nearest items to the item that ``relviz.translator`` translates, and of its own."""
    pair = open_pair(view.a, view.b)
    (x, y), made = sides(view, pair), translator_of(view, pair, view.translate)[0]
    here, there = made.pairs.source.mean, made.center
    carried = made(x[view.item : view.item + 1])
    lists = [(x, x[view.item][None], here), (y, carried, there), (y, y[view.item][None], there)]
    names = list(dict.fromkeys(content.columns["where"]))
    for name, (rows, vector_, mean) in zip(names, lists, strict=True):
        cosines = torch.cosine_similarity(rows - mean, vector_ - mean)
        if vector_ is not carried:
            cosines[view.item] = -2.0  # the item itself is not listed
        of_list = [one for one in records(content.columns) if one["where"] == name]
        best = cosines.topk(len(of_list)).values
        for line, value in zip(of_list, best.tolist(), strict=True):
            yield f"{name} {line['place']}", float(line["cosine"]), value

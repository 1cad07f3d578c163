"""Heads and sweeps by the library: test rows are neither training rows nor anchors."""

from dataclasses import replace

import numpy as np

import relviz
from relviz.encoders import SentenceLayers, load_encoder
from relviz.figures.kind import Content, Options
from relviz.results import rescaling, stitching, sweeps
from relviz.results.stitching import anchor_count, encoders_of, others_of
from relviz.state import View
from relviz.state.sources import open_pair
from relviz.stitching import Sweep, layer_rescale, lengths, rescale_injection, sweep
from relviz.translation import Options as TranslatorOptions
from tests.benchmarks.library_calls.compared import Compared, arrays, differences, records
from tests.benchmarks.library_calls.translation import sides


def _stitched(view: View, pair: relviz.Pair, **asked: object) -> relviz.StitchTable:
    """Test rows are neither training rows nor anchors."""
    others = others_of(pair, view.a, view.b, view.sources) if view.wide else {}
    spaces = {name: space.vectors for name, space in encoders_of(pair, others).items()}
    anchors = anchor_count(view.stitching_choices.anchors, len(pair))
    told = {"anchors": anchors, "head": view.head, "known": min(stitching.KNOWN, anchors)}
    told |= {"counterparts": view.counterparts, "seed": view.seed, "n_draws": stitching.RUNS}
    return relviz.stitch(spaces, pair.labels, **told | asked)  # type: ignore[arg-type]


def heads(view: View, _: Options, content: Content) -> Compared:
    """Every cell by ``relviz.stitch``."""
    table = _stitched(view, open_pair(view.a, view.b))
    by, numbers = ("encoder", "head", "method"), ("accuracy", "f1", "accuracy_sd", "f1_sd")
    yield from differences(records(content.columns), table.records(), by, numbers)


def heads_by_anchors(view: View, _: Options, content: Content) -> Compared:
    """Heads by what is known of the anchors, by ``relviz.stitch``."""
    pair, lines = open_pair(view.a, view.b), records(content.columns)
    kinds = {
        "true": {"counterparts": "true"},
        "known": {"counterparts": "true", "anchors": stitching.KNOWN},
        "found": {"counterparts": "bootstrap"},
    }
    for kind, asked in kinds.items():
        some = [one for one in lines if one["anchors"] == kind]
        table = _stitched(view, pair, **asked)
        yield from differences(some, table.records(), ("encoder", "head", "method"), ("accuracy", "f1"))


def confusion(view: View, options: Options, content: Content) -> Compared:
    """The counts of a cell of ``relviz.stitch``."""
    pair = open_pair(view.a, view.b)
    encoder, head = options["encoder"] or pair.a.name, options["head"] or pair.b.name
    cell = _stitched(view, pair).cell(encoder, head, options["method"])
    yield from arrays("counts", content.arrays["counts"], cell.confusion)


def head_curve(view: View, _: Options, content: Content) -> Compared:
    """Every number of anchors by ``relviz.stitch``."""
    pair, lines = open_pair(view.a, view.b), records(content.columns)
    for anchors in dict.fromkeys(content.columns["anchors"]):
        some = [one for one in lines if one["anchors"] == anchors]
        table = _stitched(view, pair, anchors=anchors, methods=("relative",), counterparts="true")
        yield from differences(
            some, table.records(), ("encoder", "head", "method"), ("accuracy", "accuracy_sd")
        )


def _swept(view: View, within: bool = False, **over: object) -> Sweep:
    pair = open_pair(view.a, view.b)
    (x, y), usual = sides(view, pair), TranslatorOptions()
    options = replace(usual, completion=view.completion, decided_by=view.decided_by, length=view.length)
    told: dict[str, object] = {
        "deltas": sweeps.DELTAS,
        "omegas": sweeps.OMEGAS,
        "n_draws": stitching.RUNS,
    }
    told |= {"counts": (anchor_count(view.stitching_choices.anchors, len(pair)),), "head": view.head}
    target = x if within else y
    return sweep(x, target, pair.labels, seed=view.seed, options=options, **told | over)  # type: ignore[arg-type]


def swept(view: View, _: Options, content: Content) -> Compared:
    """Every δ and ω by ``relviz.stitching.sweep``: queries are neither anchors nor training rows."""
    made = _swept(view)
    for name, values in content.arrays.items():
        yield from arrays(name, values, made.mean(name)[0])


def swept_within(view: View, _: Options, content: Content) -> Compared:
    """Every δ and ω within a space and between two, by ``relviz.stitching.sweep``."""
    made = {"within": _swept(view, within=True), "between": _swept(view)}
    for name, values in content.arrays.items():
        figure, which = name.rsplit("_", 1)
        yield from arrays(name, values, made[which].mean(figure)[0])


def anchor_sweep(view: View, _: Options, content: Content) -> Compared:
    """Every number of anchors by ``relviz.stitching.sweep``."""
    counts = [int(one) for one in content.arrays["anchors"]]
    over = {"deltas": sweeps.ANCHOR_SWEEP_DELTAS, "omegas": sweeps.ANCHOR_SWEEP_OMEGAS}
    made = _swept(view, counts=counts, n_draws=sweeps.ANCHOR_SWEEP_RUNS, **over)
    for name, values in content.arrays.items():
        if name != "anchors":
            yield from arrays(name, values, made.figures[name])


def scale(view: View, options: Options, content: Content) -> Compared:
    """Norms by ``relviz.stitching.lengths``, heads by ``relviz.stitching.rescale_injection``."""
    pair = open_pair(view.a, view.b)
    x, labels = sides(view, pair)[0], pair.labels
    assert labels is not None
    for papers, mark in ((False, ""), (True, "_paper"))[: 2 if options["as_in_the_paper"] else 1]:
        made = rescale_injection(x, labels, rescaling.ALPHAS, n_draws=rescaling.RUNS, norms_alone=papers)
        for name, runs in zip(made.activations, made.accuracy, strict=True):
            yield from arrays(name, content.arrays[f"accuracy_{name}{mark}"], runs.mean(0))
        for side, space in zip("ab", (pair.a, pair.b), strict=True):
            one = lengths({side: space.vectors}, center=not papers)[side]
            densities = np.asarray(one.density) * one.mean
            yield from arrays(f"norms of {side}", content.arrays[f"density_{side}{mark}"], densities)


def layers(view: View, _: Options, content: Content) -> Compared:
    """Every layer by ``relviz.stitching.layer_rescale``."""
    pair = open_pair(view.a, view.b)
    texts = [item.partition(": ")[2] for item in (pair.b if view.back else pair.a).items or ()]
    for papers, name in ((False, "accuracy"), (True, "accuracy_unit_norm_first")):
        if name in content.arrays:
            transformer = SentenceLayers(load_encoder("minilm").network)
            made = layer_rescale(transformer, texts, pair.labels, rescaling.LAYER_ALPHAS, to_unit=papers)
            yield from arrays(name, content.arrays[name], made.accuracy)

"""The methods paragraph of figures: plain sentences on what was run, and what to cite for it."""

from collections.abc import Iterator, Sequence
from importlib.resources import files
from pathlib import Path

from relviz.figures.make import PrintFigure
from relviz.figures.open_recipe import view_of
from relviz.figures.recipe import Recipe
from relviz.figures.registry import KINDS
from relviz.state.option_labels import METHODS, PROJECTIONS, SIMILARITIES, SOLVERS, TRANSLATIONS
from relviz.state.sources import demo_of, open_pair, origin_of
from relviz.wording import count, plural

MAPS = ("maps", "anchors", "vector")
RETRIEVAL = ("measures", "anchor_curve", "choice", "series")
TRANSLATED = ("landing", "translation", "probe", "way")
HEADS = ("matrix", "heads", "heads_by_anchors", "confusion", "head_curve", "pairs")
SWEPT = ("sweep", "sweep_within", "sweep_correlation", "anchor_sweep")
RUNS = ("run", "found", "retrieval")
OF_DEMOS = {
    "words": "GloVe [@pennington2014glove]",
    "glosses": "WordNet [@miller1995wordnet]",
    "digits": "MNIST [@lecun1998gradient]",
    "emoji": "Twemoji [@twemoji]",
}
NAMES, OF_NAMES = "text_", "names of Unicode CLDR [@unicodecldr]"
"""How spaces of the emoji's names begin, and what these are, which show no picture."""
ENCODERS = {
    "minilm": "all-MiniLM-L6-v2, a MiniLM [@wang2020minilm] of sentence-transformers [@reimers2019sentence]",
    "e5": "multilingual-e5-small in 4 bits [@wang2024multilingual]",
    "wordllama": "WordLlama [@miller2024wordllama]",
    "efficientnet_lite0": "EfficientNet-Lite0 [@tan2019efficientnet]",
    "efficientnet_lite1": "EfficientNet-Lite1 [@tan2019efficientnet]",
}
"""What the bundled encoders are called in a paper."""
PROJECTED = {"tsne": "vandermaaten2008visualizing", "umap": "mcinnes2018umap"}


def methods_of(made: Sequence[PrintFigure]) -> str:
    """One paragraph on everything that the figures and tables were made from, in LaTeX's own signs but for
    ``\\cite``, which stands as ``[@key]``."""
    sentences: dict[str, None] = {}
    for one in made:
        sentences |= dict.fromkeys(_sentences(one.recipe))
    versions = made[0].recipe.versions
    threads = versions.get("threads", "")
    sentences[
        f"Computed with relviz {versions['relviz']} [@relviz], Python {versions['python']}, PyTorch "
        f"{versions['torch']} and scikit-learn {versions['scikit-learn']}, "
        f"{plural(int(threads), 'thread') if threads.isdecimal() else 'one thread'}."
    ] = None
    return " ".join(sentences)


def _sentences(recipe: Recipe) -> Iterator[str]:
    view, kind, look = view_of(recipe), recipe.kind, recipe.look
    if KINDS[kind].sources:
        yield (
            f"Autoencoders with {view.de.latent} latent dimensions were trained on images of "
            f"{', '.join(one.name for one in recipe.data.values())} [@lecun1998gradient], from "
            "seeds that the caption names."
        )
        return
    pair = open_pair(view.a, view.b) if KINDS[kind].paired and not KINDS[kind].shelf else None
    if pair is not None:
        how = "by their ids" if pair.audit.matched_by == "ids" else "by position"
        names = [look.names.get(space.name, space.name) for space in (pair.a, pair.b)]
        yield (
            f"We compare {names[0]} ({plural(pair.a.dimension, 'dimension')}) with {names[1]} "
            f"({plural(pair.b.dimension, 'dimension')}) on {plural(len(pair), 'item')}, matched {how}."
        )
    yield from _data(recipe)
    if kind in RETRIEVAL + TRANSLATED or (kind in MAPS and recipe.options.get("rows") != "absolute"):
        yield from _anchors(recipe)
    if kind in MAPS:
        yield from _maps(recipe)
    if kind in RETRIEVAL:
        runs = 1 if view.method in ("hand", "run") else view.runs
        seeds = f"seeds {view.seed} to {view.seed + runs - 1}" if runs > 1 else f"seed {view.seed}"
        yield (
            f"Retrieval is measured with k = {view.k} over anchor samples of {seeds}. Queries are items that "
            "are no anchors; candidates are all items. Linear CKA [@kornblith2019similarity] is that of the "
            "original spaces."
        )
    if kind == "disagreement":
        yield (
            f"Neighborhoods are compared by the Jaccard index of the {view.k} nearest neighbors in the "
            "original spaces."
        )
    if kind in TRANSLATED + SWEPT:
        yield from _translation(recipe)
    if kind in HEADS:
        yield (
            f"Heads ({view.head}) were trained on one encoder and applied to the other; test rows are "
            "neither training rows nor anchors, and the caption states their number."
        )
    if kind in RUNS:
        run = view.ao
        method = SOLVERS[run.method]
        known = plural(run.seeds, "known pair") if run.seeding != "none" else "no known pairs"
        yield (
            f"Anchor optimization [@cannistraci2023bootstrapping] began with {known} and looked for "
            f"{plural(run.anchors, 'anchor')} (solver: {method}; seed {run.seed}); {run.held_out:.0%} of the "
            "rows were held out of the fit."
        )


def _data(recipe: Recipe) -> Iterator[str]:
    """What the items are, and which encoders made the spaces."""
    made_of: dict[str, dict[str, None]] = {}
    for source in recipe.data:
        demo = demo_of(source)
        if demo is not None:
            named = source.partition(".")[2].startswith(NAMES)
            made_of.setdefault(demo.title, {})[OF_NAMES if named else OF_DEMOS[demo.name]] = None
    for title, parts in made_of.items():
        yield f"The data are the demo “{title}” of relviz, made of {' and '.join(parts)}."
    for source, one in recipe.data.items():
        origin = origin_of(source)
        encoder = ENCODERS.get(origin.encoder, origin.encoder)
        if encoder and not Path(encoder).is_absolute():
            layer = "" if origin.layer is None else f"layer {origin.layer} of "
            yield f"{recipe.look.names.get(one.name, one.name)} is encoded by {layer}{encoder}."


def _anchors(recipe: Recipe) -> Iterator[str]:
    view = view_of(recipe)
    if view.method == "run":
        how = "were found by anchor optimization [@cannistraci2023bootstrapping]"
    elif view.method == "hand":
        how = f"are {count(len(view.picks))} items that were chosen by hand"
    else:
        how = f"are {count(view.count)} items, {METHODS[view.method].lower()}, seed {view.seed}"
    frame = "after centering both spaces" if view.center else "without centering"
    yield (
        f"In a relative representation [@moschella2023relative], each item is represented by its "
        f"similarities ({SIMILARITIES[view.similarity].lower()}, {frame}) to the anchors, which {how}."
    )


def _maps(recipe: Recipe) -> Iterator[str]:
    view = view_of(recipe)
    cited = f" [@{PROJECTED[view.projection]}]" if view.projection in PROJECTED else ""
    seed = f", seed {view.map_seed}" if view.projection in PROJECTED else ""
    yield f"Maps are {PROJECTIONS[view.projection]}{cited}{seed}."


def _translation(recipe: Recipe) -> Iterator[str]:
    view, kind = view_of(recipe), recipe.kind
    every = kind == "translation"
    irp = every or view.translate in ("irp", "irp_plus") or kind in SWEPT
    if irp:
        chosen = "" if kind in SWEPT else f" with δ = {view.delta:g} and ω = {view.omega}"
        yield f"Vectors are translated by inverse relative projection{chosen} [@maiorca2024latent]."
    if every:
        yield (
            "It is compared with maps fitted to the same anchors: orthogonal Procrustes "
            "[@schonemann1966generalized], least squares, ridge and affine regression, and with no "
            "translation. Scores are those of items that took no part in the fit."
        )
    elif not irp:
        cited = " [@schonemann1966generalized]" if view.translate == "procrustes" else ""
        yield f"Vectors are translated by {TRANSLATIONS[view.translate]}{cited}, fitted to the anchors."


def references() -> dict[str, str]:
    """The BibTeX entry of each key."""
    text = files("relviz.papers").joinpath("references.bib").read_text("utf-8")
    entries = [f"@{part.strip()}" for part in text.split("@") if part.strip()]
    return {entry.partition("{")[2].partition(",")[0]: entry for entry in entries}

"""What the panes of a pair show, on screen and in print: their titles, colors, metrics and curves."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from relviz.pair import Pair
from relviz.plotting.colors import CLASSES, Colors, by_class, by_label, by_number, by_place
from relviz.plotting.pane import Pane
from relviz.results.comparison import Comparison
from relviz.results.maps import Maps, fit_of
from relviz.results.metrics import Metric, Metrics
from relviz.results.neighborhoods import Agreement, Clusters
from relviz.results.translation import TranslationProblem
from relviz.state.option_labels import FITS, MEASURES, PROJECTIONS, SIMILARITIES
from relviz.state.view import MapChoices
from relviz.wording import count

PARAMETERS = {"perplexity": "perplexity", "n_neighbors": "neighbors", "min_dist": "min_dist"}
"""Parameters that a caption names, in its words."""
ROWS = ("absolute", "relative")


def panes_of(
    comparison: Comparison, choices: MapChoices, row: str, made: Maps, waiting: str = ""
) -> list[Pane]:
    """Both panes of a row, of its maps, which may stand in for the projection that is ``waiting``."""
    pair, fit = comparison.pair, fit_of(comparison, choices, row)
    group = None if fit == "independent" else ROWS.index(row)
    return [
        Pane(
            title=title_of(comparison.similarity, row, space.name),
            points=made.points[place],
            facts=_facts(choices, len(pair), fit, made, place, waiting),
            group=group,
            axes=_axes(choices, made, place),
            alone=ROWS.index(row) if group is None else None,
        )
        for place, space in enumerate((pair.a, pair.b))
    ]


def translation_panes(problem: TranslationProblem) -> list[Pane]:
    """The original target space and the translated source, on the target's principal components."""
    source, target = problem.source, problem.target
    places, share = problem.target_map
    rows = f"{count(len(problem.pair))} rows"
    facts = ((rows, f"PCA axes of {target.name}", f"{share:.0%} of its variance"),)
    landed = problem.translation.landed
    return [
        Pane(f"{target.name} · original", places, facts, group=0),
        Pane(f"{source.name} · translated into {target.name}", landed, facts, group=0, joined=0),
    ]


def alone(choices: MapChoices) -> MapChoices:
    """Every space on principal components of its own, as anchors are looked at."""
    return replace(choices, projection="pca", fit_absolute="independent")


def title_of(similarity: str, row: str, name: str) -> str:
    """What a pane of a space of that name is called."""
    if row == "absolute":
        return f"{name} · absolute"
    return f"{name} · relative ({SIMILARITIES[similarity].lower()})"


def _facts(
    choices: MapChoices, n: int, fit: str, made: Maps, place: int, waiting: str
) -> tuple[Sequence[str], ...]:
    rows = f"{count(n)} rows"
    how = (rows, _projection(choices.projection, made.points[place].shape[1]), FITS[fit])
    facts = [f"instead of the {PROJECTIONS[waiting]}"] if waiting else []
    if made.explained:
        facts.append(f"{sum(made.explained[place]):.0%} of variance")
    trust = made.trust[place]
    if trust is not None:
        facts.append(f"trustworthiness {trust:.2f}")
    if made.residual and place:
        facts.append(f"residual {made.residual[place - 1]:.3f}")
    parameters = made.parameters
    facts += [
        f"{words} {_of_side(parameters[name], place)}"
        for name, words in PARAMETERS.items()
        if name in parameters
    ]
    if choices.projection in ("tsne", "umap"):
        facts.append(f"seed {choices.seed}")
    return (how, facts) if facts else (how,)


def _projection(name: str, dimension: int) -> str:
    """What a projection to so many dimensions is called."""
    if name == "first":
        return "First two dimensions" if dimension == 2 else "First three dimensions"
    return PROJECTIONS[name] if dimension == 2 else f"{PROJECTIONS[name]} in 3-D"


def _axes(choices: MapChoices, made: Maps, place: int) -> tuple[str, str]:
    """Names of the axes, with the share of the variance along each where it is known."""
    name = {"pca": "PC", "first": "Dimension"}.get(choices.projection, PROJECTIONS[choices.projection])
    shares = made.explained[place] if made.explained else ()
    suffixes = [f" ({share:.0%})" for share in shares[:2]] or ["", ""]
    return f"{name} 1{suffixes[0]}", f"{name} 2{suffixes[-1]}"


def _of_side(value: object, place: int) -> object:
    return value[place] if isinstance(value, list | tuple) else value


CLUSTERS = ("cluster_a", "cluster_b")


def plain_colors(pair: Pair, first: np.ndarray | None) -> Colors:
    """The classes of a pair, or numbers in their place; without any, the place along the first map's axis."""
    if pair.labels is not None:
        return by_label(pair.labels)
    return by_place(np.zeros((len(pair), 2)) if first is None else first)


def agreement_colors(found: Agreement) -> Colors:
    """How far the encoders agree on each item."""
    mean = found.jaccard.mean()
    note = f"Jaccard of the {found.k} nearest in A and in B: mean {mean:.3f}, by chance {found.chance:.3f}."
    return by_number(found.jaccard, "agreement", 0, 1, note=note)


def cluster_colors(pair: Pair, side: str, found: Clusters) -> Colors:
    """The clusters of side ``"a"`` or ``"b"``."""
    members = found.members
    width = len(str(members.max() + 1))
    colors = by_class([f"cluster {member + 1:0{width}}" for member in members.tolist()])
    name = (pair.a if side == "a" else pair.b).name
    note = f"Found in {side.upper()}, {name}, by k-means on its absolute vectors (seed {found.seed})."
    return colors.with_note(note)


def match_colors(matches: np.ndarray) -> Colors:
    """Whether each row of A is matched with its counterpart, the row of B with its number; -1 is no match."""
    right = matches == np.arange(len(matches))
    names = np.where(matches < 0, "held out", np.where(right, "right", "wrong"))
    return by_class(names.tolist())


def similarity_colors(comparison: Comparison, side: str, row: int) -> Colors:
    """Cosine of every item to one of them in side ``"a"`` or ``"b"``."""
    title = f"cosine in {side.upper()} to {comparison.pair.items[row][:40]}"
    return by_number(comparison.similarities(side, row), title, -1, 1, diverging=True)


WAYS = {"x→y": "A → B", "y→x": "B → A"}
HEAD = (
    "metric",
    "relative A → B",
    "relative B → A",
    "chance",
    "shuffled pairing",
    "absolute A → B",
    "absolute B → A",
)

SHORT_HEAD = {
    "relative A → B": "rel. A→B",
    "relative B → A": "rel. B→A",
    "shuffled pairing": "shuffled",
    "absolute A → B": "abs. A→B",
    "absolute B → A": "abs. B→A",
}


def metric_rows(measured: Metrics) -> list[tuple[str, ...]]:
    """A line for each metric under ``HEAD``. Chance and the shuffled pairing are those of A → B."""
    rows = []
    for name, words in MEASURES.items():
        forth, back = (measured.find(name, "relative", way) for way in WAYS)
        controls = (measured.find(name, "absolute", way) for way in WAYS)
        assert forth is not None
        chance, null = f"{forth.chance:z.4f}", f"{forth.null:z.4f} ± {forth.null_sd:.4f}"
        rows.append((words, spread(forth), spread(back), chance, null, *map(spread, controls)))
    return rows


def spread(metric: Metric | None) -> str:
    """Mean ± standard deviation of a metric; a dash where there is none."""
    if metric is None:
        return "–"
    return f"{metric.mean:.3f}" + ("" if metric.sd is None else f" ± {metric.sd:.3f}")


METRICS = ("top1", "mrr_at_k")


@dataclass(frozen=True, eq=False)
class Curve:
    """Mean and standard deviation of a metric in one direction, 0 where there is one run; ``(c,)`` each."""

    metric: str
    direction: str
    mean: np.ndarray
    sd: np.ndarray
    color: str

    @property
    def words(self) -> str:
        """What a legend says."""
        return f"{MEASURES[self.metric]} {WAYS[self.direction]}"

    @property
    def back(self) -> bool:
        """Whether it is of the way from B to A, drawn with dots."""
        return self.direction == "y→x"


def curves_of(
    tables: Sequence[Sequence[Metric]], metrics: Sequence[str] = METRICS, kind: str = "relative"
) -> list[Curve]:
    """Curves through tables of retrieval, one table for each point."""
    found = []
    for place, metric in enumerate(metrics):
        for direction in WAYS:
            wanted = (kind, direction, metric)
            points = [
                next(r for r in table if (r.representation, r.direction, r.metric) == wanted)
                for table in tables
            ]
            mean = np.array([r.mean for r in points])
            sd = np.array([r.sd or 0 for r in points])
            found.append(Curve(metric, direction, mean, sd, CLASSES[place]))
    return found

"""What the panes of a pair show, on screen and in print: their titles, colors, metrics and curves."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from relviz.compute.entry import Result
from relviz.pair import Pair
from relviz.plotting.colors import OKABE_ITO, Colors, by_class, by_label, by_number, by_place
from relviz.plotting.pane import MOST_DRAWN, Pane
from relviz.results.comparison import PROJECTIONS, fit_of, similarities
from relviz.results.translation import Translation, sides_of, target_map
from relviz.state.labels import FITS, MEASURES, SIMILARITIES
from relviz.state.view import View
from relviz.wording import count

PARAMETERS = {"perplexity": "perplexity", "n_neighbors": "neighbors", "min_dist": "least distance"}
"""Parameters that a caption names, in its words."""
ROWS = ("absolute", "relative")


def panes_of(view: View, pair: Pair, row: str, result: Result, waiting: str = "") -> list[Pane]:
    """Both panes of a row, of the result of its ``map_task``, which may stand in for a projection."""
    fit = fit_of(view, pair, row)
    group = None if fit == "independent" else ROWS.index(row)
    return [
        Pane(
            title=title_of(view, row, name),
            points=result.arrays[side],
            caption=_caption(view, pair, fit, result, place, waiting),
            group=group,
        )
        for place, (side, name) in enumerate((("a", pair.a.name), ("b", pair.b.name)))
    ]


def landing_panes(view: View, pair: Pair, made: Translation) -> list[Pane]:
    """The target space as it is, and what was carried into it, on the target's principal components."""
    source, target = sides_of(view, pair)
    places, share = target_map(view)
    said = f"{count(len(pair))} rows · PCA axes of {target.name} · {share:.0%} of its variance"
    return [
        Pane(f"{target.name} · as it is", places, said, group=0),
        Pane(f"{source.name} · carried into {target.name}", made.landed, said, group=0, joined=0),
    ]


def alone(view: View) -> View:
    """The view with every space on principal components of its own, as anchors are looked at."""
    return view.with_changes(projection="pca", fit_absolute="independent")


def title_of(view: View, row: str, name: str) -> str:
    """What a pane of a space of that name is called."""
    if row == "absolute":
        return f"{name} · absolute"
    return f"{name} · relative ({SIMILARITIES[view.similarity].lower()})"


def _caption(view: View, pair: Pair, fit: str, result: Result, place: int, waiting: str) -> str:
    n = len(pair)
    how = f"{count(min(n, MOST_DRAWN))} of {count(n)} rows · {PROJECTIONS[view.projection]} · {FITS[fit]}"
    said = [f"in place of the {PROJECTIONS[waiting]}"] if waiting else []
    explained = result.meta.get("explained")
    if explained:
        said.append(f"{sum(explained[place]):.0%} of variance")
    trust = result.meta["trust"][place]
    if trust is not None:
        said.append(f"trustworthiness {trust:.2f}")
    residual = result.meta.get("residual")
    if residual and place:
        said.append(f"residual {residual[place - 1]:.3f}")
    parameters = result.meta["parameters"]
    said += [
        f"{words} {_one(parameters[name], place)}" for name, words in PARAMETERS.items() if name in parameters
    ]
    if view.projection in ("tsne", "umap"):
        said.append(f"seed {view.map_seed}")
    return f"{how}\n{' · '.join(said)}" if said else how


def _one(value: Any, place: int) -> Any:
    return value[place] if isinstance(value, list | tuple) else value


CLUSTERS = ("cluster_a", "cluster_b")


def plain_colors(pair: Pair, first: np.ndarray | None) -> Colors:
    """The classes of a pair, or numbers in their place; without any, the place along the first map's axis."""
    if pair.labels is not None:
        return by_label(pair.labels)
    return by_place(np.zeros((len(pair), 2)) if first is None else first)


def agreement_colors(found: Result) -> Colors:
    """Of what ``agreement_task`` found."""
    chance, k = found.meta["chance"], found.meta["k"]
    index = found.arrays["jaccard"]
    said = f"Jaccard of the {k} nearest in A and in B: mean {index.mean():.3f}, by chance {chance:.3f}."
    return by_number(index, "agreement", 0, 1, note=said)


def cluster_colors(pair: Pair, side: str, found: Result) -> Colors:
    """Of what ``cluster_task`` found in side ``"a"`` or ``"b"``."""
    members = found.arrays["members"]
    width = len(str(members.max() + 1))
    colors = by_class([f"cluster {member + 1:0{width}}" for member in members.tolist()])
    name = (pair.a if side == "a" else pair.b).name
    said = f"Found in {side.upper()}, {name}, by k-means on its absolute vectors (seed {found.meta['seed']})."
    return colors.with_note(said)


def match_colors(matches: np.ndarray) -> Colors:
    """Whether each row of A is matched with its counterpart, the row of B with its number; -1 is no match."""
    right = matches == np.arange(len(matches))
    said = np.where(matches < 0, "held out", np.where(right, "right", "wrong"))
    return by_class(said.tolist())


def similarity_colors(view: View, pair: Pair, side: str, row: int) -> Colors:
    """Cosine of every item to one of them in side ``"a"`` or ``"b"``."""
    title = f"cosine in {side.upper()} to {pair.items[row][:40]}"
    return by_number(similarities(view, pair, side, row), title, -1, 1, diverging=True)


HEAD = (
    "metric",
    "relative A → B",
    "relative B → A",
    "chance",
    "shuffled pairing",
    "absolute A → B",
    "absolute B → A",
)


def measure_rows(records: Sequence[Mapping[str, Any]]) -> list[tuple[str, ...]]:
    """A line for each metric under ``HEAD``, of records as ``RetrievalTable.records`` gives them.

    Chance and the shuffled pairing are those of A → B.
    """
    known = {(r["representation"], r["direction"], r["metric"]): r for r in records}
    return [
        (
            words,
            spread(known["relative", "x→y", name]),
            spread(known["relative", "y→x", name]),
            f"{known['relative', 'x→y', name]['chance']:z.4f}",
            _null(known["relative", "x→y", name]),
            spread(known.get(("absolute", "x→y", name))),
            spread(known.get(("absolute", "y→x", name))),
        )
        for name, words in MEASURES.items()
    ]


def spread(record: Mapping[str, Any] | None) -> str:
    """Mean ± standard deviation of a record; a dash where there is none."""
    if record is None:
        return "–"
    return f"{record['mean']:.3f}" + ("" if record["sd"] is None else f" ± {record['sd']:.3f}")


def _null(record: Mapping[str, Any]) -> str:
    return f"{record['null']:z.4f} ± {record['null_sd']:.4f}"


METRICS = ("top1", "mrr")
WAYS = {"x→y": "A → B", "y→x": "B → A"}


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
    tables: Sequence[Sequence[Mapping[str, Any]]], metrics: Sequence[str] = METRICS, kind: str = "relative"
) -> list[Curve]:
    """Curves through tables of retrieval, records as ``RetrievalTable.records`` gives them."""
    found = []
    for place, metric in enumerate(metrics):
        for direction in WAYS:
            wanted = (kind, direction, metric)
            points = [
                next(r for r in table if (r["representation"], r["direction"], r["metric"]) == wanted)
                for table in tables
            ]
            mean = np.array([r["mean"] for r in points])
            sd = np.array([r["sd"] or 0 for r in points])
            found.append(Curve(metric, direction, mean, sd, OKABE_ITO[place]))
    return found

"""The panes of a pair's maps: what each is called, and how its caption says it was made."""

from typing import Any

from relviz.compute.entry import Result
from relviz.figures.pane import Pane
from relviz.figures.sample import MOST_DRAWN
from relviz.pair import Pair
from relviz.view.choices import View
from relviz.view.results import PROJECTIONS, fit_of
from relviz.view.translation import Translation, sides_of, target_map
from relviz.view.wording import FITS, SIMILARITIES
from relviz.wording import count

PARAMETERS = {"perplexity": "perplexity", "n_neighbors": "neighbours", "min_dist": "least distance"}
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

"""What colours the items of a pair, on the screen and in print."""

import numpy as np

from relviz.compute.entry import Result
from relviz.figures.colouring import Colours, by_class, by_label, by_number, by_place
from relviz.pair import Pair
from relviz.view.choices import View
from relviz.view.neighbourhoods import similarities

CLUSTERS = ("cluster_a", "cluster_b")


def plain_colours(pair: Pair, first: np.ndarray | None) -> Colours:
    """The classes of a pair, or numbers in their place; without any, the place along the first map's axis."""
    if pair.labels is not None:
        return by_label(pair.labels)
    return by_place(np.zeros((len(pair), 2)) if first is None else first)


def agreement_colours(found: Result) -> Colours:
    """Of what ``agreement_task`` found."""
    chance, k = found.meta["chance"], found.meta["k"]
    index = found.arrays["jaccard"]
    said = f"Jaccard of the {k} nearest in A and in B: mean {index.mean():.3f}, by chance {chance:.3f}."
    return by_number(index, "agreement", 0, 1, note=said)


def cluster_colours(pair: Pair, side: str, found: Result) -> Colours:
    """Of what ``cluster_task`` found in side ``"a"`` or ``"b"``."""
    members = found.arrays["members"]
    width = len(str(members.max() + 1))
    colours = by_class([f"cluster {member + 1:0{width}}" for member in members.tolist()])
    name = (pair.a if side == "a" else pair.b).name
    said = f"Found in {side.upper()}, {name}, by k-means on its absolute vectors (seed {found.meta['seed']})."
    return colours.with_note(said)


def match_colours(matches: np.ndarray) -> Colours:
    """Whether each row of A is matched with its counterpart, the row of B with its number; -1 is no match."""
    right = matches == np.arange(len(matches))
    said = np.where(matches < 0, "held out", np.where(right, "right", "wrong"))
    return by_class(said.tolist())


def similarity_colours(view: View, pair: Pair, side: str, row: int) -> Colours:
    """Cosine of every item to one of them in side ``"a"`` or ``"b"``."""
    title = f"cosine in {side.upper()} to {pair.items[row][:40]}"
    return by_number(similarities(view, pair, side, row), title, -1, 1, diverging=True)

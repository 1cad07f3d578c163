"""A view: every choice a person has made, as one value that fits into a URL.

Nothing here touches Streamlit, so a link can be made or read by any script.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from relviz.view.decoding_choices import DECODING_CHOICES, DECODING_PREFIX, DECODING_RANGES, Decoding
from relviz.view.params import MOST_NAMES, MOST_PICKS, Names, read, written
from relviz.view.run import RUN_CHOICES, RUN_PREFIX, RUN_RANGES, Run

__all__ = ["CHOICES", "MOST_NAMES", "MOST_PICKS", "RANGES", "Names", "View"]

CHOICES: dict[str, tuple[str, ...]] = {
    "method": ("uniform", "fps", "kmeans", "top", "per_class", "hand", "run"),
    "similarity": ("cosine", "inner", "euclidean", "l1", "angular"),
    "projection": ("pca", "tsne", "umap", "first"),
    "colour": ("class", "cluster_a", "cluster_b", "agreement", "similarity_a", "similarity_b"),
    "translate": ("irp", "irp_plus", "procrustes", "lstsq", "ridge", "affine", "absolute"),
    "decided_by": ("both", "source", "target"),
    "part": ("translate", "heads", "sweep", "probe", "scale"),
    "head": ("logistic", "mlp"),
    "partners": ("true", "bootstrap"),
    "fit_absolute": ("auto", "first", "joint", "independent", "procrustes"),
    "fit_relative": ("auto", "first", "joint", "independent", "procrustes"),
}
"""What each choice may be."""

RANGES: dict[str, tuple[float, float]] = {
    "count": (2, 5000),
    "seed": (0, 9999),
    "quantum": (0.0, 3.0),
    "perplexity": (2, 200),
    "neighbours": (2, 200),
    "map_seed": (0, 9999),
    "k": (1, 100),
    "clusters": (2, 100),
    "runs": (1, 20),
    "queries": (0, 1_000_000),
    "delta": (0.0, 1.0),
    "omega": (1, 64),
    "used": (0, 5000),
    "item": (-1, 10_000_000),
}
"""Least and greatest value of each number."""

NO_RUN = Run()
NO_DECODING = Decoding()
NO_NAMES = Names()


@dataclass(frozen=True)
class View:
    """What is compared, through which anchors, and how it is drawn and measured.

    ``a`` and ``b`` name the two spaces as relviz.view.sources understands them, ``shelf`` those that are kept
    at hand beside them. ``run`` names the run of anchor optimisation whose anchors serve with method
    ``"run"``, and ``rows`` whether B then uses the rows nearest to them. ``ao`` is the run that the Bootstrap
    page shows or would start, ``de`` what the Decode page shows. ``translate`` is the method that carries
    items of A into B, or with ``back`` of B into A, through the anchors, or the first ``used`` of them;
    ``delta``, ``omega`` and ``decided_by`` are its own (see ``relviz.translator``). ``part`` is the part of
    the Stitch page that is open: ``head`` and ``partners`` are those of its matrix (see ``relviz.stitch``),
    which with ``wide`` has all spaces at hand, and ``item`` is the row that it probes, -1 for the first that
    is a test. ``unpaired`` sets a pairing by position aside on the Bootstrap page, to find another.
    """

    a: str = "emoji.image_lite0"
    b: str = "emoji.image_lite1"
    shelf: Names = NO_NAMES
    method: str = "uniform"
    count: int = 300
    seed: int = 0
    picks: tuple[int, ...] = ()
    similarity: str = "cosine"
    centre: bool = True
    quantum: float = 0.0
    projection: str = "pca"
    colour: str = "class"
    clusters: int = 8
    fit_absolute: str = "auto"
    fit_relative: str = "auto"
    perplexity: int = 30
    neighbours: int = 15
    map_seed: int = 0
    k: int = 10
    runs: int = 5
    queries: int = 2000
    run: str = ""
    rows: bool = False
    ao: Run = NO_RUN
    back: bool = False
    translate: str = "irp"
    delta: float = 0.8
    omega: int = 8
    decided_by: str = "both"
    used: int = 0
    part: str = "translate"
    head: str = "logistic"
    partners: str = "true"
    wide: bool = False
    item: int = -1
    unpaired: bool = False
    de: Decoding = NO_DECODING

    def with_changes(self, **changes: Any) -> "View":
        """The same view with some choices changed."""
        return replace(self, **changes)

    def to_params(self) -> dict[str, str]:
        """The choices that differ from the defaults, as URL parameters."""
        plain = written(self.with_changes(ao=NO_RUN, de=NO_DECODING), View())
        run, decoding = written(self.ao, NO_RUN, RUN_PREFIX), written(self.de, NO_DECODING, DECODING_PREFIX)
        return plain | run | decoding

    @staticmethod
    def from_params(params: Mapping[str, str]) -> tuple["View", list[str]]:
        """The view that URL parameters describe, and a sentence for each that had to be ignored."""
        own = {name: text for name, text in params.items() if name not in ("ao", "de")}
        view, notices = read(View(), own, CHOICES, RANGES)
        ao, of_run = read(NO_RUN, params, RUN_CHOICES, RUN_RANGES, RUN_PREFIX)
        de, rest = read(NO_DECODING, params, DECODING_CHOICES, DECODING_RANGES, DECODING_PREFIX)
        return view.with_changes(ao=ao, de=de), [*notices, *of_run, *rest]

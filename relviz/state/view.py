"""The view: every choice a person has made, as one value that fits into a URL."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from relviz.bootstrapping.split import MOST_SHARE, SHARE
from relviz.state.url import MOST_NAMES, MOST_PICKS, Names, read, written
from relviz.translation import TRANSLATORS

RUN_PREFIX = "ao_"
RUN_CHOICES: dict[str, tuple[str, ...]] = {
    "method": ("annealed", "adam", "adam_warm"),
    "seeding": ("uniform", "per_class", "hand", "none"),
    "beside": ("nothing", "paper", "warm", "annealed", "few", "none", "again"),
}
"""What each choice may be. ``beside`` is how a second run, watched with this one, differs from it."""

RUN_RANGES: dict[str, tuple[float, float]] = {
    "anchors": (1, 5000),
    "anchor_seed": (0, 9999),
    "seeds": (1, 2000),
    "draw": (0, 9999),
    "seed": (0, 9999),
    "held_out": (0.0, MOST_SHARE),
}
"""Least and greatest value of each number."""

FEW_SEEDS, MANY_SEEDS = 5, 15


@dataclass(frozen=True)
class Run:
    """What is optimized, from which seeds, and how; the pair comes with the view.

    Attributes
    ----------
    anchors, anchor_seed
        How many rows of A are anchors, and their sampling seed.
    seeding, seeds, draw, hand
        How the seeds, items whose counterpart is known, are chosen: how many, their sampling seed, or
        the rows themselves.
    method, options, seed
        The solver, the options that are not its defaults (``name=value``, joined by commas), its seed.
    known
        Whether the person says that the pairing is known, so that right and wrong may be shown. The
        solver is never told.
    beside
        How a second run, shown beside this one, differs from it.
    held_out
        Share of the rows that takes no part in the run, and that it is measured with; 0 for none.
    """

    anchors: int = 300
    anchor_seed: int = 0
    seeding: str = "uniform"
    seeds: int = MANY_SEEDS
    draw: int = 0
    hand: tuple[int, ...] = ()
    method: str = "annealed"
    options: str = ""
    seed: int = 0
    known: bool = True
    beside: str = "nothing"
    held_out: float = SHARE

    def with_changes(self, **changes: Any) -> "Run":
        """The same run with some choices changed; another method has other options."""
        if changes.get("method", self.method) != self.method:
            changes = {"options": "", **changes}
        return replace(self, **changes)

    def second(self) -> "Run | None":
        """The run that is watched beside this one, if any."""
        changes = self._second_changes()
        return self.with_changes(**changes, beside="nothing") if changes else None

    def _second_changes(self) -> dict[str, Any]:
        fewer = FEW_SEEDS if self.seeds != FEW_SEEDS or self.seeding == "none" else MANY_SEEDS
        drawn = self.seeding if self.seeding in ("uniform", "per_class") else "uniform"
        table: Mapping[str, dict[str, Any]] = {
            "paper": {"method": "adam"},
            "warm": {"method": "adam_warm"},
            "annealed": {"method": "annealed"},
            "few": {"seeds": fewer, "seeding": drawn},
            "none": {"seeding": "none"},
            "again": {"seed": self.seed + 1},
        }
        return table.get(self.beside, {})

    def essential(self) -> "Run":
        """What the result depends on beyond the pair: choices that have no say are at their defaults."""
        changes: dict[str, Any] = {"known": True, "beside": "nothing"}
        if self.seeding not in ("uniform", "per_class"):
            changes |= {"seeds": MANY_SEEDS, "draw": 0}
        return replace(self, **changes, hand=self.hand if self.seeding == "hand" else ())


DECODING_PREFIX = "de_"
DECODING_CHOICES: dict[str, tuple[str, ...]] = {
    "part": ("swap", "draw", "slide", "between", "spaces", "tables"),
    "kind": ("ae", "vae"),
    "codes": ("relative", "absolute"),
}
"""What each choice may be."""

DECODING_RANGES: dict[str, tuple[float, float]] = {
    "latent": (2, 512),
    "anchors": (0, 1000),
    "one": (0, 99),
    "other": (0, 99),
    "image": (0, 9999),
    "end": (0, 9999),
}
"""Least and greatest value of each number."""


@dataclass(frozen=True)
class Decoding:
    """Two autoencoders that differ in nothing but the seed ``one`` and ``other``, and what is looked at.

    Attributes
    ----------
    part
        Of the page.
    data
        The images: what ``relviz.state.image_sets`` calls them, the handwritten digits if it is empty.
    kind, latent
        Of both (see ``relviz.autoencoders.Options``).
    anchors
        How many images are anchors; 0 for as many as the bundled ones have.
    codes
        What the decoder is fed, in the parts that show one kind of code at a time.
    images
        Rows of the test images that are swapped; the first of each class where there are none.
    image, end
        The one that is slid, and the one that is gone to.
    """

    part: str = "swap"
    data: str = ""
    kind: str = "ae"
    latent: int = 64
    anchors: int = 0
    codes: str = "relative"
    one: int = 0
    other: int = 1
    images: tuple[int, ...] = ()
    image: int = 0
    end: int = 1

    def with_changes(self, **changes: Any) -> "Decoding":
        """The same with some choices changed."""
        return replace(self, **changes)


__all__ = ["CHOICES", "MOST_NAMES", "MOST_PICKS", "RANGES", "Names", "View"]

CHOICES: dict[str, tuple[str, ...]] = {
    "method": ("uniform", "fps", "kmeans", "top", "per_class", "hand", "run"),
    "similarity": ("cosine", "inner", "euclidean", "l1", "angular"),
    "projection": ("pca", "tsne", "umap", "first"),
    "color": ("class", "cluster_a", "cluster_b", "agreement", "similarity_a", "similarity_b"),
    "translate": TRANSLATORS,
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
    "neighbors": (2, 200),
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


GIVEN = ("hand", "run")
"""Ways of choosing anchors that draw none: they are given, by a person or by a run."""


@dataclass(frozen=True)
class AnchorChoices:
    """Which items are the anchors: drawn by ``method``, ``picks`` chosen by hand, or those of a ``run``.

    Of a run, B uses the anchors it found, or with ``rows`` the items nearest to them.
    """

    method: str
    count: int
    seed: int
    picks: tuple[int, ...]
    run: str
    rows: bool

    @property
    def given(self) -> bool:
        """Whether they are given, by a person or by a run, so that none are drawn."""
        return self.method in GIVEN


@dataclass(frozen=True)
class MapChoices:
    """How spaces are drawn: the projection with its options, and how the two maps of a row are fitted."""

    projection: str
    fit_absolute: str
    fit_relative: str
    perplexity: int
    neighbors: int
    seed: int


@dataclass(frozen=True)
class MetricChoices:
    """How retrieval is measured: neighbors, anchor samples, queries (0 for all held-out items)."""

    k: int
    runs: int
    queries: int


@dataclass(frozen=True)
class TranslationChoices:
    """How items are translated: by which method, from A into B or ``back``, through which anchors.

    ``delta``, ``omega`` and ``decided_by`` are irp's own; of the anchors the first ``used`` serve, 0 for all.
    """

    method: str
    delta: float
    omega: int
    decided_by: str
    used: int
    back: bool


@dataclass(frozen=True)
class StitchingChoices:
    """How heads are trained and met: their kind, how the anchors' counterparts are known, and the draws.

    Each draw takes as many of the rows that train as ``anchors``; ``seed`` is that of the first draw.
    """

    head: str
    partners: str
    anchors: int
    seed: int


@dataclass(frozen=True)
class View:
    """What is compared, through which anchors, and how it is drawn and measured.

    ``a`` and ``b`` name the two spaces as relviz.state.sources understands them, ``shelf`` those that are
    kept at hand beside them. ``run`` names the run of anchor optimization whose anchors serve with method
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
    center: bool = True
    quantum: float = 0.0
    projection: str = "pca"
    color: str = "class"
    clusters: int = 8
    fit_absolute: str = "auto"
    fit_relative: str = "auto"
    perplexity: int = 30
    neighbors: int = 15
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

    @property
    def sources(self) -> Names:
        """What is on the shelf, with A and B before it where they are not."""
        others = (source for source in (self.a, self.b) if source not in self.shelf)
        return Names(tuple(dict.fromkeys((*others, *self.shelf)))[:MOST_NAMES])

    def with_changes(self, **changes: Any) -> "View":
        """The same view with some choices changed."""
        return replace(self, **changes)

    @property
    def anchor_choices(self) -> AnchorChoices:
        """Which items are the anchors."""
        return AnchorChoices(self.method, self.count, self.seed, self.picks, self.run, self.rows)

    @property
    def map_choices(self) -> MapChoices:
        """How spaces are drawn."""
        return MapChoices(
            self.projection,
            self.fit_absolute,
            self.fit_relative,
            self.perplexity,
            self.neighbors,
            self.map_seed,
        )

    @property
    def metric_choices(self) -> MetricChoices:
        """How retrieval is measured."""
        return MetricChoices(self.k, self.runs, self.queries)

    @property
    def translation_choices(self) -> TranslationChoices:
        """How items are translated."""
        return TranslationChoices(
            self.translate, self.delta, self.omega, self.decided_by, self.used, self.back
        )

    @property
    def direction(self) -> tuple[str, str]:
        """What names the source and the target of a translation."""
        return (self.b, self.a) if self.back else (self.a, self.b)

    @property
    def stitching_choices(self) -> StitchingChoices:
        """How heads are trained and met."""
        return StitchingChoices(self.head, self.partners, self.used or self.count, self.seed)

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

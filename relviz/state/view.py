"""The view: every choice a person has made, as one value that fits into a URL."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from relviz.state.choice import (
    MOST_NAMES,
    MOST_PICKS,
    Choices,
    Names,
    Notice,
    Option,
    number,
    one_of,
    picked_rows,
    source_names,
    switch,
    text,
)
from relviz.state.decoding_choices import Decoding
from relviz.state.run_choices import FEW_SEEDS, MANY_SEEDS, Run
from relviz.state.sections import (
    GIVEN,
    AnchorChoices,
    ColorChoices,
    MapChoices,
    MetricChoices,
    StitchingChoices,
    TranslationChoices,
)
from relviz.state.several_choices import Several
from relviz.state.url import read, written
from relviz.translation import METHODS

__all__ = [
    "FEW_SEEDS",
    "GIVEN",
    "MANY_SEEDS",
    "MOST_NAMES",
    "MOST_PICKS",
    "AnchorChoices",
    "ColorChoices",
    "Decoding",
    "MapChoices",
    "MetricChoices",
    "Names",
    "Run",
    "Several",
    "StitchingChoices",
    "TranslationChoices",
    "View",
]

NO_RUN = Run()
NO_DECODING = Decoding()
NO_SEVERAL = Several()

FITS = {
    "auto": Option(
        "Same for both rows",
        "fitted on A and applied to B for PCA, fitted jointly for t-SNE and UMAP. Absolute spaces of "
        "different dimensions are fitted separately.",
    ),
    "first": Option("Fitted on A, applied to B", "needs the same dimension."),
    "joint": Option("Fitted jointly", "one fit on the rows of both. Needs the same dimension."),
    "independent": Option("Fitted separately", "the two maps have no common axes."),
    "procrustes": Option(
        "Procrustes (B onto A)",
        "fitted separately, then B is rotated, reflected, shifted and rescaled onto A. A residual of 0 is a "
        "perfect fit.",
    ),
}
FITS_HELP = "How the two maps of a row are fitted."


@dataclass(frozen=True)
class View(Choices):
    """What is compared, through which anchors, and how it is drawn and measured.

    ``a`` and ``b`` name the two spaces as relviz.state.sources understands them, ``shelf`` those that are
    kept at hand beside them. ``run`` names the run of anchor optimization whose anchors serve with method
    ``"run"``, and ``rows`` whether B then uses the rows nearest to them. ``ao`` is the run that the Bootstrap
    page shows or would start, ``de`` what the Decode page shows, ``se`` what the Several page shows.
    ``translate`` is the method that carries items of A into B, or with ``back`` of B into A, through the
    anchors, or the first ``used`` of them. ``part`` is the open part of the Stitch page, ``item`` the row
    probed; ``unpaired`` sets a pairing aside.
    """

    a: str = text("emoji.image_lite0", "Space A", "The first space of the pair.")
    b: str = text("emoji.image_lite1", "Space B", "The second space of the pair.")
    shelf: Names = source_names("Shelf", "Loaded embeddings beside A and B.")
    method: str = one_of(
        "uniform",
        "Anchor selection",
        "How anchors are selected from the rows of A.",
        {
            "uniform": Option("Uniform", "at random."),
            "fps": Option("Farthest point", "each as far as possible from those selected before it."),
            "kmeans": Option("k-means", "the row nearest to each cluster's center."),
            "top": Option(
                "Most frequent", "at random among the first rows. Word files are sorted by frequency."
            ),
            "per_class": Option("Per class", "equally many from each class."),
            "hand": Option("By hand", "the items you choose on this page."),
            "run": Option(
                "From anchor optimization",
                "rows of A, and the counterparts that a run on the Bootstrap page found for them in B.",
            ),
        },
    )
    count: int = number(
        300, 2, 5000, "Number of anchors", "Items are represented by their similarities to the anchors."
    )
    seed: int = number(0, 0, 9999, "Anchor sampling seed", "Metrics use this seed and the ones that follow.")
    picks: tuple[int, ...] = picked_rows("Anchors", "Rows of the anchors that are chosen by hand.")
    similarity: str = one_of(
        "cosine",
        "Similarity",
        "Each coordinate of a relative representation is the item's similarity to one anchor. Cosine is "
        "invariant to rotation, reflection and rescaling.",
        {
            "cosine": Option("Cosine"),
            "inner": Option("Inner product"),
            "euclidean": Option("Euclidean distance"),
            "l1": Option("L1 distance"),
            "angular": Option("Angle / π"),
        },
    )
    center: bool = switch(
        True, "Center the spaces", "Subtract each space's mean, then scale rows to unit length."
    )
    quantum: float = number(
        0.0,
        0.0,
        3.0,
        "Quantization threshold",
        "Merges rows that are closer than this share of the space's scale. 0 = off.",
        step=0.05,
    )
    projection: str = one_of(
        "pca",
        "Map",
        "How each space is projected to two or three dimensions.",
        {
            "pca": Option("PCA", "the two directions of largest variance."),
            "tsne": Option("t-SNE", "preserves neighborhoods. It takes longer and runs on demand."),
            "umap": Option("UMAP", "the same, with another measure of neighborhood."),
            "first": Option("First dimensions", "no projection."),
        },
    )
    dimensions: str = one_of(
        "2",
        "Dimensions",
        "Of the maps. Figures have two.",
        {
            "2": Option("2-D", "flat maps."),
            "3": Option("3-D", "drag to orbit; all maps turn together."),
        },
    )
    spaces: str = one_of(
        "relative",
        "Spaces",
        "What the maps show.",
        {
            "absolute": Option("Original", "the encoders' own spaces."),
            "relative": Option("Relative", "both spaces as similarities to the anchors."),
            "both": Option("2 × 2", "the original spaces over the relative ones."),
        },
    )
    color: str = one_of(
        "class",
        "Color by",
        "Color encoding.",
        {
            "class": Option(
                "Class",
                "the class of each item. More than 20 numeric classes give a continuous scale.",
            ),
            "cluster_a": Option(
                "Clusters in A",
                "k-means on that encoder's centered unit vectors, in the original dimensions. A cluster that "
                "is scattered in the other space is not represented there.",
            ),
            "cluster_b": Option("Clusters in B", "the same for the other encoder."),
            "agreement": Option(
                "Agreement",
                "overlap of the item's nearest neighbors in A and in B, in the original dimensions (Jaccard, "
                "the item itself not counted).",
            ),
            "similarity_a": Option(
                "Similarity in A",
                "cosine similarity to the item you click, in that space's original dimensions.",
            ),
            "similarity_b": Option("Similarity in B", "the same in the other space."),
        },
    )
    clusters: int = number(8, 2, 100, "Clusters", "Number of clusters of the space.")
    fit_absolute: str = one_of("auto", "Absolute maps", FITS_HELP, FITS)
    fit_relative: str = one_of("auto", "Relative maps", FITS_HELP, FITS)
    perplexity: int = number(30, 2, 200, "Perplexity", "Effective number of neighbors.")
    neighbors: int = number(
        15, 2, 200, "Neighbors", ("Higher values show global shape, lower values local detail.")
    )
    map_seed: int = number(0, 0, 9999, "Projection seed", "Seed of t-SNE and UMAP.")
    k: int = number(10, 1, 100, "Neighbors (k)", "Length of the retrieval lists.")
    runs: int = number(
        5, 1, 20, "Number of anchor samples", "Mean and standard deviation are taken over these."
    )
    queries: int = number(
        2000, 0, 1_000_000, "Queries", "Maximum number of non-anchor items used as queries. 0 = all."
    )
    run: str = text("", "Run", "The run of anchor optimization that the anchors come from.")
    rows: bool = switch(
        False,
        "Replace by nearest items of B",
        "Anchor optimization finds free points in B. On: each is replaced by its nearest item.",
    )
    ao: Run = NO_RUN
    back: bool = switch(False, "From B to A", "On: items of B are translated into A. Off: from A to B.")
    translate: str = one_of(
        "procrustes",
        "Translator",
        "How vectors are translated into the other space, using the anchors alone.",
        {name: Option(method.title, f"{method.says}.") for name, method in METHODS.items()},
    )
    delta: float = number(
        0.8,
        0.0,
        1.0,
        "δ, pruning",
        "Anchors are pruned until no two are closer than this distance, 1 - |cosine|. 0 keeps all.",
        step=0.01,
    )
    omega: int = number(8, 1, 64, "ω, subspaces", "Number of subspaces averaged (ω).")
    decided_by: str = one_of(
        "both",
        "Pruned by",
        "Space whose distances decide which anchors are too close to each other.",
        {"both": Option("Both spaces"), "source": Option("Source"), "target": Option("Target")},
    )
    completion: bool = switch(
        True,
        "Complete the anchors",
        "On: each subspace translates the unit vectors, and inverts these images (least squares). Off: the "
        "kept anchors themselves are inverted; images used without an inverse come to the same.",
    )
    length: str = one_of(
        "own",
        "Norm of translated vectors",
        "From the anchor mean, in units of the mean norm of the anchors.",
        {
            "own": Option("Their own", "that of the source vector."),
            "mean": Option("Mean norm of the anchors", "the same for all."),
            "raw": Option("Not renormalized", "as the matrix makes them, as in the paper."),
        },
    )
    used: int = number(
        0,
        0,
        5000,
        "Anchors used",
        "Uses the first anchors. Without regularization, it is worst to use as many anchors as dimensions.",
    )
    part: str = one_of(
        "translate",
        "Section",
        "What the page shows.",
        {
            "translate": Option("Translate"),
            "heads": Option("Heads"),
            "sweep": Option("δ × ω"),
            "probe": Option("Probe"),
            "scale": Option("Scale"),
        },
    )
    head: str = one_of(
        "logistic",
        "Kind of head",
        "The classifier. It is trained on one encoder's vectors only.",
        {
            "logistic": Option("Logistic regression", "on standardized columns."),
            "mlp": Option(
                "MLP (two hidden layers)",
                "two hidden layers, tanh and ReLU, standardized by its training rows alone.",
            ),
        },
    )
    counterparts: str = one_of(
        "true",
        "Known anchors",
        "Anchors known in the head's space: all of them, or the first 15. Anchor optimization discovers the "
        "rest, separately in each run.",
        {"true": Option("Known"), "bootstrap": Option("15 known, the rest bootstrapped")},
    )
    wide: bool = switch(
        False, "All encoders of the same rows", "Includes every loaded embedding that has the same rows."
    )
    item: int = number(-1, -1, 10_000_000, "Item", "Search, or select an item on the maps of Translate.")
    unpaired: bool = switch(
        False, "Ignore the pairing", "Ignores ids and row order, and searches for new correspondences."
    )
    de: Decoding = NO_DECODING
    se: Several = NO_SEVERAL

    @property
    def sources(self) -> Names:
        """What is on the shelf, with A and B before it where they are not."""
        others = (source for source in (self.a, self.b) if source not in self.shelf)
        return Names(tuple(dict.fromkeys((*others, *self.shelf)))[:MOST_NAMES])

    def used_on(self, page: str) -> Names:
        """What a page shows: spaces, or on the Decode page the images."""
        if page == "decode":
            return Names(filter(None, (self.de.data,)))
        if page == "several":
            return self.se.sources
        return self.sources if page == "stitch" and self.wide else Names((self.a, self.b))

    def shown_on(self, page: str) -> "View":
        """The same without what a page does not show of the shelf."""
        used = self.used_on(page)
        return self.with_changes(shelf=Names(source for source in self.shelf if source in used))

    def without_run(self) -> "View":
        """The same with the usual anchors in place of a run's, for two spaces that nothing matches."""
        return self.with_changes(method=View.method, run="") if self.method == "run" else self

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
            self.translate,
            self.delta,
            self.omega,
            self.decided_by,
            self.completion,
            self.length,
            self.used,
            self.back,
        )

    @property
    def direction(self) -> tuple[str, str]:
        """What names the source and the target of a translation."""
        return (self.b, self.a) if self.back else (self.a, self.b)

    @property
    def stitching_choices(self) -> StitchingChoices:
        """How heads are trained and met."""
        return StitchingChoices(self.head, self.counterparts, self.used or self.count, self.seed)

    @property
    def color_choices(self) -> ColorChoices:
        """What colors the maps."""
        return ColorChoices(self.color, self.clusters, self.k)

    def to_params(self) -> dict[str, str]:
        """The choices that differ from the defaults, as URL parameters."""
        return written(self) | written(self.ao) | written(self.de) | written(self.se)

    @staticmethod
    def from_params(params: Mapping[str, str]) -> tuple["View", list[Notice]]:
        """The view that URL parameters describe, and a notice of each that had to be ignored."""
        view, notices = read(View(), params)
        ao, of_run = read(NO_RUN, params)
        de, of_decoding = read(NO_DECODING, params)
        se, of_several = read(NO_SEVERAL, params)
        return replace(view, ao=ao, de=de, se=se), [*notices, *of_run, *of_decoding, *of_several]

"""The labels of choices on the pages, and texts from files inside Markdown and charts."""

import html
import re

from relviz.results.maps import PROJECTIONS as PROJECTIONS
from relviz.results.translation import TITLES
from relviz.state.labels import FITS as FITS
from relviz.state.labels import MEASURES as MEASURES
from relviz.state.labels import METHODS as METHODS
from relviz.state.labels import SIMILARITIES as SIMILARITIES
from relviz.state.labels import SOLVERS as SOLVERS
from relviz.translation import METHODS as TRANSLATION

METHODS_HELP = """How anchors are selected from the rows of A.
- **Uniform**: at random.
- **Farthest point**: each as far as possible from those selected before it.
- **k-means**: the row nearest to each cluster's center.
- **Most frequent**: at random among the first rows. Word files are sorted by frequency.
- **Per class**: equally many from each class.
- **By hand**: the items you choose on this page.
- **From anchor optimization**: rows of A, and the counterparts that a run on the Bootstrap page
  found for them in B."""
ROWS_HELP = """Anchor optimization finds free points in B. On: each is replaced
by its nearest item."""

SOLVERS_HELP = """How anchors are discovered in B.
- **Annealed**: soft matches that sharpen while a rotation of growing rank is fitted to them. Works from a
  handful of known pairs, and without any.
- **Adam (Cannistraci et al. 2023)**: hard matches and gradient steps on all anchors.
- **Adam, warm start**: the same, with the known pairs held fixed and the first matches
  computed from them alone."""
SEEDINGS = {"uniform": "At random", "per_class": "Per class", "hand": "By hand", "none": "None"}
SEEDINGS_HELP = """A known pair is an item whose counterpart in B is given.
- **At random**, **per class**: sampled among the anchors.
- **By hand**: items you select on the map.
- **None**: no pair is given. Only the annealed method works without any."""
BESIDES = {
    "nothing": "Nothing",
    "paper": "Adam (Cannistraci et al. 2023)",
    "warm": "Adam, warm start",
    "annealed": "Annealed",
    "few": "5 known pairs (15 if this run has 5)",
    "none": "No known pairs",
    "again": "Next solver seed",
}
BESIDES_HELP = "Starts a second run that differs only in what you choose here."

TRANSLATORS = TITLES
TRANSLATORS_HELP = "\n".join(
    [
        "How vectors are translated into the other space, using the anchors alone.",
        *(f"- **{method.title}**: {method.says}." for method in TRANSLATION.values()),
    ]
)
PARTS = {
    "translate": "Translate",
    "heads": "Heads",
    "sweep": "δ × ω",
    "probe": "Probe",
    "scale": "Scale",
}
DECODE_PARTS = {
    "swap": "Swap",
    "draw": "Draw",
    "slide": "Sliders",
    "between": "Between",
    "spaces": "Latent spaces",
    "tables": "Tables of the paper",
}
HEADS = {"logistic": "Logistic regression", "mlp": "MLP (as in the paper)"}
HEADS_HELP = """The classifier. It is trained on one encoder's vectors only.
- **Logistic regression**, on standardized columns.
- **MLP**: two hidden layers, tanh and ReLU, as in arXiv 2406.15057, but standardized by its
  training rows alone."""
PARTNERS = {"true": "Known", "bootstrap": "15 known, the rest bootstrapped"}
PARTNERS_HELP = """How the anchors of the head's space are known. Either all are known, or anchor optimization
discovers the rest from the first 15, anew in each run."""
DECIDED_BY = {"both": "Both spaces", "source": "Source", "target": "Target"}
DECIDED_BY_HELP = "Space whose distances decide which anchors are too close to each other."

SIMILARITIES_HELP = """Each coordinate of a relative representation is the item's similarity to one anchor.
Cosine is invariant to rotation, reflection and rescaling."""

PROJECTIONS_HELP = """How each space is projected to two dimensions.
- **PCA**: the two directions of largest variance.
- **t-SNE**, **UMAP**: layouts that preserve neighborhoods. They take longer and run on demand.
- **First two dimensions**: no projection."""

COLORS = {
    "class": "Class",
    "cluster_a": "Clusters in A",
    "cluster_b": "Clusters in B",
    "agreement": "Agreement",
    "similarity_a": "Similarity in A",
    "similarity_b": "Similarity in B",
}
COLORS_HELP = """Color encoding.
- **Class**: the class of each item. More than 20 numeric classes give a continuous scale.
- **Clusters in A**, **in B**: k-means on that encoder's centered unit vectors, in the original
  dimensions. A cluster that is scattered in the other space is not represented there.
- **Agreement**: overlap of the item's nearest neighbors in A and in B, in the original dimensions
  (Jaccard, the item itself not counted).
- **Similarity in A**, **in B**: cosine similarity to the item you click, in that space's original
  dimensions."""

FITS_HELP = """How the two maps of a row are fitted.
- **Same for both rows**: fitted on A and applied to B for PCA, fitted jointly for t-SNE and UMAP. Absolute
  spaces of different dimensions are fitted separately.
- **Fitted on A, applied to B**: needs the same dimension.
- **Fitted jointly**: one fit on the rows of both. Needs the same dimension.
- **Fitted separately**: the two maps have no common axes.
- **Procrustes**: fitted separately, then B is rotated, reflected, shifted and rescaled onto A. A residual
  of 0 is a perfect fit."""

MEASURES_HELP = {
    "jaccard": "Overlap of the k nearest neighbors in B of an item and of its counterpart in A.",
    "mrr_at_k": "Mean of 1/rank of the counterpart among all items of the other space. 0 beyond rank k.",
    "mrr": "The same without the cutoff at k.",
    "cosine": "Mean cosine similarity of counterparts.",
    "top1": "Share of items whose nearest item in the other space is their counterpart (top-1 retrieval).",
}


_MARKUP = re.compile(r"[\\`*_\[\]<>$~#|]|:(?=[\w+-])")


def verbatim(text: object) -> str:
    """Markdown that shows a text letter by letter, on one line: no picture, link or formula comes of it.

    >>> verbatim("![x](http://example.org) costs $1")
    '!\\\\[x\\\\](http://example.org) costs \\\\$1'
    """
    return _MARKUP.sub(r"\\\g<0>", " ".join(str(text).split()))


def in_figure(text: object) -> str:
    """A text as plotly shows it letter by letter: no tag in it is one.

    >>> in_figure("<b>bold")
    '&lt;b&gt;bold'
    """
    return html.escape(str(text), quote=False)

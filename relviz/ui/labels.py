"""The labels of choices on the pages, and texts from files inside Markdown and charts."""

import html
import re

from relviz.results.maps import PROJECTIONS as PROJECTIONS
from relviz.results.translation import TITLES
from relviz.state.labels import FITS as FITS
from relviz.state.labels import MEASURES as MEASURES
from relviz.state.labels import METHODS as METHODS
from relviz.state.labels import SIMILARITIES as SIMILARITIES

METHODS_HELP = """How anchors are drawn from the rows of A.
- **Uniform**: at random.
- **Farthest point**: each as far as possible from those before it.
- **k-means**: the row nearest to each cluster's center.
- **Most frequent**: at random among the first rows (word files are ordered by frequency).
- **Per class**: as many from each class.
- **By hand**: the items you choose on this page.
- **From anchor optimization**: those of a run on the Bootstrap page: rows of A, and what it found for them
  in B."""
ROWS_HELP = """Anchor optimization finds points in B that need not be any item. On: the nearest item stands in
for each of them."""

SOLVERS = {
    "annealed": "Annealed",
    "adam": "The paper's, to the letter",
    "adam_warm": "The paper's, warm start",
}
SOLVERS_HELP = """How the anchors are looked for in B.
- **Annealed**: soft matches that sharpen while a rotation of growing rank is fitted to them; works from a
  handful of seeds, and without any.
- **The paper's, to the letter**: hard matches, gradient steps on all anchors (Cannistraci et al. 2023).
- **The paper's, warm start**: the same with the seeds held fast and the first matches from them alone."""
SEEDINGS = {"uniform": "At random", "per_class": "Per class", "hand": "By hand", "none": "None"}
SEEDINGS_HELP = """A seed is an item whose partner in B is given.
- **At random**, **per class**: among the anchors.
- **By hand**: items you select on the map.
- **None**: nothing is given; only the annealed method can do that."""
BESIDES = {
    "nothing": "Nothing",
    "paper": "The paper's method",
    "warm": "The paper's, warm start",
    "annealed": "The annealed method",
    "few": "5 seeds (15 if these are 5)",
    "none": "No seeds",
    "again": "The next solver seed",
}
BESIDES_HELP = "A second run beside this one, alike in all but what you choose here. Run starts both."

TRANSLATORS = TITLES | {"irp": "IRP, as the paper writes it"}
TRANSLATORS_HELP = """How a vector is carried into the other space, told by the anchors alone.
- **IRP**: its similarities to the anchors, and back by the inverse of the anchors over there; anchors are
  pruned and completed, several prunings averaged (arXiv 2406.15057).
- **IRP+**: the same with a regularized inverse, its strength chosen by leaving anchors out.
- **Procrustes**: the rotation that fits the anchors best. **Least squares**, **ridge**, **affine**: linear
  maps fitted to them.
- **Nothing**: the vector as it is, for control."""
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
HEADS = {"logistic": "Logistic regression", "mlp": "MLP, the paper's shape"}
HEADS_HELP = """What decides on a class. It is trained on one encoder's vectors and never on another's.
- **Logistic regression**, on standardized columns.
- **MLP**: two hidden layers, tanh and ReLU, as in arXiv 2406.15057, but standardized by its training rows
  alone."""
PARTNERS = {"true": "Known", "bootstrap": "15 known, the others bootstrapped"}
PARTNERS_HELP = """How the anchors of the head's space are known: all of them, or found by anchor
optimization from the first 15, in each draw anew (that takes a while)."""
DECIDED_BY = {"both": "Both spaces", "source": "The source", "target": "The target"}
DECIDED_BY_HELP = "Whose distances decide which anchors are too near to each other."

SIMILARITIES_HELP = """A coordinate of a relative representation is this, between the item and one anchor.
Cosine does not change when a space is rotated, reflected or rescaled."""

PROJECTIONS_HELP = """How each space is drawn in the plane.
- **PCA**: the two directions along which the rows differ most.
- **t-SNE**, **UMAP**: layouts that keep neighbors together; they take a while and are run on demand.
- **First two dimensions**: as they are."""

COLORS = {
    "class": "Class",
    "cluster_a": "Clusters in A",
    "cluster_b": "Clusters in B",
    "agreement": "Agreement",
    "similarity_a": "Similarity in A",
    "similarity_b": "Similarity in B",
}
COLORS_HELP = """What color says.
- **Class**: the class of each item; where the classes are more than 20 different numbers, a scale.
- **Clusters in A**, **in B**: k-means on the vectors of that encoder, centered and of unit length, in the
  original dimensions. A cluster of one encoder that lies scattered in the other is one it does not see.
- **Agreement**: of the item's nearest neighbors in A and in B, in the original dimensions, how many are
  the same (Jaccard, the item itself not counted).
- **Similarity in A**, **in B**: cosine to the item you click, in the original dimensions of that space."""

FITS_HELP = """How the two maps of a row are made.
- **Same for both rows**: B in A's axes for PCA, both together for t-SNE and UMAP; absolute spaces of
  different dimensions have no common axes and are mapped each alone.
- **B in A's axes**: fitted on A, and B drawn through it; needs the same dimension.
- **Both together**: one fit on the rows of both; needs the same dimension.
- **Each alone**: nothing makes the two maps comparable.
- **B turned onto A**: each alone, then B rotated, reflected, shifted and rescaled to lie on A as well as it
  can. The residual says how well (0 is perfect)."""

MEASURES_HELP = {
    "jaccard": "Overlap of the k nearest neighbors in B of an item and of its counterpart in A.",
    "mrr_at_k": "Mean of 1 / rank of the counterpart among all items of the other space; 0 beyond rank k.",
    "mrr": "The same without the cut at k.",
    "cosine": "Mean cosine similarity of counterparts.",
    "top1": "Share of items whose nearest item in the other space is their counterpart.",
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

"""The labels of options and metrics, as captions, tables and pages have them."""

from relviz.state.run_choices import Run
from relviz.state.view import View

METHODS = View.labels("method")
SIMILARITIES = View.labels("similarity")
PROJECTIONS = View.labels("projection")
SPACES = View.labels("spaces")
FITS = View.labels("fit_absolute")
TRANSLATIONS = View.labels("translate")
SOLVERS = Run.labels("method")

MEASURES = {
    "jaccard": "Jaccard",
    "mrr_at_k": "MRR@k",
    "mrr": "MRR",
    "cosine": "Cosine",
    "top1": "Top-1",
}
MEASURES_HELP = {
    "jaccard": "Overlap of the k nearest neighbors in B of an item and of its counterpart in A.",
    "mrr_at_k": "Mean of 1/rank of the counterpart among all items of the other space. 0 beyond rank k.",
    "mrr": "The same without the cutoff at k.",
    "cosine": "Mean cosine similarity of counterparts.",
    "top1": "Share of items whose nearest item in the other space is their counterpart (top-1 retrieval).",
}

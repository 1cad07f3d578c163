"""The names of choices as captions and pages say them."""

METHODS = {
    "uniform": "Uniform",
    "fps": "Farthest point",
    "kmeans": "k-means",
    "top": "Most frequent",
    "per_class": "Per class",
    "hand": "By hand",
    "run": "From anchor optimization",
}

SIMILARITIES = {
    "cosine": "Cosine",
    "inner": "Inner product",
    "euclidean": "Euclidean distance",
    "l1": "L1 distance",
    "angular": "Angle / π",
}

FITS = {
    "auto": "Same for both rows",
    "first": "Fitted on A, applied to B",
    "joint": "Fitted jointly",
    "independent": "Fitted separately",
    "procrustes": "Procrustes (B onto A)",
}

MEASURES = {
    "jaccard": "Jaccard",
    "mrr_at_k": "MRR@k",
    "mrr": "MRR",
    "cosine": "Cosine",
    "top1": "Top-1",
}
SOLVERS = {
    "annealed": "Annealed",
    "adam": "Adam (Cannistraci et al. 2023)",
    "adam_warm": "Adam, warm start",
}

"""Every kind of figure, by the name that a recipe gives it."""

from relviz.figures.kind import Kind
from relviz.figures.kinds import (
    autoencoders,
    bootstrap,
    drawing,
    heads,
    maps,
    probe,
    rescaling,
    retrieval,
    self_similarity,
    stitching,
    tables,
    training,
)
from relviz.figures.kinds import (
    maps as landing,
)

KINDS: dict[str, Kind] = {
    "maps": maps.MAPS,
    "anchors": landing.ANCHORS,
    "anchor_curve": retrieval.ANCHORS,
    "choice": retrieval.SELECTION,
    "series": retrieval.SERIES,
    "measures": tables.MEASURED,
    "run": bootstrap.RUN_CURVES,
    "found": bootstrap.ANCHORS_FOUND,
    "correspondences": bootstrap.CORRESPONDENCES,
    "retrieval": tables.RETRIEVAL,
    "self_similarity": self_similarity.SELF_SIMILARITY,
    "landing": landing.LANDING,
    "translation": tables.TRANSLATION,
    "probe": probe.PROBE,
    "matrix": stitching.MATRIX,
    "heads": heads.HEADS,
    "heads_by_anchors": heads.BY_ANCHORS,
    "confusion": stitching.CONFUSION,
    "sweep": stitching.SWEEP,
    "anchor_sweep": stitching.ANCHOR_SWEEP,
    "scale": rescaling.SCALE,
    "layers": rescaling.LAYERS,
    "pairs": tables.PAIRS,
    "swap": autoencoders.SWAP,
    "between": autoencoders.BETWEEN,
    "drawn": drawing.DRAWN,
    "slid": drawing.SLID,
    "latents": autoencoders.LATENTS,
    "mse": training.MSE,
    "accuracy": training.ACCURACY,
    "likeness": training.LIKENESS,
}

"""Every kind of figure, by the name that a recipe gives it."""

from relviz.view.figure import curves, decoding, found, landing, latents, maps, run, scale, stitch, tables
from relviz.view.figure.content import Kind

KINDS: dict[str, Kind] = {
    "maps": maps.KIND,
    "anchors": landing.ANCHORS,
    "anchor_curve": curves.ANCHORS,
    "series": curves.SERIES,
    "measures": tables.MEASURED,
    "run": run.KIND,
    "found": found.KIND,
    "retrieval": tables.RETRIEVAL,
    "landing": landing.LANDING,
    "translation": tables.TRANSLATION,
    "probe": tables.PROBE,
    "matrix": stitch.MATRIX,
    "confusion": stitch.CONFUSION,
    "sweep": stitch.SWEEP,
    "scale": scale.SCALE,
    "layers": scale.LAYERS,
    "pairs": tables.PAIRS,
    "swap": decoding.SWAP,
    "between": decoding.BETWEEN,
    "latents": latents.LATENTS,
}

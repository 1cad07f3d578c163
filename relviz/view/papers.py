"""What the papers report in their retrieval tables, for reading beside our own."""

from dataclasses import dataclass

Figures = tuple[float, float, float]
"""Jaccard, MRR and cosine, at k = 10."""


@dataclass(frozen=True)
class Quoted:
    """A line of a table in a paper; ``y_to_x`` is None where one direction is quoted."""

    source: str
    spaces: str
    anchors: str
    x_to_y: Figures
    y_to_x: Figures | None = None


_WORDS = "FastText / Word2Vec, 20 000 words"
_IMAGES = "ViT-B / ViT-S, CIFAR-10"
RR_1, AO_4, AO_7 = "RR table 1", "AO table 4", "AO table 7"

QUOTED = (
    Quoted(RR_1, _WORDS, "absolute", (0.00, 0.00, 0.01)),
    Quoted(RR_1, _WORDS, "true anchors", (0.34, 0.94, 0.86), (0.39, 0.98, 0.86)),
    Quoted(AO_4, _WORDS, "15 seeds only", (0.06, 0.11, 0.85)),
    Quoted(AO_4, _WORDS, "AO, 15 seeds", (0.52, 0.99, 0.94), (0.50, 0.99, 0.94)),
    Quoted(AO_7, _IMAGES, "true anchors", (0.11, 0.27, 0.97)),
    Quoted(AO_7, _IMAGES, "15 seeds only", (0.03, 0.03, 0.97)),
    Quoted(AO_7, _IMAGES, "AO, 15 seeds", (0.10, 0.23, 0.97)),
)
"""RR: Moschella et al. 2023 (arXiv 2209.15430). AO: Cannistraci et al. 2023 (arXiv 2303.00721)."""

DIFFERENT = (
    "Other data and other encoders: the papers compare FastText with Word2Vec on 20 000 words, and ViT-B "
    "with ViT-S on CIFAR-10. Their figures say what to expect of the method, not of this pair.",
    "The papers count all items as queries, anchors included. Here queries are held-out items, unless "
    "“As the papers count” is on.",
    "Here both spaces are centered on their means first.",
    "The paper makes each optimised anchor its nearest row at the end; here the points themselves are "
    "measured, and the nearest rows on a line of their own.",
    "Procrustes, the fit to all true pairs, the full ranking, the matches and the verdict are not in the "
    "papers.",
)
"""What differs between our table and theirs."""

"""Translation through anchors: inverse relative projection, and the linear maps it is held against."""

from relviz.translate.fitted import Translator
from relviz.translate.options import LENGTHS, METHODS, Options
from relviz.translate.pairs import AnchorPairs, Framed, anchor_pairs
from relviz.translate.pruning import DECIDED_BY
from relviz.translate.translator import fit_translator, translator

__all__ = [
    "DECIDED_BY",
    "LENGTHS",
    "METHODS",
    "AnchorPairs",
    "Framed",
    "Options",
    "Translator",
    "anchor_pairs",
    "fit_translator",
    "translator",
]

"""Translation through anchors: inverse relative projection, and the linear maps it is held against."""

from relviz.translation.fitted import Affine, Chain, Translator, load_translator
from relviz.translation.irp import DECIDED_BY
from relviz.translation.methods import METHODS, TRANSLATORS, TranslationMethod
from relviz.translation.options import LENGTHS, LITERAL, Options, Reading
from relviz.translation.pairs import AnchorPairs, Framed, anchor_pairs
from relviz.translation.translator import fit_translator, translator

__all__ = [
    "DECIDED_BY",
    "LENGTHS",
    "LITERAL",
    "METHODS",
    "TRANSLATORS",
    "Affine",
    "AnchorPairs",
    "Chain",
    "Framed",
    "Options",
    "Reading",
    "TranslationMethod",
    "Translator",
    "anchor_pairs",
    "fit_translator",
    "load_translator",
    "translator",
]

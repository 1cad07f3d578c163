"""How much two spaces agree: anchor retrieval and CKA, each with its level of chance or control."""

from relviz.measure.agreement import Agreement, agreement, nearest_others
from relviz.measure.anchored import anchor_curve, anchor_retrieval
from relviz.measure.chance import chance_jaccard
from relviz.measure.cka import cka
from relviz.measure.pairing import PairingTest, pairing_test
from relviz.measure.queries import held_out
from relviz.measure.retrieval import METRICS, Null, Retrieval, retrieval
from relviz.measure.self_similarity import self_similarity_correlation
from relviz.measure.table import RetrievalTable, Runs
from relviz.measure.translation import SCORES, Shuffled, TranslationScores, translation_scores

__all__ = [
    "METRICS",
    "SCORES",
    "Agreement",
    "Null",
    "PairingTest",
    "Retrieval",
    "RetrievalTable",
    "Runs",
    "Shuffled",
    "TranslationScores",
    "agreement",
    "anchor_curve",
    "anchor_retrieval",
    "chance_jaccard",
    "cka",
    "held_out",
    "nearest_others",
    "pairing_test",
    "retrieval",
    "self_similarity_correlation",
    "translation_scores",
]

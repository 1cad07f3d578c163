"""How much two spaces agree: anchor retrieval and CKA, each with its level of chance or control."""

from relviz.measure.agreement import Agreement, agreement, chance_jaccard, nearest_others
from relviz.measure.anchored import anchor_curve, anchor_retrieval
from relviz.measure.cka import cka
from relviz.measure.retrieval import METRICS, Retrieval, retrieval
from relviz.measure.table import RetrievalTable, Runs

__all__ = [
    "METRICS",
    "Agreement",
    "Retrieval",
    "RetrievalTable",
    "Runs",
    "agreement",
    "anchor_curve",
    "anchor_retrieval",
    "chance_jaccard",
    "cka",
    "nearest_others",
    "retrieval",
]

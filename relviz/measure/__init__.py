"""How much two spaces agree: anchor retrieval and CKA, each with its level of chance or control."""

from relviz.measure.anchored import anchor_curve, anchor_retrieval
from relviz.measure.cka import cka
from relviz.measure.retrieval import METRICS, Retrieval, retrieval
from relviz.measure.table import RetrievalTable, Runs

__all__ = [
    "METRICS",
    "Retrieval",
    "RetrievalTable",
    "Runs",
    "anchor_curve",
    "anchor_retrieval",
    "cka",
    "retrieval",
]

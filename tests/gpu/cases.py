"""All kinds of comparisons, by name."""

from collections.abc import Callable, Iterable

from tests.gpu import kernels, measures, networks, solvers, stitched
from tests.gpu.case import Case

KINDS: dict[str, Callable[[bool], Iterable[Case]]] = {
    "kernels": kernels.cases,
    "relative": measures.relative,
    "anchors": measures.anchors,
    "retrieval": measures.retrieval,
    "cka": measures.cka,
    "projections": measures.projections,
    "solvers": solvers.cases,
    "translators": stitched.translators,
    "stitching": stitched.stitching,
    "training": networks.training,
    "encoders": networks.encoders,
}
"""What is compared, in the order of the table; each gives its cases, small or as large as they are in use."""

"""What the documented library call gives for the numbers of a kind of figure, on rows that are held out.

``CHECKS`` has a function for each kind: of the view, the options and the content of a figure, it yields what
a number is, the figure's, and the library's. ``tests.benchmarks.shipped_numbers`` and
``tests/figures/test_by_the_library.py`` compare them.
"""

from collections.abc import Mapping

from tests.benchmarks.library_calls import heads, images, retrieval, runs, translation
from tests.benchmarks.library_calls.compared import Check

CHECKS: Mapping[str, Check] = {
    "measures": retrieval.retrieval,
    "choice": retrieval.retrieval,
    "anchor_curve": retrieval.curve,
    "series": retrieval.series,
    "self_similarity": retrieval.self_similarity,
    "maps": retrieval.maps,
    "vector": retrieval.vector,
    "pairs": retrieval.pairs,
    "disagreement": retrieval.disagreement,
    "translation": translation.translation,
    "landing": translation.landing,
    "way": translation.way,
    "probe": translation.probe,
    "run": runs.run,
    "found": runs.found_anchors,
    "run_maps": runs.run_maps,
    "retrieval": runs.bootstrap_table,
    "matrix": heads.heads,
    "heads": heads.heads,
    "heads_by_anchors": heads.heads_by_anchors,
    "confusion": heads.confusion,
    "head_curve": heads.head_curve,
    "sweep": heads.swept,
    "sweep_correlation": heads.swept,
    "sweep_within": heads.swept_within,
    "anchor_sweep": heads.anchor_sweep,
    "scale": heads.scale,
    "layers": heads.layers,
    **images.CHECKS,
}
"""By kinds. What ``anchors``, ``correspondences``, ``drawn`` and ``slid`` show is in none of them."""

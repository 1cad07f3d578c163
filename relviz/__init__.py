"""relviz: see the latent spaces of two encoders become comparable.

The names below are the library's public face; everything works without Streamlit.
"""

from relviz.anchors import select_anchors
from relviz.bootstrapping import Bootstrap, bootstrap
from relviz.bootstrapping.table import BootstrapTable, bootstrap_table
from relviz.compute.version import RELEASE
from relviz.conditioning import AnchorReport, anchor_report
from relviz.demos import Demo, demo_names, load_demo
from relviz.errors import Error, PairingError, ParameterError, ReadError, ShapeError
from relviz.measure import (
    PairingTest,
    Retrieval,
    RetrievalTable,
    TranslationScores,
    anchor_curve,
    anchor_retrieval,
    cka,
    held_out,
    pairing_test,
    retrieval,
    translation_scores,
)
from relviz.pair import Audit, Pair, SideAudit
from relviz.projection import Projection, project
from relviz.quantize import quantize
from relviz.readers import load_space
from relviz.relative_projection import prepare, relative
from relviz.space import Space
from relviz.stitching import StitchTable, stitch
from relviz.translation import Translator, translator

__version__ = RELEASE

__all__ = [
    "AnchorReport",
    "Audit",
    "Bootstrap",
    "BootstrapTable",
    "Demo",
    "Error",
    "Pair",
    "PairingError",
    "PairingTest",
    "ParameterError",
    "Projection",
    "ReadError",
    "Retrieval",
    "RetrievalTable",
    "ShapeError",
    "SideAudit",
    "Space",
    "StitchTable",
    "TranslationScores",
    "Translator",
    "anchor_curve",
    "anchor_report",
    "anchor_retrieval",
    "bootstrap",
    "bootstrap_table",
    "cka",
    "demo_names",
    "held_out",
    "load_demo",
    "load_space",
    "pairing_test",
    "prepare",
    "project",
    "quantize",
    "relative",
    "retrieval",
    "select_anchors",
    "stitch",
    "translation_scores",
    "translator",
]

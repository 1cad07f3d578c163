"""relviz: see the latent spaces of two encoders become comparable.

The names below are the library's public face; everything works without Streamlit.
"""

from typing import TYPE_CHECKING

from relviz.anchors import select_anchors
from relviz.bootstrapping import AdamOptions, AnnealedOptions, Bootstrap, Hints, bootstrap
from relviz.bootstrapping.several import BootstrapAll, bootstrap_all
from relviz.bootstrapping.table import BootstrapTable, bootstrap_table
from relviz.compute.arrays import ArrayLike
from relviz.compute.version import RELEASE
from relviz.conditioning import AnchorReport, anchor_report
from relviz.demos import Demo, demo_names, load_demo
from relviz.errors import Error, PairingError, ParameterError, ReadError, ShapeError, Stopped
from relviz.frame import Frame
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
    self_similarity_correlation,
    translation_scores,
)
from relviz.names import (
    BOOTSTRAPS,
    FITS,
    HEADS,
    PROJECTIONS,
    SELECTORS,
    SIMILARITIES,
)
from relviz.pair import Audit, Pair, SideAudit
from relviz.projection import Projection, project
from relviz.quantize import quantize
from relviz.readers import load_space
from relviz.relative_projection import prepare, relative
from relviz.space import Space
from relviz.stitching import STITCHES, StitchTable, stitch
from relviz.translation import TRANSLATORS, Affine, Chain, Translator, load_translator, translator
from relviz.translation import Options as TranslatorOptions

if TYPE_CHECKING:
    from relviz.figures.figure import FIGURES, figure
    from relviz.figures.make import PrintFigure
    from relviz.figures.show import show

__version__ = RELEASE

__all__ = [
    "BOOTSTRAPS",
    "FIGURES",
    "FITS",
    "HEADS",
    "PROJECTIONS",
    "SELECTORS",
    "SIMILARITIES",
    "STITCHES",
    "TRANSLATORS",
    "AdamOptions",
    "Affine",
    "AnchorReport",
    "AnnealedOptions",
    "ArrayLike",
    "Audit",
    "Bootstrap",
    "BootstrapAll",
    "BootstrapTable",
    "Chain",
    "Demo",
    "Error",
    "Frame",
    "Hints",
    "Pair",
    "PairingError",
    "PairingTest",
    "ParameterError",
    "PrintFigure",
    "Projection",
    "ReadError",
    "Retrieval",
    "RetrievalTable",
    "ShapeError",
    "SideAudit",
    "Space",
    "StitchTable",
    "Stopped",
    "TranslationScores",
    "Translator",
    "TranslatorOptions",
    "anchor_curve",
    "anchor_report",
    "anchor_retrieval",
    "bootstrap",
    "bootstrap_all",
    "bootstrap_table",
    "cka",
    "demo_names",
    "figure",
    "held_out",
    "load_demo",
    "load_space",
    "load_translator",
    "pairing_test",
    "prepare",
    "project",
    "quantize",
    "relative",
    "retrieval",
    "select_anchors",
    "self_similarity_correlation",
    "show",
    "stitch",
    "translation_scores",
    "translator",
]


def __getattr__(name: str) -> object:
    """Names that need matplotlib, loaded when they are asked for."""
    if name in ("FIGURES", "PrintFigure", "figure"):
        from relviz.figures import figure as drawing

        return getattr(drawing, name)
    if name == "show":
        from relviz.figures.show import show

        return show
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")

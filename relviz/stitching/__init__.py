"""Stitching: a head trained in one encoder's space applied to another encoder, through anchors."""

from relviz.stitching.heads import HEADS, train_head
from relviz.stitching.matrix import METHODS, STITCHES, StitchStep, stitch
from relviz.stitching.rescaling import (
    ACTIVATIONS,
    Layered,
    LayerScale,
    LayerStep,
    Lengths,
    Rescaled,
    layer_rescale,
    lengths,
    rescale_injection,
)
from relviz.stitching.sweep import Sweep, SweepStep, sweep
from relviz.stitching.table import FIGURES, Cell, Run, StitchTable

__all__ = [
    "ACTIVATIONS",
    "FIGURES",
    "HEADS",
    "METHODS",
    "STITCHES",
    "Cell",
    "LayerScale",
    "LayerStep",
    "Layered",
    "Lengths",
    "Rescaled",
    "Run",
    "StitchStep",
    "StitchTable",
    "Sweep",
    "SweepStep",
    "layer_rescale",
    "lengths",
    "rescale_injection",
    "stitch",
    "sweep",
    "train_head",
]

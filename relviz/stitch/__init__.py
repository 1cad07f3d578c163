"""Stitching: a head trained in one encoder's space applied to another encoder, through anchors."""

from relviz.stitch.heads import HEADS, train_head
from relviz.stitch.layers import Layered, LayerScale, LayerStep, layer_rescale
from relviz.stitch.matrix import METHODS, StitchStep, stitch
from relviz.stitch.scale import ACTIVATIONS, Lengths, Rescaled, lengths, rescale_injection
from relviz.stitch.sweep import Sweep, SweepStep, sweep
from relviz.stitch.table import FIGURES, Cell, Run, StitchTable

__all__ = [
    "ACTIVATIONS",
    "FIGURES",
    "HEADS",
    "METHODS",
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

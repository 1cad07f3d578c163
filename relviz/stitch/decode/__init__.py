"""Decoders swapped: autoencoders trained on absolute or on relative codes, and stitched (RR section 5.1)."""

from relviz.stitch.decode.autoencoder import Autoencoder
from relviz.stitch.decode.carried import CARRIED, Digits, carried, demo_digits, recorded_mse
from relviz.stitch.decode.classifier import (
    AccuracyRow,
    EpochState,
    Labelled,
    accuracy_table,
    labelled,
    train_classifier,
)
from relviz.stitch.decode.curves import REFERENCE, Curve, Curves, small_runs, training_curves
from relviz.stitch.decode.images import anchor_rows, as_images, split_images
from relviz.stitch.decode.mse_table import OWN, STITCHED, MseCell, MseTable, TableStep, mse_table, table_of
from relviz.stitch.decode.options import CODES, KINDS, RATES, Options
from relviz.stitch.decode.small_images import SIDES, SmallImages, check_enough, drawn, small_images
from relviz.stitch.decode.swapping import grid, swap, swapped_codes
from relviz.stitch.decode.training import TrainStep, train

__all__ = [
    "CARRIED",
    "CODES",
    "KINDS",
    "OWN",
    "RATES",
    "REFERENCE",
    "SIDES",
    "STITCHED",
    "AccuracyRow",
    "Autoencoder",
    "Curve",
    "Curves",
    "Digits",
    "EpochState",
    "Labelled",
    "MseCell",
    "MseTable",
    "Options",
    "SmallImages",
    "TableStep",
    "TrainStep",
    "accuracy_table",
    "anchor_rows",
    "as_images",
    "carried",
    "check_enough",
    "demo_digits",
    "drawn",
    "grid",
    "labelled",
    "mse_table",
    "recorded_mse",
    "small_images",
    "small_runs",
    "split_images",
    "swap",
    "swapped_codes",
    "table_of",
    "train",
    "train_classifier",
    "training_curves",
]

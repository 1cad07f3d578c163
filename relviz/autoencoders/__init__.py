"""Decoder swap: autoencoders trained on absolute or on relative codes, and stitched (RR section 5.1)."""

from relviz.autoencoders.bundled import BUNDLED, Digits, bundled_autoencoder, demo_digits, recorded_mse
from relviz.autoencoders.classifier import (
    AccuracyRow,
    EpochState,
    Labeled,
    accuracy_table,
    labeled,
    train_classifier,
)
from relviz.autoencoders.curves import REFERENCE, Curve, Curves, small_runs, training_curves
from relviz.autoencoders.images import (
    SIDES,
    SmallImages,
    anchor_rows,
    as_images,
    check_enough,
    drawn,
    small_images,
    split_images,
)
from relviz.autoencoders.model import CODES, KINDS, RATES, Autoencoder, Options, Weights
from relviz.autoencoders.swap import (
    OWN,
    STITCHED,
    MseCell,
    MseTable,
    TableStep,
    grid,
    mse_table,
    swap,
    swapped_codes,
    table_of,
)
from relviz.autoencoders.training import TrainStep, train
from relviz.autoencoders.unpaired import LatentMatch, match_latents

__all__ = [
    "BUNDLED",
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
    "Labeled",
    "LatentMatch",
    "MseCell",
    "MseTable",
    "Options",
    "SmallImages",
    "TableStep",
    "TrainStep",
    "Weights",
    "accuracy_table",
    "anchor_rows",
    "as_images",
    "bundled_autoencoder",
    "check_enough",
    "demo_digits",
    "drawn",
    "grid",
    "labeled",
    "match_latents",
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

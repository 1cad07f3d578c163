"""Decoders swapped: autoencoders trained on absolute or on relative codes, and stitched (RR section 5.1)."""

from relviz.stitch.decode.autoencoder import Autoencoder
from relviz.stitch.decode.carried import CARRIED, Digits, carried, demo_digits, recorded_mse
from relviz.stitch.decode.images import anchor_rows, as_images, split_images
from relviz.stitch.decode.options import CODES, KINDS, Options
from relviz.stitch.decode.small_images import SmallImages, drawn, small_images
from relviz.stitch.decode.swapping import grid, swap, swapped_codes
from relviz.stitch.decode.training import TrainStep, train

__all__ = [
    "CARRIED",
    "CODES",
    "KINDS",
    "Autoencoder",
    "Digits",
    "Options",
    "SmallImages",
    "TrainStep",
    "anchor_rows",
    "as_images",
    "carried",
    "demo_digits",
    "drawn",
    "grid",
    "recorded_mse",
    "small_images",
    "split_images",
    "swap",
    "swapped_codes",
    "train",
]

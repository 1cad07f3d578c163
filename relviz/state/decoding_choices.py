"""The choices of the Decode page."""

from dataclasses import dataclass
from typing import ClassVar

from relviz.state.choice import Choices, Option, number, one_of, picked_rows, text


@dataclass(frozen=True)
class Decoding(Choices):
    """Two autoencoders that differ in nothing but the seed ``one`` and ``other``, and what is looked at.

    Attributes
    ----------
    part
        Of the page.
    data
        The images: what ``relviz.state.image_sets`` calls them, the handwritten digits if it is empty.
    kind, latent
        Of both (see ``relviz.autoencoders.Options``).
    anchors
        How many images are anchors; 0 for as many as the bundled ones have.
    codes
        What the decoder is fed, in the parts that show one kind of code at a time.
    images
        Rows of the test images that are swapped; the first of each class where there are none.
    image, end
        The one that is slid, and the one that is gone to.
    """

    prefix: ClassVar[str] = "de_"

    part: str = one_of(
        "swap",
        "Section",
        "What the page shows.",
        {
            "swap": Option("Swap"),
            "draw": Option("Draw"),
            "slide": Option("Sliders"),
            "between": Option("Interpolation"),
            "unpaired": Option("No known pairs"),
            "spaces": Option("Latent spaces"),
            "tables": Option("Tables of the paper"),
        },
    )
    data: str = text("", "Images", "The images that train the autoencoders and test them.")
    kind: str = one_of(
        "ae",
        "Kind",
        "Both models are of this kind.",
        {"ae": Option("Autoencoder"), "vae": Option("Variational autoencoder")},
    )
    latent: int = number(
        64, 2, 512, "Latent dimensions", "2 dimensions can be plotted; more reconstruct more detail."
    )
    anchors: int = number(
        0,
        0,
        1000,
        "Anchors (0 = default)",
        "Number of anchor images. Default: 64, or as in the bundled models.",
    )
    codes: str = one_of(
        "relative",
        "Codes",
        "Relative: cosine similarities to the latents of the same anchors.",
        {"relative": Option("Relative"), "absolute": Option("Absolute")},
    )
    one: int = number(0, 0, 99, "Seed, model 1", "Seed of the training.")
    other: int = number(1, 0, 99, "Seed, model 2", "The models differ only in their seed.")
    images: tuple[int, ...] = picked_rows("Test images", "Images to swap. Default: the first of each class.")
    image: int = number(0, 0, 9999, "Image", "A test image.")
    end: int = number(1, 0, 9999, "Interpolate to", "Another test image.")

"""One picture of someone else's, made into pixels in a process of its own."""

import numpy as np
from numpy.typing import NDArray

from relviz.readers.confined import ask, private_folder
from relviz.readers.limits import DEFAULT_LIMITS
from relviz.readers.pixels import PICTURE_FILE, checked_bytes
from relviz.readers.source import no_room


def picture_pixels(content: bytes, side: int) -> NDArray[np.uint8]:
    """A picture's file as ``(side, side, 3)`` pixels; see ``as_pixels``.

    Raises
    ------
    ReadError
        If it is no picture that can be read.
    """
    raw = checked_bytes(content)
    with private_folder() as folder:
        try:
            (folder / PICTURE_FILE).write_bytes(raw)
        except OSError as reason:
            raise no_room("The image", reason) from None
        task = "relviz.readers.pixels:leave_pixels"
        ask(task, {"side": side}, folder, "The image", len(raw), DEFAULT_LIMITS)
        pixels: NDArray[np.uint8] = np.load(folder / f"{PICTURE_FILE}.npy", allow_pickle=False)
        return pixels

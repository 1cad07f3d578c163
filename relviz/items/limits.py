"""How much of what encoders are given may be read. Sizes are held against these before memory is taken."""

from dataclasses import dataclass

from relviz.errors import ReadError
from relviz.readers import messages
from relviz.readers.limits import Limits

TEXT_LIMITS = Limits(memory=2**30, file=2**30, rows=1_000_000)
"""For texts: 1 GiB of a file, a million texts of 10,000 characters at the most."""

_FEW_PIXELS = 128_000_000
_SMALL_BYTES = 64 * 2**20
"""A zip that unpacks to no more than this may shrink as it likes."""


@dataclass(frozen=True)
class PictureLimits(Limits):
    """Ceilings on a collection of pictures, over those on one file.

    Parameters
    ----------
    memory
        Bytes of all pictures together, as they lie in their files.
    file
        Bytes of a .zip.
    rows
        Pictures.
    members
        Files of a .zip or a folder, pictures or not.
    directory
        Bytes of the list of members that ends a .zip.
    ratio
        How many times its own size a .zip may unpack to. Pictures hardly shrink.
    pixels
        Pixels of all pictures together: what they cost to decode.
    pixels_a_byte
        How many of them a byte of their files may give, if that is over 128,000,000. Photos have about ten.
    """

    memory: int = 2 * 2**30
    file: int = 2 * 2**30
    rows: int = 100_000
    members: int = 200_000
    directory: int = 32 * 2**20
    ratio: int = 200
    pixels: int = 20_000_000_000
    pixels_a_byte: int = 50
    seconds: int = 600

    def check_members(self, members: int, what: str) -> None:
        """Raise ReadError unless so many files may be looked at."""
        if members > self.members:
            raise ReadError(
                f"{what} holds more than {messages.count(self.members)} files, which is the limit. Keep "
                f"fewer, or give {self.with_limit('members', members)}."
            )

    def check_directory(self, length: int, what: str) -> None:
        """Raise ReadError unless a .zip may list its members in so many bytes."""
        if length > self.directory:
            raise ReadError(
                f"{what} lists its files in {messages.size(length)} and the limit is "
                f"{messages.size(self.directory)}. Keep fewer files, or give "
                f"{self.with_limit('directory', length)}."
            )

    def check_ratio(self, unpacked: int, packed: int, what: str) -> None:
        """Raise ReadError if a .zip unpacks to far more than pictures can."""
        if unpacked > max(_SMALL_BYTES, self.ratio * packed):
            raise ReadError(
                f"{what} takes {messages.size(packed)} and its images say that they unpack to "
                f"{messages.size(unpacked)}, more than {messages.count(self.ratio)} times that: it is "
                "damaged or malicious. If it is sound, give "
                f"{self.with_limit('ratio', unpacked // packed + 1)}."
            )

    def check_pixels(self, pixels: int, nbytes: int, what: str) -> None:
        """Raise ReadError unless so many pixels may be decoded, of files of so many bytes."""
        if pixels > max(_FEW_PIXELS, self.pixels_a_byte * nbytes):
            raise ReadError(
                f"The images of {what} have more than {messages.count(pixels)} pixels in "
                f"{messages.size(nbytes)}, over {self.pixels_a_byte} for each byte: they are blank or "
                f"malicious. Make them smaller, keep fewer, or give {self.with_limit('pixels_a_byte', 1000)}."
            )
        if pixels > self.pixels:
            raise ReadError(
                f"The images of {what} have more than {messages.count(self.pixels)} pixels in total. Make "
                f"them smaller, keep fewer, or give {self.with_limit('pixels', 2 * pixels)}."
            )


PICTURE_LIMITS = PictureLimits()

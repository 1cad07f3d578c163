"""Several NumPy arrays in one .npz: a zip of .npy members.

A zip says of itself how large its members are. Nothing is taken on that word: the directory's size,
the ratio and the array's header are checked first, and no more is unpacked than the header needs.
"""

import zipfile

from torch import Tensor

from relviz.errors import ReadError
from relviz.readers import npy, wording
from relviz.readers.choice import Holding
from relviz.readers.found import Part
from relviz.readers.limits import Limits
from relviz.readers.source import Source
from relviz.readers.zip_directory import find_directory

_DIRECTORY_BYTES = 4 * 2**20
"""Of the list of members, which zipfile loads as a whole: some 50 000 of them."""
_DEFLATE_RATIO = 1032
"""The most that deflate can shrink anything (zlib, technical details)."""


def survey(source: Source, limits: Limits) -> Holding:
    """What an .npz file holds."""
    _check_directory(source)
    archive = zipfile.ZipFile(source.file)
    members = {info.filename.removesuffix(".npy"): info for info in archive.infolist()}
    headers = {}
    other = []
    for name, info in members.items():
        if not info.filename.endswith(".npy"):
            other.append(Part(name, "other", (), "file", "is not an array"))
            continue
        what = f"{source.name}, array {wording.quote(name)}"
        _check_member(info, limits, what)
        with archive.open(info) as file:
            headers[name] = header = npy.read_header(file, what)
        if header.length + header.nbytes != info.file_size and not header.dtype.hasobject:
            raise ReadError(
                f"{what} declares {wording.shape(header.shape)} values of {header.dtype}, "
                f"{wording.count(header.nbytes)} bytes, but the zip gives it "
                f"{wording.count(max(0, info.file_size - header.length))}. It is damaged; save it again."
            )
    if not headers:
        raise ReadError(f"{source.name} holds no arrays; save them with np.savez(file, vectors=x).")

    def vectors(names: tuple[str, ...]) -> tuple[Tensor, tuple[str, ...]]:
        (name,) = names
        with archive.open(members[name]) as file:
            header = npy.read_header(file, name)
            return npy.read_numbers(file, header, f"{source.name}, array {wording.quote(name)}"), ()

    def texts(name: str) -> list[str]:
        what = f"{source.name}, array {wording.quote(name)}"
        with archive.open(members[name]) as file:
            return npy.read_texts(file, npy.read_header(file, what), limits, what)

    parts = [header.part(name) for name, header in headers.items()]
    return Holding("npz", (*parts, *other), vectors, texts)


def _check_directory(source: Source) -> None:
    length = find_directory(source).length
    if length > _DIRECTORY_BYTES:
        raise ReadError(
            f"{source.name} lists its members in {wording.size(length)}; an .npz takes "
            f"{wording.size(_DIRECTORY_BYTES)} at the most. Save fewer arrays."
        )


def _check_member(info: zipfile.ZipInfo, limits: Limits, what: str) -> None:
    if info.flag_bits & 1:
        raise ReadError(f"{what} is encrypted; save it again without a password.")
    if info.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        raise ReadError(f"{what} is packed in a way np.savez does not use; save it again with np.savez.")
    if info.file_size > _DEFLATE_RATIO * (info.compress_size + 1):
        raise ReadError(
            f"{what} declares {wording.size(info.file_size)} from {wording.size(info.compress_size)}, "
            f"more than {wording.count(_DEFLATE_RATIO)} times as much: it is damaged, or a trap."
        )
    limits.check_file(info.file_size, what)

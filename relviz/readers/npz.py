"""Several NumPy arrays in one .npz: a zip of .npy members.

A zip says of itself how large its members are. Nothing is taken on that word: the directory's size,
the ratio and the array's header are checked first, and no more is unpacked than the header needs.
"""

import zipfile
from dataclasses import dataclass

from relviz.errors import ReadError
from relviz.readers import messages, npy
from relviz.readers.choice import Holding
from relviz.readers.found import Part
from relviz.readers.limits import Limits
from relviz.readers.source import Source, Vectors

_END, _END64, _END64_LOCATOR = b"PK\x05\x06", b"PK\x06\x06", b"PK\x06\x07"
_END_BYTES, _END64_LOCATOR_BYTES, _END64_BYTES, _LONGEST_COMMENT = 22, 20, 56, 2**16
_MEMBER = b"PK\x01\x02"


@dataclass(frozen=True)
class Directory:
    """The list of members: where it ends, its bytes, and how many members it says it lists."""

    end: int
    length: int
    declared: int

    def listed(self, source: Source) -> int:
        """At least as many as the list can hold, whatever it says; none of them is parsed."""
        begin = max(0, self.end - self.length)
        return source.read(begin, self.end - begin).count(_MEMBER)


def find_directory(source: Source) -> Directory:
    """Find the list of members where zipfile will.

    Raises
    ------
    ReadError
        If there is none.
    """
    tail_start = max(0, source.size - _END_BYTES - _LONGEST_COMMENT)
    tail = source.read(tail_start, source.size - tail_start)
    at = tail.rfind(_END)
    if at < 0 or len(tail) < at + _END_BYTES:
        raise ReadError(
            f"{source.name} is truncated: the directory at the end of the zip is missing "
            f"({messages.plural(source.size, 'byte')}). Copy or save it again."
        )
    locator = at - _END64_LOCATOR_BYTES
    if tail[max(0, locator) : at].startswith(_END64_LOCATOR):
        start = tail_start + locator - _END64_BYTES
        record = source.read(start, _END64_BYTES) if start >= 0 else b""
        if record.startswith(_END64):
            return Directory(start, _number(record, 40, 8), _number(record, 32, 8))
    return Directory(tail_start + at, _number(tail, at + 12, 4), _number(tail, at + 10, 2))


def _number(raw: bytes | bytearray, at: int, length: int) -> int:
    return int.from_bytes(raw[at : at + length], "little")


_DIRECTORY_BYTES = 4 * 2**20
"""Of the list of members, which zipfile loads as a whole: some 50,000 of them."""
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
        what = f"{source.name}, array {messages.quote(name)}"
        _check_member(info, limits, what)
        with archive.open(info) as file:
            headers[name] = header = npy.read_header(file, what)
        if header.length + header.nbytes != info.file_size and not header.dtype.hasobject:
            raise ReadError(
                f"{what} declares {messages.shape(header.shape)} values of {header.dtype}, "
                f"{messages.count(header.nbytes)} bytes, but the zip gives it "
                f"{messages.count(max(0, info.file_size - header.length))}. It is damaged; save it again."
            )
    limits.check_ratio(sum(info.file_size for info in archive.infolist()), source.size, source.name)
    if not headers:
        raise ReadError(f"{source.name} holds no arrays; save them with np.savez(file, vectors=x).")

    def vectors(names: tuple[str, ...]) -> tuple[Vectors, tuple[str, ...]]:
        (name,) = names
        with archive.open(members[name]) as file:
            header = npy.read_header(file, name)
            return npy.read_numbers(source, file, header, f"{source.name}, array {messages.quote(name)}"), ()

    def texts(name: str) -> list[str]:
        what = f"{source.name}, array {messages.quote(name)}"
        with archive.open(members[name]) as file:
            return npy.read_texts(file, npy.read_header(file, what), limits, what)

    parts = [header.part(name) for name, header in headers.items()]
    return Holding("npz", (*parts, *other), vectors, texts)


def _check_directory(source: Source) -> None:
    length = find_directory(source).length
    if length > _DIRECTORY_BYTES:
        raise ReadError(
            f"{source.name} lists its members in {messages.size(length)}; an .npz takes "
            f"{messages.size(_DIRECTORY_BYTES)} at the most. Save fewer arrays."
        )


def _check_member(info: zipfile.ZipInfo, limits: Limits, what: str) -> None:
    if info.flag_bits & 1:
        raise ReadError(f"{what} is encrypted; save it again without a password.")
    if info.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        raise ReadError(f"{what} uses a compression that np.savez does not; save it again with np.savez.")
    if info.file_size > _DEFLATE_RATIO * (info.compress_size + 1):
        raise ReadError(
            f"{what} declares {messages.size(info.file_size)} from {messages.size(info.compress_size)}, "
            f"more than {messages.count(_DEFLATE_RATIO)} times that: it is damaged or malicious."
        )
    limits.check_file(info.file_size, what)

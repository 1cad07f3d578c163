"""Where a zip lists its members, found before zipfile loads that list as a whole."""

from dataclasses import dataclass

from relviz.errors import ReadError
from relviz.readers import wording
from relviz.readers.source import Source

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
            f"{source.name} is cut off: the list of members that ends a zip is not there, "
            f"in {wording.plural(source.size, 'byte')}. Copy or save it again."
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

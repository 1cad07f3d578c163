"""How much a file may ask for. Sizes are held against these before memory is taken."""

from dataclasses import dataclass, fields

from relviz.errors import ParameterError, ReadError
from relviz.readers import messages

FLOAT_BYTES = 4
_MAY_UNPACK_BYTES = 128 * 2**20


@dataclass(frozen=True)
class Limits:
    """Ceilings on what one file may take.

    Parameters
    ----------
    memory
        Bytes that the vectors may take as float32. The ids, labels or items are held to as many,
        as they stand in the file.
    file
        Bytes of a file, as it lies on disk and as it unpacks.
    rows, columns
        Rows and dimensions of the vectors.
    cell
        Characters of one id, label or item.
    seconds
        Time that a file of 320 MiB or more may take to be read; a smaller one may take its share.
    ratio
        How many times its own size a file may unpack to, if that is over 128 MiB.

    Raises
    ------
    ParameterError
        If one of them is below 1.
    """

    memory: int = 2 * 2**30
    file: int = 4 * 2**30
    rows: int = 5_000_000
    columns: int = 65_536
    cell: int = 10_000
    seconds: int = 120
    ratio: int = 40

    def __post_init__(self) -> None:
        for field in fields(self):
            if getattr(self, field.name) < 1:
                raise ParameterError(
                    f"The limit {field.name!r} must be at least 1; it is {getattr(self, field.name)}."
                )

    def check_matrix(self, rows: int, columns: int, what: str) -> None:
        """Raise ReadError unless ``(rows, columns)`` float32 vectors may be held."""
        if rows < 1 or columns < 1:
            raise ReadError(
                f"{what} holds {messages.plural(rows, 'row')} and {messages.plural(columns, 'column')} of "
                "numbers; at least 2 of both are needed."
            )
        self.check_rows(rows, f"{what} has {messages.count(rows)} rows")
        if columns > self.columns:
            raise ReadError(
                f"{what} has {messages.count(columns)} columns and the limit is "
                f"{messages.count(self.columns)}. "
                f"Give {self.with_limit('columns', columns)} if that is right."
            )
        needed = rows * columns * FLOAT_BYTES
        if needed > self.memory:
            raise ReadError(
                f"{what} has {messages.count(rows)} rows of dimension {messages.count(columns)}, which take "
                f"{messages.size(needed)} of memory; the limit is {messages.size(self.memory)}. "
                f"Keep fewer rows, or give {self.with_limit('memory', needed)}."
            )

    def check_rows(self, rows: int, subject: str) -> None:
        """Raise ReadError, which begins with what is said, unless so many rows may be read."""
        if rows > self.rows:
            raise ReadError(
                f"{subject} and the limit is {messages.count(self.rows)}. "
                f"Keep fewer, or give {self.with_limit('rows', rows)}."
            )

    def check_memory(self, needed: int, what: str) -> None:
        """Raise ReadError unless so many bytes of texts or values may be held."""
        if needed > self.memory:
            raise ReadError(
                f"{what} takes {messages.size(needed)} and the limit is {messages.size(self.memory)}. "
                f"Keep less of it, or give {self.with_limit('memory', needed)}."
            )

    def check_file(self, needed: int, what: str) -> None:
        """Raise ReadError unless a file may have, or unpack to, so many bytes."""
        if needed > self.file:
            raise ReadError(
                f"{what} takes {messages.size(needed)} and the limit is {messages.size(self.file)}. "
                f"Make it smaller, or give {self.with_limit('file', needed)}."
            )

    def check_ratio(self, unpacked: int, packed: int, what: str) -> None:
        """Raise ReadError if a file says that it unpacks to far more than its size."""
        if unpacked > max(_MAY_UNPACK_BYTES, self.ratio * packed):
            raise ReadError(
                f"{what} takes {messages.size(packed)} and declares {messages.size(unpacked)} unpacked, more "
                f"than {messages.count(self.ratio)} times that: it is damaged or malicious. If it is sound, "
                f"save it uncompressed, or give {self.with_limit('ratio', unpacked // packed + 1)}."
            )

    def with_limit(self, limit: str, needed: int) -> str:
        """How a caller says that so much is right."""
        return f"limits={type(self).__name__}({limit}={needed})"


DEFAULT_LIMITS = Limits()

"""What of a file becomes the space: what the caller named, else what the file itself suggests."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from relviz.errors import ParameterError, ReadError
from relviz.readers import messages
from relviz.readers.found import Found, Part, noun
from relviz.readers.limits import Limits
from relviz.readers.roles import ROLES, detect, is_role_name, is_row_number_name
from relviz.readers.source import Vectors


def _no_texts(name: str) -> list[str]:
    raise KeyError(name)


@dataclass(frozen=True)
class Holding:
    """What a reader found in an open file, and how to get it.

    ``vectors(names)`` gives float32 ``(n, d)`` and notes; ``texts(name)`` one string a row,
    ``first_texts(name)`` those of the first rows. All read the file when called. A part without a
    name is the only matrix of its file. ``roles`` and ``name`` are what the format itself settles.
    """

    format: str
    parts: tuple[Part, ...]
    vectors: Callable[[tuple[str, ...]], tuple[Vectors, tuple[str, ...]]]
    texts: Callable[[str], list[str]] = _no_texts
    first_texts: Callable[[str], list[str]] = _no_texts
    roles: Mapping[str, str] = field(default_factory=dict)
    name: str = ""
    notes: tuple[str, ...] = ()

    def named(self, name: str, what: str) -> Part:
        """The part of that name; a ReadError that lists those there are if there is none."""
        for part in self.parts:
            if part.name == name:
                return part
        there = messages.listing(str(part) for part in self.parts if part.name)
        kind = noun(self.format)
        raise ReadError(
            f"{what} has no {kind} {messages.quote(name)}; it has {there or 'one without a name'}."
        )


@dataclass(frozen=True)
class Wanted:
    """What a caller named: None leaves it to the file, an empty ids, labels or items means none."""

    vectors: str | Sequence[str] | None = None
    ids: str | None = None
    labels: str | None = None
    items: str | None = None

    def __post_init__(self) -> None:
        names = self.vector_names
        texts = [self.ids, self.labels, self.items]
        if not all(isinstance(name, str) for name in [*(names or ()), *filter(None, texts)]):
            raise ParameterError(
                "vectors, ids, labels and items are names of arrays or columns, "
                f"vectors may be a list of them; they are {self.vectors!r}, {texts!r}."
            )
        if names is not None and (not names or len(names) != len(set(names))):
            raise ParameterError(f"vectors must name columns, each once; it is {self.vectors!r}.")

    @property
    def vector_names(self) -> tuple[str, ...] | None:
        """The named vectors as a tuple; None where nothing was named."""
        if self.vectors is None:
            return None
        many = isinstance(self.vectors, Iterable) and not isinstance(self.vectors, str)
        return tuple(self.vectors) if many else (self.vectors,)  # type: ignore[return-value]


def choose(holding: Holding, wanted: Wanted, limits: Limits, what: str) -> Found:
    """What to take from a file, its size checked.

    Raises
    ------
    ReadError
        If a named part is not there or does not fit, or if nothing or too much could be the vectors.
    """
    notes = list(holding.notes)
    vectors = _choose_vectors(holding, wanted, what, notes)
    first = vectors[0]
    rows, dimension = first.shape if first.kind == "matrix" else (first.shape[0], len(vectors))
    limits.check_matrix(rows, dimension, what)
    roles: dict[str, str | None] = {}
    for role in ROLES:
        name = getattr(wanted, role)
        if name is None:
            name = holding.roles.get(role)
        elif name:
            check_role(holding.named(name, what), role, rows, what)
        if name is not None:
            roles[role] = name or None
    taken = {*roles.values(), *(part.name for part in vectors)}
    free = [part for part in holding.parts if part.name not in taken and _may_be_role(part)]
    fitting = [part for part in free if part.shape == (rows,)]
    notes += [
        f"{messages.quote(part.name)} has {messages.plural(part.shape[0], 'value')} "
        f"for {messages.plural(rows, 'row')}: left out"
        for part in free
        if part not in fitting and is_role_name(part.name)
    ]
    roles |= detect(fitting, [role for role in ROLES if role not in roles], holding.texts)
    names = tuple(part.name for part in vectors if part.name)
    return Found(holding.format, rows, dimension, names, **roles, notes=tuple(notes))


def _choose_vectors(holding: Holding, wanted: Wanted, what: str, notes: list[str]) -> list[Part]:
    names = wanted.vector_names
    if names is None:
        return _detect_vectors(holding, wanted, what, notes)
    parts = [holding.named(name, what) for name in names]
    for part in parts:
        if part.kind not in ("matrix", "number"):
            raise ReadError(f"{what}: {messages.quote(part.name)} {part.problem}.")
        if part.kind == "matrix" and len(parts) > 1:
            raise ReadError(
                f"{what}: {part} is already a matrix and cannot be combined with {len(parts) - 1} more; "
                "name it alone."
            )
    return parts


def _detect_vectors(holding: Holding, wanted: Wanted, what: str, notes: list[str]) -> list[Part]:
    kind = noun(holding.format)
    matrices = [part for part in holding.parts if part.kind == "matrix"]
    if len(matrices) == 1:
        return matrices
    if matrices:
        raise ReadError(
            f"{what} holds {len(matrices)} {kind}s that could be the vectors: "
            f"{messages.listing(map(str, matrices))}. "
            f"Choose one with vectors={matrices[0].name!r} or another name."
        )
    roles = (wanted.ids, wanted.labels, wanted.items)
    numbers = [part for part in holding.parts if part.kind == "number" and part.name not in roles]
    numbered = [part for part in numbers if is_row_number_name(part.name)]
    vectors = [part for part in numbers if part not in numbered and not is_role_name(part.name)]
    if vectors:
        notes += [f"{kind} {messages.quote(part.name)} counts the rows: left out" for part in numbered]
        return vectors
    telling = next((part for part in holding.parts if part.kind in ("code", "other")), None)
    if telling is not None and kind != "column":
        subject = f"{what}: {messages.quote(telling.name)}" if telling.name else what
        raise ReadError(f"{subject} {telling.problem}.")
    raise ReadError(
        f"{what} holds no vectors, only {messages.listing(map(str, holding.parts))}. "
        f"Numbers must be in {kind}s of their own."
    )


def _may_be_role(part: Part) -> bool:
    return part.kind in ("text", "code") or (part.kind == "number" and is_role_name(part.name))


def check_role(part: Part, role: str, rows: int, what: str) -> None:
    """Raise ReadError unless a part can be the ids, labels or texts of so many rows."""
    if part.kind in ("matrix", "other"):
        raise ReadError(f"{what}: {part} cannot be {role}; they need one text or whole number per row.")
    if part.shape != (rows,):
        raise ReadError(
            f"{what}: {messages.quote(part.name)} has {messages.count(part.shape[0])} values "
            f"for {messages.plural(rows, 'row')}; {role} need one for each."
        )

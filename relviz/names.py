"""Names that public functions accept, as types for a type checker and as tuples to choose from.

What each name does is said where it is done. The names of translation methods are in
``relviz.translation.methods``, with the methods.
"""

from collections.abc import Callable
from functools import wraps
from typing import Literal, ParamSpec, TypeVar, get_args

from relviz.errors import ParameterError

Similarity = Literal["cosine", "inner", "euclidean", "l1", "angular"]
Selector = Literal["uniform", "fps", "kmeans", "top", "per_class"]
BootstrapMethod = Literal["annealed", "adam", "adam_warm"]
HeadName = Literal["logistic", "mlp"]
ProjectionMethod = Literal["pca", "tsne", "umap", "first"]
ProjectionFit = Literal["joint", "first", "independent", "procrustes"]
DecidedBy = Literal["source", "target", "both"]
Length = Literal["own", "mean", "raw"]
AnchorSource = Literal["true", "bootstrap"]

SIMILARITIES: tuple[Similarity, ...] = get_args(Similarity)
"""Similarities of ``relviz.relative``."""
SELECTORS: tuple[Selector, ...] = get_args(Selector)
"""Methods of ``relviz.select_anchors``."""
BOOTSTRAPS: tuple[BootstrapMethod, ...] = get_args(BootstrapMethod)
"""Methods of ``relviz.bootstrap``."""
HEADS: tuple[HeadName, ...] = get_args(HeadName)
"""Heads of ``relviz.stitch``."""
PROJECTIONS: tuple[ProjectionMethod, ...] = get_args(ProjectionMethod)
"""Methods of ``relviz.project``."""
FITS: tuple[ProjectionFit, ...] = get_args(ProjectionFit)
"""Fits of ``relviz.project``."""
DECIDERS: tuple[DecidedBy, ...] = get_args(DecidedBy)
"""Whose anchors decide which of them irp prunes."""
LENGTHS: tuple[Length, ...] = get_args(Length)
"""How long translated rows are."""

P = ParamSpec("P")
T = TypeVar("T")
N = TypeVar("N", bound=str)


def known_name(value: str, names: tuple[N, ...]) -> N:
    """The text as one of the names, for a type checker; ParameterError if it is none of them.

    >>> known_name("fps", SELECTORS)
    'fps'
    """
    for name in names:
        if name == value:
            return name
    raise ParameterError(f"There is no {value!r}; use one of {', '.join(names)}.")


def renamed(**names: str) -> Callable[[Callable[P, T]], Callable[P, T]]:
    """Refuse arguments by names that they had once, saying which name to use.

    >>> @renamed(seeds="known")
    ... def found(known: int) -> int:
    ...     return known
    >>> found(seeds=1)
    Traceback (most recent call last):
    relviz.errors.ParameterError: found() no longer takes seeds; the argument is now called known.
    """

    def refusing(function: Callable[P, T]) -> Callable[P, T]:
        @wraps(function)
        def checked(*args: P.args, **kwargs: P.kwargs) -> T:
            for old, new in names.items():
                if old in kwargs:
                    raise ParameterError(
                        f"{function.__name__}() no longer takes {old}; the argument is now called {new}."
                    )
            return function(*args, **kwargs)

        return checked

    return refusing


Cell = str | int | float | bool | None
"""What a table has in a cell."""
Record = dict[str, Cell]
"""A line of a table, by the names of its columns."""

"""A print figure of a pair that is at hand: the same as the app and the command line make of its files."""

from collections.abc import Collection, Mapping
from typing import Literal, cast, get_args

from matplotlib.axes import Axes

from relviz.compute.arrays import ArrayLike, as_indices
from relviz.demos import demo_names, load_demo
from relviz.demos.catalog import entry
from relviz.errors import ParameterError
from relviz.figures.kind import AnyKind
from relviz.figures.look import Look, look_of
from relviz.figures.make import PrintFigure, make
from relviz.figures.open_recipe import recipe_of
from relviz.figures.registry import KINDS
from relviz.pair import Pair
from relviz.plotting.stack import room_of
from relviz.plotting.venues import millimeters
from relviz.space import Space
from relviz.state.choice import Choices, Value
from relviz.state.owners import Origin
from relviz.state.sources import keep_space
from relviz.state.view import Run, View

FigureKind = Literal[
    "maps",
    "anchors",
    "anchor_curve",
    "choice",
    "series",
    "measures",
    "disagreement",
    "run",
    "run_maps",
    "found",
    "correspondences",
    "retrieval",
    "self_similarity",
    "landing",
    "translation",
    "probe",
    "vector",
    "way",
    "matrix",
    "heads",
    "heads_by_anchors",
    "confusion",
    "head_curve",
    "sweep",
    "sweep_within",
    "sweep_correlation",
    "anchor_sweep",
    "scale",
    "layers",
    "pairs",
]
FIGURES: tuple[FigureKind, ...] = get_args(FigureKind)
"""Kinds of ``relviz.figure``."""

GIVEN_HERE = Origin("a pair given to relviz.figure")


def figure(
    pair: Pair,
    kind: FigureKind = "maps",
    *,
    anchors: int | ArrayLike | None = None,
    width: float | str = "two",
    look: Look | Mapping[str, object] | None = None,
    axes: Axes | None = None,
    **choices: object,
) -> PrintFigure:
    """Make a figure or a table for print.

    ``relviz figure`` makes the same figure from the same two files. Earlier results are taken from the
    cache, which also keeps a copy of the pair.

    Parameters
    ----------
    pair
        The two spaces, rows matched.
    kind
        One of ``relviz.FIGURES``: ``"maps"``, ``"anchors"``, ``"measures"``, ``"anchor_curve"``, ``"run"``,
        ``"translation"``, ``"landing"``, ``"matrix"`` and others.
    anchors
        Number of anchors or their row numbers, at least 2; by default the number that the app uses.
    width
        In millimeters, or a text: ``"one"`` or ``"two"`` columns of the style (85 and 175 mm without one),
        ``"3.25in"``, ``"219pt"``, ``"8cm"``.
    look
        Choices that change no number, by their names: ``{"style": "acl", "names": {"a": "BERT"}}``. See
        ``relviz.figures.look.Look``.
    axes
        Axes of a matplotlib figure to draw into, at their width; ``width`` is then ignored.
    **choices
        Options of the kind, and choices of its page, by their names in a recipe: ``seed=1``,
        ``projection="umap"``, ``color="agreement"``; ``seeds=5`` for a run of anchor optimization. If a
        name is both, it means the option.

    Returns
    -------
    PrintFigure
        It has ``caption``, ``recipe``, matplotlib's ``figure`` and ``save("maps.pdf")``; a notebook shows it.

    Raises
    ------
    relviz.Error
        If the kind, an option or a choice is unknown, or the pair lacks what the kind needs.

    Examples
    --------
    >>> import relviz, torch
    >>> x = torch.randn(60, 8, generator=torch.Generator().manual_seed(0))
    >>> turn = torch.linalg.qr(torch.randn(8, 8, generator=torch.Generator().manual_seed(1)))[0]
    >>> pair = relviz.Pair(relviz.Space(x, name="first"), relviz.Space(x @ turn, name="turned"))
    >>> relviz.figure(pair, "maps", anchors=20, rows="relative")
    <maps, 175 × 82 mm>
    """
    found = _kind(kind)
    options = {name: value for name, value in choices.items() if name in found.options}
    others = {name: value for name, value in choices.items() if name not in found.options}
    if anchors is not None and "anchors" in found.options:
        options["anchors"], anchors = _number(anchors, kind), None
    a, b = (_source_of(space, name) for space, name in ((pair.a, "A"), (pair.b, "B")))
    view = View(a=a, b=b)
    if found.page == "bootstrap":
        if anchors is not None:
            others["anchors"] = _number(anchors, kind)
        view = view.with_changes(ao=view.ao.with_changes(**_allowed(Run, others, found)))
    else:
        view = view.with_changes(**_allowed(View, others, found), **_selected(anchors, len(pair), others))
    looks = look if isinstance(look, Look) else look_of(look or {})
    wide = millimeters(width, looks.style) if isinstance(width, str) else width
    if axes is not None:
        wide = room_of(axes)[0]
    if not isinstance(wide, int | float):
        raise ParameterError(f"The width is {width!r}; give one, two, or a number of millimeters.")
    made = make(recipe_of(view, kind, options, wide, look=looks))
    if axes is not None:
        made.draw_on(axes)
    return made


def _kind(name: str) -> AnyKind:
    if name not in KINDS or KINDS[name].sources:
        pairs = ", ".join(one for one, kind in KINDS.items() if not kind.sources)
        what = "is made of images, not of a pair" if name in KINDS else "is not a kind of figure"
        raise ParameterError(f"{str(name)[:40]!r} {what}; give one of {pairs}.")
    return KINDS[name]


def _source_of(space: Space, name: str) -> str:
    """What names a space: a demo's own name, which has its pictures, or one in the store.

    There, one without a name has that of its side.
    """
    for demo in demo_names():
        for key, title in entry(demo).spaces.items():
            if space.name == title and space.content_digest == load_demo(demo).spaces[key].content_digest:
                return f"{demo}.{key}"
    if not space.name:
        space = Space(space.vectors, space.ids, space.labels, space.items, name)
    return keep_space(space, GIVEN_HERE)


def _allowed(of: type[Choices], choices: dict[str, object], kind: AnyKind) -> dict[str, Value]:
    declared = of.declared()
    for name in choices:
        if name not in declared or name in ("a", "b"):
            options = ", ".join(kind.options) or "none"
            raise ParameterError(
                f"There is no choice {name[:40]!r}. Options of this kind: {options}. Choices: "
                f"{', '.join(declared)}."
            )
    return {name: of.allowed(name, cast(Value, value)) for name, value in choices.items()}


def _selected(anchors: int | ArrayLike | None, rows: int, choices: Collection[str]) -> dict[str, Value]:
    """How many anchors there are, or which rows they are, as choices of a view."""
    if anchors is None:
        return {}
    if isinstance(anchors, int):
        return {"count": View.allowed("count", anchors, "anchors")}
    if "method" in choices:
        raise ParameterError("anchors lists rows, so no method selects them. Give one of the two.")
    picks = tuple(as_indices(anchors, rows, "anchors").tolist())
    if len(set(picks)) < 2:
        raise ParameterError(f"anchors are {len(set(picks))} different rows; give at least 2.")
    return {"method": "hand", "picks": View.allowed("picks", picks, "anchors")}


def _number(anchors: int | ArrayLike, kind: str) -> int:
    if not isinstance(anchors, int):
        raise ParameterError(
            f"A figure of the kind {kind} samples its anchors: give how many there are to be."
        )
    return anchors

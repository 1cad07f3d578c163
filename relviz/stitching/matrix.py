"""The stitching matrix: every encoder with every head, by every method, as a table."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Literal, TypeAlias, get_args

from torch import Tensor

from relviz.bootstrapping import Pulse
from relviz.compute.arrays import ArrayLike, check_same_rows, seeds_of
from relviz.compute.parallel import SMALL, spread
from relviz.errors import ParameterError
from relviz.names import AnchorSource, HeadName, renamed
from relviz.pair import Pair
from relviz.relative_projection import finite_matrix
from relviz.space import Space
from relviz.stitching.heads import Estimator, Head, OwnHead, check_head, head_name, train_head
from relviz.stitching.labels import Classes, Labels, check_labels
from relviz.stitching.sampling import COUNTERPARTS, Draw, draw
from relviz.stitching.table import Cell, Run, StitchTable, scored
from relviz.translation import METHODS as TRANSLATORS
from relviz.translation import AnchorPairs, Options, TranslationMethod, fit_translator

Spaces: TypeAlias = Mapping[str, ArrayLike] | Sequence[ArrayLike] | Pair
"""Parallel rows of several encoders."""

METHODS: dict[str, str] = {
    "native": "the head on its own encoder's test rows: the ceiling",
    "relative": "a head trained on relative vectors, applied to relative vectors, its own encoder's too",
    **{name: method.says for name, method in TRANSLATORS.items()},
}
"""How an encoder's test rows reach a head."""

StitchMethod = Literal["native", "relative", TranslationMethod]

STITCHES: tuple[StitchMethod, ...] = get_args(StitchMethod)
"""Methods of ``relviz.stitch``."""


@dataclass(frozen=True)
class StitchStep:
    """``index`` of ``of`` parts are done; the last was ``head`` in the draw of ``seed``."""

    index: int
    of: int
    head: str
    seed: int


OnStep = Callable[[StitchStep], object]
"""Called after every part; truthy stops, and the table is what stands then; it may raise to stop."""


@renamed(runs="n_draws", partners="counterparts", pulse="on_pulse")
def stitch(
    spaces: Spaces,
    labels: Sequence[object] | Mapping[str, Sequence[object]] | None = None,
    anchors: int | ArrayLike = 300,
    methods: Sequence[StitchMethod] | StitchMethod = STITCHES,
    seed: int = 0,
    *,
    n_draws: int = 5,
    head: HeadName | Estimator = "logistic",
    test: float = 0.2,
    split: tuple[ArrayLike, ArrayLike] | None = None,
    counterparts: AnchorSource = "true",
    known: int = 15,
    options: Options | None = None,
    on_step: OnStep | None = None,
    on_pulse: Pulse | None = None,
) -> StitchTable:
    """Apply heads trained in one space to the rows of another, translated through the anchors.

    Source: zero-shot stitching, Moschella et al. 2023 (arXiv 2209.15430, section 5) and inverse relative
    projection (arXiv 2406.15057, section 5). Heads are never fine-tuned on the space they are applied to;
    means, standard deviations and anchors come from training rows only. Use ``joblib.parallel_config`` to
    choose where heads run.

    Parameters
    ----------
    spaces
        Name to ``(n, d)`` rows, parallel; or ``relviz.Space``s with names, or their mapping; or a
        ``Pair``.
    labels
        One for each row, or name to labels; numbers are ordered. Without them those of the pair, or of the
        spaces.
    anchors
        Number of training rows, sampled for each seed, or their row numbers.
    methods
        One or more of ``relviz.STITCHES``. ``absolute`` has no cell if the dimensions differ. A head on
        its own encoder has ``native`` and ``relative``; on others, all but ``native``.
    seed, n_draws
        Seeds ``seed`` to ``seed + n_draws - 1`` of split and anchors.
    head
        One of ``relviz.HEADS``, or an estimator with ``fit`` and ``predict`` such as scikit-learn's; it is
        copied for each training and given standardized rows.
    test
        Share of each class used for testing.
    split
        (train, test) row numbers, instead of a random split.
    counterparts, known
        One of ``COUNTERPARTS``; number of anchors known in both spaces before bootstrapping.
    options
        Of the translators.
    on_step
        See ``OnStep``.
    on_pulse
        Called often during a part; an exception stops the work. It runs where the work runs, so omit it if
        that is another process.

    Raises
    ------
    ShapeError
        If the numbers of rows or labels differ, or a row number lies outside.
    ParameterError
        If an option is unknown or out of range, the classes of two spaces differ, a class has too few
        rows, or is missing where it is needed.
    """
    rows = check_spaces(spaces)
    seeds = seeds_of(seed, n_draws)
    given_labels = _own_labels(spaces) if labels is None else labels
    known_labels = check_labels(given_labels, {name: len(some) for name, some in rows.items()})
    methods = (methods,) if isinstance(methods, str) else tuple(methods)
    _check(methods, head, counterparts, test)
    draws = [draw(known_labels, anchors, test, split, one) for one in seeds]
    if counterparts == "bootstrap" and not 1 <= known <= len(draws[0].anchors):
        raise ParameterError(
            f"known must lie between 1 and the {len(draws[0].anchors)} anchors; it is {known}."
        )
    tasks = [(one, name) for one in draws for name in rows]
    chosen = methods, head, counterparts, known, options, on_pulse
    found: dict[tuple[str, str, str], list[Run]] = {}
    small = max(some.numel() for some in rows.values()) <= SMALL
    with spread(_column, [(rows, known_labels, *task, *chosen) for task in tasks], small) as results:
        for index, (column, (one, name)) in enumerate(zip(results, tasks, strict=False)):
            for (encoder, method), run in column.items():
                found.setdefault((encoder, name, method), []).append(run)
            if on_step and on_step(StitchStep(index, len(tasks), name, one.seed)):
                break
    cells = tuple(Cell(*where, tuple(several)) for where, several in found.items())
    return StitchTable(known_labels.classes, head_name(head), len(draws[0].anchors), counterparts, cells)


def by_name(spaces: Spaces) -> Mapping[str, ArrayLike]:
    """Spaces by the names that they have, or by their numbers; a number goes to those of one name, too."""
    if isinstance(spaces, Mapping):
        return spaces
    some = (spaces.a, spaces.b) if isinstance(spaces, Pair) else spaces
    if isinstance(some, Space) or getattr(some, "ndim", 3) == 2:
        raise ParameterError("stitch takes several spaces, by name or as a list; it was given one matrix.")
    named: dict[str, ArrayLike] = {}
    for at, one in enumerate(some):
        name = getattr(one, "name", "") or f"space {at}"
        named[f"{name} ({at})" if name in named else name] = one
    return named


def _own_labels(spaces: Spaces) -> Sequence[object] | dict[str, Sequence[object]]:
    if isinstance(spaces, Pair) and spaces.labels is not None:
        return spaces.labels
    found = {name: getattr(one, "labels", None) for name, one in by_name(spaces).items()}
    missing = [name for name, one in found.items() if one is None]
    if missing:
        raise ParameterError(
            f"There are no labels, neither given nor in {', '.join(missing)}. Give one for each row."
        )
    return {name: one for name, one in found.items() if one is not None}


def check_spaces(spaces: Spaces) -> dict[str, Tensor]:
    """Rows of every space by name, checked: parallel, finite."""
    rows = {str(name): finite_matrix(some, str(name)).cpu() for name, some in by_name(spaces).items()}
    if not rows:
        raise ParameterError("There are no spaces; give at least one.")
    first, *rest = rows
    for name in rest:
        check_same_rows(rows[first], rows[name], f"{first} and {name}")
    return rows


def _check(methods: Sequence[object], head: object, counterparts: object, test: float) -> None:
    check_head(head)
    for what, values, known in (
        ("method", methods, METHODS),
        ("choice of known anchors", (counterparts,), COUNTERPARTS),
    ):
        for value in values:
            if value not in list(known):
                raise ParameterError(f"There is no {what} {value!r}; use some of {', '.join(known)}.")
    if not 0 < test < 1:
        raise ParameterError(f"test is a share of the rows and must lie between 0 and 1; it is {test!r}.")


def _column(
    rows: dict[str, Tensor],
    labels: Labels,
    one: Draw,
    name: str,
    methods: tuple[StitchMethod, ...],
    kind: str | Estimator,
    counterparts: str,
    known: int,
    options: Options | None,
    pulse: Pulse | None,
) -> dict[tuple[str, str], Run]:
    """All cells of one head in one draw: (encoder, method) to its run."""
    own, train = rows[name], one.train
    goal = labels.rows[name][train.numpy()]
    head = train_head(own[train], goal, kind, one.seed)
    found: dict[tuple[str, str], Run] = {}
    for encoder, x in rows.items():
        truth = labels.rows[encoder][one.test.numpy()]
        if encoder == name:
            cells: Iterator[tuple[str, Classes]] = iter([("native", head(own[one.test]))])
            points = one.unit(own)[one.anchors]
        else:
            pairs, points = one.pairs(x, own, counterparts, known, pulse)
            chosen = options or Options(seed=one.seed)
            cells = _translated(x, own, one, pairs, head, methods, chosen)
        if "relative" in methods:
            cells = chain([("relative", _relative(x, own, one, points, goal, kind))], cells)
        for method, predicted in cells:
            if pulse is not None:
                pulse()
            if method in methods:
                found[encoder, method] = scored(
                    one.seed, truth, predicted, len(labels.classes), labels.values
                )
    return found


def _translated(
    x: Tensor,
    own: Tensor,
    one: Draw,
    pairs: AnchorPairs,
    head: Head | OwnHead,
    methods: tuple[StitchMethod, ...],
    options: Options,
) -> Iterator[tuple[str, Classes]]:
    for method in methods:
        if method == "absolute" and x.shape[1] == own.shape[1]:
            yield method, head(x[one.test])
        elif method != "native" and method != "relative" and method != "absolute":
            yield method, head(fit_translator(pairs, method, options)(x[one.test]))


def _relative(
    x: Tensor, own: Tensor, one: Draw, points: Tensor, goal: Classes, kind: str | Estimator
) -> Classes:
    """Both sides relative to their anchors, in frames of the training rows; a head of its own."""
    source, target = one.unit(x), one.unit(own)
    head = train_head(target[one.train] @ points.T, goal, kind, one.seed)
    return head(source[one.test] @ source[one.anchors].T)

"""The stitching matrix of a pair: heads of each encoder, applied to every other."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass

import numpy as np

from relviz.compute.job import Ticket
from relviz.compute.task import Task, task
from relviz.pair import Pair
from relviz.results.heads import TEST, class_names, labels_of
from relviz.sheet import Sheet, records_csv
from relviz.space import Space
from relviz.state.option_labels import TRANSLATIONS
from relviz.state.shelf import shelf_of
from relviz.state.sources import demo_of, open_space
from relviz.state.view import StitchingChoices
from relviz.stitching import METHODS, STITCHES, StitchStep, stitch
from relviz.stitching.labels import Labels
from relviz.wording import plural

WORDS = {"native": "Native", "relative": "Relative"} | TRANSLATIONS
RUNS = 5
KNOWN = 15
"""Anchors whose counterpart is given, where the others are bootstrapped."""


def anchor_count(asked: int, rows: int) -> int:
    """How many anchors each draw takes from the rows that train: those asked for, as far as there are."""
    return max(2, min(asked, int(rows * (1 - TEST) * 0.95)))


def encoders_of(pair: Pair, others: Mapping[str, Space]) -> dict[str, Space]:
    """The spaces whose heads meet each other, by name: the pair, and others with the same rows."""
    both = {pair.a.name: pair.a, pair.b.name: pair.b}
    if len(both) < 2:
        both = {f"A · {pair.a.name}": pair.a, f"B · {pair.b.name}": pair.b}
    return both | dict(others)


def others_of(pair: Pair, a: str, b: str, shelf: Iterable[str]) -> dict[str, Space]:
    """Further spaces with the same rows as the pair of two sources: of the shelf, and of the pair's demo."""
    found: dict[str, Space] = {}
    demo = demo_of(a)
    sources = [one.source for one in shelf_of(shelf) if not one.problem]
    if demo is not None and demo is demo_of(b):
        sources += [f"{demo.name}.{key}" for key in demo.spaces]
    for source in dict.fromkeys(sources):
        space = open_space(source)
        same = space.ids is not None and tuple(space.ids) == pair.ids
        if same and source not in (a, b) and space.name not in (pair.a.name, pair.b.name):
            found.setdefault(space.name, space)
    return found


@dataclass(frozen=True)
class MatrixCell:
    """An encoder with a head by a method: means over the draws, ``_sd`` None for a single one.

    Attributes
    ----------
    mae
        Mean distance of ordered labels; None for others.
    accuracy_low, accuracy_high
        The 95% interval of the accuracy among the test ``rows`` of one draw.
    chance
        Share of the most frequent class among them.
    """

    encoder: str
    head: str
    method: str
    accuracy: float
    f1: float
    mae: float | None
    accuracy_sd: float | None
    f1_sd: float | None
    mae_sd: float | None
    accuracy_low: float
    accuracy_high: float
    rows: int
    chance: float


@dataclass(frozen=True)
class Conditions:
    """How heads meet encoders: ``known`` anchors have known counterparts where others are bootstrapped."""

    anchors: int
    head: str
    counterparts: str
    known: int
    n_draws: int
    test: float
    seed: int


@dataclass(frozen=True, eq=False)
class StitchingMatrix:
    """Every encoder with every head by every method.

    ``confusion`` holds ``(cells, classes, classes)`` counts of all draws, rows true, columns predicted.
    """

    encoders: tuple[str, ...]
    classes: tuple[str, ...]
    cells: tuple[MatrixCell, ...]
    confusion: np.ndarray
    conditions: Conditions

    def find(self, encoder: str, head: str, method: str) -> tuple[MatrixCell, np.ndarray] | None:
        """A cell and its confusion ``(classes, classes)``; None where there is none."""
        wanted = (encoder, head, method)
        for cell, confusion in zip(self.cells, self.confusion, strict=True):
            if (cell.encoder, cell.head, cell.method) == wanted:
                return cell, confusion
        return None


@dataclass(frozen=True, eq=False)
class Encoder:
    """A space by the name that the matrix calls it; its rows have the classes of side ``"A"`` or ``"B"``."""

    name: str
    space: Space
    side: str


@task("stitching", "The stitching matrix", heavy=True)
def _matrix(
    ticket: Ticket, encoders: tuple[Encoder, ...], labels: Labels, how: Conditions
) -> StitchingMatrix:
    def on_step(step: StitchStep) -> None:
        ticket.report((step.index + 1) / step.of, f"head of {step.head}, draw {step.seed}")
        ticket.rest()

    ticket.report(0.0, "splitting the rows")
    table = stitch(
        {one.name: one.space.vectors for one in encoders},
        {one.name: class_names(labels, one.side) for one in encoders},
        **asdict(how),
        methods=STITCHES,
        on_step=on_step,
        on_pulse=ticket.check,
    )
    return StitchingMatrix(
        tuple(one.name for one in encoders),
        table.classes,
        tuple(MatrixCell(**record) for record in table.records()),
        np.stack([cell.confusion for cell in table.cells]),
        how,
    )


def matrix_task(pair: Pair, choices: StitchingChoices, others: Mapping[str, Space]) -> Task[StitchingMatrix]:
    """The task that stitches every encoder to every head, by every method.

    Raises
    ------
    ParameterError
        If the items have no classes, or they do not suffice for heads.
    """
    labels, encoders = labels_and_encoders(pair, others)
    anchors = anchor_count(choices.anchors, len(pair))
    how = Conditions(
        anchors, choices.head, choices.counterparts, min(KNOWN, anchors), RUNS, TEST, choices.seed
    )
    return _matrix(encoders, labels, how)


def labels_and_encoders(pair: Pair, others: Mapping[str, Space]) -> tuple[Labels, tuple[Encoder, ...]]:
    """The classes of the items, and every encoder of them."""
    encoders = tuple(
        Encoder(name, space, "B" if space is pair.b else "A")
        for name, space in encoders_of(pair, others).items()
    )
    return labels_of(pair), encoders


def matrix_sheet(made: StitchingMatrix) -> Sheet:
    """Accuracy of each encoder with each head by each method, mean ± sd."""
    cells: dict[tuple[str, str], dict[str, str]] = {}
    for cell in made.cells:
        text = f"{cell.accuracy:.3f}" + ("" if cell.accuracy_sd is None else f" ± {cell.accuracy_sd:.3f}")
        cells.setdefault((cell.encoder, cell.head), {})[cell.method] = text
    rows = [
        (f"{encoder} → {head}", *(found.get(method, "–") for method in METHODS))
        for (encoder, head), found in cells.items()
    ]
    return Sheet(
        ("encoder → head", *(WORDS[method] for method in METHODS)),
        tuple(rows),
        describe_conditions(made, "Accuracy"),
    )


def describe_conditions(made: StitchingMatrix, measured: str) -> str:
    """On what rows, over what seeds and through what anchors a metric is measured."""
    how = made.conditions
    anchors = f"{how.anchors} anchors, uniform among the training rows"
    if how.counterparts == "bootstrap":
        anchors += f", {how.known} of them known, the others bootstrapped"
    return (
        f"{measured} on {how.test:.0%} of the rows, mean ± sd over seeds {how.seed}–"
        f"{how.seed + how.n_draws - 1} of split and anchors; {how.head} head; {anchors}. "
        f"{describe_test_rows(made.cells)}"
    )


def describe_test_rows(cells: Sequence[MatrixCell]) -> str:
    """How many rows test, how wide an interval that makes, and what always saying one class would give."""
    chance = [cell.chance for cell in cells]
    half = max((cell.accuracy_high - cell.accuracy_low) / 2 for cell in cells)
    most = f"{min(chance):.3f}" if np.ptp(chance) < 5e-4 else f"{min(chance):.3f}–{max(chance):.3f}"
    return (
        f"{plural(cells[0].rows, 'test row')} in each run, neither anchors nor training rows: 95% "
        f"intervals of ±{half:.3f} at most. The most frequent class is {most} of them."
    )


def shown_method(method: str, encoder: str, head: str) -> str:
    """The method of a cell in a method's matrix: a head on its own encoder needs no translation."""
    return method if encoder != head or method == "relative" else "native"


def matrix_values(made: StitchingMatrix) -> dict[str, np.ndarray]:
    """Mean accuracy of each method, ``(encoders, heads)``; on the diagonal each head on its own encoder."""
    names = made.encoders
    cells = {(cell.method, cell.encoder, cell.head): cell.accuracy for cell in made.cells}
    return {
        method: np.array(
            [[cells.get((shown_method(method, e, h), e, h), np.nan) for h in names] for e in names]
        )
        for method in METHODS
        if method != "native"
    }


def matrix_csv(made: StitchingMatrix) -> str:
    """Every figure unrounded: a line for each encoder, head and method."""
    return records_csv([asdict(cell) for cell in made.cells])

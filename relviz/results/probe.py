"""One vector of the source, translated: what is near it in the target, and what either head predicts."""

import io
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
import torch
from PIL import Image
from torch import Tensor

from relviz.encoders import encoder_names, hub_folder, installed_encoders
from relviz.errors import Error, ParameterError
from relviz.readers.picture import picture_pixels
from relviz.relative_projection import unit_rows
from relviz.results.encoding import Chosen
from relviz.results.heads import Heads, rows_to_test
from relviz.results.translation import TranslationProblem
from relviz.state.sources import allowed_path, open_space, origin_of

NEIGHBORS = 8
SURE = 3
"""Classes that are named, of a head's prediction."""

Near = tuple[tuple[int, float], ...]
"""Rows and their cosines, the nearest first."""


@dataclass(frozen=True)
class Opinion:
    """A head's prediction of a vector: its first classes, and how probable it holds them."""

    classes: tuple[tuple[str, float], ...]


@dataclass(frozen=True)
class Probe:
    """What becomes of one vector of the source.

    Attributes
    ----------
    here
        The nearest items in the source.
    translated
        The nearest items in the target to the translated vector.
    there
        The nearest items in the target to what the target itself makes of the same thing; None where
        that is not known.
    cosine
        Of the translated vector to that, both after centering on the anchors.
    own, target
        What the source's head says of the vector, and the target's of the translated one; None without
        heads.
    truth
        The class of the item, if it is one.
    row
        Which item it is; None for something new.
    trained
        Whether the item is an anchor, or trained the heads.
    """

    here: Near
    translated: Near
    there: Near | None
    cosine: float | None
    own: Opinion | None
    target: Opinion | None
    truth: str | None
    row: int | None
    trained: bool

    @property
    def place(self) -> int | None:
        """Where the item itself stands among those nearest to the translated vector, from 1."""
        return next((at for at, (row, _) in enumerate(self.translated, 1) if row == self.row), None)

    @property
    def others(self) -> frozenset[int]:
        """The items nearest to the translated vector, but not the item itself."""
        return frozenset(row for row, _ in self.translated) - {self.row}

    @property
    def stayed(self) -> int:
        """How many of the others are near the vector in the source too."""
        return len(self.others & {row for row, _ in self.here})

    @property
    def shared(self) -> int | None:
        """How many of the others the target itself would find."""
        return None if self.there is None else len(self.others & {row for row, _ in self.there})


def probe_item(problem: TranslationProblem, row: int, heads: Heads | None = None) -> Probe:
    """What becomes of an item of the pair."""
    return _probed(problem, problem.source.vectors[row], problem.target.vectors[row], row, heads)


def probed_item(problem: TranslationProblem, item: int) -> int:
    """The row that is probed: an item, or where it is -1 the first that is a test."""
    return unused_items(problem)[0] if item < 0 else min(item, len(problem.pair) - 1)


def unused_items(problem: TranslationProblem) -> list[int]:
    """Rows that are neither anchors nor training rows, in a fixed random order; all rows if there are none.

    Raises
    ------
    relviz.Error
        If there are no anchors, or they do not suffice.
    """
    rows = rows_to_test(problem.pair)
    untold = rows[~torch.isin(rows, problem.translation.anchors)]
    order = torch.randperm(len(untold), generator=torch.Generator().manual_seed(0))
    return untold[order].tolist() or list(range(len(problem.pair)))


def probe_vector(
    problem: TranslationProblem, vector: Tensor, itself: Tensor | None = None, heads: Heads | None = None
) -> Probe:
    """What becomes of a new vector ``(dx,)`` of the source; ``itself`` ``(dy,)`` is the target's."""
    return _probed(problem, vector, itself, None, heads)


def _probed(
    problem: TranslationProblem,
    vector: Tensor,
    itself: Tensor | None,
    row: int | None,
    heads: Heads | None,
) -> Probe:
    source, target = problem.source, problem.target
    made = problem.translation
    translated = made.translator(vector[None])[0]
    here, there = made.translator.pairs.source.mean, made.translator.pairs.target.mean
    cosine = own = answer = truth = None
    if itself is not None:
        cosine = float(torch.cosine_similarity(translated - there, itself - there, dim=0))
    if heads is not None:
        own = _opinion(heads.classes, heads.source.probabilities(vector[None]))
        answer = _opinion(heads.classes, heads.target.probabilities(translated[None]))
        truth = None if row is None else heads.classes[heads.truth[0][row]]
    return Probe(
        here=_near(source.vectors, vector, here, row),
        translated=_near(target.vectors, translated, there),
        there=None if itself is None else _near(target.vectors, itself, there, row),
        cosine=cosine,
        own=own,
        target=answer,
        truth=truth,
        row=row,
        trained=row is not None and _trained(heads, made.anchors, row),
    )


def _near(rows: Tensor, vector: Tensor, mean: Tensor, but: int | None = None) -> Near:
    """The rows nearest to a vector by cosine, all minus a mean; ``but`` one of them."""
    cosines = unit_rows(rows - mean) @ unit_rows((vector - mean)[None])[0]
    best = cosines.topk(min(NEIGHBORS + 1, len(rows))).indices.tolist()
    return tuple((row, float(cosines[row])) for row in best if row != but)[:NEIGHBORS]


def _opinion(classes: tuple[str, ...], probabilities: np.ndarray) -> Opinion:
    order = np.argsort(-probabilities[0], kind="stable")[:SURE]
    return Opinion(tuple((classes[at], float(probabilities[0, at])) for at in order))


def _trained(heads: Heads | None, anchors: Tensor, row: int) -> bool:
    if bool((anchors == row).any()):
        return True
    return heads is not None and not bool((heads.tests == row).any())


LONGEST = 2000
"""Letters of a text that is typed."""
SIDE = 128
"""Pixels of a picture that no encoder asks for."""
THINGS = {"text": "texts", "image": "images"}


def live_encoders(sources: tuple[str, str]) -> tuple[Chosen | None, Chosen | None]:
    """Who made the vectors of the source and of the target, each if it can be asked here."""
    source, target = sources
    return _live(source), _live(target)


def check_encodable(source: str, modality: str) -> None:
    """Whether the encoder of what ``source`` names can be asked here about a text, or an image.

    Raises
    ------
    ParameterError
        If it is not known, not here, or takes another kind of input; what would help is said.
    """
    about = f"{THINGS[modality].capitalize()} cannot be probed in {open_space(source).name} here"
    try:
        takes = _encoder_of(source).card().modality
    except Error as reason:
        raise ParameterError(f"{about}: {reason}") from None
    if takes != modality:
        raise ParameterError(f"{about}: its encoder takes {THINGS[takes]}.")


def as_typed(text: str) -> str:
    """A text as encoders are asked about it: on one line.

    >>> as_typed(" a  small\\ndog ")
    'a small dog'
    """
    return " ".join(text.split())


def probe_new(problem: TranslationProblem, what: str | bytes, heads: Heads | None = None) -> Probe:
    """What becomes of a text, or of the content of a picture's file.

    The target is asked about it too, where it takes such things.

    Raises
    ------
    relviz.Error
        If the source cannot be asked, or the picture is none that can be read.
    """
    check_encodable(problem.sources[0], "text" if isinstance(what, str) else "image")
    source, target = live_encoders(problem.sources)
    assert source is not None
    itself = None
    if target is not None and target.card().modality == source.card().modality:
        itself = _encoded(target, what)
    return probe_vector(problem, _encoded(source, what), itself, heads)


def encode_input(source: str, what: str | bytes) -> Tensor:
    """The vector ``(d,)`` that the encoder of a space gives to a text, or to the content of a picture's file.

    Raises
    ------
    relviz.Error
        If the encoder cannot be asked, or the picture is none that can be read.
    """
    check_encodable(source, "text" if isinstance(what, str) else "image")
    return _encoded(_encoder_of(source), what)


def small_picture(sources: tuple[str, str], content: bytes) -> bytes:
    """A picture's file as a PNG of no more pixels than the spaces' encoders see of it, and nothing else.

    Raises
    ------
    ReadError
        If it is no picture that can be read.
    """
    sides = [one.card().side or 0 for one in live_encoders(sources) if one is not None]
    file = io.BytesIO()
    Image.fromarray(pixels(content, max(sides, default=0) or SIDE)).save(file, "PNG")
    return file.getvalue()


@lru_cache(maxsize=4)
def pixels(content: bytes, side: int) -> np.ndarray:
    """A picture's file as ``(side, side, 3)`` uint8, decoded once.

    Raises
    ------
    ReadError
        If it is no picture that can be read.
    """
    return picture_pixels(content, side)


def _live(source: str) -> Chosen | None:
    try:
        return _encoder_of(source)
    except Error:
        return None


def _encoder_of(source: str) -> Chosen:
    """Whom a space names as its encoder, if it is here.

    A path in a workspace of someone else's is only read if allowed.
    """
    origin = origin_of(source)
    chosen = Chosen(origin.encoder, origin.layer, origin.pooling)
    if not chosen.name:
        raise ParameterError(
            "its encoder is unknown. Encode its items here, or open a workspace where they are encoded."
        )
    if chosen.name in encoder_names():
        if chosen.name not in installed_encoders():
            chosen.load()  # says what to install
        return chosen
    try:
        if hub_folder(chosen.name) is None:
            allowed_path(chosen.name)
        chosen.card()
    except Error:
        raise ParameterError(
            f"its encoder {chosen.name[:80]!r} is not on this machine, or may not be read. The Encode page "
            "explains how to install it."
        ) from None
    return chosen


@lru_cache(maxsize=64)
def _encoded(chosen: Chosen, what: str | bytes) -> Tensor:
    encoder = chosen.load()
    given: Any = [what] if isinstance(what, str) else pixels(what, encoder.side or 0)[None]
    return encoder.encode(given)[0]

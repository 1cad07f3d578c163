"""The numbers behind what is shown, as files: matched rows, what a run found, translated vectors."""

import io
from collections.abc import Sequence

import numpy as np

from relviz.pair import Pair
from relviz.results.run import RunRecord
from relviz.results.translation import Translation
from relviz.sheet import csv_text

LONGEST, SHORTEST = 200, 20
"""Letters of a name in an npz, at most: as many as ``MOST_LETTERS`` of all names allow."""
MOST_LETTERS = 50_000_000


def anchors_csv(record: RunRecord, pair: Pair) -> str:
    """A line for each anchor: the row and item of A, those of B that stand for it, whether it was a seed."""
    seeds = set(record.seeds.tolist())
    rows = zip(record.anchors.tolist(), record.outcome.nearest.tolist(), strict=True)
    head = ("row_a", "id_a", "item_a", "row_b", "id_b", "item_b", "seed")
    return csv_text(head, [(*_both(pair, a, b), int(a in seeds)) for a, b in rows])


def matches_csv(record: RunRecord, pair: Pair) -> str:
    """A line for each row of A with the row of B that it is matched with, and whether it was in the fit.

    A row held out was matched after the run, with the row of B nearest to it through the anchors.
    """
    held = set(record.held_out.tolist())
    head = ("row_a", "id_a", "item_a", "row_b", "id_b", "item_b", "in_fit")
    rows = enumerate(record.outcome.matches.tolist())
    return csv_text(head, [(*_both(pair, a, b), int(a not in held)) for a, b in rows])


def run_npz(record: RunRecord) -> bytes:
    """Arrays: ``anchors_a`` rows of A, ``anchors_b`` (k, dy) points in B's prepared frame, ``indices_b`` the
    rows nearest to them, ``seeds_a``, ``matches`` (n,), and the rows of A ``held_out_a``."""
    return _npz(
        anchors_a=record.anchors.numpy(),
        anchors_b=record.outcome.points.numpy(),
        indices_b=record.outcome.nearest.numpy(),
        seeds_a=record.seeds.numpy(),
        matches=record.outcome.matches.numpy(),
        held_out_a=record.held_out.numpy(),
    )


def pair_csv(pair: Pair) -> str:
    """A line for each matched row: its number, id, class and item."""
    labels = pair.labels or ("",) * len(pair)
    rows = zip(range(len(pair)), pair.ids, labels, pair.items, strict=True)
    return csv_text(("row", "id", "class", "item"), list(rows))


def pair_npz(pair: Pair) -> bytes:
    """Arrays: ``a`` (n, dx) and ``b`` (n, dy), row against row, their ``ids``, and ``labels`` if any."""
    labels = {} if pair.labels is None else {"labels": texts_array(pair.labels)}
    return _npz(a=pair.a.vectors.numpy(), b=pair.b.vectors.numpy(), ids=texts_array(pair.ids), **labels)


def translated_npz(made: Translation, pair: Pair) -> bytes:
    """Arrays: ``vectors`` (n, dy) of translated items, ``cosines`` to the target, ``ids``, ``anchors``."""
    return _npz(
        vectors=made.made.numpy(),
        cosines=made.cosines,
        anchors=made.anchors.numpy(),
        ids=texts_array(pair.ids),
    )


def texts_array(texts: Sequence[str]) -> np.ndarray:
    """Texts as numpy keeps them, each in the room of the longest: cut where that would be far too much."""
    room = max(SHORTEST, min(LONGEST, MOST_LETTERS // max(1, len(texts))))
    return np.array([text[:room] for text in texts], np.str_)


def _npz(**arrays: np.ndarray) -> bytes:
    raw = io.BytesIO()
    np.savez_compressed(raw, allow_pickle=False, **arrays)
    return raw.getvalue()


def _both(pair: Pair, a: int, b: int) -> tuple[object, ...]:
    ids, items = pair.ids, pair.items
    return a, ids[a], items[a], b, ids[b], items[b]

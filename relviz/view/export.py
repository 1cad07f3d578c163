"""What a run found, as files: anchors and matched pairs."""

import csv
import io

import numpy as np

from relviz.pair import Pair
from relviz.view.found import Found


def anchors_csv(found: Found, pair: Pair) -> str:
    """A line for each anchor: the row and item of A, those of B that stand for it, whether it was a seed."""
    seeds = set(found.seeds.tolist())
    rows = zip(found.rows.tolist(), found.indices.tolist(), strict=True)
    head = ("row_a", "id_a", "item_a", "row_b", "id_b", "item_b", "seed")
    return _csv(head, [(*_both(pair, a, b), int(a in seeds)) for a, b in rows])


def matches_csv(found: Found, pair: Pair) -> str:
    """A line for each row of A with the row of B that it is matched with."""
    head = ("row_a", "id_a", "item_a", "row_b", "id_b", "item_b")
    return _csv(head, [_both(pair, a, b) for a, b in enumerate(found.matches.tolist())])


def found_npz(found: Found) -> bytes:
    """Arrays: ``anchors_a`` rows of A, ``anchors_b`` (k, dy) points in B's prepared frame, ``indices_b`` the
    rows nearest to them, ``seeds_a``, and ``matches`` (n,)."""
    raw = io.BytesIO()
    np.savez_compressed(
        raw,
        anchors_a=found.rows.numpy(),
        anchors_b=found.points.numpy(),
        indices_b=found.indices.numpy(),
        seeds_a=found.seeds.numpy(),
        matches=found.matches.numpy(),
    )
    return raw.getvalue()


def _both(pair: Pair, a: int, b: int) -> tuple[object, ...]:
    ids, items = pair.ids, pair.items
    return a, ids[a], items[a], b, ids[b], items[b]


def _csv(head: tuple[str, ...], rows: list[tuple[object, ...]]) -> str:
    text = io.StringIO()
    writer = csv.writer(text)
    writer.writerow(head)
    writer.writerows(rows)
    return text.getvalue()

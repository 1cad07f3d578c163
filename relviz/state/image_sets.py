"""Images that autoencoders are trained on: the digits that the project has, or pictures of one's own."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path

import numpy as np
import torch
from torch import Tensor

from relviz.autoencoders import demo_digits, small_images, split_images
from relviz.compute.jobs import Ticket
from relviz.compute.key import Strings, is_key, kind_of, strings
from relviz.compute.store import default_store
from relviz.compute.task import Task, task
from relviz.compute.typed import unpack
from relviz.demos import load_demo
from relviz.errors import ParameterError
from relviz.items import Pictures
from relviz.state.owners import claim_of
from relviz.wording import count, plural

KIND = "images"
MOST_IMAGES = 12
"""Images that are swapped at once."""
DIGITS = ""
MOST_CLASSES, SHOWN = 12, 10
"""Of so many classes at most each is shown, and about how many images are."""


@dataclass(frozen=True, eq=False)
class ImageSet:
    """``train`` and ``test`` images ``(n, channels, side, side)`` between 0 and 1.

    ``names`` say what each test image is; ``labels`` are the classes of those that train and of those that
    test, where these are known. ``source`` is what a view calls the set, ``digest`` its content.
    """

    source: str
    title: str
    digest: str
    train: Tensor
    test: Tensor
    names: tuple[str, ...]
    labels: tuple[tuple[str, ...], tuple[str, ...]] | None
    notes: tuple[str, ...] = ()

    @property
    def is_digits(self) -> bool:
        """Whether these are the digits that come with the project."""
        return self.source == DIGITS

    def chosen(self, rows: Sequence[int]) -> list[int]:
        """Those of some rows that there are, at most ``MOST_IMAGES``; the first where there are none."""
        return [row for row in rows if row < len(self.test)][:MOST_IMAGES] or list(self.first())

    def first(self) -> tuple[int, ...]:
        """Test images to begin with: of each class as many, or some from all over."""
        return self.after(())

    def after(self, shown: tuple[int, ...]) -> tuple[int, ...]:
        """The next test images after those that are shown; after the last comes the first."""
        n = len(self.test)
        truth = self.labels[1] if self.labels else ()
        names = sorted(set(truth))
        if not 1 <= len(names) <= MOST_CLASSES:
            start = min(shown, default=-1) + 1
            return tuple(sorted({(start + row * n // SHOWN) % n for row in range(min(SHOWN, n))}))
        found: list[int] = []
        for name in names:
            rows = [row for row, label in enumerate(truth) if label == name]
            last = max((row for row in shown if row < n and truth[row] == name), default=-1)
            later = sum(row <= last for row in rows) % len(rows)
            many = min(len(rows), max(1, SHOWN // len(names)))
            found += [rows[(later + at) % len(rows)] for at in range(many)]
        return tuple(found)


def image_set(source: str) -> ImageSet:
    """The images that a view names.

    Raises
    ------
    ParameterError
        If they are not in the store, or were brought by another visitor.
    """
    if source == DIGITS:
        return _digits()
    if not is_key(source) or kind_of(source) != KIND or claim_of(source) is None:
        raise _absent()
    return _stored(default_store().root, source)


@dataclass(frozen=True, eq=False)
class KeptImages:
    """Small ``images`` ``(n, channels, side, side)`` of pictures, as bytes, and what is known of each."""

    images: np.ndarray
    title: str
    ids: tuple[str, ...] | None
    labels: tuple[str, ...] | None
    notes: tuple[str, ...]


def images_task(pictures: Pictures, side: int = 28, color: bool | None = None) -> Task[KeptImages]:
    """The task that makes small images of pictures; its key is what a view calls the set.

    What it raises is of ``relviz.autoencoders.images``: too few, all alike.
    """
    ids, labels = strings(pictures.ids), strings(pictures.labels)
    making = _scaled_down(pictures, side, color, name=pictures.name, ids=ids, labels=labels)
    return replace(making, title=f"Resizing {plural(len(pictures), 'image')}")


@task(KIND, "Resizing images")
def _scaled_down(
    ticket: Ticket,
    pictures: Pictures,
    side: int,
    color: bool | None,
    *,
    name: str,
    ids: Strings,
    labels: Strings,
) -> KeptImages:
    def on_progress(share: float) -> None:
        ticket.report(share, f"{count(round(share * len(pictures)))} of {count(len(pictures))}")

    found = small_images(pictures, side, color, on_progress)
    rows = found.rows.tolist()
    return KeptImages(
        (found.images * 255).round().to(torch.uint8).numpy(),
        name or "Pictures",
        _of_rows(ids, rows),
        _of_rows(labels, rows),
        (*pictures.notes, *found.notes),
    )


def _of_rows(texts: Strings, rows: list[int]) -> tuple[str, ...] | None:
    return tuple(texts.values[row] for row in rows) if texts.values else None


@lru_cache(maxsize=1)
def _digits() -> ImageSet:
    found = demo_digits()
    labels = found.train_labels, found.test_labels
    digest = load_demo("digits").spaces["pixels"].digest
    return ImageSet(DIGITS, "Handwritten digits", digest, found.train, found.test, found.test_labels, labels)


@lru_cache(maxsize=4)
def _stored(_: Path, source: str) -> ImageSet:
    found = default_store().get(source)
    if found is None:
        raise _absent()
    kept = unpack(KeptImages, found)
    images = torch.from_numpy(kept.images).float() / 255
    train, test = split_images(len(images))
    names = kept.labels or kept.ids or [f"image {row}" for row in range(len(images))]
    trained, unseen = (tuple(names[row] for row in rows.tolist()) for rows in (train, test))
    return ImageSet(
        source,
        kept.title,
        source,
        images[train],
        images[test],
        unseen,
        (trained, unseen) if kept.labels else None,
        kept.notes,
    )


def _absent() -> ParameterError:
    return ParameterError(
        "The images of this link were not loaded in this browser, or are no longer stored. Add them again "
        "under Images, or use the handwritten digits."
    )

"""Encoding: items through an encoder to a space of the shelf, and fetching a model that is not here."""

from collections.abc import Callable
from dataclasses import dataclass
from time import monotonic

import torch

from relviz.compute.jobs import Ticket
from relviz.compute.key import result_key, text_digest, value_digest
from relviz.compute.store import default_store
from relviz.compute.task import Made, Task
from relviz.encoders import Card, Encoder, card, encoder_digest, fetch_from_hub, load_encoder
from relviz.items import Items, Pictures
from relviz.space import Space
from relviz.state.owners import Origin
from relviz.state.sources import OWN, Pixels, as_arrays
from relviz.wording import count, plural

CELL = 32
"""Pixels of the small pictures that the maps show."""
MOST_THUMBNAILS = 20_000


@dataclass(frozen=True)
class Chosen:
    """An encoder, and which of its hidden states is pooled how; None leaves that to the model."""

    name: str
    layer: int | None = None
    pooling: str | None = None

    def card(self) -> Card:
        """What is known of it without loading it; ParameterError or ReadError if it cannot be had."""
        return card(self.name, layer=self.layer, pooling=self.pooling)

    def load(self) -> Encoder:
        """The encoder itself; errors as ``load_encoder``."""
        return load_encoder(self.name, layer=self.layer, pooling=self.pooling)


def encoding_task(items: Items, chosen: Chosen) -> Task:
    """The task that encodes items; its key is the source of the space that it makes, for who claims it.

    The vectors are kept apart too: other ids or classes of the same items need no encoder.

    Raises
    ------
    ParameterError, ReadError
        If there is no such encoder, or it takes another kind of input than these.
    """
    about = chosen.card()
    digest = encoder_digest(chosen.name, layer=chosen.layer, pooling=chosen.pooling)
    vectors_key = result_key("encoded", [items.digest, digest], {})
    texts = [text_digest(part) for part in (items.ids, items.labels)]
    # What the space says of itself: with another name, or the encoder elsewhere, it is another one.
    said = {"name": items.name, "title": about.title, "encoder": chosen.name}
    key = result_key(OWN, [items.digest, digest, *texts], said)
    title = f"{about.title}: {plural(len(items), 'text' if items.modality == 'text' else 'picture')}"

    def compute(ticket: Ticket) -> Made:
        kept = default_store().cached(vectors_key, lambda: _encoded(items, chosen, ticket))
        space = Space(
            torch.from_numpy(kept.arrays["vectors"]),
            ids=items.ids,
            labels=items.labels,
            items=items.ids if isinstance(items, Pictures) else items.texts,
            name=f"{about.title} ({items.name})" if items.name else about.title,
        )
        words = f"{about.title}, {plural(len(items), 'row')} of {items.name or 'what was pasted'}"
        origin = Origin(words, chosen.name, chosen.layer, chosen.pooling)
        return as_arrays(space, _thumbnails(items)), {"name": space.name, "origin": origin.to_meta()}

    return Task(key, title, compute)


def _thumbnails(items: Items) -> Pixels | None:
    if isinstance(items, Pictures) and len(items) <= MOST_THUMBNAILS:
        return items.thumbnails(CELL)
    return None


def _encoded(items: Items, chosen: Chosen, ticket: Ticket) -> Made:
    ticket.report(0.0, "loading the encoder")
    encoder = chosen.load()
    given = items if isinstance(items, Pictures) else items.texts
    vectors = encoder.encode(given, on_progress=_reporter(ticket, len(items)))
    return {"vectors": vectors}, {}


def _reporter(ticket: Ticket, total: int) -> Callable[[float], None]:
    begun = monotonic()

    def on_progress(fraction: float) -> None:
        done = round(fraction * total)
        rate = done / max(monotonic() - begun, 1e-3)
        said = f"{rate:.3g}" if rate < 100 else count(round(rate))
        ticket.report(fraction, f"{count(done)} of {count(total)} rows, {said} a second")
        ticket.rest()

    return on_progress


def fetch_task(name: str) -> Task:
    """The task that fetches a model by its id; what it keeps is only that it did."""

    def compute(ticket: Ticket) -> Made:
        ticket.report(0.0, "asking the hub")
        fetch_from_hub(name, on_progress=ticket.report)
        return {}, {"name": name}

    return Task(result_key("fetched", [value_digest(name)], {}), f"Fetching {name}", compute)

"""Encoding: items through an encoder to a space of the shelf, and fetching a model that is not here."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from time import monotonic

from torch import Tensor

from relviz.compute.jobs import Ticket
from relviz.compute.key import Strings, strings
from relviz.compute.task import Task, task
from relviz.encoders import Card, Encoder, card, encoder_digest, fetch_from_hub, load_encoder
from relviz.items import Items, Pictures
from relviz.space import Space
from relviz.state.owners import Origin
from relviz.state.sources import OWN, KeptSpace, Pixels, packed_texts
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


@dataclass(frozen=True)
class _Known:
    """An encoder identified by the digest of what it consists of, wherever that lies."""

    chosen: Chosen
    digest: str


@dataclass(frozen=True, eq=False)
class _Encoded:
    """What an encoder makes of items, ``(n, d)``."""

    vectors: Tensor


def encoding_task(items: Items, chosen: Chosen) -> Task[KeptSpace]:
    """The task that encodes items; its key is the source of the space that it makes, for who claims it.

    The vectors are kept apart too: other ids or classes of the same items need no encoder.

    Raises
    ------
    ParameterError, ReadError
        If there is no such encoder, or it takes another kind of input than these.
    """
    about = chosen.card()
    known = _Known(chosen, encoder_digest(chosen.name, layer=chosen.layer, pooling=chosen.pooling))
    making = _space_of(
        items,
        known,
        # What the space says of itself: with another name, or the encoder elsewhere, it is another one.
        chosen,
        ids=strings(items.ids),
        labels=strings(items.labels),
        name=items.name,
        title=about.title,
    )
    many = plural(len(items), "text" if items.modality == "text" else "picture")
    return replace(making, title=f"{about.title}: {many}")


@task(OWN, "Encoding", heavy=True)
def _space_of(
    ticket: Ticket,
    items: Items,
    known: _Known,
    chosen: Chosen,
    *,
    ids: Strings,
    labels: Strings,
    name: str,
    title: str,
) -> KeptSpace:
    space = Space(
        _vectors_of(items, known).run(ticket).vectors,
        ids=ids.values,
        labels=labels.values,
        items=ids.values if isinstance(items, Pictures) else items.texts,
        name=f"{title} ({name})" if name else title,
    )
    words = f"{title}, {plural(len(items), 'row')} of {name or 'what was pasted'}"
    origin = Origin(words, chosen.name, chosen.layer, chosen.pooling)
    return KeptSpace(space.vectors.numpy(), packed_texts(space), _thumbnails(items), space.name, origin)


@task("encoded", "Encoding")
def _vectors_of(ticket: Ticket, items: Items, known: _Known) -> _Encoded:
    ticket.report(0.0, "loading the encoder")
    encoder = known.chosen.load()
    given = items if isinstance(items, Pictures) else items.texts
    return _Encoded(encoder.encode(given, on_progress=_reporter(ticket, len(items))))


def _thumbnails(items: Items) -> Pixels | None:
    if isinstance(items, Pictures) and len(items) <= MOST_THUMBNAILS:
        return items.thumbnails(CELL)
    return None


def _reporter(ticket: Ticket, total: int) -> Callable[[float], None]:
    begun = monotonic()

    def on_progress(fraction: float) -> None:
        done = round(fraction * total)
        rate = done / max(monotonic() - begun, 1e-3)
        speed = f"{rate:.3g}" if rate < 100 else count(round(rate))
        ticket.report(fraction, f"{count(done)} of {count(total)} rows, {speed} a second")
        ticket.rest()

    return on_progress


@dataclass(frozen=True)
class Fetched:
    """A model that was fetched."""

    name: str


@task("fetched", "Fetching {name}")
def fetch_task(ticket: Ticket, name: str) -> Fetched:
    """The task that fetches a model by its id; what it keeps is only that it did."""
    ticket.report(0.0, "asking the hub")
    fetch_from_hub(name, on_progress=ticket.report)
    return Fetched(name)

"""Encoders: texts or pictures in, vectors out, now and on this machine.

The bundled ones, and any model of one's own: a folder, a model of the hub, a file of word vectors.

>>> from relviz.encoders import encoder_names, load_encoder
>>> encoder_names("text")
('minilm', 'wordllama', 'e5')
>>> load_encoder("minilm").encode(["a canine", "a dog"]).shape
torch.Size([2, 384])
"""

from relviz.encoders.batches import LazyPictures
from relviz.encoders.bundled import encoder_names, encoder_of, installed_encoders
from relviz.encoders.encoder import Card, Encoder
from relviz.encoders.hub import fetch_from_hub, hub_folder, is_hub_off
from relviz.encoders.layers import SentenceLayers
from relviz.encoders.load import card, encoder_digest, load_encoder
from relviz.readers.pixels import as_pixels

__all__ = [
    "Card",
    "Encoder",
    "LazyPictures",
    "SentenceLayers",
    "as_pixels",
    "card",
    "encoder_digest",
    "encoder_names",
    "encoder_of",
    "fetch_from_hub",
    "hub_folder",
    "installed_encoders",
    "is_hub_off",
    "load_encoder",
]

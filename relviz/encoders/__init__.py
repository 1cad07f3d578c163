"""Encoders that pip carries: texts or pictures in, vectors out, now and on this machine.

>>> from relviz.encoders import encoder_names, load_encoder
>>> encoder_names("text")
('minilm', 'wordllama')
>>> load_encoder("minilm").encode(["a canine", "a dog"]).shape
torch.Size([2, 384])
"""

from relviz.encoders.carried import card, encoder_names, installed_encoders, load_encoder
from relviz.encoders.encoder import Card, Encoder
from relviz.encoders.layers import SentenceLayers
from relviz.encoders.origin import encoder_of
from relviz.encoders.picture import as_pixels

__all__ = [
    "Card",
    "Encoder",
    "SentenceLayers",
    "as_pixels",
    "card",
    "encoder_names",
    "encoder_of",
    "installed_encoders",
    "load_encoder",
]

"""relviz: see the latent spaces of two encoders become comparable.

The names below are the library's public face; everything works without Streamlit.
"""

from relviz.errors import Error, PairingError, ParameterError, ReadError, ShapeError
from relviz.pair import Pair
from relviz.space import Space

__version__ = "0.1.0"

__all__ = [
    "Error",
    "Pair",
    "PairingError",
    "ParameterError",
    "ReadError",
    "ShapeError",
    "Space",
]

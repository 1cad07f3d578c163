"""What relviz raises when it is given something it cannot work with.

Every message says what was given, with the numbers, and what to do about it.
"""


class Error(ValueError):
    """Base of all errors that relviz raises on purpose."""


class Stopped(Exception):
    """A callback asked to give up work that has no result yet. Not an ``Error``: nothing was wrong."""


class ShapeError(Error):
    """Arrays whose shapes do not fit the operation or each other."""


class ParameterError(Error):
    """An option that does not exist, or a number outside its range."""


class ReadError(Error):
    """A file that cannot be read, or must not be."""


class PairingError(Error):
    """Two spaces whose rows cannot be matched."""


class UnpairedError(PairingError):
    """Two spaces that nothing says how to match: no ids in common, or none and different lengths."""

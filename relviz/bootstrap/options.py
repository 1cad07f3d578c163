"""Checks that the options of every method share."""

from typing import Any

from relviz.errors import ParameterError


def check_whole(name: str, value: Any, least: int) -> None:
    """ParameterError unless the option is a whole number, at least ``least``; a bool is none."""
    if isinstance(value, bool) or not isinstance(value, int) or value < least:
        raise ParameterError(f"{name} must be a whole number, at least {least}; it is {value!r}.")

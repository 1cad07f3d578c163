"""Choices as URL parameters, written and read back."""

from collections.abc import Mapping
from dataclasses import replace
from typing import TypeVar

from relviz.state.choice import Choices, Notice, Value

C = TypeVar("C", bound=Choices)


def written(chosen: Choices, in_full: bool = False) -> dict[str, str]:
    """Choices as URL parameters: those that differ from their default, or ``in_full`` all."""
    found = {}
    for name, choice in chosen.declared().items():
        value = getattr(chosen, name)
        if in_full or value != choice.default:
            found[chosen.prefix + name] = choice.write(value)
    return found


def read(usual: C, params: Mapping[str, str]) -> tuple[C, list[Notice]]:
    """What URL parameters make of the usual choices, and a notice of each that had to be ignored."""
    found: dict[str, Value] = {}
    notices = []
    for name, choice in usual.declared().items():
        text = params.get(usual.prefix + name)
        if text is None:
            continue
        try:
            found[name] = choice.read(text)
        except ValueError as reason:
            used = choice.write(getattr(usual, name))
            notices.append(Notice(usual.prefix + name, text, str(reason), used))
    return replace(usual, **found), notices

"""Widgets tied to one choice of the view each: what they show is the view, what they change is the view."""

from collections.abc import Mapping
from typing import Any, TypeVar

import streamlit as st

from relviz.state.view import (
    CHOICES,
    DECODING_CHOICES,
    DECODING_RANGES,
    RANGES,
    RUN_CHOICES,
    RUN_RANGES,
    Decoding,
    Run,
    View,
)
from relviz.ui import state

Choices = View | Run | Decoding
T = TypeVar("T")


def choice(view: Choices, field: str, label: str, names: Mapping[str, str], help: str | None = None) -> None:
    """A drop-down list for a named choice."""
    options = _table(view, CHOICES, RUN_CHOICES, DECODING_CHOICES)[field]
    st.selectbox(label, options, format_func=names.__getitem__, help=help, **_tie(view, field))


def number(
    view: Choices,
    field: str,
    label: str,
    help: str | None = None,
    most: int | None = None,
    step: int = 1,
) -> None:
    """A whole number within the range that the view allows."""
    low, high = (int(end) for end in _table(view, RANGES, RUN_RANGES, DECODING_RANGES)[field])
    high = min(high, most) if most else high
    st.number_input(
        label, low, max(high, low), step=step, help=help, **_tie(view, field, low, max(high, low))
    )


def segments(view: Choices, field: str, label: str, names: Mapping[str, str]) -> None:
    """Named choices side by side, all in sight."""
    st.segmented_control(
        label,
        _table(view, CHOICES, RUN_CHOICES, DECODING_CHOICES)[field],
        format_func=names.__getitem__,
        label_visibility="collapsed",
        **_tie(view, field),
    )


def slider(view: Choices, field: str, label: str, step: float, help: str | None = None) -> None:
    """A slider over the range that the view allows."""
    low, high = _table(view, RANGES, RUN_RANGES, DECODING_RANGES)[field]
    st.slider(label, low, high, step=step, help=help, **_tie(view, field))


def toggle(view: Choices, field: str, label: str, help: str | None = None) -> None:
    """A switch for yes and no."""
    st.toggle(label, help=help, **_tie(view, field))


def _tie(view: Choices, field: str, low: float | None = None, high: float | None = None) -> dict[str, Any]:
    change = _table(view, state.change, state.change_run, state.change_decoding)
    key = _table(view, "choice_", "choice_ao_", "choice_de_") + field
    value = getattr(view, field)
    if low is not None and high is not None:
        value = min(max(value, low), high)
    st.session_state[key] = value

    def take() -> None:
        chosen = st.session_state[key]
        if chosen is not None:
            change(**{field: chosen})

    return {"key": key, "on_change": take}


def _table(view: Choices, of_view: T, of_run: T, of_decoding: T) -> T:
    """What belongs to the choices that a widget is tied to."""
    if isinstance(view, Run):
        return of_run
    return of_decoding if isinstance(view, Decoding) else of_view

"""Widgets tied to one choice of the view each: what they show is the view, what they change is the view."""

from collections.abc import Mapping
from typing import Any

import streamlit as st

from relviz.ui import state
from relviz.view.choices import CHOICES, RANGES, View
from relviz.view.run import RUN_CHOICES, RUN_RANGES, Run


def choice(
    view: View | Run, field: str, label: str, names: Mapping[str, str], help: str | None = None
) -> None:
    """A drop-down list for a named choice."""
    options = RUN_CHOICES[field] if isinstance(view, Run) else CHOICES[field]
    st.selectbox(label, options, format_func=names.__getitem__, help=help, **_tie(view, field))


def number(
    view: View | Run,
    field: str,
    label: str,
    help: str | None = None,
    most: int | None = None,
    step: int = 1,
) -> None:
    """A whole number within the range that the view allows."""
    ranges = RUN_RANGES if isinstance(view, Run) else RANGES
    low, high = (int(end) for end in ranges[field])
    high = min(high, most) if most else high
    st.number_input(
        label, low, max(high, low), step=step, help=help, **_tie(view, field, low, max(high, low))
    )


def segments(view: View, field: str, label: str, names: Mapping[str, str]) -> None:
    """Named choices side by side, all in sight."""
    st.segmented_control(
        label,
        CHOICES[field],
        format_func=names.__getitem__,
        label_visibility="collapsed",
        **_tie(view, field),
    )


def slider(view: View, field: str, label: str, step: float, help: str | None = None) -> None:
    """A slider over the range that the view allows."""
    low, high = RANGES[field]
    st.slider(label, low, high, step=step, help=help, **_tie(view, field))


def toggle(view: View | Run, field: str, label: str, help: str | None = None) -> None:
    """A switch for yes and no."""
    st.toggle(label, help=help, **_tie(view, field))


def _tie(view: View | Run, field: str, low: float | None = None, high: float | None = None) -> dict[str, Any]:
    of_run = isinstance(view, Run)
    key = f"choice_ao_{field}" if of_run else f"choice_{field}"
    value = getattr(view, field)
    if low is not None and high is not None:
        value = min(max(value, low), high)
    st.session_state[key] = value

    def take() -> None:
        chosen = st.session_state[key]
        if chosen is not None:
            (state.change_run if of_run else state.change)(**{field: chosen})

    return {"key": key, "on_change": take}

"""Widgets of declared choices: what they show is the view, what they change is the view.

Label, help, range and options are those of the declaration (``relviz.state.choice``).
"""

from collections.abc import Callable
from typing import TypedDict

import streamlit as st

from relviz.errors import ParameterError
from relviz.state.choice import Choices, Number, OneOf, Switch, Value
from relviz.state.view import Decoding, Run, Several, View
from relviz.ui import state

_CHANGE = {
    View: state.change,
    Run: state.change_run,
    Decoding: state.change_decoding,
    Several: state.change_several,
}


class Tie(TypedDict):
    """What ties a widget to a choice: its key, and what it does when a person changes it."""

    key: str
    on_change: Callable[[], None]


def choose(chosen: Choices, name: str, most: int | None = None, note: str = "") -> None:
    """The widget of a choice: a list of options, a number, a slider where it has a fraction, or a switch.

    Parameters
    ----------
    chosen
        Where it is one of the choices, as they are now.
    name
        Of the choice.
    most
        The greatest value of a number where the data allows less than the declaration.
    note
        A sentence about the data, after the help.

    Raises
    ------
    ParameterError
        If there is no such choice, or rows or texts are chosen with it.
    """
    choice = chosen.choice(name)
    help = f"{choice.explained} {note}".strip()
    match choice:
        case OneOf():
            labels = choice.labels
            st.selectbox(
                choice.label, list(labels), format_func=labels.__getitem__, help=help, **_tie(chosen, name)
            )
        case Switch():
            st.toggle(choice.label, help=help, **_tie(chosen, name))
        case Number():
            _number(chosen, name, choice, help, most)
        case _:
            raise ParameterError(f"The choice {name} has no widget of its own: its options are in the data.")


def segments(chosen: Choices, name: str) -> None:
    """The options of a choice side by side, all in sight."""
    choice, labels = chosen.choice(name), chosen.labels(name)
    st.segmented_control(
        choice.label,
        list(labels),
        format_func=labels.__getitem__,
        label_visibility="collapsed",
        **_tie(chosen, name),
    )


def inline_select(chosen: Choices, name: str, width: int = 190) -> None:
    """The options of a choice in a short list without a heading, for a row of controls."""
    choice, labels = chosen.choice(name), chosen.labels(name)
    st.selectbox(
        choice.label,
        list(labels),
        format_func=lambda option: f"{choice.label}: {labels[option][0].lower()}{labels[option][1:]}",
        label_visibility="collapsed",
        width=width,
        **_tie(chosen, name),
    )


def _number(chosen: Choices, name: str, choice: Number, help: str, most: int | None) -> None:
    low, high = choice.low, choice.high
    if most is not None:
        high = max(low, min(high, most))
    shown = min(max(getattr(chosen, name), low), high)
    widget = st.number_input if choice.is_whole else st.slider
    widget(choice.label, low, high, step=choice.step, help=help, **_tie(chosen, name, shown))


def _tie(chosen: Choices, name: str, shown: Value | None = None) -> Tie:
    """Key and callback of a widget that shows the choice, or the nearest that its data allows."""
    key = f"choice_{chosen.prefix}{name}"
    drawn: Value = getattr(chosen, name) if shown is None else shown
    st.session_state[key] = drawn

    def take() -> None:
        value: Value | None = st.session_state[key]
        if value is not None and value != drawn:  # a browser may send back what it was given
            _CHANGE[type(chosen)](**{name: value})

    return {"key": key, "on_change": take}

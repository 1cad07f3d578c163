"""Options of commands that say how figures and tables look; the same choices as in the app and in Python."""

import argparse
from collections.abc import Sequence
from typing import TypedDict

from relviz.errors import ParameterError
from relviz.figures.look import Look, look_of
from relviz.plotting.venues import millimeters
from relviz.state.choice import Number, OneOf, Switch

FLAGS = {"best": "--no-best", "label": "--latex-label"}
"""Flags that are not the names of their choices."""
PAIRS = {
    "names": ("--name", "OWN=PRINTED", "Print another name for a space or class."),
    "titles": ("--title", "a=TEXT", "Title of a panel."),
    "zoom": ("--zoom", "a=X0,X1,Y0,Y1", "Part of the plane that a panel shows."),
}
HIDE = "hidden"


def look_arguments(parser: argparse.ArgumentParser) -> None:
    """How what is written looks."""
    group = parser.add_argument_group("looks of figures and tables")
    for name, choice in Look.declared().items():
        flag = FLAGS.get(name, f"--{name.replace('_', '-')}")
        help_text = f"{choice.label}. {choice.help}".replace("%", "%%")
        if isinstance(choice, Switch):
            action = "store_false" if choice.default else "store_true"
            group.add_argument(flag, dest=f"look_{name}", action=action, default=None, help=help_text)
        elif isinstance(choice, OneOf):
            options = [one for one in choice.options if one]
            group.add_argument(flag, dest=f"look_{name}", choices=options, help=help_text)
        else:
            kind = type(choice.default) if isinstance(choice, Number) else str
            like = "N" if isinstance(choice, Number) else "TEXT"
            group.add_argument(flag, dest=f"look_{name}", type=kind, metavar=like, help=help_text)
    for name, (flag, like, help_text) in PAIRS.items():
        group.add_argument(
            flag,
            dest=f"look_{name}",
            action="append",
            default=[],
            metavar=like,
            help=f"{help_text} Repeatable.",
        )
    group.add_argument(
        "--hide", dest=f"look_{HIDE}", action="append", default=[], metavar="CLASS", help="Leave a class out."
    )


def typed_width(text: str) -> str:
    """A width that was typed, if it is one; what it is in mm depends on the style."""
    try:
        millimeters(text)
    except ParameterError as reason:
        raise argparse.ArgumentTypeError(str(reason)) from None
    return text


def chosen_look(args: argparse.Namespace, usual: Look = Look()) -> Look:  # noqa: B008
    """The usual look with what a command asks for.

    Raises
    ------
    ParameterError
        If something asked for is not allowed.
    """
    record = usual.as_json()
    for name in Look.declared():
        value = getattr(args, f"look_{name}")
        record |= {} if value is None else {name: value}
    for name in ("names", "titles"):
        record[name] = {**getattr(usual, name), **dict(_split(one) for one in getattr(args, f"look_{name}"))}
    boxes = {letter: _numbers(text) for letter, text in map(_split, args.look_zoom)}
    return look_of({**record, "zoom": {**usual.zoom, **boxes}, HIDE: [*usual.hidden, *args.look_hidden]})


def chosen_width(args: argparse.Namespace, look: Look, usual: float | None = None) -> float:
    """The width in mm; without one the usual, or that of the text of the style."""
    if args.width is None and usual is not None and args.look_style is None:
        return usual
    return millimeters(args.width or "two", look.style)


class Printed(TypedDict):
    """Width in mm and look, as ``recipe_of`` takes them."""

    width: float
    look: Look


def with_look(args: argparse.Namespace, look: Look) -> Printed:
    """Width and look, as recipes take them."""
    return {"width": chosen_width(args, look), "look": look}


def _split(text: str) -> tuple[str, str]:
    own, sign, printed = text.partition("=")
    if not sign or not own:
        raise ParameterError(f"{text[:40]!r} has no name before an equals sign; write OWN=PRINTED.")
    return own, printed


def _numbers(text: str) -> Sequence[float]:
    try:
        return [float(one) for one in text.split(",")]
    except ValueError:
        raise ParameterError(f"The zoom {text[:40]!r} should be four numbers: x0,x1,y0,y1.") from None

"""The controls of a picture as a line each: how a slider, a choice and a switch are written."""

import re
from dataclasses import replace
from typing import cast

from relviz.errors import ReadError
from relviz.stories.story import Control, Kind

_NUMBER = r"-?\d+(?:\.\d+)?"
_RANGE = re.compile(rf"({_NUMBER}) from ({_NUMBER}) to ({_NUMBER})(?: by ({_NUMBER}))?")
_STOPS = re.compile(r"([\w.-]+) of (.+)")
_STOP = re.compile(r"([\w.-]+)(?: \(([^)]*)\))?")
_ALL_STOPS = re.compile(rf"(?:{_STOP.pattern}(?:\s+|$))+")
_COMMA = re.compile(r",(?![^(]*\))")
"""One that is not within the title of a stop."""
SWITCH = ("off", "on")


def read_control(key: str, line: str) -> Control:
    """A control from its key and its line.

    Raises
    ------
    ReadError
        If the line cannot be read, or the value at first is none of those it may have.

    Examples
    --------
    >>> read_control("slider turn", "0 from -180 to 180 by 5, Turn model B (degrees)").most
    180.0
    >>> read_control("choice map", "pca of pca (PCA) tsne (t-SNE), Map").stops
    (('pca', 'PCA'), ('tsne', 't-SNE'))
    >>> read_control("choice show", "a of a (One, two) b, Show").stops
    (('a', 'One, two'), ('b', 'b'))
    >>> read_control("switch mirror", "off, Mirror model B").label
    'Mirror model B'
    """
    kind, _, name = key.partition(" ")
    given, *rest = (part.strip() for part in _COMMA.split(line, maxsplit=1))
    label = "".join(rest)
    if not re.fullmatch(r"[a-z][a-z_]*", name) or not label:
        raise ReadError(f"“{key[:40]}: {line[:60]}”: write {kind} name: value …, label.")
    plain = Control(name, label, cast(Kind, kind), given)
    if kind == "switch":
        made = replace(plain, stops=tuple((one, one) for one in SWITCH))
    elif (found := _STOPS.fullmatch(given)) is not None and _ALL_STOPS.fullmatch(found[2]):
        stops = tuple((value, title or value) for value, title in _STOP.findall(found[2]))
        made = replace(plain, value=found[1], stops=stops)
    elif kind == "slider" and (found := _RANGE.fullmatch(given)) is not None:
        value, least, most, step = found[1], *(float(part or 1) for part in found.groups()[1:])
        made = replace(plain, value=value, least=least, most=most, step=step)
    else:
        raise ReadError(
            f"{given[:60]!r} is not a {kind}: write “0 from -180 to 180 by 5” or “10 of 2 5 10 20” for a "
            "slider, “pca of pca (PCA) tsne (t-SNE)” for a choice, “on” or “off” for a switch."
        )
    _check(made, made.value)
    return made


def read_after(control: Control, value: str | None) -> Control:
    """The control with the value that the answer to the question sets it to; ReadError if it has no such."""
    if value is None:
        return control
    _check(control, value)
    return replace(control, after=value)


def _check(control: Control, value: str) -> None:
    if control.stops:
        fits = value in dict(control.stops)
    else:
        fits = bool(re.fullmatch(_NUMBER, value)) and control.least <= float(value) <= control.most
    if not fits:
        raise ReadError(f"{control.name} cannot be {value[:40]!r}.")

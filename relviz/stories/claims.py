"""Numbers in texts, and conditions on them: what a story says is filled in and checked, never typed."""

import operator
import re
from collections.abc import Callable, Mapping

from relviz.errors import ParameterError

Facts = Mapping[str, float]
PLACEHOLDER = re.compile(r"\{([a-z]\w*)(?::(%|\.\d))?\}")
_NUMBER = r"-?\d+(?:\.\d+)?"
_CONDITION = re.compile(
    rf"(?P<left>[a-z]\w*)\s*(?P<sign><=|>=|<|>|=)\s*(?:(?P<times>{_NUMBER})\s*\*\s*)?"
    rf"(?P<right>[a-z]\w*|{_NUMBER})(?:\s*±\s*(?P<within>{_NUMBER}))?"
)
_SIGNS: dict[str, Callable[[float, float], bool]] = {
    "<": operator.lt,
    ">": operator.gt,
    "<=": operator.le,
    ">=": operator.ge,
}
_EXACT = 1e-9


def fill(text: str, facts: Facts) -> str:
    """A text with its numbers: ``{name}`` with commas, ``{name:%}`` in percent, ``{name:.2}`` with decimals.

    Raises
    ------
    ParameterError
        If there is no such number.

    Examples
    --------
    >>> fill("{n} items, {found:%} found, cosine {c:.2}", {"n": 1906, "found": 0.447, "c": 0.5})
    '1,906 items, 45% found, cosine 0.50'
    """
    return PLACEHOLDER.sub(lambda found: _written(_value(found[1], facts), found[2]), text)


def names_in(text: str) -> list[str]:
    """The numbers that a text asks for."""
    return [found[1] for found in PLACEHOLDER.finditer(text)]


def holds(check: str, facts: Facts) -> bool:
    """Whether all conditions of a check, joined by ``and``, are true of the numbers of a picture.

    Raises
    ------
    ParameterError
        If a condition cannot be read, or names a number that is not there.

    Examples
    --------
    >>> facts = {"found": 0.45, "chance": 0.0005}
    >>> holds("found > 10 * chance and found = 0.44 ± 0.02", facts)
    True
    """
    return all(_holds(one.strip(), facts) for one in check.split(" and "))


def check_readable(check: str) -> None:
    """Raise ParameterError unless all conditions of a check can be read."""
    for one in check.split(" and "):
        _read(one.strip())


def _read(condition: str) -> re.Match[str]:
    found = _CONDITION.fullmatch(condition)
    if found is None or (found["within"] and found["sign"] != "="):
        raise ParameterError(
            f"The condition {condition[:80]!r} cannot be read. Write: name > number, name < other, "
            "name > 2 * other, or name = number ± tolerance, joined by “and”."
        )
    return found


def _holds(condition: str, facts: Facts) -> bool:
    found = _read(condition)
    left = _value(found["left"], facts)
    right = _value(found["right"], facts) * float(found["times"] or 1)
    if found["sign"] == "=":
        return abs(left - right) <= float(found["within"] or _EXACT)
    return _SIGNS[found["sign"]](left, right)


def _value(name: str, facts: Facts) -> float:
    if re.fullmatch(_NUMBER, name):
        return float(name)
    if name not in facts:
        raise ParameterError(f"The picture has no number {name!r}; it has {', '.join(sorted(facts))}.")
    return facts[name]


def _written(value: float, how: str | None) -> str:
    if how == "%":
        percent = 100 * value
        return f"{percent:.0f}%" if percent >= 1 or percent < 0.05 else f"{percent:.1f}%"
    if how:
        return f"{value:{how}f}"
    return f"{value:,.0f}" if float(value).is_integer() else f"{value:,.3g}"

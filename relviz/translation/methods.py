"""The translation methods by name: the one list from which choices, labels and errors are read."""

from collections.abc import Iterable
from typing import Literal, get_args

from relviz.errors import ParameterError
from relviz.translation.irp import IRP
from relviz.translation.irp_plus import IRP_PLUS
from relviz.translation.linear import AFFINE, LSTSQ, PROCRUSTES, RIDGE
from relviz.translation.method import ABSOLUTE, Method

TranslationMethod = Literal["irp", "irp_plus", "procrustes", "lstsq", "ridge", "affine", "absolute"]

METHODS: dict[TranslationMethod, Method] = {
    "irp": IRP,
    "irp_plus": IRP_PLUS,
    "procrustes": PROCRUSTES,
    "lstsq": LSTSQ,
    "ridge": RIDGE,
    "affine": AFFINE,
    "absolute": ABSOLUTE,
}

TRANSLATORS: tuple[TranslationMethod, ...] = get_args(TranslationMethod)
"""Methods of ``relviz.translator``."""


def check_method(method: object) -> TranslationMethod:
    """The method of that name; ParameterError unless there is one."""
    for name in TRANSLATORS:
        if name == method:
            return name
    raise ParameterError(f"There is no translator {method!r}; use one of {', '.join(TRANSLATORS)}.")


def check_uses(method: TranslationMethod, given: Iterable[str]) -> None:
    """ParameterError if there is no such method, or it makes no use of an option that was given."""
    check_method(method)
    uses = METHODS[method].uses
    useless = [name for name in given if name not in uses]
    if useless:
        own = ", ".join([*(name for name in uses if name != "seed"), "seed"])
        others = [name for name, one in METHODS.items() if {*useless} <= {*one.uses}]
        raise ParameterError(
            f"{method!r} makes no use of {' and '.join(useless)}: leave that out. It takes {own} and target."
            + (f" method={' or '.join(map(repr, others))} takes what you gave." if others else "")
        )

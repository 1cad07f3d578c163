"""Options of the command line that are declared choices, with their type, range, default and help."""

import argparse
from collections.abc import Collection, Mapping

from relviz.state.choice import Choice, Choices, Number, OneOf, Switch, Value


def offer(
    parser: argparse.ArgumentParser,
    of: type[Choices],
    flags: Mapping[str, str],
    without: Collection[str] = (),
    notes: Mapping[str, str] | None = None,
) -> None:
    """Give a command an option for each choice that ``flags`` has a flag for.

    The flag of a switch sets it to what it is not by default: ``--no-center``.

    Parameters
    ----------
    of
        What declares the choices.
    flags
        Of each choice by its name.
    without
        Options of choices that the command cannot have.
    notes
        What a command does with a choice beyond its help, by name.
    """
    for name, flag in flags.items():
        choice = of.choice(name)
        help_text = _help(choice, (notes or {}).get(name, ""))
        if isinstance(choice, Switch):
            action = "store_false" if choice.default else "store_true"
            parser.add_argument(flag, dest=name, action=action, help=help_text)
        elif isinstance(choice, OneOf):
            options = [option for option in choice.options if option not in without]
            parser.add_argument(flag, dest=name, choices=options, default=choice.default, help=help_text)
        else:
            kind, like = type(choice.default), "N" if isinstance(choice, Number) else "TEXT"
            parser.add_argument(
                flag, dest=name, type=kind, metavar=like, default=choice.default, help=help_text
            )


def taken(args: argparse.Namespace, of: type[Choices], flags: Mapping[str, str]) -> dict[str, Value]:
    """The values of the choices of a command, by their names.

    Raises
    ------
    ParameterError
        If one is not what its declaration allows.
    """
    return {name: of.allowed(name, getattr(args, name), flag) for name, flag in flags.items()}


def _help(choice: Choice, note: str) -> str:
    off = isinstance(choice, Switch) and choice.default
    parts = [f"{'Switch off: ' if off else ''}{choice.label}.", choice.help, note]
    if isinstance(choice, Number):
        parts.append(f"{choice.low:,} to {choice.high:,}; default {choice.default:,}.")
    elif isinstance(choice, OneOf):
        parts.append(f"Default: {choice.default}.")
    return " ".join(filter(None, parts)).replace("%", "%%")

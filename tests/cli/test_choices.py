"""Options that are declared choices: the help shows them as they are declared, and their range is checked."""

import argparse

import pytest

import relviz
from relviz.cli import bootstrap, compare, stitch
from relviz.cli.choices import offer, taken
from relviz.state.choice import Choice, Choices, Number, OneOf, Switch
from relviz.state.view import GIVEN, Run, View

OFFERED = [
    (of, name, flag)
    for of, offered in ((View, compare.OFFERED), (Run, bootstrap.OFFERED), (View, stitch.OFFERED))
    for name, flag in offered.items()
]
each = pytest.mark.parametrize(("of", "name", "flag"), OFFERED)


def parser_of(of: type[Choices], name: str, flag: str) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(formatter_class=lambda prog: argparse.HelpFormatter(prog, width=1000))
    offer(parser, of, {name: flag})
    return parser


def got(of: type[Choices], name: str, flag: str, argv: list[str]) -> object:
    return taken(parser_of(of, name, flag).parse_args(argv), of, {name: flag})[name]


@each
def test_the_help_says_what_is_declared(of: type[Choices], name: str, flag: str) -> None:
    choice: Choice = of.choice(name)
    told = parser_of(of, name, flag).format_help()
    assert flag in told
    assert choice.label in told
    assert choice.help in told
    if isinstance(choice, OneOf):
        assert ",".join(choice.options) in told
        assert f"Default: {choice.default}." in told
    if isinstance(choice, Number):
        assert f"{choice.low:,} to {choice.high:,}; default {choice.default:,}." in told


@each
def test_it_has_the_declared_default_and_takes_what_is_declared(
    of: type[Choices], name: str, flag: str
) -> None:
    choice = of.choice(name)
    assert got(of, name, flag, []) == choice.default
    match choice:
        case OneOf():
            assert [got(of, name, flag, [flag, one]) for one in choice.options] == list(choice.options)
        case Switch():
            assert got(of, name, flag, [flag]) is not choice.default
        case Number():
            ends = [got(of, name, flag, [flag, str(end)]) for end in (choice.low, choice.high)]
            assert ends == [choice.low, choice.high]
            with pytest.raises(relviz.ParameterError, match=f"^{flag} .* does not lie between"):
                got(of, name, flag, [flag, str(choice.high + 1)])


@pytest.mark.parametrize("wrong", [["--method", "magic"], ["--method", "hand"], ["--anchors", "many"]])
def test_what_is_no_option_is_wrong_usage(wrong: list[str]) -> None:
    parser = argparse.ArgumentParser()
    offer(parser, View, {"method": "--method", "count": "--anchors"}, without=GIVEN)
    with pytest.raises(SystemExit) as left:
        parser.parse_args(wrong)
    assert left.value.code == 2


def test_no_known_pairs_are_asked_for_with_0() -> None:
    parser = argparse.ArgumentParser()
    bootstrap.arguments(parser)
    run = bootstrap._run_of(parser.parse_args(["glosses", "--seeds", "0", "--draw", "7"]))
    assert run == Run(seeding="none", draw=7, anchor_seed=7)
    run = bootstrap._run_of(parser.parse_args(["glosses", "--seeds", "3", "--options", "steps=9"]))
    assert run == Run(seeds=3, options="steps=9")

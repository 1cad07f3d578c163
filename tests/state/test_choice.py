"""Every choice that is declared has a label, a help and a default that it may be, and survives a link."""

import re
from dataclasses import fields

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import relviz
from relviz.names import BOOTSTRAPS, FITS, HEADS, PROJECTIONS, SELECTORS, SIMILARITIES
from relviz.state.choice import Choice, Choices, Notice, Number, OneOf
from relviz.state.url import read, written
from relviz.state.view import GIVEN, Decoding, Run, View
from relviz.translation import TRANSLATORS
from tests.state.made_choices import DECLARED, values

each = pytest.mark.parametrize(
    ("of", "name", "choice"), DECLARED, ids=[of.prefix + name for of, name, _ in DECLARED]
)


@pytest.mark.parametrize("of", [View, Run, Decoding])
def test_every_field_is_declared_or_made_of_choices(of: type[Choices]) -> None:
    parts = {f.name for f in fields(of) if isinstance(f.default, Choices)}
    assert {f.name for f in fields(of)} == {*of.declared(), *parts}


@each
def test_it_has_a_label_and_a_help(of: type[Choices], name: str, choice: Choice) -> None:
    assert re.fullmatch(r"\S.{0,40}\S", choice.label)
    assert choice.label[0].isupper() or choice.label[0] in "δω"
    assert choice.help.endswith(".")
    assert "  " not in choice.explained
    assert getattr(of(), name) == choice.default


@each
def test_its_default_and_its_options_are_what_it_may_be(of: type[Choices], name: str, choice: Choice) -> None:
    assert choice.read(choice.write(choice.default)) == choice.default
    if isinstance(choice, OneOf):
        assert choice.default in choice.options
        assert len({*choice.labels.values()}) == len(choice.options)
        assert all(meaning == "" or meaning.endswith(".") for _, meaning in choice.options.values())
        with pytest.raises(ValueError, match="is not one of"):
            choice.read("magic")
    if isinstance(choice, Number):
        assert of.limits(name) == (choice.low, choice.high)
        assert choice.step > 0
        assert type(choice.default) is type(choice.low) is type(choice.high)
        for text in (f"{choice.high + 1}", f"{choice.low - 1}", "many", "nan", ""):
            with pytest.raises(ValueError, match=r"does not lie between|is not a number"):
                choice.read(text)


@each
@settings(max_examples=20)
@given(data=st.data())
def test_it_survives_a_link(data: st.DataObject, of: type[Choices], name: str, choice: Choice) -> None:
    chosen = of().with_changes(**{name: data.draw(values(choice))})
    params = written(chosen)
    assert set(params) <= {of.prefix + name}
    assert read(of(), params) == (chosen, [])
    assert written(chosen, in_full=True).keys() == {of.prefix + one for one in of.declared()}


@each
@settings(max_examples=20)
@given(text=st.text(max_size=30))
def test_any_text_is_read_or_noticed(text: str, of: type[Choices], name: str, choice: Choice) -> None:
    chosen, notices = read(of(), {of.prefix + name: text})
    assert read(of(), written(chosen)) == (chosen, [])
    if notices:
        assert chosen == of()
        assert [(one.name, one.asked, one.used) for one in notices] == [
            (of.prefix + name, text, choice.write(choice.default))
        ]


def test_links_have_one_name_for_each() -> None:
    names = [of.prefix + name for of, name, _ in DECLARED]
    assert len(names) == len({*names})


@pytest.mark.parametrize(
    ("of", "name", "known"),
    [
        (View, "method", (*SELECTORS, *GIVEN)),
        (View, "similarity", SIMILARITIES),
        (View, "projection", PROJECTIONS),
        (View, "fit_absolute", ("auto", *FITS)),
        (View, "translate", TRANSLATORS),
        (View, "head", HEADS),
        (Run, "method", BOOTSTRAPS),
    ],
)
def test_what_the_library_knows_can_be_chosen(of: type[Choices], name: str, known: tuple[str, ...]) -> None:
    assert {*of.labels(name)} == {*known}


def test_there_is_no_other_choice() -> None:
    with pytest.raises(relviz.ParameterError, match="no choice 'colour'"):
        View.choice("colour")
    with pytest.raises(relviz.ParameterError, match="is not a number"):
        View.limits("method")


def test_a_notice_says_who_asks_for_what_and_what_is_shown() -> None:
    notice = Notice("k", "ten" * 20, "is not a number", "10")
    assert notice.sentence("The link") == (
        f"The link asks for k = '{('ten' * 20)[:40]}', which is not a number; showing '10'."
    )

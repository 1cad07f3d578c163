"""Values of every declared choice, drawn by what its declaration allows."""

from hypothesis import strategies as st

from relviz.state.choice import Choice, Choices, Names, Number, OneOf, Rows, Sources, Switch
from relviz.state.view import MOST_NAMES, Decoding, Run, Several, View

KINDS = (View, Run, Decoding, Several)
DECLARED = [(of, name, choice) for of in KINDS for name, choice in of.declared().items()]
"""Every choice there is: what declares it, its name, and what is said of it."""


def values(choice: Choice) -> st.SearchStrategy:
    """Anything that a choice may be."""
    match choice:
        case OneOf():
            return st.sampled_from(list(choice.options))
        case Switch():
            return st.booleans()
        case Number() if choice.is_whole:
            return st.integers(choice.low, choice.high)
        case Number():
            steps = round((choice.high - choice.low) / choice.step)
            return st.integers(0, steps).map(lambda step: round(choice.low + step * choice.step, 6))
        case Rows():
            return st.lists(st.integers(0, 10**6), unique=True, max_size=50).map(tuple)
        case Sources():
            source = st.from_regex(r"[a-z]{1,10}[.-][a-z0-9_]{1,32}", fullmatch=True)
            return st.lists(source, unique=True, max_size=MOST_NAMES).map(Names)
    return st.from_regex(r"[a-z]{1,10}\.[a-z0-9_]{1,20}", fullmatch=True)


def chosen(of: type[Choices], **more: st.SearchStrategy) -> st.SearchStrategy:
    """Anything that all the choices of one kind may be."""
    return st.builds(of, **{name: values(choice) for name, choice in of.declared().items()}, **more)


views = chosen(View, ao=chosen(Run), de=chosen(Decoding), se=chosen(Several))

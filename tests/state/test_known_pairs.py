"""Known pairs as lines of text: read, refused with the reason, and written so that they are read again."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import relviz
from relviz.state.known_pairs import checked_pairs, groups, known_lines, known_pairs, non_matches

ONE = relviz.Space(np.eye(5, dtype=np.float32), ids=[f"a{row}" for row in range(5)], name="one")
TWO = relviz.Space(np.eye(5, dtype=np.float32), items=[f"thing {row}" for row in range(5)], name="two")


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("a1", "write two names"),
        ("a1, thing 1, thing 2", 'write the row number: "row 5"'),
        ("a1,", "write two names"),
        ("a1, nothing", "nothing called 'nothing'"),
        ("a1, row 6", "nothing called 'row 6'"),
        ("a1, row 0", "nothing called 'row 0'"),
        ("b1\tthing 1", "nothing called 'b1'"),
        ("a1, thing 1\na1, thing 2", "of one is on two lines"),
        ("a1, thing 1\na2, thing 1", "of two is on two lines"),
        ("a1, thing 1\nrow 2, thing 2", "of one is on two lines"),
    ],
)
def test_lines_that_are_no_pairs_say_why(text: str, why: str) -> None:
    with pytest.raises(relviz.ParameterError, match=why):
        known_pairs(text, ONE, TWO)


def test_row_numbers_are_names_where_there_are_no_ids() -> None:
    assert known_pairs("a0, 1\n\n a2 ,  thing 3 ", ONE, TWO) == ((0, 0), (2, 3))
    assert known_pairs("", ONE, TWO) == ()


def test_a_row_can_be_named_by_its_number_unless_something_is_called_so() -> None:
    assert known_pairs("row 5, row 02", ONE, TWO) == ((4, 1),)
    odd = relviz.Space(np.eye(2, dtype=np.float32), items=["x", "row 1"])
    assert known_pairs("row 1, a1", odd, ONE) == ((1, 1),)
    odd = relviz.Space(np.eye(3, dtype=np.float32), ids=["x, y", "row 1", "row 01"])
    assert known_lines(((0, 0), (2, 1)), odd, ONE) == "row 001, a0\nrow 01, a1"
    assert known_pairs("row 001, a0\nrow 01, a1", odd, ONE) == ((0, 0), (2, 1))


def test_a_name_is_known_as_our_csv_has_it() -> None:
    odd = relviz.Space(np.eye(3, dtype=np.float32), items=["=A1", "'-b", "-b"])
    assert known_pairs("'=A1, a0\n''-b, a1\n-b, a2", odd, ONE) == ((0, 0), (1, 1), (2, 2))


NAMES = st.text(max_size=6) | st.sampled_from(
    ["row 1", "row 2", "row 01", "1", "2", "a,b", "a\tb", "'=A1", "=A1"]
)
SPACES = st.lists(NAMES, min_size=3, max_size=5)


@given(SPACES, SPACES | st.none(), st.randoms(use_true_random=False))
def test_whatever_things_are_called_the_lines_mean_the_rows(one, two, random) -> None:
    a = relviz.Space(np.eye(len(one), dtype=np.float32), items=one)
    b = relviz.Space(np.eye(3, dtype=np.float32), items=two and two[:3])
    known = tuple(zip(random.sample(range(len(a)), 3), random.sample(range(3), 3), strict=True))
    assert known_pairs(known_lines(known, a, b), a, b) == known


def test_names_that_say_what_is_meant_stand_in_the_lines() -> None:
    assert known_lines(((0, 2), (3, 4)), ONE, TWO) == "a0, thing 2\na3, thing 4"


@pytest.mark.parametrize(
    ("rows", "why"),
    [(([0, 1], [0]), "2 rows of A and 1 of B"), (([5], [0]), "rows 0 to 4"), (([0, 0], [1, 2]), "two known")],
)
def test_rows_that_are_no_pairs_are_refused(rows: tuple[list[int], list[int]], why: str) -> None:
    with pytest.raises(relviz.ParameterError, match=why):
        checked_pairs(*rows, ONE, TWO)


def test_an_item_may_have_several_non_matches() -> None:
    assert non_matches("a1, thing 1\na1, thing 2\n", ONE, TWO) == ((1, 1), (1, 2))
    with pytest.raises(relviz.ParameterError, match="nothing called 'b'"):
        non_matches("a1, b", ONE, TWO)


def test_a_group_has_names_of_both_sides() -> None:
    assert groups("a1, a0 | thing 1,thing 4, row 3\n\n", ONE, TWO) == (((1, 0), (1, 4, 2)),)
    for text, why in (
        ("a1, a2", "a vertical bar"),
        ("a1 |", "a vertical bar"),
        ("a1 | b", "nothing called 'b'"),
    ):
        with pytest.raises(relviz.ParameterError, match=why):
            groups(text, ONE, TWO)

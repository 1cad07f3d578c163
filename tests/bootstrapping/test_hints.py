"""Hints short of pairs: what each adds to a similarity, what it makes findable, and what is refused."""

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

import relviz
from relviz.bootstrapping.hints import APART, OTHER, hint_columns, with_hints
from relviz.errors import Error
from tests.bootstrapping.made import case, right

SHORT = relviz.AnnealedOptions(rounds=1)

pytestmark = pytest.mark.usefixtures("few_clusterings")


def added(hints, n, m):
    """What the hints add to the similarity of every row of x and every row of y."""
    found = hint_columns(hints, n, m)
    return found.x @ found.y.T


labels = st.lists(st.sampled_from(["cat", "dog", "owl", "", None]), min_size=1, max_size=9)


@given(labels, labels)
def test_rows_of_two_labels_lose_and_rows_without_do_not(x, y):
    expected = [[0.0 if not a or not b or a == b else -OTHER for b in y] for a in x]
    found = added(relviz.Hints(labels=(x, y)), len(x), len(y))
    torch.testing.assert_close(found, torch.tensor(expected))


def test_members_of_a_group_lose_with_what_is_not_in_its_counterpart():
    found = added(relviz.Hints(groups=[([0, 2], [1, 3])]), 4, 5)
    expected = torch.zeros(4, 5)
    expected[[0, 2]] = torch.tensor([-OTHER, 0, -OTHER, 0, -OTHER])
    torch.testing.assert_close(found, expected)


def test_a_non_match_loses_more_than_any_similarity():
    found = added(relviz.Hints(non_matches=([0, 0, 2], [1, 3, 3])), 3, 4)
    expected = torch.zeros(3, 4)
    expected[0, 1] = expected[0, 3] = expected[2, 3] = -APART
    torch.testing.assert_close(found, expected)
    assert APART >= 2


def test_names_that_one_row_of_either_space_has_are_likely_pairs():
    found = hint_columns(relviz.Hints(names=(["a", "b", "b", "", "c"], ["c", "b", "", "a"])), 5, 4)
    assert [rows.tolist() for rows in found.likely] == [[0, 4], [3, 0]]
    assert found.x.shape == (5, 0)


def test_columns_of_several_hints_add_up():
    each = [relviz.Hints(labels=("ab", "ba")), relviz.Hints(groups=[([0], [1])])]
    both = relviz.Hints(labels=("ab", "ba"), groups=[([0], [1])])
    torch.testing.assert_close(added(both, 2, 2), sum(added(one, 2, 2) for one in each))
    assert repr(both) == "Hints(labels, groups)"


def test_nothing_is_added_without_hints():
    side = torch.randn(3, 2)
    assert with_hints(side, hint_columns(None, 3, 4).x) is side
    assert added(None, 3, 4).eq(0).all()


@pytest.fixture(scope="module")
def hard_case():
    """Half of either row is noise of its own: the shapes alone tell little."""
    return case(n=240, d=10, k=40, seeds=0, noise=0.9, seed=4)


def found_with(one, hints):
    return relviz.bootstrap(one.x, one.y, one.anchors, seed=0, options=SHORT, hints=hints)


@pytest.mark.slow
def test_labels_make_findable_what_shapes_do_not(hard_case):
    truth = hard_case.truth
    classes = torch.randint(24, (len(truth),), generator=torch.Generator().manual_seed(0))
    of_y = torch.empty_like(classes)
    of_y[truth] = classes
    hints = relviz.Hints(labels=([f"c{one}" for one in classes], [f"c{one}" for one in of_y]))
    alone, helped = (found_with(hard_case, one) for one in (None, hints))
    assert right(alone.matches, truth) < 0.1
    assert right(helped.matches, truth) > 0.4
    assert float((of_y[helped.matches] == classes).float().mean()) > 0.95


def test_names_start_the_search_and_wrong_ones_are_let_go():
    # A third of the names are another row's.
    one = case(n=200, d=8, k=40, seeds=0, noise=0.15, seed=2)
    names = [f"n{row}" if row < 30 else None for row in range(200)]
    theirs: list[str | None] = [None] * 200
    for row in range(30):
        theirs[int(one.truth[row if row < 20 else row + 40])] = f"n{row}"
    found = found_with(one, relviz.Hints(names=(names, theirs)))
    assert right(found.matches, one.truth) > 0.9
    assert right(found.matches[20:30], one.truth[20:30]) > 0.8


@pytest.mark.slow
def test_known_non_matches_are_not_matched():
    one = case(n=120, seeds=12, noise=0.1)
    plain = relviz.bootstrap(one.x, one.y, one.anchors, one.seeds, options=SHORT)
    free = torch.tensor([row for row in range(120) if row not in one.seeds[0]])[:30]
    hints = relviz.Hints(non_matches=(free, plain.matches[free]))
    found = relviz.bootstrap(one.x, one.y, one.anchors, one.seeds, options=SHORT, hints=hints)
    assert not (found.matches[free] == plain.matches[free]).any()
    assert torch.equal(found.matches[one.seeds[0]], one.seeds[1])


@pytest.mark.slow
def test_labels_alone_are_not_believed_where_nothing_below_them_is_shared():
    # Rows of both spaces are around the same centers, and else have nothing in common.
    generator = torch.Generator().manual_seed(1)
    centers, classes = torch.randn(12, 16, generator=generator), torch.arange(360) % 12
    x, y = (2 * centers[classes] + torch.randn(360, 16, generator=generator) for _ in "xy")
    names = [f"c{one}" for one in classes]
    found = relviz.bootstrap(x, y, range(40), hints=relviz.Hints(labels=(names, names)))
    assert not found.converged


@pytest.mark.parametrize(
    ("hints", "says"),
    [
        (
            relviz.Hints(labels=(["a"], ["a"] * 120)),
            "labels of x must be one for each of its 120 rows; there are 1",
        ),
        (
            relviz.Hints(names=(["a"] * 120, [])),
            "names of y must be one for each of its 120 rows; there are 0",
        ),
        (relviz.Hints(groups=[([120], [0])]), "groups, rows of x, must lie between 0 and 119"),
        (relviz.Hints(non_matches=([0], [0, 1])), "1 rows of x and 2 of y"),
        (relviz.Hints(groups=[([0], [0])] * 600), "take 600 columns"),
    ],
)
def test_what_cannot_be_is_refused(hints, says):
    one = case()
    with pytest.raises(Error, match=says):
        relviz.bootstrap(one.x, one.y, one.anchors, hints=hints)


def test_adam_takes_no_hints():
    one = case()
    with pytest.raises(Error, match="method='annealed'"):
        relviz.bootstrap(
            one.x, one.y, one.anchors, one.seeds, "adam", hints=relviz.Hints(groups=[([0], [0])])
        )

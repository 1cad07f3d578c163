"""A run: what its result depends on, the run beside it, its rows, and the options of its method."""

import pytest
import torch

import relviz
from relviz.bootstrapping.adam import RETRIEVAL, WARM
from relviz.results.bootstrap import bootstrap_task, rows_of
from relviz.state.solver_options import chosen_options, options_of, set_option
from relviz.state.view import Run
from tests.results.made_runs import LABELS, ROWS, RUN, turned_pair

PAIR = turned_pair()


def drawn(run: Run) -> tuple[torch.Tensor, torch.Tensor]:
    return rows_of(run, PAIR.a.vectors, PAIR.labels)


def key(run: Run, pair: relviz.Pair = PAIR) -> str:
    return bootstrap_task(run, pair).key


@pytest.mark.parametrize(
    "changes",
    [
        {"anchors": 21},
        {"anchor_seed": 1},
        {"seeding": "none"},
        {"seeding": "per_class"},
        {"seeding": "hand", "hand": (1, 2)},
        {"seeds": 8},
        {"draw": 1},
        {"method": "adam"},
        {"options": "steps=9"},
        {"seed": 1},
        {"held_out": 0.1},
    ],
    ids=str,
)
def test_a_choice_of_the_solver_asks_for_another_result(changes: dict) -> None:
    assert key(RUN.with_changes(**changes)) != key(RUN)


def test_what_only_shows_and_what_has_no_say_asks_for_the_same() -> None:
    assert key(RUN.with_changes(known=False, beside="paper")) == key(RUN)
    assert key(RUN.with_changes(hand=(3,))) == key(RUN)
    none = RUN.with_changes(seeding="none")
    assert key(none.with_changes(seeds=3, draw=4)) == key(none)
    assert key(RUN, turned_pair(1)) != key(RUN)


def test_another_method_has_other_options() -> None:
    assert RUN.with_changes(method="adam").options == ""
    assert RUN.with_changes(seeds=3).options == RUN.options
    assert RUN.with_changes(method="adam", options="lr=1.0").options == "lr=1.0"


def test_the_run_beside_differs_in_what_was_asked_for() -> None:
    assert RUN.second() is None
    assert RUN.with_changes(beside="annealed").second().method == "annealed"
    assert RUN.with_changes(beside="few", seeds=15).second().seeds == 5
    assert RUN.with_changes(beside="few", seeds=5).second().seeds == 15
    assert RUN.with_changes(beside="none").second().seeding == "none"
    assert RUN.with_changes(beside="again").second() == RUN.with_changes(seed=1)


def test_fewer_seeds_are_among_more_and_all_are_anchors() -> None:
    anchors, many = drawn(RUN.with_changes(seeds=15))
    same, few = drawn(RUN.with_changes(seeds=5))
    assert torch.equal(anchors, same)
    assert len(anchors.unique()) == 20
    assert torch.equal(few, many[:5])
    assert set(many.tolist()) <= set(anchors.tolist())
    assert not len(drawn(RUN.with_changes(seeding="none"))[1])


def test_seeds_of_each_class_are_spread_over_the_classes() -> None:
    _, seeds = drawn(RUN.with_changes(seeding="per_class", seeds=4))
    assert {LABELS[row] for row in seeds.tolist()} == set("abcd")


def test_seeds_by_hand_are_anchors() -> None:
    run = RUN.with_changes(seeding="hand", hand=(70, 3, 500))
    anchors, seeds = drawn(run)
    assert seeds.tolist() == [70, 3]
    assert anchors[:2].tolist() == [70, 3]
    assert len(anchors.unique()) == 20


def test_anchors_leave_rows_to_measure_with() -> None:
    assert len(drawn(RUN.with_changes(anchors=300))[0]) == ROWS - ROWS // 5


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"seeds": 21}, "21 known pairs cannot be among 20 anchors"),
        ({"seeding": "hand"}, "No known pairs are chosen"),
        ({"seeding": "hand", "hand": tuple(range(30))}, "30 known pairs are chosen by hand but"),
    ],
)
def test_impossible_seeds_say_so(changes: dict, said: str) -> None:
    with pytest.raises(relviz.ParameterError, match=said):
        drawn(RUN.with_changes(**changes))


def test_every_option_of_a_method_is_known_with_its_default_and_its_meaning() -> None:
    options = {option.name: option for option in options_of("adam_warm")}
    assert options["steps"].default == WARM.steps
    assert isinstance(options["lr"].default, float)
    assert all(option.meaning for option in options.values())
    assert "warm" in options["warm_up"].meaning


def test_options_are_written_and_read() -> None:
    text = set_option("adam", "", "lr", 0.125)
    text = set_option("adam", text, "steps", 7)
    assert text == "lr=0.125,steps=7"
    assert (chosen_options("adam", text).lr, chosen_options("adam", text).steps) == (0.125, 7)
    assert set_option("adam", text, "lr", RETRIEVAL.lr) == "steps=7"
    assert chosen_options("adam", "") == RETRIEVAL


@pytest.mark.parametrize("text", ["speed=9", "steps=many", "steps=0", "steps=1.5", "lr=", "=", "steps"])
def test_options_that_cannot_be_say_so(text: str) -> None:
    with pytest.raises(relviz.ParameterError):
        chosen_options("adam", text)

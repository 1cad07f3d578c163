"""Bootstrap: what is chosen is run, what runs can be watched and steered, what is found can be used."""

import time

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

import relviz
from relviz.compute.jobs import Job, jobs
from relviz.results.bootstrap import bootstrap_task
from relviz.results.replay import by_search
from relviz.results.run import record_of
from relviz.results.run_examples import before_run
from relviz.state import View
from relviz.state.sources import open_pair
from relviz.ui.bootstrap.curves import search_chart
from relviz.ui.bootstrap.matches import matches_html, shown_rows
from relviz.ui.item_rows import TEXTS as TEXTS_AT_ONCE
from tests.results.made_runs import failing_after
from tests.ui.made import ROWS, small_pair
from tests.ui.screen import drawn, finished, maps, opened, pressed, rows_of_items, said, turned, went

QUICK = {"ao_method": "adam_warm", "ao_options": "steps=4,warm_up=2", "ao_anchors": "20", "ao_seeds": "8"}
LONG = QUICK | {"ao_options": "steps=100000,warm_up=2"}
PATIENCE = 60


def params(**changes: str) -> dict[str, str]:
    return small_pair() | QUICK | {f"ao_{name}": value for name, value in changes.items()}


def task_of(link: dict[str, str]):
    view, _ = View.from_params(link)
    pair = open_pair(view.a, view.b)
    return bootstrap_task(view.ao, pair), pair


def steps_of(link: dict[str, str]) -> int:
    """How many steps the run of a page has taken."""
    return record_of(task_of(link)[0]).replay.steps


def labels(at: AppTest) -> list[str]:
    return [button.label for button in at.button]


def running(at: AppTest) -> Job:
    """The job of the page, once it has taken a step."""
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until:
        found = [job for job in jobs().running() if job.key.startswith("bootstrap-")]
        if found and found[0].message.startswith("step"):
            went(at)
            return found[0]
        time.sleep(0.01)
    raise AssertionError("No run has begun.")


def wait_for(job: Job, state: str) -> None:
    until = time.monotonic() + PATIENCE
    while job.state != state:
        assert time.monotonic() < until, job
        time.sleep(0.005)


def test_before_a_run_the_page_says_what_it_is_and_shows_the_spaces() -> None:
    at = opened("bootstrap", params(seed="100"))
    assert "Anchor optimization" in said(at)
    assert "**known pair**" in said(at)
    assert [len(points) for points in maps(at)] == [ROWS] * 2
    header, body = drawn(at)
    flags = np.frombuffer(body, np.uint8, header["flags"][1], header["flags"][0])
    assert (flags & 1).sum() == 8
    assert "Run" in labels(at)
    assert not jobs().running()


def test_a_run_is_watched_to_its_end_and_a_new_session_has_it_at_once() -> None:
    link = params()
    at = finished(pressed(opened("bootstrap", link), "run"))
    task, _ = task_of(link)
    record = record_of(task)
    header, _ = drawn(at)
    assert header["panes"][1]["caption"].count("step 4 of 4")
    assert header["stars"] == {"1": 8, "2": 12}  # of all anchors, however many of them are drawn
    np.testing.assert_allclose(maps(at)[0], record.places, atol=1e-3)
    np.testing.assert_allclose(maps(at)[1], record.replay.last.places, atol=1e-3)
    assert "Rejected by the self-check" in said(at)
    assert "Suggestions: the annealed method" in said(at)
    jobs().forget(task.key)
    again = opened("bootstrap", link)
    assert "Replay" in labels(again)
    assert "Run" not in labels(again)
    for one, other in zip(maps(at), maps(again), strict=True):
        np.testing.assert_array_equal(one, other)


def test_examples_before_a_run_are_answers_of_the_library() -> None:
    link = params(seed="100")
    view, _ = View.from_params(link)
    pair = open_pair(view.a, view.b)
    drawn = before_run(view.ao, pair, TEXTS_AT_ONCE, 0).run()
    assert drawn.original is not None
    assert drawn.seeded is not None
    told = np.stack([drawn.rows, drawn.original, drawn.seeded]).T.ravel().tolist()
    assert [text for _, text in rows_of_items(opened("bootstrap", link))] == [pair.items[row] for row in told]


def test_examples_after_a_run_are_its_matches() -> None:
    link = params()
    at = opened("bootstrap", link)
    if "Run" in labels(at):
        finished(pressed(at, "run"))
    task, pair = task_of(link)
    view, _ = View.from_params(link)
    rows = before_run(view.ao, pair, TEXTS_AT_ONCE, 0).run().rows
    matches = record_of(task).replay.last.matches
    shown = rows_of_items(at)[2::3]
    assert [text for _, text in shown] == [pair.items[match] for match in matches[rows]]
    assert [look == "right" for look, _ in shown] == (matches[rows] == rows).tolist()
    before = rows_of_items(at)
    pressed(at, "resample")
    assert rows_of_items(at) != before


def test_matches_curves_and_retrieval_are_computed_when_their_tab_is_opened() -> None:
    link = params()
    at = opened("bootstrap", link)
    if "Run" in labels(at):
        finished(pressed(at, "run"))
    assert not [table for table in at.table if "retrieval A → B" in table.value]
    for name, words in (("Matches", "**Matches** A ↔ B"), ("Retrieval", "Measured on"), ("Curves", "Dashed")):
        at.session_state["ao_tab_0"] = name
        assert words in said(went(at))


def test_a_run_without_known_pairs_shows_how_its_populations_came_to_agree() -> None:
    link = params(
        method="annealed", seeding="none", options="steps=4,refining=1,members=4,generations=2,rounds=1"
    )
    at = opened("bootstrap", link)
    if "Run" in labels(at):
        finished(pressed(at, "run"))
    at.session_state["ao_tab_0"] = "Curves"
    assert "two populations of rotations search independently" in said(went(at))
    replay = record_of(task_of(link)[0]).replay
    chart = search_chart(replay.generations)
    agreement = chart["series"][2]
    assert agreement["name"] == "Agreement between populations"
    assert [at for at, _ in agreement["data"]] == list(range(len(agreement["data"])))
    assert 1 <= len(agreement["data"]) <= 3
    assert all(-1 <= value <= 1.001 for line in chart["series"] for _, value in line["data"])
    assert np.isnan(replay.curve("populations_alike")[len(agreement["data"]) :]).all()


def test_a_further_search_is_set_apart_in_the_curves() -> None:
    first, further = [[0.5, 0.4, 0.3], [0.8, 0.9, 0.2]], [[0.4, 0.5, 0.5], [0.6, 0.7, 0.6], [0.9, 0.9, 0.9]]
    none = [np.nan] * 3
    generations = by_search(np.array([none, *first, none, none, *further, none], np.float32))
    assert np.isnan(generations).any(axis=1).tolist() == [False, False, True, False, False, False]
    chart = search_chart(generations)
    assert [at for at, _ in chart["series"][0]["data"]] == [0, 1, 1, 2, 3, 4]
    assert [value for _, value in chart["series"][2]["data"]] == [0.3, 0.2, None, 0.5, 0.6, 0.9]
    assert [line["xAxis"] for line in chart["series"][0]["markLine"]["data"]] == [1.5]
    assert chart["xAxis"]["max"] == 4
    alone = by_search(np.array([none, *first, none], np.float32))
    np.testing.assert_array_equal(alone, np.array(first, np.float32))
    assert search_chart(alone)["series"][0]["markLine"]["data"] == []
    assert by_search(np.array([none, none])).shape == by_search(np.empty((0, 3))).shape == (0, 3)


def test_the_steps_of_a_run_can_be_gone_through() -> None:
    link = params()
    at = (
        finished(pressed(opened("bootstrap", link), "run"))
        if not task_of(link)[0].stored()
        else opened("bootstrap", link)
    )
    record = record_of(task_of(link)[0])
    at.slider(key="ao_step_0").set_value(2)
    went(at)
    np.testing.assert_allclose(maps(at)[1], record.replay.at(1).places, atol=1e-3)
    assert "step 2 of 4" in drawn(at)[0]["panes"][1]["caption"]


def test_it_can_be_paused_stepped_resumed_and_canceled_and_another_session_does_the_same() -> None:
    link = params(options="steps=100000,warm_up=2", seed="7")
    at = pressed(opened("bootstrap", link), "run")
    job = running(at)
    pressed(at, "pause")
    wait_for(job, "paused")
    other = opened("bootstrap", link)
    assert {"Resume", "Step", "Cancel"} <= set(labels(other))
    taken = steps_of(link)
    pressed(other, "step")
    wait_for(job, "paused")
    until = time.monotonic() + PATIENCE
    while steps_of(link) != taken + 1:
        assert time.monotonic() < until
        time.sleep(0.005)
    pressed(other, "resume")
    until = time.monotonic() + PATIENCE
    while steps_of(link) < taken + 3:
        assert time.monotonic() < until
        time.sleep(0.005)
    pressed(went(at), "cancel")
    assert job.wait(PATIENCE)
    went(other)
    assert "Canceled after step" in said(other)
    assert "Run again" in labels(other)
    assert len(maps(other)[1]) == ROWS


def test_a_chosen_step_is_left_to_the_browser_and_stays_when_the_run_ends() -> None:
    at = pressed(opened("bootstrap", params(options="steps=100000,warm_up=2", seed="9")), "run")
    job = running(at)
    pressed(at, "pause")
    wait_for(job, "paused")
    at.toggle(key="ao_follow_0").set_value(False)
    went(at)
    at.slider(key="ao_step_0").set_value(1)
    went(at)
    assert not at.slider(key="ao_step_0").proto.set_value
    assert not at.toggle(key="ao_follow_0").proto.set_value
    pressed(at, "cancel")
    assert job.wait(PATIENCE)
    went(at)
    assert at.slider(key="ao_step_0").value == 1


def test_leaving_the_page_and_choosing_otherwise_does_not_stop_a_run() -> None:
    link = params(options="steps=100000,warm_up=2", seed="8")
    at = pressed(opened("bootstrap", link), "run")
    job = running(at)
    turned(at, "data")
    assert job.alive
    turned(at, "bootstrap")
    assert "Pause" in labels(at)
    at.number_input(key="choice_ao_seed").set_value(9)
    went(at)
    assert job.alive
    assert "Also running" in said(at)
    pressed(at, "open")
    assert at.query_params["ao_seed"] == "8"
    assert "Pause" in labels(at)


def test_two_runs_stand_beside_each_other() -> None:
    link = params(beside="again", seed="20")
    at = finished(pressed(opened("bootstrap", link), "run both"))
    assert len(at.get("bidi_component")) == 2
    assert labels(at).count("Use anyway") == 2
    assert "Use these anchors" not in labels(at)
    assert labels(at).count("Try the annealed method") == 1
    assert said(at).count("Rejected by the self-check") == 2


def test_a_run_that_fails_says_so_once_and_keeps_what_it_did(monkeypatch: pytest.MonkeyPatch) -> None:
    link = params(seed="30")
    with monkeypatch.context() as patch:
        failing_after(2, "The disk is full of sand.", patch)
        at = finished(pressed(opened("bootstrap", link), "run"))
    assert [error.value for error in at.error] == ["Failed: The disk is full of sand."]
    assert "step 2 of 4" in drawn(at)[0]["panes"][1]["caption"]
    finished(pressed(at, "run again"))
    assert [error.value for error in at.error] == []
    assert "step 4 of 4" in drawn(at)[0]["panes"][1]["caption"]


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"seeds": "40"}, "40 known pairs cannot be among 20 anchors"),
        ({"seeding": "hand"}, "No known pairs are chosen by hand"),
        ({"options": "steps=none"}, "must be a whole number"),
    ],
)
def test_a_run_that_cannot_be_says_why(changes: dict[str, str], words: str) -> None:
    at = opened("bootstrap", params(**changes))
    assert len(at.error) == 1
    assert words in at.error[0].value
    assert "Run" not in labels(at)


def test_a_method_that_needs_seeds_says_so() -> None:
    at = finished(pressed(opened("bootstrap", params(seeding="none")), "run"))
    assert len(at.error) == 1
    assert "there are none" in at.error[0].value


def test_found_anchors_serve_on_every_page() -> None:
    link = params(seed="40") | {"runs": "2", "k": "4", "spaces": "both"}
    at = finished(pressed(opened("bootstrap", link), "run"))
    pressed(at, "use anyway")
    task, pair = task_of(link)
    assert at.query_params["run"] == task.key
    assert "In use" in labels(at)
    record = record_of(task)
    finished(turned(at, "compare"))
    assert "from a bootstrapped run" in said(at)
    x, y = relviz.prepare(pair.a.vectors), relviz.prepare(pair.b.vectors)
    both = [relviz.relative(x, x[record.anchors]), relviz.relative(y, record.outcome.points)]
    expected = relviz.project(both, "pca", "first")
    np.testing.assert_allclose(maps(at)[3], expected[1], atol=1e-3)
    finished(turned(at, "anchors"))
    assert not at.error
    assert at.toggle(key="choice_rows").value is False
    header, body = drawn(at)
    flags = np.frombuffer(body, np.uint8, header["flags"][1], header["flags"][0])
    assert ((flags & 1 > 0).sum(), (flags & 2 > 0).sum()) == (8, 12)


def test_without_the_pairing_nothing_is_called_right_or_wrong() -> None:
    link = params(known="no")
    at = opened("bootstrap", link)
    if "Run" in labels(at):
        finished(pressed(at, "run"))
    assert "right" not in said(at).replace("more likely to be right", "")
    assert not at.table


def test_options_come_from_the_method_and_are_kept_in_the_link() -> None:
    at = opened("bootstrap", params())
    at.number_input(key="choice_ao_option_adam_warm_steps").set_value(5)
    went(at)
    assert at.query_params["ao_options"] == "steps=5,warm_up=2"
    at.selectbox(key="choice_ao_method").set_value("adam")
    went(at)
    assert "ao_options" not in at.query_params
    assert at.number_input(key="choice_ao_option_adam_steps").value == 250


def test_texts_of_matches_are_shown_letter_by_letter() -> None:
    view, _ = View.from_params(small_pair())
    pair = open_pair(view.a, view.b)
    shown = matches_html(pair, np.arange(3), np.array([0, 2, 1]), np.array([0]), known=True)
    assert "<script>" not in shown
    assert "&lt;script&gt;" in shown
    assert (shown.count("✓"), shown.count("✗"), shown.count("★")) == (0, 2, 1)
    assert "✗" not in matches_html(pair, np.arange(3), np.array([0, 2, 1]), np.array([0]), known=False)


def test_a_list_of_matches_is_short_and_the_same_at_every_step() -> None:
    right = np.arange(1000) % 2 == 0
    sample = shown_rows(np.arange(1000), np.empty(0, np.int64), right, "some")
    np.testing.assert_array_equal(sample, shown_rows(np.arange(1000), np.empty(0, np.int64), ~right, "some"))
    assert len(sample) == 24
    assert right[shown_rows(np.arange(1000), np.empty(0, np.int64), right, "right")].all()
    np.testing.assert_array_equal(shown_rows(np.arange(1000), np.array([5, 9]), right, "wrong"), [5, 9])

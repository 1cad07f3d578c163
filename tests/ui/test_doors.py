"""Two visitors of one server: what one brings or runs is not listed, opened or stopped by the other."""

from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

import relviz
from relviz.compute.jobs import jobs
from relviz.compute.owner import NOBODY, acting_for
from relviz.compute.store import default_store
from relviz.figures.make import make, tasks_of
from relviz.figures.open_recipe import recipe_of
from relviz.results.bootstrap import bootstrap_task
from relviz.state import View
from relviz.state.owners import Origin
from relviz.state.sources import keep_space, open_pair, open_space, origin_of, thumbnails_of
from relviz.state.view import Names, Run
from relviz.state.workspace import open_workspace, save_workspace
from tests.ui.made import VISITOR, small_pair, spaces
from tests.ui.screen import finished, opened, pressed, said, turned, went

NUMBERS = count()
RUN = Run(anchors=12, seeds=6, method="adam_warm", options="steps=4000,warm_up=3")
"""It goes on until it is stopped."""


@contextmanager
def visiting(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Sessions that are begun meanwhile, and the test itself, are another visitor's, who has nothing yet."""
    who = f"b{next(NUMBERS):063x}"
    with monkeypatch.context() as patch, acting_for(who):
        patch.setattr("relviz.ui.visitor.new_secret", lambda: who)
        yield


def view_of(at: AppTest) -> View:
    return View.from_params({name: str(at.query_params[name]) for name in at.query_params})[0]


PAGES = ["compare", "data", "anchors", "bootstrap", "stitch"]


@pytest.mark.parametrize("page", PAGES)
def test_a_copied_address_opens_nothing_for_another(page: str, monkeypatch) -> None:
    link = small_pair() | {"count": "20"}
    assert not opened(page, link).error
    with visiting(monkeypatch):
        at = opened(page, link)
        assert "not loaded in this browser" in said(at)
        assert "Encoder A" not in said(at)
        assert not at.get("bidi_component")


def test_what_is_another_s_is_not_told_from_what_is_not_there(monkeypatch) -> None:
    link = small_pair()
    with visiting(monkeypatch):
        told = [
            opened("compare", {"a": source}).error[0].value for source in (link["a"], "space-" + "0" * 32)
        ]
    assert told[0] == told[1]


def test_the_shelf_and_a_workspace_give_nothing_of_another(monkeypatch) -> None:
    link = small_pair()
    view = View(**link, shelf=Names([link["a"], link["b"]]))
    with visiting(monkeypatch):
        at = opened("shelf", view.to_params())
        assert "Encoder A" not in said(at)
        assert [button.disabled for button in at.button if button.key == f"A {link['a']}"] == [True]
        assert len(save_workspace(view)) < 1500
    assert len(save_workspace(view)) > 4000


def test_who_is_nobody_opens_demos_alone() -> None:
    link = small_pair()
    with acting_for(NOBODY):
        assert len(open_pair(View().a, View().b)) == 1906
        for opening in (open_space, origin_of, thumbnails_of):
            with pytest.raises(relviz.Error, match="not loaded in this browser"):
                opening(link["a"])
        source = keep_space(spaces()[0])
        with pytest.raises(relviz.Error, match="not loaded in this browser"):
            open_space(source)


def test_two_who_bring_the_same_have_it_each_under_their_own_name(monkeypatch) -> None:
    vectors = spaces()[0].vectors
    mine = keep_space(relviz.Space(vectors, name="mine.npz"), Origin("from me"))
    with visiting(monkeypatch):
        theirs = keep_space(relviz.Space(vectors, name="theirs.npz"), Origin("from them"))
        assert theirs == mine
        assert (open_space(theirs).name, origin_of(theirs).words) == ("theirs.npz", "from them")
    assert (open_space(mine).name, origin_of(mine).words) == ("mine.npz", "from me")
    keep_space(relviz.Space(vectors, name="renamed.npz"))
    assert open_space(mine).name == "renamed.npz"


def test_small_pictures_of_one_are_not_shown_to_another(monkeypatch) -> None:
    space = spaces()[0]
    red, blue = (np.full((60, 4, 4, 3), value, np.uint8) for value in (1, 2))
    mine = keep_space(space, thumbnails=red)
    with visiting(monkeypatch):
        theirs = keep_space(space, thumbnails=blue)
        assert int(thumbnails_of(theirs).max()) == 2
        with pytest.raises(relviz.Error):
            thumbnails_of(mine)


def test_a_workspace_that_another_gives_away_is_theirs_and_ours(monkeypatch) -> None:
    view = View(**small_pair(), count=9)
    raw = save_workspace(view)
    with visiting(monkeypatch):
        there, _ = open_workspace(raw)
        assert len(open_pair(there.a, there.b)) == 60


def test_recipes_with_data_of_another_say_that_it_is_not_here(monkeypatch) -> None:
    recipe = recipe_of(View(**small_pair(), count=9), "maps")
    with visiting(monkeypatch):
        for follow in (make, tasks_of):
            with pytest.raises(relviz.ReadError, match="not here"):
                follow(recipe)
        at = opened("data")
        at.file_uploader(key="recipe_file").set_value(
            ("r.json", recipe.to_json().encode(), "application/json")
        )
        assert "not here" in said(went(at))
        assert view_of(at) == View()


@pytest.mark.slow
def test_a_run_of_another_is_not_listed_seen_or_stopped(monkeypatch) -> None:
    link = View(ao=RUN).to_params()
    at = pressed(opened("bootstrap", link), "Run")
    (job,) = jobs().running()
    elsewhere = turned(at, "bootstrap")
    elsewhere = opened("bootstrap")
    assert "Also running" in said(elsewhere)
    with visiting(monkeypatch):
        assert "Also running" not in said(opened("bootstrap"))
        at = opened("bootstrap", link)
        assert [button.label for button in at.button if button.label in ("Run", "Cancel", "Pause")] == ["Run"]
        assert not jobs().running()
        job.cancel()
        job.pause()
        assert not job.canceling
        assert not job.pausing


@pytest.mark.slow
def test_who_asks_for_the_same_demo_shares_the_run_and_only_leaves_it(monkeypatch) -> None:
    link = View(ao=RUN).to_params()
    first = pressed(opened("bootstrap", link), "Run")
    (job,) = jobs().running()
    with visiting(monkeypatch):
        at = pressed(opened("bootstrap", link), "Run")
        assert jobs().running() == [job]
        (pause,) = (button for button in at.button if button.label == "Pause")
        assert pause.disabled
        assert "Also running" in said(opened("bootstrap"))
        pressed(at, "Cancel")
        assert not jobs().running()
        assert not job.canceling
    went(first)
    (pause,) = (button for button in first.button if button.label == "Pause")
    assert not pause.disabled
    pressed(first, "Cancel")
    assert job.wait(60)
    assert job.state == "canceled"


def test_work_that_two_wait_for_goes_on_when_one_chooses_something_else(monkeypatch) -> None:
    link = small_pair() | {"projection": "tsne", "count": "20"}
    slow = opened("compare", link)
    shared = [job for job in jobs().running() if "t-SNE" in job.title]
    with visiting(monkeypatch):
        small_pair()  # they have the same files
        at = opened("compare", link)
        control = at.segmented_control(key="choice_projection")
        control.set_value("pca")
        went(at)
    assert not [job for job in shared if job.canceling]
    finished(slow)


def test_a_run_named_in_an_address_tells_nothing_of_its_pair(monkeypatch) -> None:
    view = View(**small_pair(), ao=Run(anchors=12, seeds=6, method="adam_warm", options="steps=8,warm_up=3"))
    task = bootstrap_task(view.ao, open_pair(view.a, view.b))
    task.run()
    kept = default_store().get(task.key)
    assert "Encoder A" not in str(kept.meta)
    assert view.a not in str(kept.meta)
    with visiting(monkeypatch):
        at = opened("compare", View(method="run", run=task.key).to_params())
        assert "Encoder A" not in said(at)
        assert "another pair" in said(at)


def test_a_reload_is_the_same_visitor() -> None:
    link = small_pair()
    again = opened("compare", link)
    assert again.session_state["relviz_visitor"] == VISITOR
    assert not again.error

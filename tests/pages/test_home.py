"""Home: the default page, its picture, its words, its links; other addresses still lead to Compare."""

import json
import re
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from relviz.compute.jobs import jobs
from relviz.ui.home import LINKS
from tests.ui.screen import APP, drawn, finished, opened, said, went

ASSETS = Path(APP).parent / "relviz" / "ui" / "home" / "assets"
WORDS = re.compile(r"[\w%’'-]+")


def front(**params: str) -> AppTest:
    at = AppTest.from_file(APP, default_timeout=90)
    at.query_params.update(params)
    return went(at)


@pytest.mark.usefixtures("own_cache")
def test_the_picture_is_there_at_once_with_nothing_computed():
    head, body = drawn(front())
    assert not jobs().running()
    assert head["rows"] == 1906
    assert head["counts"][0] == 0
    views = len(head["counts"])
    assert len(body) == 2 * (views * 1906 * 5 + max(head["counts"]))
    assert len(head["names"]) == 1906
    assert not any(name.startswith("\U0001f1e6") for name in head["names"])


@pytest.mark.slow
@pytest.mark.usefixtures("own_cache")
def test_it_shows_nothing_that_other_code_made(monkeypatch):
    monkeypatch.setattr("relviz.compute.task.packed", lambda _: None)
    at = front()
    assert len(jobs().running()) == 1
    assert not at.get("bidi_component")
    assert drawn(finished(at))[0]["rows"] == 1906


def test_it_says_what_it_shows_in_at_most_60_words():
    at = front()
    head, _ = drawn(at)
    texts = re.sub(r"<[^>]+>", " ", (ASSETS / "home.html").read_text("utf-8"))
    code = (ASSETS / "home.js").read_text("utf-8")
    longest = max(
        re.findall(r'(?:absolute|relative): "(.*?)"', code), key=lambda text: len(WORDS.findall(text))
    )
    captions = [f"A: {head['models'][0]} own axes", f"B: {head['models'][1]} A’s axes"]
    rows = ["A shows", "B finds, absolute", "B finds, 300 anchors", "300 anchors", "48%"]
    links = [words for words, _ in LINKS.values()]
    every = " ".join([texts, longest, *captions, *rows, *links])
    assert len(WORDS.findall(every)) <= 60, WORDS.findall(every)
    assert said(at) == "" or "Computed on" in said(at)


def test_a_link_to_a_view_from_when_compare_stood_here_opens_compare():
    at = front(count="20", runs="1", queries="20")
    assert "panes" in json.dumps(drawn(at)[0])
    assert at.query_params["count"] == "20"


def test_the_view_of_the_session_outlives_a_look_at_home():
    at = opened("compare", {"count": "20", "runs": "1", "queries": "20"})
    at.query_params.clear()
    went(at.switch_page("pages/home.py"))
    assert not at.query_params
    went(at.switch_page("pages/compare.py"))
    assert at.query_params["count"] == "20"

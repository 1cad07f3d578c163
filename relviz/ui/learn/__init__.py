"""The Learn page: the list of stories, a step of one, or the exercises with their solutions."""

import streamlit as st

from relviz.errors import Error
from relviz.figures.pictures import pictures_of
from relviz.results.stories import StoryPicture, picture_task
from relviz.stories import Story, stories
from relviz.ui.job_view import leave, result_or_progress
from relviz.ui.learn.asking import make_ready, reply_to
from relviz.ui.learn.message import Message, index_message, solutions, step_message
from relviz.ui.learn.place import Place, place_of
from relviz.ui.learn.preparing import show_prepare
from relviz.ui.linked_map.assets import LEARN, assets_path, loader, served
from relviz.ui.verbatim import verbatim

KEY, SLOT, ASKED = "learn_story", "learn", "learn_asked"
_component = st.components.v2.component("relviz_learn", js=loader())
_STYLE = """<style>
[data-testid="stMainBlockContainer"] { padding: 0.5rem 1.5rem 0.4rem; max-width: none; }
[data-testid="stHeader"] { background: transparent; }
[data-testid="stHeader"], [data-testid="stHeader"] :not(button, button *) { pointer-events: none; }
[data-testid="stHeader"] button { pointer-events: auto; }
:root:has([data-testid="stExpandSidebarButton"]) { --learn-left: 44px; }
</style>"""
_PRESENTED = """<style>
[data-testid="stSidebar"], [data-testid="stHeader"], [data-testid="stExpandSidebarButton"] { display: none; }
:root { --learn-left: 0px !important; }
</style>"""


def show_learn() -> None:
    """Show what the address names."""
    place = place_of(st.query_params.to_dict())
    if not place.prepare:
        st.html(_STYLE + (_PRESENTED if place.present else ""))
    try:
        every = stories()
    except Error as reason:
        st.error(verbatim(reason), icon=":material/error:")
        return
    story = next((one for one in every if one.name == place.story), None)
    if place.story and story is None:
        st.warning(f"There is no story {verbatim(place.story)}.", icon=":material/link_off:")
    if place.prepare:
        leave(SLOT)
        show_prepare(every)
    elif place.exercises:
        leave(SLOT)
        _show({"exercises": _exercises(every, story)}, place)
    elif story is None:
        leave(SLOT)
        _show(index_message(every), place)
    else:
        _show_step(every, story, place)


def _show_step(every: tuple[Story, ...], story: Story, place: Place) -> None:
    number = min(place.step, len(story.steps))
    definition = story.steps[number - 1].picture
    try:
        picture = result_or_progress(SLOT, picture_task(definition.kind, definition.options))
    except Error as reason:
        st.error(verbatim(reason), icon=":material/error:")
        return
    message = step_message(every, story, number, picture)
    asked = st.session_state.pop(ASKED, None)
    if picture is not None:
        make_ready(definition)
        if asked is not None:
            message["reply"] = reply_to(definition, asked)
    _show(message, place, picture)


def _show(message: Message, place: Place, picture: StoryPicture | None = None) -> None:
    about: Message = {"assets": assets_path(LEARN), "component": LEARN, "present": place.present}
    if picture is not None and picture.sheet:
        sheet = pictures_of(picture.sheet, picture.sheet)
        assert sheet is not None
        url = served(sheet.png, "image/png", "learn.sheet")
        about["sheet"] = {"url": url, "cell": sheet.cell, "columns": sheet.columns}
    _component(key=KEY, data=about | message, on_go_change=_go, on_ask_change=_ask)


def _exercises(every: tuple[Story, ...], story: Story | None) -> list[Message]:
    """Every question with its solution; numbers that are not computed yet are left open."""
    found = []
    for one in every if story is None else (story,):
        for step in one.steps:
            if step.question is not None:
                try:
                    picture = picture_task(step.picture.kind, step.picture.options).stored()
                except Error:
                    picture = None
                found.append(solutions(one, step, picture))
    return found


def _go() -> None:
    """Follow where the browser wants to go; the address is then what it says."""
    message: object = st.session_state[KEY].get("go")
    if isinstance(message, dict):
        st.query_params.from_dict(place_of({name: _text(value) for name, value in message.items()}).params())


def _ask() -> None:
    """Keep what is asked of the picture until the step is shown, which answers it."""
    message: object = st.session_state[KEY].get("ask")
    if isinstance(message, dict):
        st.session_state[ASKED] = message


def _text(value: object) -> str:
    return "yes" if value is True else str(value)

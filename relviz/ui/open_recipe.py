"""A recipe that was written elsewhere or earlier: opened, it restores the view and the page it was of."""

from collections.abc import Callable

import streamlit as st

import relviz
from relviz.figures.inputs import unpaired
from relviz.figures.kinds.bootstrap import known_of
from relviz.figures.kinds.drawing import moves_of
from relviz.figures.kinds.probe import what_of
from relviz.figures.open_recipe import changes_of, page_of, view_of
from relviz.figures.recipe import LARGEST, Recipe, read_recipe
from relviz.figures.recipe_data import located
from relviz.results.drawing import read
from relviz.results.probe import check_encodable
from relviz.state.image_sets import image_set
from relviz.state.known_pairs import known_lines
from relviz.state.sources import open_pair
from relviz.ui import state
from relviz.ui.decode.sliders import put_sliders
from relviz.ui.decode.swap import put_drawing
from relviz.ui.figure_button import begin_with
from relviz.ui.linked_map import click_on
from relviz.ui.stitch.matrix import choose_cell
from relviz.ui.stitch.probe import GIVEN
from relviz.ui.verbatim import verbatim

_OPENED, _WANTED = "relviz_recipe", "relviz_recipe_wanted"


def recipe_uploader() -> None:
    """Take the file of a recipe; its page is opened at once, and says what is not as it was."""
    file = st.file_uploader(
        "The .json file saved with a figure",
        type=["json"],
        key="recipe_file",
        max_upload_size=1,
    )
    if file is None or st.session_state.get(_OPENED) == file.file_id:
        return
    try:
        recipe = read_recipe(file.read(LARGEST + 1))
        open_recipe(recipe)
    except relviz.Error as reason:
        st.error(verbatim(reason), icon=":material/error:")
        return
    st.session_state[_OPENED] = file.file_id
    st.switch_page(f"pages/{page_of(recipe)}.py")


def recipe_button(recipe: Recipe, key: str) -> None:
    """A button that opens a recipe on the page that shows the same; ``open_wanted`` goes there."""
    st.button(
        "Open on its page",
        key=key,
        icon=":material/open_in_new:",
        type="tertiary",
        on_click=lambda: st.session_state.update({_WANTED: recipe}),
    )


def open_wanted() -> None:
    """Go to the page of the recipe whose button was pressed, if one was; for the top of a page."""
    recipe = st.session_state.pop(_WANTED, None)
    if recipe is None:
        return
    try:
        open_recipe(recipe)
    except relviz.Error as reason:
        st.error(verbatim(reason), icon=":material/error:")
        return
    st.switch_page(f"pages/{page_of(recipe)}.py")


def open_recipe(recipe: Recipe) -> None:
    """Have the view of a recipe; what is not as it was is said when its page is drawn.

    Raises
    ------
    relviz.Error
        If its data is not here, or what it holds of it is damaged.
    """
    recipe = located(recipe)
    view, changes = view_of(recipe), changes_of(recipe)
    if recipe.kind in _BESIDE:
        changes += _BESIDE[recipe.kind](recipe) or []
    begin_with(recipe)
    state.replace(view, changes)


def _clicked(recipe: Recipe) -> None:
    row = recipe.options["clicked"]
    pair = open_pair(recipe.view.a, recipe.view.b)
    if 0 <= row < len(pair):
        click_on("maps", pair.ids, row)


def _cell(recipe: Recipe) -> None:
    options = recipe.options
    choose_cell(options["method"], options["encoder"], options["head"])


def _once(recipe: Recipe) -> None:
    st.session_state["decode_once"] = recipe.options["once"]


def _drawn(recipe: Recipe) -> None:
    source = recipe.view.de.data
    put_drawing(source, read(recipe.options, image_set(source)))


def _sliders(recipe: Recipe) -> None:
    put_sliders(recipe.view.de, moves_of(recipe.view.de, recipe.options))


def _trials(recipe: Recipe) -> None:
    for name in ("seeds", "methods", "draws"):
        st.session_state[f"ao_table_{name}"] = recipe.options[name]


def _known(recipe: Recipe) -> None:
    given = unpaired(recipe.view)
    st.session_state["unpaired_known"] = known_lines(known_of(given, recipe.options), *given.spaces)


def _probed(recipe: Recipe) -> list[str]:
    what = what_of(recipe.options)
    way = "item" if what is None else "text" if isinstance(what, str) else "image"
    st.session_state["probe_way"] = way
    if what is None:
        return []
    st.session_state["probe_text" if way == "text" else GIVEN] = what
    try:
        check_encodable(recipe.view.direction[0], way)
    except relviz.Error as reason:
        return [f"The recipe probes a new item. {reason}"]
    return []


_BESIDE: dict[str, Callable[[Recipe], list[str] | None]] = {
    "maps": _clicked,
    "confusion": _cell,
    "latents": _once,
    "drawn": _drawn,
    "sliders": _sliders,
    "retrieval": _trials,
    "correspondences": _known,
    "probe": _probed,
}
"""What a page remembers beside the view, by kinds of figures that show it."""

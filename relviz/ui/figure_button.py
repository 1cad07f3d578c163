"""What is on screen as a figure for a paper: files, numbers, caption and recipe, when they are asked for."""

from collections.abc import Callable, Mapping
from functools import lru_cache, partial
from types import MappingProxyType

import streamlit as st

import relviz
from relviz.figures.bundle import bundle
from relviz.figures.captions import MOST_MARKED
from relviz.figures.kind import AnyKind, Options
from relviz.figures.look import Look
from relviz.figures.make import PAGE, TABLES, PrintFigure, make, tasks_of
from relviz.figures.open_recipe import recipe_of
from relviz.figures.pictures import pictures_of
from relviz.figures.recipe import Recipe, read_recipe
from relviz.figures.registry import KINDS
from relviz.plotting.pane import MOST_DRAWN
from relviz.plotting.style import FORMATS
from relviz.results.maps import QUICK
from relviz.state import View
from relviz.state.sources import open_pair
from relviz.state.view import Run
from relviz.ui import state
from relviz.ui.figure_looks import OF_KIND, choose_look, choose_style, recall_look
from relviz.ui.job_view import show_job, start
from relviz.ui.linked_map import MapSeen, last_event, last_seen
from relviz.ui.verbatim import verbatim
from relviz.wording import count

FEWER = (500, 2000, 5000, 20_000)
MOST_AT_FIRST = 40
WAYS = {"texts": "Text", "pictures": "Image"}


def rows_at_first(selected: list[int]) -> list[int]:
    """Rows that are selected are marked, unless they are so many that marks would hide the map."""
    return selected if len(selected) <= MOST_AT_FIRST else []


def choose_marks(sources: tuple[str, str], known: bool, kind: AnyKind, key: str, on_map: str) -> Options:
    """Options of a kind of map of two sources; nothing for other kinds.

    Of a run whose pairing is ``known`` right and wrong can be told apart.
    """
    chosen: dict[str, object] = {}
    if "stars" in kind.options:
        chosen["stars"] = st.toggle("Anchors as stars", key=f"figure_{key}_stars")
    if "found" in kind.options:
        chosen["found"] = st.toggle("Discovered anchors as hollow stars", key=f"figure_{key}_found")
        if known:
            chosen["right"] = st.toggle("Colored by correctness", key=f"figure_{key}_right")
    if "points" not in kind.options:
        return chosen
    pair = open_pair(*sources)
    fewer = [most for most in FEWER if most < len(pair)]
    if fewer:
        if st.session_state.get(f"figure_{key}_points") not in fewer:
            st.session_state[f"figure_{key}_points"] = MOST_DRAWN
        chosen["points"] = st.selectbox(
            "Maximum number of points",
            [*fewer, MOST_DRAWN],
            format_func=lambda most: "All" if most >= len(pair) else count(most),
            key=f"figure_{key}_points",
        )
    marked = st.session_state.get(f"figure_{key}_marked")
    rows = st.multiselect(
        "Labeled items",
        range(len(pair)),
        default=marked or rows_at_first(last_event(on_map, pair.ids).selected.tolist()),
        format_func=lambda row: pair.items[row],
        max_selections=MOST_MARKED,
        placeholder="Type to find an item, or select some on the map",
    )
    if not rows:
        return chosen
    pictured = pictures_of(*sources) is not None
    here = ["texts", *(["pictures"] if pictured else [])]
    begun = [way for way in st.session_state.get(f"figure_{key}_ways", here[-1:]) if way in here]
    st.session_state[f"figure_{key}_ways"] = begun
    ways = st.segmented_control(
        "Label with",
        here,
        selection_mode="multi",
        format_func=WAYS.__getitem__,
        key=f"figure_{key}_ways",
    )
    return {**chosen, **dict.fromkeys(ways, rows)}


def recall_marks(recipe: Recipe, key: str) -> None:
    """Have the choices be those of a recipe, as far as they can be chosen here."""
    options = recipe.options
    rows = [*options.get("pictures", []), *options.get("texts", [])]
    ways = [way for way in WAYS if options.get(way)]
    for name in {"stars", "found", "right"} & options.keys():
        st.session_state[f"figure_{key}_{name}"] = options[name]
    if options.get("points") in FEWER:
        st.session_state[f"figure_{key}_points"] = options["points"]
    if rows:
        st.session_state[f"figure_{key}_marked"] = list(dict.fromkeys(rows))
        st.session_state[f"figure_{key}_ways"] = ways


Asked = Mapping[str, Options]
Files = Mapping[tuple[str, str], Callable[[], bytes]]
"""How to make files, by their words and names."""
LABELS = {"tex": "LaTeX", "md": "Markdown", "html": "HTML"}
SUFFIX = ".recipe.json"
_BEGIN = "relviz_begin_figure"


def figure_button(
    asked: Asked, key: str, on_map: str = "", more: Files = MappingProxyType({}), run: Run | None = None
) -> None:
    """A button that opens what there is to choose about a figure of what is on screen, and its files.

    Nothing of it is made before the button is pressed, and no file before it is asked for.

    Parameters
    ----------
    asked
        Kinds of figures that show what the page shows, and what the page adds to the view of each.
    key
        Name of the button on its page.
    on_map
        The page's map: rows that are selected on it are marked unless others are chosen.
    more
        Other files of numbers, made when they are asked for.
    run
        The run that it is a figure of, where that is not the one chosen.
    """
    view = state.current()
    shown = view if run is None else view.with_changes(ao=run)
    st.fragment(_popover)(shown, asked, key, on_map, more)


def begin_with(recipe: Recipe) -> None:
    """Have the next figure that can be of the recipe's kind begin with what the recipe chose."""
    st.session_state[_BEGIN] = recipe


def _recall(asked: Asked, key: str) -> None:
    recipe = st.session_state.get(_BEGIN)
    if recipe is None or recipe.kind not in asked:
        return
    del st.session_state[_BEGIN]
    st.session_state[f"figure_{key}_kind"] = recipe.kind
    recall_look(recipe, key)
    recall_marks(recipe, key)


def _popover(view: View, asked: Asked, key: str, on_map: str, more: Files) -> None:
    with st.popover("Figure", icon=":material/image:", key=f"figure_{key}", on_change="rerun") as box:
        if not box.open:
            return
        _recall(asked, key)
        kind = next(iter(asked))
        if len(asked) > 1:
            kind = st.selectbox(
                "Content", list(asked), format_func=lambda one: KINDS[one].words, key=f"figure_{key}_kind"
            )
        try:
            style, width = choose_style(key)
        except relviz.Error as reason:
            st.info(verbatim(reason), icon=":material/image_not_supported:")
            return
        files = st.container()  # they are what one comes for, and stand before the other choices
        marks = choose_marks((view.a, view.b), view.ao.known, KINDS[kind], key, on_map)
        options = {**asked[kind], **marks}
        try:
            look = _look((view.a, view.b), kind, key, on_map).with_changes(style=style)
            made = _figure_or_progress(recipe_of(view, kind, options, width, look=look))
            if made is not None:
                with files:
                    _offer(made, key, more)
                    _offer_bundle(partial(recipe_of, view), kind, asked, marks, width, look, key)
                _show(made, key)
        except relviz.Error as reason:
            st.info(verbatim(reason), icon=":material/image_not_supported:")


def _look(sources: tuple[str, str], kind: str, key: str, on_map: str) -> Look:
    """What is chosen about its looks, the map on screen among it."""
    if KINDS[kind].sources or not KINDS[kind].paired:
        return choose_look(key, kind, (), MapSeen())
    pair = open_pair(*sources)
    seen = last_seen(on_map, pair.ids) if on_map else MapSeen()
    return choose_look(key, kind, (pair.a.name, pair.b.name), seen)


def _offer_bundle(
    recipe_for: Callable[..., Recipe],
    shown: str,
    asked: Asked,
    marks: Options,
    width: float,
    look: Look,
    key: str,
) -> None:
    """A button that makes the bundle of all figures and tables of this page that are computed."""

    def made() -> bytes:
        found = []
        for kind, added in asked.items():
            known = {name: value for name, value in marks.items() if name in KINDS[kind].options}
            try:
                recipe = recipe_for(
                    kind,
                    {**added, **known},
                    width,
                    look=look if kind == shown else _for_kind(look, kind),
                )
                if all(task.stored() is not None for task in tasks_of(recipe)):
                    found.append(make(recipe))
            except relviz.Error:
                continue  # a kind that this view does not have
        return bundle(found)

    _download("Paper bundle", made, "paper.zip", key)


def _for_kind(look: Look, kind: str) -> Look:
    """A look without what is said of the panels, rows and columns of another kind."""
    usual = Look()
    others = (*OF_KIND, "zoom", "turned", *(() if "points" in KINDS[kind].options else ("hidden",)))
    return look.with_changes(**{name: getattr(usual, name) for name in others})


def _figure_or_progress(recipe: Recipe) -> PrintFigure | None:
    """The figure, if all that it shows is computed; else how to have it computed, and None."""
    missing = [task for task in tasks_of(recipe) if task.stored() is None]
    for task in missing:
        job = task.job()
        if job is not None:
            show_job(job, task, "figure ")  # the page may show it too
            continue
        st.button(f"Compute: {task.title}", key=f"figure {task.key}", on_click=start, args=(task,))
        st.caption("This page has not computed it yet.")
    return None if missing else _figure(recipe.to_json())


@lru_cache(maxsize=4)
def _figure(recipe: str) -> PrintFigure:
    """A figure of what is kept; remembered, for its files are asked for one after the other."""
    return make(read_recipe(recipe))


def _offer(made: PrintFigure, key: str, more: Files) -> None:
    """Buttons that make its files."""
    kind, suffixes = made.recipe.kind, made.suffixes()
    size = f"{made.recipe.width:g} × {made.height:.0f} mm, with selectable text. " if made.drawn else ""
    with st.container(horizontal=True):
        for suffix in (one for one in (*FORMATS, PAGE, *TABLES) if one in suffixes):
            words = LABELS.get(suffix, suffix.upper())
            make_one = partial(_page, made.recipe) if suffix == PAGE else partial(made.file, suffix)
            _download(words, make_one, f"{kind}.{suffix}", key)
    with st.container(horizontal=True):
        for suffix in (one for one in ("csv", "npz") if one in suffixes):
            _download(f"Data, {suffix}", partial(made.file, suffix), f"{kind}.{suffix}", key)
        for (words, name), make_other in more.items():
            _download(words, make_other, name, key)
        _download("Recipe", partial(made.file, "json"), f"{kind}{SUFFIX}", key)
    alive = "HTML: the map itself, in a file that opens without a server. " if made.content.linked else ""
    st.caption(f"{size}{alive}The recipe reproduces it: on the Data page, or with `python -m relviz figure`.")


def _page(recipe: Recipe) -> bytes:
    """The map as a file; of a comparison with both rows, unless the other one is yet to be computed."""
    if "rows" in recipe.options:
        both = recipe.with_changes(options={**recipe.options, "rows": "both"}, numbers="")
        if recipe.view.projection in QUICK or all(task.stored() is not None for task in tasks_of(both)):
            recipe = both
    return _figure(recipe.to_json()).file(PAGE)


def _show(made: PrintFigure, key: str) -> None:
    """Its caption, to be copied, and where it is wished the figure itself."""
    st.markdown("**Caption**")
    st.code(made.caption, language=None, wrap_lines=True)
    if made.drawn and st.toggle("Show it here", key=f"figure_{key}_shown"):
        st.image(made.file("png"), output_format="PNG", alt=made.caption)


def _download(words: str, make_file: Callable[[], bytes], name: str, key: str) -> None:
    st.download_button(
        words, make_file, name, on_click="ignore", icon=":material/download:", key=f"figure_{key}_{name}"
    )

"""From what a page shows to a recipe, and from a recipe back to the page."""

from types import MappingProxyType

from relviz.compute.key import kind_of
from relviz.compute.store import default_store
from relviz.errors import Error, ParameterError, ReadError
from relviz.figures.kind import Options
from relviz.figures.look import Look
from relviz.figures.recipe import Data, Recipe, versions_changed, versions_here
from relviz.figures.recipe_data import is_data
from relviz.figures.registry import KINDS
from relviz.plotting.style import WIDTHS, check_width
from relviz.results.bootstrap import bootstrap_task
from relviz.results.run import record_of_pair
from relviz.state.image_sets import KIND as IMAGES
from relviz.state.image_sets import image_set
from relviz.state.sources import is_own, open_pair, open_space, origin_of
from relviz.state.view import View


def recipe_of(
    view: View,
    kind: str,
    options: Options = MappingProxyType({}),
    width: float = WIDTHS["two"],
    title: str = "",
    look: Look = Look(),  # noqa: B008
) -> Recipe:
    """The recipe of what a view shows, before anything is computed.

    A run whose anchors the view uses is written into it with its choices, to be made again elsewhere.

    Raises
    ------
    relviz.Error
        If there is no such kind or option, or the data cannot be opened.
    """
    if kind not in KINDS:
        raise ParameterError(f"There is no kind of figure {kind[:40]!r}; use one of {', '.join(KINDS)}.")
    if KINDS[kind].sources:
        view = View(de=view.de)  # whatever A and B are
    elif not KINDS[kind].paired:
        view = view.without_run()
    elif view.method == "run":
        view = view.with_changes(ao=record_of_pair(view.run, open_pair(view.a, view.b)).run, run="")
    chosen = KINDS[kind].chosen(options)
    data, versions = data_of(kind, view), versions_here()
    return Recipe(kind, view, chosen, check_width(width), look, data, versions, title=title)


def view_of(recipe: Recipe) -> View:
    """The view that a recipe shows, at the part of its page that shows it.

    A run whose anchors it uses has the name that it has here; it need not have been made here yet.
    """
    view, kind = recipe.view, KINDS[recipe.kind]
    if kind.part:
        at = {"de": view.de.with_changes(part=kind.part)} if kind.page == "decode" else {"part": kind.part}
        view = view.with_changes(**at)
    if not kind.paired:
        return view.without_run()
    if view.method != "run" or view.run:
        return view
    return view.with_changes(run=bootstrap_task(view.ao, open_pair(view.a, view.b)).key)


def page_of(recipe: Recipe) -> str:
    """The name of the page that shows what a recipe makes."""
    return KINDS[recipe.kind].page


def changes_of(recipe: Recipe) -> list[str]:
    """What is not as it was when a recipe was written: a sentence for each of its data and versions.

    A run that it uses and that is not here is one of them.

    Raises
    ------
    ReadError
        If it names data that is not here.
    """
    changes = [*data_changed(recipe), *versions_changed(recipe.versions)]
    view = view_of(recipe)
    if view.method == "run" and view.run and not default_store().has(view.run):
        changes.append(
            "Its anchors come from a run of anchor optimization that is not stored here. Press Run on the "
            "Bootstrap page, which shows that run's settings."
        )
    return changes


def data_of(kind: str, view: View) -> dict[str, Data]:
    """The spaces that a figure is made of; of a shelf, those that can be opened."""
    found = KINDS[kind]
    if found.sources:
        return {source: _data(source) for source in _images_of(found.sources, view.de.data)}
    if not found.shelf:
        return {source: _data(source) for source in (view.a, view.b)}
    here = [source for source in view.sources if source in (view.a, view.b) or _opens(source)]
    return {source: _data(source) for source in here}


def data_changed(recipe: Recipe) -> list[str]:
    """A sentence for each space that is not as it was; ReadError where one is not here."""
    changed = []
    usual = _images_of(KINDS[recipe.kind].sources, recipe.view.de.data) or (recipe.view.a, recipe.view.b)
    for source in recipe.data or dict.fromkeys(usual):
        then = recipe.data.get(source)
        try:
            here = _data(source)
        except Error as reason:
            if not is_own(source) or then is None:
                raise ReadError(f"The recipe needs data that is not here: {reason}") from None
            raise ReadError(
                f"The recipe needs data that is not here: {then.name[:80]!r}, {then.rows} rows of "
                f"{then.dimension} dimensions. Load the same file first: in the app, or with --data FILE on "
                "the command line."
            ) from None
        if then is not None and not is_data(source, then):
            was = f"{then.rows} × {then.dimension}, is {here.rows} × {here.dimension}"
            changed.append(f"{source} is not the data that the recipe was written for: it was {was}.")
        elif then is not None:
            changed += _same_content(then, here)
    named = KINDS[recipe.kind].sources or KINDS[recipe.kind].shelf or not recipe.data
    others = [] if named else [one for one in (recipe.view.a, recipe.view.b) if one not in recipe.data]
    return [*changed, *(f"{one} is not among the data of the recipe." for one in others)]


def _same_content(then: Data, here: Data) -> list[str]:
    """What is to be said where the content is the recipe's; ReadError where its facts are not."""
    if (then.rows, then.dimension) != (here.rows, here.dimension):
        raise ReadError(
            f"The recipe says that {then.name[:60]!r} is {then.rows} × {then.dimension}, but the data of its "
            f"digest is {here.rows} × {here.dimension}. Correct the recipe, or its digest."
        )
    if then.sha256 and here.sha256 and then.sha256 != here.sha256:
        return [f"{here.name} has the same content in another file (sha256 {here.sha256[:12]}…)."]
    return []


def own_names(recipe: Recipe) -> dict[str, str]:
    """Names that spaces have here, and the names that the recipe has for them, where these differ."""
    found = {}
    for source, then in recipe.data.items():
        if kind_of(source) != IMAGES and then.name and (here := open_space(source).name) != then.name:
            found[here] = then.name
    return found


def _opens(source: str) -> bool:
    try:
        open_space(source)
    except Error:
        return False
    return True


def _images_of(sources: tuple[str, ...], own: str) -> tuple[str, ...]:
    """What is drawn whatever A and B are: images of one's ``own``, where there are any."""
    return tuple(own or source for source in sources)


def _data(source: str) -> Data:
    if kind_of(source) == IMAGES:
        images = image_set(source)
        return Data(
            images.digest, images.title, len(images.train) + len(images.test), images.train[0].numel()
        )
    space = open_space(source)
    sha256 = origin_of(source).sha256 if is_own(source) else ""
    return Data(space.content_digest, space.name, len(space), space.dimension, sha256)

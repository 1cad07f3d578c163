"""From a recipe to a figure, and to the files that it can be written to."""

import io
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from relviz.compute.job import Ticket, here_and_now
from relviz.compute.task import Task
from relviz.errors import ParameterError
from relviz.figures.kind import Content
from relviz.figures.latex_table import latex
from relviz.figures.open_recipe import data_changed, data_of, own_names, view_of
from relviz.figures.recipe import Recipe, versions_changed, versions_here
from relviz.figures.registry import KINDS
from relviz.figures.table_form import formed, sheet_with_names
from relviz.plotting.drawing import Drawing, check_panels, renamed, using
from relviz.plotting.linked_map.page import page
from relviz.plotting.placing import legend_width, placed
from relviz.plotting.stack import Part, height_of, inner, on_axes, stacked
from relviz.plotting.style import FORMATS, rendered
from relviz.plotting.table import PrintTable
from relviz.results.bootstrap import bootstrap_task
from relviz.sheet import Marks, Sheet, columns_csv, html_table, markdown
from relviz.state.sources import open_pair

TABLES = ("tex", "md")
PAGE = "html"
"""Ending of a map that a browser opens, or of a table."""
SUFFIXES = (*FORMATS, *TABLES, PAGE, "csv", "npz", "txt", "json")
"""Endings of the files that a figure can be written to."""

NOTEBOOK_DPI = 110


@dataclass(frozen=True, eq=False)
class PrintFigure:
    """A figure or table with its content, the recipe that reproduces it, and what changed since the recipe
    was written.

    Attributes
    ----------
    recipe
        With the current data, versions and numbers.
    content
        Caption, numbers, parts.
    changes
        Sentences; empty if nothing changed.
    """

    recipe: Recipe
    content: Content
    changes: tuple[str, ...] = ()

    @property
    def caption(self) -> str:
        """Ready to be pasted; ParameterError if the figure cannot look as it should."""
        assert self.parts is not None
        whole = " ".join([self.content.caption, *self.recipe.look.sentences()])
        return renamed(whole, self.recipe.look.names)

    @property
    def drawn(self) -> bool:
        """Whether it is a figure, and not a table or numbers alone."""
        return self.content.parts is not None

    @cached_property
    def parts(self) -> list[Part]:
        """What it is drawn of; a table is set as papers set them."""
        with using(self._drawing):
            room = inner(self.recipe.width)
            if self.content.parts is not None:
                parts = self.content.parts(room)
                check_panels()
        if self.content.parts is not None:
            return self._placed(self.content.parts, parts, room)
        with using(self._drawing):
            sheets = [formed(sheet, self.recipe.look.form()) for sheet in self.content.sheets.values()]
            titles = self.content.sheets if len(sheets) > 1 else [""]
            check_panels()
            return [
                PrintTable(sheet.head, sheet.rows, room, title, sheet.words, marks)
                for title, (sheet, marks) in zip(titles, sheets, strict=True)
            ]

    def _placed(self, build: Callable[[float], list[Part]], parts: list[Part], room: float) -> list[Part]:
        """The parts with their legends where the look has them."""
        way = self.recipe.look.legend
        with using(self._drawing):
            beside = legend_width(parts) if way == "beside" else 0.0
            if beside:
                room -= beside
                parts = build(room)
            return placed(parts, room, way)

    @cached_property
    def _drawing(self) -> Drawing:
        return self.recipe.look.drawing()

    @property
    def height(self) -> float:
        """In mm, before it is drawn; ParameterError if it fits no page."""
        parts = self.parts
        with using(self._drawing):
            return height_of(parts) * self._drawing.scale

    @cached_property
    def figure(self) -> Figure:
        """Drawn at its final size."""
        parts = self.parts
        with using(self._drawing):
            return stacked(parts, self.recipe.width)

    def draw_on(self, axes: Axes) -> None:
        """Draw it into axes of another figure, from their top left and as wide as it is.

        Raises
        ------
        ParameterError
            If it takes more room than the axes have.
        """
        parts = self.parts
        with using(self._drawing):
            on_axes(parts, self.recipe.width, axes)

    def save(self, *paths: str | Path) -> None:
        """Write files, each as its ending says (see ``file``); all are made before one is written.

        Raises
        ------
        ParameterError
            If there is no file of it with such an ending.
        """
        files = [(Path(path), self.file(Path(path).suffix.lstrip(".").lower())) for path in paths]
        for path, content in files:
            path.write_bytes(content)

    def __repr__(self) -> str:
        what = f"{self.recipe.width:g} × {self.height:.0f} mm" if self.drawn else "table"
        return f"<{self.recipe.kind}, {what}>"

    def _repr_png_(self) -> bytes | None:
        """In a notebook: the figure."""
        if not self.drawn:
            return None
        figure = self.figure
        with using(self._drawing):
            return rendered(figure, "png", dpi=NOTEBOOK_DPI)

    def _repr_markdown_(self) -> str | None:
        """In a notebook: the table, where there is no figure."""
        return self.file("md").decode() if self.content.sheets and not self.drawn else None

    def suffixes(self) -> tuple[str, ...]:
        """What it can be written as."""
        tables = TABLES if self.content.sheets else ()
        page = self.content.linked is not None or (bool(tables) and not self.drawn)
        arrays = ("npz",) if self.content.arrays else ()
        return (*FORMATS, *((PAGE,) if page else ()), *tables, "csv", *arrays, "txt", "json")

    def file(self, suffix: str) -> bytes:
        """Its file of an ending: the figure, its map for a browser, its table, numbers, caption or recipe.

        Raises
        ------
        ParameterError
            If there is no such file of it.
        """
        if suffix not in self.suffixes():
            raise ParameterError(
                f"This figure cannot be written as .{suffix[:20]}; use one of {', '.join(self.suffixes())}."
            )
        if suffix in FORMATS:
            figure = self.figure
            with using(self._drawing):
                return rendered(figure, suffix, self.caption, paths=self.recipe.look.svg_text == "paths")
        if suffix == "npz":
            return _npz(self.content.arrays)
        if suffix == PAGE and self.content.linked is not None:
            made = self.content.linked()
            names = self.recipe.look.names
            scene, title = made.scene.named(names), renamed(made.title, names)
            return page(scene, title, self.caption, made.credits, self.recipe.to_json())
        texts: dict[str, Callable[[], str]] = {
            "tex": self._latex,
            "md": lambda: "\n".join(markdown(*one) for one in self.tables.values()),
            "html": lambda: "\n".join(html_table(*one) for one in self.tables.values()),
            "csv": lambda: columns_csv(self.content.columns),
            "txt": lambda: self.caption + "\n",
            "json": self.recipe.to_json,
        }
        return texts[suffix]().encode("utf-8", "replace")

    @cached_property
    def tables(self) -> dict[str, tuple[Sheet, Marks]]:
        """Its tables in their form, by their titles, each with the cells that are the best."""
        look = self.recipe.look
        return {
            title: formed(sheet_with_names(sheet, look.names), look.form())
            for title, sheet in self.content.sheets.items()
        }

    def _latex(self) -> str:
        look, several = self.recipe.look, len(self.tables) > 1
        found = []
        for title, (sheet, marks) in self.tables.items():
            ending = f"-{'-'.join(title.lower().split())}" if several else ""
            setting = look.setting(self.recipe.width, f"tab:{self.recipe.kind.replace('_', '-')}{ending}")
            found.append(latex(sheet, setting, marks))
        return "\n".join(found)


def _npz(arrays: Mapping[str, np.ndarray]) -> bytes:
    raw = io.BytesIO()
    np.savez_compressed(raw, allow_pickle=False, **arrays)
    return raw.getvalue()


def tasks_of(recipe: Recipe) -> Sequence[Task[object]]:
    """What has to be computed; where all of it is kept, ``make`` answers at once.

    Raises
    ------
    relviz.Error
        If its data is not here.
    """
    data_changed(recipe)
    kind = KINDS[recipe.kind]
    return kind.tasks(kind.of(view_of(recipe)), recipe.options)


def make(recipe: Recipe, ticket: Ticket | None = None) -> PrintFigure:
    """Follow a recipe; what is not kept is computed here and now.

    Parameters
    ----------
    ticket
        It is reported there what is done, and who cancels the work that holds it cancels this.

    Raises
    ------
    relviz.Error
        If the recipe cannot be followed, or names data that is not here.
    """
    ticket = ticket or here_and_now()
    changes = data_changed(recipe)
    view, kind = view_of(recipe), KINDS[recipe.kind]
    if view.method == "run":
        bootstrap_task(view.ao, open_pair(view.a, view.b)).run(ticket)
    inputs = kind.of(view)
    tasks = kind.tasks(inputs, recipe.options)
    many = len(tasks)
    results = [task.run(ticket.part(at / many, (at + 1) / many, task.title)) for at, task in enumerate(tasks)]
    content = kind.content(inputs, recipe.options, results)
    numbers = content.digest()
    changes += versions_changed(recipe.versions)
    if recipe.numbers and recipe.numbers != numbers:
        changes.append("The numbers differ from those that the recipe noted.")
    elif recipe.numbers and changes:
        changes.append("The numbers are unchanged.")
    names = own_names(recipe)
    look = recipe.look
    if names:  # as the recipe has them, whatever the files are called here
        printed = {here: look.names.get(then, then) for here, then in names.items()}
        look = look.with_changes(names={**look.names, **printed})
    data = data_of(recipe.kind, view)
    now = replace(recipe, look=look, data=data, versions=versions_here(), numbers=numbers)
    return PrintFigure(now, content, tuple(changes))

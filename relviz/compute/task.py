"""Tasks: results that are declared once, as a function whose arguments say what the result depends on."""

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields, is_dataclass
from functools import partial, wraps
from importlib import import_module
from typing import Any, Concatenate, Generic, ParamSpec, TypeVar, cast, get_type_hints

import numpy as np
from torch import Tensor

from relviz.compute.entry import Result
from relviz.compute.job import AnyJob, Ticket, here_and_now
from relviz.compute.jobs import Job, Link, jobs, result_or_job
from relviz.compute.key import array_digest, recipe_key, result_key, text_digest
from relviz.compute.packed import packed
from relviz.compute.store import default_store
from relviz.compute.typed import Made, pack, unpack

__all__ = ["Made", "Task", "depends", "stored_result", "task"]

T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)
P = ParamSpec("P")
Arguments = Mapping[str, Any]
Title = str | Callable[[Arguments], str]


def _as_it_is(result: Result) -> Any:
    return result


@dataclass(frozen=True, eq=False)
class Task(Generic[T_co]):
    """How to make the result that the store keeps under ``key``, and how to read it back.

    ``compute`` is given a ticket on which it reports progress, and which raises when it is canceled. ``link``
    is the page that shows its job, where that can be opened again. ``heavy`` says that a server computes
    it in a worker. ``recipe`` is the key without the version of the code: what a result that came with relviz
    is found by, where there is one; ``module`` declares it.
    """

    key: str
    title: str
    compute: Callable[[Ticket], Made]
    read: Callable[[Result], T_co] = _as_it_is
    link: Link | None = None
    heavy: bool = False
    recipe: str = ""
    module: str = ""

    @property
    def digest(self) -> str:
        """Its key: a task that is an argument of another one's counts by it."""
        return self.key

    def stored(self) -> T_co | None:
        """The result, if the store has it or it came with relviz."""
        found = default_store().get(self.key)
        found = packed(self.recipe) if found is None else found
        return None if found is None else self.read(found)

    def job(self) -> AnyJob | None:
        """The job that is making the result, or that ended without one."""
        return jobs().find(self.key)

    def partial(self) -> T_co | None:
        """What the job has made of the result so far, or had when it broke off; None if it shows nothing."""
        job = self.job()
        made: T_co | None = None if job is None else job.partial
        return made

    def result_or_job(self) -> T_co | Job[str]:
        """The result, else the job that makes it, started if need be."""
        shipped = None if default_store().has(self.key) else packed(self.recipe)
        if shipped is not None:
            return self.read(shipped)
        found = result_or_job(self.key, self.compute, self.title, link=self.link, heavy=self.heavy)
        return found if isinstance(found, Job) else self.read(found)

    def run(self, ticket: Ticket | None = None) -> T_co:
        """The result, made here and now unless it is kept; for scripts, or as part of other work.

        Reports go to the ``ticket``, and who cancels the work that holds it cancels this.
        """
        found = default_store().get(self.key)
        found = packed(self.recipe) if found is None else found
        if found is None:
            found = default_store().keep(self.key, *self.compute(ticket or here_and_now()))
        return self.read(found)


@dataclass(frozen=True, eq=False)
class Call:
    """A declared function and its arguments; another process can do it that imports the module."""

    module: str
    name: str
    arguments: tuple[Any, ...]
    options: Arguments

    def __call__(self, ticket: Ticket) -> Made:
        """Make the result."""
        import_module(self.module)
        return pack(_DECLARED[self.module, self.name](ticket, *self.arguments, **self.options))


_DECLARED: dict[tuple[str, str], Callable[..., Any]] = {}


def task(
    kind: str,
    title: Title,
    heavy: bool | Callable[[Arguments], bool] = False,
) -> Callable[[Callable[Concatenate[Ticket, P], T]], Callable[P, Task[T]]]:
    """Declare a result: the decorated function makes it, and calling it gives the ``Task`` that does.

    The function takes a ticket and whatever the result depends on; it gives a dataclass. Its key in the
    store follows from the bound arguments, defaults included: what has a ``digest`` counts by
    that, arrays by their content, dataclasses by their fields, everything else must fit in JSON. So nothing
    that the function reads can be left out of the key, as long as it reads nothing but its arguments.

    Parameters
    ----------
    kind
        What sort of result it is, in lower case; the first part of its key.
    title
        What a person sees while it is made; ``{name}`` stands for the argument of that name. Or a function
        of all arguments by their names.
    heavy
        Whether it is worth a process of its own on a server, or a function of all arguments that tells.

    Examples
    --------
    >>> @dataclass(frozen=True)
    ... class Sum:
    ...     total: float
    >>> @task("sum", "Adding {count} numbers")
    ... def add(ticket: Ticket, x: np.ndarray, *, count: int) -> Sum:
    ...     return Sum(float(x[:count].sum()))
    >>> add(np.ones(3), count=2).title
    'Adding 2 numbers'
    """

    def declare(function: Callable[Concatenate[Ticket, P], T]) -> Callable[P, Task[T]]:
        signature = inspect.signature(function)
        _DECLARED[function.__module__, function.__qualname__] = function

        @wraps(function)
        def bind(*arguments: P.args, **options: P.kwargs) -> Task[T]:
            bound = signature.bind(None, *arguments, **options)
            bound.apply_defaults()
            given = dict(list(bound.arguments.items())[1:])
            parts = {name: depends(value, name) for name, value in given.items()}

            compute = Call(function.__module__, function.__qualname__, arguments, options)
            value = get_type_hints(function).get("return")
            read = partial(unpack, cast("type[T]", value)) if value is not None else _as_it_is
            words = title(given) if callable(title) else title.format_map(given)
            key, recipe = result_key(kind, [], parts), recipe_key(kind, parts)
            weighs = heavy(given) if callable(heavy) else heavy
            return Task(key, words, compute, read, None, weighs, recipe, function.__module__)

        del bind.__wrapped__  # its signature is not that of the function
        return bind

    return declare


def stored_result(key: str, kind: type[T]) -> T | None:
    """The result that the store keeps under a key, where only that is known; None if it has none."""
    found = default_store().get(key)
    return None if found is None else unpack(kind, found)


def depends(value: Any, name: str) -> Any:
    """What an argument adds to a key, as JSON.

    Raises
    ------
    TypeError
        If it cannot be told apart from others of its kind: it has no digest, and is no dataclass.
    """
    if isinstance(value, np.ndarray | Tensor):
        return {"array": array_digest(value)}
    digest = getattr(value, "digest", None)
    if isinstance(digest, str):
        return {type(value).__name__: digest}
    if is_dataclass(value) and not isinstance(value, type):
        parts = {field.name: depends(getattr(value, field.name), field.name) for field in fields(value)}
        return {type(value).__name__: parts}
    if isinstance(value, tuple) and value and all(isinstance(item, str) for item in value):
        return {"texts": text_digest(value)}
    if isinstance(value, list | tuple):
        return [depends(item, f"{name}[{at}]") for at, item in enumerate(value)]
    if isinstance(value, Mapping):
        return {str(key): depends(item, f"{name}[{key!r}]") for key, item in value.items()}
    if value is None or isinstance(value, bool | int | float | str | np.generic):
        return value
    raise TypeError(f"{name} is a {type(value).__name__}, which has no digest and can be no part of a key.")

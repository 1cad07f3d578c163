"""A workspace: everything that was loaded and chosen, in one file, to be opened elsewhere.

The file is safetensors, arrays and a header of JSON; nothing in it is ever run. Demos are named in it, one's
own spaces are included. Results are not: they are computed again from what is.
"""

import io
import json
from dataclasses import asdict
from pathlib import Path
from typing import IO, Any

import numpy as np
from safetensors.numpy import save

from relviz.errors import Error
from relviz.readers.confined import OnProgress, ask, private_folder
from relviz.readers.limits import DEFAULT_LIMITS, Limits
from relviz.readers.reading import left_texts
from relviz.readers.source import opened
from relviz.space import Space
from relviz.state.choice import Notice
from relviz.state.owners import Origin
from relviz.state.sources import (
    TEXTS,
    is_own,
    keep_space,
    open_space,
    origin_of,
    packed_texts,
    thumbnails_of,
)
from relviz.state.view import Names, View
from relviz.state.workspace_file import FORMAT, damaged

SUFFIX = ".relviz"


def save_workspace(view: View) -> bytes:
    """The view and every space on its shelf that can be opened."""
    arrays: dict[str, np.ndarray] = {}
    spaces: dict[str, object] = {}
    for source in filter(is_own, view.sources):
        try:
            space = open_space(source)
            parts = {"vectors": space.vectors.numpy(), **packed_texts(space)}
            thumbnails = thumbnails_of(source)
            origin = origin_of(source).portable()
        except Error:
            continue  # what is no longer kept, or is another visitor's, cannot be saved
        spaces[source] = {"name": space.name, "origin": origin.to_meta()}
        parts |= {} if thumbnails is None else {"thumbnails": thumbnails}
        arrays |= {f"{source}/{name}": part for name, part in parts.items()}
    header = {"format": FORMAT, "view": json.dumps(view.to_params()), "spaces": json.dumps(spaces)}
    return save(arrays, header)


def open_workspace(
    file: IO[bytes] | bytes, limits: Limits = DEFAULT_LIMITS, on_progress: OnProgress | None = None
) -> tuple[View, list[Notice]]:
    """Keep the spaces of a workspace here, and give its view, and a notice of each choice left out of it.

    It is read in a process of its own. ``on_progress`` is called with the fraction done; it may raise to
    stop.

    Raises
    ------
    ReadError
        If it is no workspace, is damaged, or larger than the limits.
    """
    with private_folder() as folder:
        given: Any = io.BytesIO(file) if isinstance(file, bytes) else file
        if isinstance(file, bytes) and not file:
            raise damaged("It is empty.")
        with opened(given, "The workspace", limits) as source:
            question = {"path": str(source.path_in(folder)), "limits": asdict(limits)}
        task = "relviz.state.workspace_file:leave_workspace"
        header = ask(task, question, folder, "The workspace", source.size, limits, on_progress)
        renamed = {
            one["source"]: _keep(folder, number, one["source"], one["name"], one["origin"])
            for number, one in enumerate(header["spaces"])
        }
    view, notices = View.from_params(header["view"])
    names = Names(dict.fromkeys(renamed.get(one, one) for one in view.shelf))
    return view.with_changes(a=_name(view.a, renamed), b=_name(view.b, renamed), shelf=names), notices


def _name(source: str, renamed: dict[str, str]) -> str:
    return renamed.get(source, source)


def _keep(folder: Path, number: int, source: str, name: str, origin: dict[str, object]) -> str:
    """One space of the file, under the name that its own content gives it."""
    texts = {what: left_texts(folder, f"{number}.{what}") for what in TEXTS}
    vectors = np.load(folder / f"{number}.vectors.npy", mmap_mode="r", allow_pickle=False)
    try:
        space = Space(vectors, name=name, **texts)
    except Error as reason:
        raise damaged(str(reason)) from None
    if _is_here(source, space):
        return source
    path = folder / f"{number}.thumbnails.npy"
    thumbnails = np.load(path, allow_pickle=False) if path.exists() else None
    return keep_space(space, Origin.from_meta(origin), thumbnails)


def _is_here(source: str, space: Space) -> bool:
    """Whether the very same is kept here under the name it had where it was saved."""
    try:
        return is_own(source) and open_space(source).content_digest == space.content_digest
    except Error:
        return False

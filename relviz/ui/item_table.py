"""Tables of items with their pictures, where the items have them."""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any, Literal

import numpy as np
import streamlit as st

from relviz.figures.pictures import cells_of
from relviz.ui.cells import as_uri
from relviz.ui.item_rows import have_pictures

MOST_PICTURED = 2000
"""Rows of a table up to which it has pictures: they are about a kilobyte each."""
PICTURE = "picture"


def show_item_table(
    sources: tuple[str, str],
    rows: Sequence[int],
    columns: Mapping[str, Sequence[object] | np.ndarray],
    alt: str,
    height: int | Literal["auto", "content"] = "auto",
    config: Mapping[str, Any] | None = None,
) -> None:
    """Show columns about some ``rows`` of the pair of two sources, pictures of the items before them."""
    shown, column_config = dict(columns), dict(config or {})
    if len(rows) <= MOST_PICTURED and have_pictures(sources):
        shown = {PICTURE: pictures(sources, tuple(rows)), **shown}
        column_config[PICTURE] = st.column_config.ImageColumn("", width=40)
    st.dataframe(shown, hide_index=True, column_config=column_config, alt=alt, height=height)


@lru_cache(maxsize=8)
def pictures(sources: tuple[str, str], rows: tuple[int, ...]) -> list[str]:
    """The pictures of some rows as data URIs."""
    cells = cells_of(*sources, list(rows))
    return [as_uri(cells[row]) for row in rows]

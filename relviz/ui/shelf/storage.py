"""What the visitor keeps on the disk, how much of it they may, and deleting some."""

import streamlit as st

import relviz
from relviz.state.shares import discard
from relviz.state.shelf import shelf_without
from relviz.state.stored import Stored, quota, stored
from relviz.state.view import View
from relviz.ui import state
from relviz.ui.names import name_of
from relviz.ui.verbatim import verbatim
from relviz.wording import size


def show_storage() -> None:
    """How much of the quota is used, and everything that counts toward it with a button that deletes it."""
    kept, most = stored(), quota()
    used = sum(one.bytes for one in kept)
    share = min(1.0, used / most)
    st.html(f'<meter value="{share:.3f}" aria-label="Share of your storage" style="width: 100%"></meter>')
    st.caption(f"{size(used)} of {size(most)} used")
    for one in kept:
        with st.container(horizontal=True, vertical_alignment="center"):
            with st.container(gap="xxsmall"):
                st.markdown(f"**{verbatim(name_of(one.name) or 'Unnamed')}**")
                st.caption(size(one.bytes))
            st.button(
                "Delete",
                key=f"delete {one.source}",
                icon=":material/delete:",
                on_click=_delete,
                args=(one,),
                help="Deletes it from the disk, and revokes the links that show it.",
            )


def _delete(one: Stored) -> None:
    try:
        discard(one.source)
    except relviz.Error as reason:
        state.toast(verbatim(reason), icon=":material/error:")
        return
    view, usual = state.current(), View()
    left = shelf_without(view.shelf, one.source)
    if one.source in (view.a, view.b):
        state.change(a=usual.a, b=usual.b, shelf=left, picks=(), method="uniform", run="")
    elif left != view.shelf:
        state.change(shelf=left)

"""Sharing what a page shows of one's own: a link is made, listed and revoked."""

from datetime import UTC, datetime

import streamlit as st

import relviz
from relviz.state.shares import Share, own_of, revoke, share, shares
from relviz.ui import state
from relviz.ui.verbatim import verbatim

PAGES = ("compare", "anchors", "bootstrap", "several", "stitch", "decode")


def offer_to_share() -> None:
    """In the sidebar of a page: a button for links to what it shows."""
    page = state.page_shown()
    if page not in PAGES or state.is_guest():
        return
    if st.sidebar.button("Share", icon=":material/share:"):
        st.dialog("Share this page", width="medium")(_show)(page)


def _show(page: str) -> None:
    view = state.current()
    used, here = view.used_on(page), view.shown_on(page).to_params()
    if not own_of(used):
        st.markdown("This page shows demos, which are open to all: share the address in your browser.")
        return
    st.markdown(
        "Whoever has the link sees this page as it is now, read-only, with its embeddings and their items: "
        "nothing else of yours. You can revoke it here or on the Shelf at any time."
    )
    if st.button("Make a link", type="primary", icon=":material/add_link:"):
        try:
            share(page, here, used)
        except relviz.Error as reason:
            st.error(verbatim(reason), icon=":material/error:")
    for one in (one for one in shares() if one.page == page and dict(one.view) == here):
        with st.container(horizontal=True, vertical_alignment="center"):
            st.code(address(one), language=None, wrap_lines=True)
            _offer_to_revoke(one, "here")


def show_links() -> None:
    """All links of the visitor, each with what it shows and a button that revokes it."""
    links = shares()
    if not links:
        st.caption(
            "You share nothing. Share in the sidebar of a page makes a link to what it shows of yours."
        )
        return
    for one in links:
        with st.container(horizontal=True, vertical_alignment="center"):
            with st.container(gap="xxsmall"):
                st.markdown(f"**{one.page.capitalize()}** · {verbatim(names(one))}")
                st.caption(f"Shared on {day(one)}.")
            st.code(address(one), language=None, width=420)
            _offer_to_revoke(one, "shelf")


def _offer_to_revoke(one: Share, place: str) -> None:
    st.button(
        "Revoke", key=f"revoke {place} {one.token}", icon=":material/link_off:", on_click=_revoke, args=(one,)
    )


def _revoke(one: Share) -> None:
    try:
        revoke([one.token])
    except relviz.Error as reason:
        state.toast(verbatim(reason), icon=":material/error:")


def address(one: Share) -> str:
    """Of the page that a link shows, as the browser of who asks would reach it."""
    here = (st.context.url or "").rstrip("/").rpartition("/")[0]
    return f"{here}/{one.page}?{state.PARAMETER}={one.token}"


def names(one: Share) -> str:
    """What a link opens, in words."""
    return ", ".join(dict.fromkeys(space.claim.name or "images" for space in one.spaces))


def day(one: Share) -> str:
    """When a link was made."""
    made = datetime.fromtimestamp(one.made, UTC)
    return f"{made:%B} {made.day}, {made:%Y}"

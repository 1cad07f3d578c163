"""relviz in a browser: `streamlit run app.py`, or `relviz app` of an installed copy.

Streamlit runs this file for each drawing of a page; the server imports it once, for the doors of `app`.
"""

from pathlib import Path

import streamlit as st

HERE = Path(__file__).resolve().parent
# An installed library holds this file in its folder _app; in a clone the two lie side by side.
UI = (HERE.parent if HERE.name == "_app" else HERE / "relviz") / "ui"


def home() -> None:
    """`/home`, an address that Streamlit keeps from the page that answers at `/`."""
    st.switch_page("pages/home.py")


def start() -> None:
    """`/start`, where Compare was when it answered at `/`."""
    st.switch_page("pages/compare.py", query_params=st.query_params.to_dict())


if __name__ == "__main__":
    st.set_page_config(
        page_title="relviz",
        page_icon=str(UI / "icon.png"),
        layout="wide",
        initial_sidebar_state=256,
    )
    st.html(UI / "screen.css")
    page = st.navigation(
        {
            "": [
                st.Page(
                    "pages/home.py", title="Home", icon=":material/home:", default=True, url_path="front"
                ),
                st.Page("pages/learn.py", title="Learn", icon=":material/school:"),
            ],
            "Spaces": [
                st.Page("pages/data.py", title="Data", icon=":material/database:"),
                st.Page("pages/encode.py", title="Encode", icon=":material/input:"),
                st.Page("pages/shelf.py", title="Shelf", icon=":material/shelves:"),
            ],
            "Compare": [
                st.Page("pages/compare.py", title="Compare", icon=":material/compare:"),
                st.Page("pages/anchors.py", title="Anchors", icon=":material/anchor:"),
                st.Page("pages/bootstrap.py", title="Bootstrap", icon=":material/join_inner:"),
                st.Page("pages/several.py", title="Several", icon=":material/hub:"),
            ],
            "Stitch": [
                st.Page("pages/stitch.py", title="Stitch", icon=":material/conversion_path:"),
                st.Page("pages/decode.py", title="Decode", icon=":material/image:"),
            ],
            "Figures": [st.Page("pages/gallery.py", title="Gallery", icon=":material/photo_library:")],
            "Old addresses": [st.Page(home, visibility="hidden"), st.Page(start, visibility="hidden")],
        }
    )
    # The menu is there; what takes seconds to import comes after it.
    from relviz.ui.job_view import share_device, show_device
    from relviz.ui.sharing import offer_to_share
    from relviz.ui.sign_in import sign_in
    from relviz.ui.warming import warm_up

    share_device()
    sign_in()
    page.run()
    offer_to_share()
    show_device()
    warm_up()
else:
    from relviz.ui.doors import doors
    from relviz.ui.linked_map.assets import asset_routes
    from relviz.ui.operations.health import operation_routes
    from relviz.ui.operations.lifecycle import lifespan

    routes = [*asset_routes(), *operation_routes()]
    app = st.App(Path(__file__).resolve(), routes=routes, middleware=doors(), lifespan=lifespan)

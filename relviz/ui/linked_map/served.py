"""Files that the browser fetches when it needs them, beside the message that names them."""

import streamlit as st
from streamlit.runtime import get_instance


def served(content: bytes, mimetype: str, place: str) -> str:
    """The path at which this server gives some bytes to the browser, for as long as the page uses them.

    ``place`` names what they are for; new bytes take the place of the old.
    """
    path = get_instance().media_file_mgr.add(content, mimetype, f"relviz.{place}")
    base = str(st.get_option("server.baseUrlPath")).strip("/")
    return f"/{base}{path}" if base else path

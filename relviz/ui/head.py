"""The head of a page: its name, and what it is about in one line."""

import streamlit as st


def show_head(title: str, sentence: str) -> None:
    """A low title with a sentence beside it, under it where the screen is narrow."""
    with st.container(horizontal=True, vertical_alignment="center", key="head"):
        st.title(title, width="content", anchor=False)
        st.markdown(sentence, width="stretch")

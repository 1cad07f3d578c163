"""The linked map in a browser: its JavaScript, the bytes that it reads, and a file that needs no server.

Streamlit shows it in ``relviz.ui.linked_map``, and a notebook in ``relviz.plotting.linked_map.widget``.
"""

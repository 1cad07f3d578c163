"""What the pages share: the view in the URL, its results, maps, tables and job views.

The only room of the library that imports Streamlit.
"""

"""A view and its results: what is compared, through which anchors, how it is drawn and measured.

The same view is behind the screen, a link and a figure. Nothing here needs Streamlit.
"""

from relviz.state.view import View

__all__ = ["View"]

"""Gallery: the papers' own figures and tables, on our data, with the paper's figures beside ours."""

from relviz.ui import state
from relviz.ui.gallery import show_gallery
from relviz.ui.head import show_head

state.open_page("gallery")
show_head("Gallery", "The papers' figures and tables, reproduced on the demos of relviz. Each has a recipe.")
show_gallery()

"""Learn: stories in steps, each with a picture that answers at once and a question to guess before."""

from relviz.ui import state
from relviz.ui.learn import show_learn

state.open_apart("learn")
show_learn()

"""Two files of the user's own: what they hold, how they match, and the button that compares them."""

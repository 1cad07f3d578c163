"""A run of anchor optimisation on the Bootstrap page: what starts it, watching it, what comes of it."""

"""A run of anchor optimization on the Bootstrap page: what starts it, watching it, what comes of it."""

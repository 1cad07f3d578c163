"""How each demo was made of packages that registries carry: one file a demo, and what they share."""

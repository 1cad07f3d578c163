"""What a worker imports and compiles before it is asked for anything."""


def import_solvers() -> None:
    """Import what computes heavy results."""
    import relviz.results.bootstrap
    import relviz.results.maps
    import relviz.results.several
    import relviz.results.stitching
    import relviz.results.sweeps  # noqa: F401


def compile_umap() -> None:
    """Compile UMAP, which takes up to half a minute where it never ran."""
    from relviz.projection import warm_umap

    warm_umap()


STEPS = (import_solvers, compile_umap)
"""In this order: most works need the first alone."""

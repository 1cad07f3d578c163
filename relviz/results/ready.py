"""What a worker imports and compiles before it is asked for anything."""


def make_ready() -> None:
    """Import what computes heavy results, and compile UMAP."""
    import relviz.results.bootstrap
    import relviz.results.maps
    import relviz.results.several
    import relviz.results.stitching  # noqa: F401
    from relviz.projection import warm_umap

    warm_umap()

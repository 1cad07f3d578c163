"""What a type checker says of calls from outside: mypy reads this file, nothing runs it.

A name that is no method carries an ignore comment. Were the doors untyped, mypy would report that comment as
unused.
"""

import numpy as np
import torch

import relviz


def right(space: relviz.Space, pair: relviz.Pair) -> None:
    """Everything that may be handed in."""
    own = relviz.Space(np.zeros((3, 3)), labels=[1, 2, 3])
    relviz.relative(own, [[1.0, 2.0, 3.0]], "euclidean", center="anchors")
    relviz.relative(torch.zeros(3, 3), np.zeros((3, 3)), similarity=torch.cdist)
    relviz.select_anchors(space, 3, lambda _, k, __: range(k))
    relviz.cka(pair, debiased=True)
    relviz.retrieval(pair, k=3, queries=[1, 2]).mrr_at_k.is_integer()
    relviz.anchor_retrieval(space, own, 3, "fps").records()
    relviz.bootstrap(space, own, range(9), ([1], [2]), "adam", options=relviz.AdamOptions(steps=3))
    relviz.project([space, own], "umap", "procrustes")
    relviz.stitch(pair, methods="ridge", head="mlp", options=relviz.TranslatorOptions(strength=0.1))
    relviz.translator(pair.take([1, 2, 3]), length="mean").then(relviz.translator(own, space)).save("t")
    relviz.figure(pair, "maps", anchors=[1, 2], width="one", projection="umap").save("maps.pdf")
    for name in relviz.TRANSLATORS:
        matrix, offset = relviz.translator(space, own, name).affine()
        (matrix @ offset).sum()


def wrong(space: relviz.Space) -> None:
    """Names that no method has."""
    relviz.relative(space, space, "cosin")  # type: ignore[arg-type]
    relviz.select_anchors(space, 3, "farthest")  # type: ignore[arg-type]
    relviz.anchor_retrieval(space, space, 3, similarity="cos")  # type: ignore[arg-type]
    relviz.bootstrap(space, space, [1], method="aneal")  # type: ignore[arg-type]
    relviz.project([space], "pcs")  # type: ignore[arg-type]
    relviz.project([space], fit="jont")  # type: ignore[arg-type]
    relviz.stitch([space], head="logit")  # type: ignore[arg-type]
    relviz.translator(space, space, "irp_pluss")  # type: ignore[arg-type]
    relviz.figure(relviz.Pair(space, space), "map")  # type: ignore[arg-type]
    relviz.translator(space, space, length="long")  # type: ignore[arg-type]

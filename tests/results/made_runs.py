"""A pair whose matching is known, small enough that a run of the solver takes no time."""

import pytest
import torch

import relviz
from relviz.results.replay import Recorder
from relviz.state import View
from relviz.state.view import Run

ROWS = 80
LABELS = tuple("abcd"[row % 4] for row in range(ROWS))


def turned_pair(seed: int = 0, noise: float = 0.02) -> relviz.Pair:
    """B is A turned, stretched, and a little disturbed."""
    draw = torch.Generator().manual_seed(seed)
    a = torch.randn(ROWS, 8, generator=draw)
    turn = torch.linalg.qr(torch.randn(8, 8, generator=draw))[0]
    b = 2 * a @ turn + noise * torch.randn(ROWS, 8, generator=draw)
    items = [f"item {row}" for row in range(ROWS)]
    about = {"ids": items, "items": items, "labels": LABELS}
    return relviz.Pair(relviz.Space(a, name="A", **about), relviz.Space(b, name="B", **about))


VIEW = View(a="made.a", b="made.b")
RUN = Run(anchors=20, seeds=9, method="adam_warm", options="steps=8,warm_up=3")


def failing_after(steps: int, message: str, patch: pytest.MonkeyPatch) -> None:
    """Every run fails with this message once so many steps are recorded."""
    add = Recorder.add

    def stumble(recorder: Recorder, *given: object) -> None:
        add(recorder, *given)  # type: ignore[arg-type]
        if recorder.replay().steps == steps:
            raise relviz.Error(message)

    patch.setattr(Recorder, "add", stumble)

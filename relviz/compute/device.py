"""Which device the numbers are computed on, and the one lock around it."""

import os
from functools import cache

import torch

from relviz.compute.turns import Turns
from relviz.errors import ParameterError

DEVICE_LOCK = Turns()
"""Held by a job while it computes, so that jobs of several sessions do not fight for one device."""


@cache
def device() -> torch.device:
    """The compute device: CUDA where there is one, else MPS, else CPU.

    ``RELVIZ_DEVICE`` in the environment overrides the choice.

    Raises
    ------
    ParameterError
        If ``RELVIZ_DEVICE`` names a device that this machine does not have.
    """
    wanted = os.environ.get("RELVIZ_DEVICE")
    if wanted:
        try:
            torch.ones(1, device=wanted).tolist()
        except (RuntimeError, AssertionError, NotImplementedError) as reason:
            raise ParameterError(
                f"RELVIZ_DEVICE is {wanted!r}, which cannot be used here ({reason}). "
                "Unset it, or set it to 'cpu'."
            ) from reason
        return torch.device(wanted)
    if torch.cuda.is_available():
        return torch.device("cuda")
    if torch.backends.mps.is_available():
        return torch.device("mps")
    return torch.device("cpu")


def device_name() -> str:
    """The device in words, as the app shows it."""
    chosen = device()
    if chosen.type == "cuda":
        return torch.cuda.get_device_name(chosen)
    if chosen.type == "mps":
        return "Apple GPU (MPS)"
    threads = torch.get_num_threads()
    return f"CPU, {threads} thread{'' if threads == 1 else 's'}"


@cache
def leave_a_core() -> None:
    """Keep torch off one core, for the page and the browser; ``OMP_NUM_THREADS`` overrides it.

    Its threads wait for each other many times in a step: one that has to share its core with a browser
    holds up all of them.
    """
    if "OMP_NUM_THREADS" not in os.environ:
        torch.set_num_threads(max(1, torch.get_num_threads() - 1))

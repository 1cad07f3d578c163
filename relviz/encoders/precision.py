"""Whole float32: ten bits of TensorFloat-32 would move results by more than 1e-3."""

from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock

import torch

_lock = Lock()
_inside = 0
_before: tuple[str, bool] = "highest", True


@contextmanager
def whole_float32() -> Iterator[None]:
    """Products and convolutions as float32 has them, while anybody is inside; then as they were set before.

    Torch has one setting for all threads: who goes first must not put it back for those who are still in.
    """
    global _inside, _before
    with _lock:
        if _inside == 0:
            _before = torch.get_float32_matmul_precision(), torch.backends.cudnn.allow_tf32
            _set("highest", False)
        _inside += 1
    try:
        yield
    finally:
        with _lock:
            _inside -= 1
            if _inside == 0:
                _set(*_before)


def _set(products: str, convolutions: bool) -> None:
    torch.set_float32_matmul_precision(products)
    torch.backends.cudnn.allow_tf32 = convolutions

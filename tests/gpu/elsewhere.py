"""A device that is not there: code runs on it as on a GPU, in the memory of the CPU.

``with Elsewhere():`` makes ``"cuda"`` such a device. A tensor that is made on it or moved to it stays there,
as does what is computed from it, and what a GPU refuses is refused: tensors of two devices in one operation,
an array of numpy in the memory of one, random numbers of one device on the other. Modules cannot be moved.
"""

from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor
from torch.overrides import TorchFunctionMode
from torch.utils._pytree import tree_leaves, tree_map

DEVICE = torch.device("cuda", 0)

_PROPERTIES = {"device": (DEVICE, torch.device("cpu")), "is_cuda": (True, False), "is_cpu": (False, True)}
_FROM_EITHER = ("copy_", "as_tensor", "tensor", "asarray")
_ALL_THERE = ("cat", "stack")
"""What takes no number of the CPU either."""
_ONLY_THERE = ("driver",)
"""Parameters that the CPU does not know."""


class Elsewhere(TorchFunctionMode):
    """Inside, ``"cuda"`` is a device of its own."""

    def __torch_function__(
        self, func: Callable[..., Any], types: object, args: Any = (), kwargs: dict[str, Any] | None = None
    ) -> Any:
        name, kwargs = getattr(func, "__name__", ""), dict(kwargs or {})
        with torch._C.DisableTorchFunctionSubclass():
            tensors = [one for one in tree_leaves((args, kwargs)) if isinstance(one, Tensor)]
            of = getattr(getattr(func, "__self__", None), "__name__", "")
            if name == "__get__" and of in _PROPERTIES:
                return _PROPERTIES[of][0 if _is_there(args[0]) else 1]
            if name == "cpu" or (name == "to" and len(tensors) + len(args) > 1):
                return _moved(*args, **kwargs) if name == "to" else _here(args[0])
            there = any(map(_is_there, tensors))
            if name in ("numpy", "__array__") and there:
                raise TypeError(f"{name}: the tensor is on {DEVICE}; it takes its copy on the CPU.")
            if there and name not in _FROM_EITHER:
                _check_together(name, args, tensors)
            wanted = kwargs.get("device")
            if wanted is not None:
                there, kwargs["device"] = torch.device(wanted).type == DEVICE.type, "cpu"
            if there and kwargs.get("generator") is not None:
                raise RuntimeError(f"{name}: a generator of the CPU cannot draw on {DEVICE}.")
            if there:
                kwargs = {key: value for key, value in kwargs.items() if key not in _ONLY_THERE}
            found = func(*tree_map(_here, args), **tree_map(_here, kwargs))
            return tree_map(_there, found) if there else found


class _There(Tensor):
    """A tensor on the device."""


def _is_there(tensor: Tensor) -> bool:
    return isinstance(tensor, _There) or getattr(tensor, "is_elsewhere", False)


def _there(one: Any) -> Any:
    """The same tensor on the device; a sparse one cannot be of another class, and is marked."""
    if not isinstance(one, Tensor) or _is_there(one):
        return one
    if one.layout == torch.strided:
        return one.as_subclass(_There)
    one.is_elsewhere = True  # type: ignore[attr-defined]
    return one


def _here(one: Any) -> Any:
    return one.as_subclass(Tensor) if isinstance(one, _There) else one


def _moved(tensor: Tensor, *args: Any, **kwargs: Any) -> Tensor:
    """``Tensor.to``, by any of its signatures."""
    given = [*args, *kwargs.values()]
    wanted = [one for one in given if isinstance(one, torch.device | str)]
    alike = [one for one in given if isinstance(one, Tensor)]
    types = [one for one in given if isinstance(one, torch.dtype)] + [one.dtype for one in alike]
    there = _is_there(tensor)
    if wanted or alike:
        there = torch.device(wanted[0]).type == DEVICE.type if wanted else _is_there(alike[0])
    if there == _is_there(tensor) and (not types or types[0] == tensor.dtype):
        return tensor
    found = _here(tensor).to(types[0] if types else tensor.dtype, copy=True)
    return _there(found) if there else found


def _check_together(name: str, args: Any, tensors: list[Tensor]) -> None:
    """Whether an operation may have these tensors, of which at least one is on the device."""
    others = [one for one in tensors if not _is_there(one)]
    if name in ("__getitem__", "__setitem__") and _is_there(args[0]):
        others = [one for one in args[2:] if isinstance(one, Tensor) and not _is_there(one)]
    elif name == "__getitem__" and any(_is_there(one) and _here(one).ndim for one in tensors):
        raise RuntimeError(f"{name}: rows of a tensor on the CPU are chosen by one on {DEVICE}.")
    if (others and name in _ALL_THERE) or any(one.ndim for one in others):
        shapes = [(tuple(one.shape), "there" if _is_there(one) else "here") for one in tensors]
        raise RuntimeError(f"{name}: all tensors have to be on one device; they are {shapes}.")

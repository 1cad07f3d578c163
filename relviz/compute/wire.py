"""Messages between a server and the workers it started itself, through pipes that nobody else can reach.

They are pickles, as Python's own process pools and Dask send them. Nothing that comes from outside, a file
or a request, is ever read here. Arrays go beside the pickle, uncopied.
"""

import pickle
import struct
import threading
from io import BytesIO
from typing import IO, Any

import numpy as np
import torch
from torch import Tensor

_COUNT, _LENGTH = struct.Struct("<I"), struct.Struct("<Q")


class Wire:
    """One end: messages are sent by any thread, and received by one.

    Parameters
    ----------
    read, write
        Buffered binary streams from and to the other end.
    """

    def __init__(self, read: IO[bytes], write: IO[bytes]) -> None:
        self._read, self._write = read, write
        self._lock = threading.Lock()

    def send(self, message: object) -> None:
        """Send a message; OSError if the other end is gone, anything else if it cannot be sent."""
        parts = packed(message)
        with self._lock:
            self._write.write(_COUNT.pack(len(parts)))
            for part in parts:
                self._write.write(_LENGTH.pack(part.nbytes))
                self._write.write(part)
            self._write.flush()

    def receive(self) -> Any:
        """The next message; EOFError when the other end is gone."""
        (count,) = _COUNT.unpack(self._take(_COUNT.size))
        head, *buffers = [self._take(_LENGTH.unpack(self._take(_LENGTH.size))[0]) for _ in range(count)]
        return pickle.loads(head, buffers=buffers)

    def close(self) -> None:
        """Close both streams."""
        for stream in (self._write, self._read):
            try:
                stream.close()
            except OSError:  # what was left to be sent has nobody to take it
                continue

    def _take(self, size: int) -> bytearray:
        taken = bytearray(size)
        rest = memoryview(taken)
        while rest:
            got = self._read.readinto(rest)  # type: ignore[attr-defined]  # of every buffered stream
            if not got:
                raise EOFError
            rest = rest[got:]
        return taken


def packed(message: object) -> list[memoryview]:
    """A message as bytes: the pickle, then the arrays that lie beside it."""
    file, beside = BytesIO(), list[pickle.PickleBuffer]()
    _Pickler(file, 5, buffer_callback=beside.append).dump(message)
    return [file.getbuffer(), *(one.raw() for one in beside)]


def as_bytes(message: object) -> bytes:
    """A message for a wire of another kind."""
    file = BytesIO()
    _Pickler(file, 5).dump(message)
    return file.getvalue()


def of_bytes(raw: bytes) -> Any:
    """The message that ``as_bytes`` made."""
    return pickle.loads(raw)


def portable(error: BaseException) -> BaseException:
    """The error, or one that says the same where the other end could not read it."""
    try:
        copy: BaseException = pickle.loads(pickle.dumps(error))
    except Exception:  # whatever its own constructor raises
        return RuntimeError(f"{type(error).__name__}: {error}")
    return copy


class _Pickler(pickle.Pickler):
    """Tensors as arrays: torch would share their memory, which is scarce in containers."""

    def reducer_override(self, value: Any) -> Any:
        if type(value) is Tensor and value.dtype != torch.bfloat16:
            return _tensor, (value.detach().cpu().numpy(),)
        return NotImplemented


def _tensor(array: np.ndarray) -> Tensor:
    return torch.from_numpy(array)

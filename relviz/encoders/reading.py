"""Libraries that load models: kept quiet, listened to, and whatever they raise said in one way."""

import logging
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from relviz.encoders.encoder import is_out_of_memory
from relviz.errors import Error, ReadError


@contextmanager
def reading(folder: Path) -> Iterator[None]:
    """Whatever a library raises over a folder leaves as one ReadError, which names no path."""
    try:
        yield
    except Error:
        raise
    except Exception as reason:  # libraries, on damaged or hostile files, raise anything
        raise _as_read_error(folder, reason) from reason


def _as_read_error(folder: Path, reason: Exception) -> ReadError:
    said = " ".join(str(reason).split())
    for path in {str(folder), str(folder.resolve()), str(Path.home())}:
        said = said.replace(path, folder.name)
    if is_out_of_memory(reason):
        return ReadError(f"Memory does not suffice to load {folder.name}. Take a smaller model.")
    if type(reason).__name__ == "UnpicklingError" or "weights_only" in said:
        return ReadError(
            f"The weights of {folder.name} are a pickle of more than tensors, which can run any program when "
            "it is read, and so is not. Have who made it save safetensors: model.save_pretrained(folder)."
        )
    if "trust_remote_code" in said:
        return ReadError(
            f"{folder.name} brings program code of its own, which is never run. Take a model whose kind "
            "transformers knows."
        )
    return ReadError(
        f"{folder.name} cannot be loaded ({type(reason).__name__}: {said[:300]}). It is damaged, not "
        "whole, or no model of texts or images. To save one: model.save_pretrained(folder), "
        "tokenizer.save_pretrained(folder)."
    )


@contextmanager
def quietly() -> Iterator[None]:
    """No bars and no reports on the terminal; weights that are missing are an error and no warning.

    Raises
    ------
    ReadError
        If a model was given random numbers for weights that its files do not have.
    """
    from transformers.utils import logging as bars

    heard = _Heard()
    logger, other = logging.getLogger("transformers"), logging.getLogger("sentence_transformers")
    shown, level, handlers = bars.is_progress_bar_enabled(), logger.level, logger.handlers[:]
    passed_on, others = logger.propagate, other.level
    bars.disable_progress_bar()
    logger.handlers[:], logger.propagate = [heard], False
    logger.setLevel(logging.WARNING)
    other.setLevel(logging.ERROR)
    try:
        yield
    except Exception as reason:
        heard.check(reason)
        raise
    finally:
        logger.handlers[:], logger.propagate = handlers, passed_on
        logger.setLevel(level)
        other.setLevel(others)
        if shown:
            bars.enable_progress_bar()
    heard.check()


class _Heard(logging.Handler):
    """Notes which weights transformers reports to be wrong, but for a pooler, which nothing here reads."""

    def __init__(self) -> None:
        super().__init__()
        self.wrong: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        with suppress(TypeError, ValueError):
            for line in record.getMessage().splitlines():
                name, bar, rest = line.partition("|")
                missing = "MISSING" in rest and "pooler" not in name.strip().split(".")
                if bar and (missing or "MISMATCH" in rest):
                    self.wrong.append(name.strip())

    def check(self, reason: Exception | None = None) -> None:
        if self.wrong:
            some = ", ".join(self.wrong[:4]) + (" and more" if len(self.wrong) > 4 else "")
            raise ReadError(
                "The weights do not fit the model that config.json describes; missing, or of another shape: "
                f"{some}. Take both from the same model: model.save_pretrained(folder) writes them together."
            ) from reason

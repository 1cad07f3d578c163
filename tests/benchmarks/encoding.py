"""Rows a second of ``encode`` against the model's library in a loop: ``python -m tests.benchmarks.encoding``.

Texts are definitions of the glosses demo, pictures are random. The library is called in batches of the same
size, in the order of the items, and of texts in the order of their lengths too, which pads as little as
``encode`` does. All take turns in one process; the ratio is that of the medians.
"""

import os
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np
import torch

import relviz
from relviz.compute.device import device
from relviz.encoders import installed_encoders, load_encoder
from relviz.encoders.batches import BATCH, BATCH_PIXELS
from tests.benchmarks.timing import measure

REPEATS = 25
ROWS = {"minilm": 128, "efficientnet_lite0": 16, "efficientnet_lite1": 16}
MANY = 1408
"""Of encoders that are fast: as many as give measurable seconds."""
LEAST = 0.95

Direct = Callable[[Any], Any]


def definitions(n: int) -> list[str]:
    """Of words, without the words, from all over the demo."""
    items = relviz.load_demo("glosses").spaces["minilm"].items or ()
    return [item.partition(": ")[2] for item in items[:: len(items) // n]][:n]


def pictures(n: int) -> np.ndarray:
    """Random ones of the side that the carried encoders take."""
    return np.random.default_rng(0).integers(0, 256, (n, 128, 128, 3), dtype=np.uint8)


def bert_tiny(folder: Path) -> Path:
    """2 layers of 128 dimensions with random weights, and the tokenizer of MiniLM."""
    import transformers

    config = transformers.BertConfig(
        hidden_size=128, num_hidden_layers=2, num_attention_heads=2, intermediate_size=512
    )
    transformers.BertModel(config).save_pretrained(folder)
    load_encoder("minilm").network.tokenizer.save_pretrained(folder)
    return folder


def direct(name: str) -> Direct:
    """One batch through the model's own library, in the fewest lines."""
    network = load_encoder(name).network
    if name == "minilm":
        return lambda some: network.encode(
            some, batch_size=len(some), convert_to_tensor=True, show_progress_bar=False
        ).cpu()
    if name == "wordllama":
        import wordllama

        model = wordllama.WordLlama.load(cache_dir=Path(wordllama.__file__).parent, disable_download=True)
        return lambda some: model.embed(some, norm=False, batch_size=len(some))
    if name.startswith("efficientnet"):

        def features(some: np.ndarray) -> torch.Tensor:
            pixels = torch.from_numpy(some).to(device()).permute(0, 3, 1, 2).to(torch.float32)
            return network.extract_features((pixels - 127) / 128).mean((2, 3)).cpu()

        return features
    import transformers

    tokenizer = transformers.AutoTokenizer.from_pretrained(name)
    model = transformers.AutoModel.from_pretrained(name).to(device()).eval()

    def mean(some: Sequence[str]) -> torch.Tensor:
        told = tokenizer(list(some), padding=True, truncation=True, return_tensors="pt").to(device())
        state, mask = model(**told).last_hidden_state, told["attention_mask"][..., None]
        return ((state * mask).sum(1) / mask.sum(1)).cpu()

    return mean


def loop(call: Direct, items: Any, batch: int) -> list[float]:
    """Batches in the order of the items."""
    with torch.inference_mode():
        found = [call(items[start : start + batch]) for start in range(0, len(items), batch)]
    return [float(len(found))]


def spent(call: Callable[[], list[float]]) -> float:
    """Seconds of the clock; on the CPU those of this process alone, as others share the machine."""
    if device().type != "cpu":
        return measure(call).seconds
    start = time.process_time()
    call()
    return time.process_time() - start


def rates(name: str) -> tuple[str, int, dict[str, float]]:
    """An encoder's title, how many rows it was given, and rows a second of everybody."""
    encoder, call = load_encoder(name), direct(name)
    n = ROWS.get(name, MANY)
    batch = BATCH if encoder.modality == "text" else BATCH_PIXELS // 128**2
    items: Any = definitions(n) if encoder.modality == "text" else pictures(n)
    every: dict[str, Callable[[], list[float]]] = {
        "encode": lambda: [float(len(encoder.encode(items)))],
        "plain": lambda: loop(call, items, batch),
    }
    if encoder.modality == "text":
        every["sorted"] = lambda: loop(call, sorted(items, key=len), batch)
    seconds: dict[str, list[float]] = {key: [] for key in every}
    for turn in range(REPEATS + 1):
        for key in every if turn % 2 else reversed(every):
            taken = spent(every[key])
            if turn:  # the first is for warming up
                seconds[key].append(taken)
    return encoder.title, n, {key: n / median(some) for key, some in seconds.items()}


def main() -> None:
    torch.set_num_threads(int(os.environ.get("OMP_NUM_THREADS", "1")))
    print(f"rows a second, medians of {REPEATS}, {device()}, threads: {torch.get_num_threads()}")
    print("| encoder | rows | `encode` | its library | ratio | its library, sorted | ratio |")
    print("|---|---|---|---|---|---|---|")
    slow = []
    with tempfile.TemporaryDirectory() as folder:
        for name in (*installed_encoders(), str(bert_tiny(Path(folder, "BERT-tiny")))):
            title, n, found = rates(name)
            row = [title, str(n), f"{found['encode']:.0f}"]
            for rate in (found.get("plain"), found.get("sorted")):
                row += [f"{rate:.0f}", f"{found['encode'] / rate:.2f}"] if rate else ["", ""]
            print(f"| {' | '.join(row)} |", flush=True)
            if found["encode"] < LEAST * found["plain"]:
                slow.append(title)
    assert not slow, f"less than {LEAST} of what the library does: {', '.join(slow)}"


if __name__ == "__main__":
    main()

"""How long encoding takes from the button to the space, the first time and again.

Run as a program: ``python -m tests.benchmarks.encode_page``
"""

import os
import tempfile
import time
from dataclasses import replace

from relviz.items import Items, Texts, items_of_demo
from relviz.results.encoding import Chosen, encoding_task


def main() -> None:
    """Print seconds for the definitions of the glosses demo, in a store of their own."""
    with tempfile.TemporaryDirectory() as folder:
        os.environ["RELVIZ_CACHE"] = folder
        texts = items_of_demo("glosses")["definitions"]
        assert isinstance(texts, Texts)
        for name in ("minilm", "wordllama"):
            chosen = Chosen(name)
            seconds(texts.__class__(texts.texts[:2]), chosen)  # loads the encoder
            changed = replace(texts, texts=(texts.texts[0] + ".", *texts.texts[1:]))
            plain = replace(texts, labels=None)
            print(f"{chosen.card().title}, {len(texts)} texts")
            for words, items in {
                "the first time": texts,
                "again": texts,
                "without classes": plain,
                "one letter more": changed,
            }.items():
                print(f"  {words:16} {seconds(items, chosen):6.2f} s")


def seconds(items: Items, chosen: Chosen) -> float:
    """Seconds until the space is there, the name of the result included."""
    began = time.perf_counter()
    task = encoding_task(items, chosen)
    task.run()
    return time.perf_counter() - began


if __name__ == "__main__":
    main()

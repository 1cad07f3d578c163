"""How much heads and a transformer mind the length of what they are given, as Markdown tables (minutes).

python -m tests.benchmarks.scale [--parts heads heads-paper lengths layers layers-paper]

What ends in -paper is set up as in arXiv 2406.15057, the rest as everywhere in relviz.
"""

import argparse

import relviz
from relviz.encoders import SentenceLayers, load_encoder
from relviz.stitching import layer_rescale, lengths, rescale_injection

HEADS = (("glosses", "minilm"), ("emoji", "image_lite0"))
DRAWS = 5
MEASURED = ("emoji", "glosses", "words")
ALPHAS = (0.01, 0.1, 0.3, 1.0, 3.0, 10.0, 100.0)


def table(head: list[str], lines: list[list[str]]) -> None:
    """Print a Markdown table."""
    print("| " + " | ".join(head) + " |")
    print("|" + "---|" * len(head))
    for line in lines:
        print("| " + " | ".join(line) + " |")


def injection(norms_alone: bool) -> None:
    """Accuracy of heads by activation and α, as the paper does or as we do."""
    lines, widest = [], 0.0
    alphas: tuple[float, ...] = ()
    for demo, key in HEADS:
        space = relviz.load_demo(demo).spaces[key]
        found = rescale_injection(space.vectors, space.labels or (), n_draws=DRAWS, norms_alone=norms_alone)
        alphas = found.alphas
        mean, sd = found.accuracy.mean(1), found.accuracy.std(1, ddof=1)
        widest = max(widest, float(sd.max()))
        for row, name in enumerate(found.activations):
            lines.append([f"{demo} {key}", name, *(f"{value:.3f}" for value in mean[row])])
    table(["rows", "activation", *(f"α {alpha:g}" for alpha in alphas)], lines)
    how = "unscaled rows; only test norms are set" if norms_alone else "centered rows of norm √d"
    print(f"\nHeads trained on {how}. Accuracy, mean of seeds 0-{DRAWS - 1}; no sd is above {widest:.3f}.\n")


def measured() -> None:
    """Mean, spread and skew of the lengths of each encoder of the demos."""
    lines = []
    for demo in MEASURED:
        spaces = relviz.load_demo(demo).spaces
        vectors = {key: space.vectors for key, space in spaces.items()}
        ways = lengths(vectors), lengths(vectors, center=False)
        for key in vectors:
            figures = []
            for of in (way[key] for way in ways):
                figures += [f"{of.mean:.3f}", f"{of.sd:.3f}", f"{of.sd / of.mean:.3f}", f"{of.skew:+.2f}"]
            lines.append([f"{demo} {key}", *figures])
    head = ["mean length", "sd", "sd / mean", "skew"]
    table(["rows", *head, *(f"{one}, uncentered" for one in head)], lines)
    print("\nLengths of the centered rows, and of the uncentered rows, as in the paper.\n")


def layers(to_unit: bool) -> None:
    """Accuracy of a head on MiniLM by layer and α, as the paper does or as we do."""
    space = relviz.load_demo("glosses").spaces["minilm"]
    texts = [item.partition(": ")[2] for item in space.items or ()]
    transformer = SentenceLayers(load_encoder("minilm").network)
    found = layer_rescale(transformer, texts, space.labels or (), ALPHAS, to_unit=to_unit)
    lines = [
        [str(layer), *(f"{value:.3f}" for value in row)]
        for layer, row in zip(found.layers, found.accuracy, strict=True)
    ]
    table(["after layer", *(f"α {alpha:g}" for alpha in found.alphas)], lines)
    how = "of unit norm, then times α" if to_unit else "times α"
    print(
        f"\nHidden states {how}. MiniLM on glosses, logistic head, seed 0: accuracy {found.unscaled:.3f} "
        "unscaled; 0 is the output of the embeddings.\n"
    )


PARTS = {
    "heads": lambda: injection(norms_alone=False),
    "heads-paper": lambda: injection(norms_alone=True),
    "lengths": measured,
    "layers": lambda: layers(to_unit=False),
    "layers-paper": lambda: layers(to_unit=True),
}


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--parts", nargs="+", choices=PARTS, default=list(PARTS))
    for part in parser.parse_args().parts:
        PARTS[part]()

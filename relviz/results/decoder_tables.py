"""What the paper measured with trained networks: swapped decoders, accuracy of either code, curves."""

from dataclasses import dataclass, replace

from relviz.autoencoders import (
    CODES,
    KINDS,
    OWN,
    STITCHED,
    AccuracyRow,
    Autoencoder,
    Curves,
    Labeled,
    MseTable,
    Options,
    accuracy_table,
    labeled,
    small_runs,
    table_of,
    training_curves,
)
from relviz.compute.jobs import Ticket
from relviz.compute.task import task
from relviz.papers import quote
from relviz.results.autoencoders import autoencoder, autoencoder_task, options_of
from relviz.sheet import Sheet
from relviz.state.image_sets import ImageSet
from relviz.state.view import Decoding
from relviz.wording import count

LATENT = {"ae": 64, "vae": 32}
"""Dimensions of each kind's latents: those bundled for the digits."""
METHODS = ("irp", "irp_plus", "ridge")
PATHS = {
    OWN: "own decoder",
    STITCHED: "other model's decoder",
    "irp": "translated by IRP, other model's decoder",
    "irp_plus": "translated by IRP+, other model's decoder",
    "ridge": "translated by ridge, other model's decoder",
}
SEEDS, MOST_SEEDS = 5, 10
"""As many as the paper has, and as many as may be asked for."""
RUNS, EPOCHS, ROWS = 24, 5, 2000
"""Runs of the curves, their epochs, and how many images train them."""


@task("decode-mse", "Swapping decoders", heavy=True)
def mse_task(ticket: Ticket, images: ImageSet, seeds: int) -> MseTable:
    """The task that measures swapped decoders of seeds 0, 1, …; what has to be trained for it is kept too."""
    wanted = [
        options_of(Decoding(kind=kind, latent=LATENT[kind]), codes, seed, images)
        for kind in KINDS
        for codes in CODES
        for seed in range(seeds)
    ]
    models = [_trained(options, images, ticket, at, len(wanted)) for at, options in enumerate(wanted)]
    ticket.report(1.0, "swapping decoders")
    return table_of(models, images.test, METHODS)


def mse_sheet(table: MseTable) -> Sheet:
    """Table 3 of the paper, for these images."""
    rows = []
    for cell in table.cells:
        sd = "" if cell.sd is None else f" ± {100 * cell.sd:.2f}"
        times = "1" if cell.path == OWN else f"{table.times(cell.kind, cell.codes, cell.path):.1f}"
        row = f"{cell.kind.upper()}, {cell.codes}, ratio"
        paper = quote("RR table 3", row, "MNIST") if cell.path == STITCHED else "–"
        mse = f"{100 * cell.mean:.2f}{sd}"
        rows.append((cell.kind.upper(), cell.codes, PATHS[cell.path], mse, times, paper))
    caption = (
        f"Mean squared error × 100 of {count(table.n)} test images, mean ± sd over seeds "
        f"0–{len(table.seeds) - 1}; an autoencoder of {LATENT['ae']} latents and a variational one of "
        f"{LATENT['vae']}, as many anchors. ×: relative to the error with the own decoder. In the paper: RR "
        "table 3, MNIST, with other networks, worked out from its errors."
    )
    return Sheet(
        ("kind", "codes", "images through", "MSE × 100", "times", "in the paper, ×"), tuple(rows), caption
    )


@dataclass(frozen=True)
class Accuracies:
    """Of classifiers on either code, on ``n`` unseen images."""

    rows: tuple[AccuracyRow, ...]
    n: int
    seeds: int


@task("decode-accuracy", "Training classifiers", heavy=True)
def accuracy_task(ticket: Ticket, images: ImageSet, seeds: int) -> Accuracies:
    """The task that trains classifiers on absolute and on relative codes, seeds 0, 1, …"""

    def on_step(index: int, of: int) -> None:
        ticket.report((index + 1) / of, f"{index + 1} of {of} classifiers trained")

    ticket.report(0.0, "training the first classifier")
    options = replace(Options(), epochs=_options(images).epochs)
    rows = accuracy_table(_labeled(images), range(seeds), options, on_step, ticket.check)
    return Accuracies(tuple(rows), len(images.test), seeds)


def accuracy_sheet(made: Accuracies) -> Sheet:
    """Table 2 of the paper, for these images."""
    rows = tuple(
        (
            row.codes,
            f"{row.mean:.4f}" + ("" if row.sd is None else f" ± {row.sd:.4f}"),
            count(row.parameters),
            quote("RR table 2", row.codes, "MNIST"),
        )
        for row in made.rows
    )
    caption = (
        f"Accuracy on {count(made.n)} test images, of classifiers trained end to end on absolute or on "
        f"relative codes with equally many parameters; mean ± sd over seeds 0–{made.seeds - 1}. In the "
        "paper: RR table 2, MNIST, weighted F1 in percent, with another network."
    )
    return Sheet(("codes", "accuracy", "parameters", "in the paper"), rows, caption)


@dataclass(frozen=True)
class SimilarityCurves:
    """Small classifiers trained on ``rows`` images, and how alike each is to the reference.

    ``correlation`` is Spearman's, of similarity and accuracy over all points.
    """

    curves: Curves
    correlation: float
    rows: int


@task("decode-curves", "Training small models", heavy=True)
def curves_task(ticket: Ticket, images: ImageSet, runs: int = RUNS, epochs: int = EPOCHS) -> SimilarityCurves:
    """The task that follows many small classifiers, and how alike each is to a good one (RR figure 3)."""

    def on_step(index: int, of: int) -> None:
        ticket.report((index + 1) / of, f"{index} of {of - 1} small models trained")

    ticket.report(0.0, "training the reference model")
    found = training_curves(
        _labeled(images, ROWS), small_runs(runs, epochs), on_step=on_step, pulse=ticket.check
    )
    return SimilarityCurves(found, found.correlation, min(ROWS, len(images.train)))


def _labeled(images: ImageSet, most: int | None = None) -> Labeled:
    classes, truth = images.labels or ((), ())
    known = set(classes[:most])
    rows = [row for row, label in enumerate(truth) if label in known]
    return labeled(images.train[:most], classes[:most], images.test[rows], [truth[row] for row in rows])


def _options(images: ImageSet) -> Options:
    return options_of(Decoding(latent=Options().latent), "absolute", 0, images)


def _trained(options: Options, images: ImageSet, ticket: Ticket, index: int, of: int) -> Autoencoder:
    found = autoencoder(options, images)
    if found is not None:
        return found
    training = autoencoder_task(options, images)
    part = ticket.part(index / of, (index + 1) / of, f"{training.title} ({index + 1} of {of})")
    return Autoencoder.of(training.run(part))

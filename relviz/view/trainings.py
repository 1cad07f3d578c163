"""Figures over many trainings on the digits, as tasks: errors of decoders, classifiers, likeness."""

from collections.abc import Callable
from dataclasses import asdict, replace

from relviz.compute.jobs import Ticket
from relviz.compute.key import result_key
from relviz.compute.task import Made, Task
from relviz.demos import load_demo
from relviz.stitch.decode import (
    CARRIED,
    CODES,
    REFERENCE,
    Labelled,
    Options,
    accuracy_table,
    demo_digits,
    labelled,
    mse_of,
    small_runs,
    training_curves,
)
from relviz.view.decoding import autoencoder, autoencoder_task

LATENT = {"ae": 64, "vae": 32}
"""Dimensions of the autoencoders of either kind: those of which two seeds are carried."""
METHODS = ("irp",)
SHARE = 0.97
"""Of the work that is training; the rest is measuring."""


def mse_task(seeds: int) -> Task:
    """The task of RR table 3: errors of decoders, unswapped and swapped; its result says ``records``.

    What is not carried is trained first, each of it a result of its own.
    """
    wanted = [
        replace(CARRIED[f"{kind}-{codes}-{latent}-0"], seed=seed)
        for kind, latent in LATENT.items()
        for codes in CODES
        for seed in range(seeds)
    ]

    def compute(ticket: Ticket) -> Made:
        for place, options in enumerate(wanted):
            if autoencoder(options) is None:
                autoencoder_task(options).run(_part(ticket, options, place, len(wanted)), ticket)
                ticket.rest()
        ticket.report(SHARE, "measuring")
        models = [model for options in wanted if (model := autoencoder(options)) is not None]
        table = mse_of(models, demo_digits().test, METHODS, ticket.check)
        return {}, {"records": table.records(), "n": table.n, "seeds": seeds}

    depends = {"wanted": [asdict(options) for options in wanted], "methods": list(METHODS)}
    return Task(result_key("mse", [_digest()], depends, 0), "Swapping decoders", compute)


def accuracy_task(seeds: int) -> Task:
    """The task of RR table 2: accuracy of classifiers on either code; its result says ``records``."""

    def compute(ticket: Ticket) -> Made:
        ticket.report(0.0, "preparing the digits")
        table = accuracy_table(_classes(), range(seeds), on_step=_steps(ticket), pulse=ticket.check)
        records = [
            {
                "codes": row.codes,
                "accuracy": row.mean,
                "accuracy_sd": row.sd,
                "parameters": row.parameters,
            }
            for row in table
        ]
        return {}, {"records": records, "n": len(demo_digits().test), "seeds": seeds}

    depends = {"seeds": seeds, "options": asdict(Options())}
    return Task(result_key("accuracy", [_digest()], depends, 0), "Training classifiers", compute)


def likeness_task(runs: int, images: int) -> Task:
    """The task of RR figure 3: accuracy over likeness to a reference; its result says ``records``."""
    wanted = small_runs(runs)

    def compute(ticket: Ticket) -> Made:
        ticket.report(0.0, "training the reference")
        found = training_curves(_classes(images), wanted, on_step=_steps(ticket), pulse=ticket.check)
        said = {"reference": found.reference, "correlation": found.correlation}
        return {}, {"records": found.records(), **said, "n": len(demo_digits().test)}

    depends = {"runs": [asdict(one) for one in wanted], "reference": asdict(REFERENCE), "images": images}
    return Task(result_key("likeness", [_digest()], depends, 0), "Training small classifiers", compute)


def _part(ticket: Ticket, options: Options, place: int, of: int) -> Callable[[float | None, str], None]:
    said = f"{options.codes} {options.kind.upper()}, seed {options.seed}"
    return lambda fraction, _: ticket.report(SHARE * (place + (fraction or 0.0)) / of, said)


def _steps(ticket: Ticket) -> Callable[[int, int], None]:
    def on_step(index: int, of: int) -> None:
        ticket.report((index + 1) / of, f"training {index + 1} of {of}")
        ticket.rest()

    return on_step


def _classes(images: int | None = None) -> Labelled:
    """The digits with their classes; the first so many of those that train."""
    digits = demo_digits()
    return labelled(digits.train[:images], digits.train_labels[:images], digits.test, digits.test_labels)


def _digest() -> str:
    return load_demo("digits").spaces["pixels"].digest

"""Autoencoders and classifiers of digits by the library: trained on four fifths, measured on the others."""

from collections.abc import Mapping
from dataclasses import replace
from functools import cache

import torch

import relviz
from relviz.autoencoders import (
    BUNDLED,
    Autoencoder,
    Labeled,
    accuracy_table,
    bundled_autoencoder,
    demo_digits,
    labeled,
    match_latents,
    small_runs,
    swap,
    table_of,
    train,
    training_curves,
)
from relviz.figures.kind import Content, Options
from relviz.results import decoder_tables
from relviz.results.unpaired_decoders import halves
from relviz.state import View
from relviz.state.image_sets import image_set
from tests.benchmarks.library_calls.compared import Check, Compared, arrays, records


@cache
def _model(kind: str, codes: str, latent: int, seed: int) -> Autoencoder:
    """One that is bundled, or trained here as those are."""
    first = BUNDLED[f"{kind}-{codes}-{latent}-0"]
    told = replace(first, seed=seed)
    if told in BUNDLED.values():
        return bundled_autoencoder(kind, codes, latent, seed)
    return train(demo_digits().train, told)


def swapped(view: View, options: Options, content: Content) -> Compared:
    """Errors by ``relviz.autoencoders.swap``."""
    chosen, images = view.de, demo_digits().test[content.arrays["rows"].tolist()]
    for way in options["ways"]:
        codes = "relative" if way == "relative" else "absolute"
        two = [_model(chosen.kind, codes, chosen.latent, seed) for seed in (chosen.one, chosen.other)]
        for i, j in ((0, 0), (0, 1), (1, 0), (1, 1)):
            made = swap(two[i], two[j], images, "irp" if way == "irp" and i != j else None)
            name = f"{way}_{i + 1}_to_{j + 1}_mse"
            yield from arrays(name, content.arrays[name], (made - images).square().mean((1, 2, 3)))


def swapped_unpaired(view: View, _: Options, content: Content) -> Compared:
    """Errors of latents that ``relviz.autoencoders.match_latents`` translates."""
    chosen, images = view.de, demo_digits().test[content.arrays["rows"].tolist()]
    one, other = (_model(chosen.kind, "absolute", chosen.latent, seed) for seed in (chosen.one, chosen.other))
    sides = [demo_digits().train[rows] for rows in halves(len(demo_digits().train))]
    match = match_latents(one, other, *sides)
    latents = one.encode(images), other.encode(images)
    made = {
        "own_1_to_1": one.decode(latents[0]),
        "own_2_to_2": other.decode(latents[1]),
        "swapped_1_to_2": other.decode(latents[0]),
        "swapped_2_to_1": one.decode(latents[1]),
        "translated_1_to_2": other.decode(match.there(latents[0])),
        "translated_2_to_1": one.decode(match.back(latents[1])),
    }
    for name, found in made.items():
        errors = (found - images).square().mean((1, 2, 3))
        yield from arrays(name, content.arrays[f"{name}_mse"], errors)


def between(view: View, _: Options, content: Content) -> Compared:
    """Codes on the line between two images, decoded by a ``relviz.autoencoders.Autoencoder``."""
    chosen, strips = view.de, iter(content.arrays.values())
    both = demo_digits().test[[chosen.image, chosen.end]]
    for codes in ("absolute", "relative"):
        two = [_model(chosen.kind, codes, chosen.latent, seed) for seed in (chosen.one, chosen.other)]
        ends, ours = two[0].encode(both), [next(strips) for _ in two]
        shares = torch.linspace(0, 1, len(ours[0]))[:, None]
        line = two[0].codes_of(ends[:1] + shares * (ends[1:] - ends[:1]))
        for model, strip in zip(two, ours, strict=True):
            yield from arrays(codes, strip, model.decode(line)[:, 0])


def latents(view: View, options: Options, content: Content) -> Compared:
    """Latents by ``encode`` of an autoencoder, ``relviz.relative`` and ``relviz.project``."""
    chosen, seeds, images = view.de, options["seeds"], demo_digits().test
    models = [_model(chosen.kind, "absolute", chosen.latent, seed) for seed in seeds]
    spaces = {"absolute": [model.encode(images) for model in models]}
    spaces["relative"] = [
        relviz.relative(rows, model.anchors) for rows, model in zip(spaces["absolute"], models, strict=True)
    ]
    for codes, several in spaces.items():
        if f"{codes}_{seeds[0]}" in content.arrays:
            made = several
            if codes == "relative" or chosen.latent > 2:
                made = list(relviz.project(several, "pca", "first" if options["once"] else "independent"))
            for seed, points in zip(seeds, made, strict=True):
                yield from arrays(f"{codes} {seed}", content.arrays[f"{codes}_{seed}"], points)


def errors(_: View, options: Options, content: Content) -> Compared:
    """Errors of swapped decoders by ``relviz.autoencoders.table_of``."""
    models = [
        _model(kind, codes, latent, seed)
        for kind, latent in decoder_tables.LATENT.items()
        for codes in ("absolute", "relative")
        for seed in range(options["seeds"])
    ]
    table = table_of(models, demo_digits().test, decoder_tables.METHODS)
    for line, theirs in zip(records(content.columns), table.records(), strict=True):
        for name in ("mse", "times"):
            yield f"{line['kind']} {line['codes']} {line['path']}", float(line[name]), float(theirs[name])


def _digits(most: int | None = None) -> Labeled:
    digits = image_set("")
    assert digits.labels is not None
    told, truth = digits.labels
    return labeled(digits.train[:most], told[:most], digits.test, truth)


def accuracies(_: View, options: Options, content: Content) -> Compared:
    """Accuracy of classifiers by ``relviz.autoencoders.accuracy_table``."""
    for line, row in zip(
        records(content.columns), accuracy_table(_digits(), range(options["seeds"])), strict=True
    ):
        yield f"{line['codes']} mean", float(line["mean"]), row.mean


def similarity_curves(_: View, options: Options, content: Content) -> Compared:
    """Accuracy and similarity of small classifiers by ``relviz.autoencoders.training_curves``."""
    runs = small_runs(options["runs"], decoder_tables.EPOCHS)
    found = training_curves(_digits(decoder_tables.ROWS), runs)
    theirs = found.records()
    for name in ("similarity", "accuracy"):
        yield from arrays(name, content.arrays[name], [one[name] for one in theirs])
    yield "correlation", float(content.columns["correlation"][0]), found.correlation


CHECKS: Mapping[str, Check] = {
    "swap": swapped,
    "swap_unpaired": swapped_unpaired,
    "between": between,
    "latents": latents,
    "mse": errors,
    "accuracy": accuracies,
    "similarity_curves": similarity_curves,
}

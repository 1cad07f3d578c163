"""discover the anchors of A in B, from a few known pairs or none

See ABOUT for what a person is told.
"""

import argparse
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from functools import partial
from pathlib import Path

from relviz.cli.choices import offer, taken
from relviz.cli.files import (
    assumed_pairing,
    bar,
    out_arguments,
    say,
    sources,
    space_arguments,
    space_record,
    write_figure,
)
from relviz.cli.looks import chosen_look, with_look
from relviz.errors import ParameterError, UnpairedError
from relviz.figures.kinds.bootstrap import options_of
from relviz.figures.numbers import anchors_csv, matches_csv, run_npz
from relviz.figures.open_recipe import recipe_of
from relviz.results.bootstrap import bootstrap_task
from relviz.results.run_summary import (
    THROUGH,
    accuracy_summary,
    queries_summary,
    right_summary,
    top1_summary,
)
from relviz.results.unpaired import NO_HINTS, Hinted, shared_classes, shared_names, unpaired_task
from relviz.sheet import columns_csv
from relviz.space import Space
from relviz.state.known_pairs import groups, known_pairs, names_of, non_matches
from relviz.state.sources import open_pair, open_space
from relviz.state.view import Run, View

ABOUT = """\
Anchor optimization. If the rows of the two files are paired (by ids, otherwise by position), some pairs are
given to the solver, and its matches are evaluated on the others. If nothing pairs the rows, list the pairs
that you know, one per line: name in A, name in B.

  python -m relviz bootstrap glosses --seeds 15
  python -m relviz bootstrap a.npz b.npz --seeds 5 -o run.pdf --found anchors.csv --matches matches.csv
  python -m relviz bootstrap english.vec spanish.vec --known pairs.csv --matches found.csv --json
  python -m relviz bootstrap english.vec spanish.vec --known pairs.csv -o matches.pdf -o matches.json

The self-check decides "converged" without ground truth. Its verdict is in the output, not in the exit code.
"""

OFFERED = {
    "seeds": "--seeds",
    "anchors": "--anchors",
    "method": "--method",
    "options": "--options",
    "draw": "--draw",
    "seed": "--seed",
    "held_out": "--held-out",
}
"""Choices of a run that are options, and their flags."""


def arguments(parser: argparse.ArgumentParser) -> None:
    """What is optimized, from which seeds."""
    space_arguments(parser)
    notes = {"seeds": "0 for none.", "draw": "Also used for the anchors."}
    offer(parser, Run, OFFERED, notes=notes)
    parser.add_argument(
        "--known", metavar="FILE", help="File of known pairs, for spaces whose rows are not paired."
    )
    offer(parser, View, {"unpaired": "--unpaired"})
    hints = parser.add_argument_group("hints, for spaces whose rows are not paired")
    hints.add_argument(
        "--classes", action="store_true", help="Items of one class are matched with each other."
    )
    hints.add_argument("--names", action="store_true", help="Start from items with equal names.")
    hints.add_argument(
        "--groups", metavar="FILE", help='Lines of "names in A | names in B", separated by commas.'
    )
    hints.add_argument("--non-matches", metavar="FILE", help='Lines of "name in A, name in B".')
    parser.add_argument(
        "--found", metavar="FILE", help="Write the anchors: .csv, or .npz with the free points."
    )
    parser.add_argument("--matches", metavar="FILE", help="Write the match of every row of A, as .csv.")
    out_arguments(parser, "the run, or the correspondences, as a figure: .pdf, .svg, .png, .csv, .npz, .txt")


def run(args: argparse.Namespace) -> None:
    """Optimize, say, and write."""
    a, b = sources(args)
    if args.unpaired or _is_unpaired(a, b):
        _unpaired(args, a, b)
        return
    if args.known or args.classes or args.names or args.groups or args.non_matches:
        raise ParameterError(
            "The rows of these two are paired already. Give --seeds instead of --known and hints, or ignore "
            "the pairing with --unpaired."
        )
    view = View(a=a, b=b, ao=_run_of(args))
    pair = open_pair(a, b)
    task = bootstrap_task(view.ao, pair)
    with bar("Optimizing anchors") as ticket:
        record = task.run(ticket)
    if args.found:
        as_csv, as_npz = partial(anchors_csv, record, pair), partial(run_npz, record)
        _write("--found", args.found, {".csv": as_csv, ".npz": as_npz})
    if args.matches:
        _write("--matches", args.matches, {".csv": partial(matches_csv, record, pair)})
    write_figure(recipe_of(view, "run", **with_look(args, chosen_look(args))), args.out)
    verdict, evaluation = record.outcome.verdict, record.outcome.evaluation
    fields = {
        "a": space_record(a),
        "b": space_record(b),
        "title": record.title,
        "converged": verdict.converged,
        "matches_right": evaluation.accuracy,
        "right_of": evaluation.free,
        "rows": evaluation.rows,
        "held_out": evaluation.held_out,
        "queries": evaluation.queries,
        "measured": evaluation.retrieval,
        "chance": evaluation.chance,
        "null": {name: asdict(shuffled) for name, shuffled in evaluation.shuffled.items()},
        "evidence": asdict(verdict.evidence),
    }
    mrr = evaluation.mrr
    lines = [
        f"{task.title}: {'converged' if verdict.converged else 'not converged'} (self-check).",
        right_summary(verdict),
        accuracy_summary(evaluation),
        queries_summary(view.ao, evaluation),
        *(f"MRR with {words}: {mrr[name]:.3f}" for name, words in THROUGH.items() if name in mrr),
        *([f"MRR by chance: {evaluation.chance['mrr']:.4f}", top1_summary(evaluation)] if mrr else []),
    ]
    more, assumed = assumed_pairing(a, b)
    say(args, fields | more, "\n".join(filter(None, [*lines, *assumed])))


def _run_of(args: argparse.Namespace) -> Run:
    """The run that is asked for; anchors and known pairs have the same sampling seed."""
    flags = {name: flag for name, flag in OFFERED.items() if name != "seeds" or args.seeds}
    seeding = Run.seeding if args.seeds else "none"
    return Run(seeding=seeding, anchor_seed=args.draw).with_changes(**taken(args, Run, flags))


def _is_unpaired(a: str, b: str) -> bool:
    try:
        open_pair(a, b)
    except UnpairedError:
        return True
    return False


def _unpaired(args: argparse.Namespace, a: str, b: str) -> None:
    """Correspondences where nothing matches the rows."""
    if args.found:
        raise ParameterError(
            "Rows that are not paired give matches, not anchors: use --matches FILE, or -o FILE."
        )
    x, y = open_space(a), open_space(b)
    run = Run().with_changes(**taken(args, Run, {"seed": "--seed"}))
    known = known_pairs(_text(args.known), x, y)
    view = View(a=a, b=b, ao=run)
    hinted = _hinted(args, x, y)
    if args.out and hinted != NO_HINTS:
        raise ParameterError("Figures (-o) do not support hints. Write the matches with --matches FILE.")
    options = options_of(known) if args.out else {}
    task = unpaired_task(a, b, known, run.seed, hinted)
    with bar("Finding correspondences") as ticket:
        found = task.run(ticket)
    matches, similarity = found.matches, found.similarity
    if args.matches:
        names = [names_of(space) for space in (x, y)]
        rows = matches.tolist()
        columns: dict[str, Sequence[object]] = {"row_a": range(len(x)), "item_a": names[0], "row_b": rows}
        columns |= {"item_b": [names[1][row] for row in rows], "similarity": similarity.tolist()}
        if found.has_counterpart is not None:
            columns["has_counterpart"] = found.has_counterpart.tolist()
        Path(args.matches).write_text(columns_csv(columns), encoding="utf-8", errors="replace", newline="")
    if args.out:
        write_figure(
            recipe_of(view, "correspondences", options, **with_look(args, chosen_look(args))), args.out
        )
    converged, evidence = found.verdict.converged, asdict(found.verdict.evidence)
    fields = {"a": space_record(a), "b": space_record(b), "converged": converged, "evidence": evidence}
    verdict = "converged" if converged else "not converged: do not trust the matches"
    summary = f"{task.title}: {verdict}. Mean similarity of matches {similarity.mean():.3f}."
    advice = f"Try other starts (--seed {run.seed + 1}), or a few known pairs (--known FILE)."
    say(args, fields, f"{summary} {right_summary(found.verdict) if converged else advice}".rstrip())


def _text(path: str | None) -> str:
    return Path(path).read_text(encoding="utf-8", errors="replace") if path else ""


def _hinted(args: argparse.Namespace, x: Space, y: Space) -> Hinted:
    """The hints that are asked for; ParameterError where there is nothing to go by."""
    if args.classes and not shared_classes(x, y):
        raise ParameterError("--classes: the two spaces have no class in common.")
    if args.names and not shared_names(x, y):
        raise ParameterError("--names: the two spaces have no item name in common.")
    return Hinted(
        args.classes,
        args.names,
        non_matches(_text(args.non_matches), x, y),
        groups(_text(args.groups), x, y),
    )


def _write(flag: str, path: str, forms: Mapping[str, Callable[[], str | bytes]]) -> None:
    """Write a file in the form that its ending says."""
    suffix = Path(path).suffix
    if suffix not in forms:
        raise ParameterError(f"{flag} writes {' or '.join(forms)}, not {Path(path).name[:60]!r}.")
    content = forms[suffix]()
    Path(path).write_bytes(content.encode("utf-8", "replace") if isinstance(content, str) else content)

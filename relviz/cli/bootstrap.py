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
    said_of,
    say,
    sources,
    space_arguments,
    write_figure,
)
from relviz.errors import ParameterError, UnpairedError
from relviz.figures.kinds.bootstrap import options_of
from relviz.figures.numbers import anchors_csv, matches_csv, run_npz
from relviz.figures.open_recipe import recipe_of
from relviz.results.bootstrap import bootstrap_task
from relviz.results.run_summary import THROUGH, accuracy_summary, queries_summary, top1_summary
from relviz.results.unpaired import NO_HINTS, Hinted, shared_names, unpaired_task
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
    notes = {"seeds": "0 for none.", "draw": "It is that of the anchors too."}
    offer(parser, Run, OFFERED, notes=notes)
    parser.add_argument(
        "--known", metavar="FILE", help="File of known pairs, where nothing else pairs the rows."
    )
    offer(parser, View, {"unpaired": "--unpaired"})
    hints = parser.add_argument_group("hints, where nothing else pairs the rows")
    hints.add_argument(
        "--classes", action="store_true", help="Items of one class are matched with each other."
    )
    hints.add_argument("--names", action="store_true", help="Start from items that are called the same.")
    hints.add_argument("--groups", metavar="FILE", help='Lines of "names in A | names in B", by commas.')
    hints.add_argument("--non-matches", metavar="FILE", help='Lines of "name in A, name in B".')
    parser.add_argument(
        "--found", metavar="FILE", help="Write the anchors: .csv, or .npz with the free points."
    )
    parser.add_argument("--matches", metavar="FILE", help="Write the match of every row of A, as .csv.")
    out_arguments(parser, "the run, or the correspondences, as a figure: .pdf, .svg, .png, .csv, .npz, .txt")


def run(asked: argparse.Namespace) -> None:
    """Optimize, say, and write."""
    a, b = sources(asked)
    if asked.unpaired or _is_unpaired(a, b):
        _unpaired(asked, a, b)
        return
    if asked.known or asked.classes or asked.names or asked.groups or asked.non_matches:
        raise ParameterError(
            "The rows of these two are paired already. Give --seeds instead of --known and hints, or ignore "
            "the pairing with --unpaired."
        )
    view = View(a=a, b=b, ao=_run_of(asked))
    pair = open_pair(a, b)
    task = bootstrap_task(view.ao, pair)
    with bar("Optimizing anchors") as ticket:
        record = task.run(ticket)
    if asked.found:
        as_csv, as_npz = partial(anchors_csv, record, pair), partial(run_npz, record)
        _write("--found", asked.found, {".csv": as_csv, ".npz": as_npz})
    if asked.matches:
        _write("--matches", asked.matches, {".csv": partial(matches_csv, record, pair)})
    write_figure(recipe_of(view, "run", width=asked.width), asked.out)
    verdict, evaluation = record.found.verdict, record.found.evaluation
    fields = {
        "a": said_of(a),
        "b": said_of(b),
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
        accuracy_summary(evaluation),
        queries_summary(view.ao, evaluation),
        *(f"MRR with {words}: {mrr[name]:.3f}" for name, words in THROUGH.items() if name in mrr),
        *([f"MRR by chance: {evaluation.chance['mrr']:.4f}", top1_summary(evaluation)] if mrr else []),
    ]
    more, assumed = assumed_pairing(a, b)
    say(asked, fields | more, "\n".join(filter(None, [*lines, *assumed])))


def _run_of(asked: argparse.Namespace) -> Run:
    """The run that is asked for; anchors and known pairs have the same sampling seed."""
    flags = {name: flag for name, flag in OFFERED.items() if name != "seeds" or asked.seeds}
    seeding = Run.seeding if asked.seeds else "none"
    return Run(seeding=seeding, anchor_seed=asked.draw).with_changes(**taken(asked, Run, flags))


def _is_unpaired(a: str, b: str) -> bool:
    try:
        open_pair(a, b)
    except UnpairedError:
        return True
    return False


def _unpaired(asked: argparse.Namespace, a: str, b: str) -> None:
    """Correspondences where nothing matches the rows."""
    if asked.found:
        raise ParameterError(
            "Without a pairing there are matches to write, but no anchors: use --matches FILE, or -o FILE."
        )
    x, y = open_space(a), open_space(b)
    run = Run().with_changes(**taken(asked, Run, {"seed": "--seed"}))
    known = known_pairs(_text(asked.known), x, y)
    view = View(a=a, b=b, ao=run)
    hinted = _hinted(asked, x, y)
    if asked.out and hinted != NO_HINTS:
        raise ParameterError("A figure (-o) is of a search without hints. Write the matches with --matches.")
    options = options_of(known) if asked.out else {}
    task = unpaired_task(a, b, known, run.seed, hinted)
    with bar("Finding correspondences") as ticket:
        found = task.run(ticket)
    matches, similarity = found.matches, found.similarity
    if asked.matches:
        names = [names_of(space) for space in (x, y)]
        rows = matches.tolist()
        columns: dict[str, Sequence[object]] = {"row_a": range(len(x)), "item_a": names[0], "row_b": rows}
        columns |= {"item_b": [names[1][row] for row in rows], "similarity": similarity.tolist()}
        if found.has_counterpart is not None:
            columns["has_counterpart"] = found.has_counterpart.tolist()
        Path(asked.matches).write_text(columns_csv(columns), encoding="utf-8", errors="replace", newline="")
    if asked.out:
        write_figure(recipe_of(view, "correspondences", options, asked.width), asked.out)
    converged, evidence = found.verdict.converged, asdict(found.verdict.evidence)
    fields = {"a": said_of(a), "b": said_of(b), "converged": converged, "evidence": evidence}
    verdict = "converged" if converged else "not converged: do not trust the matches"
    say(asked, fields, f"{task.title}: {verdict}. Mean similarity of matches {similarity.mean():.3f}.")


def _text(path: str | None) -> str:
    return Path(path).read_text(encoding="utf-8", errors="replace") if path else ""


def _hinted(asked: argparse.Namespace, x: Space, y: Space) -> Hinted:
    """The hints that are asked for; ParameterError where there is nothing to go by."""
    if asked.classes and not set(x.labels or ()) & set(y.labels or ()):
        raise ParameterError("--classes: the two spaces have no class in common.")
    if asked.names and not shared_names(x, y):
        raise ParameterError("--names: no item is called the same in the two spaces.")
    return Hinted(
        asked.classes,
        asked.names,
        non_matches(_text(asked.non_matches), x, y),
        groups(_text(asked.groups), x, y),
    )


def _write(flag: str, path: str, forms: Mapping[str, Callable[[], str | bytes]]) -> None:
    """Write a file in the form that its ending says."""
    suffix = Path(path).suffix
    if suffix not in forms:
        raise ParameterError(f"{flag} writes {' or '.join(forms)}, not {Path(path).name[:60]!r}.")
    content = forms[suffix]()
    Path(path).write_bytes(content.encode("utf-8", "replace") if isinstance(content, str) else content)

"""Runs that a visitor asked to be kept: the next server begins again those that this one has not done."""

import logging
import threading
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass

import relviz
from relviz.compute import typed
from relviz.compute.job import AnyJob
from relviz.compute.jobs import Job, jobs
from relviz.compute.key import kind_of
from relviz.compute.owner import acting_for
from relviz.compute.store import StoreError, default_store
from relviz.compute.task import Task
from relviz.results import run, several
from relviz.results.bootstrap import bootstrap_task
from relviz.state.sources import open_pair, open_space
from relviz.state.view import View

PLACE = f"kept-runs-{0:032x}"
"""Where the store has them: their keys, and the addresses of their pages, which name no visitor."""
WATCH_SECONDS = 5.0

_KINDS = (run.KIND, several.KIND)
_PARAMS: dict[str, Mapping[str, str]] = {}
"""Of the pages of runs that were begun again, by their keys."""

logger = logging.getLogger(__name__)


@dataclass(frozen=True)
class KeptRun:
    """A run that is to be kept: its key, and the parameters of its page's address."""

    key: str
    params: Mapping[str, str]


@dataclass(frozen=True)
class _Noted:
    runs: list[KeptRun]


def watch(ended: threading.Event) -> None:
    """Begin again what the last server has not done; then note what is to be kept until this one ends."""
    begin_again()
    while not ended.wait(WATCH_SECONDS):
        note()


def note() -> None:
    """Note the runs that are to be kept and not done."""
    runs = list(_unfinished())
    if runs != _listed():
        with suppress(StoreError):
            default_store().put(PLACE, *typed.pack(_Noted(runs)))


def begin_again() -> None:
    """Start the runs that are noted, for whoever asks for them; each goes on from its checkpoint."""
    for noted in _listed():
        with acting_for(None):
            try:
                job = _restarted(noted)
            except relviz.Error as reason:
                logger.warning("The run %s is not begun again: %s", noted.key, reason)
                continue
            if job is None:
                continue
            job.keep = True
            job.leave()
            _PARAMS[job.key] = noted.params
            logger.info("The run %s (%s) is begun again", job.key, job.title)


def _listed() -> list[KeptRun]:
    found = default_store().get(PLACE)
    return [] if found is None else typed.unpack(_Noted, found).runs


def _unfinished() -> Iterator[KeptRun]:
    for job in jobs().alive():
        params = _params(job)
        if job.keep and not job.canceling and params is not None and kind_of(job.key) in _KINDS:
            yield KeptRun(job.key, dict(params))


def _params(job: AnyJob) -> Mapping[str, str] | None:
    for who in job.owners:
        with acting_for(who):
            if job.link is not None:
                return job.link.params
    return _PARAMS.get(job.key)


def _restarted(noted: KeptRun) -> AnyJob | None:
    """The job of a run; None if it is done, or this version of relviz would make another result."""
    view, _ = View.from_params(noted.params)
    task: Task[run.RunRecord] | Task[several.SeveralMatched]
    if kind_of(noted.key) == several.KIND:
        chosen = view.se
        spaces = [open_space(source) for source in chosen.sources]
        task = several.several_task(spaces, chosen.known, chosen.seed, chosen.sources)
    else:
        task = bootstrap_task(view.ao, open_pair(view.a, view.b), (view.a, view.b))
    if task.key != noted.key:
        return None
    found = task.result_or_job()
    return found if isinstance(found, Job) else None

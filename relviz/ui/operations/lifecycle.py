"""From the start of a server to its end: workers are made ready, and what runs is finished or canceled."""

import asyncio
import logging
import math
import os
import threading
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import anyio
import torch
from streamlit import config

from relviz.compute import entry
from relviz.compute.cluster import Cluster
from relviz.compute.device import leave_a_core
from relviz.compute.jobs import jobs
from relviz.compute.memory import share_heaps
from relviz.compute.owner import acting_for
from relviz.compute.store import Store, default_store, use_store
from relviz.compute.workers import Pool, Workers, use_workers
from relviz.results import ready
from relviz.state.sources import hold_opened
from relviz.state.stored import allow_each
from relviz.ui.operations import kept_runs, log, presence
from relviz.ui.operations.health import draining
from relviz.ui.operations.settings import QuotaSettings, Settings, settings, settings_file
from relviz.wording import plural

WARM_SECONDS = 5.0
"""Left to the page that is drawn first."""
CANCEL_SECONDS = 5.0

logger = logging.getLogger(__name__)


@asynccontextmanager
async def lifespan(_: object) -> AsyncIterator[None]:
    """What ``st.App`` does when it starts and when it is ended, by SIGTERM or Ctrl-C."""
    share_heaps()
    chosen = settings()
    log.set_up(chosen.log)
    pool, ended = start(chosen), threading.Event()
    grace = 60 * chosen.work.orphan_minutes or math.inf
    threading.Thread(target=presence.watch, args=(grace, ended), name="orphans", daemon=True).start()
    letting_go = asyncio.create_task(presence.let_go())
    threading.Thread(target=kept_runs.watch, args=(ended,), name="kept runs", daemon=True).start()
    try:
        yield
    finally:
        letting_go.cancel()
        ended.set()
        await anyio.to_thread.run_sync(drain, chosen.work.drain_seconds)
        use_workers(None)
        if pool is not None:
            pool.end()
        logger.info("The server has ended")


def start(chosen: Settings) -> Pool | None:
    """The store and the workers that the settings ask for; workers are made ready in the background."""
    folder = chosen.store.folder and os.path.expanduser(chosen.store.folder)
    if folder:
        os.environ["RELVIZ_CACHE"] = folder
    use_store(Store(default_store().root, round(chosen.store.gigabytes * 2**30)))
    entry.sweep(default_store().root)
    leave_a_core()
    hold_to(chosen.quotas)
    pool: Pool | None = None
    cluster = os.environ.get("RELVIZ_CLUSTER") or chosen.work.cluster
    if cluster:
        pool = Cluster(cluster, chosen.work.limits())
    elif chosen.work.workers:
        threads = max(1, torch.get_num_threads() // chosen.work.workers)
        pool = Workers(chosen.work.limits(), threads, ready.STEPS)
        timer = threading.Timer(WARM_SECONDS, pool.warm)
        timer.daemon = True
        timer.start()
    use_workers(pool)
    file = settings_file()
    logger.info(
        "Serving with %s, store %s (at most %.1f GiB), visitors by %s, settings %s",
        f"the cluster {cluster}" if cluster else plural(chosen.work.workers, "worker"),
        *(default_store().root, chosen.store.gigabytes, chosen.visitors.known_by),
        file or "by default",
    )
    return pool


def hold_to(quotas: QuotaSettings) -> None:
    """Have visitors bring and keep no more than the settings say."""
    config.set_option("server.maxUploadSize", quotas.upload_megabytes)
    allow_each(round(quotas.stored_gigabytes_each * 2**30))
    hold_opened(round(quotas.opened_gigabytes * 2**30))


def drain(seconds: float) -> None:
    """Wait for what runs, then cancel it; what is finished by then is kept."""
    draining.set()
    until = time.monotonic() + seconds
    left = jobs().alive()
    if left:
        logger.info("Ending: %d unfinished run(s), at most %.0f s for them", len(left), seconds)
    for job in left:
        job.wait(max(0.0, until - time.monotonic()))
    for job in (unfinished := jobs().alive()):
        logger.warning("The run %s (%s) is canceled: the server ends", job.key, job.title)
        with acting_for(None):
            job.cancel()
    until = time.monotonic() + CANCEL_SECONDS
    for job in unfinished:
        job.wait(max(0.0, until - time.monotonic()))

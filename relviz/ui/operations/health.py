"""What an operator asks a server: its health, and Prometheus metrics of queue, store, memory and device."""

import ipaddress
import os
import threading
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import BaseRoute, Route

from relviz.compute.jobs import jobs
from relviz.compute.store import default_store
from relviz.compute.workers import workers
from relviz.ui.linked_map.assets import based
from relviz.ui.operations.presence import sessions
from relviz.ui.operations.settings import settings

PROXIED = ("x-forwarded-for", "forwarded", "x-real-ip")
"""Headers of requests that came through a proxy, from whatever machine."""

draining = threading.Event()
"""Set when the server is being ended."""


def operation_routes() -> list[BaseRoute]:
    """For ``st.App``."""
    return [Route(based("/health"), health), Route(based("/metrics"), metrics)]


def health(_: Request) -> Response:
    """200 while pages are served, 503 once the server is being ended; ``store`` says what cannot be kept."""
    status = "ending" if draining.is_set() else "ok"
    trouble = "results are held in memory" if default_store().trouble else "ok"
    return JSONResponse({"status": status, "store": trouble}, 503 if draining.is_set() else 200)


def metrics(request: Request) -> Response:
    """Numbers in Prometheus' text format."""
    if not _may_read(request):
        return PlainTextResponse("Not found", 404)
    return PlainTextResponse(
        "\n".join(exposed()) + "\n", media_type="text/plain; version=0.0.4; charset=utf-8"
    )


def exposed() -> Iterator[str]:
    """The lines of ``/metrics``."""
    pool, store = workers(), default_store()
    running, waiting = (0, 0) if pool is None else pool.queue.lengths()
    processes = [os.getpid(), *([] if pool is None else pool.processes())]
    states = Counter(job.state for job in jobs().alive())
    yield from _metric("relviz_sessions", "Open pages.", {"": sessions()})
    by_state = {f'{{state="{state}"}}': states[state] for state in ("queued", "running", "paused")}
    yield from _metric("relviz_jobs", "Unfinished jobs by state.", by_state)
    yield from _metric("relviz_queue_running", "Heavy runs that compute now.", {"": running})
    yield from _metric("relviz_queue_waiting", "Heavy runs that wait for a turn.", {"": waiting})
    yield from _metric("relviz_workers", "Worker processes.", {"": 0 if pool is None else pool.size})
    yield from _metric("relviz_store_bytes", "Bytes of kept results.", {"": store.size()})
    yield from _metric("relviz_store_cap_bytes", "Most that they may take.", {"": store.cap_bytes})
    yield from _metric("relviz_store_trouble", "1 if results cannot be kept.", {"": int(bool(store.trouble))})
    memory = {
        f'{{process="{"server" if at == 0 else f"worker {at}"}"}}': found
        for at, found in enumerate(map(_resident, processes))
        if found is not None
    }
    yield from _metric("relviz_memory_bytes", "Resident memory.", memory)
    yield from _metric("relviz_threads", "Threads of the server.", {"": threading.active_count()})
    files = Path("/proc/self/fd")
    if files.is_dir():
        yield from _metric(
            "relviz_open_files", "Descriptors of the server.", {"": len(list(files.iterdir()))}
        )
    yield from _device()


def _device() -> Iterator[str]:
    import torch

    if torch.cuda.is_available() and torch.cuda.is_initialized():
        free, total = torch.cuda.mem_get_info()
        of_kind = {'{kind="free"}': free, '{kind="total"}': total}
        yield from _metric("relviz_device_memory_bytes", "Memory of the accelerator.", of_kind)


def _metric(name: str, about: str, values: dict[str, int]) -> Iterator[str]:
    yield f"# HELP {name} {about}"
    yield f"# TYPE {name} gauge"
    yield from (f"{name}{labels} {value}" for labels, value in values.items())


def _resident(process: int) -> int | None:
    try:
        pages = Path(f"/proc/{process}/statm").read_text().split()[1]
    except (OSError, IndexError):
        return None
    return int(pages) * os.sysconf("SC_PAGE_SIZE")


def _may_read(request: Request) -> bool:
    chosen = settings().metrics.answered
    if chosen != "this machine":
        return chosen == "everybody"
    host = "" if request.client is None else request.client.host
    try:
        local = ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False
    return local and not any(name in request.headers for name in PROXIED)

"""The shipped Containerfile, built, started, ended and started again: ``python -m tests.container``.

The image has to build from the clone, run as a user of its own, answer /health, draw a page and compute a
run. SIGTERM comes while another run computes: the server has to finish it and end with status 0, and a new
start on the same volume has to have both. Tried with podman, whose commands docker has, too; with buildah
alone the image is only built.

``--build`` and ``--run`` hand further options to the engine, as in ``--run "--network host" --port 8501``.
"""

import argparse
import asyncio
import secrets
import shlex
import shutil
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from tests.benchmarks.protocol import Session
from tests.browser.server import ROOT, free_port

PORT = 8501
"""Inside the container."""
ENGINES = ("podman", "docker", "buildah")
START_SECONDS, DRAW_SECONDS, STOP_SECONDS = 180.0, 180.0, 90
VISITOR = "c" * 64
SHORT = {"ao_method": "adam_warm", "ao_options": "steps=40,warm_up=2", "ao_anchors": "20", "ao_seeds": "8"}
LONGER = SHORT | {"ao_options": "steps=120,warm_up=2"}
"""A run that is not done when the server is ended, and is within its ``drain_seconds``."""


class CheckError(Exception):
    """Something is not as it has to be."""


def main() -> None:
    """Print what was done and how long it took; ends with status 1 at the first thing that is wrong."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--engine", help=f"by default the first that is there of {', '.join(ENGINES)}")
    parser.add_argument("--image", help="check this one, and build none")
    parser.add_argument("--build", default="", help="further options of the engine's build")
    parser.add_argument("--run", default="", help="further options of its run")
    parser.add_argument("--port", type=int, default=0, help="of this machine; by default a free one")
    options = parser.parse_args()
    engine = options.engine or next(filter(shutil.which, ENGINES), None)
    if engine is None:
        sys.exit(f"There is none of {', '.join(ENGINES)}; on Debian: apt-get install podman")
    try:
        image = options.image or built(engine, shlex.split(options.build))
        if engine == "buildah":
            print("buildah starts no servers: the image was built, and nothing else checked")
        else:
            check(engine, image, options.port or free_port(), shlex.split(options.run))
    except CheckError as wrong:
        sys.exit(f"FAILED: {wrong}")


def built(engine: str, further: Sequence[str]) -> str:
    """Build the image from the clone; gives its name."""
    form = [] if engine == "docker" else ["--format", "docker"]
    image = "localhost/relviz-check"
    containerfile = ROOT / "docs" / "server" / "Containerfile"
    began = time.monotonic()
    command = [engine, "build", *form, "-f", str(containerfile), "-t", image, *further, str(ROOT)]
    if subprocess.run(command).returncode:
        raise CheckError(f"The image is not built: {shlex.join(command)}")
    told(began, f"{image} is built")
    return image


def check(engine: str, image: str, port: int, further: Sequence[str]) -> None:
    """Start an image, look at it, end it, and start it again with the same volume."""
    size = int(said(engine, "image", "inspect", "--format", "{{.Size}}", image))
    print(f"size of the image: {size / 2**30:.2f} GiB")
    with container(engine, image, port, further) as name:
        if said(engine, "exec", name, "id", "-un") != "relviz":
            raise CheckError("The server runs as another user than relviz.")
        if engine == "podman":
            said(engine, "healthcheck", "run", name)
            print("its health check passes")
        asyncio.run(draw_and_run(port))
        end(engine, name, "Ending: 1 unfinished run")
        began = time.monotonic()
        said(engine, "start", name)
        wait_for_health(engine, name, port, began)
        asyncio.run(find_again(port))
        end(engine, name, "The server has ended")


@contextmanager
def container(engine: str, image: str, port: int, further: Sequence[str]) -> Iterator[str]:
    """One that answers /health, with a volume of its own; both are removed in the end. Gives its name."""
    name = f"relviz-check-{secrets.token_hex(4)}"
    mapped = ["-p", f"127.0.0.1:{port}:{PORT}", "-v", f"{name}:/var/lib/relviz"]
    began = time.monotonic()
    try:
        said(engine, "run", "-d", "--name", name, *mapped, *further, image)
        wait_for_health(engine, name, port, began)
        yield name
    except (CheckError, TimeoutError, OSError):
        print(log_of(engine, name)[-4000:], file=sys.stderr)
        raise
    finally:
        subprocess.run([engine, "rm", "-f", name], capture_output=True)
        subprocess.run([engine, "volume", "rm", "-f", name], capture_output=True)


def wait_for_health(engine: str, name: str, port: int, began: float) -> None:
    """Until /health answers 200."""
    while time.monotonic() < began + START_SECONDS:
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{port}/health", timeout=5) as answered:
                told(began, f"/health says {answered.read().decode()}")
            return
        except OSError:
            if said(engine, "inspect", "--format", "{{.State.Running}}", name) != "true":
                raise CheckError("The container has ended by itself.") from None
            time.sleep(0.2)
    raise CheckError(f"/health does not answer within {START_SECONDS:.0f} s.")


async def draw_and_run(port: int) -> None:
    """Draw Compare, compute a run to its end, and leave another one going."""
    address, began = f"http://127.0.0.1:{port}", time.monotonic()
    session = await Session.open(address, "compare", {}, VISITOR)
    await session.until(lambda: "retrieve their counterpart" in session.said(), DRAW_SECONDS)
    await session.close()
    told(began, "Compare is drawn")
    began = time.monotonic()
    session = await Session.open(address, "bootstrap", SHORT, VISITOR)
    await session.until(lambda: session.has("button", "Run"), DRAW_SECONDS)
    await session.press("Run")
    await session.until(lambda: session.has("button", "Replay"), DRAW_SECONDS)
    await session.close()
    told(began, "a run is done")
    session = await Session.open(address, "bootstrap", LONGER, VISITOR)
    await session.until(lambda: session.has("button", "Run"), DRAW_SECONDS)
    await session.press("Run")
    await session.until(lambda: session.has("button", "Cancel"), DRAW_SECONDS)
    await session.close()


async def find_again(port: int) -> None:
    """Both runs are there without another start."""
    for params in (SHORT, LONGER):
        began = time.monotonic()
        session = await Session.open(f"http://127.0.0.1:{port}", "bootstrap", params, VISITOR)
        await session.until(
            lambda: session.has("button", "Replay") or session.has("button", "Run"),  # noqa: B023
            DRAW_SECONDS,
        )
        found = session.has("button", "Replay")
        await session.close()
        if not found:
            raise CheckError(f"The run {params['ao_options']} is not kept in the volume.")
        told(began, f"the run {params['ao_options']} is found again")


def end(engine: str, name: str, words: str) -> None:
    """Send SIGTERM and wait: the log has to have some words, and the status to be 0."""
    began = time.monotonic()
    said(engine, "stop", "-t", str(STOP_SECONDS), name)
    status = int(said(engine, "inspect", "--format", "{{.State.ExitCode}}", name))
    log = log_of(engine, name)
    told(began, f"ended by SIGTERM with status {status}")
    if status:
        raise CheckError(f"The server ended with status {status}.")
    if words not in log or "is canceled: the server ends" in log:
        raise CheckError(f"The server ended without a drain ({words!r} in its log).")


def log_of(engine: str, name: str) -> str:
    """What the container has written so far."""
    log = subprocess.run([engine, "logs", name], capture_output=True, text=True)
    return log.stdout + log.stderr


def said(*command: str) -> str:
    """What a command says; CheckError with its complaint if it fails."""
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        raise CheckError(f"{shlex.join(command)}: {done.stderr.strip()[-2000:]}")
    return done.stdout.strip()


def told(began: float, words: str) -> None:
    print(f"{time.monotonic() - began:6.1f} s: {words}", flush=True)


if __name__ == "__main__":
    main()

"""What a server that ran for long gives back."""

import platform
import subprocess
import sys

import pytest

from relviz.compute import memory

COUNTED = """
import ctypes, runpy, sys, threading
memory, said, shares = sys.argv[1:]
if shares:
    runpy.run_path(memory)["share_heaps"]()
libc, all_here = ctypes.CDLL(None), threading.Barrier(8)
libc.fopen.restype = ctypes.c_void_p

def hold():
    held = bytes(10_000)
    all_here.wait()

threads = [threading.Thread(target=hold) for _ in range(8)]
for thread in threads: thread.start()
for thread in threads: thread.join()
file = ctypes.c_void_p(libc.fopen(said.encode(), b"w"))
libc.malloc_info(0, file)
libc.fclose(file)
"""


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="Heaps are counted as glibc tells them.")
def test_threads_share_two_heaps_however_many_there_are(tmp_path):
    heaps = []
    for shares in ("", "shares"):
        said = tmp_path / f"heaps {shares}.xml"
        subprocess.run([sys.executable, "-c", COUNTED, memory.__file__, said, shares], check=True)
        heaps.append(said.read_text().count("<heap nr="))
    alone, shared = heaps
    assert shared <= 2 < alone

"""The shipped nginx.conf, started by a user on free ports before a relviz that runs."""

import os
import shutil
import socket
import subprocess
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from ipaddress import ip_address
from pathlib import Path

import pytest

from tests.browser.server import ROOT, free_port

CONF = ROOT / "docs" / "server" / "nginx.conf"
NAME = "relviz.example.org"
"""The server's name in the conf."""
NGINX = shutil.which("nginx", path=f"{os.environ.get('PATH', '')}:/usr/sbin")
"""Debian keeps it where only root's path leads."""
PATIENCE = 10.0

WHOLE = """
daemon off;
worker_processes 1;
{user}pid {folder}/nginx.pid;
error_log stderr;
events {{}}
http {{
    access_log off;
    client_body_temp_path {folder}/body;
    proxy_temp_path {folder}/proxy;
    fastcgi_temp_path {folder}/fastcgi;
    uwsgi_temp_path {folder}/uwsgi;
    scgi_temp_path {folder}/scgi;
    include {folder}/relviz.conf;
}}
"""
"""What a distribution has around the conf."""


@dataclass(frozen=True)
class Proxy:
    """An nginx that runs: its ports on this machine, its certificate, and the file with its log."""

    http: int
    https: int
    certificate: Path
    log: Path


@contextmanager
def nginx(
    folder: Path, app: str, changed: Mapping[str, str] | None = None, server: str = "nginx"
) -> Iterator[Proxy]:
    """Start the shipped conf before an app; ports, paths and what is ``changed`` are replaced in its text.

    Files go to ``folder``, which may have several under different names.
    """
    folder = folder / server
    folder.mkdir()
    proxy = Proxy(free_port(), free_port(), folder / "fullchain.pem", folder / "log.txt")
    certify(folder)
    text = replaced(
        CONF.read_text(encoding="utf-8"),
        {
            "listen 80;": f"listen 127.0.0.1:{proxy.http};",
            "listen [::]:80;": "",
            "listen 443 ": f"listen 127.0.0.1:{proxy.https} ",
            "listen [::]:443 ssl http2;": "",
            "/etc/ssl/relviz": str(folder),
            "http://127.0.0.1:8501": app.replace("localhost", "127.0.0.1"),
            **(changed or {}),
        },
    )
    (folder / "relviz.conf").write_text(text, encoding="utf-8")
    user = "user root;\n" if os.geteuid() == 0 else ""  # else its workers may not read the test's folder
    whole = folder / "nginx.conf"
    whole.write_text(WHOLE.format(folder=folder, user=user), encoding="utf-8")
    with proxy.log.open("w") as log:
        process = subprocess.Popen(
            [NGINX, "-p", folder, "-e", "stderr", "-c", whole], stdin=subprocess.DEVNULL, stderr=log
        )
    try:
        _wait_for(proxy, process)
        yield proxy
    finally:
        process.terminate()
        process.wait(PATIENCE)


def replaced(text: str, by: Mapping[str, str]) -> str:
    """A text with some of its words replaced; each has to be there, else the test tests something else."""
    for words, other in by.items():
        assert words in text, f"{words!r} is not in the file any more."
        text = text.replace(words, other)
    return text


def certify(folder: Path) -> None:
    """Write a certificate of the server's name and of this machine, signed by itself, and its key."""
    x509 = pytest.importorskip("cryptography.x509", reason="It comes with Authlib")
    from cryptography.hazmat.primitives import hashes, serialization
    from cryptography.hazmat.primitives.asymmetric import ec

    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, NAME)])
    places = [x509.DNSName(NAME), x509.IPAddress(ip_address("127.0.0.1"))]
    now = datetime.now(UTC)
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(minutes=5))
        .not_valid_after(now + timedelta(hours=1))
        .add_extension(x509.SubjectAlternativeName(places), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    pem = serialization.Encoding.PEM
    (folder / "fullchain.pem").write_bytes(certificate.public_bytes(pem))
    (folder / "privkey.pem").write_bytes(
        key.private_bytes(pem, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    )


def _wait_for(proxy: Proxy, process: "subprocess.Popen[bytes]") -> None:
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until and process.poll() is None:
        try:
            socket.create_connection(("127.0.0.1", proxy.https), timeout=1).close()
        except OSError:
            time.sleep(0.05)
        else:
            return
    raise TimeoutError(f"nginx does not answer: {proxy.log.read_text()[-2000:]}")

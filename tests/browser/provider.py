"""An OpenID Connect provider on this machine, whose users sign in with a click on their name."""

import base64
import json
import secrets
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit

import pytest

rsa = pytest.importorskip("cryptography.hazmat.primitives.asymmetric.rsa", reason="It comes with Authlib")
padding = pytest.importorskip("cryptography.hazmat.primitives.asymmetric.padding")
hashes = pytest.importorskip("cryptography.hazmat.primitives.hashes")

CLIENT, PASSWORD = "relviz", "of the test"


@contextmanager
def provider(users: tuple[str, ...]) -> Iterator[str]:
    """Serve on a free port of loopback; gives the address."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Provider)
    server.users = users  # type: ignore[attr-defined]
    server.address = f"http://127.0.0.1:{server.server_port}"  # type: ignore[attr-defined]
    server.key = rsa.generate_private_key(65537, 2048)  # type: ignore[attr-defined]
    server.codes = {}  # type: ignore[attr-defined]  # what was asked for with each code
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield server.address  # type: ignore[attr-defined]
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def settings(folder: Path, app: str, issuer: str) -> dict[str, str]:
    """Files with which the app lets users of a provider in, relviz' settings and Streamlit's secrets, by the
    variables that name them.
    """
    chosen, secret = folder / "relviz.toml", folder / "secrets.toml"
    chosen.write_text('[visitors]\nknown_by = "login"\n')
    secret.write_text(
        f'[auth]\nredirect_uri = "{app}/oauth2callback"\ncookie_secret = "{secrets.token_hex(16)}"\n'
        f'client_id = "{CLIENT}"\nclient_secret = "{PASSWORD}"\n'
        f'server_metadata_url = "{issuer}/.well-known/openid-configuration"\n'
    )
    return {"RELVIZ_SETTINGS": str(chosen), "STREAMLIT_SECRETS_FILES": str(secret)}


class _Provider(BaseHTTPRequestHandler):
    server: Any

    def do_GET(self) -> None:
        split = urlsplit(self.path)
        asked = {name: values[0] for name, values in parse_qs(split.query).items()}
        if split.path == "/.well-known/openid-configuration":
            here = self.server.address
            self._json(
                {
                    "issuer": here,
                    "authorization_endpoint": f"{here}/authorize",
                    "token_endpoint": f"{here}/token",
                    "jwks_uri": f"{here}/keys",
                    "response_types_supported": ["code"],
                    "subject_types_supported": ["public"],
                    "id_token_signing_alg_values_supported": ["RS256"],
                }
            )
        elif split.path == "/keys":
            public = self.server.key.public_key().public_numbers()
            key = {"kty": "RSA", "kid": "1", "use": "sig", "alg": "RS256"}
            self._json({"keys": [key | {"n": _number(public.n), "e": _number(public.e)}]})
        elif split.path == "/authorize":
            self._offer_users(asked)
        else:
            self.send_error(404)

    def do_POST(self) -> None:
        given = parse_qs(self.rfile.read(int(self.headers["content-length"])).decode())
        user, asked = self.server.codes.pop(given["code"][0])
        now = int(time.time())
        claims = {"iss": self.server.address, "sub": user, "aud": CLIENT, "iat": now, "exp": now + 600}
        claims |= {"nonce": asked["nonce"], "name": user.capitalize(), "email": f"{user}@example.org"}
        self._json(
            {"access_token": secrets.token_hex(8), "token_type": "Bearer", "id_token": self._signed(claims)}
        )

    def _offer_users(self, asked: dict[str, str]) -> None:
        links = []
        for user in self.server.users:
            code = secrets.token_hex(8)
            self.server.codes[code] = user, asked
            back = f"{asked['redirect_uri']}?{urlencode({'code': code, 'state': asked['state']})}"
            links.append(f'<a href="{back}">{user}</a>')
        self._send("<!doctype html><title>Who are you?</title>" + " ".join(links), "text/html")

    def _signed(self, claims: dict[str, object]) -> str:
        parts = [json.dumps(part).encode() for part in ({"alg": "RS256", "kid": "1"}, claims)]
        said = ".".join(map(_in_64, parts))
        return f"{said}.{_in_64(self.server.key.sign(said.encode(), padding.PKCS1v15(), hashes.SHA256()))}"

    def _json(self, said: dict[str, object]) -> None:
        self._send(json.dumps(said), "application/json")

    def _send(self, text: str, kind: str) -> None:
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.end_headers()
        self.wfile.write(text.encode())

    def log_message(self, *_: object) -> None:
        """Nothing is written beside the test's own lines."""


def _in_64(raw: bytes) -> str:
    return base64.urlsafe_b64encode(raw).rstrip(b"=").decode()


def _number(value: int) -> str:
    return _in_64(value.to_bytes((value.bit_length() + 7) // 8, "big"))

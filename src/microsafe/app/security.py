"""The guard of the app: which requests are answered at all.

A page of another site that is open in the same browser must not be able to ask, nor one that
has its name point at this machine, nor another program that does not know the key.
"""

from __future__ import annotations

import secrets
from collections.abc import Awaitable, Callable, Mapping, MutableMapping, Sequence
from typing import Any

from microsafe.app.refusal import Refusal
from microsafe.app.wire import encode_message

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]

API = "/api/"
DOCUMENTS = "/report/"
_READ_METHODS = ("GET", "HEAD")

_POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' data:",
        "connect-src 'self'",
        "frame-src 'self'",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
        "require-trusted-types-for 'script'",
        "trusted-types 'none'",
    )
)
HEADERS: Mapping[str, str] = {
    "content-security-policy": _POLICY,
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "cross-origin-embedder-policy": "require-corp",
    "cache-control": "no-store",
}
# A report is a page of its own: it has its style within, runs nothing, and is of no origin. (A page
# of no origin may not ask to be alone in its group; nobody opens it but by `noopener`.) The app
# alone may show it in a frame.
DOCUMENT_HEADERS: Mapping[str, str] = {
    "content-security-policy": "; ".join(
        (
            "default-src 'none'",
            "style-src 'unsafe-inline'",
            "img-src data:",
            "base-uri 'none'",
            "form-action 'none'",
            "frame-ancestors 'self'",
            "require-trusted-types-for 'script'",
            "trusted-types 'none'",
            "sandbox allow-downloads",
        )
    ),
    "x-frame-options": "SAMEORIGIN",
    "cross-origin-opener-policy": "unsafe-none",
}
_EXTRA_HEADERS = [(name.encode(), value.encode()) for name, value in HEADERS.items()]


class RequestGuard:
    """Passes on requests that are addressed to this app, have its key and come from its page.

    Args:
        app: The application to guard.
        port: Port that the app listens on.
        key: Key that every request must have.
    """

    def __init__(self, app: App, *, port: int, key: str) -> None:
        self._app = app
        self._hosts = tuple(f"{name}:{port}".encode() for name in ("127.0.0.1", "localhost"))
        self._key = key.encode()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, or refuse it."""
        if scope["type"] == "lifespan":
            return await self._app(scope, receive, send)
        if scope["type"] != "http":
            return await send({"type": "websocket.close", "code": 1008})

        async def send_secured(message: MutableMapping[str, Any]) -> None:
            if message["type"] == "http.response.start":
                told = list(message.get("headers", ()))
                own = {name.lower() for name, _ in told}
                message["headers"] = told + [
                    header for header in _EXTRA_HEADERS if header[0] not in own
                ]
            await send(message)

        try:
            self._check_request(scope)
        except Refusal as refused:
            await _send_refusal(refused, send_secured)
        else:
            await self._app(scope, receive, send_secured)

    def _check_request(self, scope: Scope) -> None:
        host = _read_headers(scope, b"host")
        if len(host) != 1 or host[0].lower() not in self._hosts:
            raise Refusal(
                421, "This is not the address of the app.", "Use the link that it printed."
            )
        if scope["path"].startswith(DOCUMENTS):  # has a ticket, as a link cannot send the key
            return self._check_site(scope, allowed=(b"same-origin", b"none"))
        if not scope["path"].startswith(API):
            return None
        given = _read_headers(scope, b"authorization")
        if len(given) != 1 or not self._has_key(given[0]):
            raise Refusal(401, "The key is wrong.", "Use the link that the app printed.")
        return None if scope["method"] in _READ_METHODS else self._check_site(scope)

    def _has_key(self, given: bytes) -> bool:
        scheme, _, key = given.partition(b" ")
        return secrets.compare_digest(key, self._key) and scheme.lower() == b"bearer"

    def _check_site(self, scope: Scope, allowed: Sequence[bytes] = (b"same-origin",)) -> None:
        """Browsers say where a question comes from; other programs need not."""
        own = {b"http://" + host for host in self._hosts}
        if any(header.lower() not in own for header in _read_headers(scope, b"origin")):
            raise Refusal(403, "Requests from other sites are refused.")
        if any(header not in allowed for header in _read_headers(scope, b"sec-fetch-site")):
            raise Refusal(403, "Requests from other sites are refused.")


def _read_headers(scope: Scope, name: bytes) -> list[bytes]:
    return [value for key, value in scope["headers"] if key.lower() == name]


async def _send_refusal(refused: Refusal, send: Send) -> None:
    body = encode_message(refused.problem)
    headers = [(b"content-type", b"application/json"), (b"content-length", b"%d" % len(body))]
    if refused.status == 401:
        headers.append((b"www-authenticate", b"Bearer"))
    await send({"type": "http.response.start", "status": refused.status, "headers": headers})
    await send({"type": "http.response.body", "body": body})

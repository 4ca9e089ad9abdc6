"""What stands between the network and the API: who may ask, from which page, and how much they may send."""

import hmac
import json
from http.cookies import CookieError, SimpleCookie
from urllib.parse import parse_qs, urlsplit

from starlette.types import ASGIApp, Message, Receive, Scope, Send

COOKIE = "keysift_token"
LOOPBACK = ("127.0.0.1", "localhost", "::1")
BODY = 8_000_000
"""Bytes of a request that is no file."""
POLICY = (
    "default-src 'self'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self';"
    " object-src 'none'; base-uri 'none'; frame-ancestors 'none'; form-action 'self'"
)
HEADERS = (
    ("content-security-policy", POLICY),
    ("x-content-type-options", "nosniff"),
    ("x-frame-options", "DENY"),
    ("referrer-policy", "no-referrer"),
    ("cross-origin-resource-policy", "same-origin"),
    ("cross-origin-opener-policy", "same-origin"),
)


class Guard:
    """Refuses requests for other hosts, from other pages, without the token, and those that are too large.

    The host is checked because a name of somebody else's may be made to lead to this machine (where there is a token,
    they would not have it), and the origin because any page in the same browser may send requests here.
    """

    def __init__(self, app: ASGIApp, token: str | None, most: int) -> None:
        self.app, self.token, self.most = app, token, most

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve a request, or say why not."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        headers = {name.decode("latin-1"): value.decode("latin-1") for name, value in scope["headers"]}

        async def sealed(message: Message) -> None:
            if message["type"] == "http.response.start":
                known = {name for name, _ in message["headers"]}
                extra = [*HEADERS, ("cache-control", "no-store" if scope["path"].startswith("/api") else "no-cache")]
                message["headers"] = [
                    *message["headers"],
                    *((name.encode(), value.encode()) for name, value in extra if name.encode() not in known),
                ]
            await send(message)

        refusal = self._refusal(scope, headers)
        if refusal is not None:
            await _refuse(sealed, *refusal)
        elif self._brings_token(scope):
            await _go_on(sealed, str(self.token))
        else:
            await self._bounded(scope, receive, sealed, headers)

    def _refusal(self, scope: Scope, headers: dict[str, str]) -> tuple[int, str] | None:
        host = headers.get("host", "")
        if self.token is None and _hostname(host) not in LOOPBACK:
            return (
                400,
                f"This server does not answer for the host {host!r}; open the address that keysift serve printed.",
            )
        origin = headers.get("origin")
        if origin is not None and urlsplit(origin).netloc != host:
            return 403, f"Requests from the page {origin!r} are refused; use the page of keysift itself."
        if headers.get("sec-fetch-site") == "cross-site" and scope["path"].startswith("/api"):
            return 403, "Requests from other pages are refused; use the page of keysift itself."
        if self.token is not None and not self._known(headers) and not self._brings_token(scope):
            return 401, "A token is needed: open the address that keysift serve printed, or send it as a bearer token."
        length = headers.get("content-length", "0")
        if not length.isdigit() or int(length) > self._limit(scope):
            return 413, _too_large(self._limit(scope))
        return None

    def _known(self, headers: dict[str, str]) -> bool:
        """Whether the token comes with the request, in the cookie or as a bearer."""
        bearer = headers.get("authorization", "").removeprefix("Bearer ")
        try:
            cookie = SimpleCookie(headers.get("cookie", "")).get(COOKIE)
        except CookieError:
            cookie = None
        return self._right(bearer) or (cookie is not None and self._right(cookie.value))

    def _brings_token(self, scope: Scope) -> bool:
        """Whether somebody opens the page with the address that was printed."""
        if self.token is None or scope["path"] != "/" or scope["method"] != "GET":
            return False
        return any(map(self._right, parse_qs(scope["query_string"].decode("latin-1")).get("token", [])))

    def _right(self, token: str) -> bool:
        return self.token is not None and hmac.compare_digest(token.encode(), self.token.encode())

    def _limit(self, scope: Scope) -> int:
        return self.most if scope["path"].startswith("/api/files/") else BODY

    async def _bounded(self, scope: Scope, receive: Receive, send: Send, headers: dict[str, str]) -> None:
        """Serve, but read no more than is allowed, whatever the length was said to be."""
        left, limit = [self._limit(scope)], self._limit(scope)
        refused = False

        async def counted() -> Message:
            nonlocal refused
            message = await receive()
            left[0] -= len(message.get("body", b""))
            if left[0] < 0 and not refused:
                refused = True
                await _refuse(send, 413, _too_large(limit))
                return {"type": "http.disconnect"}
            return message

        async def unless_refused(message: Message) -> None:
            if not refused:
                await send(message)

        await self.app(scope, receive if "content-length" in headers else counted, unless_refused)


def _hostname(host: str) -> str:
    """The name in a Host header, without the port.

    >>> _hostname("127.0.0.1:8765"), _hostname("[::1]:80"), _hostname("localhost")
    ('127.0.0.1', '::1', 'localhost')
    """
    try:
        return urlsplit(f"//{host}").hostname or ""
    except ValueError:
        return ""


def _too_large(limit: int) -> str:
    return f"The request is too large: at most {limit / 1e6:,.0f} MB are taken."


async def _refuse(send: Send, status: int, sentence: str) -> None:
    body = json.dumps({"error": sentence}).encode()
    kind = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode())]
    kind += [(b"www-authenticate", b"Bearer")] if status == 401 else []
    await send({"type": "http.response.start", "status": status, "headers": kind})
    await send({"type": "http.response.body", "body": body})


async def _go_on(send: Send, token: str) -> None:
    """Keep the token in a cookie, so that it is not in the address any more."""
    cookie = f"{COOKIE}={token}; HttpOnly; SameSite=Strict; Path=/".encode()
    headers = [(b"location", b"/"), (b"set-cookie", cookie), (b"content-length", b"0")]
    await send({"type": "http.response.start", "status": 303, "headers": headers})
    await send({"type": "http.response.body", "body": b""})

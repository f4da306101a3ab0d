"""Check the size, the rate and the origin of every request, and add headers to every answer."""

from __future__ import annotations

from collections.abc import Callable
from time import monotonic
from urllib.parse import urlsplit

import attrs
from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

MOST_BYTES = 64_000
"""The maximum size of a request, in bytes."""
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; font-src data:; connect-src 'self'; "
    "form-action 'self'; frame-ancestors 'none'; base-uri 'none'"
)
_HEADERS = {
    "Content-Security-Policy": POLICY,
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
}


class TooLargeError(Exception):
    """Raised if a request is larger than the limit."""


@attrs.define
class Rates:
    """A rate limit for each key: a token bucket that fills again with time."""

    burst: float
    each_second: float
    most: int = 10_000
    clock: Callable[[], float] = monotonic
    _buckets: dict[str, tuple[float, float]] = attrs.field(factory=dict)

    def may(self, key: str) -> bool:
        """Return whether the key may act once more now."""
        now = self.clock()
        left, then = self._buckets.pop(key, (self.burst, now))
        left = min(self.burst, left + (now - then) * self.each_second)
        may = left >= 1
        self._buckets[key] = (left - 1 if may else left, now)
        while len(self._buckets) > self.most:
            del self._buckets[next(iter(self._buckets))]
        return may


@attrs.define
class Guard:
    """Wraps an application."""

    app: ASGIApp
    refuse: Callable[[Request, str, int], Response]
    """The answer to a request that is refused, from a word for the reason and a status."""
    public: str = ""
    """The public address of the server, if it differs from the address in requests."""
    asked: Rates = attrs.field(factory=lambda: Rates(200, 40))
    sent: Rates = attrs.field(factory=lambda: Rates(60, 10))

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Refuse requests above the rate limit or from other sites; pass on all others."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        address = str((scope.get("client") or ("",))[0])
        is_sent = scope["method"] not in ("GET", "HEAD")
        refusal = None
        if not (self.sent if is_sent else self.asked).may(address):
            refusal = "too-fast", 429
        elif is_sent and not self._is_ours(headers):
            refusal = "no-form", 403
        elif _length(headers) > MOST_BYTES:
            refusal = "too-large", 413

        async def answer(message: Message) -> None:
            if message["type"] == "http.response.start":
                found = MutableHeaders(scope=message)
                for name, value in _HEADERS.items():
                    found.setdefault(name, value)
                found.setdefault("Cache-Control", "no-store")
            await send(message)

        read = 0

        async def receive_limited() -> Message:
            nonlocal read
            message = await receive()
            read += len(message.get("body", b""))
            if read > MOST_BYTES:
                raise TooLargeError
            return message

        if refusal is not None:
            response = self.refuse(Request(scope), *refusal)
            if response.status_code == 429:
                response.headers["Retry-After"] = "5"
            await response(scope, receive, answer)
            return
        await self.app(scope, receive_limited, answer)

    def _is_ours(self, headers: Headers) -> bool:
        """Return whether a request comes from one of our pages, or from a program other than a browser."""
        if headers.get("sec-fetch-site", "same-origin") not in ("same-origin", "none"):
            return False
        origin = headers.get("origin")
        if origin in (
            None,
            "null",
        ):  # forms send "null" under the referrer policy `no-referrer`
            return True
        hosts = {headers.get("host", "")}
        if self.public:
            hosts.add(urlsplit(self.public).netloc)
        return urlsplit(origin or "").netloc in hosts


def _length(headers: Headers) -> int:
    said = headers.get("content-length", "0")
    return int(said) if said.isascii() and said.isdecimal() and len(said) < 12 else MOST_BYTES + 1

"""The signature by which push services recognise a server (VAPID, RFC 8292): ECDSA over P-256 with SHA-256.

The signature is implemented here so that notices need no further library: a server signs at most a few
times a minute. The nonce of a signature is derived from the key and the text (RFC 6979).
"""

from __future__ import annotations

import hmac
import json
from base64 import urlsafe_b64encode
from collections.abc import Mapping
from hashlib import sha256
from secrets import randbelow
from typing import TypeAlias

_P = 2**256 - 2**224 + 2**192 + 2**96 - 1
_N = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551
_G = (
    0x6B17D1F2E12C4247F8BCE6E563A440F277037D812DEB33A0F4A13945D898C296,
    0x4FE342E2FE1A7F9B8EE7EB4A7C0F9E162BCE33576B315ECECBB6406837BF51F5,
)
_Point: TypeAlias = tuple[int, int] | None


def new_key() -> str:
    """Return a new private key, as a number in hexadecimal digits."""
    return f"{1 + randbelow(_N - 1):064x}"


def public_key(key: str) -> str:
    """Return the public key, in the form that browsers and push services expect."""
    point = _times(int(key, 16), _G)
    assert point is not None
    return _text(b"\4" + b"".join(one.to_bytes(32, "big") for one in point))


def token(claims: Mapping[str, object], key: str) -> str:
    """Return a token (JWT) with these claims, signed with the key."""
    parts = ({"typ": "JWT", "alg": "ES256"}, claims)
    said = ".".join(_text(json.dumps(part, separators=(",", ":")).encode()) for part in parts)
    r, s = signature(said.encode(), int(key, 16))
    return f"{said}.{_text(r.to_bytes(32, 'big') + s.to_bytes(32, 'big'))}"


def signature(message: bytes, key: int) -> tuple[int, int]:
    """Return the two numbers of a signature."""
    digest = sha256(message).digest()
    while True:
        number = _number(digest, key)
        point = _times(number, _G)
        assert point is not None
        r = point[0] % _N
        s = pow(number, -1, _N) * (int.from_bytes(digest, "big") + r * key) % _N
        if r and s:
            return r, s


def _number(digest: bytes, key: int) -> int:
    """Return the nonce of a signature, which must stay secret."""
    hashed = key.to_bytes(32, "big") + (int.from_bytes(digest, "big") % _N).to_bytes(32, "big")
    value, secret = b"\1" * 32, b"\0" * 32
    for round in (b"\0", b"\1"):
        secret = hmac.digest(secret, value + round + hashed, "sha256")
        value = hmac.digest(secret, value, "sha256")
    while True:
        value = hmac.digest(secret, value, "sha256")
        found = int.from_bytes(value, "big")
        if 0 < found < _N:
            return found
        secret = hmac.digest(secret, value + b"\0", "sha256")
        value = hmac.digest(secret, value, "sha256")


def _times(factor: int, point: _Point) -> _Point:
    found: _Point = None
    while factor:
        if factor & 1:
            found = _plus(found, point)
        point = _plus(point, point)
        factor >>= 1
    return found


def _plus(one: _Point, other: _Point) -> _Point:
    """Add two points of the curve; None is the point at infinity."""
    if one is None or other is None:
        return other if one is None else one
    (x, y), (u, v) = one, other
    if x == u and (y + v) % _P == 0:
        return None
    rise, run = (3 * x * x - 3, 2 * y) if one == other else (v - y, u - x)
    slope = rise * pow(run, -1, _P)
    w = (slope * slope - x - u) % _P
    return w, (slope * (x - w) - y) % _P


def _text(data: bytes) -> str:
    return urlsafe_b64encode(data).decode().rstrip("=")

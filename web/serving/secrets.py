"""Secrets of links: 128 bits each, derived from the secret of the server, so no row of the database
contains one.

A new link for a seat increments the number of the seat's links, so the earlier link is no longer valid.
"""

from __future__ import annotations

import hmac
from base64 import urlsafe_b64encode
from functools import lru_cache
from hashlib import sha256
from secrets import token_hex

import attrs

from rulewright.web.tables.table import Table

HOST = -2
WATCH = -1


@attrs.frozen
class Secrets:
    """Makes and checks secrets."""

    _secret: bytes = attrs.field(repr=False)

    def link(self, table: Table, role: int) -> str:
        """Return the secret of a seat, of `WATCH` or of `HOST`."""
        return _make_token(self._secret, "link", table.id, str(role), str(table.links.get(role, 0)))

    def role(self, table: Table, token: str) -> int | None:
        """Return the role that a secret belongs to, or None if there is none; each comparison takes
        constant time.
        """
        found: int | None = None
        for role in (HOST, WATCH, *range(table.persons)):
            if hmac.compare_digest(self.link(table, role).encode(), token.encode()):
                found = role
        return found

    def holds(self, table: Table, role: int, token: str) -> bool:
        """Return whether `token` is the secret of a role."""
        return hmac.compare_digest(self.link(table, role).encode(), token.encode())

    def form(self, table: Table, role: int) -> str:
        """Return the token in a form of a page, so that no other site can send the form."""
        return _make_token(self._secret, "form", table.id, str(role), self.link(table, role))

    def address(self, table: str, seat: int, address: str) -> str:
        """Return a token with which the owner of an address confirms the address or stops notices to it."""
        return _make_token(self._secret, "address", table, str(seat), address)

    def is_address(self, table: str, seat: int, address: str, token: str) -> bool:
        """Return whether a token belongs to an address."""
        return hmac.compare_digest(self.address(table, seat, address).encode(), token.encode())

    def is_form(self, table: Table, role: int, token: str) -> bool:
        """Return whether a form comes from one of our pages."""
        return hmac.compare_digest(self.form(table, role).encode(), token.encode())


@lru_cache(8_192)
def _make_token(secret: bytes, *words: str) -> str:
    """Return a token; cached, because each request needs several tokens, often the same ones."""
    digest = hmac.new(secret, "|".join(words).encode(), sha256).digest()
    return urlsafe_b64encode(digest[:16]).decode().rstrip("=")


def new_id() -> str:
    """Return the name of a new table, which nobody can guess."""
    return token_hex(8)

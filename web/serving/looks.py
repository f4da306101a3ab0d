"""The looks of games: the stylesheets and art beside their rules, each at its own address."""

from __future__ import annotations

import asyncio
from hashlib import sha256
from pathlib import Path

import attrs
from starlette.requests import Request
from starlette.responses import Response

from rulewright.dsl.deep_calls import call_deeply
from rulewright.interpreter.views.scene import scene
from rulewright.pictures.beside import ART, Beside, beside
from rulewright.pictures.catalogue import thumbnail, typical
from rulewright.pictures.looks import PLAIN, Looks
from rulewright.web.serving.library import Library

_FOREVER = {"Cache-Control": "public, max-age=31536000, immutable"}
_NO_SCRIPT = {"Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'; sandbox"}
"""Headers for art, which is shown as an image; if opened alone, it can run no script."""


@attrs.define(eq=False)
class GameLooks:
    """The looks of the games that a server offers, which are read only once."""

    library: Library
    _found: dict[str, Beside] = attrs.field(factory=dict)
    _art: dict[str, Path] = attrs.field(factory=dict)
    """The files of art by their addresses."""
    _lock: asyncio.Lock = attrs.field(factory=asyncio.Lock)
    _pictures: dict[str, str] = attrs.field(factory=dict)
    """Pictures for the list of games: a position of each game as SVG."""

    async def of(self, name: str) -> Beside:
        """Return the looks of a game, or plain looks if the game is not offered."""
        if name not in self._found:
            async with self._lock:
                if name not in self._found:
                    self._found[name] = await asyncio.to_thread(call_deeply, self._load_looks, name)
        return self._found[name]

    def _load_looks(self, name: str) -> Beside:
        game = self.library.now(name)
        if game is None:
            return Beside(PLAIN)

        def address(path: Path) -> str:
            found = _address(name, path.name, path.read_bytes())
            self._art[found] = path
            return found

        return beside(game, name, address)

    async def style(self, name: str) -> str:
        """Return the address of the stylesheet of a game, or "" if it has none."""
        found = await self.of(name)
        return _address(name, "look.css", found.css.encode()) if found.css else ""

    async def answer(self, request: Request) -> Response | None:
        """Return a stylesheet or a picture, or None if there is neither at this address."""
        name = request.path_params["game"]
        if name not in self.library.names:
            return None
        found, address = await self.of(name), request.url.path
        if found.css and address == await self.style(name):
            return Response(found.css, media_type="text/css", headers=_FOREVER)
        path = self._art.get(address)
        if path is None:
            return None
        data = await asyncio.to_thread(path.read_bytes)
        kind = ART[path.suffix.casefold()]
        return Response(data, media_type=kind, headers={**_FOREVER, **_NO_SCRIPT})

    async def picture(self, name: str) -> Response | None:
        """Return a picture of a position for the list of games, which is drawn at the first request."""
        if name not in self.library.names:
            return None
        looks = (await self.of(name)).looks
        if name not in self._pictures:
            async with self._lock:  # one at a time, because requests of players come first
                if name not in self._pictures:
                    found = await asyncio.to_thread(call_deeply, self._draw_thumbnail, name, looks)
                    if found is None:
                        return None
                    self._pictures[name] = found
        headers = {"Cache-Control": "public, max-age=3600", **_NO_SCRIPT}
        return Response(self._pictures[name], media_type="image/svg+xml", headers=headers)

    def _draw_thumbnail(self, name: str, looks: Looks) -> str | None:
        game = self.library.now(name)
        if game is None:
            return None
        state = typical(game)
        return thumbnail(scene(state, max(0, state.player)), looks).svg()


def _address(game: str, name: str, data: bytes) -> str:
    return f"/looks/{game}/{sha256(data).hexdigest()[:10]}/{name}"

"""Send updates to open pages: the sections that have changed, as server-sent events.

Each stream remembers the content it has sent; a slow stream skips versions.
"""

from __future__ import annotations

import asyncio
import json
from collections import OrderedDict
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from functools import cached_property
from hashlib import blake2b
from html import escape
from types import MappingProxyType
from weakref import WeakKeyDictionary

import attrs

from rulewright.pictures.page import Section
from rulewright.web.pages.match import Parts
from rulewright.web.serving.hub import Hub, Live

BEAT = 20.0
"""The maximum number of seconds between two messages of a stream."""
RELOAD = 'event: sections\ndata: {"reload": true}\n\n'
MOST = 5_000
"""The maximum number of streams of a process."""


_AT_HAND = 32
"""The number of pages of all tables that are cached: other streams need a page right after it is rendered,
and nobody needs the page later.
"""
_write = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode


@attrs.frozen
class Sent:
    """The content of a page: its sections, and a number for the text of each section and of each part."""

    sections: tuple[str, ...] = ()
    numbers: Mapping[str, int] = MappingProxyType({})


@attrs.frozen(slots=False)
class Rendered:
    """The page of a viewer; `event` is the number of the table's last event."""

    event: int
    parts: Parts

    @cached_property
    def number(self) -> int:
        """A number computed from the content of the page alone, so that it reveals no hidden event."""
        found = blake2b(f"{self.parts.decision} {self.parts.player}".encode(), digest_size=6)
        for section in self.sections:
            found.update(section.digest)
        return int.from_bytes(found.digest())

    @cached_property
    def sections(self) -> tuple[Section, ...]:
        """The sections of the page in order."""
        return (*self.parts.all(),)

    @cached_property
    def sent(self) -> Sent:
        """The content that a page has after a complete update."""
        numbers: dict[str, int] = {}
        for section in self.sections:
            numbers[section.id] = _number(section)
            numbers.update((id, hash(html)) for id, html in section.parts)
        return Sent(tuple(section.id for section in self.sections), numbers)


def _number(section: Section) -> int:
    return hash((section.head, *(id for id, _ in section.parts)))


@attrs.define(eq=False)
class Stream:
    """The open page of a viewer."""

    key: str
    wake: asyncio.Event = attrs.field(factory=asyncio.Event)


@attrs.define(eq=False)
class Streams:
    """All streams of a process, and the last page for each kind of viewer."""

    hub: Hub
    _open: WeakKeyDictionary[Live, set[Stream]] = attrs.field(factory=WeakKeyDictionary)
    _rendered: OrderedDict[tuple[Live, str], Rendered] = attrs.field(factory=OrderedDict)
    count: int = 0
    is_closed: bool = False
    _turns: asyncio.Lock = attrs.field(factory=asyncio.Lock)
    """Streams take turns: between two pages the process reads requests and answers choices."""

    def __attrs_post_init__(self) -> None:
        """Subscribe to every change of a table."""
        self.hub.changed.append(self.wake_streams)

    def wake_streams(self, live: Live) -> None:
        """Wake the streams that show a table."""
        for stream in self._open.get(live, ()):
            stream.wake.set()

    def close(self) -> None:
        """End all streams, because the server is stopping; pages will connect to the next server."""
        self.is_closed = True
        for streams in self._open.values():
            for stream in streams:
                stream.wake.set()

    def forget(self, live: Live) -> None:
        """Render a table again at the next request."""
        for key in [key for key in self._rendered if key[0] is live]:
            del self._rendered[key]

    def cached_page(self, live: Live, key: str, render: Callable[[], Parts]) -> Rendered:
        """Return the page of a kind of viewer, rendered once for each event."""
        kept = self._rendered
        found = kept.get((live, key))
        if found is None or found.event != live.table.number:
            found = kept[live, key] = Rendered(live.table.number, render())
        kept.move_to_end((live, key))
        if len(kept) > _AT_HAND:
            kept.popitem(last=False)
        return found

    async def follow(
        self, live: Live, key: str, known: int, render: Callable[[], Parts]
    ) -> AsyncIterator[str]:
        """Yield the events for one page; `known` is the number of the content that the page now shows."""
        stream = Stream(key)
        self._open.setdefault(live, set()).add(stream)
        live.watchers += 1
        self.count += 1
        try:
            await self.hub.course_ready(live)
            now = self.cached_page(live, key, render)
            sent = now.sent if now.number == known else Sent()
            yield "retry: 2000\n\n" if now.number == known else message(now, sent)
            sent, number = now.sent, now.number
            del now
            while True:
                try:
                    async with asyncio.timeout(BEAT):
                        await stream.wake.wait()
                except TimeoutError:
                    yield ": still here\n\n"
                    continue
                async with self._turns:
                    await asyncio.sleep(0)
                stream.wake.clear()
                if self.is_closed:
                    return
                if live.is_gone:
                    yield RELOAD
                    return
                async with live.lock:  # while the lock is held, no work is unfinished
                    await self.hub.course_ready(live)
                    now = self.cached_page(live, key, render)
                if now.number != number:
                    text = message(now, sent)
                    sent, number = now.sent, now.number
                    yield text
                del now
        finally:
            self._open[live].discard(stream)
            live.watchers -= 1
            self.count -= 1


def message(now: Rendered, sent: Sent) -> str:
    """Return the event with the changes of a page since the content that was sent before."""
    data: dict[str, object] = {
        "decision": now.parts.decision,
        "player": now.parts.player,
        "sections": dict(_changed_parts(now, sent.numbers)),
    }
    if sent.sections and sent.sections != now.sent.sections:
        data["reload"] = True
    return f"retry: 2000\nid: {now.number}\nevent: sections\ndata: {_write(data)}\n\n"


def _changed_parts(now: Rendered, old: Mapping[str, int]) -> Iterator[tuple[str, str]]:
    """For each changed section, yield its changed parts or, if its frame has changed, the whole section.

    In a whole section, unchanged parts are marked with `data-same`.
    """
    new = now.sent.numbers
    for section in now.sections:
        if old.get(section.id) == new[section.id]:
            yield from ((id, html) for id, html in section.parts if old.get(id) != new[id])
            continue
        parts = (
            html if old.get(id) != new[id] else f'<div id="{escape(id)}" data-same></div>'
            for id, html in section.parts
        )
        yield section.id, f"{section.head}{''.join(parts)}{section.end}"

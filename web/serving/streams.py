"""Updates for open pages: the sections that have changed, as server-sent events.

Each stream knows what it has sent; a slow one leaves out what was in between.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from weakref import WeakKeyDictionary

import attrs

from rulewright.web.pages.html import Html
from rulewright.web.pages.match import Parts
from rulewright.web.serving.hub import Hub, Live

BEAT = 20.0
"""So many seconds a stream may be silent."""
RELOAD = 'event: sections\ndata: {"reload": true}\n\n'
MOST = 5_000
"""How many streams a process has at most."""


@attrs.frozen
class Rendered:
    """The sections of a page at an event number."""

    number: int
    parts: Parts
    sections: dict[str, Html]


@attrs.define(eq=False)
class Stream:
    """An open page of somebody."""

    key: str
    wake: asyncio.Event = attrs.field(factory=asyncio.Event)


@attrs.define(eq=False)
class Streams:
    """All streams of a process, and what was rendered last for each sort of viewer."""

    hub: Hub
    _open: WeakKeyDictionary[Live, set[Stream]] = attrs.field(factory=WeakKeyDictionary)
    _rendered: WeakKeyDictionary[Live, dict[str, Rendered]] = attrs.field(factory=WeakKeyDictionary)
    count: int = 0
    is_closed: bool = False

    def __attrs_post_init__(self) -> None:
        """Hear of every change."""
        self.hub.changed.append(self.changed)

    def changed(self, live: Live) -> None:
        """Wake the streams that show a table."""
        for stream in self._open.get(live, ()):
            stream.wake.set()

    def close(self) -> None:
        """End all streams: the server stops, and pages will connect to the next one."""
        self.is_closed = True
        for streams in self._open.values():
            for stream in streams:
                stream.wake.set()

    def forget(self, live: Live) -> None:
        """Render a table again when it is asked for."""
        self._rendered.pop(live, None)

    def rendered(self, live: Live, key: str, render: Callable[[], Parts]) -> Rendered:
        """The sections for a viewer, rendered once for each event; those that are alike are the same objects."""
        kept = self._rendered.setdefault(live, {})
        last = kept.get(key)
        if last is not None and last.number == live.table.number:
            return last
        parts = render()
        new = parts.all()
        if last is not None:
            old = last.sections
            new = {id: old[id] if old.get(id) == html else html for id, html in new.items()}
        found = kept[key] = Rendered(live.table.number, parts, new)
        return found

    async def follow(
        self, live: Live, key: str, known: int, render: Callable[[], Parts]
    ) -> AsyncIterator[str]:
        """The events of one page, which has the sections of the event `known`."""
        stream = Stream(key)
        self._open.setdefault(live, set()).add(stream)
        live.watchers += 1
        self.count += 1
        try:
            await self.hub.course_ready(live)
            now = self.rendered(live, key, render)
            sent = now.sections if now.number == known else {}
            yield "retry: 2000\n\n" if sent else message(live, now, {})
            sent = now.sections
            while True:
                try:
                    await asyncio.wait_for(stream.wake.wait(), BEAT)
                except TimeoutError:
                    yield ": still here\n\n"
                    continue
                stream.wake.clear()
                if self.is_closed:
                    return
                if live.is_gone:
                    yield RELOAD
                    return
                async with live.lock:  # nothing is half done then
                    await self.hub.course_ready(live)
                    now = self.rendered(live, key, render)
                if now.sections is not sent:
                    text = message(live, now, sent)
                    sent = now.sections
                    yield text
        finally:
            self._open[live].discard(stream)
            live.watchers -= 1
            self.count -= 1


def message(live: Live, now: Rendered, sent: dict[str, Html]) -> str:
    """The event that tells a page what has changed since what it was sent."""
    changed = {id: html for id, html in now.sections.items() if sent.get(id) is not html}
    data: dict[str, object] = {
        "decision": live.table.decision,
        "player": now.parts.player,
        "sections": changed,
    }
    if sent and list(sent) != list(now.sections):
        data["reload"] = True
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    return f"retry: 2000\nid: {now.number}\nevent: sections\ndata: {text}\n\n"

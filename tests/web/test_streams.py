"""The events of an open page: after them, the page equals the one that the server would send whole."""

from __future__ import annotations

import json
import re
from functools import partial
from pathlib import Path
from random import Random

import pytest
from starlette.testclient import TestClient

from rulewright.web.pages.match import parts_of
from rulewright.web.pages.seen import Seen
from rulewright.web.serving.hub import Live
from rulewright.web.serving.streams import Rendered, Sent, message
from tests.web.tables import live_of, new_table, server

_SAME = re.compile('<div id="([^"]+)" data-same></div>')


def _render(live: Live, seat: int) -> Rendered:
    seen = Seen(live.table, live.game, seat, "word", f"/t/{live.table.id}/s/{seat}")
    return Rendered(live.table.number, parts_of(seen))


def _parts(page: Rendered) -> dict[str, str]:
    return {id: html for section in page.sections for id, html in section.parts}


def _old_part(had: dict[str, str], same: re.Match[str]) -> str:
    return had[same[1]]


@pytest.mark.parametrize("name", ["love_letter", "ginkgopolis"])
def test_a_page_that_took_all_events_is_like_a_new_one(tmp_path: Path, name: str) -> None:
    with server(tmp_path / "data", name) as client:
        _follow(client, name)


def _follow(client: TestClient, name: str) -> None:
    live, random = live_of(client, new_table(client, name, "me", "me")), Random(1)
    course = live.table.course(live.game)
    pages = [_render(live, seat) for seat in (0, 1)]
    spared = 0
    for _ in range(12):
        names = course.state.decision.names
        wished = live.table.choose(
            live.game,
            course.state.player,
            course.decision(course.state.player),
            random.choice(names),
        )
        live.table.take(live.table.number + 1, 0, *wished)
        for seat, old in enumerate(pages):
            now, had = _render(live, seat), _parts(old)
            text = message(now, old.sent)
            found = json.loads(text.partition("data: ")[2])["sections"]
            for section in now.sections:
                html = found.get(section.id)
                if html is None:
                    kept = next(each for each in old.sections if each.id == section.id)
                    assert (kept.head, kept.end) == (section.head, section.end)
                    parts = [(id, found.get(id, had[id])) for id, _ in kept.parts]
                    assert parts == [*section.parts]
                else:
                    spared += len(_SAME.findall(html))
                    assert _SAME.sub(partial(_old_part, had), html) == section.html
            pages[seat] = now
    assert spared
    whole = json.loads(message(pages[0], Sent()).partition("data: ")[2])["sections"]
    assert whole == {section.id: section.html for section in pages[0].sections}

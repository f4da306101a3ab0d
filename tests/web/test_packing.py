"""Streams are compressed: each event can be read as soon as it is sent, and repeated text takes little space."""

from __future__ import annotations

import asyncio
import zlib
from collections.abc import AsyncGenerator

import pytest
from starlette.requests import Request

from rulewright.pictures import script
from rulewright.web.serving.app import STATIC
from rulewright.web.serving.packing import accepts_gzip, gzip_stream

SECTION = "".join(
    f'<li data-row="row_{number}">card {number * 7919 % 997}</li>' for number in range(300)
)
TEXTS = [f"data: {SECTION[: number * 40]}<p>{number}</p>{SECTION}\n\n" for number in range(12)]


def test_each_event_can_be_read_at_once_and_takes_little_room() -> None:
    async def texts() -> AsyncGenerator[str, None]:
        for text in TEXTS:
            yield text

    async def sizes() -> list[int]:
        unpacker = zlib.decompressobj(16 + 15)
        found, wanted = [], [*TEXTS, ""]
        async for data in gzip_stream(texts()):
            assert unpacker.decompress(data).decode() == wanted.pop(0)
            found.append(len(data))
        assert not wanted
        assert unpacker.eof
        return found

    first, *further, _ = asyncio.run(sizes())
    assert first < len(TEXTS[0]) / 3
    assert max(further) < len(TEXTS[0]) / 20


def test_a_stream_that_nobody_hears_any_more_is_closed() -> None:
    ended = []

    async def texts() -> AsyncGenerator[str, None]:
        try:
            for text in TEXTS:
                yield text
        finally:
            ended.append(True)

    async def hear_one() -> None:
        stream = gzip_stream(texts())
        await anext(stream)
        await stream.aclose()

    asyncio.run(hear_one())
    assert ended


@pytest.mark.parametrize(
    ("said", "is_so"),
    [
        ("gzip, deflate, br", True),
        ("br;q=1.0, gzip;q=0.8", True),
        ("identity", False),
        ("gzip;q=0", False),
        ("", False),
        ("xgzip", False),
    ],
)
def test_only_who_can_read_it_gets_gzip(said: str, is_so: bool) -> None:
    scope = {"type": "http", "headers": [(b"accept-encoding", said.encode())]}
    assert accepts_gzip(Request(scope)) is is_so


def test_the_script_of_pages_stays_small() -> None:
    own = [script(), *(file.read_text("utf-8") for file in STATIC.glob("*.js"))]
    assert sum(len(text.splitlines()) for text in own) <= 300

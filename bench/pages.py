"""The pages of all seats after a choice, and the memory of a table, without the network."""

from __future__ import annotations

import gc
import zlib
from collections.abc import Sequence
from pathlib import Path
from random import Random
from time import process_time

import attrs

from rulewright import Match, load_game
from rulewright.interpreter.matches.game import Game
from rulewright.pictures.beside import beside
from rulewright.pictures.looks import PLAIN, Looks
from rulewright.web.pages.match import parts_of
from rulewright.web.pages.seen import Seen
from rulewright.web.serving.hub import Hub, Live
from rulewright.web.serving.packing import packer
from rulewright.web.serving.run import GARBAGE
from rulewright.web.serving.streams import Sent, Streams, message
from rulewright.web.tables.course import chance_at_start
from rulewright.web.tables.events import Created, Sat, Terms
from rulewright.web.tables.table import Table

GAMES = {
    "connect_four": 2,
    "love_letter": 4,
    "ginkgopolis": 4,
    "colonial": 4,
    "through_the_ages": 3,
}
CHOICES = 80
TABLES = 12
RUNS = 5
_WARM = 400


@attrs.define
class Spent:
    """The CPU time in seconds that a choice took, and the bytes that the server sent for it."""

    choose: float = 0.0
    pages: float = 0.0
    send: float = 0.0
    sent: int = 0


def pages(games: Sequence[str] = ()) -> list[dict[str, object]]:
    """Milliseconds of CPU time for a choice with all its pages, the minimum over several equal matches; and memory."""
    gc.set_threshold(*GARBAGE)  # as in the server
    return [_row(name, GAMES.get(name, 2)) for name in games or GAMES]


def _row(name: str, players: int) -> dict[str, object]:
    game, other = load_game(name), load_game("tic_tac_toe")
    looks = beside(game, name, lambda path: f"/looks/{path.name}").looks
    streams = Streams(Hub(store=None, library=None, bots=None))  # type: ignore[arg-type]  # only pages are drawn
    for seed in range(4):  # the engine writes each function at its first use
        _warm(Match.begin(game, game.variant(players), seed))
    _play(streams, _table(game, players, 0), looks, CHOICES)
    _play(streams, _table(other, 2, 0), PLAIN, 1)
    first = _memory()
    kept = [_table(game, players, number) for number in range(TABLES)]
    for number, live in enumerate(kept, start=1):
        _play(streams, live, looks, number * CHOICES // TABLES)
    for number in range(2 * TABLES):  # tables that were shown recently hold more memory
        _play(streams, _table(other, 2, number), PLAIN, 1)
    memory = (_memory() - first) / len(kept)
    # A busy machine makes each run slower, but seldom all of them at the same choice.
    runs = [_play(streams, _table(game, players, 1), looks, CHOICES) for _ in range(RUNS)]
    best = [
        Spent(*map(min, zip(*map(attrs.astuple, each), strict=True)))
        for each in zip(*runs, strict=True)
    ]
    spent = Spent(*map(sum, zip(*map(attrs.astuple, best), strict=True)))
    made = len(best)
    return {
        "game": name,
        "choices": made,
        "choose_ms": round(spent.choose / made * 1000, 2),
        "pages_ms": round(spent.pages / made * 1000, 2),
        "send_ms": round(spent.send / made * 1000, 2),
        "all_ms": round((spent.choose + spent.pages + spent.send) / made * 1000, 2),
        "kB_a_seat": round(spent.sent / made / players / 1000, 2),
        "MB_a_table": round(memory, 2),
    }


def _warm(match: Match) -> None:
    random = Random(match.seed)
    while not match.state.over and match.decisions < _WARM:
        match.take(random.choice(match.state.option_ids))


def _table(game: Game, players: int, number: int) -> Live:
    variant = game.variant(players)
    created = Created(
        game.name,
        game.title,
        game.hash,
        players,
        variant.options,
        number,
        players,
        chance_at_start(game, variant, number),
        Terms(undo="own"),
    )
    id = f"table{number}"
    names = (f"Player{number}{seat}" for seat in range(players))
    sat = ((seat + 2, 1, Sat(seat, name)) for seat, name in enumerate(names))
    return Live(Table.of(id, ((1, 1, created), *sat)), game)


def _play(streams: Streams, live: Live, looks: Looks, most: int) -> list[Spent]:
    """Play at random with the pages of all seats; returns the cost of each choice."""
    table, game, random = live.table, live.game, Random(live.table.id)
    seats = range(table.persons)
    packers = [packer() for _ in seats]
    last = [Sent() for _ in seats]
    spent: list[Spent] = []
    chosen = 0.0
    for made in range(most + 1):
        this = Spent()
        for seat in seats:
            start = process_time()
            seen = Seen(table, game, seat, f"token{seat}", f"/t/{table.id}/s/{seat}", looks=looks)
            now = streams.cached_page(live, f"{seat}", lambda: parts_of(seen))  # noqa: B023  # called immediately
            middle = process_time()
            text = message(now, last[seat])
            last[seat] = now.sent
            found = packers[seat].compress(text.encode()) + packers[seat].flush(zlib.Z_SYNC_FLUSH)
            this.pages += middle - start
            this.send += process_time() - middle
            this.sent += len(found)
        if made:
            this.choose = chosen
            spent.append(this)
        course = table.course(game)
        if course.state.over or made == most:
            break
        start = process_time()
        names = course.state.decision.names
        event = table.choose(
            game, course.state.player, course.decision(course.state.player), random.choice(names)
        )
        table.take(table.number + 1, made, *event)
        chosen = process_time() - start
    return spent


def _memory() -> float:
    gc.collect()
    fields = Path("/proc/self/statm").read_text().split()
    return int(fields[1]) * 4096 / 1e6

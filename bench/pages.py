"""The pages of all seats after a choice, and the memory of a table, without the network."""

from __future__ import annotations

import gc
import zlib
from collections.abc import Sequence
from pathlib import Path
from random import Random
from time import process_time

from rulewright import Match, load_game
from rulewright.interpreter.matches.game import Game
from rulewright.pictures.beside import beside
from rulewright.pictures.looks import PLAIN, Looks
from rulewright.web.pages.match import parts_of
from rulewright.web.pages.seen import Seen
from rulewright.web.serving.hub import Hub, Live
from rulewright.web.serving.packing import packer
from rulewright.web.serving.streams import Sent, Streams, message
from rulewright.web.tables.course import started
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
_WARM = 400


def pages(games: Sequence[str] = ()) -> list[dict[str, object]]:
    """Milliseconds of the processor for a choice with all its pages, bytes of it a seat, and memory of a table."""
    return [_row(name, GAMES.get(name, 2)) for name in games or GAMES]


def _row(name: str, players: int) -> dict[str, object]:
    game = load_game(name)
    looks = beside(game, name, lambda path: f"/looks/{path.name}").looks
    streams = Streams(Hub(store=None, library=None, bots=None))  # type: ignore[arg-type]
    for seed in range(4):  # functions are written at first use
        _warm(Match.begin(game, game.variant(players), seed))
    spent = {"choose": 0.0, "pages": 0.0, "send": 0.0}
    _play(streams, _table(game, players, 0), looks, {**spent}, CHOICES)
    sent = made = 0
    other = load_game("tic_tac_toe")
    _play(streams, _table(other, 2, 0), PLAIN, {**spent}, 1)
    first = _memory()
    kept = []
    for number in range(1, TABLES + 1):
        live = _table(game, players, number)
        most = CHOICES if number < 4 else number * CHOICES // TABLES
        one, choices = _play(streams, live, looks, spent if number < 4 else {**spent}, most)
        kept.append(live)
        if number < 4:
            sent, made = sent + one, made + choices
    for number in range(
        2 * TABLES
    ):  # what is kept for the tables shown last is no part of each table
        _play(streams, _table(other, 2, number), PLAIN, {**spent}, 1)
    memory = (_memory() - first) / len(kept)
    parts = {f"{part}_ms": round(seconds / made * 1000, 2) for part, seconds in spent.items()}
    return {
        "game": name,
        "choices": made,
        **parts,
        "all_ms": round(sum(spent.values()) / made * 1000, 2),
        "kB_a_seat": round(sent / made / players / 1000, 2),
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
        started(game, variant, number),
        Terms(undo="own"),
    )
    id = f"table{number}"
    names = (f"Player{number}{seat}" for seat in range(players))
    sat = ((seat + 2, 1, Sat(seat, name)) for seat, name in enumerate(names))
    return Live(Table.of(id, ((1, 1, created), *sat)), game)


def _play(
    streams: Streams, live: Live, looks: Looks, spent: dict[str, float], most: int
) -> tuple[int, int]:
    """Play at random with the pages of all seats; gives the bytes sent and the number of choices."""
    table, game, random = live.table, live.game, Random(live.table.id)
    seats = range(table.persons)
    packers = [packer() for _ in seats]
    last = [Sent() for _ in seats]
    sent = made = 0
    for _ in range(most + 1):
        for seat in seats:
            start = process_time()
            seen = Seen(table, game, seat, f"token{seat}", f"/t/{table.id}/s/{seat}", looks=looks)
            now = streams.rendered(live, f"{seat}", lambda: parts_of(seen))  # noqa: B023
            middle = process_time()
            text = message(live, now, last[seat])
            last[seat] = now.sent
            found = packers[seat].compress(text.encode()) + packers[seat].flush(zlib.Z_SYNC_FLUSH)
            if made:
                spent["pages"] += middle - start
                spent["send"] += process_time() - middle
                sent += len(found)
        start = process_time()
        course = table.course(game)
        if course.state.over or made == most:
            break
        names = course.state.decision.names
        event = table.choose(game, course.state.player, table.decision, random.choice(names))
        table.take(table.number + 1, made, *event)
        spent["choose"] += process_time() - start
        made += 1
    return sent, made


def _memory() -> float:
    gc.collect()
    fields = Path("/proc/self/statm").read_text().split()
    return int(fields[1]) * 4096 / 1e6

"""Read recorded matches of a game, grouped by variant, for commands that count recorded matches."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from rulewright.interpreter.engines.engines import EngineName
    from rulewright.interpreter.matches.game import Game, Variant
    from rulewright.interpreter.matches.match import Match
    from rulewright.interpreter.matches.records import Record

SEVERAL = 3
"""If a seat was held by this many kinds of players, it is reported as held by several."""


def records_by_variant(game: Game, paths: Iterable[Path]) -> dict[Variant, list[Record]]:
    """Return the finished matches in the given files; reject a record of other rules with an error that
    names its place.
    """
    # lazy import: other commands start without it
    from rulewright.interpreter.matches.records import load_records
    from rulewright.interpreter.matches.replay import check_rules
    from rulewright.interpreter.text.errors import BrokenRecordError

    found: dict[Variant, list[Record]] = {}
    unfinished = 0
    for path in paths:
        for number, record in enumerate(load_records(path), 1):
            try:
                check_rules(record, game)
                if not record.is_whole:
                    raise BrokenRecordError("the record was edited: its checksum does not match")
            except BrokenRecordError as failure:
                raise BrokenRecordError(f"{path}, record {number}: {failure}") from None
            if record.result is None:
                unfinished += 1
                continue
            variant = game.variant(record.players, dict(record.options))
            found.setdefault(variant, []).append(record)
    if not found:
        raise BrokenRecordError("no match in these records has ended; there is nothing to count")
    if unfinished:
        left = "1 match has not ended and is left out"
        if unfinished > 1:
            left = f"{unfinished:,} matches have not ended and are left out"
        click.echo(left, err=True)
    return found


def replay_lines(lines: Iterable[str], game: Game, engine: EngineName) -> Iterator[Match]:
    """Replay records, given one per line, and yield their matches."""
    # lazy import: other commands start without it
    from rulewright.interpreter.matches.records import parse_records
    from rulewright.interpreter.matches.replay import replay

    for line in lines:
        (record,) = parse_records(line, "the record")
        yield replay(record, game, engine=engine)


def records_of_variant(
    game: Game, paths: Iterable[Path], players: int | None, options: Mapping[str, str]
) -> tuple[Variant, list[Record]]:
    """Return the matches as `records_by_variant` does, but for a single variant: the requested one, or the only one."""
    found = {
        variant: records
        for variant, records in records_by_variant(game, paths).items()
        if players in (None, variant.players) and options.items() <= dict(variant.options).items()
    }
    if len(found) != 1:
        raise click.UsageError(
            f"the records hold {len(found)} such variants of {game.title}; "
            "choose one with --players and --set"
        )
    return next(iter(found.items()))


def players_in(paths: Iterable[Path]) -> int | None:
    """Return the number of players in the given files, or None if the number differs between matches."""
    # lazy import: other commands start without it
    from rulewright.interpreter.matches.records import load_records

    found = {record.players for path in paths for record in load_records(path)}
    return found.pop() if len(found) == 1 else None


def players_of(records: Sequence[Record], seats: int) -> tuple[str, ...]:
    """For each seat, return the kinds of players that held it: `human`, a bot, or several kinds."""
    found = []
    for seat in range(seats):
        kinds = sorted(
            {each.seats[seat] if seat < len(each.seats) else "unknown" for each in records}
        )
        found.append(" or ".join(kinds) if len(kinds) < SEVERAL else "several")
    return tuple(found)

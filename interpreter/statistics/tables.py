"""Converts records of matches to four tables for other programs: games, seats, decisions and cards.

Every table has the columns `setting` and `seed`, which identify a match. This module does not write
files.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import TypeAlias

import attrs

from rulewright.interpreter.statistics.course import lead_changes, settled_at
from rulewright.interpreter.statistics.recording import PlayoutRecord
from rulewright.interpreter.statistics.subjects import Things
from rulewright.interpreter.statistics.tally import margin

Cell: TypeAlias = "int | str | None"
Row: TypeAlias = tuple[Cell, ...]


@attrs.frozen
class Column:
    """A column: its name, its meaning, and whether it contains words (numbers otherwise)."""

    name: str
    about: str
    is_text: bool = False


PLAY = (
    Column("setting", "the number of the variant, from 1, in the order of the command"),
    Column("seed", "the seed of the game"),
)
COLUMNS: Mapping[str, tuple[Column, ...]] = MappingProxyType(
    {
        "games": (
            *PLAY,
            Column("players", "the number of players"),
            Column("options", "the options of the game, as `name=value` with spaces", is_text=True),
            Column("over", "1 if the match ended; else 0, without other figures"),
            Column("winners", "the number of seats that have won; 0 in a draw"),
            Column("decisions", "the number of decisions"),
            Column("turns", "the number of turns"),
            Column("rounds", "the number of rounds"),
            Column("margin", "the lead of the best side over the next, in points"),
            Column("lead_changes", "how often a different seat took the sole lead"),
            Column(
                "settled",
                "the part of the match, in thousandths, after which the winner always led",
            ),
            Column("cause", "the reason for the end", is_text=True),
            Column("tie", "the players who were equal, and the deciding key, if any", is_text=True),
        ),
        "seats": (
            *PLAY,
            Column("seat", "the number of the seat, from 1"),
            Column("name", "the name of the seat", is_text=True),
            Column("bot", "the bot of the seat", is_text=True),
            Column("won", "1 if it has won, alone or with others"),
            Column("points", "its points at the end"),
            Column("decisions", "the number of its decisions"),
            Column("choices", "the number of its decisions with more than one option"),
        ),
        "decisions": (
            *PLAY,
            Column("number", "the number of the decision in its game, from 1"),
            Column("seat", "the seat that decided, from 1"),
            Column("turn", "the number of the turn, from 1"),
            Column("round", "the number of the round, from 1"),
            Column("decision", "the rule that asked, and its purpose", is_text=True),
            Column("options", "the number of options"),
            Column("choice", "the name of the taken option", is_text=True),
        ),
        "cards": (
            *PLAY,
            Column(
                "sort",
                "for a row its table, for an action `action`, for an option its decision",
                is_text=True,
            ),
            Column("name", "the name of the row, action or option", is_text=True),
            Column("seat", "the seat that could take it, from 1; 0 if it was openly on the table"),
            Column("offered", "the number of the seat's decisions in which it was available"),
            Column("taken", "the number of these decisions in which it was taken"),
            Column("first", "the number of the decision in which it was first taken"),
            Column("had", "1 if it was in a place of the seat"),
        ),
    }
)
"""The columns of each table. For each score item, `seats` has an additional column with the points for the item."""


@attrs.frozen(eq=False)
class About:
    """The facts that rows need in addition to a record."""

    variant: int
    players: int
    options: tuple[tuple[str, str], ...]
    names: Sequence[str]
    bots: Sequence[str]
    sides: Sequence[str]
    things: Things
    items: Sequence[str]
    columns: Sequence[str]
    """The score items of all variants. The items of this variant are in `items`."""


def tables(items: Sequence[str]) -> dict[str, tuple[Column, ...]]:
    """Return the columns of each table, given the score items."""
    more = tuple(Column(f"points: {item}", f"its points for {item}") for item in items)
    return {
        name: columns + more if name == "seats" else columns for name, columns in COLUMNS.items()
    }


def rows_of(record: PlayoutRecord, about: About) -> dict[str, list[Row]]:
    """Return the rows of a match, keyed by table."""
    play = about.variant, record.seed
    options = " ".join(f"{name}={value}" for name, value in about.options)
    if not record.over:
        given_up = (*play, about.players, options, 0, 0, len(record.decided), *(None,) * 7)
        return {"games": [given_up], "seats": [], "decisions": [], "cards": []}
    assert record.cause is not None
    scored = bool(record.standings)
    game: Row = (
        *play,
        about.players,
        options,
        1,
        len(record.winners),
        len(record.decided),
        record.turns,
        record.rounds,
        margin(record.totals, about.sides) if scored else None,
        lead_changes(record) if scored else None,
        settled_at(record),
        record.cause.text,
        "; ".join(record.tie) or None,
    )
    decisions: list[Row] = [
        (
            *play,
            number,
            each.seat + 1,
            each.turn,
            each.round,
            about.things.decisions[each.site],
            each.options,
            each.choice,
        )
        for number, each in enumerate(record.decided, 1)
    ]
    return {
        "games": [game],
        "seats": [(*play, *row) for row in _seats(record, about)],
        "decisions": decisions,
        "cards": [(*play, *row) for row in _cards(record, about.things)],
    }


def _seats(record: PlayoutRecord, about: About) -> Iterator[Row]:
    for seat, items in enumerate(record.items):
        mine = [each for each in record.decided if each.seat == seat]
        yield (
            seat + 1,
            about.names[seat],
            about.bots[seat],
            int(seat in record.winners),
            sum(items),
            len(mine),
            sum(each.options > 1 for each in mine),
            *map(dict(zip(about.items, items, strict=True)).get, about.columns),
        )


def _cards(record: PlayoutRecord, things: Things) -> Iterator[Row]:
    offered: Counter[tuple[int, int]] = Counter()
    taken: Counter[tuple[int, int]] = Counter()
    first: dict[tuple[int, int], int] = {}
    for number, each in enumerate(record.decided, 1):
        offered.update((thing, each.seat) for thing in each.offered)
        for thing in each.taken:
            taken[thing, each.seat] += 1
            first.setdefault((thing, each.seat), number)
    held = {(each.thing, each.seat) for each in record.held}
    for thing, seat in sorted(offered.keys() | held):
        key = thing, seat
        had = int(key in held and seat >= 0)
        about = things.all[thing]
        yield about.sort, about.name, seat + 1, offered[key], taken[key], first.get(key), had

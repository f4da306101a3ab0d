"""Completions in a scenario: its lines, its players, options of the game, options of a player."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from attrs import evolve

from rulewright.dsl.diagnostics.source import Source, Span
from rulewright.dsl.scenarios.scenario_hints import NAMES
from rulewright.dsl.scenarios.scenario_parser import FORMS, HEADS
from rulewright.dsl.tree import declared, scenario_syntax, syntax
from rulewright.editing.features.completion_items import Offer, of_rows
from rulewright.editing.features.symbol_at import declaration_around
from rulewright.editing.workspace.project import Snapshot

_OPTION = re.compile(r"\s+option[ ]+\Z")
_OPTION_VALUE = re.compile(r"\s+option[ ]+([a-z_]\w*)[ ]+is[ ]+\Z")
_PLAYS = re.compile(r"\s+(?:(?:offered|refused)[ ]+)?[a-z_]\w*[ ]+plays[ ]+\Z")
_AFTER_A_PLAYER = re.compile(r"\s+([a-z_]\w*)[ ]+\Z")
_PLAYERS = re.compile(r"\s+players?[ ]+((?:[a-z_]\w*[ ]*,[ ]*)*)\Z")
_JUDGED = re.compile(r"\s+(?:offered|refused)[ ]+\Z")
_CHANCE = re.compile(r"\s+(?:chance|shuffle)[ ]+\Z")
_PICTURE = re.compile(r"\s+picture[ ]+(of[ ]+)?\Z")
_TO_MOVE = re.compile(r"\s+to[ ]+(move[ ]+)?\Z")
_FROM = re.compile(r"\s+from[ ]+\Z")
STEPS: Final = ("given",)


def scenario_choices(
    snapshot: Snapshot, path: Path, source: Source, begun: Span, before: str
) -> Iterator[Offer] | None:
    """Return the completions at a place in a scenario, or None if the place is in an expression of the
    rules.
    """
    here = people(snapshot, path, begun.start)
    if not before.strip():
        return _lines(here) if before else (Offer(word, "word") for word in HEADS)
    players = _PLAYERS.search(before)
    if players is not None:
        return _casts(snapshot, len(players[1].split(",")) - 1)
    if _OPTION.search(before):
        return (Offer(name, "option", ", ".join(values)) for name, values in _options(snapshot))
    value = _OPTION_VALUE.search(before)
    if value is not None:
        return (Offer(each, "row", value[1]) for each in dict(_options(snapshot)).get(value[1], ()))
    if _PLAYS.search(before):
        return _moves(snapshot)
    if _FROM.search(before):
        return (evolve(each, text=f'"{each.text}"') for each in beginnings(snapshot, path))
    if _CHANCE.fullmatch(before):
        return iter((Offer("gives", "word"),))
    picture = _PICTURE.search(before)
    if picture is not None:
        return _spaces(snapshot) if picture[1] else iter((Offer("of", "word"),))
    to_move = _TO_MOVE.fullmatch(before)
    if to_move is not None and not to_move[1]:
        return iter((Offer("move", "word"),))
    if to_move is not None or _JUDGED.search(before):
        return (Offer(name, "seat") for name in here)
    player = _AFTER_A_PLAYER.search(before)
    if player is not None and player[1] in here and before.strip() == player[1]:
        return (Offer(word, "word") for word in ("plays", "sees", "cannot see"))
    return None


def _options(snapshot: Snapshot) -> tuple[tuple[str, tuple[str, ...]], ...]:
    facts = snapshot.loaded.facts
    return facts.options if facts is not None else ()


def _casts(snapshot: Snapshot, named: int) -> Iterator[Offer]:
    """For each possible number of players, yield names for the players that have no name yet."""
    facts = snapshot.loaded.facts
    low, high = (facts.low, facts.high) if facts is not None else (2, 4)
    for number in range(max(low, named + 1), min(high, len(NAMES)) + 1):
        yield Offer(", ".join(NAMES[named:number]), "seat", f"{number} players")


def _lines(here: list[str]) -> Iterator[Offer]:
    for number, word in enumerate((*FORMS, *STEPS)):
        yield Offer(word, "word", FORMS.get(word, "").partition("`")[0], order=200 + number)
    yield from (Offer(name, "seat", "a player of this scenario", order=100) for name in here)


def _moves(snapshot: Snapshot) -> Iterator[Offer]:
    for symbol in snapshot.symbols:
        if symbol.kind == "action":
            line = " ".join(symbol.whole.text.split()).partition(" [")[0]
            yield Offer(symbol.name, "action", line)
    if snapshot.model is not None:
        yield from of_rows(snapshot.model, order=300)


def _spaces(snapshot: Snapshot) -> Iterator[Offer]:
    for d in snapshot.loaded.declarations:
        if isinstance(d, declared.Record) and d.what == "space":
            yield Offer(d.name, "type")


def beginnings(snapshot: Snapshot, path: Path) -> Iterator[Offer]:
    """Yield the starting positions in a file of scenarios."""
    tree = snapshot.scenarios.get(path)
    for beginning in tree.beginnings if tree is not None else ():
        yield Offer(beginning.text, "line")


def people(snapshot: Snapshot, path: Path, offset: int) -> list[str]:
    """Return the players of the scenario around a place."""
    around, tree = declaration_around(snapshot, path, offset), snapshot.scenarios.get(path)
    if tree is None:
        return []
    named = {beginning.text: beginning for beginning in tree.beginnings}
    seen: set[str] = set()
    one = (
        around
        if isinstance(around, (scenario_syntax.Scenario, scenario_syntax.Beginning))
        else None
    )
    while one is not None and one.text not in seen:
        seen.add(one.text)
        further: scenario_syntax.Beginning | None = None
        for line in one.lines:
            if isinstance(line, scenario_syntax.PlayersNamed):
                return [word.name for word in line.names]
            # all others: they name no players
            if isinstance(line, scenario_syntax.StartFrom):
                further = named.get(line.text)
        one = further
    every = (
        line
        for scenario in tree.scenarios
        if not isinstance(scenario, syntax.Broken)
        for line in scenario.lines
    )
    return next(
        (
            [word.name for word in line.names]
            for line in every
            if isinstance(line, scenario_syntax.PlayersNamed)
        ),
        [],
    )

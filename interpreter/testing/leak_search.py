"""Looks for leaks in random plays, and shows a pair of plays that was kept.

A pair is kept as two records in one file.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence

import attrs

from rulewright.dsl.ir import Program
from rulewright.interpreter.engines.chance import Generator
from rulewright.interpreter.engines.engines import EngineName
from rulewright.interpreter.knowledge.hidden_pieces import possible_state
from rulewright.interpreter.matches.game import Game, Variant
from rulewright.interpreter.matches.match import Match
from rulewright.interpreter.matches.records import Record, record_of
from rulewright.interpreter.matches.replay import check_rules, replay
from rulewright.interpreter.matches.state import State
from rulewright.interpreter.simulation.simulation import play_on
from rulewright.interpreter.testing.leaks import Leak, Watch, leak_between
from rulewright.interpreter.testing.pairs import FirstMatch, second_states, turn
from rulewright.interpreter.text.errors import BrokenRecordError
from rulewright.interpreter.text.faults import InternalError, RuleFault
from rulewright.interpreter.views.contents import token_text, zone_text
from rulewright.interpreter.views.view import ALL_SEEING, View, as_text

LONGEST = 3_000
"""Of a play with more decisions only the beginning is looked at: all of its positions are kept."""
_STREAM = 2  # of a seed; chance has stream 0, bots have 1


@attrs.frozen
class Pair:
    """A leak, with both plays up to where it shows."""

    leak: Leak
    first: Match
    second: Match

    @property
    def hidden(self) -> tuple[tuple[str, str, str], ...]:
        """What the player cannot see there: the name of each place that differs, and what is in it."""
        return tuple(_differences(self.first.state, self.second.state, self.leak.player))


@attrs.define
class Findings:
    """What was looked at, and the shortest pair for each leak with how many showed it."""

    games: int = 0
    has_secrets: bool = False
    """Whether there is anything that some player may not see."""
    pairs: int = 0
    states: int = 0
    is_cut: bool = False
    """Whether it ended because as many positions were looked at as were asked for."""
    is_interrupted: bool = False
    found: dict[object, tuple[Pair, int]] = attrs.field(factory=dict)

    def add(self, pair: Pair) -> None:
        """One more pair that shows a leak."""
        known, count = self.found.get(pair.leak.key, (pair, 0))
        shorter = pair if pair.leak.state < known.leak.state else known
        self.found[pair.leak.key] = shorter, count + 1


def search(
    game: Game,
    variant: Variant,
    seeds: Iterable[int],
    pairs: int,
    engine: EngineName = "python",
    tick: Callable[[], None] | None = None,
    most: int | None = None,
) -> Findings:
    """Plays at random, each with a number of second plays beside it.

    The search ends once `most` positions have been looked at, and at an interrupt; the findings say so."""
    findings = Findings()
    try:
        _search(game, variant, seeds, pairs, engine, tick, most, findings)
    except KeyboardInterrupt:
        findings.is_interrupted = True
    return findings


def _search(
    game: Game,
    variant: Variant,
    seeds: Iterable[int],
    pairs: int,
    engine: EngineName,
    tick: Callable[[], None] | None,
    most: int | None,
    findings: Findings,
) -> None:
    compiled = game.compiled(variant, engine)
    looked_at = 0
    for seed in seeds:
        if most is not None and looked_at + findings.states >= most:
            findings.is_cut = True
            return
        match = Match.begin(game, variant, seed, compiled)
        play_on(match, ["random"] * compiled.program.seats, longest=LONGEST)
        if not compiled.viewer.is_open:
            findings.has_secrets = True
            _search_beside(match, pairs, findings)
        looked_at += len(match.states)
        findings.games += 1
        if tick is not None:
            tick()


def _search_beside(match: Match, pairs: int, findings: Findings) -> None:
    first = FirstMatch.of(match.seed, match.states)
    generator = Generator.seeded(match.seed, _STREAM)
    watches = [Watch(player) for player in range(len(match.state.players))]
    for _ in range(pairs):
        watch = watches[generator.below(len(watches))]
        _check_view(match.states[generator.below(len(match.states))], watch, generator)
        other = turn(first, watch.player, generator)
        if other is None:
            continue
        states = second_states(first, other, watch.player, generator)
        findings.pairs += 1
        try:
            found = leak_between(first.states, _counted(states, findings), other.state, watch)
        except RuleFault:
            continue  # of the rules, in a play like any other: `simulate` tells of those
        if found is not None and not _is_meant(first.states[0].compiled.program, found[0]):
            leak, seconds = found
            one = attrs.evolve(match, states=list(match.states[: leak.state + 1]))
            findings.add(Pair(leak, one, attrs.evolve(match, states=seconds)))


def _is_meant(program: Program, leak: Leak) -> bool:
    """Whether what tells stands where the rules say `openly`: it asks, offers, tells, or changes how many lie there."""
    if leak.place:
        word = re.compile(rf"\b{re.escape(leak.place)}\b")
        return any(word.search(meant.text) for meant in program.meant)
    return any(
        span is not None and span.source is meant.source and meant.start <= span.start < meant.end
        for span in (leak.span, leak.also)
        for meant in program.meant
    )


def _counted(states: Iterable[State], findings: Findings) -> Iterable[State]:
    for state in states:
        findings.states += 1
        yield state


def _check_view(state: State, watch: Watch, generator: Generator) -> None:
    """A view of a state with other hidden pieces is the same: no game can make it otherwise."""
    guess = possible_state(state.compiled, state.cells, watch.player, generator)
    if as_text(state.compiled.viewer.view(guess, watch.player)) != watch.view(state):
        raise InternalError("a view tells what may not be known")


# ---- pairs in files ------------------------------------------------------------------------------


def pair_text(pair: Pair) -> str:
    """The two records of a pair, one in a line."""
    seats = ["random"] * len(pair.first.state.players)
    return "".join(f"{record_of(match, seats).to_line()}\n" for match in (pair.first, pair.second))


def load_pair(records: Sequence[Record], game: Game, engine: EngineName = "python") -> Pair | None:
    """The leak that two records show, with the plays; None if they show none any more."""
    if len(records) != 2:
        raise BrokenRecordError("two plays belong into this file, each on a line")
    plays = []
    for record in records:
        check_rules(record, game)
        plays.append(replay(record, game, engine=engine))
        if not record.is_whole:
            raise BrokenRecordError("the record was edited: its check sum does not fit")
    first, second = plays
    if first.variant != second.variant:
        raise BrokenRecordError("the two plays are not of the same players and options")
    pairs = enumerate(zip(first.states, second.states, strict=False))
    start = next((number for number, (one, other) in pairs if one.cells != other.cells), None)
    if start is None:
        return None
    for player in range(len(first.state.players)):
        found = leak_between(first.states, second.states[start:], start, Watch(player))
        if found is not None:
            leak, seconds = found
            one_play = attrs.evolve(first, states=first.states[: leak.state + 1])
            return Pair(leak, one_play, attrs.evolve(second, states=seconds))
    return None


# ---- how two states differ -----------------------------------------------------------------------


def _differences(one: State, other: State, player: int) -> Iterable[tuple[str, str, str]]:
    shown = zip(_shown(one.view(ALL_SEEING)), _shown(other.view(ALL_SEEING)), strict=False)
    for (name, text), (also, another) in shown:
        if name == also and text != another:
            yield name, text, another


def _shown(view: View) -> Iterable[tuple[str, str]]:
    for zone in view.zones:
        yield _title(zone.place.title, zone.place.of_text), zone_text(zone)
    for tokens in view.tokens:
        yield _title(tokens.place.title, tokens.place.of_text), token_text(tokens)
    for value in view.values:
        yield _title(value.place.title, value.place.of_text), value.text


def _title(name: str, of: str) -> str:
    return f"{name} of {of}" if of else name

"""Searches for leaks in random matches, and shows a stored pair of matches.

A pair is stored as two records in one file.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import cycle

import attrs

from rulewright.interpreter.engines.chance import Generator
from rulewright.interpreter.engines.engines import EngineName
from rulewright.interpreter.knowledge.hidden_pieces import possible_state
from rulewright.interpreter.matches.game import Game, Variant
from rulewright.interpreter.matches.match import Match
from rulewright.interpreter.matches.records import Record, record_of
from rulewright.interpreter.matches.replay import check_rules, replay
from rulewright.interpreter.matches.state import State
from rulewright.interpreter.simulation.simulation import play_on
from rulewright.interpreter.testing.disclosures import Openly
from rulewright.interpreter.testing.leaks import compare
from rulewright.interpreter.testing.observations import Leak, Watch
from rulewright.interpreter.testing.pairs import FirstMatch, Turn, second_states, states_from, turn
from rulewright.interpreter.text.errors import BrokenRecordError
from rulewright.interpreter.text.faults import InternalError, RuleFault
from rulewright.interpreter.views.compiled_game import CompiledGame
from rulewright.interpreter.views.contents import token_text, zone_text
from rulewright.interpreter.views.view import ALL_SEEING, View, as_text

LONGEST = 3_000
"""The maximum number of decisions of a match that are searched. It is limited because all positions
are kept in memory."""
_STREAM = 2  # the random stream of the search; chance has stream 0, and bots have stream 1


@attrs.frozen
class Pair:
    """A leak, with both matches up to the state that shows it."""

    leak: Leak
    first: Match
    second: Match

    @property
    def hidden(self) -> tuple[tuple[str, str, str], ...]:
        """Return the hidden things that differ in the state that shows the leak.

        Each entry is the name of a place and its contents in both matches.
        """
        return tuple(_differences(self.first.state, self.second.state, self.leak.player))


@attrs.define
class Findings:
    """The extent of a search. For each leak, it has the shortest pair and the number of pairs that showed the leak."""

    games: int = 0
    has_secrets: bool = False
    """Whether something is hidden from some player."""
    pairs: int = 0
    states: int = 0
    is_cut: bool = False
    """Whether the search ended because it reached the wanted number of positions."""
    is_interrupted: bool = False
    found: dict[object, tuple[Pair, int]] = attrs.field(factory=dict)

    def add(self, pair: Pair) -> None:
        """Add a pair that shows a leak."""
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
    also: Sequence[Variant] = (),
) -> Findings:
    """Search random matches, each compared with a number of second matches.

    The variants, including those in `also`, take turns. The search ends early after `most`
    positions or at an interrupt, which the findings record.
    """
    findings = Findings()
    try:
        _search(game, (variant, *also), seeds, pairs, engine, tick, most, findings)
    except KeyboardInterrupt:
        findings.is_interrupted = True
    return findings


def _search(
    game: Game,
    variants: Sequence[Variant],
    seeds: Iterable[int],
    pairs: int,
    engine: EngineName,
    tick: Callable[[], None] | None,
    most: int | None,
    findings: Findings,
) -> None:
    compiled_games = ((variant, game.compiled(variant, engine)) for variant in variants)
    ready = [
        _Ready(variant, compiled, _openly(game, variant, compiled))
        for variant, compiled in compiled_games
        if not compiled.viewer.is_open
    ]
    findings.has_secrets = bool(ready)
    looked_at = 0
    for seed, each in zip(seeds, cycle(ready), strict=False):
        if most is not None and looked_at + findings.states >= most:
            findings.is_cut = True
            return
        compiled = each.compiled
        try:
            match = Match.begin(game, each.variant, seed, compiled)
        except RuleFault:
            if len(ready) == 1:
                raise
            continue  # `simulate` reports such faults
        play_on(match, ["random"] * compiled.program.seats, longest=LONGEST)
        _search_beside(match, pairs, findings, each.openly)
        looked_at += len(match.states)
        findings.games += 1
        if tick is not None:
            tick()


@attrs.frozen
class _Ready:
    """A variant that hides something, prepared for the search."""

    variant: Variant
    compiled: CompiledGame
    openly: Openly


def _openly(game: Game, variant: Variant, compiled: CompiledGame) -> Openly:
    """Return the recorder of the values of `openly`."""
    heard = game.rules.program_with_openly(variant.players, dict(variant.options))
    return Openly.of(heard, compiled)


def _search_beside(match: Match, pairs: int, findings: Findings, openly: Openly) -> None:
    first = FirstMatch.of(match.seed, match.states)
    generator = Generator.seeded(match.seed, _STREAM)
    watches = [Watch(player) for player in range(len(match.state.players))]
    earliest = [0] * len(watches)
    for _ in range(pairs):
        watch = watches[generator.below(len(watches))]
        _check_view(match.states[generator.below(len(match.states))], watch, generator)
        other = turn(first, watch.player, generator, earliest[watch.player])
        if other is None:
            continue
        states = second_states(first, other, watch.player, generator)
        findings.pairs += 1

        def go_on(
            state: State, number: int, other: Turn = other, player: int = watch.player
        ) -> Iterator[State]:
            return states_from(first, other, player, generator, state, number)

        try:
            found = compare(
                first.states, _count_states(states, findings), other.state, watch, openly, go_on
            )
        except RuleFault:
            continue  # `simulate` reports faults of the rules
        # Up to this state, the log of the next pair is the same, because the pair differs only in
        # pieces that are still unknown.
        disclosed = found.disclosed_at
        earliest[watch.player] = (
            disclosed if disclosed is not None and disclosed < len(first.states) else 0
        )
        if found.leak is not None:
            one = attrs.evolve(match, states=list(match.states[: found.leak.state + 1]))
            findings.add(Pair(found.leak, one, attrs.evolve(match, states=list(found.second))))


def _count_states(states: Iterable[State], findings: Findings) -> Iterable[State]:
    for state in states:
        findings.states += 1
        yield state


def _check_view(state: State, watch: Watch, generator: Generator) -> None:
    """Check that a view does not change if hidden pieces change places. A difference is a bug of the interpreter."""
    guess = possible_state(state.compiled, state.cells, watch.player, generator)
    if as_text(state.compiled.viewer.view(guess, watch.player)) != watch.view(state):
        raise InternalError("a view reveals a secret")


# ---- pairs in files ------------------------------------------------------------------------------


def pair_text(pair: Pair) -> str:
    """Return the two records of a pair as text, one on each line."""
    seats = ["random"] * len(pair.first.state.players)
    return "".join(f"{record_of(match, seats).to_line()}\n" for match in (pair.first, pair.second))


def load_pair(records: Sequence[Record], game: Game, engine: EngineName = "python") -> Pair | None:
    """If two records still show a leak, return the leak with both matches, otherwise None."""
    if len(records) != 2:
        raise BrokenRecordError("this file must have two matches, each on a line")
    plays = []
    for record in records:
        check_rules(record, game)
        plays.append(replay(record, game, engine=engine))
        if not record.is_whole:
            raise BrokenRecordError("the record was edited: its checksum does not match")
    first, second = plays
    if first.variant != second.variant:
        raise BrokenRecordError("the two matches do not have the same players and options")
    pairs = enumerate(zip(first.states, second.states, strict=False))
    start = next((number for number, (one, other) in pairs if one.cells != other.cells), None)
    if start is None:
        return None
    openly = _openly(game, first.variant, first.state.compiled)
    for player in range(len(first.state.players)):
        found = compare(first.states, second.states[start:], start, Watch(player), openly)
        if found.leak is not None:
            one = attrs.evolve(first, states=first.states[: found.leak.state + 1])
            return Pair(found.leak, one, attrs.evolve(second, states=list(found.second)))
    return None


# ---- differences between two states --------------------------------------------------------------


def _differences(one: State, other: State, player: int) -> Iterable[tuple[str, str, str]]:
    shown = zip(
        _view_texts(one.view(ALL_SEEING)), _view_texts(other.view(ALL_SEEING)), strict=False
    )
    for (name, text), (also, another) in shown:
        if name == also and text != another:
            yield name, text, another


def _view_texts(view: View) -> Iterable[tuple[str, str]]:
    for zone in view.zones:
        yield _title(zone.place.title, zone.place.of_text), zone_text(zone)
    for tokens in view.tokens:
        yield _title(tokens.place.title, tokens.place.of_text), token_text(tokens)
    for value in view.values:
        yield _title(value.place.title, value.place.of_text), value.text


def _title(name: str, of: str) -> str:
    return f"{name} of {of}" if of else name

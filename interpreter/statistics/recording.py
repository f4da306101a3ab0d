"""Makes a plain record of one match: its decisions, its scores over time, the things that each
player held, and how it ended.

Everything is derived from the program: owners of places, decisions and their options, and score
items. This module does not add up matches.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property

import attrs

from rulewright.interpreter.bots.levels import bot_named
from rulewright.interpreter.bots.simple import BOTS
from rulewright.interpreter.engines.playouts import bot_generator
from rulewright.interpreter.matches.game import first_state
from rulewright.interpreter.matches.state import State
from rulewright.interpreter.statistics.endings import Cause, Endings
from rulewright.interpreter.statistics.subjects import Things
from rulewright.interpreter.text.faults import RuleFault
from rulewright.interpreter.views.compiled_game import CompiledGame


@attrs.frozen
class Decided:
    """A choice: the player, the turn and round (from 1), and the numbers of the options.

    `options` is the number of options. `offered` and `taken` contain the numbers of things.
    """

    seat: int
    site: int
    turn: int
    round: int
    options: int
    offered: frozenset[int]
    taken: tuple[int, ...]
    choice: str


@attrs.frozen
class Standing:
    """The totals of all seats after a number of choices. They are recorded at the start, and at the
    end of each turn."""

    decisions: int
    totals: tuple[int, ...]


@attrs.frozen
class Held:
    """The arrival of a piece at a seat (-1: at a public place) after a number of choices. `thing`
    is the row of the piece."""

    thing: int
    seat: int
    decisions: int


@attrs.frozen
class PlayoutRecord:
    """A match that has ended or was abandoned. If it was abandoned, `winners` and `items` are empty."""

    seed: int
    over: bool
    winners: tuple[int, ...]
    items: tuple[tuple[int, ...], ...]  # by seat, then by item
    cause: Cause | None
    decided: tuple[Decided, ...]
    standings: tuple[Standing, ...]
    held: tuple[Held, ...]
    tie: tuple[str, ...] = ()
    """The seats that tied in the first key of winners, and the rule that broke the tie."""

    @property
    def totals(self) -> tuple[int, ...]:
        """Return the points of each seat at the end."""
        return tuple(map(sum, self.items))

    @property
    def turns(self) -> int:
        """Return the number of turns."""
        return self.decided[-1].turn if self.decided else 0

    @property
    def rounds(self) -> int:
        """Return the number of rounds."""
        return self.decided[-1].round if self.decided else 0


@attrs.frozen(eq=False, slots=False)
class Recorder:
    """Records matches of one variant."""

    compiled: CompiledGame

    @cached_property
    def things(self) -> Things:
        """Return the things that players can use."""
        return Things(self.compiled)

    @cached_property
    def endings(self) -> Endings:
        """Return the object that finds out why matches ended."""
        return Endings(self.compiled.program)

    @cached_property
    def _zones(self) -> dict[int, int]:
        """Map each zone to its seat, or to -1 for a public zone on the table. Other zones are left out."""
        found: dict[int, int] = {}
        for place in self.compiled.program.places:
            for zone, owner in self.compiled.viewer.zones_of(place):
                if place.owner == "player":
                    found[zone] = owner
                elif place.seen == "all":
                    found[zone] = -1
        return found

    def record(
        self, seed: int, bots: Sequence[str], longest: int, states: list[State] | None = None
    ) -> tuple[PlayoutRecord, State]:
        """Play a match between the given bots, and return its record and its last state.

        The match is abandoned after `longest` choices. All its states are appended to `states`.
        """
        return self.of_states(seed, self._play(seed, bots, longest), states)

    def _play(self, seed: int, bots: Sequence[str], longest: int) -> Iterator[State]:
        # A bot that samples hidden things needs the log of earlier states.
        remember = not {*bots} <= {*BOTS}
        state = first_state(self.compiled, seed, remember=remember)
        yield state
        for number in range(longest):
            if state.over:
                return
            choice = bot_named(bots[state.player])(state, bot_generator(seed, number))
            state = state.take(choice)
            yield state

    def of_states(
        self, seed: int, found: Iterable[State], states: list[State] | None = None
    ) -> tuple[PlayoutRecord, State]:
        """Record a match, given its states in order. Return the record and the last state.

        The states are appended to `states`.
        """
        watch = _Watch(self, self._zones)
        before: State | None = None
        state: State | None = None
        for number, next_state in enumerate(found):
            before, state = state, next_state
            if before is not None:
                watch.decide(before, state.choice)
            watch.look(state.cells, number)
            if before is None:
                watch.stand(state, 0)
            if states is not None:
                states.append(state)
        assert state is not None
        if not state.over:
            return PlayoutRecord(seed, False, (), (), None, tuple(watch.decided), (), ()), state
        watch.stand(state, len(watch.decided))
        cause = self.endings.of_end(state.cells)
        if len(cause.lines) > 1 and before is not None:
            drawn = [each.result for each in state.drawn]
            cause = self.endings.of_step(before.cells, state.choice, drawn)
        items = tuple(tuple(points for _, points in score.items) for score in state.scores)
        return (
            PlayoutRecord(
                seed,
                True,
                state.winners,
                items,
                cause,
                tuple(watch.decided),
                tuple(watch.standings),
                tuple(watch.held),
                tuple(state.tie()),
            ),
            state,
        )


class _Watch:
    """The observations of a match so far."""

    def __init__(self, recorder: Recorder, zones: dict[int, int]) -> None:
        self.things = recorder.things
        self.program = recorder.compiled.program
        self.zones = zones
        self.decided: list[Decided] = []
        self.standings: list[Standing] = []
        self.held: list[Held] = []
        self.turn = 0
        self.round = 1
        self.in_round: set[int] = set()
        self.seat = -1
        self.lying: array[int] | None = None

    def decide(self, state: State, choice: int) -> None:
        """Record a choice."""
        seat = state.player
        if seat != self.seat:
            if self.decided:
                self.stand(state, len(self.decided))
            self.seat = seat
            self.turn += 1
            if seat in self.in_round:
                self.round += 1
                self.in_round = set()
            self.in_round.add(seat)
        site, offered = state.decision.number, state.option_ids
        of_option = self.things.of_option
        self.decided.append(
            Decided(
                seat,
                site,
                self.turn,
                self.round,
                len(offered),
                frozenset().union(*(of_option(site, each) for each in offered)),
                of_option(site, choice),
                self.things.compiled.words.option(site, choice),
            )
        )

    def stand(self, state: State, decisions: int) -> None:
        """Record the end of a turn."""
        if not self.program.score:
            return
        try:
            totals = tuple(state.compiled.totals(state.cells))
        except RuleFault:
            return  # a score may need values that exist only at the end
        self.standings.append(Standing(decisions, totals))

    def look(self, cells: array[int], decisions: int) -> None:
        """Record the new places of pieces."""
        links = self.program.links
        if not links.pieces:
            return
        lying = cells[links.zone_of : links.zone_of + links.pieces]
        if lying == self.lying:
            return
        last = self.lying
        self.lying = lying
        rows, zones = self.things.of_piece, self.zones
        for piece, zone in enumerate(lying):
            if last is not None and last[piece] == zone:
                continue
            seat = zones.get(zone)
            if seat is not None:
                self.held.append(Held(rows[piece], seat, decisions))

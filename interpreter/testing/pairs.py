"""Makes a second match that differs from a first match only in something that one player may not know.

The second match follows the first except for one event of chance or one choice of another player.
Pieces of a shuffle change places, another piece is drawn unseen, or another option is chosen in
secret. From then on, all players make the same choices as far as possible. So both matches can
happen.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import TypeAlias

import attrs

from rulewright.dsl.ir import BOUND, FP, FRAME, SITE
from rulewright.interpreter.engines.chance import Generator
from rulewright.interpreter.knowledge.disclosure import may_tell
from rulewright.interpreter.knowledge.hidden_pieces import Unknown, draw_exchange, interchangeable
from rulewright.interpreter.matches.game import first_state_with
from rulewright.interpreter.matches.state import ChanceResult, State
from rulewright.interpreter.testing.blocks import ends_block, out_of_step
from rulewright.interpreter.testing.step_moments import at_chances
from rulewright.interpreter.text.names import digits
from rulewright.interpreter.views.compiled_game import CompiledGame


@attrs.frozen
class Shuffled:
    """A shuffle in the step that leads to state number `state`. Its results begin at index `at` of the step.

    `pieces` contains the pieces of the pile before the shuffle, from bottom to top.
    """

    state: int
    at: int
    pieces: tuple[int, ...]
    results: tuple[int, ...]


@attrs.frozen
class Rolled:
    """A result of chance other than a shuffle, in the step that leads to state number `state`."""

    state: int
    at: int
    site: int
    members: tuple[int, ...]
    result: int


Event: TypeAlias = Shuffled | Rolled


@attrs.frozen
class Turn:
    """The change by which the second match departs from the first.

    It happens at state number `state`, or in the step that leads to this state. `choice` is the
    option chosen instead; `results` are the new results of chance, keyed by their indices in the
    step. `moved` maps each piece to the piece that replaces it from then on. If the match begins
    from a position, `lying` contains the pairs of hidden pieces that have exchanged places in it.
    """

    state: int
    choice: int | None = None
    results: Mapping[int, int] = attrs.field(factory=dict)
    moved: Mapping[int, int] = attrs.field(factory=dict)
    lying: tuple[tuple[int, int], ...] = ()


@attrs.frozen
class FirstMatch:
    """A match, with the events of chance in each of its steps."""

    seed: int
    states: Sequence[State]
    drawn: tuple[tuple[ChanceResult, ...], ...]
    events: tuple[Event, ...]

    @classmethod
    def of(cls, seed: int, states: Sequence[State]) -> FirstMatch:
        """Build the first match from its states, beginning with the initial state."""
        drawn = tuple(state.drawn for state in states)
        events = (
            event for number in range(len(states)) for event in _events(states, number, drawn)
        )
        return cls(seed, states, drawn, tuple(events))


def _events(
    states: Sequence[State], number: int, drawn: Sequence[Sequence[ChanceResult]]
) -> Iterator[Event]:
    """Yield the events of chance in the step that leads to a state."""
    if not drawn[number]:
        return
    results = tuple(one.result for one in drawn[number])
    compiled = states[number].compiled
    pile: tuple[int, ...] = ()
    began = 0
    for at, cells in enumerate(at_chances(states, number)):
        site, bound = cells[SITE], cells[BOUND]
        if compiled.program.chances[site].purpose != "shuffle":
            members = tuple(compiled.words.members(cells))
            yield Rolled(number, at, site, members, results[at])
            continue
        if not pile:
            pile = tuple(compiled.viewer.lying(cells, cells[cells[FP] + FRAME]))
            began = at
        if bound == 2:
            yield Shuffled(number, began, pile, results[began : at + 1])
            pile = ()


# ---- changes -------------------------------------------------------------------------------------


def turn(play: FirstMatch, player: int, generator: Generator, earliest: int = 0) -> Turn | None:
    """Choose a change at a random moment of a match. The change is possible, given what a player knows.

    The moment is not before state number `earliest`. Returns None if there is no such change at the
    moment drawn.
    """
    number = earliest + generator.below(len(play.states) - earliest)
    past = [event for event in play.events if event.state <= number]
    ways = []
    if past:
        ways += ["chance", "chance"]
    unseen = [k for k in range(number) if _is_unseen(play.states, k, player)]
    if unseen:
        ways.append("choice")
    if play.states[0].compiled.position is not None:
        ways += ["position", "position"]
    if not ways:
        return None
    way = ways[generator.below(len(ways))]
    if way == "choice":
        return _other_choice(play, unseen[generator.below(len(unseen))], generator)
    if way == "position":
        return _other_position(play.states[0].compiled, player, generator)
    shuffles = _shuffles(play, number, player, past)
    rolls = [event for event in past if isinstance(event, Rolled) and len(event.members) > 1]
    count = len(shuffles) + (len(rolls) > 0)
    if not count:
        return None
    chosen = generator.below(count)
    if chosen < len(shuffles):
        return _other_shuffle(*shuffles[chosen], generator)
    event = rolls[generator.below(len(rolls))]
    other = generator.below(len(event.members) - 1)
    other += other >= event.result
    moved = {}
    if _is_of_pieces(play.states[0].compiled, event.site):
        one, two = event.members[event.result], event.members[other]
        moved = {one: two, two: one}
    return Turn(event.state, None, {event.at: other}, moved)


def _is_of_pieces(compiled: CompiledGame, site: int) -> bool:
    domain = compiled.program.chances[site].domain
    return domain is not None and compiled.words.is_of_pieces(domain)


def _is_unseen(states: Sequence[State], number: int, player: int) -> bool:
    before, after = states[number], states[number + 1]
    return before.player != player and not may_tell(before, after, player)


def _other_position(compiled: CompiledGame, player: int, generator: Generator) -> Turn | None:
    """Return a change that exchanges hidden pieces in the first position.

    Returns None if all exchanged pieces are equal.
    """
    name = compiled.viewer.piece_name
    moved = draw_exchange(compiled, compiled.begin(), player, generator)
    if all(name(piece) == name(other) for piece, other in moved.items()):
        return None
    return Turn(0, None, {}, moved, tuple(sorted(moved.items())))


def _other_choice(play: FirstMatch, number: int, generator: Generator) -> Turn | None:
    chosen = play.states[number + 1].choice
    others = [option for option in play.states[number].option_ids if option != chosen]
    if not others:
        return None
    return Turn(number + 1, others[generator.below(len(others))])


def _shuffles(
    play: FirstMatch, number: int, player: int, past: Sequence[Event]
) -> list[tuple[Shuffled, Unknown, list[int]]]:
    """Return earlier shuffles, each with the pieces that no later shuffle moved and that the player
    does not know.
    """
    state = play.states[number]
    name = state.compiled.viewer.piece_name
    last: dict[int, Shuffled] = {}
    for event in past:
        if isinstance(event, Shuffled):
            last.update(dict.fromkeys(event.pieces, event))
    found = []
    for unknown in interchangeable(state.compiled, state.cells, player):
        by_shuffle: dict[tuple[int, int], list[int]] = {}
        for piece in unknown.pieces:
            if piece in last:
                key = last[piece].state, last[piece].at
                by_shuffle.setdefault(key, []).append(piece)
        for pieces in by_shuffle.values():
            if len({name(piece) for piece in pieces}) > 1:
                found.append((last[pieces[0]], unknown, pieces))
    return found


def _other_shuffle(
    event: Shuffled, unknown: Unknown, pieces: list[int], generator: Generator
) -> Turn | None:
    """Return a change that exchanges two of the pieces, or shuffles all of them.

    If two pieces are drawn that do not fit in each other's places, return None.
    """
    if generator.below(2):
        mixed = list(pieces)
        one = generator.below(len(mixed))
        other = generator.below(len(mixed))
        if not unknown.fits(mixed[one], mixed[other]) or not unknown.fits(mixed[other], mixed[one]):
            return None
        mixed[one], mixed[other] = mixed[other], mixed[one]
    else:
        mixed = unknown.draw_arrangement(generator, pieces)
    moved = dict(zip(pieces, mixed, strict=True))
    wanted = [moved.get(piece, piece) for piece in shuffle_with(event.pieces, event.results)]
    results = results_for(event.pieces, wanted)
    return Turn(
        event.state, None, {event.at + place: result for place, result in enumerate(results)}, moved
    )


def shuffle_with(pieces: Sequence[int], results: Sequence[int]) -> list[int]:
    """Return the order of pieces after a shuffle with the given results.

    >>> shuffle_with((7, 8, 9), (0, 1))
    [9, 8, 7]
    """
    lying = list(pieces)
    for place, result in zip(range(len(lying) - 1, 0, -1), results, strict=True):
        lying[place], lying[result] = lying[result], lying[place]
    return lying


def results_for(pieces: Sequence[int], wanted: Sequence[int]) -> list[int]:
    """Return the results of a shuffle that brings pieces into the wanted order.

    >>> results_for((7, 8, 9), (9, 8, 7))
    [0, 1]
    """
    lying = list(pieces)
    results = []
    for place in range(len(lying) - 1, 0, -1):
        result = lying.index(wanted[place])
        results.append(result)
        lying[place], lying[result] = lying[result], lying[place]
    return results


# ---- the second match ----------------------------------------------------------------------------


def second_states(
    play: FirstMatch, turn: Turn, player: int, generator: Generator
) -> Iterator[State]:
    """Yield the states of the second match, beginning with the state to which the change leads.

    The states stop when the first match ends, or where the player would have to choose an option
    that is not offered.
    """
    states = play.states
    number = turn.state
    compiled = states[0].compiled
    ask = _Fate(play.drawn[number], turn, generator, turn.results, compiled).answer
    if number == 0:
        state = first_state_with(compiled, play.seed, ask, turn.lying)
    else:
        choice = states[number].choice if turn.choice is None else turn.choice
        state = states[number - 1].take_with(choice, ask)
    yield state
    before = states[number - 1] if number else None
    yield from _later_states(play, turn, player, generator, state, number, before)


def states_from(
    play: FirstMatch, turn: Turn, player: int, generator: Generator, state: State, number: int
) -> Iterator[State]:
    """Yield the same states as `second_states`, but beginning with `state`.

    It corresponds to state `number` of the first match.
    """
    yield state
    yield from _later_states(play, turn, player, generator, state, number, None)


def _later_states(
    play: FirstMatch,
    turn: Turn,
    player: int,
    generator: Generator,
    state: State,
    number: int,
    before: State | None,
) -> Iterator[State]:
    """Yield the states after a state. In a block that is out of step, players repeat their own choices."""
    states = play.states
    place = number

    def after(at: int, drawn: Sequence[ChanceResult]) -> State | None:
        chosen = _same_choice(states[at], states[at + 1].choice, state, turn, player, generator)
        ask = _Fate(drawn, turn, generator, {}, state.compiled).answer
        return None if chosen is None else state.take_with(chosen, ask)

    while place < len(states) - 1 and not state.over:
        block = out_of_step(states, place, before, state)
        if block is None:
            place += 1
            found = after(place - 1, play.drawn[place])
            if found is None:
                return
            before, state = state, found
            yield state
            continue
        place = block.end
        asked = Counter(each.player for each in states[block.begin : block.until])
        is_left = block.is_left
        while not is_left:
            own = [at for at in range(block.begin, place) if states[at].player == state.player]
            own = own[asked[state.player] :] or [block.begin] * (state.player != player)
            asked[state.player] += 1
            found = after(own[0], (*play.drawn[own[0] + 1], *play.drawn[place])) if own else None
            if found is None:
                return
            before, state = state, found
            yield state
            is_left = state.over or ends_block((before, state), 1)


def _same_choice(
    first: State, choice: int, second: State, turn: Turn, player: int, generator: Generator
) -> int | None:
    """Return the choice in the second match that corresponds to a choice in the first match.

    A choice of an exchanged piece becomes a choice of its replacement. If another player's choice
    is impossible, it is replaced by a random choice. Returns None if `player` decides and cannot
    make the same choice.
    """
    offered = second.option_ids
    if second.player == player:
        names = second.decision.names
        name = first.compiled.option_name(first.cells, choice)
        return offered[names.index(name)] if name in names else None
    if second.decision.number == first.decision.number:
        for meant in (_relabel_option(first, choice, turn.moved), choice):
            if meant in offered:
                return meant
    return offered[generator.below(len(offered))]


def _relabel_option(state: State, option: int, moved: Mapping[int, int]) -> int:
    """Return the same option with each piece replaced according to `moved`. If there is no such option, return -1."""
    words = state.compiled.words
    arm = words.arm(state.decision.number, option)
    number = 0
    for (domain, low, size), value in zip(arm.arguments, digits(arm, option), strict=True):
        said = moved.get(value, value) if words.is_of_pieces(domain) else value
        if not low <= said < low + size:
            return -1
        number = number * size + said - low
    return arm.base + number


@attrs.define
class _Fate:
    """Repeats the results of chance of a step of the first match in the second match, as far as possible.

    Each chance site gets its own results in order, because chance is public and the same in both
    matches.
    """

    drawn: Sequence[ChanceResult]
    turn: Turn
    generator: Generator
    results: Mapping[int, int]
    compiled: CompiledGame
    _at: int = 0
    _asked: Counter[int] = attrs.field(factory=Counter)

    def answer(self, site: int, members: Sequence[int]) -> int:
        """Return the result for a chance site."""
        at = self._at
        self._at += 1
        place = self._asked[site]
        self._asked[site] += 1
        if at in self.results:
            return self.results[at]
        then = next(islice((one for one in self.drawn if one.site == site), place, None), None)
        if then is not None:
            if self.compiled.program.chances[site].purpose != "shuffle":
                for value in self._values(site, then.value):
                    if value in members:
                        return members.index(value)
            if then.result < len(members):
                return then.result
        return self.generator.below(len(members))

    def _values(self, site: int, value: int) -> Iterator[int]:
        if _is_of_pieces(self.compiled, site):
            yield self.turn.moved.get(value, value)
        yield value

"""Replays a record step by step, up to the first step that contradicts the rules.

This module does not read files (see `rulewright.interpreter.matches.records`).
"""

from __future__ import annotations

from collections.abc import Sequence

import attrs

from rulewright.interpreter.engines.engines import EngineName
from rulewright.interpreter.matches.game import Game, Variant, first_state_with
from rulewright.interpreter.matches.match import Match
from rulewright.interpreter.matches.records import CHANCE, LYING, ROLL, SHUFFLE, Record
from rulewright.interpreter.matches.state import State
from rulewright.interpreter.text.errors import BrokenRecordError, NoSuchOptionError
from rulewright.interpreter.text.kinds import refuses_wrong_kinds
from rulewright.interpreter.text.names import Words
from rulewright.interpreter.views.compiled_game import CompiledGame


class DifferenceError(BrokenRecordError):
    """Raised if a record contradicts the rules at step number `step`, counted from 1."""

    def __init__(self, step: int, message: str) -> None:
        super().__init__(f"step {step}: {message}")
        self.step = step
        self.message = message


def check_rules(record: Record, game: Game) -> None:
    """Raise an error for a record of other rules."""
    if record.title != game.title:
        raise BrokenRecordError(f"the record is of {record.title}, not of {game.title}")
    if record.rules != game.hash:
        raise BrokenRecordError(
            f"the record is of different rules: those of {game.title} have changed since"
        )


@refuses_wrong_kinds
def replay(
    record: Record,
    game: Game,
    *,
    engine: EngineName = "python",
    to: int | None = None,
    compiled: CompiledGame | None = None,
) -> Match:
    """Replay a record, or its first `to` decisions. Raises `RequestError` if the record contradicts the rules.

    `compiled` may have other names for the players (`CompiledGame.with_names`).
    """
    match, parted = replay_as_far(record, game, engine=engine, to=to, compiled=compiled)
    if parted is not None:
        raise parted
    return match


@refuses_wrong_kinds
def replay_as_far(
    record: Record,
    game: Game,
    *,
    engine: EngineName = "python",
    to: int | None = None,
    compiled: CompiledGame | None = None,
) -> tuple[Match, DifferenceError | None]:
    """Replay a record as far as the rules allow, but at most `to` decisions.

    Returns the match, and the first contradiction, if any. A contradiction before the first
    decision is raised.
    """
    variant = game.variant(record.players, dict(record.options))
    compiled = compiled or game.compiled(variant, engine)
    steps = _Steps(compiled.words, record.steps)
    match = Match(game, variant, record.seed, [])
    lying = steps.lying(compiled)
    match.add(first_state_with(compiled, record.seed, steps.result, lying))
    try:
        _go_on(record, match, steps, to)
    except DifferenceError as parted:
        return match, parted
    return match, None


def begin_replay(
    game: Game,
    variant: Variant,
    seed: int,
    steps: Sequence[str],
    compiled: CompiledGame | None = None,
) -> Match:
    """Begin a match with the given results of chance, up to its first decision. `go_on` adds decisions to the match."""
    compiled = compiled or game.compiled(variant)
    reader = _Steps(compiled.words, tuple(steps))
    lying = reader.lying(compiled)
    start = first_state_with(compiled, seed, reader.result, lying)
    if not reader.at_end:
        raise DifferenceError(reader.at + 1, "the rules ask for no more chance before they begin")
    return Match(game, variant, seed, [start])


def go_on(match: Match, steps: Sequence[str]) -> None:
    """Add a decision to a match. As in a record, `steps` are the name of an option and the results
    of chance after it."""
    if match.state.over:
        raise DifferenceError(match.decisions + 1, "the game is over")
    reader = _Steps(match.state.compiled.words, tuple(steps))
    state = _next_state(match, reader)
    if not reader.at_end:
        raise DifferenceError(match.decisions + 1, "the rules ask for no more chance here")
    match.add(state)


def _next_state(match: Match, steps: _Steps) -> State:
    name = steps.option()
    try:
        choice = match.state.decision.find(name)
    except NoSuchOptionError as refusal:
        raise steps.difference(str(refusal)) from None
    return match.state.take_with(choice, steps.result)


def _go_on(record: Record, match: Match, steps: _Steps, to: int | None) -> None:
    while not steps.at_end and (to is None or match.decisions < to):
        if match.state.over:
            raise DifferenceError(steps.at + 1, "the game is over, but the record goes on")
        match.add(_next_state(match, steps))
    if to is None:
        _check_result(record, match.state, steps)


def _check_result(record: Record, state: State, steps: _Steps) -> None:
    if record.result is None:
        return
    if not state.over:
        raise steps.difference("the record ends, but the game is not over")
    if record.result.winners != state.winners:
        raise steps.difference("the winners differ from those in the record")
    if record.result.scores != tuple(score.items for score in state.scores):
        raise steps.difference("the scores differ from those in the record")


@attrs.define
class _Steps:
    """Reads the steps of a record one by one."""

    words: Words
    steps: tuple[str, ...]
    at: int = 0
    _shuffled: list[str] = attrs.field(factory=list)

    @property
    def at_end(self) -> bool:
        return self.at == len(self.steps)

    def difference(self, message: str) -> DifferenceError:
        """Return the error for the step that was read last."""
        return DifferenceError(self.at, message)

    def lying(self, compiled: CompiledGame) -> tuple[tuple[int, int], ...]:
        """Read the hidden pieces that are exchanged at the start. If there are none, nothing is read."""
        if not (self.steps and self.steps[0].startswith(LYING)):
            return ()
        words = self._next("a beginning").removeprefix(LYING).split()
        numbers = [int(word) for word in words if word.isascii() and word.isdecimal()]
        pieces, others = numbers[::2], numbers[1::2]
        links = compiled.program.links
        if (
            compiled.position is None
            or len(numbers) < len(words)
            or sorted(pieces) != sorted(others)
            or len(set(pieces)) < len(pieces)
            or any(piece >= links.pieces for piece in pieces)
        ):
            raise self.difference("these pieces cannot lie in each other's places")
        return tuple(zip(pieces, others, strict=True))

    def option(self) -> str:
        """Read the name of an option."""
        name = self._next("a choice")
        if self._shuffled:
            raise self.difference("the shuffle before it has more places than the rules ask for")
        if name.startswith(CHANCE):
            raise self.difference(f"`{name}` is a result of chance, but a choice is to be made")
        return name

    def result(self, site: int, members: Sequence[int]) -> int:
        """Read a result of chance."""
        if self.words.program.chances[site].purpose == "shuffle":
            return self._shuffle(len(members))
        step = self._next(self.words.chance(site))
        if not step.startswith(ROLL):
            raise self.difference(
                f"the record has `{step}` where the rules {self.words.chance(site)}"
            )
        result = self.words.result_named(site, step.removeprefix(ROLL), members)
        if result is None:
            raise self.difference(
                f"`{step}` is not a possible result where the rules {self.words.chance(site)}"
            )
        return result

    def _shuffle(self, bound: int) -> int:
        if not self._shuffled:
            step = self._next("a shuffle")
            if not step.startswith(SHUFFLE):
                raise self.difference(f"the record has `{step}` where the rules shuffle")
            self._shuffled = step.removeprefix(SHUFFLE).split()[::-1]
        word = self._shuffled.pop() if self._shuffled else ""
        if not word.isascii() or not word.isdecimal() or len(word) > 9 or int(word) >= bound:
            raise self.difference(f"`{word}` is not a place among {bound}")
        return int(word)

    def _next(self, wanted: str) -> str:
        if self.at_end:
            raise DifferenceError(self.at, f"the record ends where {wanted} is needed")
        self.at += 1
        return self.steps[self.at - 1]

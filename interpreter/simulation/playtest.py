"""Records matches between bots, or matches that were already played, decision by decision.

This module does not depend on clocks, processes or files.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

import attrs

from rulewright.interpreter.engines.engines import EngineName
from rulewright.interpreter.matches.audit import check_components
from rulewright.interpreter.matches.game import Game, Variant
from rulewright.interpreter.matches.match import Match
from rulewright.interpreter.matches.state import State
from rulewright.interpreter.simulation.simulation import LONGEST
from rulewright.interpreter.statistics.course import Course
from rulewright.interpreter.statistics.recording import PlayoutRecord, Recorder
from rulewright.interpreter.statistics.subjects import Things
from rulewright.interpreter.statistics.tally import Outcome, Tally
from rulewright.interpreter.statistics.usage import Uses
from rulewright.interpreter.views.compiled_game import CompiledGame


@attrs.define
class Playtest:
    """The sums of several recorded matches: their results, their course, and the use of things."""

    tally: Tally
    course: Course
    uses: Uses

    @classmethod
    def empty(cls, compiled: CompiledGame) -> Playtest:
        """Return the sums of no matches."""
        program, things = compiled.program, Things(compiled)
        uses = Uses(things.all, things.usable)
        return cls(Tally.empty(program), Course.empty(program), uses)

    def add(self, record: PlayoutRecord) -> None:
        """Add a match."""
        if record.cause is None:
            self.tally.give_up()
            return
        outcome = Outcome(record.winners, record.items, record.cause)
        self.tally.add(outcome, [each.options for each in record.decided])
        self.course.add(record)
        self.uses.add(record)

    def join(self, other: Playtest) -> None:
        """Add other matches of the same game and variant."""
        self.tally.join(other.tally)
        self.course.join(other.course)
        self.uses.join(other.uses)


def watch(
    game: Game,
    variant: Variant,
    seats: Sequence[str],
    seeds: Iterable[int],
    engine: EngineName = "python",
    on_record: Callable[[PlayoutRecord], None] | None = None,
    on_match: Callable[[Match], None] | None = None,
    tick: Callable[[], None] | None = None,
    *,
    compiled: CompiledGame | None = None,
) -> Playtest:
    """Play matches between bots, one for each seed, as `simulate` does, and record every decision.

    `on_record` is called with each record, and `on_match` with each match. `tick` is called after
    each match. If `compiled` has a position, matches begin at this position.
    """
    compiled = compiled or game.compiled(variant, engine)
    recorder = Recorder(compiled)
    study = Playtest.empty(compiled)
    for seed in seeds:
        states: list[State] | None = None if on_match is None else []
        record, end = recorder.record(seed, seats, LONGEST, states)
        check_components(compiled, end.cells)
        study.add(record)
        if on_record is not None:
            on_record(record)
        if on_match is not None and states is not None:
            on_match(Match(game, variant, seed, states))
        if tick is not None:
            tick()
    return study


def watch_again(
    matches: Iterable[Match],
    compiled: CompiledGame,
    on_record: Callable[[PlayoutRecord], None] | None = None,
) -> Playtest:
    """Return the same sums as `watch`, for matches of one variant that were already played."""
    recorder = Recorder(compiled)
    study = Playtest.empty(compiled)
    for number, match in enumerate(matches):
        record, _ = recorder.of_states(number, match.states)
        study.add(record)
        if on_record is not None:
            on_record(record)
    return study

"""Plays many matches between bots, and adds up their results.

A match depends only on its seed, so the work can be distributed. This module does not depend on
clocks, processes or files.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from rulewright.interpreter.bots.levels import bot_named
from rulewright.interpreter.engines.engines import EngineName
from rulewright.interpreter.engines.playouts import bot_generator
from rulewright.interpreter.engines.results import Results
from rulewright.interpreter.matches.audit import check_components
from rulewright.interpreter.matches.game import Game, Variant, playout, results_of
from rulewright.interpreter.matches.match import Match
from rulewright.interpreter.matches.playout_records import Lines
from rulewright.interpreter.matches.recorded_playouts import record_playout
from rulewright.interpreter.matches.records import record_of
from rulewright.interpreter.matches.state import State
from rulewright.interpreter.statistics.endings import Endings
from rulewright.interpreter.statistics.tally import Outcome, Tally
from rulewright.interpreter.views.compiled_game import CompiledGame

LONGEST = 10_000
"""The number of decisions after which a match is abandoned."""


def simulate(
    game: Game,
    variant: Variant,
    seats: Sequence[str],
    seeds: Sequence[int],
    engine: EngineName = "python",
    on_match: Callable[[Match], None] | None = None,
    tick: Callable[[], None] | None = None,
    *,
    on_line: Callable[[str], None] | None = None,
    compiled: CompiledGame | None = None,
) -> Tally:
    """Play matches between bots, one for each seed. `seats` names the bot of each seat.

    `on_match` is called with each match, and `on_line` with its record as a line. `tick` is called
    after each match. The end of each match is checked: every piece is in one place, no token is
    lost, and all values are in range. If only the results of playouts are wanted, only some
    playouts are checked.
    """
    compiled = compiled or game.compiled(variant, engine)
    tally = Tally.empty(compiled.program)
    at_random = on_match is None and set(seats) == {"random"}
    lines = Lines.of(game, variant, compiled) if at_random and on_line is not None else None
    if at_random and (on_line is None or lines is not None):
        on_part = None
        if lines is not None and on_line is not None:
            on_part = _reporting(game, variant, compiled, lines, on_line)
        for part in tallies(compiled, seeds, on_part=on_part):
            tally.join(part)
            if tick is not None:
                for _ in range(part.plays + part.unfinished):
                    tick()
        return tally
    endings = Endings(compiled.program)
    for seed in seeds:
        counts: list[int] = []
        if at_random and on_line is not None:
            state, record = record_playout(game, variant, compiled, seed, LONGEST, counts)
            on_line(record.to_line())
        else:
            match = Match.begin(game, variant, seed, compiled)
            play_on(match, seats, counts)
            state = match.state
            if on_match is not None:
                on_match(match)
            if on_line is not None:
                on_line(record_of(match, seats).to_line())
        check_components(compiled, state.cells)
        if state.over:
            tally.add(outcome_of(state, endings), counts)
        else:
            tally.give_up()
        if tick is not None:
            tick()
    return tally


def _reporting(
    game: Game,
    variant: Variant,
    compiled: CompiledGame,
    lines: Lines,
    on_line: Callable[[str], None],
) -> Callable[[Results, Sequence[int]], None]:
    """Return a function that writes the lines of matches whose results are known."""

    def tell(part: Results, seeds: Sequence[int]) -> None:
        for match, seed in enumerate(seeds):
            line = lines.line(seed, LONGEST, part, match)
            if line is None:
                _, record = record_playout(game, variant, compiled, seed, LONGEST, [])
                line = record.to_line()
            on_line(line)

    return tell


def tallies(
    compiled: CompiledGame,
    seeds: Sequence[int],
    jobs: int = 1,
    on_part: Callable[[Results, Sequence[int]], None] | None = None,
) -> Iterator[Tally]:
    """Yield the tallies of random playouts in batches, in the order of the seeds.

    The components are checked at the end of the first playout of each batch. `on_part` is called
    with each batch and its seeds.
    """
    endings, done = Endings(compiled.program), 0
    for part in results_of(compiled, compiled.begin(), seeds, LONGEST, jobs):
        check_components(compiled, playout(compiled, seeds[done], LONGEST).cells)
        tally = Tally.empty(compiled.program)
        tally.add_results(part, endings)
        if on_part is not None:
            on_part(part, seeds[done : done + len(part)])
        done += len(part)
        yield tally


def outcome_of(state: State, endings: Endings) -> Outcome:
    """Return the result of a match, as far as it can be read from the last state."""
    items = tuple(tuple(points for _, points in score.items) for score in state.scores)
    return Outcome(state.winners, items, endings.of_end(state.cells))


def play_on(
    match: Match, seats: Sequence[str], counts: list[int] | None = None, longest: int | None = None
) -> None:
    """Let bots play to the end, or until they have made `longest` choices.

    The number of options of each decision is appended to `counts`.
    """
    most = LONGEST if longest is None else longest
    while not match.state.over and match.decisions < most:
        state = match.state
        choose = bot_named(seats[state.player])
        choice = choose(state, bot_generator(match.seed, match.decisions))
        if counts is not None:
            counts.append(len(state.option_ids))
        match.take(choice)

"""Many plays between bots, added up.

Plays are told apart by their seeds alone, so that the work can be shared out. Refuses to know
clocks, processes and files.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from rulewright.interpreter.bots.levels import bot_named
from rulewright.interpreter.engines.at_random import bot_generator
from rulewright.interpreter.engines.engines import EngineName
from rulewright.interpreter.lab.endings import Endings
from rulewright.interpreter.lab.tally import Outcome, Tally
from rulewright.interpreter.plays.game import Game, Setting, playout, results_of
from rulewright.interpreter.plays.play import Play
from rulewright.interpreter.plays.recorded import recorded
from rulewright.interpreter.plays.records import Record, record_of
from rulewright.interpreter.plays.state import State
from rulewright.interpreter.studies.audit import check_components
from rulewright.interpreter.viewing.variant import Variant

LONGEST = 100_000
"""A play with so many decisions is given up."""


def simulate(
    game: Game,
    setting: Setting,
    seats: Sequence[str],
    seeds: Sequence[int],
    engine: EngineName = "python",
    on_play: Callable[[Play], None] | None = None,
    tick: Callable[[], None] | None = None,
    *,
    on_record: Callable[[Record], None] | None = None,
    variant: Variant | None = None,
) -> Tally:
    """Plays between bots, one for each seed; `seats` names the bot of each seat.

    `on_play` is given each play, `on_record` its record, `tick` is called after each. At its end each
    play is looked over: every piece in one place, no token lost, all values in range; of plays at random of which
    nobody wants more than results, one now and then. With `variant` plays begin where it begins.
    """
    variant = variant or game.variant(setting, engine)
    tally = Tally.empty(variant.program)
    if on_play is None and on_record is None and set(seats) == {"random"}:
        for part in tallies(variant, seeds):
            tally.join(part)
            if tick is not None:
                for _ in range(part.plays + part.unfinished):
                    tick()
        return tally
    endings = Endings(variant.program)
    for seed in seeds:
        counts: list[int] = []
        if on_play is None and on_record is not None and set(seats) == {"random"}:
            state, record = recorded(game, setting, variant, seed, LONGEST, counts)
            on_record(record)
        else:
            play = Play.begin(game, setting, seed, variant)
            play_on(play, seats, counts)
            state = play.state
            if on_play is not None:
                on_play(play)
            if on_record is not None:
                on_record(record_of(play, seats))
        check_components(variant, state.cells)
        if state.over:
            tally.add(outcome_of(state, endings), counts)
        else:
            tally.give_up()
        if tick is not None:
            tick()
    return tally


def tallies(variant: Variant, seeds: Sequence[int], jobs: int = 1) -> Iterator[Tally]:
    """What plays at random add up to, some at a time, in the order of the seeds.

    The first play of each part is looked over at its end."""
    endings, done = Endings(variant.program), 0
    for part in results_of(variant, variant.begin(), seeds, LONGEST, jobs):
        check_components(variant, playout(variant, seeds[done], LONGEST).cells)
        tally = Tally.empty(variant.program)
        tally.add_results(part, endings)
        done += len(part)
        yield tally


def outcome_of(state: State, endings: Endings) -> Outcome:
    """How a play ended, as far as its end tells."""
    items = tuple(tuple(points for _, points in score.items) for score in state.scores)
    return Outcome(state.winners, items, endings.of_end(state.cells))


def play_on(
    play: Play, seats: Sequence[str], counts: list[int] | None = None, longest: int | None = None
) -> None:
    """Let bots play to the end, or until they have made too many choices.

    `counts` takes the number of options of each decision.
    """
    most = LONGEST if longest is None else longest
    while not play.state.over and play.decisions < most:
        state = play.state
        choose = bot_named(seats[state.player])
        choice = choose(state, bot_generator(play.seed, play.decisions))
        if counts is not None:
            counts.append(len(state.option_ids))
        play.take(choice)

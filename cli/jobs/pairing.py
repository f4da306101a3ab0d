"""Play matches of two versions of a game with the same seeds, until the answer is clear."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from rulewright.cli.jobs.processes import PARTS_A_JOB
from rulewright.cli.jobs.runs import About, crew_of
from rulewright.cli.jobs.tasks import MOST_PART, Work, load_once, matches, parts
from rulewright.cli.options import engine_name
from rulewright.cli.progress import Progress

if TYPE_CHECKING:
    from rulewright.interpreter.simulation.playtest import Playtest
    from rulewright.interpreter.statistics.comparison import Comparison
    from rulewright.interpreter.statistics.measures import Figure
    from rulewright.interpreter.statistics.recording import PlayoutRecord

FIRST = 100
"""The number of pairs of matches before the first test; the number doubles before each further test."""


class Pair(NamedTuple):
    """The work of two versions, which is played with the same seeds."""

    first: Work
    second: Work


class Compared(NamedTuple):
    """The totals over pairs of matches."""

    comparison: Comparison
    first: Playtest
    second: Playtest

    def join(self, other: Compared) -> None:
        """Add the totals over other pairs."""
        self.comparison.join(other.comparison)
        self.first.join(other.first)
        self.second.join(other.second)


class Answer(NamedTuple):
    """The result of a comparison; `look` is the number of tests so far."""

    abouts: tuple[About, About]
    compared: Compared
    look: int
    clear: bool
    is_cut: bool
    wanted: float
    seconds: float


class Looked(NamedTuple):
    """The result after some tests: whether it is clear, and whether the run was interrupted."""

    compared: Compared
    look: int
    clear: bool
    is_cut: bool


def compare(pair: Pair, wanted: float, jobs: int, on: str | None) -> Looked:
    """Play until the main figures are clear, the limit is reached, or the user interrupts."""
    # lazy import: other commands start without it
    from rulewright.interpreter.statistics.comparison import is_clear

    most = pair.first.games
    found: Compared | None = None
    done, look, clear, is_cut = 0, 0, False, False
    with crew_of(jobs, on, pair) as crew, Progress(most, "pairs of games") as progress:
        while done < most and not clear and not is_cut:
            batch = min(max(FIRST, done), most - done)
            both = Pair(*(work.share(done, batch) for work in pair))
            count = max(crew.jobs * PARTS_A_JOB, -(-batch // MOST_PART))
            pieces = map(Pair, parts(both.first, count), parts(both.second, count))
            try:
                for more in crew.each(perform_pair, pieces):
                    progress.tick(more.comparison.plays + more.comparison.given_up)
                    if found is None:
                        found = more
                    else:
                        found.join(more)
            except KeyboardInterrupt:
                if found is None:
                    raise
                is_cut = True
            done += batch
            look += 1
            assert found is not None
            plays = found.comparison.plays
            clear = plays > 0 and is_clear(found.comparison.changes(look, wanted))
    assert found is not None
    return Looked(found, look, clear, is_cut)


def perform_pair(pair: Pair) -> Compared:
    """Play both versions in this process and compare their matches."""
    # lazy import: other commands start without it
    from rulewright.interpreter.statistics.comparison import Comparison

    comparison = Comparison()
    first, one = _measure(pair.first)
    second, other = _measure(pair.second)
    for measured in zip(one, other, strict=True):
        comparison.add(*measured)
    return Compared(comparison, first, second)


def _measure(work: Work) -> tuple[Playtest, list[dict[Figure, int] | None]]:
    # lazy import: other commands start without it
    from rulewright.interpreter.simulation.playtest import Playtest, watch, watch_again
    from rulewright.interpreter.statistics.measures import measures

    game = load_once(work.game, work.reach)
    variant = game.variant(work.players, dict(work.options))
    compiled = game.compiled(variant, engine_name(work.engine))
    names = compiled.words.players
    empty = Playtest.empty(compiled)
    tally, things = empty.tally, empty.uses.things
    found: list[dict[Figure, int] | None] = []

    def keep(record: PlayoutRecord) -> None:
        found.append(
            measures(record, names, tally.items, tally.sides, things) if record.over else None
        )

    if work.records:
        return watch_again(matches(work), compiled, keep), found
    seeds = range(work.first, work.first + work.games)
    study = watch(game, variant, work.bots, seeds, engine_name(work.engine), keep)
    return study, found

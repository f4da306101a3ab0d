"""Finds the scenarios and records that changed rules affect, and where the matches diverge."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import attrs

from rulewright.dsl.loading.confinement import Reach
from rulewright.dsl.scenarios.scenario_loading import load_together, scenario_files
from rulewright.interpreter.engines.engines import EngineName
from rulewright.interpreter.matches.game import Game
from rulewright.interpreter.matches.library import shipped_games
from rulewright.interpreter.matches.match import Match
from rulewright.interpreter.matches.records import Record
from rulewright.interpreter.matches.replay import DifferenceError, replay_as_far
from rulewright.interpreter.testing.scenarios import Runner
from rulewright.interpreter.text.errors import RequestError


@attrs.frozen
class Affected:
    """An affected scenario or record: its name, the line or decision at which it diverges, and the reason."""

    name: str
    file: str
    at: int
    reason: str


@attrs.frozen
class Carried:
    """A match replayed with other rules as far as possible, and the difference at which the replay stopped, if any."""

    match: Match
    parted: DifferenceError | None

    @property
    def decision(self) -> int:
        """Return the number of the first decision that differs. If none differs, return the number of decisions."""
        return self.match.decisions + (self.parted is not None)


def scenarios_affected(
    old: Path, new: Path, engine: EngineName = "python", reach: Reach | None = None
) -> Iterator[Affected]:
    """Yield the scenarios of the old rules that pass with the old rules and fail with the new rules."""
    runner = Runner(engine)
    files = scenario_files(old)
    befores = load_together(files, reach=reach, shipped=shipped_games)
    afters = load_together(files, reach=reach, game=new)
    for file, before, after in zip(files, befores, afters, strict=True):
        fine = {
            result.scene.text
            for program in before.programs
            for result in runner.run(program)
            if result.passed
        }
        if after.has_errors:
            problem = next(p for p in after.problems if p.severity.value == "error")
            for name in sorted(fine):
                yield Affected(name, str(file), problem.span.line, problem.message)
            continue
        for program in after.programs:
            for result in runner.run(program):
                if result.failure is not None and result.scene.text in fine:
                    reason = f"{result.failure.expected}; found: {result.failure.found[0]}"
                    line = result.failure.span.line
                    yield Affected(result.scene.text, str(file), line, reason)


def replay_changed(
    record: Record, game: Game, engine: EngineName = "python", to: int | None = None
) -> Carried:
    """Replay a recorded match with other rules. The replay stops after `to` decisions, or at an impossible choice."""
    match, parted = replay_as_far(record, game, engine=engine, to=to)
    return Carried(match, parted)


def records_affected(path: Path, records: list[Record], game: Game) -> Iterator[Affected]:
    """Yield the records that cannot be replayed to the end with other rules."""
    for number, record in enumerate(records, start=1):
        name = f"record {number}"
        try:
            found = replay_changed(record, game)
        except RequestError as failure:
            yield Affected(name, str(path), 0, str(failure))
            continue
        if found.parted is not None:
            yield Affected(name, str(path), found.decision, found.parted.message)

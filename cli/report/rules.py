"""Find the rules and clauses that are reached in the first matches of a report."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from rulewright.cli.jobs.recorded import replay_lines
from rulewright.cli.jobs.runs import Run
from rulewright.cli.jobs.tasks import load_once
from rulewright.cli.options import engine_name
from rulewright.cli.programs import loaded_rules
from rulewright.cli.progress import Progress
from rulewright.dsl.diagnostics.diagnostics import Problems
from rulewright.interpreter.testing.coverage import Reached, Watched
from rulewright.interpreter.testing.ledger import clauses_at
from rulewright.interpreter.testing.witness import label

MOST = 200
"""The maximum number of matches in which the rules are watched, which is slower than watching decisions."""


class Fired(NamedTuple):
    """A clause, and the number of matches in which it was reached; None if no code implements it."""

    id: str
    text: str
    fired: int | None


class Never(NamedTuple):
    """A point of the rules that was never reached."""

    what: str
    file: str
    line: int


class Reach(NamedTuple):
    """The number of points reached in `plays` matches, the points never reached, and the clauses."""

    plays: int
    points: int
    never: list[Never]
    clauses: list[Fired]


def reach(run: Run) -> Reach:
    """Replay the first matches of the run and watch which rules they reach."""
    work, lines = run.work, run.lines[:MOST]
    game = load_once(work.game, work.reach)
    variant = game.variant(work.players, dict(work.options))
    watched = Watched.of(game, variant, engine_name(work.engine))
    rules = loaded_rules(game.rules)
    accounts = None if rules is None else rules.accounts(Problems())
    places = clauses_at(accounts or ())
    of_point = {
        key: [id for place in point.cited for id in places.get(place, ())]
        for key, point in watched.points.items()
    }
    fired = {id: 0 for ids in of_point.values() for id in ids}
    total = Reached()
    played = replay_lines(lines, game, engine_name(work.engine))
    with Progress(len(lines), "games, watching the rules") as progress:
        for match in played:
            found, is_over = watched.play_again(match.states)
            total.add(found, is_over=is_over)
            for id in {id for key in found for id in of_point.get(key, ())}:
                fired[id] += 1
            progress.tick()
    never = [
        Never(label(point), Path(point.file).name or "the rules of the language", point.line)
        for key, point in sorted(watched.points.items())
        if key not in total.times
    ]
    clauses = [
        Fired(account.clause.id, account.clause.text, fired.get(account.clause.id))
        for account in accounts or ()
    ]
    return Reach(len(lines), len(watched.points), never, clauses)

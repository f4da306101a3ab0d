"""Compile scenarios together with their game.

All scenarios with the same players and options share one program. This module opens no files.
"""

from __future__ import annotations

from collections.abc import Sequence

from attrs import evolve, frozen

from rulewright.dsl.diagnostics.diagnostics import Label, Problems
from rulewright.dsl.diagnostics.source import Span
from rulewright.dsl.loading import loading
from rulewright.dsl.loading.collection import no_collection
from rulewright.dsl.lowering.whole.program import compile_model
from rulewright.dsl.model import types
from rulewright.dsl.model.declaring import build_model
from rulewright.dsl.model.facts import Facts
from rulewright.dsl.model.model import Configuration, Model
from rulewright.dsl.model.types import PLAYER
from rulewright.dsl.scenarios import scenarios
from rulewright.dsl.scenarios.scenario_lowering import ScenarioWriter
from rulewright.dsl.scenarios.scenario_steps import (
    Placed,
    expand_picture,
    with_any_copies,
    with_placed,
)
from rulewright.dsl.tree import scenario_syntax


@frozen
class Terms:
    """The players and options of a scenario."""

    players: tuple[str, ...]
    options: tuple[tuple[str, str], ...]


@frozen
class FullScenario:
    """A scenario. The lines of its beginnings precede its own lines. `parts` contains the places of
    the beginnings and of the scenario.
    """

    scenario: scenario_syntax.Scenario
    terms: Terms
    lines: tuple[scenario_syntax.MeantLine, ...]
    shared: int
    parts: frozenset[Span]


def compile_scenarios(
    game: loading.Loaded,
    terms: Terms,
    files: Sequence[Sequence[FullScenario]],
    problems: Problems,
    known: Facts,
) -> tuple[scenarios.ScenarioProgram, ...] | None:
    """Compile the scenarios of several files into one program.

    For each file, return this program with only the scenarios of that file. Return None after an
    error.
    """
    with no_collection():
        return _compile(game, terms, files, problems, known)


def _compile(
    game: loading.Loaded,
    terms: Terms,
    files: Sequence[Sequence[FullScenario]],
    problems: Problems,
    known: Facts,
) -> tuple[scenarios.ScenarioProgram, ...] | None:
    found = Problems()
    model = build_model(
        game.declarations,
        Configuration(len(terms.players), dict(terms.options)),
        game.read_table,
        found,
        known,
    )
    members = [one for file in files for one in file]
    _name_players(model, members, problems)
    for seat, name in enumerate(terms.players):
        model.seats[seat] = name
        # A player may have the name of a direction; the name means the player unless a direction is
        # expected.
        model.row_names.setdefault(name, []).insert(0, (PLAYER, (seat,)))
    steps: dict[int, scenario_syntax.MeantLine] = {}
    writer = ScenarioWriter(
        [
            [
                (one.scenario, _with_steps(model, one.lines, steps, found), one.shared)
                for one in file
            ]
            for file in files
        ]
    )
    try:
        program, _ = compile_model(
            model, writer.blocks, writer.write, notes_turns=writer.says_who_moves
        )
    except RecursionError:
        problems.error(
            "nested-too-deep",
            "the expressions of the game and this scenario are nested too deeply",
            members[0].scenario.span,
            help="give their parts names: `value NAME = ...` in the game",
        )
        return None
    problems.extend(found.in_order())
    if found.has_errors:
        return None
    # Steps run on top of the open procedures, and may call further procedures.
    room = 4 * (program.size - program.stack)
    whole = evolve(program, size=program.size + room)
    return tuple(scenarios.ScenarioProgram(whole, tuple(of), terms.options) for of in writer.found)


def _with_steps(
    model: Model,
    lines: Sequence[scenario_syntax.MeantLine],
    known: dict[int, scenario_syntax.MeantLine],
    problems: Problems,
) -> tuple[scenario_syntax.MeantLine, ...]:
    """Expand the short steps in lines. Scenarios that share a beginning also share its expanded lines."""
    found: list[scenario_syntax.MeantLine] = []
    placed: Placed = {}
    for line in lines:
        match line:
            case scenario_syntax.Picture():
                if id(line) not in known:
                    known[id(line)] = expand_picture(model, line, problems)
                found.append(known[id(line)])
            case scenario_syntax.Given():
                if id(line) not in known:
                    known[id(line)] = with_any_copies(model, line, placed)
                placed = with_placed(placed, line.body)
                found.append(known[id(line)])
            case scenario_syntax.SameAs():
                theirs = _with_steps(model, line.lines, known, problems)
                found.append(evolve(line, lines=theirs))
            case _:  # all others: they contain no short steps
                found.append(line)
    return tuple(found)


def _name_players(model: Model, members: Sequence[FullScenario], problems: Problems) -> None:
    """Report an error for each player whose name is already used by the game. Report each name only once."""
    declared = {
        key.split(" ", 1)[1]: span
        for key, span in model.first_declared.items()
        if key.startswith("noun ")
    }
    rows = {
        name
        for name, found in model.row_names.items()
        if any(not isinstance(type, types.Direction) for type, _ in found)
    }
    reported: set[str] = set()
    names = (
        word
        for one in members
        for line in one.lines
        if isinstance(line, scenario_syntax.PlayersNamed)
        for word in line.names
    )
    for word in names:
        if word.name in reported or (word.name not in rows and word.name not in declared):
            continue
        reported.add(word.name)
        problems.error(
            "shadowed-name",
            f"a player called `{word.name}` hides something of the game",
            word.span,
            labels=(Label(declared[word.name], "declared here"),) if word.name in declared else (),
            help="give the player another name",
        )

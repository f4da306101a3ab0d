"""Laws for a game that checks clean, for everything that can be done with it.

Engines in lockstep, views, refusals, records, counts, command lines. Faults of the rules are not findings: they are
reported where they happen.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from io import StringIO
from pathlib import Path
from random import Random

from rulewright.cli.app import TRACEBACK, run
from rulewright.cli.exits import Exit
from rulewright.dsl.diagnostics.diagnostics import Problems, Severity
from rulewright.dsl.diagnostics.source import Source
from rulewright.dsl.formatting.formatter import format_game
from rulewright.dsl.loading.loading import load
from rulewright.interpreter.matches.audit import check_components
from rulewright.interpreter.matches.game import Game, Variant, game_of
from rulewright.interpreter.matches.match import Match
from rulewright.interpreter.matches.records import parse_records, record_of
from rulewright.interpreter.matches.replay import replay
from rulewright.interpreter.matches.state import State
from rulewright.interpreter.testing.leak_search import search
from rulewright.interpreter.testing.observations import Leak
from rulewright.interpreter.testing.perft import perft
from rulewright.interpreter.text.faults import RuleFault
from rulewright.interpreter.views.view import ALL_SEEING, as_text
from tests.interpreter.lockstep import Runners, lockstep
from tests.properties.mutants import LONGEST, HangError, no_longer_than, problems_of

STEPS = 14
_DO = (
    "show", "show --sites", "show --format json", "simulate --games 1", "simulate --games 2 --coverage",
    "perft --depth 2", "perft --depth 1 --divide", "bench --seconds 0.05", "leaks --games 1 --pairs 2", "check",
)  # fmt: skip
"""Command lines; one of them is run for each game."""


class TooLongError(Exception):
    """The time limit was exceeded, which alone is not a finding."""


@contextmanager
def patience(seconds: float) -> Iterator[None]:
    """Reports long runs as such, because they are not findings."""
    try:
        with no_longer_than(seconds):
            yield
    except HangError as late:
        raise TooLongError from late


def hold_in_all(path: Path, random: Random, *, native: bool = True) -> list[Leak] | None:
    """Check a game, and do everything possible with a clean one; returns its leaks, or None if it is not clean."""
    problems = problems_of(path)
    text = path.read_text(encoding="utf-8")
    if any(problem.severity is Severity.ERROR for problem in problems):
        return None
    _stays_in_layout(text)
    game = game_of(path.name, load(path))
    leaks: list[Leak] = []
    settings = list(game.rules.checked_variants())
    for players, options in random.sample(settings, min(2, len(settings))):
        variant = Variant(players, tuple(sorted(options.items())))
        with patience(4 * LONGEST):
            leaks += _in_one_variant(game, variant, random, native)
    _command(path, random)
    return leaks


def _stays_in_layout(text: str) -> None:
    found = format_game(Source("twisted.game", text), Problems())
    assert found is not None
    assert format_game(Source("twisted.game", found), Problems()) == found


def _in_one_variant(game: Game, variant: Variant, random: Random, native: bool) -> list[Leak]:
    program = game.program(variant)
    seed = random.randrange(1000)
    if native:
        lockstep(Runners(program), seed, STEPS)
    match = _play(game, variant, random, seed)
    if match is None:
        return []
    record = record_of(match, ["random"] * variant.players).to_line()
    again = replay(parse_records(record, "record")[0], game)
    try:
        assert list(map(_shown_facts, again.states)) == list(map(_shown_facts, match.states))
    except RuleFault:
        return []
    if not match.state.over:
        _same_counts(game, variant, match)
    try:
        found = search(game, variant, range(seed, seed + 1), 4)
    except RuleFault:
        return []
    return [pair.leak for pair, _ in found.found.values()]


def _play(game: Game, variant: Variant, random: Random, seed: int) -> Match | None:
    """A random match with views of all kinds; None if it ends at once with a fault of the rules."""
    try:
        match = Match.begin(game, variant, seed)
    except RuleFault:
        return None
    for _ in range(STEPS):
        state = match.state
        try:
            _look(state)
            if state.over:
                break
            options = state.decision.options
            assert state.decision.player >= 0
            assert len({option.name for option in options}) == len(options)
            assert all(option.name and option.text for option in options)
            match.choose(random.choice(list(options)).name)
        except RuleFault:
            break
    if match.decisions:
        before = match.state
        if match.undo():
            assert before not in match.states or len(match.states) > match.states.index(before)
    return match


def _shown_facts(state: State) -> object:
    """Everything about a state that is ever shown: two dice with the same number may have different sides up."""
    offered = () if state.over else tuple(state.decision.names)
    return as_text(state.view(ALL_SEEING)), offered, [line.text for line in state.log]


def _look(state: State) -> None:
    """Everything visible of a state exists and is consistent."""
    check_components(state.compiled, state.cells)
    for player in range(len(state.players)):
        assert state.view(player) is not None
    for line in state.log:
        assert line.text is not None
    if state.over:
        assert state.scores is not None
        return
    for name, reason in state.decision.refused.items():
        assert reason
        assert state.decision.why(name) == reason


def _same_counts(game: Game, variant: Variant, match: Match) -> None:
    """Both engines count the same sequences from a position of a match."""
    state = match.states[max(0, len(match.states) - 3)]
    try:
        if state.over or len(state.option_ids) > 40:
            return
        other = game.start(
            players=variant.players, engine="reference", options=dict(variant.options)
        )
        counts = list(perft(state, 2))
        assert counts == list(perft(other.with_cells(state.cells), 2))
    except RuleFault:
        return


def _command(path: Path, random: Random) -> None:
    """A command line ends with a permitted exit code, and never with a bug."""
    words = random.choice(_DO).split()
    with patience(4 * LONGEST), redirect_stdout(StringIO()), redirect_stderr(StringIO()):
        code = run([words[0], str(path), *words[1:], TRACEBACK])
    assert code in (Exit.FINE, Exit.PROBLEMS, Exit.FAULT, Exit.USAGE), (words, code)

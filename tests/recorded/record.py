"""Records the behaviour of a game: its problems, and for each variant the options, views, log lines and results of a
match.

Each line of a record is a key and some digests, so a comparison of two records names the game, the variant and the
part that differ. Problems are recorded by code, file, line and column; their words may change.
"""

from __future__ import annotations

import hashlib
import random
from collections.abc import Iterator, Sequence
from pathlib import Path

from rulewright.dsl.diagnostics.diagnostics import Diagnostic, Severity
from rulewright.dsl.loading.loading import load
from rulewright.interpreter.matches.game import Game, Variant, load_game
from rulewright.interpreter.matches.state import State
from rulewright.interpreter.text.faults import RuleFault

LONGEST = 2_000
"""How many decisions of a match are recorded."""
VIEWS = 40
"""In one of this many states, the views of all players and a spectator are recorded."""


class Digest:
    """A digest of a sequence of texts."""

    def __init__(self) -> None:
        self._hash = hashlib.sha256()

    def add(self, text: str) -> None:
        """Add one text."""
        data = text.encode()
        self._hash.update(len(data).to_bytes(8, "big") + data)

    def __str__(self) -> str:
        return self._hash.hexdigest()[:10]


def problems_line(name: str, problems: Sequence[Diagnostic]) -> str:
    """The problems of all variants of a game."""
    digest = Digest()
    for place in sorted(map(_place, problems)):
        digest.add(place)
    return f"{name}  {len(problems)} problems {digest}"


def _place(problem: Diagnostic) -> str:
    span = problem.span
    return f"{problem.code} {Path(span.source.name).name} {span.line} {span.column}"


def match_line(name: str, game: Game, variant: Variant, seed: int, longest: int = LONGEST) -> str:
    """A random match, with its options, views, log lines and results."""
    options, views, log = Digest(), Digest(), Digest()
    choose = random.Random(seed).choice
    state = game.start(variant.players, seed, dict(variant.options))
    length, end = 0, "open"
    try:
        while True:
            for entry in state.log:
                log.add(f"{entry.audience} {entry.text} {entry.clauses}")
            if length % VIEWS == 0 or state.over:
                for viewer in range(-2, variant.players):
                    views.add(repr(state.view(viewer)))
            if state.over or length == longest:
                break
            decision = state.decision
            options.add(f"{decision.player} {decision.prompt}")
            for option in decision.options:
                options.add(f"{option.name} {option.text}")
            state = state.take(choose(state.option_ids))
            length += 1
        end = _end(state)
    except RuleFault as fault:
        end = fault.code
    result = Digest()
    result.add(end)
    chosen = "".join(f" {key}={value}" for key, value in variant.options)
    return (
        f"{name}  {variant.players} players{chosen} seed {seed}: "
        f"{length} decisions, options {options}, views {views}, log {log}, result {result}"
    )


def _end(state: State) -> str:
    return f"{state.over} {state.winners} {state.scores!r}"


def lines(
    name: str, path: Path, seeds: Sequence[int] = (0,), most: int | None = None
) -> Iterator[str]:
    """The record of a game: its problems, then matches of all variants that `check` checks, or of this many."""
    problems = load(path).check()
    yield problems_line(name, problems)
    if not any(problem.severity is Severity.ERROR for problem in problems):
        yield from matches(name, load_game(path), seeds, most)


def matches(
    name: str, game: Game, seeds: Sequence[int] = (0,), most: int | None = None
) -> Iterator[str]:
    """The record of the matches of a game, without its problems."""
    for players, options in game.rules.checked_variants()[:most]:
        for seed in seeds:
            yield match_line(name, game, game.variant(players, options), seed)

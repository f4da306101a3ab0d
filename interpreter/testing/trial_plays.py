"""Plays a few random decisions to find faults. The decisions depend only on the rules, so they are reproducible."""

from __future__ import annotations

from collections.abc import Mapping

from rulewright.dsl.diagnostics.diagnostics import Diagnostic
from rulewright.dsl.diagnostics.source import Source, Span
from rulewright.interpreter.engines.playouts import bot_generator
from rulewright.interpreter.matches.game import Game, Variant, first_state
from rulewright.interpreter.matches.state import State
from rulewright.interpreter.text.faults import RuleFault

VARIANTS = 2
"""The maximum number of variants that are played."""
_SHOWN = 12
"""The maximum number of choices that a message shows."""


def trial_variants(
    game: Game, players: int | None = None, options: Mapping[str, str] | None = None
) -> tuple[Variant, ...]:
    """Return the variants to play: the default variant, and the variant farthest from it."""
    given = game.for_random_play(options)
    usual = game.variant(players, given)
    every = game.rules.variants(players, given)
    last = [Variant(number, tuple(chosen.items())) for number, chosen in every[-1:]]
    return tuple(dict.fromkeys([usual, *last]))[:VARIANTS]


def fault_at_random(game: Game, variant: Variant, decisions: int) -> Diagnostic | None:
    """Return the first fault within `decisions` decisions, with the match that leads to it. If
    there is none, return None."""
    seed = int(game.hash[:12], 16)
    compiled = game.compiled(variant)
    bots = bot_generator(seed, 0)
    taken: list[str] = []
    try:
        state = first_state(compiled, seed, "seeded", remember=False)
        for _ in range(decisions):
            if state.over:
                _compute_scores(state)
                seed, taken = seed + 1, []
                state = first_state(compiled, seed, "seeded", remember=False)
                continue
            choice = state.option_ids[bots.below(len(state.option_ids))]
            (name,) = compiled.option_names(state.cells, [choice])
            taken.append(f"{state.decision.name_of_player} plays {name}")
            state = state.take(choice)
        if state.over:
            _compute_scores(state)
    except RuleFault as fault:
        spans = (procedure.span for procedure in compiled.program.suspending)
        where = fault.span or next(filter(None, spans), None)
        return _as_problem(fault, where, variant, seed, taken)
    return None


def _compute_scores(state: State) -> None:
    """Find the winners, which computes all scores."""
    _ = state.winners, state.scores


def _as_problem(
    fault: RuleFault, where: Span | None, variant: Variant, seed: int, taken: list[str]
) -> Diagnostic:
    words = ", ".join(
        [f"{variant.players} players", *(f"{name}={value}" for name, value in variant.options)]
    )
    shown = taken[-_SHOWN:]
    left = f"{len(taken) - len(shown)} more, then " if len(shown) < len(taken) else ""
    way = f"after: {left}{'; '.join(shown)}" if taken else "before the first decision"
    return Diagnostic(
        fault.code,
        f"{fault.message} (in a match at random)",
        where or Span(Source("", ""), 0, 0),
        notes=(f"{words}, seed {seed}", way),
    )

"""Implement `rulewright train`, which learns from matches what things and patterns are worth."""

from __future__ import annotations

from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING

import click

from rulewright.cli.exits import Exit
from rulewright.cli.jobs.tasks import load_once
from rulewright.cli.options import (
    WholeNumber,
    example,
    game_argument,
    players_option,
    reach_options,
    seed_option,
    set_option,
    settings_of_random_play,
)
from rulewright.cli.progress import Progress

if TYPE_CHECKING:
    from rulewright.dsl.loading.confinement import Reach
    from rulewright.interpreter.bots.weights import Weights
    from rulewright.interpreter.matches.game import Game, Variant


_TRIALS = "mcts:20"
"""The bot that tests the weights."""
_MATCHES = 300
"""The maximum number of matches of a bot to learn from, if no other number is given."""
_PARTS = 2520
"""The unit for shares of a victory: shares are integers, and this many units are a whole victory."""


@click.command(
    short_help="Learn the values of things or patterns.",
    epilog=example(
        "rulewright train mygame.game",
        "rulewright train mygame.game --bot mcts:20 --games 1000 --minutes 60",
    ),
)
@game_argument
@click.option(
    "--games",
    type=WholeNumber(1),
    metavar="N",
    help="The maximum number of matches (300; for patterns, 5,000,000).",
)
@click.option(
    "--minutes",
    type=WholeNumber(1),
    default=15,
    show_default=True,
    metavar="N",
    help="Stop learning after this many minutes, and stop the test of the weights after the same time again.",
)
@click.option(
    "--tries",
    type=WholeNumber(0),
    default=30,
    show_default=True,
    metavar="N",
    help="Matches in which a bot (mcts:20) with the weights plays against bots without.",
)
@click.option(
    "--bot",
    default="greedy",
    show_default=True,
    metavar="BOT",
    help="The bot that plays all seats: random, greedy, easy, normal, hard, or more precisely mcts:400.",
)
@players_option
@seed_option
@set_option
@click.option(
    "--out",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Write the weights to this file, and not beside the game.",
)
@reach_options
def command(
    game: str,
    games: int | None,
    minutes: int,
    tries: int,
    bot: str,
    players: int | None,
    seed: int | None,
    settings: tuple[str, ...],
    out: Path | None,
    reach: Reach,
) -> int:
    """Play matches between bots, and learn from them how many points a player's things are worth.

    The things come from the declarations: numbers of a player, pieces in a player's zones, tokens at a
    player's places. The weights are written to GAME.weights.json beside the game, where searching bots find
    them. They are valid only for these rules: after the rules change, bots ignore the weights and say so.
    Bots also work without weights.

    In a game on a grid for two players, without chance and secrets, the command learns the worth of patterns
    of neighbouring spaces instead. The patterns play against themselves, so --bot has no effect. Such matches
    are short, and millions of them are useful.

    A third of the matches is kept for a test. If the weights do not predict the results of these matches
    better than points alone, nothing is written. Then the weights are tested in matches: one seat searches
    with them, all others without. If this seat does not win more than its fair share, nothing is written
    either. After Ctrl-C the command learns from the matches so far. The same seeds give the same weights.
    """
    # lazy import: other commands start without it
    from rulewright.interpreter.bots.levels import is_bot, no_bot
    from rulewright.interpreter.bots.patterns import board_of
    from rulewright.interpreter.bots.training import FEWEST, MATCHES, train, train_patterns
    from rulewright.interpreter.bots.tree_search import CLOCK
    from rulewright.interpreter.bots.weights import holds_weights, path_beside, save, things_of
    from rulewright.interpreter.matches.fastest import fastest

    if not is_bot(bot):
        raise click.BadParameter(no_bot(bot), param_hint="'--bot'")
    CLOCK.set(monotonic)
    loaded = load_once(game, reach)
    variant = loaded.variant(players, settings_of_random_play(loaded, settings))
    compiled = loaded.compiled(variant)
    board = board_of(compiled)
    if board is None and not compiled.program.score:
        return _nothing(f"{loaded.title} has no points, and weights are learned beside points")
    if board is None and not things_of(compiled.program):
        return _nothing(f"the players of {loaded.title} have nothing of their own to be weighed")
    if out is None:
        if loaded.facts.path is None:
            raise click.UsageError(
                "the game is not in a file: name one for the weights with '--out'"
            )
        out = path_beside(loaded.facts.path)
    if out.exists() and not holds_weights(out):
        raise click.UsageError(f"'{out}' holds something other than weights, so it is kept")
    end = monotonic() + 60 * minutes
    found, weights = None, None
    first, many = seed or 0, games or (_MATCHES if board is None else MATCHES)
    with Progress(many, "games", f"learning from {'patterns' if board else bot}") as progress:

        def has_time_left(played: int = 1) -> bool:
            progress.tick(played)
            return monotonic() < end

        ready = fastest(compiled)
        if board is not None:
            weights = train_patterns(loaded, ready, variant, board, first, many, has_time_left)
        else:
            found = train(loaded, ready, variant, bot, range(first, first + many), has_time_left)
    if board is not None and weights is not None:
        click.echo(f"{board.length} spaces in a pattern, learned from {weights.matches:,} matches")
    elif found is None:
        return _nothing(f"too few matches: at least {FEWEST} are needed")
    else:
        weights = found.weights
        text = (
            f"points explain {max(0.0, found.by_points):.1%} of the results, "
            f"with weights {max(0.0, found.by_all):.1%} (from {weights.matches} matches)"
        )
        if not found.is_better:
            return _nothing(f"{text}: nothing is written")
        click.echo(text)
    if tries and not _is_stronger(loaded, variant, weights, range(first, first + tries), minutes):
        return _nothing("nothing is written")
    save(weights, out)
    best = sorted(weights.things.items(), key=lambda one: -abs(one[1]))
    for name, number in best[:10]:
        click.echo(f"  {name}: {_points(number, weights.point)}")
    click.echo(f"written to {out}")
    return Exit.FINE


def _is_stronger(
    game: Game, variant: Variant, weights: Weights, seeds: range, minutes: int
) -> bool:
    # lazy import: other commands start without it
    from rulewright.interpreter.bots.training import shares_with
    from rulewright.interpreter.matches.fastest import fastest
    from rulewright.interpreter.statistics.intervals import mean_interval

    compiled = fastest(game.compiled(variant))
    end = monotonic() + 60 * minutes
    with Progress(len(seeds), "games", "trying the weights") as progress:

        def has_time_left() -> bool:
            progress.tick()
            return monotonic() < end

        won = shares_with(game, compiled, variant, weights, _TRIALS, seeds, has_time_left)
    parts = [round(share * _PARTS) for share in won]
    interval = mean_interval(len(parts), sum(parts), sum(part * part for part in parts))
    low, high = (edge / _PARTS for edge in interval or (0, _PARTS))
    share, fair = sum(won) / len(won), 1 / compiled.program.seats
    click.echo(
        f"with them {_TRIALS} wins {share:.0%} of {len(won)} matches against {_TRIALS} without "
        f"({max(0.0, low):.0%} to {min(1.0, high):.0%}; {fair:.0%} is fair)"
    )
    return share > fair


def _points(number: int, point: int) -> str:
    return f"worth {number / point:.2f} points" if point > 0 else f"weight {number}"


def _nothing(why: str) -> int:
    click.echo(why)
    return Exit.FINE

"""Implement `rulewright ledger`, which lists the implementation of each clause of a rulebook."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from rulewright.cli.exits import Exit
from rulewright.cli.options import (
    WholeNumber,
    engine_name,
    engine_option,
    example,
    format_option,
    game_argument,
    load,
    reach_options,
    seed_option,
    set_option,
    settings_of_random_play,
)
from rulewright.cli.output import show_json, show_problems
from rulewright.cli.progress import Progress

if TYPE_CHECKING:
    from rulewright.dsl.loading.confinement import Reach


@click.command(
    short_help="Account for every clause of a rulebook.",
    epilog=example(
        "rulewright ledger ginkgopolis",
        "rulewright ledger colonial",
        "rulewright ledger mygame.game --games 0",
    ),
)
@game_argument
@click.option(
    "--games",
    type=WholeNumber(0, 1_000_000),
    default=100,
    show_default=True,
    metavar="N",
    help="Random games to find rules that are never reached; 0 for none.",
)
@seed_option
@set_option
@engine_option
@reach_options
@format_option
def command(
    game: str,
    games: int,
    seed: int | None,
    settings: tuple[str, ...],
    engine: str,
    reach: Reach,
    form: str,
) -> int:
    """List the clauses of a rulebook. Each entry names the lines that implement the clause, the scenarios
    that test it, and the number of random games that reached one of these lines. If a note waives the
    clause, the entry has the reason.

    The games are spread over all numbers of players and the choices of options that --set leaves open, with
    the options that the game sets in random play. The exit code is 1 if a clause is neither implemented nor
    waived, or both, or if a cited clause is not in the rulebook.

    JSON: {game, rulebook, games, settings, clauses: [{id, text, line, implemented: [{file, line}],
    waived: [REASON...], tests: [{file, line, name}], fired: N or null}], totals: {clauses,
    implemented, waived, missing, untested, never_fired}, problems: [...] as in `rulewright check`};
    fired is null if no line of a clause can be reached in play, and with --games 0.
    """
    # lazy import: other commands start without it
    from rulewright.cli.formats.ledger import ledger_data, ledger_text
    from rulewright.dsl.checks.clauses import line_citations, report_unknown
    from rulewright.dsl.diagnostics.diagnostics import Problems
    from rulewright.dsl.loading.loading import Loaded
    from rulewright.dsl.scenarios.scenario_loading import read_scenarios, scenario_files
    from rulewright.interpreter.testing.ledger import make_ledger

    loaded = load(game, reach)
    rules = loaded.rules
    assert isinstance(rules, Loaded)
    problems = Problems()
    accounts = rules.accounts(problems)
    if accounts is None:
        raise click.UsageError(
            f'{loaded.title} names no rulebook. Write `rulebook "NAME.rules.md"` below the `game` '
            "line; the clauses of that file are items such as `- **EN-034** A city holds one disc.`"
        )
    scenarios = [
        scenario
        for path in scenario_files(rules.path)
        for scenario in read_scenarios(path, problems)
    ]
    tags = [tag for scenario in scenarios for tag in scenario.tags]
    report_unknown(line_citations(tags), [account.clause for account in accounts], problems)
    with Progress(games, "games") as progress:
        ledger = make_ledger(
            loaded,
            accounts,
            scenarios,
            games,
            seed or 0,
            engine_name(engine),
            settings_of_random_play(loaded, settings),
            progress.tick,
        )
    book = rules.facts.rulebook if rules.facts is not None else None
    found = problems.in_order()
    if form == "json":
        show_json(ledger_data(loaded.title, book.name if book is not None else "", ledger, found))
    else:
        show_problems(found, err=True)
        click.echo(ledger_text(loaded.title, ledger))
    return Exit.PROBLEMS if found else Exit.FINE

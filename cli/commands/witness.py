"""Implement `rulewright witness`, which finds a match in which a rule is reached."""

from __future__ import annotations

from pathlib import Path
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
    players_option,
    reach_options,
    read_settings,
    seed_option,
    set_option,
)
from rulewright.cli.output import show_json
from rulewright.cli.progress import Progress, track

if TYPE_CHECKING:
    from rulewright.dsl.loading.confinement import Reach


@click.command(
    short_help="Find a game in which a rule is reached.",
    epilog=example(
        'rulewright witness love_letter "effect guard" --save guard.play',
        "rulewright witness ginkgopolis GK-054 --games 2000",
    ),
)
@game_argument
@click.argument("rule", metavar="RULE")
@click.option(
    "--games",
    type=WholeNumber(1),
    default=1000,
    show_default=True,
    metavar="N",
    help="After how many games to give up.",
)
@players_option
@set_option
@seed_option
@click.option(
    "--save",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="The file for the record; by default RULE.play in the current folder.",
)
@engine_option
@reach_options
@format_option
def command(
    game: str,
    rule: str,
    games: int,
    players: int | None,
    settings: tuple[str, ...],
    seed: int | None,
    save: Path | None,
    engine: str,
    reach: Reach,
    form: str,
) -> int:
    """Search for a game in which RULE is reached, and save its record for `rulewright replay`.

    RULE is a rule as `rulewright simulate --coverage` lists it (action buy), its name alone (buy), a clause it
    cites (GK-054), or its place (market.game:12). The first half of the games is played at random; after that,
    each choice looks one step ahead. The games rotate through all numbers of players and choices of options
    that --players and --set leave open. The exit code is 1 if no game is found.

    JSON: {game, rule: [{what, name, file, line}], found, games, record, players, options, seed,
    decision, player, option, refused}; decision is the number of the choice that leads there, 0 for the setup;
    unknown values are null.
    """
    # lazy import: other commands start without it
    from rulewright.dsl.checks.clauses import citations
    from rulewright.dsl.loading.loading import Loaded
    from rulewright.interpreter.matches.records import record_of, refuse_to_overwrite
    from rulewright.interpreter.matches.records import save as write
    from rulewright.interpreter.testing.coverage import points_of, variants_of
    from rulewright.interpreter.testing.witness import find_witness, label, place, points_named
    from rulewright.interpreter.text.errors import with_near

    loaded = load(game, reach)
    file = save or Path(f"{_file_name(rule)}.play")
    refuse_to_overwrite(file)
    among = variants_of(loaded, players, read_settings(settings))
    compiled = track(among, "variants", "compiling the rules")
    points = points_of(loaded.program(variant) for variant in compiled)
    rules = loaded.rules
    cited = citations(rules.declarations) if isinstance(rules, Loaded) else ()
    targets = points_named(rule, points, cited)
    if not targets:
        names = dict.fromkeys(
            name for point in points.values() for name in (label(point), point.name, *point.clauses)
        )
        message = f"{loaded.title} has nothing called `{rule}`"
        advice = with_near(message, rule, names)
        if advice == message:
            advice += f"; 'rulewright simulate {game} --coverage' lists what there is"
        raise click.BadParameter(advice, param_hint="'RULE'")
    done = [0]
    with Progress(games, "games", f"looking for `{rule}`") as progress:
        try:
            found = find_witness(
                loaded, among, targets, games, seed or 0, engine_name(engine), progress.tick, done
            )
        except KeyboardInterrupt:
            click.echo(f"interrupted: `{rule}` was not reached in {done[0]:,} games", err=True)
            return Exit.INTERRUPTED
    data: dict[str, object] = {
        "game": loaded.title,
        "rule": [
            {"what": each.word, "name": each.name, "file": each.file, "line": each.line}
            for each in targets
        ],
        "found": found is not None,
        "games": games if found is None else found.searched,
    }
    keys = ("record", "players", "options", "seed", "decision", "player", "option", "refused")
    data.update(dict.fromkeys(keys))
    if found is None:
        if form == "json":
            show_json(data)
        else:
            number = "1 game" if games == 1 else f"{games:,} games"
            click.echo(f"`{rule}` was not reached in {number}")
        return Exit.PROBLEMS
    match = found.match
    write(file, record_of(match).to_text())
    player = option = None
    if found.decision:
        before = match.states[found.decision - 1]
        player = before.compiled.words.players[before.player]
        if found.refused is None:
            after = match.states[found.decision]
            option = before.compiled.option_name(before.cells, after.choice)
    if form == "json":
        data.update(
            record=str(file),
            players=match.variant.players,
            options=dict(match.variant.options),
            seed=match.seed,
            decision=found.decision,
            player=player,
            option=option,
            refused=found.refused,
        )
        show_json(data)
        return Exit.FINE
    where = f"{label(found.point)} ({place(found.point)})"
    if found.refused is not None:
        how = f"at decision {found.decision}, where {player} cannot take {found.refused}"
    elif found.decision:
        how = f"at decision {found.decision}: {player} takes {option}"
    else:
        how = "before the first decision"
    click.echo(f"{where}\n  is reached {how}")
    number = "the first game" if found.searched == 1 else f"game {found.searched:,}"
    chosen = ", ".join(f"{name} {value}" for name, value in match.variant.options)
    click.echo(f"  in {number}: {match.variant.players} players{chosen and f', {chosen}'}")
    shown = found.decision if found.refused is None else found.decision - 1
    click.echo(f"  rulewright replay {file} --to {shown}")
    return Exit.FINE


def _file_name(rule: str) -> str:
    """Turn `rule` into a file name of letters, digits and dashes."""
    words = "".join(
        letter if letter.isascii() and letter.isalnum() else " " for letter in rule
    ).split()
    return "-".join(words)[:60] or "witness"

"""Implement `rulewright replay`, which replays a recorded match."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from rulewright.cli.exits import Exit
from rulewright.cli.options import (
    WholeNumber,
    beside,
    engine_name,
    engine_option,
    example,
    format_option,
    load_from,
    reach_options,
)
from rulewright.cli.output import show_json

if TYPE_CHECKING:
    from rulewright.dsl.loading.confinement import Reach
    from rulewright.interpreter.matches.game import Game
    from rulewright.interpreter.matches.match import Match
    from rulewright.interpreter.matches.records import Record


@click.command(
    short_help="Show or verify recorded matches.",
    epilog=example(
        "rulewright replay evening.play --to 12",
        "rulewright replay games.log --verify",
        "rulewright replay evening.play --with mygame.game --save tomorrow.play",
    ),
)
@click.argument(
    "path", metavar="RECORD", type=click.Path(exists=True, dir_okay=False, path_type=Path)
)
@click.option("--to", type=WholeNumber(0), metavar="N", help="Stop after N decisions.")
@click.option("--verify", is_flag=True, help="Only report whether all records are still valid.")
@click.option(
    "--number",
    type=WholeNumber(1),
    default=1,
    show_default=True,
    metavar="N",
    help="The number of the record in the file.",
)
@click.option("--game", metavar="GAME", help="The rules, if their file has moved.")
@click.option(
    "--with",
    "new",
    metavar="GAME",
    help="Continue with other rules, as far as every choice is possible.",
)
@click.option(
    "--save",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="With --with: save the match by the new rules, for `play --load`.",
)
@engine_option
@reach_options
@format_option
def command(
    path: Path,
    to: int | None,
    verify: bool,
    number: int,
    game: str | None,
    new: str | None,
    save: Path | None,
    engine: str,
    reach: Reach,
    form: str,
) -> int:
    """Replay a record; show every choice and the resulting position.

    A record that does not fit its rules is rejected at the first difference, with exit code 1. With other
    rules (--with) the record is replayed as far as possible. The first difference is reported, with exit
    code 1, and --save saves the match up to this difference, so that the match can be continued.

    JSON: {game, players, options, seed, steps: [{player, option, text, chance: [...], log:
    [...]}], over, winners: [NAME...], tie: [LINE...], scores: [{name, items: [{item, points}], total}], position:
    {zones, tokens, values}}, by other rules
    also parted: {decision, reason} or null; with --verify {records, sound, problems: [{record, message}]}.
    """
    # lazy import: other commands start without it
    from rulewright.interpreter.matches.records import load_records
    from rulewright.interpreter.text.errors import BrokenRecordError

    records = load_records(path)
    if save is not None and new is None:
        raise click.UsageError("--save needs other rules: name them by --with GAME")
    if verify:
        return _verify(path, records, game, reach, engine, form)
    if number > len(records):
        raise click.BadParameter(f"the file has {len(records)} records", param_hint="'--number'")
    record = records[number - 1]
    if new is not None:
        return _replay_in_new_rules(path, record, load_from(new, reach), to, save, engine, form)
    rules = _rules(record, path, game, reach)
    try:
        match = _checked_match(record, rules, engine, to)
    except BrokenRecordError as failure:
        click.echo(f"{path}: {failure}", err=True)
        return Exit.PROBLEMS
    if form == "json":
        show_json(_data(match))
    else:
        _show(match)
    return Exit.FINE


def _replay_in_new_rules(
    path: Path,
    record: Record,
    game: Game,
    to: int | None,
    save: Path | None,
    engine: str,
    form: str,
) -> int:
    """Play a record by other rules, and report where the match first differs."""
    # lazy import: other commands start without it
    from rulewright.interpreter.matches import records
    from rulewright.interpreter.testing.affected import replay_changed
    from rulewright.interpreter.text.errors import BrokenRecordError

    try:
        found = replay_changed(record, game, engine_name(engine), to)
    except BrokenRecordError as failure:
        click.echo(f"{path}: {failure}", err=True)
        return Exit.PROBLEMS
    if save is not None:
        records.save(save, records.record_of(found.match, record.seats).to_text())
    parted = found.parted
    if form == "json":
        reason = None if parted is None else {"decision": found.decision, "reason": parted.message}
        show_json({**_data(found.match), "parted": reason})
    else:
        _show(found.match)
    if parted is None:
        return Exit.FINE
    click.echo(f"{path}: decision {found.decision}: {parted.message}", err=True)
    return Exit.PROBLEMS


def _rules(record: Record, path: Path, game: str | None, reach: Reach) -> Game:
    """Load the game of a record: the given game, or else the game named in the record, or found beside the
    record.
    """
    return load_from(game or beside(record.game, path), reach)


def _checked_match(record: Record, rules: Game, engine: str, to: int | None) -> Match:
    # lazy import: other commands start without it
    from rulewright.interpreter.matches.replay import check_rules, replay
    from rulewright.interpreter.text.errors import BrokenRecordError

    check_rules(record, rules)
    match = replay(record, rules, engine=engine_name(engine), to=to)
    if not record.is_whole:
        raise BrokenRecordError("the record was edited: its checksum does not match")
    return match


def _verify(
    path: Path,
    records: list[Record],
    game: str | None,
    reach: Reach,
    engine: str,
    form: str,
) -> int:
    # lazy import: other commands start without it
    from rulewright.interpreter.text.errors import BrokenRecordError

    loaded: dict[str, Game] = {}
    problems: list[tuple[int, str]] = []
    for number, record in enumerate(records, start=1):
        if record.game not in loaded:
            loaded[record.game] = _rules(record, path, game, reach)
        try:
            _checked_match(record, loaded[record.game], engine, None)
        except BrokenRecordError as failure:
            problems.append((number, str(failure)))
    sound = len(records) - len(problems)
    if form == "json":
        listed = [{"record": number, "message": message} for number, message in problems]
        show_json({"records": len(records), "sound": sound, "problems": listed})
    else:
        for number, message in problems:
            click.echo(f"{path}: record {number}: {message}")
        click.echo(f"{sound} valid, {len(problems)} invalid")
    return Exit.PROBLEMS if problems else Exit.FINE


def _show(match: Match) -> None:
    # lazy import: other commands start without it
    from rulewright.cli.terminal.screen import event_lines, position
    from rulewright.interpreter.questions.drawing import ending
    from rulewright.interpreter.views.view import ALL_SEEING

    click.echo(f"{match.game.title}, {match.variant.players} players, seed {match.seed}")
    names = match.state.players
    for number, events in enumerate(match.events_by_step(ALL_SEEING)):
        side = f"{number:>3}  " if number else "     "
        for line in event_lines(events, names, "     "):
            click.echo(side + line[5:])
            side = "     "
    click.echo()
    click.echo(position(match.state, ALL_SEEING))
    if match.state.over:
        click.echo()
        for line in ending(match.state):
            click.echo(line)


def _data(match: Match) -> dict[str, object]:
    # lazy import: other commands start without it
    from rulewright.cli.formats.views import scores_data, view_data
    from rulewright.interpreter.views.view import ALL_SEEING

    state = match.state
    steps = []
    for before, after in zip(match.states, match.states[1:], strict=False):
        steps.append(
            {
                "player": before.decision.name_of_player,
                "option": before.compiled.option_name(before.cells, after.choice),
                "text": before.compiled.option_text(before.cells, after.choice),
                "chance": [
                    after.compiled.words.result(drawn.site, drawn.value) for drawn in after.drawn
                ],
                "log": [line.text for line in after.log],
            }
        )
    return {
        "game": match.game.title,
        "players": match.variant.players,
        "options": dict(match.variant.options),
        "seed": match.seed,
        "steps": steps,
        "over": state.over,
        "winners": [state.players[winner] for winner in state.winners],
        "tie": state.tie(),
        "scores": scores_data(state.scores),
        "position": view_data(state.view(ALL_SEEING)),
    }

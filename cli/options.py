"""Define the options that several commands share, and parse their values."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import wraps
from math import isfinite
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click
from click.core import ParameterSource

if TYPE_CHECKING:
    from rulewright.dsl.loading.confinement import Reach
    from rulewright.interpreter.engines.engines import EngineName
    from rulewright.interpreter.matches.game import Game

_LONGEST = 20  # the length of a name that fits above a column

F = TypeVar("F", bound=Callable[..., Any])


class WholeNumber(click.IntRange):
    """An integer between bounds."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        """Parse the integer, or fail with a message that shows an example."""
        try:
            int(value)
        except ValueError:
            low = self.min or 0
            as_in = f", as in '{param.opts[0]} {max(low, 10)}'" if param is not None else ""
            self.fail(f"'{value}' is not a whole number: write it in digits{as_in}", param, ctx)
        number: int = super().convert(value, param, ctx)
        return number


class Measure(click.FloatRange):
    """A finite number between bounds; `nan` and `inf` are rejected."""

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> float:
        """Parse the number, or fail if it is not finite."""
        number: float = super().convert(value, param, ctx)
        if not isfinite(number):
            self.fail(f"'{value}' is not a finite number", param, ctx)
        return number


game_argument = click.argument("game", metavar="GAME")
players_option = click.option(
    "--players",
    type=WholeNumber(1),
    metavar="N",
    help="The number of players; by default two if possible.",
)


class _Numbers(click.ParamType[tuple[int, ...]]):
    """Numbers of players, written as `3`, `2,3,4` or `2..4`."""

    name = "numbers"

    def convert(
        self, value: object, param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[int, ...]:
        """Parse the numbers and drop duplicates."""
        if isinstance(value, tuple):
            return value
        found: list[int] = []
        for part in str(value).split(","):
            low, dots, high = part.strip().partition("..")
            ends = (low, high if dots else low)
            if not all(end.isascii() and end.isdecimal() and int(end[:9]) >= 1 for end in ends):
                self.fail(f"'{value}' is not of the form 3, 2,3,4 or 2..4", param, ctx)
            found += range(int(ends[0][:9]), min(int(ends[1][:9]), int(ends[0][:9]) + 99) + 1)
        return tuple(dict.fromkeys(found))


several_players_option = click.option(
    "--players",
    type=_Numbers(),
    metavar="N[,N]",
    help="How many players: 3, 2,3,4 or 2..4.",
)
set_option = click.option(
    "--set",
    "settings",
    metavar="OPTION=VALUE",
    multiple=True,
    help="Set an option of the game; may be repeated.",
)
seed_option = click.option(
    "--seed", type=WholeNumber(0, 2**63 - 1), metavar="N", help="The seed of chance."
)
engine_option = click.option(
    "--engine",
    type=click.Choice(["python", "reference", "native"]),
    default="python",
    show_default=True,
    help="The engine that runs the rules; `native` needs llvmlite.",
)
fast_engine_option = click.option(
    "--engine",
    type=click.Choice(["python", "reference", "native"]),
    help="The engine that runs the rules; `native` needs llvmlite. By default the fastest engine for the task.",
)
on_option = click.option(
    "--on",
    type=click.Choice(["ray"]),
    help="Distribute the games on a cluster: the one at RAY_ADDRESS, or --jobs processes here.",
)
_tables_option = click.option(
    "--tables",
    type=click.Path(file_okay=False, exists=True, path_type=Path),
    metavar="DIR",
    help="Read the tables from this folder instead of the game's own.",
)
outside_option = click.option(
    "--allow-outside",
    is_flag=True,
    help="Let the game read files outside its own folder.",
)


def reach_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add `--tables` and `--allow-outside`; the command receives both in the single parameter `reach`."""

    @wraps(command)
    def with_reach(*args: Any, tables: Path | None, allow_outside: bool, **others: Any) -> Any:
        # lazy import: other commands start without it
        from rulewright.dsl.loading.confinement import Reach

        return command(*args, reach=Reach(tables, allow_outside), **others)

    return _tables_option(outside_option(with_reach))


format_option = click.option(
    "--format",
    "form",
    type=click.Choice(["text", "json"]),
    default="text",
    show_default=True,
    help="Words for people, or data for programs.",
)


def example(*lines: str) -> str:
    """Format the end of a help text, which shows command lines to try."""
    return "\b\nExample:\n" + "\n".join(f"  {line}" for line in lines)


def engine_name(word: str) -> EngineName:
    """Return the engine that the value of `--engine` names."""
    if word == "native":
        return "native"
    return "reference" if word == "reference" else "python"


def load(name: str, reach: Reach) -> Game:
    """Load the game that a command is about."""
    # lazy import: other commands start without it
    from rulewright.interpreter.matches.game import load_game

    return load_game(name, tables=reach.tables, allow_outside=reach.allow_outside)


def is_position(name: str) -> bool:
    """Return whether the argument names a position as well as a game, as in `market.scenario:melons for
    all`.
    """
    return ".scenario:" in name


def load_from(name: str, reach: Reach) -> Game:
    """Load the game that a command is about; if the argument names a position, start from this position."""
    if not is_position(name):
        return load_to_play(name, reach)
    # lazy import: other commands start without it
    from rulewright.interpreter.testing.positions import load_position

    return load_position(name, tables=reach.tables, allow_outside=reach.allow_outside)


def beside(name: str, record: Path) -> str:
    """Return the game or position that a record names, looked up by its recorded name; if there is
    no such game, look in the folder of the record.
    """
    file = name.partition(":")[0] if is_position(name) else name
    is_there = Path(file).is_file() or not (record.parent / file).is_file()
    return name if is_there else str(record.parent / name)


def load_to_play(name: str, reach: Reach) -> Game:
    """Load a game as `load` does, but use the programs that earlier runs compiled, and store new programs
    for later runs.
    """
    # lazy import: other commands start without it
    from rulewright.cli.programs import KeptRules
    from rulewright.interpreter.matches.game import game_of
    from rulewright.interpreter.matches.library import find_game
    from rulewright.interpreter.text.errors import NoSuchGameError

    try:
        rules = KeptRules.of(find_game(name), reach)
    except NoSuchGameError:
        return load(name, reach)
    context = click.get_current_context(silent=True)
    if context is not None:  # without a context, a worker process is running a part of the command
        context.find_root().call_on_close(rules.keep)
    return game_of(name, rules)


def read_settings(words: Sequence[str]) -> dict[str, str]:
    """Parse the `OPTION=VALUE` of every `--set`."""
    found: dict[str, str] = {}
    for word in words:
        name, equals, value = word.partition("=")
        if not equals or not name or not value:
            raise click.BadParameter(
                f"'{word}' is not of the form OPTION=VALUE: "
                f"write '--set {name or 'OPTION'}=VALUE', without spaces",
                param_hint="'--set'",
            )
        if name in found:
            raise click.BadParameter(f"'{name}' is set twice", param_hint="'--set'")
        found[name] = value
    return found


def settings_of_random_play(game: Game, *words: Sequence[str]) -> dict[str, str]:
    """Parse the `OPTION=VALUE` of every `--set`, and add the options that the game sets in random play.

    A later `--set` takes precedence over an earlier one. A message on standard error lists the options set by the game.
    """
    given = {name: value for each in words for name, value in read_settings(each).items()}
    found = game.for_random_play(given)
    added = [f"{name}={value}" for name, value in found.items() if name not in given]
    if added:
        click.echo(f"{game.title} is played at random with {', '.join(added)}", err=True)
    return found


def refuse_beside(option: str, *names: str) -> None:
    """Reject command-line options that have no effect together with `option`; `names` are their parameter
    names.
    """
    context = click.get_current_context()
    for one in context.command.params:
        source = context.get_parameter_source(one.name or "")
        if one.name in names and source is ParameterSource.COMMANDLINE:
            raise click.UsageError(f"'{one.opts[0]}' cannot be combined with '{option}'")


def read_time(word: str | None) -> float:
    """Parse the value of `--think` and return it in seconds; return 0 if `word` is None."""
    # lazy import: other commands start without it
    from rulewright.interpreter.bots.levels import seconds_of

    if word is None:
        return 0.0
    found = seconds_of(word)
    if found is None:
        raise click.BadParameter(
            f"'{word}' is not a thinking time: write '3s' or '500ms', at most an hour",
            param_hint="'--think'",
        )
    return found


def thinking(bots: Sequence[str], word: str | None) -> tuple[str, ...]:
    """Return the values of `--bot`; if `--think` is given, it replaces the thinking time of each level."""
    seconds = read_time(word)
    if not seconds:
        return tuple(bots)
    # lazy import: other commands start without it
    from rulewright.interpreter.bots.levels import for_person

    found = []
    for bot in bots:
        seat, equals, kind = bot.rpartition("=")
        found.append(f"{seat}{equals}{for_person(kind, seconds)}")
    if found == list(bots):
        raise click.UsageError("'--think' is for bots that think: add '--bot normal'")
    return tuple(found)


def read_seats(
    words: Sequence[str],
    names: Sequence[str],
    kinds: Sequence[str],
    hint: str,
    named: str = "",
) -> dict[int, str]:
    """Parse the `SEAT=KIND` of every `--seat` or `--bot`; a seat is a name, or a number from 1.

    A kind without a seat is for all seats that are not named. The kind `named` may be followed by a
    person's name, as in `1=human:Ann`.
    """
    # lazy import: other commands start without it
    from rulewright.interpreter.bots.levels import is_bot

    found: dict[int, str] = {}
    others: str | None = None
    for word in words:
        seat, equals, kind = word.partition("=")
        if not equals and (seat in kinds or is_bot(seat)):
            if others is not None:
                raise click.BadParameter("the bot of all seats is set twice", param_hint=hint)
            others = seat
            continue
        if not equals:
            raise click.BadParameter(
                f"'{word}' is none of {', '.join(kinds)}, and not of the form SEAT={kinds[0]}",
                param_hint=hint,
            )
        before, colon, name = kind.partition(":")
        if (
            colon
            and before == named
            and not (name.strip() and name.isprintable() and len(name) <= _LONGEST)
        ):
            raise click.BadParameter(
                f"a name has 1 to {_LONGEST} letters, as in {seat}={named}:Ann", param_hint=hint
            )
        if (before if before == named else kind) not in kinds and not is_bot(kind):
            raise click.BadParameter(f"'{kind}' is not one of {', '.join(kinds)}", param_hint=hint)
        number = _seat(seat, names)
        if number is None:
            raise click.BadParameter(
                f"there is no seat '{seat}'; there are {', '.join(_seat_names(names))}",
                param_hint=hint,
            )
        if number in found:
            raise click.BadParameter(f"seat '{seat}' is given twice", param_hint=hint)
        found[number] = kind
    if others is not None:
        found = {seat: found.get(seat, others) for seat in range(len(names))}
    return found


def _seat(word: str, names: Sequence[str]) -> int | None:
    if word.isascii() and word.isdecimal() and 1 <= int(word[:9]) <= len(names):
        return int(word[:9]) - 1
    plain = word.replace("_", " ").casefold()
    return next((seat for seat, name in enumerate(names) if name.casefold() == plain), None)


def _seat_names(names: Sequence[str]) -> list[str]:
    return [f"{seat + 1} ({name})" for seat, name in enumerate(names)]

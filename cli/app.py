"""Define the command `rulewright`, which finds the command to run and maps failures to exit codes.

A command is a module in `rulewright.cli.commands` or in one of its folders. The module has a click command
named `command`. The module is imported when the command is run or listed. It imports heavy modules only
when the command runs.
"""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Sequence
from functools import cache
from importlib import import_module
from pathlib import Path
from pkgutil import walk_packages

import click

import rulewright.cli.commands
from rulewright.cli.exits import Exit

TRACEBACK = "--traceback"


@cache
def modules() -> dict[str, str]:
    """Map the name of each command to its module; folders only group related commands."""
    prefix = f"{rulewright.cli.commands.__name__}."
    return {
        module.name.rpartition(".")[2]: module.name
        for module in walk_packages(rulewright.cli.commands.__path__, prefix)
        if not module.ispkg
    }


class Commands(click.Group):
    """A click group whose commands are named after their modules."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names of all commands, sorted."""
        return sorted(modules())

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import a command and return it, or None if no module has this name."""
        module = modules().get(cmd_name)
        if module is None:
            return None
        command: click.Command = import_module(module).command
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Resolve a command as click does, but suggest a similar name if the command does not exist."""
        names = self.list_commands(ctx)
        if args[0].startswith("-") or args[0] in names:
            return super().resolve_command(ctx, args)
        # lazy import: other commands start without this module
        from rulewright.dsl.diagnostics.suggest import near_names

        near = near_names(args[0], names)
        hint = f" Did you mean '{near[0]}'?" if near else ""
        if not near and _is_game(args[0]):
            ways = [f"'rulewright {word} {args[0]}'" for word in ("play", "check", "test")]
            hint = f" The command comes first: write {', '.join(ways[:-1])} or {ways[-1]}."
        raise click.UsageError(f"No such command '{args[0]}'.{hint}", ctx)


def _is_game(word: str) -> bool:
    """Return whether a word names a game or its scenarios, rather than a command."""
    # lazy import: other commands start without it
    from rulewright.interpreter.matches.library import shipped_games

    return Path(word).suffix in (".game", ".scenario") or word in shipped_games()


@click.command(
    cls=Commands,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog="\b\nExample:\n  rulewright play love_letter --players 3",
)
@click.version_option(package_name="rulewright", message="%(prog)s %(version)s")
@click.option(TRACEBACK, is_flag=True, expose_value=False, help="Show where a bug came from.")
def app() -> None:
    """Rules of board games as text: check, play, count and simulate them.

    GAME is a file, or the name of a shipped game (see `rulewright list`). Every command has --help.
    """


def run(arguments: Sequence[str]) -> int:
    """Run a command line and return its exit code."""
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="replace")
    # The flag may be anywhere: users append it to a line that has just failed.
    traced = TRACEBACK in arguments
    words = [word for word in arguments if word != TRACEBACK]
    try:
        code = app.main(words, prog_name="rulewright", standalone_mode=False)
        sys.stdout.flush()
    except click.ClickException as failure:
        failure.show()
        _show_example(failure)
        return Exit.USAGE
    except (click.Abort, KeyboardInterrupt):
        click.echo("interrupted", err=True)
        return Exit.INTERRUPTED
    except (
        BrokenPipeError,
        SystemExit,
    ):  # click raises SystemExit when nobody reads the output any more
        _write_no_more()
        return Exit.FINE
    except Exception as failure:
        if isinstance(failure, OSError) and failure.errno == errno.ENOSPC and not failure.filename:
            _write_no_more()
            click.echo(f"the output cannot be written: {failure.strerror}", err=True)
            return Exit.USAGE
        return _report_failure(failure, traced)
    return code if isinstance(code, int) else Exit.FINE


def _show_example(failure: click.ClickException) -> None:
    """Show a valid command line, if words of the user's line could not be parsed."""
    is_unread = isinstance(failure, click.UsageError) and (
        not isinstance(failure, click.BadParameter) or isinstance(failure, click.MissingParameter)
    )
    context = failure.ctx if isinstance(failure, click.UsageError) else None
    if is_unread and context is not None and context.parent is not None:
        lines = (context.command.epilog or "").splitlines()[2:3]
        click.echo("".join(f"For example: {line.strip()}" for line in lines), err=True)


def _write_no_more() -> None:
    """Redirect standard output to the null device; otherwise Python reports an error when it closes the
    stream.
    """
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.__stdout__.fileno() if sys.__stdout__ else 1)


def _report_failure(failure: Exception, traced: bool) -> int:
    try:
        # lazy import: other commands start without it
        from rulewright.cli.failures import report_expected

        code = report_expected(failure)
    except ImportError:  # the installation is broken, and the exception probably says so
        code = None
    if code is not None:
        return code
    if traced:
        raise failure
    # Put the message of an exception on one line.
    what = " ".join(f"{type(failure).__name__}: {failure}".split())
    click.echo(f"rulewright: this is a bug in Rulewright: {what}", err=True)
    click.echo(f"run it again with {TRACEBACK} to see where it came from", err=True)
    return Exit.BUG

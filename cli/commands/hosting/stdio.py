"""Implement `rulewright stdio`, which hosts matches for another program over standard input and output."""

from __future__ import annotations

import sys

import click

from rulewright.cli.exits import Exit
from rulewright.cli.options import example, load_from


@click.command(
    short_help="Let another program play, by messages.",
    epilog=example(
        "rulewright stdio < requests > answers",
        'echo \'{"ask": "create", "game": "connect_four"}\' | rulewright stdio',
    ),
)
def command() -> int:
    """Host matches for a program, which writes requests, one JSON object per line, and reads one answer for
    each.

    docs/protocol.md lists the messages. The program is trusted with all seats.
    """
    # lazy import: other commands start without it
    from rulewright.dsl.loading.confinement import Reach
    from rulewright.interpreter.matches.library import shipped_games
    from rulewright.protocol.service import Service
    from rulewright.protocol.stdio import serve

    service = Service(lambda name: load_from(name, Reach()), lambda: tuple(shipped_games()))
    serve(service, sys.stdin, sys.stdout)
    return Exit.FINE

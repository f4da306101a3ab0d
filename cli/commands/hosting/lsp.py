"""Implement `rulewright lsp`, the language server for editors."""

from __future__ import annotations

import click

from rulewright.cli.exits import Exit
from rulewright.cli.options import example


@click.command(
    short_help="Help an editor while rules are written.",
    epilog=example("rulewright lsp", "rulewright lsp --stdio"),
)
@click.option("--stdio", is_flag=True, help="Use standard input and output, which is the default.")
def command(stdio: bool) -> int:
    """Serve an editor over standard input and output, in the Language Server Protocol.

    Editors start it; docs/editors.md explains how to set up each of them. Problems appear while you type, for
    the whole game with its tables, scenarios and clauses. Needs the extra `editor`: pip install ".[editor]".
    """
    try:
        # lazy import: other commands work without pygls
        from rulewright.editing.lsp.server import main
    except ModuleNotFoundError as failure:
        if failure.name not in ("pygls", "lsprotocol"):
            raise
        raise click.UsageError('the language server needs pygls: pip install ".[editor]"') from None
    refusal = main()
    if refusal is not None:
        raise click.ClickException(f"the messages of the editor cannot be read: {refusal}")
    return Exit.FINE

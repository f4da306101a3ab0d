"""Implement `rulewright explain`, which shows the page about a problem code."""

from __future__ import annotations

from importlib.resources import files

import click

from rulewright.cli.exits import Exit
from rulewright.cli.options import example, format_option
from rulewright.cli.output import has_colours, show_json


@click.command(
    short_help="Explain a problem code.",
    epilog=example("rulewright explain unknown-name", "rulewright explain"),
)
@click.argument("code", metavar="[CODE]", required=False)
@format_option
def command(code: str | None, form: str) -> int:
    """Explain a problem code: its meaning, a game with the problem, and the fix.

    CODE is the word in brackets after `error`, `warning` or a fault in play. Without CODE all codes are
    listed.

    JSON: {code, about, title, page}; without CODE, a list of such objects without `page`. The page is
    Markdown.
    """
    # lazy import: other commands start without it
    from rulewright.cli.formats.pages import codes_data, codes_text, page_data, page_text
    from rulewright.dsl.diagnostics.codes import CODES

    if code is None:
        if form == "json":
            show_json(codes_data())
        else:
            click.echo(codes_text())
        return Exit.FINE
    known = CODES.get(_bare(code))
    if known is None:
        raise click.ClickException(_unknown(code))
    page = (files("rulewright.docs.errors") / f"{known.name}.md").read_text(encoding="utf-8")
    if form == "json":
        show_json(page_data(known, page))
    else:
        click.echo(page_text(page, colour=has_colours()))
    return Exit.FINE


def _bare(word: str) -> str:
    """Extract the code from copied text such as `error[unknown-name]` or `Unknown_Name`."""
    inside = word.partition("[")[2] or word
    return inside.rstrip("]:").replace("_", "-").casefold()


def _unknown(word: str) -> str:
    # lazy import: other commands start without it
    from rulewright.dsl.diagnostics.characters import printable
    from rulewright.dsl.diagnostics.codes import CODES
    from rulewright.dsl.diagnostics.suggest import MOST_NAMES, listed_or, near_names

    bare = _bare(word)
    holding = [code for code in CODES if bare in code.split("-")]
    near = near_names(bare, CODES) or holding[:MOST_NAMES]
    help = f"did you mean {listed_or(near)}?" if near else "`rulewright explain` lists all"
    return f"there is no code `{printable(word)[:60]}`; {help}"

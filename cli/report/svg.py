"""Draw charts as SVG with Vega, through vl-convert; independent of games.

This is the only module of the report that uses vl-convert.
"""

from __future__ import annotations

from html import escape
from importlib import import_module
from importlib.util import find_spec

import click

from rulewright.cli.report.charts import Spec


def refuse_without_a_drawer() -> None:
    """Reject a report if vl-convert, from the extra `report`, is not installed."""
    if find_spec("vl_convert") is None:
        raise click.UsageError("a report needs vl-convert; `pip install '.[report]'` installs it")


def draw(spec: Spec, label: str) -> str:
    """Draw a picture as wide as the page allows, with a description for people who cannot see it."""
    # vl-convert is an extra, and takes a second to start
    text: str = import_module("vl_convert").vegalite_to_svg(spec)
    at = text.index("<svg") + len("<svg")
    return f'{text[:at]} role="img" aria-label="{escape(label, quote=True)}"{text[at:]}'

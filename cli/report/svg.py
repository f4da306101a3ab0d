"""Charts as SVG, drawn by Vega through vl-convert; independent of games.

The only module here that uses vl-convert.
"""

from __future__ import annotations

from html import escape
from importlib import import_module
from importlib.util import find_spec

import click

from rulewright.cli.report.charts import Spec


def refuse_without_a_drawer() -> None:
    """Refuse a report if the extra `report` is missing."""
    if find_spec("vl_convert") is None:
        raise click.UsageError("a report needs vl-convert; `pip install '.[report]'` installs it")


def draw(spec: Spec, label: str) -> str:
    """Draw a picture of the available width, with a description for people who cannot see it."""
    # an extra, which takes a second to start
    text: str = import_module("vl_convert").vegalite_to_svg(spec)
    at = text.index("<svg") + len("<svg")
    return f'{text[:at]} role="img" aria-label="{escape(label, quote=True)}"{text[at:]}'

"""Build a self-contained page of HTML from headings, tables and pictures; independent of games."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from pathlib import Path

MARK = '<meta name="generator" content="rulewright">'
"""The mark of a report; a file with this mark may be overwritten."""

_STYLE = Path(__file__).with_name("report.css").read_text(encoding="utf-8")


def page(
    title: str,
    sections: Sequence[tuple[str, Sequence[str]]],
    names: Sequence[str],
    foot: str,
) -> str:
    """Return the whole page; each section has a heading and parts in HTML.

    `names` are the texts of the links to the sections; an empty text means no link.
    """
    links = "".join(
        f'<li><a href="#part{number}">{escape(name)}</a></li>'
        for number, name in enumerate(names)
        if name
    )
    body = "\n".join(
        f'<section id="part{number}" aria-labelledby="head{number}">\n'
        f'<h2 id="head{number}">{escape(heading)}</h2>\n' + "\n".join(parts) + "\n</section>"
        for number, (heading, parts) in enumerate(sections)
    )
    return (
        f'<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n{MARK}\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(title)}</title>\n<style>\n{_STYLE}</style>\n</head>\n<body>\n"
        f'<header><h1>{escape(title)}</h1></header>\n<nav aria-label="Parts"><ul>{links}</ul></nav>\n'
        f"<main>\n{body}\n</main>\n<footer>{escape(foot)}</footer>\n</body>\n</html>\n"
    )


def paragraph(text: str, *, lead: bool = False) -> str:
    """Return a paragraph of words."""
    return f'<p class="lead">{escape(text)}</p>' if lead else f"<p>{escape(text)}</p>"


def heading(text: str) -> str:
    """Return the heading of a part of a section."""
    return f"<h3>{escape(text)}</h3>"


def bullets(texts: Iterable[str]) -> str:
    """Return a list with one item for each text."""
    return "<ul>" + "".join(f"<li>{escape(text)}</li>" for text in texts) + "</ul>"


def figure(drawing: str, caption: str) -> str:
    """Return a picture with a caption."""
    return f"<figure>{drawing}<figcaption>{escape(caption)}</figcaption></figure>"


def table(
    caption: str,
    head: Sequence[str],
    rows: Iterable[Sequence[str]],
    out: Sequence[bool] = (),
) -> str:
    """Return a table whose first column names the rows; the rows marked in `out` are highlighted."""
    heads = "".join(f'<th scope="col">{escape(cell)}</th>' for cell in head)
    lines = []
    for number, row in enumerate(rows):
        first, *rest = row
        cells = "".join(f"<td>{escape(cell)}</td>" for cell in rest)
        mark = ' class="out"' if number < len(out) and out[number] else ""
        lines.append(f'<tr{mark}><th scope="row">{escape(first)}</th>{cells}</tr>')
    return (
        f'<div class="scroll"><table><caption>{escape(caption)}</caption>'
        f"<thead><tr>{heads}</tr></thead><tbody>{''.join(lines)}</tbody></table></div>"
    )

"""Fills the parts of the documents that are taken from the code; with --check it lists outdated parts.

A part is between `<!-- generated: NAME -->` and `<!-- end -->`. Nothing else changes.
"""

from __future__ import annotations

import csv
import re
import sys
from collections.abc import Iterable, Mapping
from functools import partial
from pathlib import Path
from typing import get_args

import cookbook_index
from api_page import section
from grammar_forms import grammar

from rulewright.dsl.diagnostics.codes import CODES, Stage
from rulewright.dsl.lowering.builtins import TOPICS
from rulewright.dsl.lowering.emit.builtins import ATTRIBUTES, FUNCTIONS, OF_TYPES
from rulewright.dsl.text import vocabulary
from rulewright.interpreter.statistics.tables import COLUMNS
from rulewright.protocol import messages
from rulewright.protocol.scene_data import NODES, fields_of

DOCS = Path(__file__).parent
_PART = re.compile(r"(<!-- generated: ([a-z-]+)((?: [a-z_]+)*) -->\n).*?(<!-- end -->)", re.DOTALL)

SORTS = {
    "list": "Lists and zones",
    "zone": "Rows of slots",
    "tokens": "Tokens",
    "piece": "Pieces",
    "space": "Spaces",
    "kind": "Kinds",
    "direction": "Directions",
    "player": "Players",
}
"""The titles of attributes by their subject; an attribute of several subjects is listed under the first."""


def heads() -> str:
    """The words that begin a line."""
    return _quoted_words(vocabulary.HEADS)


def reserved_words() -> str:
    """The words that are never names."""
    return _quoted_words(vocabulary.RESERVED)


def queries() -> str:
    """The words of queries."""
    return _quoted_words((*vocabulary.QUERIES, "possible", "by"))


def phrases() -> str:
    """The phrases inside a line."""
    return _quoted_words(vocabulary.GROUPS)


def _quoted_words(names: Iterable[str]) -> str:
    lines, line = [], ""
    for name in names:
        if len(line) + len(name) > 116:
            lines.append(line.rstrip())
            line = ""
        line += f"`{name}` "
    return "\n".join([*lines, line.rstrip()]) + "\n"


def attributes() -> str:
    """The built-in attributes, by their subjects."""
    forms: dict[str, list[str]] = {}
    subjects: dict[str, list[str]] = {}
    for (tag, _), found in sorted(ATTRIBUTES.items(), key=lambda item: _topic(item[1].about)):
        about = " ".join(found.about.split())
        form = found.form.partition(".")[2]
        if form not in forms.setdefault(about, []):
            forms[about].append(form)
        subjects.setdefault(about, []).append(tag)
    blocks = []
    for group, title in SORTS.items():
        rows = [
            (" ".join(f"`.{form}`" for form in forms[about]), about)
            for about, tags in subjects.items()
            if next(known for known in SORTS if known in tags) == group
        ]
        if rows:
            blocks.append(f"### {title}\n\n{_table('attribute', rows)}")
    return "\n".join(blocks)


def _topic(about: str) -> int:
    """The number of the module that defines a built-in."""
    return next(
        number
        for number, topic in enumerate(TOPICS)
        if any(getattr(each, "__doc__", None) == about for each in vars(topic).values())
    )


def functions() -> str:
    """The functions, and the attributes of whole types."""
    found_by = [*FUNCTIONS.values(), *OF_TYPES.values()]
    listed = sorted(found_by, key=lambda found: _topic(found.about))
    return _table(
        "function", [(f"`{found.form}`", " ".join(found.about.split())) for found in listed]
    )


def codes() -> str:
    """The pages about problem codes, by the stage that finds the problem."""
    blocks = []
    for stage in Stage:
        rows = [
            (f"[`{code.name}`]({code.name}.md)", code.title)
            for code in CODES.values()
            if code.stage is stage
        ]
        blocks.append(f"## {stage.value}\n\n{_table('code', rows)}")
    return "\n".join(blocks)


def faults() -> str:
    """The codes of faults in play."""
    found = [code for code in CODES.values() if code.stage is Stage.PLAY]
    rows = [(f"[`{code.name}`](../errors/{code.name}.md)", code.title) for code in found]
    return _table("code", rows)


def _table(head: str, rows: Iterable[tuple[str, str]]) -> str:
    lines = [f"| {head} | |", "| --- | --- |", *(f"| {form} | {about} |" for form, about in rows)]
    return "\n".join(lines) + "\n"


def tables() -> str:
    """The columns of the tables that `simulate --out` writes."""
    blocks = []
    for name, columns in COLUMNS.items():
        rows = [(f"`{column.name}`", column.about) for column in columns]
        if name == "seats":
            rows.append(("`points: ITEM`", "its points for each item of the score"))
        blocks.append(_table(f"`{name}`", rows))
    return "\n".join(blocks)


def baselines() -> str:
    """The shares of victories that baselines take; of a learned policy after its whole training."""
    with (DOCS / "baselines.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    last = {(row["game"], row["player"]): row for row in rows}
    lines = [
        "| game | player | against | learned from | matches | share of victories |",
        "| --- | --- | --- | --- | --- | --- |",
    ]
    for row in last.values():
        share = f"{float(row['share']):.1%} ({float(row['low']):.1%} to {float(row['high']):.1%})"
        learned = f"{int(row['learned_from']):,}" if int(row["learned_from"]) else ""
        game = row["game"].replace("_", " ")
        who = f"{row['player']} | {row['against']}"
        lines.append(f"| {game} | {who} | {learned} | {row['matches']} | {share} |")
    return "\n".join([*lines, ""])


def requests() -> str:
    """The requests of the protocol, with their fields."""
    return _messages(messages.REQUESTS)


def answers() -> str:
    """The answers of the protocol, with their fields."""
    return _messages(messages.ANSWERS)


def _messages(kinds: Mapping[str, type]) -> str:
    rows = []
    for word, kind in kinds.items():
        names = " ".join(f"`{name}`" for name in fields_of(kind))
        rows.append((f"`{word}`", " ".join((kind.__doc__ or "").split()), names))
    lines = ["| word | | fields |", "| --- | --- | --- |"]
    return "\n".join([*lines, *(f"| {' | '.join(row)} |" for row in rows)]) + "\n"


def nodes() -> str:
    """The nodes of scenes, with their fields."""
    return _messages({kind.__name__: kind for kind in NODES})


def error_codes() -> str:
    """The codes of errors of the protocol."""
    return _quoted_words(get_args(messages.ErrorCode))


PARTS = {
    "answers": answers,
    "api-bots": partial(section, "Bots"),
    "api-errors": partial(section, "Errors"),
    "api-games": partial(section, "Games"),
    "api-knowledge": partial(section, "Knowledge as numbers"),
    "api-matches": partial(section, "Matches and records"),
    "api-playouts": partial(section, "Many playouts"),
    "api-states": partial(section, "States and decisions"),
    "attributes": attributes,
    "baselines": baselines,
    "codes": codes,
    "cookbook-mechanisms": cookbook_index.mechanisms,
    "cookbook-pages": cookbook_index.pages,
    "cookbook-questions": cookbook_index.questions,
    "error-codes": error_codes,
    "faults": faults,
    "functions": functions,
    "heads": heads,
    "nodes": nodes,
    "phrases": phrases,
    "queries": queries,
    "requests": requests,
    "reserved": reserved_words,
    "tables": tables,
}


def fill_page(text: str) -> str:
    """A page with its generated parts as they must be."""
    return _PART.sub(_fill_part, text)


def _fill_part(part: re.Match[str]) -> str:
    name, words = part[2], part[3].split()
    return f"{part[1]}{grammar(words) if name == 'grammar' else PARTS[name]()}{part[4]}"


def main(arguments: list[str]) -> int:
    """Fill all pages, or say which are out of date."""
    stale = []
    for page in sorted(DOCS.rglob("*.md")):
        text = page.read_text(encoding="utf-8")
        wanted = fill_page(text)
        if wanted != text:
            stale.append(page.relative_to(DOCS).as_posix())
            if "--check" not in arguments:
                page.write_text(wanted, encoding="utf-8")
    if "--check" in arguments and stale:
        sys.stderr.write(f"run `python docs/generate.py`; out of date: {', '.join(stale)}\n")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

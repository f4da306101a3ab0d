"""Makes games whose words for players and colours have marks, so that a terminal can show them in colour.

A word is marked for its meaning, never for its spelling.
"""

from __future__ import annotations

import attrs

from rulewright.dsl.ir import Domain, PieceKind, Program
from rulewright.interpreter.text.names import PIECE, name_in, text_in
from rulewright.interpreter.views.compiled_game import CompiledGame
from rulewright.interpreter.views.marked import COLOURS, OF_COLOURS, OF_SEATS, mark

KIND = "kind "


def paint_game(compiled: CompiledGame) -> CompiledGame:
    """Return the same game, with marks on the words for players and for colours."""
    program = compiled.program
    domains = tuple(_paint_domain(program, domain) for domain in program.domains)
    return CompiledGame(attrs.evolve(program, domains=domains), compiled.engine)


def _paint_domain(program: Program, domain: Domain) -> Domain:
    texts = list(domain.texts or domain.names)
    if domain.names == program.domains[program.player_domain].names:
        texts = [mark(text, OF_SEATS[at % len(OF_SEATS)]) for at, text in enumerate(texts)]
    elif domain.name.startswith(KIND):
        texts = [
            mark(text, symbol) if (symbol := _colour_mark(name)) else text
            for name, text in zip(domain.names, texts, strict=True)
        ]
    elif domain.name == PIECE:
        for kind in program.pieces if texts else ():
            for at in range(len(kind.rows)):
                here = kind.first + at - domain.offset
                texts[here] = _with_colours(program, kind, at, texts[here])
    return attrs.evolve(domain, texts=tuple(texts)) if any(texts) else domain


def _colour_mark(name: str) -> str:
    """Return the mark for a row that is named after a colour, such as `red` or `red_site`; otherwise ""."""
    colour = next((word for word in name.split("_") if word in COLOURS), "")
    return OF_COLOURS[COLOURS.index(colour)] if colour else ""


def _with_colours(program: Program, kind: PieceKind, at: int, text: str) -> str:
    """Mark the word for the piece's own colour in the text of a piece."""
    for _, number, table in kind.columns:
        domain, value = program.domains[number], program.tables[table][at]
        if domain.name.startswith(KIND) and isinstance(value, int) and value >= 0:
            symbol, word = _colour_mark(name_in(domain, value)), text_in(domain, value)
            if symbol and word in (words := text.split(" ")):
                text = " ".join(mark(each, symbol) if each == word else each for each in words)
    return text

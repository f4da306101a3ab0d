"""Convert answers and problems to the types of the protocol."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

from lsprotocol import types

from rulewright.dsl.diagnostics.diagnostics import Diagnostic, Severity
from rulewright.dsl.diagnostics.source import Span
from rulewright.editing.features.completion import Choices
from rulewright.editing.features.completion_items import Offer
from rulewright.editing.features.edits import Edit
from rulewright.editing.features.outline import Entry
from rulewright.editing.lsp.positions import Encoding, range_of
from rulewright.editing.workspace.names import Symbol

UriOf = Callable[[Span], str]

_KINDS: Final = {
    "action": types.SymbolKind.Function,
    "clause": types.SymbolKind.String,
    "column": types.SymbolKind.Field,
    "effect": types.SymbolKind.Function,
    "game": types.SymbolKind.Module,
    "heading": types.SymbolKind.Namespace,
    "include": types.SymbolKind.File,
    "invariant": types.SymbolKind.Boolean,
    "option": types.SymbolKind.Enum,
    "player": types.SymbolKind.Class,
    "power": types.SymbolKind.Event,
    "row": types.SymbolKind.EnumMember,
    "rule": types.SymbolKind.Method,
    "scenario": types.SymbolKind.Method,
    "beginning": types.SymbolKind.Constructor,
    "seat": types.SymbolKind.Object,
    "section": types.SymbolKind.Package,
    "state": types.SymbolKind.Variable,
    "table": types.SymbolKind.Array,
    "tokens": types.SymbolKind.Object,
    "trigger": types.SymbolKind.Event,
    "type": types.SymbolKind.Class,
    "value": types.SymbolKind.Property,
    "zone": types.SymbolKind.Object,
}
_COMPLETIONS: Final = {
    "action": types.CompletionItemKind.Function,
    "built-in": types.CompletionItemKind.Function,
    "clause": types.CompletionItemKind.Reference,
    "column": types.CompletionItemKind.Field,
    "effect": types.CompletionItemKind.Function,
    "file": types.CompletionItemKind.File,
    "function": types.CompletionItemKind.Function,
    "line": types.CompletionItemKind.Snippet,
    "local": types.CompletionItemKind.Variable,
    "option": types.CompletionItemKind.Enum,
    "part": types.CompletionItemKind.Field,
    "row": types.CompletionItemKind.EnumMember,
    "rule": types.CompletionItemKind.Method,
    "seat": types.CompletionItemKind.Value,
    "state": types.CompletionItemKind.Variable,
    "table": types.CompletionItemKind.Struct,
    "tokens": types.CompletionItemKind.Value,
    "type": types.CompletionItemKind.Class,
    "value": types.CompletionItemKind.Property,
    "word": types.CompletionItemKind.Keyword,
    "zone": types.CompletionItemKind.Variable,
}
_WORD: Final = re.compile(r"\w*")
_UNNEEDED: Final = ("unused-name", "unreachable-action", "unreachable-code", "unreachable-rule")


def diagnostic(problem: Diagnostic, uri_of: UriOf, encoding: Encoding) -> types.Diagnostic:
    """Convert a problem, with its notes and its help as further lines of the message."""
    lines = [problem.message]
    if problem.text:
        lines.append(problem.text)
    lines += [f"note: {note}" for note in problem.notes]
    if problem.help:
        lines.append(f"help: {problem.help}")
    error = problem.severity is Severity.ERROR
    return types.Diagnostic(
        range=range_of(problem.span, encoding),
        message="\n".join(lines),
        severity=types.DiagnosticSeverity.Error if error else types.DiagnosticSeverity.Warning,
        code=problem.code,
        source="rulewright",
        tags=[types.DiagnosticTag.Unnecessary] if problem.code in _UNNEEDED else None,
        related_information=[
            types.DiagnosticRelatedInformation(
                types.Location(uri_of(label.span), range_of(label.span, encoding)), label.text
            )
            for label in problem.labels
        ]
        or None,
    )


def symbol(entry: Entry, encoding: Encoding) -> types.DocumentSymbol:
    """Convert a line of an outline and its children."""
    return types.DocumentSymbol(
        name=entry.name,
        kind=_KINDS.get(entry.kind, types.SymbolKind.Variable),
        range=range_of(entry.whole.join(entry.name_span), encoding),
        selection_range=range_of(entry.name_span, encoding),
        detail=entry.kind,
        children=[symbol(inner, encoding) for inner in entry.inside],
    )


def found_symbol(found: Symbol, uri: str, encoding: Encoding) -> types.WorkspaceSymbol:
    """Convert a symbol declared anywhere in a game."""
    return types.WorkspaceSymbol(
        location=types.Location(uri, range_of(found.span, encoding)),
        name=found.name,
        kind=_KINDS.get(found.kind, types.SymbolKind.Variable),
        container_name=found.of or None,
    )


def items(choices: Choices, encoding: Encoding) -> list[types.CompletionItem]:
    """Convert the completions, the best first."""
    place = range_of(choices.begun, encoding)
    return [_item(offer, choices.begun, place) for offer in choices.offers]


def _item(offer: Offer, begun: Span, place: types.Range) -> types.CompletionItem:
    # Some editors accept only the first word of an edit; a completion that replaces only the word at the
    # cursor needs no edit.
    is_phrase = " " in offer.text and _WORD.fullmatch(begun.text) is not None
    return types.CompletionItem(
        label=offer.text,
        kind=_COMPLETIONS.get(offer.kind, types.CompletionItemKind.Text),
        detail=offer.about or None,
        sort_text=f"{offer.order:09.3f}{offer.text}",
        filter_text=offer.text,  # without this text some editors expect the server to filter by the typed text
        insert_text=offer.text if is_phrase else None,
        text_edit=None if is_phrase else types.TextEdit(place, offer.text),
    )


def text_edit(edit: Edit, encoding: Encoding) -> types.TextEdit:
    """Convert a change of a text."""
    return types.TextEdit(range_of(edit.span, encoding), edit.text)


def plain(value: types.Position | types.Location) -> object:
    """Convert a value of the protocol to the form it has in the arguments of a command."""
    match value:
        case types.Location():
            return {
                "uri": value.uri,
                "range": {"start": plain(value.range.start), "end": plain(value.range.end)},
            }
        case _:
            return {"line": value.line, "character": value.character}

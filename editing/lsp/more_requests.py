"""Handle more requests of an editor: rename, quick fixes, colours, hints, and code lenses with their
commands.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from lsprotocol import types

from rulewright.dsl.diagnostics.source import Span
from rulewright.editing.features.code_lenses import RUN, TESTS, lenses
from rulewright.editing.features.edits import Edit
from rulewright.editing.features.fixes import fixes
from rulewright.editing.features.inlay_hints import hints
from rulewright.editing.features.renaming import Refused, place_to_rename, rename
from rulewright.editing.features.semantic_tokens import (
    KINDS,
    MODIFIERS,
    Token,
    all_tokens,
    name_tokens,
)
from rulewright.editing.features.symbol_at import scenarios_citing
from rulewright.editing.lsp import convert
from rulewright.editing.lsp.editor import Editor
from rulewright.editing.lsp.positions import offset_of, position_of, range_of
from rulewright.editing.lsp.protocol import RefusedRequest
from rulewright.editing.workspace.running import Run, run, why_not

LEGEND = types.SemanticTokensLegend([*KINDS], [*MODIFIERS])


def register(server: Editor) -> None:
    """Register these handlers with the server."""
    _changes(server)
    _marks(server)
    _commands(server)


def _edit(server: Editor, edits: Iterable[Edit]) -> types.WorkspaceEdit:
    by_file: dict[str, list[types.TextEdit]] = {}
    for edit in edits:
        uri = server.uri_of(edit.span)
        by_file.setdefault(uri, []).append(convert.text_edit(edit, server.encoding))
    return types.WorkspaceEdit(changes=by_file)


def _changes(server: Editor) -> None:
    @server.feature(types.TEXT_DOCUMENT_PREPARE_RENAME)
    async def on_prepare(params: types.PrepareRenameParams) -> types.Range | None:
        place = server.at(params.text_document, params.position)
        span = place_to_rename(*place) if place is not None else None
        return range_of(span, server.encoding) if span is not None else None

    @server.feature(types.TEXT_DOCUMENT_RENAME, types.RenameOptions(prepare_provider=True))
    async def on_rename(params: types.RenameParams) -> types.WorkspaceEdit | None:
        place = server.at(params.text_document, params.position)
        if place is None:
            return None
        found = rename(*place, params.new_name)
        if isinstance(found, Refused):
            raise RefusedRequest(f"not renamed: {found.reason}")
        return _edit(server, found)

    @server.feature(
        types.TEXT_DOCUMENT_CODE_ACTION,
        types.CodeActionOptions(code_action_kinds=[types.CodeActionKind.QuickFix]),
    )
    async def on_actions(params: types.CodeActionParams) -> list[types.CodeAction]:
        found = server.of(params.text_document)
        if found is None:
            return []
        snapshot, path, source = found
        start = offset_of(source, params.range.start, server.encoding)
        end = offset_of(source, params.range.end, server.encoding)
        return [
            types.CodeAction(
                title=fix.title,
                kind=types.CodeActionKind.QuickFix,
                diagnostics=[convert.diagnostic(fix.problem, server.uri_of, server.encoding)],
                is_preferred=fix.is_sure,
                edit=_edit(server, fix.edits),
            )
            for fix in fixes(snapshot, path, start, end)
        ]


def _marks(server: Editor) -> None:
    @server.feature(types.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL, LEGEND)
    async def on_colours(params: types.SemanticTokensParams) -> types.SemanticTokens:
        found = server.of(params.text_document)
        if found is None:
            return types.SemanticTokens([])
        snapshot, path, source = found
        numbers: list[int] = []
        last = types.Position(0, 0)
        for one in (name_tokens if server.has_grammar else all_tokens)(snapshot, path):
            start = position_of(source, one.start, server.encoding)
            end = position_of(source, one.end, server.encoding)
            same = start.line == last.line
            numbers += [
                start.line - last.line,
                start.character - (last.character if same else 0),
                end.character - start.character,
                KINDS.index(one.kind),
                _modifiers(one),
            ]
            last = start
        return types.SemanticTokens(numbers)

    @server.feature(types.TEXT_DOCUMENT_INLAY_HINT)
    async def on_hints(params: types.InlayHintParams) -> list[types.InlayHint]:
        found = server.of(params.text_document)
        if found is None:
            return []
        snapshot, path, source = found
        start = offset_of(source, params.range.start, server.encoding)
        end = offset_of(source, params.range.end, server.encoding)
        return [
            types.InlayHint(
                position_of(source, hint.offset, server.encoding),
                hint.text,
                types.InlayHintKind.Type,
            )
            for hint in hints(snapshot, path, start, end)
        ]

    @server.feature(types.TEXT_DOCUMENT_CODE_LENS)
    async def on_lenses(params: types.CodeLensParams) -> list[types.CodeLens]:
        found = server.of(params.text_document)
        if found is None:
            return []
        snapshot, path, _ = found
        shown = []
        reported: dict[Span, object] = {}  # a scenario tests several clauses
        for lens in lenses(snapshot, path):
            arguments: list[Any] = [*lens.arguments]
            if lens.command == TESTS:
                for span in lens.places:
                    if span not in reported:
                        reported[span] = convert.plain(server.location(span))
                arguments = [
                    params.text_document.uri,
                    convert.plain(position_of(lens.span.source, lens.span.start, server.encoding)),
                    [reported[span] for span in lens.places],
                    [*lens.arguments],
                ]
            command = types.Command(title=lens.text, command=lens.command, arguments=arguments)
            shown.append(types.CodeLens(range_of(lens.span, server.encoding), command))
        return shown


def _modifiers(one: Token) -> int:
    return sum(1 << MODIFIERS.index(modifier) for modifier in one.modifiers)


def _commands(server: Editor) -> None:
    @server.command(RUN)
    def on_run(path: str, name: str = "") -> list[dict[str, object]]:
        files = server.open_games.files.copy()
        ran = run(Path(path), name, files)
        words_of = _summary(ran) or f"no scenario was run: {why_not(Path(path), files)}"
        reported = types.ShowMessageParams(
            types.MessageType.Info
            if all(one.passed for one in ran) and ran
            else types.MessageType.Error,
            words_of,
        )
        server.window_show_message(reported)
        return [one.data() for one in ran]

    server.thread()(on_run)

    @server.command(TESTS)
    async def on_tests(uri: str, position: Any, places: list[Any], ids: list[str]) -> list[str]:
        names: dict[str, None] = {}
        for project in server.open_games.projects.values():
            for id in ids:
                for scenario, _ in scenarios_citing(project.snapshot(), id):
                    names[scenario.text] = None
        words_of = ", ".join(f"“{name}”" for name in names) or "no scenario"
        reported = types.ShowMessageParams(types.MessageType.Info, f"{', '.join(ids)}: {words_of}")
        server.window_show_message(reported)
        return [*names]


def _summary(ran: list[Run]) -> str:
    failed = [one for one in ran if not one.passed]
    if not ran:
        return ""
    if not failed:
        return f"passed: {ran[0].name}" if len(ran) == 1 else f"{len(ran)} passed"
    first = failed[0]
    others = f" ({len(failed)} of {len(ran)} failed)" if len(ran) > 1 else ""
    return f"failed: {first.name}{others}\n{first.words}"

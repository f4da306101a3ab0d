"""Handle an editor's requests."""

from __future__ import annotations

from lsprotocol import types

from rulewright.editing.features.completion import complete
from rulewright.editing.features.folding import folds
from rulewright.editing.features.formatting import format_edits
from rulewright.editing.features.hover import hover
from rulewright.editing.features.outline import named_like, outline
from rulewright.editing.features.symbol_at import definition, references
from rulewright.editing.lsp import convert
from rulewright.editing.lsp.editor import PATTERN, Editor, path_of
from rulewright.editing.lsp.positions import apply_changes, range_of
from rulewright.editing.workspace.project import is_rules

MOST_FOUND = 200


def register(server: Editor) -> None:
    """Register these handlers with the server."""
    _texts(server)
    _places(server)
    _files(server)


def _texts(server: Editor) -> None:
    @server.feature(types.INITIALIZE)
    async def on_initialize(params: types.InitializeParams) -> None:
        folders = [folder.uri for folder in params.workspace_folders or ()]
        server.allow(folders or [params.root_uri])
        said = params.initialization_options
        server.has_grammar = isinstance(said, dict) and said.get("colours") == "names"

    @server.feature(types.INITIALIZED)
    async def on_initialized(params: types.InitializedParams) -> None:
        watched = server.client_capabilities.workspace
        wants = watched.did_change_watched_files if watched is not None else None
        if wants is None or not wants.dynamic_registration:
            return
        options = types.DidChangeWatchedFilesRegistrationOptions([types.FileSystemWatcher(PATTERN)])
        what = types.Registration("files", types.WORKSPACE_DID_CHANGE_WATCHED_FILES, options)
        await server.client_register_capability_async(types.RegistrationParams([what]))

    @server.feature(types.TEXT_DOCUMENT_DID_OPEN)
    async def on_open(params: types.DidOpenTextDocumentParams) -> None:
        server.handle_change(
            params.text_document.uri, params.text_document.text, all_scenarios=True
        )

    @server.feature(types.TEXT_DOCUMENT_DID_CHANGE)
    async def on_change(params: types.DidChangeTextDocumentParams) -> None:
        before = server.text_of(params.text_document.uri)
        if before is not None:
            now = apply_changes(before, params.content_changes, server.encoding)
            server.handle_change(params.text_document.uri, now)

    @server.feature(types.TEXT_DOCUMENT_DID_SAVE)
    async def on_save(params: types.DidSaveTextDocumentParams) -> None:
        text = server.text_of(params.text_document.uri)
        if text is not None:
            server.handle_change(params.text_document.uri, text, all_scenarios=True)

    @server.feature(types.TEXT_DOCUMENT_DID_CLOSE)
    async def on_close(params: types.DidCloseTextDocumentParams) -> None:
        server.handle_close(params.text_document.uri)

    @server.feature(types.WORKSPACE_DID_CHANGE_WATCHED_FILES)
    async def on_disk(params: types.DidChangeWatchedFilesParams) -> None:
        for change in params.changes:
            path = path_of(change.uri)
            if path is not None and path not in server.open_games.files.given:
                server.open_games.changed_on_disk(path)
        for open_path in [*server.open_games.files.given]:
            server.soon(open_path)

    @server.feature(types.WORKSPACE_DID_CHANGE_WORKSPACE_FOLDERS)
    async def on_folders(params: types.DidChangeWorkspaceFoldersParams) -> None:
        server.allow(folder.uri for folder in server.workspace.folders.values())

    @server.feature(types.SHUTDOWN)
    async def on_shutdown(params: None) -> None:
        server.background.close()


def _places(server: Editor) -> None:
    @server.feature(types.TEXT_DOCUMENT_HOVER)
    async def on_hover(params: types.HoverParams) -> types.Hover | None:
        place = server.at(params.text_document, params.position)
        shown = hover(*place) if place is not None else None
        if shown is None:
            return None
        markdown = types.MarkupContent(types.MarkupKind.Markdown, shown.text)
        return types.Hover(markdown, range_of(shown.span, server.encoding))

    @server.feature(types.TEXT_DOCUMENT_DEFINITION)
    async def on_definition(params: types.DefinitionParams) -> types.Location | None:
        place = server.at(params.text_document, params.position)
        found = definition(*place) if place is not None else None
        return server.location(found) if found is not None else None

    @server.feature(types.TEXT_DOCUMENT_REFERENCES)
    async def on_references(params: types.ReferenceParams) -> list[types.Location]:
        place = server.at(params.text_document, params.position)
        if place is None:
            return []
        found = references(*place)
        if not params.context.include_declaration:
            own = definition(*place)
            found = [span for span in found if span != own]
        return [server.location(span) for span in found]

    @server.feature(types.TEXT_DOCUMENT_DOCUMENT_HIGHLIGHT)
    async def on_highlight(params: types.DocumentHighlightParams) -> list[types.DocumentHighlight]:
        place = server.at(params.text_document, params.position)
        if place is None:
            return []
        source = place[0].sources.get(place[1])
        return [
            types.DocumentHighlight(range_of(span, server.encoding))
            for span in references(*place)
            if span.source is source
        ]

    @server.feature(
        types.TEXT_DOCUMENT_COMPLETION,
        types.CompletionOptions(trigger_characters=[".", "[", '"', " "]),
    )
    async def on_completion(params: types.CompletionParams) -> types.CompletionList:
        place = server.at(params.text_document, params.position)
        choices = complete(*place) if place is not None else None
        found = convert.items(choices, server.encoding) if choices is not None else []
        return types.CompletionList(is_incomplete=False, items=found)


def _files(server: Editor) -> None:
    @server.feature(types.TEXT_DOCUMENT_DOCUMENT_SYMBOL)
    async def on_outline(params: types.DocumentSymbolParams) -> list[types.DocumentSymbol]:
        found = server.of(params.text_document)
        if found is None:
            return []
        snapshot, path, _ = found
        return [convert.symbol(entry, server.encoding) for entry in outline(snapshot, path)]

    @server.feature(types.WORKSPACE_SYMBOL)
    async def on_symbols(params: types.WorkspaceSymbolParams) -> list[types.WorkspaceSymbol]:
        found: list[types.WorkspaceSymbol] = []
        for project in server.open_games.projects.values():
            for symbol in named_like(project.snapshot(), params.query):
                uri = server.uri_of(symbol.span)
                found.append(convert.found_symbol(symbol, uri, server.encoding))
        return found[:MOST_FOUND]

    @server.feature(types.TEXT_DOCUMENT_FORMATTING)
    async def on_formatting(params: types.DocumentFormattingParams) -> list[types.TextEdit]:
        found = server.of(params.text_document)
        if found is None or not is_rules(found[1]):
            return []
        _, path, source = found
        return [convert.text_edit(edit, server.encoding) for edit in format_edits(source, path)]

    @server.feature(types.TEXT_DOCUMENT_FOLDING_RANGE)
    async def on_folding(params: types.FoldingRangeParams) -> list[types.FoldingRange]:
        found = server.of(params.text_document)
        if found is None:
            return []
        _, path, source = found
        return [types.FoldingRange(first - 1, last - 1) for first, last in folds(source, path)]

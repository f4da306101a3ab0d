"""One editor: its open games, and the messages it receives and sends. No answers are computed here."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from functools import lru_cache
from importlib.metadata import version
from pathlib import Path

from lsprotocol import types
from pygls.lsp.server import LanguageServer
from pygls.uris import from_fs_path, to_fs_path

from rulewright.dsl.diagnostics.capping import cap_problems
from rulewright.dsl.diagnostics.diagnostics import Diagnostic
from rulewright.dsl.diagnostics.source import Source, Span
from rulewright.dsl.text.reading import real_path
from rulewright.editing.lsp import convert
from rulewright.editing.lsp.background import Background
from rulewright.editing.lsp.positions import Encoding, offset_of, range_of, with_plain_newlines
from rulewright.editing.lsp.protocol import Protocol
from rulewright.editing.workspace.checking import Found, look
from rulewright.editing.workspace.project import Project, Snapshot
from rulewright.editing.workspace.workspace import Workspace

CHECKED = "rulewright/checked"
"""A notification that all requested checks of a game are finished."""
SOON = 0.02  # several keystrokes within this many seconds count as one
PATTERN = "**/*.{game,scenario,csv,rules.md}"


class Editor(LanguageServer):
    """One editor with its open documents."""

    def __init__(self) -> None:
        super().__init__("rulewright", version("rulewright"), protocol_cls=Protocol)
        self.open_games = Workspace()
        self.background = Background(self._pass_on)
        self.uris: dict[Path, str] = {}
        self.reported: dict[Path, dict[str, list[types.Diagnostic]]] = {}
        """The problems that were sent for each game, by file; a file may belong to several games."""
        self.has_grammar = False
        """Whether the client colours words, texts and comments by itself."""
        self.loop: asyncio.AbstractEventLoop | None = None
        self._soon: dict[Path, asyncio.TimerHandle] = {}

    # ---- places -------------------------------------------------------------------------------------

    @property
    def encoding(self) -> Encoding:
        """The unit in which the client counts columns."""
        return self.workspace.position_encoding or types.PositionEncodingKind.Utf16

    def uri_of(self, span: Span) -> str:
        """Return the address of the file that contains a place."""
        for project in self.open_games.projects.values():
            path = project.path_of(span.source)
            if path is not None:
                return self.uri(path)
        return self.uri(Path(span.source.name).absolute())

    def uri(self, path: Path) -> str:
        """Return the address of a file as the client knows it."""
        return self.uris.get(path) or _address(path)

    def location(self, span: Span) -> types.Location:
        """Convert a place in some file to a location."""
        return types.Location(self.uri_of(span), range_of(span, self.encoding))

    def at(
        self, document: types.TextDocumentIdentifier, position: types.Position
    ) -> tuple[Snapshot, Path, int] | None:
        """Return the current game of a file, and the place that a request is about."""
        found = self.of(document)
        if found is None:
            return None
        snapshot, path, source = found
        return snapshot, path, offset_of(source, position, self.encoding)

    def of(self, document: types.TextDocumentIdentifier) -> tuple[Snapshot, Path, Source] | None:
        """Return the current game of a file."""
        path = path_of(document.uri)
        if path is None:
            return None
        snapshot = self.open_games.snapshot(path)
        source = snapshot.sources.get(path) if snapshot is not None else None
        return (snapshot, path, source) if snapshot is not None and source is not None else None

    # ---- problems -----------------------------------------------------------------------------------

    def handle_change(self, uri: str, text: str, *, all_scenarios: bool = False) -> None:
        """Handle a changed text: report the quick findings at once, and check the rest soon."""
        path = path_of(uri)
        if path is None:
            return
        self.uris[path] = uri
        self.open_games.write(path, with_plain_newlines(text))
        self.soon(path, all_scenarios=all_scenarios)

    def text_of(self, uri: str) -> str | None:
        """Return the text of an open document, or None if it is not open."""
        path = path_of(uri)
        return self.open_games.files.given.get(path) if path is not None else None

    def soon(self, path: Path, *, all_scenarios: bool = False) -> None:
        """Check the game of a file when the author pauses."""
        self.loop = asyncio.get_running_loop()
        before = self._soon.pop(path, None)
        if before is not None:
            before.cancel()
        self._soon[path] = self.loop.call_later(SOON, self.look, path, all_scenarios)

    def look(self, path: Path, all_scenarios: bool) -> None:
        """Publish the syntax errors, and request the check for all other problems."""
        self._soon.pop(path, None)
        try:
            self._look(path, all_scenarios)
        except Exception as failure:
            self.show_crash(path, failure)

    def _look(self, path: Path, all_scenarios: bool) -> None:
        project = self.open_games.project(path)
        if project is None:
            return
        self._ask(project, all_scenarios)
        for other in [*self.open_games.projects.values()]:
            if other is not project and other.has(path):
                self._ask(self.open_games.project(other.path) or other, False)

    def _ask(self, project: Project, all_scenarios: bool) -> None:
        self.tell(project.path, project.problems())
        scenarios = project.all_scenarios() if all_scenarios else project.open_scenarios()
        game, files, memory = project.path, self.open_games.files.copy(), project.memory
        self.background.ask(game, lambda wanted: look(game, scenarios, files, wanted, memory))

    def _pass_on(self, game: Path, found: object, is_end: bool) -> None:
        """Pass on the findings of the background thread, which calls this method."""
        if self.loop is not None and not self.loop.is_closed():
            self.loop.call_soon_threadsafe(self.settle, game, found, is_end)

    def settle(self, game: Path, found: object, is_end: bool) -> None:
        """Store the results of a check, and publish them."""
        project = self.open_games.projects.get(game)
        if project is None:
            return
        if isinstance(found, Exception):
            self.show_crash(game, found)
        if isinstance(found, Found):
            if game in self.open_games.stale:
                self.open_games.stale.discard(game)
                project.refresh()
            project.settle(found)
            self.tell(game, project.problems())
            self.request_refresh()
        if is_end:
            self.protocol.notify(CHECKED, {"game": self.uri(game)})

    def show_crash(self, path: Path, failure: Exception) -> None:
        """Show in a file that its check has crashed; otherwise the file would seem to have no problems."""
        what = " ".join(f"{type(failure).__name__}: {failure}".split())
        message = (
            f"this is a bug in Rulewright, and there may be more problems than are shown: {what}"
        )
        start = types.Position(0, 0)
        reported = types.Diagnostic(
            types.Range(start, start), message, types.DiagnosticSeverity.Error, source="rulewright"
        )
        self.reported.setdefault(path, {}).setdefault(self.uri(path), []).append(reported)
        self._publish(self.uri(path))

    def allow(self, folders: Iterable[str | None]) -> None:
        """Restrict reading to files in these folders; if no folder is open, allow any file."""
        places = (path_of(folder) for folder in folders if folder)
        self.open_games.files.within = tuple(place for place in places if place is not None)

    def request_refresh(self) -> None:
        """Ask the editor to refresh colours, hints and lenses."""
        wants = self.client_capabilities.workspace
        if wants is None:
            return
        if wants.semantic_tokens is not None and wants.semantic_tokens.refresh_support:
            self.workspace_semantic_tokens_refresh(None)
        if wants.inlay_hint is not None and wants.inlay_hint.refresh_support:
            self.workspace_inlay_hint_refresh(None)
        if wants.code_lens is not None and wants.code_lens.refresh_support:
            self.workspace_code_lens_refresh(None)

    def tell(self, game: Path, problems: Iterable[Diagnostic]) -> None:
        """Send the problems of a game, file by file; a file that no longer has any gets an empty list."""
        by_file: dict[str, list[types.Diagnostic]] = {
            self.uris[path]: []
            for path in self.open_games.files.given
            if path in self.uris and self.open_games.game_known(path) == game
        }
        for uri in self.reported.get(game, ()):
            by_file.setdefault(uri, [])
        for problem in cap_problems(problems):
            reported = convert.diagnostic(problem, self.uri_of, self.encoding)
            by_file.setdefault(self.uri_of(problem.span), []).append(reported)
        self.reported[game] = {uri: found for uri, found in by_file.items() if found}
        for uri in by_file:
            self._publish(uri)

    def _publish(self, uri: str) -> None:
        """Send the problems of a file in all its games; a problem of two games is sent once."""
        every = [by_file[uri] for by_file in self.reported.values() if uri in by_file]
        found = [*every[0]] if every else []
        for others in every[1:]:
            found.extend(one for one in others if one not in found)
        self.text_document_publish_diagnostics(types.PublishDiagnosticsParams(uri, found))

    def handle_close(self, uri: str) -> None:
        """Handle a closed text."""
        path = path_of(uri)
        if path is None:
            return
        self.open_games.close(path)
        for game in self.open_games.forget_closed():
            self.background.drop(game)
            for reported in self.reported.pop(game, {}):
                self._publish(reported)
        self.uris.pop(path, None)
        if self.open_games.game_known(path) in self.open_games.projects:
            self.soon(path)


@lru_cache(maxsize=1000)
def _address(path: Path) -> str:
    return from_fs_path(str(path)) or str(path)


def path_of(uri: str) -> Path | None:
    """Return the file with an address, or None if it is not the address of a file."""
    try:
        found = to_fs_path(uri) if uri.startswith("file:") else None
    except ValueError:  # not a valid address
        return None
    return real_path(Path(found)) if found and "\0" not in found else None

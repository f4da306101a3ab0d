"""Load scenario files together with their games.

A game is compiled once for each choice of players and options. Loading never raises for bad input:
it returns everything that it could read, and the problems.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TypeAlias

from attrs import define, evolve, field, frozen

from rulewright.dsl.checks.clauses import Citation, line_citations, report_unknown
from rulewright.dsl.diagnostics.diagnostics import Diagnostic, Problems, Severity
from rulewright.dsl.diagnostics.source import Source, Span
from rulewright.dsl.diagnostics.suggest import did_you_mean, listed_or
from rulewright.dsl.loading import loading
from rulewright.dsl.loading.confinement import HELP, OUTSIDE, Reach, why_refused
from rulewright.dsl.loading.files import CANNOT_BE_READ, Files, Parts, report_unreadable
from rulewright.dsl.model.facts import Facts
from rulewright.dsl.scenarios import scenarios
from rulewright.dsl.scenarios.folders import game_in
from rulewright.dsl.scenarios.scenario_compiling import FullScenario, Terms, compile_scenarios
from rulewright.dsl.scenarios.scenario_parser import parse_scenarios
from rulewright.dsl.scenarios.scenario_terms import ScenarioAssembler
from rulewright.dsl.text.reading import RULES, SCENARIOS, real_path
from rulewright.dsl.tree import scenario_syntax, syntax


@define
class LoadedScenarios:
    """A scenario file that has been read.

    `programs` contains the scenarios in the order of the file, except scenarios with errors.
    """

    path: Path
    game: loading.Loaded | None = None
    problems: tuple[Diagnostic, ...] = ()
    programs: tuple[scenarios.ScenarioProgram, ...] = ()
    scenario_count: int = 0
    _parts: Parts = field(factory=dict, repr=False)
    _found: Problems = field(factory=Problems, repr=False)

    @property
    def has_errors(self) -> bool:
        """Whether errors prevent scenarios from running."""
        return any(problem.severity is Severity.ERROR for problem in self.problems)

    @property
    def unread(self) -> int:
        """The number of scenarios that cannot run."""
        return self.scenario_count - sum(len(program.scenes) for program in self.programs)

    @property
    def parts(self) -> Parts:
        """The files that were looked up, including the files of the game."""
        return self._parts | (self.game.parts if self.game is not None else {})

    def check(self) -> tuple[Diagnostic, ...]:
        """Return all problems of the scenarios, and the problems of the game if these prevent scenarios
        from being read.
        """
        return self.problems


@frozen
class _Draft:
    """A file whose scenarios have been read but not compiled. `whole` also contains the scenarios
    that are not needed.
    """

    loaded: LoadedScenarios
    game: loading.Loaded
    source: Source
    whole: scenario_syntax.ScenarioFile
    shared: Sequence[scenario_syntax.Beginning]
    groups: dict[Terms, list[FullScenario]]


def load_scenarios(
    path: Path,
    *,
    reach: Reach | None = None,
    files: Files | None = None,
    known: Facts | None = None,
    shipped: Callable[[], Mapping[str, Path]] | None = None,
    game: Path | None = None,
    only: str | None = None,
) -> LoadedScenarios:
    """Read a scenario file together with its game or another given game. Facts about places are added to `known`.

    `shipped` returns the games that can be named without a path. If `only` is given, nothing is
    read except the scenario or the beginning that has this name.
    """
    known = known or Facts()
    read = _Reader(reach or Reach(), files or Files(), known, shipped, game).read(path, only)
    return read if isinstance(read, LoadedScenarios) else _compile_draft(read, {}, known)


def load_together(
    paths: Sequence[Path],
    *,
    reach: Reach | None = None,
    files: Files | None = None,
    shipped: Callable[[], Mapping[str, Path]] | None = None,
    game: Path | None = None,
) -> list[LoadedScenarios]:
    """Read several scenario files. The result for each file is the same as that of `load_scenarios`.

    Scenarios with the same players and options share a program, even across files.
    """
    steps = load_in_steps(paths, reach=reach, files=files, shipped=shipped, game=game)
    return [one for one in steps if one is not None]


def load_in_steps(
    paths: Sequence[Path],
    *,
    reach: Reach | None = None,
    files: Files | None = None,
    known: Facts | None = None,
    shipped: Callable[[], Mapping[str, Path]] | None = None,
    game: Path | None = None,
) -> Iterator[LoadedScenarios | None]:
    """Read several scenario files as `load_together` does, one by one. Yield None after each intermediate step."""
    known = known or Facts()
    reader = _Reader(reach or Reach(), files or Files(), known, shipped, game)
    read: list[LoadedScenarios | _Draft] = []
    for path in paths:
        read.append(reader.read(path))
        yield None
    programs: dict[int, dict[Terms, scenarios.ScenarioProgram]] = {id(one): {} for one in read}
    for several, terms, found in _together([one for one in read if isinstance(one, _Draft)], known):
        for draft, program in zip(several, found, strict=True) if found is not None else ():
            programs[id(draft)][terms] = program
        yield None
    for one in read:
        yield (
            one
            if isinstance(one, LoadedScenarios)
            else _compile_draft(one, programs[id(one)], known)
        )


Programs: TypeAlias = tuple[scenarios.ScenarioProgram, ...]


def _together(
    drafts: Sequence[_Draft], known: Facts
) -> Iterator[tuple[list[_Draft], Terms, Programs | None]]:
    """Yield the groups of files that share a program. For each group, yield its terms and its
    programs; after an error, the programs are None.

    If a file has an error, each file of its group is later compiled separately, so that the reports
    of each file are complete.
    """
    sharing: dict[tuple[int, Terms], list[_Draft]] = {}
    for draft in drafts:
        for terms in () if draft.loaded._found.has_errors else draft.groups:
            sharing.setdefault((id(draft.game), terms), []).append(draft)
    for (_, terms), several in sharing.items():
        problems = Problems()
        if len(several) < 2:
            continue
        files = [draft.groups[terms] for draft in several]
        found = compile_scenarios(several[0].game, terms, files, problems, known)
        yield several, terms, None if len(problems) else found


@define
class _Reader:
    """Reads scenario files. A game that several files use is read only once."""

    reach: Reach
    files: Files
    known: Facts
    shipped: Callable[[], Mapping[str, Path]] | None
    game: Path | None
    _games: dict[Path, loading.Loaded] = field(factory=dict)

    def read(self, path: Path, only: str | None = None) -> LoadedScenarios | _Draft:
        """Read a file without compiling its scenarios. If the scenarios cannot be compiled, return
        the finished file.
        """
        loaded = LoadedScenarios(path)
        problems = loaded._found
        why = self.files.why_not(path, SCENARIOS)
        source = self.files.read(path, loaded._parts, problems) if why is None else None
        if source is None:
            report_unreadable(path, why, "test mygame.scenario", problems)
            loaded.problems = problems.in_order()
            return loaded
        tree = self.files.scenarios(source, parse_scenarios, problems)
        whole = tree
        if only is not None:
            tree = _keep_only(tree, only)
        loaded.scenario_count = len(tree.scenarios)
        if tree.beginnings and not tree.scenarios:  # a file for other files to include
            loaded.problems = problems.in_order()
            return loaded
        refused = None if self.game is not None else self._why_no_game(path, tree)
        if refused is not None and tree.game is not None:
            problems.error(OUTSIDE, refused, tree.game.span, help=HELP)
            loaded.problems = problems.in_order()
            return loaded
        game_path = self.game or game_of(path, tree, loaded._parts, self.shipped)
        if not self.files.has(game_path):
            problems.error(
                "no-such-game",
                f"there is no game `{game_path.name}` beside this file",
                tree.game.span if tree.game is not None else Span(source, 0, 0),
                help=self.files.suggest(game_path, RULES)
                or did_you_mean(game_path.name, self.shipped() if self.shipped else ())
                or 'name it in the first line: `game "FILE.game"`',
            )
            loaded.problems = problems.in_order()
            return loaded
        if game_path not in self._games:
            self._games[game_path] = loading.load(
                game_path, reach=self.reach, files=self.files, known=self.known
            )
        game = loaded.game = self._games[game_path]
        if game.facts is None or any(d.severity is Severity.ERROR for d in game.problems):
            problems.extend(game.problems)
            loaded.problems = problems.in_order()
            return loaded
        clauses = game.clauses()
        if clauses is not None:
            report_unknown(_citations(tree), clauses, problems)
        parts = loaded._parts
        folders = path.parent, game.path.parent  # it may include files from these folders
        shared = self._included_beginnings(path, tree, parts, problems, folders, (path,))
        if only is not None and not _is_named(only, whole, shared, source, problems):
            loaded.problems = problems.in_order()
            return loaded
        groups: dict[Terms, list[FullScenario]] = {}
        for one in ScenarioAssembler(tree, game, game.facts, problems).full_scenarios(shared):
            groups.setdefault(one.terms, []).append(one)
        return _Draft(loaded, game, source, whole, shared, groups)

    def _why_refused(self, named: str, folder: Path, folders: tuple[Path, ...]) -> str | None:
        """Return why a file named in a scenario file is not read, or None if it may be read."""
        if not self.files.may_read(folder / named):
            return f"`{named}` lies outside the folder that is open in the editor"
        return None if self.reach.allow_outside else why_refused(named, folder, folders)

    def _why_no_game(self, path: Path, tree: scenario_syntax.ScenarioFile) -> str | None:
        """Return why the named game is not read: it is neither in this folder nor in a folder below
        nor in the folder above.
        """
        if tree.game is None:
            return None
        named, above = tree.game.path, path.parent / ".."
        is_above = real_path(path.parent / named).parent == real_path(above)
        return self._why_refused(
            named, path.parent, (path.parent, above) if is_above else (path.parent,)
        )

    def _included_beginnings(
        self,
        path: Path,
        tree: scenario_syntax.ScenarioFile,
        parts: Parts,
        problems: Problems,
        folders: tuple[Path, ...],
        around: tuple[Path, ...],
    ) -> list[scenario_syntax.Beginning]:
        """Return the beginnings that the included files define. If these files include other files, the
        beginnings of those other files come first.
        """
        found: list[scenario_syntax.Beginning] = []
        for include in tree.includes:
            refused = self._why_refused(include.path, path.parent, folders)
            if refused is not None:
                problems.error(OUTSIDE, refused, include.span, help=HELP)
                continue
            other = path.parent / include.path
            if real_path(other) in map(real_path, around):
                message = f"`{include.path}` includes itself, directly or through others"
                problems.error(
                    "include-cycle",
                    message,
                    include.span,
                    help=f'remove the line `include "{include.path}"`: its beginnings are known already',
                )
                continue
            why = self.files.why_not(other, SCENARIOS)
            source = self.files.read(other, parts, problems) if why is None else None
            if source is None:
                problems.error(
                    "no-such-include",
                    f"the file `{include.path}` {why or CANNOT_BE_READ}",
                    include.span,
                    help=self.files.suggest(other, SCENARIOS)
                    or "name a file of scenarios beside this one, with its ending",
                )
                continue
            inside = self.files.scenarios(source, parse_scenarios, problems)
            found += self._included_beginnings(
                other, inside, parts, problems, folders, (*around, other)
            )
            found += inside.beginnings
        return found


def _compile_draft(
    draft: _Draft, shared: Mapping[Terms, scenarios.ScenarioProgram], known: Facts
) -> LoadedScenarios:
    """Compile a file whose scenarios have been read. `shared` contains those of the file's programs
    that were compiled together with other files.
    """
    loaded, game, problems = draft.loaded, draft.game, draft.loaded._found
    programs = {
        terms: shared.get(terms) or _compile(game, terms, members, problems, known)
        for terms, members in draft.groups.items()
    }
    owners = _owners(draft.whole, draft.shared, draft.source)
    loaded.problems = problems.in_order()
    errors = (one for one in loaded.problems if one.severity is Severity.ERROR)
    wrong = {owners(one.span) for one in errors}
    if Span(draft.source, 0, 0) in wrong:  # the error belongs to no scenario
        return loaded
    found: list[scenarios.ScenarioProgram] = []
    for terms, members in draft.groups.items():
        fine = [one for one in members if not one.parts & wrong]
        program = programs[terms]
        if fine and (program is None or len(fine) < len(members)):
            # only the scenario that contains the mistake fails: the others are compiled again without it
            program = _compile(game, terms, fine, Problems(), Facts())
        if fine and program is not None:
            found.append(program)
    loaded.programs = tuple(found)
    return loaded


def _compile(
    game: loading.Loaded,
    terms: Terms,
    members: Sequence[FullScenario],
    problems: Problems,
    known: Facts,
) -> scenarios.ScenarioProgram | None:
    programs = compile_scenarios(game, terms, (members,), problems, known)
    return None if programs is None else programs[0]


def _is_named(
    text: str,
    tree: scenario_syntax.ScenarioFile,
    shared: Sequence[scenario_syntax.Beginning],
    source: Source,
    problems: Problems,
) -> bool:
    """Return whether a scenario or a beginning has this name. If none has, report an error that
    lists the existing names.
    """
    found = (*tree.scenarios, *tree.beginnings, *shared)
    names = [one.text for one in found if not isinstance(one, syntax.Broken)]
    if text in names:
        return True
    problems.none_called(
        "scenario or beginning",
        text,
        Span(source, 0, 0),
        names,
        f"write {listed_or(names[:5])}" if names else "",
    )
    return False


def _keep_only(tree: scenario_syntax.ScenarioFile, text: str) -> scenario_syntax.ScenarioFile:
    """Keep only the scenario with this name. If a beginning has this name, it becomes a scenario."""
    found = [
        evolve(
            each,
            lines=tuple(n for n in each.lines if not isinstance(n, scenario_syntax.ExpectSame)),
        )
        for each in tree.scenarios
        if isinstance(each, scenario_syntax.Scenario) and each.text == text
    ]
    if not found:
        head = next((each.span for each in tree.beginnings if each.text == text), tree.span)
        begins = scenario_syntax.StartFrom(head, text)
        found = [scenario_syntax.Scenario(head, (), text, (begins,))]
    return evolve(tree, scenarios=tuple(found))


def _owners(
    tree: scenario_syntax.ScenarioFile, shared: Sequence[scenario_syntax.Beginning], source: Source
) -> Callable[[Span], Span]:
    """Return a function that maps a place to the head of the scenario or beginning that contains the place.

    Places above the first head, and places in the game, belong to the file.
    """
    every = (*tree.scenarios, *tree.beginnings, *shared)
    heads = sorted((each.span for each in every), key=lambda span: span.start)

    def owner(span: Span) -> Span:
        there = [head for head in heads if head.source is span.source]
        place = bisect_right([head.start for head in there], span.start)
        return there[place - 1] if place else Span(source, 0, 0)

    return owner


def scenario_files(game: Path) -> list[Path]:
    """Return the scenario files of a game.

    If the folder's game is this game, return all scenario files in the folder. Otherwise,
    the only such file is the one with the name of the game.
    """
    if game == game_in(game.parent):
        return sorted(game.parent.glob(f"*{SCENARIOS}"))
    beside = game.with_suffix(SCENARIOS)
    return [beside] if _is_file(beside) else []


def read_scenarios(path: Path, problems: Problems) -> tuple[scenario_syntax.Scenario, ...]:
    """Return the scenarios of a file, parsed without reading the game."""
    source = Files().read(path, {}, problems)
    if source is None:
        return ()
    tree = parse_scenarios(source, problems)
    return tuple(each for each in tree.scenarios if isinstance(each, scenario_syntax.Scenario))


def _citations(tree: scenario_syntax.ScenarioFile) -> list[Citation]:
    scenes = (one for one in tree.scenarios if isinstance(one, scenario_syntax.Scenario))
    return [citation for scene in scenes for citation in line_citations(scene.tags)]


def game_of(
    path: Path,
    tree: scenario_syntax.ScenarioFile,
    parts: Parts,
    shipped: Callable[[], Mapping[str, Path]] | None = None,
) -> Path:
    """Return the path of a scenario file's game.

    If the file names its game by path or name, the game is the file at that path or the shipped game with that name.
    Otherwise, it is the game with the same name as the scenario file or, if there is none, the game
    of the folder.
    """
    if tree.game is not None:
        named = path.parent / tree.game.path
        found = shipped().get(tree.game.path) if shipped is not None else None
        return named if found is None or _is_file(named) else found
    beside = path.with_suffix(".game")
    of_folder = None if _is_file(beside) else game_in(path.parent)
    if of_folder is None:
        return beside
    if of_folder.stem != real_path(path).parent.name:
        parts[path.parent] = (
            ""  # the result depends on other files in the folder, so it has no hash and is never reused
        )
    parts[beside] = None
    return of_folder


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except OSError:
        return False

"""From scenario files to programs: reads them with their games, which are compiled once for each choice of terms.

Loading never raises for bad input: it returns what it has and the problems.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TypeAlias

from attrs import define, evolve, field, frozen

from rulewright.dsl.checks.clauses import Citation, cited, report_unknown
from rulewright.dsl.diagnostics.diagnostics import Diagnostic, Label, Problems, Severity
from rulewright.dsl.diagnostics.source import Source, Span
from rulewright.dsl.diagnostics.suggest import did_you_mean, listed_or
from rulewright.dsl.loading import loading
from rulewright.dsl.loading.confinement import HELP, OUTSIDE, Reach, why_refused
from rulewright.dsl.loading.files import CANNOT_BE_READ, Files, Parts
from rulewright.dsl.model.declaring import option_word
from rulewright.dsl.model.facts import Facts
from rulewright.dsl.scenarios import scenarios, scene_syntax
from rulewright.dsl.scenarios.folders import game_in
from rulewright.dsl.scenarios.scene_compiling import Read, Terms, compile_scenes
from rulewright.dsl.scenarios.scene_parser import parse_scenarios
from rulewright.dsl.scenarios.scene_slips import NAMES
from rulewright.dsl.text.reading import RULES, SCENARIOS, real_path, shown
from rulewright.dsl.tree import syntax

MOST_BEGINNINGS = 20
MOST_LINES = 100_000  # of all scenarios, beginnings included


@define
class LoadedScenes:
    """A scenario file that has been read.

    `programs` has its scenarios in the order of the file, but for those that something is wrong with."""

    path: Path
    game: loading.Loaded | None = None
    problems: tuple[Diagnostic, ...] = ()
    programs: tuple[scenarios.SceneProgram, ...] = ()
    scenario_count: int = 0
    _parts: Parts = field(factory=dict, repr=False)
    _found: Problems = field(factory=Problems, repr=False)

    @property
    def has_errors(self) -> bool:
        """Whether something keeps scenarios from being run."""
        return any(problem.severity is Severity.ERROR for problem in self.problems)

    @property
    def unread(self) -> int:
        """How many scenarios cannot be run."""
        return self.scenario_count - sum(len(program.scenes) for program in self.programs)

    @property
    def parts(self) -> Parts:
        """The files that were looked for, those of the game included."""
        return self._parts | (self.game.parts if self.game is not None else {})

    def check(self) -> tuple[Diagnostic, ...]:
        """All problems of the scenarios, and of the game where that keeps them from being read."""
        return self.problems


@frozen
class _Draft:
    """A file with scenarios that are read and not yet compiled; `whole` also has those that are not needed."""

    loaded: LoadedScenes
    game: loading.Loaded
    source: Source
    whole: scene_syntax.ScenarioFile
    shared: Sequence[scene_syntax.Beginning]
    groups: dict[Terms, list[Read]]


def load_scenes(
    path: Path,
    *,
    reach: Reach | None = None,
    files: Files | None = None,
    known: Facts | None = None,
    shipped: Callable[[], Mapping[str, Path]] | None = None,
    game: Path | None = None,
    only: str | None = None,
) -> LoadedScenes:
    """Read a scenario file and its game, or another; facts about places go into `known`.

    `shipped` gives the games that can be named without a path. With `only`, nothing but the
    scenario or beginning of that name is read."""
    known = known or Facts()
    read = _Reader(reach or Reach(), files or Files(), known, shipped, game).read(path, only)
    return read if isinstance(read, LoadedScenes) else _finished(read, {}, known)


def load_together(
    paths: Sequence[Path],
    *,
    reach: Reach | None = None,
    files: Files | None = None,
    shipped: Callable[[], Mapping[str, Path]] | None = None,
    game: Path | None = None,
) -> list[LoadedScenes]:
    """Read some scenario files, as `load_scenes` does each of them.

    Scenarios of several files that are played by the same players with the same options share a program."""
    steps = in_steps(paths, reach=reach, files=files, shipped=shipped, game=game)
    return [one for one in steps if one is not None]


def in_steps(
    paths: Sequence[Path],
    *,
    reach: Reach | None = None,
    files: Files | None = None,
    known: Facts | None = None,
    shipped: Callable[[], Mapping[str, Path]] | None = None,
    game: Path | None = None,
) -> Iterator[LoadedScenes | None]:
    """The same file by file, in the order of the paths; None after each step on the way there."""
    known = known or Facts()
    reader = _Reader(reach or Reach(), files or Files(), known, shipped, game)
    read: list[LoadedScenes | _Draft] = []
    for path in paths:
        read.append(reader.read(path))
        yield None
    programs: dict[int, dict[Terms, scenarios.SceneProgram]] = {id(one): {} for one in read}
    for several, terms, found in _together([one for one in read if isinstance(one, _Draft)], known):
        for draft, program in zip(several, found, strict=True) if found is not None else ():
            programs[id(draft)][terms] = program
        yield None
    for one in read:
        yield one if isinstance(one, LoadedScenes) else _finished(one, programs[id(one)], known)


Programs: TypeAlias = tuple[scenarios.SceneProgram, ...]


def _together(
    drafts: Sequence[_Draft], known: Facts
) -> Iterator[tuple[list[_Draft], Terms, Programs | None]]:
    """The files that share a program, and it once for each of them: where nothing at all is wrong with them.

    Where something is, each file is compiled alone, for what is then said of it."""
    sharing: dict[tuple[int, Terms], list[_Draft]] = {}
    for draft in drafts:
        for terms in () if draft.loaded._found.has_errors else draft.groups:
            sharing.setdefault((id(draft.game), terms), []).append(draft)
    for (_, terms), several in sharing.items():
        problems = Problems()
        if len(several) < 2:
            continue
        files = [draft.groups[terms] for draft in several]
        found = compile_scenes(several[0].game, terms, files, problems, known)
        yield several, terms, None if len(problems) else found


@define
class _Reader:
    """Reads scenario files; a game that several of them are about is read once."""

    reach: Reach
    files: Files
    known: Facts
    shipped: Callable[[], Mapping[str, Path]] | None
    game: Path | None
    _games: dict[Path, loading.Loaded] = field(factory=dict)

    def read(self, path: Path, only: str | None = None) -> LoadedScenes | _Draft:
        """The part of a file that needs no compiling; the finished file if its scenarios cannot be compiled."""
        loaded = LoadedScenes(path)
        problems = loaded._found
        why = self.files.why_not(path, SCENARIOS)
        source = self.files.read(path, loaded._parts, problems) if why is None else None
        if source is None:
            if not len(problems):
                empty = Source(shown(path), "")
                problems.error(
                    "unknown-file",
                    f"the file `{path.name}` {why or CANNOT_BE_READ}",
                    Span(empty, 0, 0),
                    help="give the name of a file that is there: `rulewright test mygame.scenario`",
                )
            loaded.problems = problems.sorted()
            return loaded
        tree = parse_scenarios(source, problems)
        whole = tree
        if only is not None:
            tree = _alone(tree, only)
        loaded.scenario_count = len(tree.scenarios)
        if tree.beginnings and not tree.scenarios:  # for other files to include
            loaded.problems = problems.sorted()
            return loaded
        refused = None if self.game is not None else self._why_no_game(path, tree)
        if refused is not None and tree.game is not None:
            problems.error(OUTSIDE, refused, tree.game.span, help=HELP)
            loaded.problems = problems.sorted()
            return loaded
        game_path = self.game or game_of(path, tree, loaded._parts, self.shipped)
        if not self.files.has(game_path):
            problems.error(
                "no-such-game",
                f"there is no game `{game_path.name}` beside this file",
                tree.game.span if tree.game is not None else Span(source, 0, 0),
                help=self.files.near(game_path, RULES)
                or did_you_mean(game_path.name, self.shipped() if self.shipped else ())
                or 'name it in the first line: `game "FILE.game"`',
            )
            loaded.problems = problems.sorted()
            return loaded
        if game_path not in self._games:
            self._games[game_path] = loading.load(
                game_path, reach=self.reach, files=self.files, known=self.known
            )
        game = loaded.game = self._games[game_path]
        if game.facts is None or any(d.severity is Severity.ERROR for d in game.problems):
            problems.extend(game.problems)
            loaded.problems = problems.sorted()
            return loaded
        clauses = game.clauses()
        if clauses is not None:
            report_unknown(_cited(tree), clauses, problems)
        parts = loaded._parts
        shared = self._included(path, tree, parts, problems, _folders(path, game), (path,))
        if only is not None and not _is_named(only, whole, shared, source, problems):
            loaded.problems = problems.sorted()
            return loaded
        groups: dict[Terms, list[Read]] = {}
        for one in _read_all(tree, shared, game, game.facts, problems):
            groups.setdefault(one.terms, []).append(one)
        return _Draft(loaded, game, source, whole, shared, groups)

    def _why_refused(self, named: str, folder: Path, folders: tuple[Path, ...]) -> str | None:
        """Why a file that a scenario file names is not read; None if it may be."""
        if not self.files.may_read(folder / named):
            return f"`{named}` lies outside the folder that is open in the editor"
        return None if self.reach.allow_outside else why_refused(named, folder, folders)

    def _why_no_game(self, path: Path, tree: scene_syntax.ScenarioFile) -> str | None:
        """Why the named game is not read: it is neither here, nor below, nor in the folder above."""
        if tree.game is None:
            return None
        named, above = tree.game.path, path.parent / ".."
        is_above = real_path(path.parent / named).parent == real_path(above)
        return self._why_refused(
            named, path.parent, (path.parent, above) if is_above else (path.parent,)
        )

    def _included(
        self,
        path: Path,
        tree: scene_syntax.ScenarioFile,
        parts: Parts,
        problems: Problems,
        folders: tuple[Path, ...],
        around: tuple[Path, ...],
    ) -> list[scene_syntax.Beginning]:
        """The beginnings of the files that are included, those that these include first."""
        found: list[scene_syntax.Beginning] = []
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
                    help=f'take the line `include "{include.path}"` away: its beginnings are known here',
                )
                continue
            why = self.files.why_not(other, SCENARIOS)
            source = self.files.read(other, parts, problems) if why is None else None
            if source is None:
                problems.error(
                    "no-such-include",
                    f"the file `{include.path}` {why or CANNOT_BE_READ}",
                    include.span,
                    help=self.files.near(other, SCENARIOS)
                    or "name a file of scenarios beside this one, with its ending",
                )
                continue
            inside = parse_scenarios(source, problems)
            found += self._included(other, inside, parts, problems, folders, (*around, other))
            found += inside.beginnings
        return found


def _finished(
    draft: _Draft, shared: Mapping[Terms, scenarios.SceneProgram], known: Facts
) -> LoadedScenes:
    """A file with its programs; `shared` are programs that other files need too."""
    loaded, game, problems = draft.loaded, draft.game, draft.loaded._found
    programs = {
        terms: shared.get(terms) or _compile(game, terms, members, problems, known)
        for terms, members in draft.groups.items()
    }
    owners = _owners(draft.whole, draft.shared, draft.source)
    wrong = {owners(problem.span) for problem in problems.sorted() if _is_error(problem)}
    loaded.problems = problems.sorted()
    if Span(draft.source, 0, 0) in wrong:  # what is wrong belongs to no scenario
        return loaded
    found: list[scenarios.SceneProgram] = []
    for terms, members in draft.groups.items():
        fine = [one for one in members if not one.parts & wrong]
        program = programs[terms]
        if fine and (program is None or len(fine) < len(members)):
            # one mistake fails its scenario alone: the others are compiled again without it
            program = _compile(game, terms, fine, Problems(), Facts())
        if fine and program is not None:
            found.append(program)
    loaded.programs = tuple(found)
    return loaded


def _compile(
    game: loading.Loaded,
    terms: Terms,
    members: Sequence[Read],
    problems: Problems,
    known: Facts,
) -> scenarios.SceneProgram | None:
    programs = compile_scenes(game, terms, (members,), problems, known)
    return None if programs is None else programs[0]


def _is_named(
    text: str,
    tree: scene_syntax.ScenarioFile,
    shared: Sequence[scene_syntax.Beginning],
    source: Source,
    problems: Problems,
) -> bool:
    """Whether a scenario or a beginning has this name; says which there are if none has it."""
    found = (*tree.scenarios, *tree.beginnings, *shared)
    names = [one.text for one in found if not isinstance(one, syntax.Broken)]
    if text in names:
        return True
    problems.error(
        "unknown-name",
        f"there is no scenario or beginning `{text}`",
        Span(source, 0, 0),
        help=did_you_mean(text, names) or (f"write {listed_or(names[:5])}" if names else ""),
    )
    return False


def _alone(tree: scene_syntax.ScenarioFile, text: str) -> scene_syntax.ScenarioFile:
    """Only the scenario of this name; a beginning of this name becomes one."""
    found = [
        evolve(
            each, lines=tuple(n for n in each.lines if not isinstance(n, scene_syntax.ExpectSame))
        )
        for each in tree.scenarios
        if isinstance(each, scene_syntax.Scenario) and each.text == text
    ]
    if not found:
        head = next((each.span for each in tree.beginnings if each.text == text), tree.span)
        begins = scene_syntax.SceneFrom(head, text)
        found = [scene_syntax.Scenario(head, (), text, (begins,))]
    return evolve(tree, scenarios=tuple(found))


def _is_error(problem: Diagnostic) -> bool:
    return problem.severity is Severity.ERROR


def _owners(
    tree: scene_syntax.ScenarioFile, shared: Sequence[scene_syntax.Beginning], source: Source
) -> Callable[[Span], Span]:
    """A function from a place to the scenario or beginning that holds it, by its head.

    Places above the first of them, and in the game, belong to the file."""
    every = (*tree.scenarios, *tree.beginnings, *shared)
    heads = sorted((each.span for each in every), key=lambda span: span.start)

    def owner(span: Span) -> Span:
        there = [head for head in heads if head.source is span.source]
        place = bisect_right([head.start for head in there], span.start)
        return there[place - 1] if place else Span(source, 0, 0)

    return owner


def scenario_files(game: Path) -> list[Path]:
    """The files of scenarios beside a game: that of its name; all of a folder whose game it is."""
    if game == game_in(game.parent):
        return sorted(game.parent.glob(f"*{SCENARIOS}"))
    beside = game.with_suffix(SCENARIOS)
    return [beside] if _is_file(beside) else []


def read_scenarios(path: Path, problems: Problems) -> tuple[scene_syntax.Scenario, ...]:
    """The scenarios of a file, parsed without reading the game."""
    source = Files().read(path, {}, problems)
    if source is None:
        return ()
    tree = parse_scenarios(source, problems)
    return tuple(each for each in tree.scenarios if isinstance(each, scene_syntax.Scenario))


def _cited(tree: scene_syntax.ScenarioFile) -> list[Citation]:
    return [
        citation
        for scenario in tree.scenarios
        if isinstance(scenario, scene_syntax.Scenario)
        for citation in cited(scenario.tags)
    ]


def game_of(
    path: Path,
    tree: scene_syntax.ScenarioFile,
    parts: Parts,
    shipped: Callable[[], Mapping[str, Path]] | None = None,
) -> Path:
    """The game that is named, by its place or as a shipped one; that of the same name, or of the folder."""
    if tree.game is not None:
        named = path.parent / tree.game.path
        found = shipped().get(tree.game.path) if shipped is not None else None
        return named if found is None or _is_file(named) else found
    beside = path.with_suffix(".game")
    of_folder = None if _is_file(beside) else game_in(path.parent)
    if of_folder is None:
        return beside
    if of_folder.stem != real_path(path).parent.name:
        parts[path.parent] = ""  # depends on other files there: no hash, so nobody trusts it
    parts[beside] = None
    return of_folder


def _folders(path: Path, game: loading.Loaded) -> tuple[Path, ...]:
    """The folders that a file of scenarios includes others from: its own, and that of its game."""
    return path.parent, game.path.parent


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except OSError:
        return False


# ---- players, options, beginnings -------------------------------------------------------------------


def _read_all(
    tree: scene_syntax.ScenarioFile,
    shared: Sequence[scene_syntax.Beginning],
    game: loading.Loaded,
    facts: loading.GameFacts,
    problems: Problems,
) -> list[Read]:
    beginnings: dict[str, scene_syntax.Beginning] = {}
    for beginning in (*shared, *tree.beginnings):
        if beginning.text in beginnings:
            first = Label(beginnings[beginning.text].span, "first here")
            problems.error(
                "duplicate-name",
                f"there are two beginnings `{beginning.text}`",
                beginning.span,
                labels=(first,),
                help="give one of them other words",
            )
            continue
        beginnings[beginning.text] = beginning
    names: dict[str, Span] = {}
    found: list[Read] = []
    asked: list[tuple[scene_syntax.Scenario, scene_syntax.Settled, frozenset[Span]]] = []
    used: set[str] = set()
    total = 0
    for scenario in tree.scenarios:
        if isinstance(scenario, syntax.Broken):
            continue
        if scenario.text in names:
            first = Label(names[scenario.text], "first here")
            problems.error(
                "duplicate-name",
                f"there are two scenarios `{scenario.text}`",
                scenario.span,
                labels=(first,),
                help="give one of them other words",
            )
        names.setdefault(scenario.text, scenario.span)
        parts: set[Span] = {scenario.span}
        lines = _with_beginnings(scenario.lines, beginnings, used, parts, problems, 0)
        if lines is None:
            continue
        total += len(lines)
        if total > MOST_LINES:
            problems.error(
                "file-too-large",
                f"the scenarios of a file have at most {MOST_LINES} lines, with their beginnings",
                scenario.span,
                help="put some of them into another file",
            )
            break
        shared_lines = len(lines) - sum(
            not isinstance(line, scene_syntax.SceneFrom) for line in scenario.lines
        )
        settled = _settled(lines, game, facts, problems)
        if settled is not None:
            asked.append((scenario, settled, frozenset(parts)))
            continue
        terms = _terms(scenario, lines, game, facts, problems)
        if terms is not None:
            _order(lines, problems)
            found.append(Read(scenario, terms, tuple(lines), shared_lines, frozenset(parts)))
    found = [_with_others(one, tree, beginnings, used, game, facts, problems) for one in found]
    if asked:
        anyhow = found[0].terms if found else _any_terms(game)
        found += [Read(one, anyhow, (line,), 0, parts) for one, line, parts in asked]
        found.sort(key=lambda one: one.scenario.span.start)
    for name, beginning in beginnings.items():
        if name not in used and beginning not in shared and not problems.has_errors:
            problems.warning(
                "unused-name",
                f"no scenario begins from `{name}`",
                beginning.span,
                help=f'write `from "{name}"` as the first line of a scenario, or take the beginning away',
            )
    return found


def _with_beginnings(
    lines: Sequence[scene_syntax.SceneLine],
    beginnings: dict[str, scene_syntax.Beginning],
    used: set[str],
    parts: set[Span],
    problems: Problems,
    depth: int,
) -> list[scene_syntax.SceneLine] | None:
    """The lines with those of the beginning put before them."""
    found: list[scene_syntax.SceneLine] = []
    for place, line in enumerate(lines):
        if not isinstance(line, scene_syntax.SceneFrom):
            found.append(line)
            continue
        if place > 0:
            problems.error(
                "misplaced-line",
                "`from` stands in the first line of a scenario",
                line.span,
                help="put it at once below `scenario`",
            )
            continue
        beginning = beginnings.get(line.text)
        if beginning is None:
            problems.error(
                "unknown-name",
                f"there is no beginning `{line.text}`",
                line.span,
                help=did_you_mean(line.text, beginnings)
                or (f"write {listed_or([*beginnings][:5])}" if beginnings else "")
                or 'write `beginning "words"` with its lines in this file',
            )
            return None
        used.add(line.text)
        parts.add(beginning.span)
        if depth >= MOST_BEGINNINGS:
            problems.error(
                "include-cycle",
                f"the beginning `{line.text}` begins with itself",
                line.span,
                help="take its `from` away, or begin from another one",
            )
            return None
        before = _with_beginnings(beginning.lines, beginnings, used, parts, problems, depth + 1)
        if before is None:
            return None
        found.extend(before)
    return found


def _terms(
    scenario: scene_syntax.Scenario,
    lines: Sequence[scene_syntax.SceneLine],
    game: loading.Loaded,
    facts: loading.GameFacts,
    problems: Problems,
) -> Terms | None:
    players: tuple[str, ...] | None = None
    options: dict[str, str] = {}
    known = dict(facts.options)
    fine = True
    for line in lines:
        match line:
            case scene_syntax.ScenePlayers():
                if players is not None:
                    problems.error(
                        "misplaced-line",
                        "the players are named once",
                        line.span,
                        help="write all of them into one line: `player ann, bob`",
                    )
                players = tuple(word.name for word in line.names)
                twice = next((w for n, w in enumerate(line.names) if w.name in players[:n]), None)
                if twice is not None:
                    problems.error(
                        "duplicate-name",
                        f"two players are called `{twice.name}`",
                        twice.span,
                        help="give one of them another name",
                    )
                    fine = False
                if not facts.low <= len(players) <= facts.high:
                    number = (
                        str(facts.low)
                        if facts.low == facts.high
                        else f"{facts.low} to {facts.high}"
                    )
                    problems.error(
                        "wrong-players",
                        f"{facts.title} is for {number} players, here are {len(players)}",
                        line.span,
                        help=f"write `player {', '.join(NAMES[: facts.low])}`",
                    )
                    fine = False
            case scene_syntax.SceneOption():
                value = option_word(line.value)
                if line.name not in known:
                    problems.error(
                        "unknown-option",
                        f"{facts.title} has no option `{line.name}`",
                        line.name_span,
                        help=did_you_mean(line.name, known),
                    )
                    fine = False
                elif value not in known[line.name]:
                    problems.error(
                        "unknown-option",
                        f"the option `{line.name}` is {' or '.join(known[line.name])}",
                        line.value.span,
                        help=did_you_mean(value, known[line.name]),
                    )
                    fine = False
                else:
                    options[line.name] = value
            case _:
                pass
    if players is None and any(
        isinstance(line, syntax.Broken) and line.span.text.startswith("player") for line in lines
    ):
        return None
    if players is None:
        problems.error(
            "wrong-players",
            "it is not said who plays",
            scenario.span,
            help="write `player ann, bob` below it: as many names as there are players, in the order of the seats",
        )
        return None
    chosen = tuple((name, options.get(name, values[0])) for name, values in facts.options)
    forbidden = game.never(len(players), dict(chosen)) if fine else None
    if forbidden is not None:
        problems.error(
            "wrong-players",
            f"{facts.title} is not played so: {forbidden}",
            scenario.span,
            help="write other players, or `option NAME is VALUE` below it",
        )
        return None
    return Terms(players, chosen) if fine else None


def _any_terms(game: loading.Loaded) -> Terms:
    """Players and options with which a game is played, for scenarios that need none."""
    number, options = game.configurations()[0]
    return Terms(tuple(f"player_{n + 1}" for n in range(number)), tuple(options.items()))


def _settled(
    lines: Sequence[scene_syntax.SceneLine],
    game: loading.Loaded,
    facts: loading.GameFacts,
    problems: Problems,
) -> scene_syntax.Settled | None:
    """The result of lines that exclude numbers of players or options; None if there are none."""
    refused = [
        line
        for line in lines
        if isinstance(line, (scene_syntax.RefusedPlayers, scene_syntax.RefusedOption))
    ]
    if not refused:
        return None
    players: int | None = None
    known, options, is_played = dict(facts.options), dict[str, str](), True
    for line in lines:
        match line:
            case scene_syntax.ScenePlayers() | scene_syntax.RefusedPlayers():
                players = len(line.names)
            case scene_syntax.SceneOption() | scene_syntax.RefusedOption():
                value = option_word(line.value)
                is_known = value in known.get(line.name, ())
                if line.name not in known:
                    problems.error(
                        "unknown-option",
                        f"{facts.title} has no such option",
                        line.span,
                        help=did_you_mean(line.name, known),
                    )
                elif not is_known and isinstance(line, scene_syntax.SceneOption):
                    message = f"{facts.title} has no such value"
                    problems.error(
                        "unknown-option",
                        message,
                        line.span,
                        help=f"write {listed_or([*known.get(line.name, ())][:8])}",
                    )
                is_played &= is_known
                options[line.name] = value
            case _:
                problems.error(
                    "misplaced-line",
                    "nothing can happen in a play that is refused",
                    line.span,
                    help="leave only `player` and `option` lines in this scenario",
                )
    if players is None:
        players = facts.low
    chosen = {name: options.get(name, values[0]) for name, values in facts.options}
    is_played = is_played and facts.low <= players <= facts.high
    is_played = is_played and game.never(players, chosen) is None
    said = "".join(f", {name} is {value}" for name, value in options.items())
    return scene_syntax.Settled(
        refused[-1].span, f"{facts.title} is played by {players}{said}" if is_played else None
    )


HAPPENS = (
    scene_syntax.Given,
    scene_syntax.ToMove,
    scene_syntax.Plays,
    scene_syntax.Chance,
    scene_syntax.ShuffleGives,
    scene_syntax.PlayOn,
    scene_syntax.Picture,
)


def _with_others(
    one: Read,
    tree: scene_syntax.ScenarioFile,
    beginnings: dict[str, scene_syntax.Beginning],
    used: set[str],
    game: loading.Loaded,
    facts: loading.GameFacts,
    problems: Problems,
) -> Read:
    """A scenario with the lines of the scenarios that it is compared with."""
    lines: list[scene_syntax.MeantLine] = []
    for line in one.lines:
        if not isinstance(line, scene_syntax.ExpectSame):
            lines.append(line)
            continue
        other = next(
            (
                each
                for each in (*tree.scenarios, *beginnings.values())
                if not isinstance(each, syntax.Broken) and each.text == line.text
            ),
            None,
        )
        if other is None:
            names = [each.text for each in tree.scenarios if not isinstance(each, syntax.Broken)]
            problems.error(
                "unknown-name",
                f"there is no scenario or beginning `{line.text}`",
                line.span,
                help=did_you_mean(line.text, [*names, *beginnings]),
            )
            continue
        parts: set[Span] = set()
        used.add(line.text)
        theirs = _with_beginnings(other.lines, beginnings, used, parts, Problems(), 0) or []
        terms = _terms(one.scenario, theirs, game, facts, Problems())
        if terms != one.terms:
            problems.error(
                "wrong-players",
                f"`{line.text}` is played by others, or with other options",
                line.span,
                help="what is compared has the same `player` and `option` lines",
            )
            continue
        happening = tuple(each for each in theirs if isinstance(each, HAPPENS))
        lines.append(scene_syntax.SameAs(line.span, line.text, happening))
    return evolve(one, lines=tuple(lines))


def _order(lines: Sequence[scene_syntax.SceneLine], problems: Problems) -> None:
    started = False
    for place, line in enumerate(lines):
        match line:
            case scene_syntax.SceneOption() | scene_syntax.ScenePlayers():
                if started:
                    problems.error(
                        "misplaced-line",
                        "players and options stand before what happens",
                        line.span,
                        help="put this line at once below `scenario`",
                    )
            case scene_syntax.SceneFault():
                if place == 0 or not isinstance(
                    lines[place - 1],
                    (
                        scene_syntax.Given,
                        scene_syntax.ToMove,
                        scene_syntax.Plays,
                        scene_syntax.PlayOn,
                    ),
                ):
                    problems.error(
                        "misplaced-line", "`fault` follows the step that cannot be done", line.span,
                        help="it stands below `given`, `ANN plays OPTION` or `play N steps`",
                    )  # fmt: skip
                elif place + 1 < len(lines):
                    problems.error(
                        "misplaced-line",
                        "nothing happens after a fault",
                        lines[place + 1].span,
                        help="let the scenario end with `fault`, and write another one for what follows",
                    )
            case syntax.Broken():  # it may have been one of either
                pass
            case _:
                started = True

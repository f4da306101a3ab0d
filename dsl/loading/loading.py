"""Read a game with its included files and tables, check it, and compile it on demand.

Loading never raises for bad input: it returns everything that it could read, and the problems.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import product
from math import prod
from pathlib import Path
from typing import TypeAlias

from attrs import define, evolve, field

from rulewright.dsl import checks, ir
from rulewright.dsl.checks.check_secrets import check_secrets
from rulewright.dsl.checks.clauses import Account, Clause, accounts, citations, read_clauses
from rulewright.dsl.diagnostics.diagnostics import Diagnostic, Problems, Severity
from rulewright.dsl.diagnostics.source import Source, Span
from rulewright.dsl.facts_data import GameFacts
from rulewright.dsl.loading.about_game import about_game
from rulewright.dsl.loading.causes import causes, left_out
from rulewright.dsl.loading.collection import no_collection
from rulewright.dsl.loading.combinations import (
    MOST_SETTINGS,
    Row,
    most_settings,
)
from rulewright.dsl.loading.confinement import Reach
from rulewright.dsl.loading.files import Files, report_unreadable
from rulewright.dsl.loading.game_files import GameFiles
from rulewright.dsl.loading.heads import (
    clauses_of_options,
    in_quotes,
    is_broken,
    options_of,
    players_of,
    why_never,
    words_of,
)
from rulewright.dsl.loading.never import excluding_line, nevers_of, played_rows, report_nevers
from rulewright.dsl.loading.random_play import random_play_of
from rulewright.dsl.loading.reuse import (
    Earlier,
    Paired,
    Places,
    Right,
    declarations_around,
    reuse_nodes,
)
from rulewright.dsl.lowering.analysis.analysis import Analysis
from rulewright.dsl.lowering.emit.core import Compiler
from rulewright.dsl.lowering.whole.parts import HowMany
from rulewright.dsl.lowering.whole.program import (
    Infos,
    compile_model,
    infos_of,
    lower_all,
    lower_some,
)
from rulewright.dsl.lowering.whole.sharing import Common, Difference
from rulewright.dsl.model.declaring import build_model
from rulewright.dsl.model.facts import Facts
from rulewright.dsl.model.model import Configuration, Model
from rulewright.dsl.model.unvisited_names import resolve_names
from rulewright.dsl.text.reading import RULES, display_path
from rulewright.dsl.tree import declared

MOST_LOOKED_AT = 20_000
"""The maximum number of variants that are tried in the search for a variant that is played."""

Chosen: TypeAlias = tuple[tuple[str, str], ...]  # options with their values
Result: TypeAlias = tuple[ir.Program | None, tuple[Diagnostic, ...]]


@define
class Loaded(GameFiles):
    """A game that has been read. Programs are compiled on request."""

    facts: GameFacts | None = None
    declarations: tuple[declared.Declaration, ...] = ()
    problems: tuple[Diagnostic, ...] = ()
    lines: int = 0
    """The number of lines of rules."""
    texts: set[Source] = field(factory=set, repr=False)
    """The texts for which an earlier check has stored facts. A fact is valid if its place still exists."""
    hash: str = ""
    """A hash of the words of the rules and of the tables. Layout and comments make no difference."""
    is_unproved: bool = False
    """Whether rules that show a secret are compiled too."""
    _nevers: tuple[declared.Setting, ...] = field(default=(), repr=False)
    _results: dict[tuple[int, Chosen], Result] = field(factory=dict, repr=False)
    _distinct: list[tuple[int, set[tuple[str, str]], Result]] = field(factory=list, repr=False)
    """The compiled variants. Each consists of the number of players, the options that were used, and the result."""
    _compilers: list[checks.Compiled] = field(factory=list, repr=False)
    _common: Common = field(factory=Common, repr=False)
    _right: list[Right] = field(factory=list, repr=False)
    _reported: list[tuple[int, set[tuple[str, str]], tuple[Diagnostic, ...]]] = field(
        factory=list, repr=False
    )
    """The variants that have no program, or that have the same problems as another variant,
    each paired with its problems.
    """
    memo: Facts = field(factory=Facts, repr=False)
    model: Model | None = field(default=None, repr=False)
    """The model of the last variant that was compiled."""
    _named: Model | None = field(default=None, repr=False)
    """The last model whose unvisited names were resolved."""
    _places: Places = field(factory=Places, repr=False)
    """The current place of each place in an earlier check."""
    _paired: Mapping[str, Paired] = field(factory=dict, repr=False)
    """For each file, the declarations that were taken from an earlier check."""
    _new: list[object] | None = field(default=None, repr=False)
    """The nodes written since an earlier check; None without such a check, or if a variant was lowered
    completely.
    """
    _is_same: bool = field(default=False, repr=False)
    """Whether the game is the same as in an earlier check. If so, its variants need no check."""
    _lowered: list[object] = field(factory=list, repr=False)
    """The lowered nodes of the variants of which only some parts were lowered."""
    _other: frozenset[str] = field(default=frozenset(), repr=False)
    """The names of the values that were found to differ between variants."""

    def program(self, players: int, options: Mapping[str, str]) -> ir.Program | None:
        """Return the program for a number of players and a choice of options, or None if it has problems."""
        return self._result(players, options)[0]

    def program_with_openly(self, players: int, options: Mapping[str, str]) -> ir.Program:
        """Compile a program in which each `openly` becomes a plain procedure named `openly`; the
        rules must have no errors.
        """
        with no_collection():
            model = build_model(
                self.declarations,
                Configuration(players, dict(self._chosen_options(options)), marks_openly=True),
                self.read_table,
                Problems(),
                Facts(),
                self.tables_beside,
            )
            return compile_model(model)[0]

    def problems_of(self, players: int, options: Mapping[str, str]) -> tuple[Diagnostic, ...]:
        """Return the problems of this variant."""
        return self._causes(self._result(players, options)[1])

    def check_variant(self, players: int, options: Mapping[str, str]) -> tuple[Diagnostic, ...]:
        """Return the problems of a variant without compiling a program.

        Work that this variant shares with earlier ones is reused.
        """
        with no_collection():
            found = self._shared_problems(players, options)
            if found is not None:
                return found
            chosen = self._chosen_options(options)
            known = self._known_result(players, chosen) or self._compile(
                players, chosen, is_run=False
            )
            return known[1]

    def variants(
        self,
        players: int | None = None,
        given: Mapping[str, str] | None = None,
        most: int = MOST_SETTINGS,
    ) -> list[tuple[int, dict[str, str]]]:
        """Return all variants that contain the `given` choices.

        If there are more than `most`, return only enough variants for every pair of choices to
        occur.
        """
        if self.facts is None:
            return []
        numbers = range(self.facts.low, self.facts.high + 1) if players is None else (players,)
        options = {
            name: values if given is None or name not in given else (given[name],)
            for name, values in self.facts.options
        }

        def players_and_options(row: Row) -> tuple[int, dict[str, str]]:
            chosen = zip(options, row[:-1], strict=True)
            return numbers[row[-1]], {name: options[name][at] for name, at in chosen}

        sizes = [*map(len, options.values()), len(numbers)]
        return [
            *map(
                players_and_options,
                played_rows(sizes, lambda row: self.never(*players_and_options(row)) is None, most),
            )
        ]

    def reuse(self, earlier: Earlier) -> bool:
        """Reuse the parts that are unchanged since an earlier check of the game; return whether that was
        possible.

        The results still refer to places in the earlier texts; `now` maps these places to the
        current texts.
        """
        if any(d.severity is Severity.ERROR for d in self.problems):
            return False
        earlier.common.drop_wrong()
        found = reuse_nodes(earlier.declarations, self.declarations, earlier.paired)
        self.declarations, self._places = found.declarations, found.places
        self._common, self._new = earlier.common, [found.declarations[n] for n in found.new]
        self._paired = found.paired
        types = earlier.facts.lasting_types().items()
        texts = self.texts | found.places.ends.keys()
        self.memo.earlier = {source: known for source, known in types if source in texts}
        if earlier.is_of(found.declarations, self._sources):
            self.texts |= {*filter(None, self._sources.values())}
            self._is_same = True
            self._right, self._compilers = [*earlier.right], [*earlier.compiled]
            self.model = self._compilers[0].model if self._compilers else None
        return True

    def reusable_results(self) -> Earlier | None:
        """Return the results that a later check can reuse, or None if every variant has problems."""
        common = self._common.after_edit()
        if common is None:
            return None
        right = [(players, asked) for players, asked, found in self._reported if not found]
        compiled = [one for one in self._compilers if not len(one.problems)]
        tables, right = dict(self._sources), [*self._right, *right]
        return Earlier(self.declarations, common, self._paired, tables, right, compiled, self.memo)

    @property
    def now(self) -> Places:
        """Maps each place in the results to its current place."""
        return self._places

    def checked_variants(self) -> list[tuple[int, dict[str, str]]]:
        """Return the variants that `check` checks."""
        return self.variants(most=most_settings(self.lines))

    def never(self, players: int, options: Mapping[str, str]) -> str | None:
        """Return why a variant is never played, or None if no line excludes the variant.

        The reason is the text in a `never` line, or else the line itself.
        """
        if self.facts is None:
            return None
        found = None
        if self._nevers:
            found = excluding_line(self._nevers, players, options, self.facts.options)
        return None if found is None else why_never(found)

    def is_never_played(self) -> bool:
        """Return whether `never` lines exclude every variant; False if too many variants would have
        to be tried.
        """
        if self.facts is None:
            return False
        names = [name for name, _ in self.facts.options]
        chosen = product(*(values for _, values in self.facts.options))
        numbers = range(self.facts.low, self.facts.high + 1)
        every = ((number, values) for values in chosen for number in numbers)
        for n, (number, values) in enumerate(every):
            if n == MOST_LOOKED_AT:
                return False
            if self.never(number, dict(zip(names, values, strict=True))) is None:
                return False
        return True

    @property
    def known(self) -> Facts:
        """The facts about places in the text, from all variants that have been compiled."""
        if self.model is not None and self.model is not self._named:
            of: Sequence[declared.Declaration] = self.declarations
            if self._new is not None:
                of = declarations_around(of, [*self._new, *self._lowered])
            resolve_names(self.model, of)
            self._named = self.model
        return self.memo

    def number_of_variants(self) -> int:
        """Count the variants.

        If there are more than `MOST_SETTINGS`, the count includes variants that are never
        played.
        """
        if self.facts is None:
            return 0
        options = (len(values) for _, values in self.facts.options)
        number = prod(options) * (self.facts.high - self.facts.low + 1)
        return len(self.variants()) if number <= MOST_SETTINGS else number

    def check(self) -> tuple[Diagnostic, ...]:
        """Return all problems of all variants, without duplicates, sorted by their places in the text."""
        found = Problems()
        found.extend(self.problems)
        if not found.has_errors:
            with no_collection():
                self._check(found)
        return self._causes(found.in_order())

    def first_problems(self) -> tuple[Diagnostic, ...]:
        """Return the problems of the default variant or, if it has none, the problems found by
        checking only the text.
        """
        found = Problems()
        with no_collection():
            for players, options in self.checked_variants()[:1]:
                found.extend(self.check_variant(players, options))
            self._check_whole(found, checks.OF_TEXTS)
        return self._causes(found.in_order())

    def _causes(self, problems: tuple[Diagnostic, ...]) -> tuple[Diagnostic, ...]:
        included = self.facts.files if self.facts is not None else ()
        return causes(problems, self.declarations, self.path, included, self.files)

    def variants_in_turn(self) -> Iterator[tuple[int, dict[str, str]]]:
        """Yield the variants for `check`, one at a time, each after the previous variant has been
        checked.

        If the first variant shows that a part of the game is missing, the other variants are left
        out.
        """
        every = self.checked_variants()
        yield from every[:1]
        if len(every) > 1 and not self._lacks_a_part(self.check_variant(*every[0])):
            yield from every[1:]

    def _lacks_a_part(self, problems: tuple[Diagnostic, ...]) -> bool:
        included = self.facts.files if self.facts is not None else ()
        return bool(left_out(problems, self.declarations, self.path, included, self.files))

    def _check(self, found: Problems) -> None:
        for players, options in self.variants_in_turn():
            found.extend(self.check_variant(players, options))
        self._check_whole(found, checks.OF_GAMES)
        if not self._is_same:
            self._common.end(is_whole=not found.has_errors)

    def _check_whole(
        self, found: Problems, looks: Sequence[Callable[[checks.Checked], None]]
    ) -> None:
        """Run the checks of the whole game if the game has no errors so far."""
        if found.has_errors or not self._compilers:
            return
        game = checks.Checked(
            self.declarations,
            tuple(self._compilers),
            len(self.checked_variants()) == self.number_of_variants(),
            self._clauses(found),
            found,
            self._common.written,
        )
        for look in looks:
            look(game)

    def check_variants(
        self, players: Sequence[int], options: Mapping[str, str]
    ) -> tuple[Diagnostic, ...]:
        """Return all problems of the variants with these options and these numbers of players.

        If `players` is empty, return the problems for all numbers of players. Stop after the first
        variant with errors.
        """
        found = Problems()
        found.extend(self.problems)
        most = most_settings(self.lines)
        with no_collection():
            for number in players or (None,):
                for each, chosen in self.variants(number, options, most):
                    if not found.has_errors:
                        found.extend(self.problems_of(each, chosen))
        return self._causes(found.in_order())

    def accounts(self, problems: Problems) -> tuple[Account, ...] | None:
        """Return how the game covers each clause of the rulebook, or None if the game names no rulebook.

        Problems found in them are reported in the same way as in `check`.
        """
        if self.facts is None or self.facts.rulebook is None:
            return None
        source = self._clauses(problems)
        if source is None:
            return ()
        clauses = read_clauses(source, problems)
        return accounts(clauses, citations(self.declarations), problems)

    def clauses(self) -> tuple[Clause, ...] | None:
        """Return the clauses of the rulebook, or None if there is no readable rulebook."""
        problems = Problems()
        source = self._clauses(problems)
        return read_clauses(source, problems) if source is not None else None

    def _clauses(self, problems: Problems) -> Source | None:
        """Return the text of the rulebook, or None if the game names none or it cannot be read."""
        path = self.facts.rulebook if self.facts is not None else None
        if path is None:
            return None
        source = self.files.read(path, self.parts, problems)
        if source is None and self.facts is not None:
            game = next(d for d in self.declarations if isinstance(d, declared.Game))
            place = next(s.value.span for s in game.settings if s.name == "rulebook")
            problems.error(
                "unknown-file",
                f"the rulebook `{path.name}` cannot be read",
                place,
                help=self.files.suggest(path, ".md")
                or "put the file beside the game, with a line for each clause: `- **AB-001** its words`",
            )
        return source

    def _chosen_options(self, options: Mapping[str, str]) -> Chosen:
        given = () if self.facts is None else self.facts.options
        return tuple(
            (name, options[name] if options.get(name) in values else values[0])
            for name, values in given
        )

    def _result(self, players: int, options: Mapping[str, str]) -> Result:
        chosen = self._chosen_options(options)
        key = players, chosen
        if key not in self._results:
            with no_collection():
                self._results[key] = self._known_result(players, chosen) or self._compile(
                    players, chosen
                )
        return self._results[key]

    def _known_result(self, players: int, chosen: Chosen) -> Result | None:
        return self._results.get((players, chosen)) or self._same_as_another(players, chosen)

    def _same_as_another(self, players: int, chosen: Chosen) -> Result | None:
        """Return the earlier result of a variant that differs from this one only in unused options."""
        for number, asked, (program, problems) in self._distinct:
            if number == players and asked <= set(chosen):
                return program and evolve(program, options=chosen), problems
        return None

    def _compile(self, players: int, chosen: Chosen, *, is_run: bool = True) -> Result:
        if self.facts is None or any(d.severity is Severity.ERROR for d in self.problems):
            return None, self.problems
        self._new = None
        problems = Problems()
        model = self._begin(players, chosen, problems)
        program: ir.Program | None = None
        try:
            a = self._common.analysis_of(model)
            if is_run:
                program, compiler = compile_model(model, a=a)
            else:
                compiler = lower_all(model, a)
            if problems.has_errors:
                self._common.keep_wrong(
                    model, a, infos_of(compiler), compiler.counted_kinds, compiler.wrong
                )
            else:
                compiled = checks.Compiled(model, a, problems, memo=self._common.written)
                beside = None if is_run else self._common.similar_secrets(model, a)
                if beside is not None:
                    compiled = evolve(compiled, similar=(beside,))
                self._run_checks(compiled, infos_of(compiler), compiler.counted_kinds)
                meant = tuple(dict.fromkeys(compiled.shown_openly))
                program = program and evolve(program, meant=meant)
        except RecursionError:
            problems.error(
                "nested-too-deep",
                "the rules and values of this game depend on each other too deeply",
                model.game_span or Span(Source(display_path(self.path), ""), 0, 0),
                help="shorten the longest chain in which each one uses the next",
            )
        problems.extend(self._reading.in_order())
        found = problems.in_order()
        result = None if problems.has_errors else program, found
        if is_run and problems.has_errors:
            # A program lowers some steps again, for example before an option. A check reports each error once.
            checked = self._compile(players, chosen, is_run=False)
            return checked if any(d.severity is Severity.ERROR for d in checked[1]) else result
        if is_run or problems.has_errors:
            self._distinct.append((players, _used_options(model), result))
        else:
            self._reported.append((players, _used_options(model), found))
        return result

    def _shared_problems(
        self, players: int, options: Mapping[str, str]
    ) -> tuple[Diagnostic, ...] | None:
        """Return the problems of a variant if lowering a part of it is enough to find them;
        None otherwise.

        Only the parts that differ from other variants are lowered. If a check finds a problem,
        the whole variant must be lowered to create the message.
        """
        chosen = self._chosen_options(options)
        if self._known_result(players, chosen) is not None:
            return None
        if any(number == players and asked <= set(chosen) for number, asked in self._right):
            return ()
        for number, asked, reported in self._reported:
            if number == players and asked <= set(chosen):
                return reported
        if any(d.severity is Severity.ERROR for d in self.problems):
            return None
        if not (self._common.has_right(players) or self._common.has_wrong(players)):
            return None
        problems = Problems()
        model = self._begin(players, chosen, problems)
        try:
            a = self._common.analysis_of(model)
            begun = problems.in_order()
            while True:
                problems = model.problems = Problems()
                problems.extend(begun)
                other = self._other
                found = self._check_prepared(model, a)
                if self._other == other:
                    return found
        except RecursionError:
            return None

    def _check_prepared(self, model: Model, a: Analysis) -> tuple[Diagnostic, ...] | None:
        """Return the problems of a prepared variant, or None if the whole variant must be lowered."""
        players, problems = model.config.players, model.problems
        differing = self._common.difference(model, a, self._other)
        if differing is None or (differing.is_wrong and len(self._reading)):
            return None
        if differing.is_wrong:
            compiler = self._lower(model, a, differing)
            if compiler is not None:
                asked = {**differing.asked, **compiler.counted_kinds}
                wrong = differing.wrong | compiler.wrong
                self._common.keep_wrong(model, a, infos_of(compiler), asked, wrong)
                model.used_options |= self._common.options_read(players)
                self._reported.append((players, _used_options(model), problems.in_order()))
            return problems.in_order()
        compiled = checks.Compiled(
            model,
            a,
            problems,
            similar=differing.similar,
            differing=differing.parts,
            memo=self._common.written,
        )
        infos: Mapping[str, Infos] = differing.known
        counted: HowMany = differing.asked
        if differing.lowered or len(problems) or not differing.is_stored_alike:
            compiler = self._lower(model, a, differing)
            if compiler is None:
                return None
            infos, counted = infos_of(compiler), {**counted, **compiler.counted_kinds}
            if problems.has_errors:
                self._common.keep_wrong(model, a, infos, counted, compiler.wrong)
        elif not self._holds(differing, infos):
            return None
        if differing.alike is not None and not len(problems):
            alike = differing.alike
            self._common.keep(model, a, infos, counted, alike.safe, alike.touching)
            self._compilers.append(compiled)
        elif not len(problems):
            is_same = differing.is_renumbered or not differing.parts
            self._run_checks(compiled, infos, counted, (check_secrets,) if is_same else ())
            if len(problems):
                return None
        if len(self._reading) or (len(problems) and not problems.has_errors):
            return None
        # The shared parts may have used options that the other parts have not used.
        model.used_options |= self._common.options_read(players)
        found = problems.in_order()
        if found:
            self._distinct.append((players, _used_options(model), (None, found)))
        else:
            self._right.append((players, _used_options(model)))
        return found

    def _lower(self, model: Model, a: Analysis, differing: Difference) -> Compiler | None:
        """Lower the differing parts; return None if values that were assumed to be equal are not equal."""
        parts = differing.lowered
        asks = differing.changed_types if differing.held else None
        compiler = lower_some(model, a, parts.__contains__, differing.known, asks)
        self._lowered.extend(self._common.written_in(parts))
        return compiler if self._holds(differing, infos_of(compiler)) else None

    def _holds(self, differing: Difference, infos: Mapping[str, Infos]) -> bool:
        """Return whether the values that were assumed to be equal are equal. Values that differ are
        recorded.
        """
        before, self._other = self._other, self._other | differing.changed_types(infos)
        return self._other == before

    def _begin(self, players: int, chosen: Chosen, problems: Problems) -> Model:
        configuration = Configuration(players, dict(chosen))
        self.model = build_model(
            self.declarations,
            configuration,
            self.read_table,
            problems,
            self.memo,
            self.tables_beside,
            self._common.table_inputs,
        )
        return self.model

    def _run_checks(
        self,
        compiled: checks.Compiled,
        infos: Mapping[str, Infos],
        asked: HowMany,
        looks: Sequence[Callable[[checks.Compiled], None]] = (),
    ) -> None:
        """Run all checks of programs, or only `looks`, on a variant that was lowered without errors."""
        for look in looks or checks.OF_PROGRAMS:
            if self.is_unproved and look is check_secrets:
                look(evolve(compiled, problems=Problems()))
            else:
                look(compiled)
        if not len(compiled.problems):
            self._common.keep(
                compiled.model, compiled.analysis, infos, asked, compiled.safe, compiled.touching
            )
        if not compiled.problems.has_errors or compiled.differing is None:
            self._compilers.append(compiled)


def _used_options(model: Model) -> set[tuple[str, str]]:
    """Return the used options that still exist after an edit, each with its value."""
    chosen = model.option_chosen
    return {(name, chosen[name]) for name in model.used_options & chosen.keys()}


def load(
    path: Path,
    *,
    reach: Reach | None = None,
    files: Files | None = None,
    known: Facts | None = None,
    is_unproved: bool = False,
) -> Loaded:
    """Read a game file with its included files; facts about places are added to `known`.

    `reach` says which files outside the folder of the game may be read. If `is_unproved` is true, even
    rules that show a secret are compiled.
    """
    with no_collection():
        read = _load(path, reach or Reach(), files or Files(), known or Facts())
    read.is_unproved = is_unproved
    return read


def _load(path: Path, reach: Reach, files: Files, known: Facts) -> Loaded:
    loaded = Loaded(path, reach, files=files, memo=known)
    problems = Problems()
    why = files.why_not(path, RULES)
    source = files.read(path, loaded.parts, problems) if why is None else None
    if source is None:
        report_unreadable(path, why, "check mygame.game", problems)
        loaded.problems = problems.in_order()
        return loaded
    declarations: list[declared.Declaration] = []
    digest = hashlib.sha256()
    loaded.include(path, source, declarations, [path], problems, digest)
    loaded.declarations = tuple(declarations)
    loaded.texts = {d.span.source for d in declarations}
    loaded.lines = sum(text.line_count for text in loaded.texts)
    games = [d for d in declarations if isinstance(d, declared.Game)]
    if not games and is_broken("game", problems):
        loaded.problems = problems.in_order()
        return loaded
    if not games:
        problems.error(
            "no-game-line",
            "this file has no `game` line",
            Span(source, 0, 0),
            help='a game begins with `game "Title"` and, indented below it, `players 2..4`',
        )
        loaded.problems = problems.in_order()
        return loaded
    game = games[0]
    low, high = players_of(game, problems)
    settings = {s.name: s for s in game.settings}
    rulebook, author = (in_quotes(settings.get(name), problems) for name in ("rulebook", "by"))
    if rulebook is not None and not loaded.may_be_rulebook(rulebook, problems):
        rulebook = None
    options = options_of(declarations, problems)
    loaded._nevers = nevers_of(declarations)
    report_nevers(loaded._nevers, low, options, problems)
    loaded.facts = GameFacts(
        game.title,
        words_of(author.value) if author is not None else "",
        low,
        high,
        options,
        path.parent / words_of(rulebook.value) if rulebook is not None else None,
        path,
        random_play_of(settings, options, problems),
        about_game(settings, problems),
        clauses_of_options(declarations, options),
        tuple(loaded.included),
    )
    if loaded._nevers and not problems.has_errors and loaded.is_never_played():
        problems.error(
            "never-played",
            "the `never` lines leave no variant to play",
            loaded._nevers[0].span,
            help="remove a `never` line, or narrow its condition",
        )
    if (
        not any(isinstance(d, declared.Section) and d.what == "play" for d in declarations)
        and not problems.has_errors
    ):
        problems.error(
            "no-ending",
            "nothing is played: there is no `play` section",
            game.span,
            help="write `play` and, indented below it, the steps of the game",
        )
    loaded.check_tables(declarations, problems)
    for d in declarations:
        if isinstance(d, declared.Record) and d.path is not None:
            table = loaded.read_table(d.path)
            digest.update(b"\0table\0")
            digest.update((table.text if table is not None else "").encode())
    loaded.problems = problems.in_order()
    loaded.hash = digest.hexdigest()
    return loaded

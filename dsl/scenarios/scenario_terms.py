"""Find the players, options and beginnings of scenarios, and assemble each scenario with all its lines.

This module compiles nothing.
"""

from __future__ import annotations

from collections.abc import Sequence

from attrs import define, evolve, field

from rulewright.dsl.diagnostics.advice import write
from rulewright.dsl.diagnostics.diagnostics import Label, Problems
from rulewright.dsl.diagnostics.source import Span
from rulewright.dsl.diagnostics.suggest import did_you_mean, instead_of, listed_or
from rulewright.dsl.facts_data import GameFacts
from rulewright.dsl.loading import loading
from rulewright.dsl.model.declaring import option_word
from rulewright.dsl.scenarios.scenario_compiling import FullScenario, Terms
from rulewright.dsl.scenarios.scenario_hints import NAMES
from rulewright.dsl.tree import scenario_syntax, syntax

MOST_BEGINNINGS = 20
MOST_LINES = 100_000  # the maximum number of lines of all scenarios, including beginnings

HAPPENS = (
    scenario_syntax.Given,
    scenario_syntax.ToMove,
    scenario_syntax.Plays,
    scenario_syntax.Chance,
    scenario_syntax.ShuffleGives,
    scenario_syntax.PlayOn,
    scenario_syntax.Picture,
)
_FAILING = (
    scenario_syntax.Given,
    scenario_syntax.ToMove,
    scenario_syntax.Plays,
    scenario_syntax.PlayOn,
)
"""Lines that a `fault` may follow."""


@define
class ScenarioAssembler:
    """Assembles the scenarios of a file together with their beginnings."""

    tree: scenario_syntax.ScenarioFile
    game: loading.Loaded
    facts: GameFacts
    problems: Problems
    beginnings: dict[str, scenario_syntax.Beginning] = field(factory=dict)
    used: set[str] = field(factory=set)
    """The beginnings with which a scenario begins, or with which it is compared."""

    def full_scenarios(self, shared: Sequence[scenario_syntax.Beginning]) -> list[FullScenario]:
        """Return all scenarios that can be compiled. `shared` contains the beginnings of other files."""
        problems, tree = self.problems, self.tree
        for beginning in (*shared, *tree.beginnings):
            known = self.beginnings.setdefault(beginning.text, beginning)
            if known is not beginning:
                self._report_duplicate("beginnings", beginning, known.span)
        names: dict[str, Span] = {}
        found: list[FullScenario] = []
        refusals: list[
            tuple[scenario_syntax.Scenario, scenario_syntax.NotPlayed, frozenset[Span]]
        ] = []
        total = 0
        for scenario in tree.scenarios:
            if isinstance(scenario, syntax.Broken):
                continue
            if scenario.text in names:
                self._report_duplicate("scenarios", scenario, names[scenario.text])
            names.setdefault(scenario.text, scenario.span)
            parts: set[Span] = {scenario.span}
            lines = self._with_beginnings(scenario.lines, parts)
            if lines is None:
                continue
            total += len(lines)
            if total > MOST_LINES:
                problems.error(
                    "file-too-large",
                    f"the scenarios of a file have at most {MOST_LINES} lines, including their beginnings",
                    scenario.span,
                    help="put some of them into another file",
                )
                break
            own = sum(not isinstance(line, scenario_syntax.StartFrom) for line in scenario.lines)
            result = self._check_refused(lines)
            if result is not None:
                refusals.append((scenario, result, frozenset(parts)))
                continue
            terms = self._terms(scenario, lines)
            if terms is not None:
                self._check_order(lines)
                shared_lines = len(lines) - own
                found.append(
                    FullScenario(scenario, terms, tuple(lines), shared_lines, frozenset(parts))
                )
        found = [*map(self._with_compared, found)]
        if refusals:
            any_terms = found[0].terms if found else self._any_terms()
            found += [
                FullScenario(one, any_terms, (line,), 0, parts) for one, line, parts in refusals
            ]
            found.sort(key=lambda one: one.scenario.span.start)
        for name, beginning in self.beginnings.items():
            if name not in self.used and beginning not in shared and not problems.has_errors:
                problems.warning(
                    "unused-name",
                    f"no scenario begins from `{name}`",
                    beginning.span,
                    help=f'write `from "{name}"` as the first line of a scenario, or remove the beginning',
                )
        return found

    def _report_duplicate(
        self, what: str, one: scenario_syntax.Beginning | scenario_syntax.Scenario, first: Span
    ) -> None:
        self.problems.error(
            "duplicate-name",
            f"there are two {what} `{one.text}`",
            one.span,
            labels=(Label(first, "first here"),),
            help="reword one of them",
        )

    def _with_beginnings(
        self, lines: Sequence[scenario_syntax.ScenarioLine], parts: set[Span], depth: int = 0
    ) -> list[scenario_syntax.ScenarioLine] | None:
        """Return the lines, preceded by the lines of their beginning."""
        found: list[scenario_syntax.ScenarioLine] = []
        for place, line in enumerate(lines):
            if not isinstance(line, scenario_syntax.StartFrom):
                found.append(line)
                continue
            if place > 0:
                self.problems.error(
                    "misplaced-line",
                    "`from` belongs in the first line of a scenario",
                    line.span,
                    help="put it directly below `scenario`",
                )
                continue
            beginning = self.beginnings.get(line.text)
            if beginning is None:
                self.problems.none_called(
                    "beginning",
                    line.text,
                    line.span,
                    self.beginnings,
                    instead_of(line.text, [*self.beginnings][:5], "write ")
                    if self.beginnings
                    else 'write `beginning "words"` with its lines in this file',
                )
                return None
            self.used.add(line.text)
            parts.add(beginning.span)
            if depth >= MOST_BEGINNINGS:
                self.problems.error(
                    "include-cycle",
                    f"the beginning `{line.text}` begins with itself",
                    line.span,
                    help="remove its `from`, or begin from another one",
                )
                return None
            before = self._with_beginnings(beginning.lines, parts, depth + 1)
            if before is None:
                return None
            found.extend(before)
        return found

    def _terms(
        self, scenario: scenario_syntax.Scenario, lines: Sequence[scenario_syntax.ScenarioLine]
    ) -> Terms | None:
        """Return the players and options that the lines name, or None if the game cannot be played with
        them.
        """
        facts, problems = self.facts, self.problems
        players: tuple[str, ...] | None = None
        options: dict[str, str] = {}
        known = dict(facts.options)
        fine = True
        for line in lines:
            match line:
                case scenario_syntax.PlayersNamed():
                    if players is not None:
                        problems.error(
                            "misplaced-line",
                            "the players are named once",
                            line.span,
                            help="write all of them into one line: `player ann, bob`",
                        )
                    players = tuple(word.name for word in line.names)
                    twice = next(
                        (w for n, w in enumerate(line.names) if w.name in players[:n]), None
                    )
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
                            f"{facts.title} is for {number} players, but this scenario has {len(players)}",
                            line.span,
                            help=write(f"player {', '.join(NAMES[: facts.low])}"),
                        )
                        fine = False
                case scenario_syntax.OptionSet():
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
                case _:  # all others: they do not say who plays
                    pass
        if players is None and any(
            isinstance(line, syntax.Broken) and line.span.text.startswith("player")
            for line in lines
        ):
            return None
        if players is None:
            problems.error(
                "wrong-players",
                "this scenario names no players",
                scenario.span,
                help="write `player ann, bob` below it: as many names as there are players, in the order of the seats",
            )
            return None
        chosen = tuple((name, options.get(name, values[0])) for name, values in facts.options)
        forbidden = self.game.never(len(players), dict(chosen)) if fine else None
        if forbidden is not None:
            problems.error(
                "wrong-players",
                f"{facts.title} has no such variant: {forbidden}",
                scenario.span,
                help="write other players, or `option NAME is VALUE` below it",
            )
            return None
        return Terms(players, chosen) if fine else None

    def _any_terms(self) -> Terms:
        """For scenarios in which no match is played, return an arbitrary possible choice of players
        and options of a game.
        """
        number, options = self.game.variants()[0]
        return Terms(tuple(f"player_{n + 1}" for n in range(number)), tuple(options.items()))

    def _check_refused(
        self, lines: Sequence[scenario_syntax.ScenarioLine]
    ) -> scenario_syntax.NotPlayed | None:
        """If a scenario says that its players and options are refused, check whether they are indeed refused.
        Return None if the scenario has no such lines.
        """
        facts, problems = self.facts, self.problems
        refused = [
            line
            for line in lines
            if isinstance(line, (scenario_syntax.RefusedPlayers, scenario_syntax.RefusedOption))
        ]
        if not refused:
            return None
        players: int | None = None
        known, options, is_played = dict(facts.options), dict[str, str](), True
        for line in lines:
            match line:
                case scenario_syntax.PlayersNamed() | scenario_syntax.RefusedPlayers():
                    players = len(line.names)
                case scenario_syntax.OptionSet() | scenario_syntax.RefusedOption():
                    value = option_word(line.value)
                    is_known = value in known.get(line.name, ())
                    if line.name not in known:
                        problems.error(
                            "unknown-option",
                            f"{facts.title} has no such option",
                            line.span,
                            help=did_you_mean(line.name, known),
                        )
                    elif not is_known and isinstance(line, scenario_syntax.OptionSet):
                        message = f"{facts.title} has no such value"
                        problems.error(
                            "unknown-option",
                            message,
                            line.span,
                            help=f"write {listed_or([*known.get(line.name, ())][:8])}",
                        )
                    is_played &= is_known
                    options[line.name] = value
                case _:  # all others: they are reported
                    problems.error(
                        "misplaced-line",
                        "a refused variant has no steps",
                        line.span,
                        help="keep only `player` and `option` lines in this scenario",
                    )
        if players is None:
            players = facts.low
        chosen = {name: options.get(name, values[0]) for name, values in facts.options}
        is_played = is_played and facts.low <= players <= facts.high
        is_played = is_played and self.game.never(players, chosen) is None
        said = "".join(f", {name} is {value}" for name, value in options.items())
        return scenario_syntax.NotPlayed(
            refused[-1].span, f"{facts.title} is played by {players}{said}" if is_played else None
        )

    def _with_compared(self, one: FullScenario) -> FullScenario:
        """Return a scenario with the lines of all scenarios with which `expect same as` compares it."""
        tree, problems = self.tree, self.problems
        unheard = evolve(self, problems=Problems())
        lines: list[scenario_syntax.MeantLine] = []
        for line in one.lines:
            if not isinstance(line, scenario_syntax.ExpectSame):
                lines.append(line)
                continue
            other = next(
                (
                    each
                    for each in (*tree.scenarios, *self.beginnings.values())
                    if not isinstance(each, syntax.Broken) and each.text == line.text
                ),
                None,
            )
            if other is None:
                names = [
                    each.text for each in tree.scenarios if not isinstance(each, syntax.Broken)
                ]
                problems.none_called(
                    "scenario or beginning", line.text, line.span, [*names, *self.beginnings]
                )
                continue
            self.used.add(line.text)
            theirs = unheard._with_beginnings(other.lines, set()) or []
            terms = unheard._terms(one.scenario, theirs)
            if terms != one.terms:
                problems.error(
                    "wrong-players",
                    f"`{line.text}` has other players or other options",
                    line.span,
                    help="both scenarios must have the same `player` and `option` lines",
                )
                continue
            happening = tuple(each for each in theirs if isinstance(each, HAPPENS))
            lines.append(scenario_syntax.SameAs(line.span, line.text, happening))
        return evolve(one, lines=tuple(lines))

    def _check_order(self, lines: Sequence[scenario_syntax.ScenarioLine]) -> None:
        """Report an error for each line that is in the wrong place."""
        problems = self.problems
        started = False
        for place, line in enumerate(lines):
            match line:
                case scenario_syntax.OptionSet() | scenario_syntax.PlayersNamed():
                    if started:
                        problems.error(
                            "misplaced-line",
                            "players and options come before the steps",
                            line.span,
                            help="put this line directly below `scenario`",
                        )
                case scenario_syntax.Fault():
                    if place == 0 or not isinstance(lines[place - 1], _FAILING):
                        problems.error(
                            "misplaced-line", "`fault` follows the step that cannot be done", line.span,
                            help="write it below `given`, `ANN plays OPTION` or `play N steps`",
                        )  # fmt: skip
                    elif place + 1 < len(lines):
                        problems.error(
                            "misplaced-line",
                            "nothing happens after a fault",
                            lines[place + 1].span,
                            help="end the scenario with `fault`, and write another scenario for later steps",
                        )
                case syntax.Broken():  # it may have been a line of any sort
                    pass
                case _:  # all others: something happens in them
                    started = True

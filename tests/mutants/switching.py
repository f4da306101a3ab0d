"""Many changes of the rules in one program: a state of the game selects the active one.

A part of the rules around each change is written twice, with and without the change. If the rules then cannot be
read, a larger part is used. A change for which no part is suitable is omitted.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final

import attrs

from rulewright.dsl.diagnostics.diagnostics import Diagnostic, Problems, Severity
from rulewright.dsl.ir import Program
from rulewright.dsl.loading import loading
from rulewright.dsl.model.facts import Facts
from rulewright.dsl.scenarios.scenario_compiling import Terms, compile_scenarios
from rulewright.dsl.scenarios.scenarios import ScenarioProgram
from tests.mutants.changes import Change, Place
from tests.mutants.judging import Judge, Scenario

STATE: Final = "changed_rule"
UNCHANGED: Final = 29_999
"""The value of the state that selects the unchanged rules."""
MOST: Final = 8
"""The maximum number of changes of steps per declaration: each change writes these steps again."""
ROUNDS: Final = 12
_OPEN, _CLOSE = "\ue000", "\ue001"
_MARK = re.compile(rf"{_OPEN}(\d+){_OPEN}|{_CLOSE}")


@attrs.frozen
class Switch:
    """A change with its number and the part that is written twice."""

    number: int
    change: Change
    place: Place


@attrs.frozen
class Arm:
    """The place of the changed part of a switch in a written text."""

    number: int
    start: int
    end: int


@attrs.frozen
class Switched:
    """The rules with switches, and their texts with the places of the changed parts."""

    game: loading.Loaded
    switches: Sequence[Switch]
    texts: Mapping[str, tuple[str, list[Arm]]]

    @property
    def changes(self) -> dict[int, Change]:
        """The changes by their numbers."""
        return {one.number: one.change for one in self.switches}

    def errors(self, scenario: Scenario | None) -> list[Diagnostic]:
        """The errors in the rules, or in the variant of a scenario."""
        found = self.game.problems
        if scenario is not None:
            problems = Problems()
            compile_scenarios(self.game, scenario.terms, [[scenario.read]], problems, Facts())
            found = problems.in_order()
        return [one for one in found if one.severity is Severity.ERROR]

    def program_for(self, terms: Terms, several: Sequence[Scenario]) -> ScenarioProgram | None:
        """The program for some scenarios, if it has no errors."""
        reads = [one.read for one in several]
        programs = compile_scenarios(self.game, terms, [reads], Problems(), Facts())
        return None if programs is None else programs[0]


@attrs.define
class Fitter:
    """Finds the parts with which the rules can be read."""

    judge: Judge
    levels: dict[Change, int] = attrs.field(factory=dict)
    """The index of the place that each change tries."""
    outside: list[Change] = attrs.field(factory=list)
    """The changes without a suitable place."""
    waiting: list[Change] = attrs.field(factory=list)
    """The changes that are in no program yet."""

    def rounds(self, changes: Sequence[Change]) -> Iterator[Switched]:
        """The changes, as many at a time as fit together."""
        numbers = {change: number for number, change in enumerate(changes)}
        self.levels = dict.fromkeys(changes, 0)
        self.waiting = list(changes)
        for _ in range(ROUNDS):
            dropped = [one for one in self.waiting if self.levels[one] >= len(one.places)]
            self.outside += dropped
            self.waiting = [one for one in self.waiting if one not in dropped]
            taken: dict[tuple[str, int], list[Switch]] = {}
            for change in self.waiting:
                place = change.places[self.levels[change]]
                others = taken.setdefault(self.judge.declaration(change.file, change.start), [])
                if go_together(place, [one.place for one in others]):
                    others.append(Switch(numbers[change], change, place))
            switched = self.fitting([one for several in taken.values() for one in several])
            if switched is not None:
                inside = set(switched.changes.values())
                self.waiting = [one for one in self.waiting if one not in inside]
                yield switched
        self.outside += self.waiting

    def fitting(self, switches: Sequence[Switch]) -> Switched | None:
        """The rules with the switches with which they can be read; the other switches go one place up."""
        while switches:
            switched = self.apply_switches(switches)
            errors = switched.errors(None) or switched.errors(self.judge.scenarios[0])
            if not errors:
                return switched
            blamed = self.go_up(switched, errors)
            switches = [one for one in switches if one.number not in blamed]
        return None

    def apply_switches(self, switches: Sequence[Switch]) -> Switched:
        """The rules with some switches."""
        texts = {
            file: write_switches(
                self.judge.text(file), [s for s in switches if s.change.file == file]
            )
            for file in self.judge.starts
        }
        main = next(file for file in texts if Path(file).name == self.judge.path.name)
        text, arms = texts[main]
        line = f"\nstate {STATE}: 0..30000 = {UNCHANGED}, unlisted\n"
        texts[main] = text + line, arms
        game = self.judge.with_texts({file: text for file, (text, _) in texts.items()})
        return Switched(game, switches, texts)

    def go_up(self, switched: Switched, errors: Sequence[Diagnostic]) -> set[int]:
        """The switches that cause errors; these go one place up."""
        blamed = set[int]()
        for one in errors:
            found = switched.texts.get(one.span.source.name)
            if found is not None:
                blamed |= to_blame(*found, one, switched.switches)
        if not blamed:
            half = len(switched.switches) // 2
            blamed = {one.number for one in switched.switches[half:]}
        for switch in switched.switches:
            if switch.number in blamed:
                self.levels[switch.change] += 1
        return blamed


def go_together(place: Place, others: Sequence[Place]) -> bool:
    """Whether a place is inside or outside of all others, and there are not too many."""
    if place.is_steps and sum(one.is_steps for one in others) >= MOST:
        return False
    return all(
        place.end <= one.start
        or one.end <= place.start
        or (one.start <= place.start and place.end <= one.end)
        or (place.start <= one.start and one.end <= place.end)
        for one in others
    ) and all(
        one.is_steps == place.is_steps
        for one in others
        if (one.start, one.end) == (place.start, place.end)
    )


def write_switches(text: str, switches: Sequence[Switch]) -> tuple[str, list[Arm]]:
    """A text with switches, and the places of their changed parts."""
    ordered = sorted(switches, key=lambda one: (one.place.start, -one.place.end))
    marked = _write_part(text, 0, len(text), ordered, is_value=False)
    pieces: list[str] = []
    arms: list[Arm] = []
    waiting: list[tuple[int, int]] = []
    at = length = 0
    for mark in _MARK.finditer(marked):
        pieces.append(marked[at : mark.start()])
        length += len(pieces[-1])
        at = mark.end()
        if mark[1] is not None:
            waiting.append((int(mark[1]), length))
        else:
            number, start = waiting.pop()
            arms.append(Arm(number, start, length))
    return "".join([*pieces, marked[at:]]), arms


def _write_part(
    text: str, start: int, end: int, switches: Sequence[Switch], *, is_value: bool
) -> str:
    """A part of a text with its switches; the changed parts are marked."""
    pieces: list[str] = []
    at, waiting = start, list(switches)
    while waiting:
        place = waiting[0].place
        same = [
            one for one in waiting if (one.place.start, one.place.end) == (place.start, place.end)
        ]
        inside = [one for one in waiting if one.place.start < place.end and one not in same]
        body = _write_part(
            text, place.start, place.end, inside, is_value=is_value or not place.is_steps
        )
        for one in same:
            body = _steps(one, body) if place.is_steps else _value(one, body)
        pieces += [_bare(text[at : place.start], is_value=is_value), body]
        at = place.end
        waiting = [one for one in waiting if one not in same and one not in inside]
    return "".join([*pieces, _bare(text[at:end], is_value=is_value)])


def _bare(text: str, *, is_value: bool) -> str:
    """A part of an expression, without comments and numbers of clauses."""
    if not is_value:
        return text
    return re.sub(r'#[^\n"]*|\[[A-Z]{2,4}-[^\]]*\]', "", text)


def _value(switch: Switch, body: str) -> str:
    new = _mark(switch, _bare(switch.place.new, is_value=True))
    return f"(if {STATE} is {switch.number} then {new} else {body})"


def _steps(switch: Switch, body: str) -> str:
    before = re.match(r"\n*( *)", switch.place.new)
    indent = before[1] if before is not None else ""
    new = _mark(switch, switch.place.new.rstrip("\n"))
    then, otherwise = (re.sub(r"(?m)^(?=.*\S)", "    ", one) for one in (new, body.rstrip("\n")))
    return f"{indent}if {STATE} is {switch.number}\n{then}\n{indent}else\n{otherwise}\n"


def _mark(switch: Switch, new: str) -> str:
    return f"{_OPEN}{switch.number}{_OPEN}{new}{_CLOSE}"


def to_blame(
    text: str, arms: Sequence[Arm], error: Diagnostic, switches: Sequence[Switch]
) -> set[int]:
    """The numbers of the switches that may be the cause of an error.

    If the error is in a changed part, its switch; otherwise those of the same declaration, first those of
    conditions. A fact that follows from a condition is not known if the condition can be switched off.
    """
    at = error.span.start
    around = [arm for arm in arms if arm.start <= at <= arm.end]
    if around:
        return {min(around, key=lambda arm: arm.end - arm.start).number}
    start = max((m.start() for m in re.finditer(r"(?m)^\w", text[: at + 1])), default=0)
    following = re.compile(r"(?m)^\w").search(text, at + 1)
    end = len(text) if following is None else following.start()
    inside = {arm.number for arm in arms if start <= arm.start < end}
    here = [one for one in switches if one.number in inside]
    values = [one for one in here if not one.place.is_steps]
    conditions = [one for one in values if one.change.sort == "condition"]
    return {one.number for one in conditions or values or here}


def cell_of_the_switch(program: Program) -> int:
    """The cell with the number of the active change."""
    (address,) = [address for address, start in program.start if start == UNCHANGED]
    return address

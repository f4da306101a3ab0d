"""Many changes of the rules in one program: a state of the game says which of them holds.

A piece of the rules around each change is written twice, with the change and without. Where the rules cannot be
read then, a larger piece is; a change for which no piece fits stays outside.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Final

import attrs

from rulewright.dsl.diagnostics.diagnostics import Diagnostic, Problems, Severity
from rulewright.dsl.loading import loading
from rulewright.dsl.model.facts import Facts
from rulewright.dsl.scenarios.scenarios import SceneProgram
from rulewright.dsl.scenarios.scene_compiling import Terms, compile_scenes
from rulewright.interpreter.engines.engine import Cells, Engine
from tests.mutants.changes import Change, Place
from tests.mutants.judging import Judge, Scenario

STATE: Final = "changed_rule"
UNCHANGED: Final = 29_999
"""The value of the state with which the rules are as they are."""
MOST: Final = 8
"""So many changes of steps a declaration may have at the same time: each writes these steps once more."""
ROUNDS: Final = 12
_OPEN, _CLOSE = "\ue000", "\ue001"
_MARK = re.compile(rf"{_OPEN}(\d+){_OPEN}|{_CLOSE}")


@attrs.frozen
class Switch:
    """A change with its number and the piece that is written twice."""

    number: int
    change: Change
    place: Place


@attrs.frozen
class Arm:
    """Where the changed piece of a switch stands in a written text."""

    number: int
    start: int
    end: int


@attrs.frozen
class Switched:
    """The rules with switches, and the changes these stand for by their numbers."""

    game: loading.Loaded
    changes: dict[int, Change]

    def compiled(self, terms: Terms, several: Sequence[Scenario]) -> SceneProgram:
        """The program for some scenarios."""
        problems = Problems()
        programs = compile_scenes(
            self.game, terms, [[one.read for one in several]], problems, Facts()
        )
        assert programs is not None, [one.message for one in problems.sorted()]
        return programs[0]


@attrs.define
class Fitter:
    """Finds the pieces with which the rules can be read."""

    judge: Judge
    levels: dict[Change, int] = attrs.field(factory=dict)
    """Which of its places each change tries."""
    outside: list[Change] = attrs.field(factory=list)
    """The changes that no place fits."""

    def rounds(self, changes: Sequence[Change]) -> Iterator[Switched]:
        """The changes, as many at a time as go together."""
        numbers = {change: number for number, change in enumerate(changes)}
        waiting = [change for change in changes if change.places]
        self.outside += [change for change in changes if not change.places]
        for _ in range(ROUNDS):
            taken: dict[tuple[str, int], list[Switch]] = {}
            for change in waiting:
                place = change.places[self.levels.setdefault(change, 0)]
                others = taken.setdefault(self.judge.declaration(change.file, change.start), [])
                if go_together(place, [one.place for one in others]):
                    others.append(Switch(numbers[change], change, place))
            fitting = self.fitting([one for several in taken.values() for one in several])
            if fitting is not None:
                yield fitting
                waiting = [one for one in waiting if numbers[one] not in fitting.changes]
            dropped = [one for one in waiting if self.levels[one] == len(one.places)]
            self.outside += dropped
            waiting = [one for one in waiting if one not in dropped]
            if not waiting:
                return
        self.outside += waiting

    def fitting(self, switches: Sequence[Switch]) -> Switched | None:
        """The rules with those switches with which they can be read; the others go one place up."""
        while switches:
            texts = {
                file: written(self.judge.text(file), [s for s in switches if s.change.file == file])
                for file in self.judge.starts
            }
            main = next(file for file in texts if Path(file).name == self.judge.path.name)
            text, arms = texts[main]
            line = f"\nstate {STATE}: 0..30000 = {UNCHANGED}, unlisted\n"
            texts[main] = text + line, arms
            game = self.judge.with_texts({file: text for file, (text, _) in texts.items()})
            errors = self.errors(game)
            if not errors:
                return Switched(game, {one.number: one.change for one in switches})
            blamed = set[int]()
            for one in errors:
                found = texts.get(one.span.source.name)
                if found is not None:
                    blamed |= to_blame(*found, one, switches)
            if not blamed:
                blamed = {one.number for one in switches[len(switches) // 2 :]}
            for switch in switches:
                if switch.number in blamed:
                    self.levels[switch.change] += 1
            switches = [one for one in switches if one.number not in blamed]
        return None

    def errors(self, game: loading.Loaded) -> list[Diagnostic]:
        """The errors in the rules, or with the first scenarios."""
        found = [one for one in game.problems if one.severity is Severity.ERROR]
        for terms, several in list(self.judge.by_terms(self.judge.scenarios).items())[:3]:
            if found:
                break
            problems = Problems()
            if compile_scenes(game, terms, [[several[0].read]], problems, Facts()) is None:
                found = [one for one in problems.sorted() if one.severity is Severity.ERROR]
        return found


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


def written(text: str, switches: Sequence[Switch]) -> tuple[str, list[Arm]]:
    """A text with switches, and where their changed pieces stand."""
    ordered = sorted(switches, key=lambda one: (one.place.start, -one.place.end))
    marked = _written(text, 0, len(text), ordered, is_value=False)
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


def _written(text: str, start: int, end: int, switches: Sequence[Switch], *, is_value: bool) -> str:
    """A part of a text with the switches in it; the changed pieces are marked."""
    pieces: list[str] = []
    at, waiting = start, list(switches)
    while waiting:
        place = waiting[0].place
        same = [
            one for one in waiting if (one.place.start, one.place.end) == (place.start, place.end)
        ]
        inside = [one for one in waiting if one.place.start < place.end and one not in same]
        body = _written(
            text, place.start, place.end, inside, is_value=is_value or not place.is_steps
        )
        for one in same:
            body = _steps(one, body) if place.is_steps else _value(one, body)
        pieces += [_bare(text[at : place.start], is_value=is_value), body]
        at = place.end
        waiting = [one for one in waiting if one not in same and one not in inside]
    return "".join([*pieces, _bare(text[at:end], is_value=is_value)])


def _bare(text: str, *, is_value: bool) -> str:
    """A piece of an expression without comments and numbers of clauses."""
    if not is_value:
        return text
    return re.sub(r'#[^\n"]*|\[[A-Z]{2,4}-[^\]]*\]', "", text)


def _value(switch: Switch, body: str) -> str:
    new = _marked(switch, _bare(switch.place.new, is_value=True))
    return f"(if {STATE} is {switch.number} then {new} else {body})"


def _steps(switch: Switch, body: str) -> str:
    before = re.match(r"\n*( *)", switch.place.new)
    indent = before[1] if before is not None else ""
    new = _marked(switch, switch.place.new.rstrip("\n"))
    then, otherwise = (re.sub(r"(?m)^(?=.*\S)", "    ", one) for one in (new, body.rstrip("\n")))
    return f"{indent}if {STATE} is {switch.number}\n{then}\n{indent}else\n{otherwise}\n"


def _marked(switch: Switch, new: str) -> str:
    return f"{_OPEN}{switch.number}{_OPEN}{new}{_CLOSE}"


def to_blame(
    text: str, arms: Sequence[Arm], error: Diagnostic, switches: Sequence[Switch]
) -> set[int]:
    """The numbers of the switches that may be the cause of an error.

    The one in whose changed piece it is; or else those of the same declaration, first those of conditions: what is
    known where a condition holds is not known where it may be switched off.
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


def switch(engine: Engine, value: Callable[[], int]) -> None:
    """Let matches begin with a value of the switch."""
    (address,) = [address for address, start in engine.program.start if start == UNCHANGED]
    start = engine.start

    def switched() -> Cells:
        cells = start()
        cells[address] = value()
        return cells

    engine.start = switched  # type: ignore[method-assign]

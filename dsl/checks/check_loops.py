"""Finds loops that go on for ever: no turn of theirs leads to an end, or towards one.

An end is the condition of the loop, a `stop` of its own or an `end game`. It can come if nothing is asked before
it, if it lies in what a player may choose, or if a turn changes, chooses or rolls something that decides about it.
Goes by names, like the analysis it stands on; that a change leads the right way is not asked.
"""

from __future__ import annotations

from collections.abc import Iterable

from attrs import define, field

from rulewright.dsl.checks.checked import Compiled
from rulewright.dsl.lowering.workshop.analysis import Analysis
from rulewright.dsl.problems.diagnostics import Label
from rulewright.dsl.problems.source import Span
from rulewright.dsl.tree import declared, syntax
from rulewright.dsl.tree.nesting import blocks_of, every

Asked = tuple[object, ...]
"""What must hold before a step is reached."""


def check_loops(compiled: Compiled) -> None:
    """Report each loop that cannot end."""
    for body in compiled.analysis.bodies.values():
        if body.reached and compiled.is_new(body.key):
            for s in every(body.statements):
                if isinstance(s, syntax.Repeat) and s.how != "times":
                    _loop(compiled, s)


def _loop(compiled: Compiled, loop: syntax.Repeat) -> None:
    turn = _Turn(compiled.analysis)
    turn.steps(loop.body, (), decided=False, depth=0)
    if turn.certain or turn.leads_on(loop.value):
        return
    if loop.value is not None:
        compiled.problems.error(
            "endless-loop",
            "nothing in this loop changes what it waits for",
            loop.value.span,
            help="use `repeat N times`, or change something the condition looks at",
        )
    elif turn.ends:
        compiled.problems.error(
            "endless-loop",
            "nothing in this loop changes what its end depends on",
            loop.span,
            labels=tuple(Label(span, "it ends only here") for span in dict.fromkeys(turn.ends)),
            help="use `repeat N times`, or change something the condition before the end looks at",
        )
    else:
        compiled.problems.error(
            "endless-loop",
            "nothing ends this loop",
            loop.span,
            help="write `stop` or `end game` somewhere in it, or `repeat until ...`",
        )


@define
class _Turn:
    """What one turn of a loop can come to, with all that it calls and sets off."""

    analysis: Analysis
    certain: bool = False
    """Whether there is an end that nothing stands before, or that a player may choose."""
    ends: list[Span] = field(factory=list)
    asked: list[object] = field(factory=list)
    """What is asked before an end, or before a step that leaves out others."""
    changed: set[str] = field(factory=set)
    """Names of what is changed, chosen or rolled."""
    made_of: list[tuple[set[str], object]] = field(factory=list)
    """Names, and what their new values are made of."""
    passed_over: bool = False
    seen: set[tuple[str, bool, bool]] = field(factory=set)

    def leads_on(self, condition: syntax.Expression | None) -> bool:
        """Whether the turn changes anything that an end depends on."""
        if condition is None and not self.ends:
            return False
        wanted = self.analysis.reads(condition, self.asked)
        sources = [(names, self.analysis.reads(nodes)) for names, nodes in self.made_of]
        before = -1
        while before < len(wanted):
            before = len(wanted)
            for names, reads in sources:
                if names & wanted:
                    wanted |= reads
        return bool(wanted & self.changed)

    # ---- steps --------------------------------------------------------------------------------------

    def steps(
        self, statements: Iterable[syntax.Statement], asked: Asked, *, decided: bool, depth: int
    ) -> None:
        """Go through steps; `depth` is 0 where a `stop` leaves the loop, 1 or more deeper inside."""
        for s in statements:
            self.step(s, asked, decided, depth)

    def step(self, s: syntax.Statement, asked: Asked, decided: bool, depth: int) -> None:
        """Note what a step does, and go through its blocks."""
        self.changes(s)
        match s:
            case syntax.Simple():
                self.leave(s, asked, decided, depth)
            case syntax.Do():
                self.call(s, asked, decided)
            case syntax.If():
                conditions: Asked = asked
                for condition, block in s.cases:
                    conditions = (*conditions, condition)
                    self.steps(block, conditions, decided=decided, depth=depth)
                self.steps(s.otherwise, conditions, decided=decided, depth=depth)
            case syntax.IfPossible():
                inside = (*asked, *self.analysis.called(s.body))
                self.steps(s.body, inside, decided=decided, depth=depth)
                self.steps(s.otherwise, inside, decided=decided, depth=depth)
            case syntax.ChooseOf() | syntax.May():
                for block in blocks_of(s):
                    self.steps(block, asked, decided=True, depth=depth)
            case syntax.ForEach():
                inside = (*asked, s.binder, s.where)
                self.steps(s.body, inside, decided=decided, depth=depth + 1)
            case syntax.EachPlayer():
                inside = asked if s.where is None else (*asked, s.where)
                self.steps(s.body, inside, decided=decided, depth=depth + 1)
            case syntax.Repeat():
                inside = asked if s.value is None else (*asked, s.value)
                self.steps(s.body, inside, decided=decided, depth=depth + 1)
            case _:
                for block in blocks_of(s):
                    self.steps(block, asked, decided=decided, depth=depth)

    def changes(self, s: syntax.Statement) -> None:
        """Note which names get new values, and what these are made of."""
        names = self.analysis.step_writes(s)
        match s:
            case syntax.Let():
                self.made_of.append(({s.name}, s.value))
            case syntax.Choose():
                self.changed.add(s.name)
            case syntax.ForEach():
                self.made_of.append(({s.binder.name}, (s.binder.source, s.where)))
                if s.any_order:
                    self.changed.add(s.binder.name)
            case syntax.ChooseOf():
                for arm in s.arms:
                    if isinstance(arm, syntax.OptionArm) and arm.binder is not None:
                        self.changed.add(arm.binder.name)
            case syntax.SetTo():
                self.made_of.append((names, s.value))
            case syntax.Amount():
                self.made_of.append((names, s.amount))
            case syntax.Move():
                self.made_of.append((names, (s.amount, s.source, s.target)))
                for n in self.analysis.movers_of(s):
                    self.body(f"mover {n}", (), decided=True)
            case _:
                pass
        if not names <= self.changed:
            self.changed |= names
            for n in self.analysis.triggers_after(names):
                self.body(f"trigger {n}", (self.analysis.watchers[n][0].condition,), decided=False)

    def leave(self, s: syntax.Simple, asked: Asked, decided: bool, depth: int) -> None:
        """Note an end, or a step that leaves out what stands behind it."""
        self.asked.extend(asked)
        if s.word == "end game" or (s.word == "stop" and depth == 0):
            self.ends.append(s.span)
            if decided or not (asked or self.passed_over):
                self.certain = True
        else:
            self.passed_over = True

    # ---- calls --------------------------------------------------------------------------------------

    def call(self, do: syntax.Do, asked: Asked, decided: bool) -> None:
        """Go through what a `do` runs, with what hangs on it."""
        given = do.call.arguments if isinstance(do.call, syntax.Call | syntax.Dot) else ()
        if not isinstance(do.call, syntax.Word | syntax.Call):
            asked = (*asked, do.call)
        for key in self.analysis.callees(do):
            node = self.analysis.bodies[key].node
            if isinstance(node, declared.Rule | declared.Effect):
                for number, param in enumerate(node.params):
                    if param.source is None:
                        self.made_of.append(({param.name}, given))
                    elif number >= len(given or ()):
                        self.changed.add(param.name)
            self.body(key, asked, decided)
            name = key.removeprefix("rule ")
            for n, (hook, _) in enumerate(self.analysis.hooks.get(name, ())):
                self.body(f"hook {name} {n}", (*asked, hook.where), decided)

    def body(self, key: str, asked: Asked, decided: bool) -> None:
        """Go through a rule, an effect or a trigger; a `stop` in it leaves no loop from here."""
        if self.analysis.ends_game(key):
            self.asked.extend(asked)
        visit = (key, bool(asked), decided)
        if visit not in self.seen:
            self.seen.add(visit)
            self.steps(self.analysis.bodies[key].statements, asked, decided=decided, depth=1)

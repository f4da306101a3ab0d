"""Find endless loops. In such a loop, no iteration leads to an end or brings an end closer.

An end is the condition of the loop, a `stop` of the loop, or an `end game`. An end can be reached
if it has no condition, or if a player may choose it. It can also be reached if an iteration
changes, chooses or rolls something on which the end depends. The check works by names, like the
analysis that it uses. It does not test whether a change leads towards the end.
"""

from __future__ import annotations

from collections.abc import Iterable, Set

from attrs import define, field

from rulewright.dsl.checks.checked import Compiled
from rulewright.dsl.diagnostics.diagnostics import Label
from rulewright.dsl.diagnostics.source import Span
from rulewright.dsl.lowering.analysis.analysis import Analysis
from rulewright.dsl.tree import declared, syntax
from rulewright.dsl.tree.nesting import blocks_of, every

Conditions = tuple[object, ...]
"""The conditions that must hold before a step is reached."""


def check_loops(compiled: Compiled) -> None:
    """Report each loop that cannot end."""
    # If there is no path for an empty set of names, there is none for a larger set.
    may_pass = _IdlePath(compiled.analysis, set())
    for body in compiled.analysis.bodies.values():
        if body.reached and compiled.is_new(body.key):
            for s in body.of(syntax.Repeat):
                if s.how != "times":
                    may_pass.chosen = []
                    is_open = may_pass.can_pass(s.body) and bool(may_pass.chosen)
                    _check_loop(compiled, s, is_open=is_open)


def _check_loop(compiled: Compiled, loop: syntax.Repeat, *, is_open: bool) -> None:
    enough = None if is_open else compiled.analysis.cached_reads(loop.value)
    turn = _Iteration(compiled.analysis, enough)
    turn.visit_steps(loop.body, (), decided=False, depth=0)
    if turn.certain or turn.changes_end(loop.value):
        if is_open:
            _report_idle_choices(compiled, loop, turn)
        return
    if loop.value is not None:
        compiled.problems.error(
            "endless-loop",
            "nothing in this loop changes its condition",
            loop.value.span,
            help="use `repeat N times`, or change something in the condition",
        )
    elif turn.ends:
        compiled.problems.error(
            "endless-loop",
            "nothing in this loop changes the condition of its end",
            loop.span,
            labels=tuple(Label(span, "it ends only here") for span in dict.fromkeys(turn.ends)),
            help="use `repeat N times`, or change something in the condition before the end",
        )
    else:
        stops = [
            s.span for s in every(loop.body) if isinstance(s, syntax.Simple) and s.word == "stop"
        ]
        compiled.problems.error(
            "endless-loop",
            "nothing ends this loop",
            loop.span,
            labels=tuple(Label(span, "this ends the inner loop only") for span in stops),
            help="`each player` is a loop, too, and `stop` leaves the innermost one: write `repeat until CONDITION`"
            if stops
            else "put `stop` or `end game` somewhere in it, or say how long: `repeat until CONDITION`",
        )


def _report_idle_choices(compiled: Compiled, loop: syntax.Repeat, turn: _Iteration) -> None:
    """Report an error for a loop in which players can keep choosing options that bring no end closer."""
    idle = _IdlePath(compiled.analysis, turn.names_of_ends(loop.value))
    if not idle.can_pass(loop.body) or not idle.chosen:
        return
    compiled.problems.warning(
        "endless-loop",
        "this loop never ends if all players choose options that bring the end no nearer",
        loop.span,
        labels=tuple(Label(span, "this can always be chosen") for span in idle.chosen),
        help="also end it after a number of turns, or when all players pass in turn",
    )


@define
class _IdlePath:
    """Searches for a path through one iteration that changes nothing on which an end depends.

    If such an iteration tests for an end, the previous iteration already made the same test, and
    the test failed.
    """

    analysis: Analysis
    wanted: set[str]
    chosen: list[Span] = field(factory=list)
    """The choices on the path found so far."""
    _inside: list[str] = field(factory=list)
    _through: dict[str, tuple[Span, ...] | None] = field(factory=dict)
    """Maps the key of each searched body to the choices on the path through the body; None if there is no path."""
    _is_cut: bool = False
    """Whether the search has returned to a body that is still being searched; in this case, a negative
    result is valid only in that body.
    """

    def can_pass(self, statements: Iterable[syntax.Statement]) -> bool:
        """Return whether some path through all these steps changes none of the wanted names."""
        return all(self._can_pass_step(s) for s in statements)

    def _can_pass_step(self, s: syntax.Statement) -> bool:
        names = self.analysis.step_writes(s)
        match s:
            case syntax.May():
                return True
            case syntax.ChooseOf():
                return self._find_idle_option(s)
            case syntax.If(cases=cases, otherwise=otherwise):
                blocks = [block for _, block in cases] + [otherwise]
                return all(
                    self.can_pass(block) for block in blocks if not self._leaves_block(block)
                )
            case syntax.Simple():
                return False
            case syntax.Do():
                return self._can_pass_call(s)
            case syntax.Win() | syntax.Eliminate() | syntax.IfPossible():
                return False
            case syntax.Choose(name=name) | syntax.Roll(place=syntax.Word(name=name)):
                names = names | {name}
            case _:  # all others: the result depends on their effects and blocks
                pass
        if names & self.wanted or not self._can_pass_triggers(s):
            return False
        return all(self.can_pass(block) for block in blocks_of(s))

    def _find_idle_option(self, s: syntax.ChooseOf) -> bool:
        """Return whether there is an option that can always be chosen and that changes none of the wanted names."""
        if s.all_of or s.quantity is not None or any(map(self._leaves_block, blocks_of(s))):
            return False
        for arm in s.arms:
            chosen = list(self.chosen)
            if self.analysis.is_always_there(arm) and self.can_pass(
                (arm,) if isinstance(arm, syntax.Do) else arm.body
            ):
                self.chosen.append(arm.span)
                return True
            self.chosen = chosen
        return False

    def _can_pass_call(self, s: syntax.Do) -> bool:
        if self.analysis.open_parameters(s):
            return False
        return all(
            not self.analysis.hooks.get(key.removeprefix("rule ")) and self._can_pass_body(key)
            for key in self.analysis.callees(s)
        )

    def _can_pass_triggers(self, s: syntax.Statement) -> bool:
        """Return whether the triggers of a step change none of the wanted names."""
        return all(map(self._can_pass_body, self.analysis.triggers_of(s)))

    def _can_pass_body(self, key: str) -> bool:
        """Return whether there is a path through a called or triggered body. Return False for a
        body that is already being searched.
        """
        if key in self._inside:
            self._is_cut = True
            return False
        if key not in self._through:
            found = self._find_path(key)
            self._is_cut = self._is_cut and bool(self._inside)
            if found is None and self._is_cut:
                return False
            self._through[key] = found
        chosen = self._through[key]
        self.chosen += (span for span in chosen or () if span not in self.chosen)
        return chosen is not None

    def _find_path(self, key: str) -> tuple[Span, ...] | None:
        before, self.chosen = self.chosen, []
        self._inside.append(key)
        passes = self.can_pass(self.analysis.bodies[key].statements)
        self._inside.pop()
        found, self.chosen = self.chosen, before
        return tuple(found) if passes else None

    def _leaves_block(self, block: syntax.Block) -> bool:
        return any(isinstance(s, syntax.Simple) and s.word != "skip" for s in block)


@define
class _Iteration:
    """Collects the possible effects of one iteration of a loop, including all calls and triggers."""

    analysis: Analysis
    enough: Set[str] | None = None
    """A change of any of these names stops the search. If this is None, the whole iteration is searched."""
    certain: bool = False
    """Whether there is an end without conditions, or an end that a player may choose."""
    ends: list[Span] = field(factory=list)
    asked: list[object] = field(factory=list)
    """The conditions of ends, and the conditions of steps that skip other steps."""
    changed: set[str] = field(factory=set)
    """The names of things that are changed, chosen or rolled."""
    new_values: list[tuple[Set[str], object]] = field(factory=list)
    """Sets of names, each paired with the expressions that determine the new values of the names."""
    skips_steps: bool = False
    seen: set[tuple[str, bool, bool]] = field(factory=set)

    def changes_end(self, condition: syntax.Expression | None) -> bool:
        """Return whether the iteration changes anything on which an end depends."""
        if condition is None and not self.ends:
            return False
        return bool(self.names_of_ends(condition) & self.changed)

    def names_of_ends(self, condition: syntax.Expression | None) -> set[str]:
        """Return the names of everything on which an end depends."""
        # Several ends share many of their conditions.
        asked = {id(node): node for node in self.asked}
        wanted = self.analysis.cached_reads(condition, *asked.values())
        left = self.new_values
        before = -1
        while before < len(wanted):
            before = len(wanted)
            later = []
            for names, nodes in left:
                if names.isdisjoint(wanted):
                    later.append((names, nodes))
                else:
                    wanted |= self.analysis.cached_reads(nodes)
            left = later
        return wanted

    # ---- steps --------------------------------------------------------------------------------------

    def visit_steps(
        self,
        statements: Iterable[syntax.Statement],
        asked: Conditions,
        *,
        decided: bool,
        depth: int,
    ) -> None:
        """Visit steps. `depth` is 0 if a `stop` in these steps leaves the loop, and at least 1 if it does not."""
        for s in statements:
            if self.enough is not None and (
                self.certain or not self.enough.isdisjoint(self.changed)
            ):
                return
            self.visit_step(s, asked, decided, depth)

    def visit_step(self, s: syntax.Statement, asked: Conditions, decided: bool, depth: int) -> None:
        """Record the effects of a step, and visit its blocks."""
        self.record_changes(s)
        match s:
            case syntax.Simple():
                self.record_exit(s, asked, decided, depth)
            case syntax.Do():
                self.visit_call(s, asked, decided)
            case syntax.If():
                conditions: Conditions = asked
                for condition, block in s.cases:
                    conditions = (*conditions, condition)
                    self.visit_steps(block, conditions, decided=decided, depth=depth)
                self.visit_steps(s.otherwise, conditions, decided=decided, depth=depth)
            case syntax.IfPossible():
                inside = (*asked, *self.analysis.blocks_run(s.body))
                self.visit_steps(s.body, inside, decided=decided, depth=depth)
                self.visit_steps(s.otherwise, inside, decided=decided, depth=depth)
            case syntax.ChooseOf() | syntax.May():
                for block in blocks_of(s):
                    self.visit_steps(block, asked, decided=True, depth=depth)
            case syntax.ForEach():
                inside = (*asked, s.binder, s.where)
                self.visit_steps(s.body, inside, decided=decided, depth=depth + 1)
            case syntax.EachPlayer():
                inside = asked if s.where is None else (*asked, s.where)
                self.visit_steps(s.body, inside, decided=decided, depth=depth + 1)
            case syntax.Repeat():
                inside = asked if s.value is None else (*asked, s.value)
                self.visit_steps(s.body, inside, decided=decided, depth=depth + 1)
            case _:  # all others: only their blocks run
                for block in blocks_of(s):
                    self.visit_steps(block, asked, decided=decided, depth=depth)

    def record_changes(self, s: syntax.Statement) -> None:
        """Record the names that receive new values, and the expressions from which these values are computed."""
        names = self.analysis.step_writes(s)
        match s:
            case syntax.Let():
                self.new_values.append(({s.name}, s.value))
            case syntax.Choose() | syntax.LetDo():
                self.changed.add(s.name)
            case syntax.ForEach():
                self.new_values.append(({s.binder.name}, (s.binder.source, s.where)))
                if s.any_order:
                    self.changed.add(s.binder.name)
            case syntax.ChooseOf():
                for arm in s.arms:
                    if isinstance(arm, syntax.OptionArm) and arm.binder is not None:
                        self.changed.add(arm.binder.name)
            case syntax.SetTo():
                self.new_values.append((names, s.value))
            case syntax.Amount():
                self.new_values.append((names, s.amount))
            case syntax.Move():
                self.new_values.append((names, (s.amount, s.source, s.target)))
                for n in self.analysis.move_triggers_of(s):
                    self.visit_body(f"mover {n}", (), decided=True)
            case _:  # all others: `step_writes` names what they change
                pass
        if not names <= self.changed:
            self.changed |= names
            for n in self.analysis.triggers_after(names):
                self.visit_body(
                    f"trigger {n}", (self.analysis.watchers[n][0].condition,), decided=False
                )

    def record_exit(self, s: syntax.Simple, asked: Conditions, decided: bool, depth: int) -> None:
        """Record an end, or a step that skips the steps after it."""
        self.asked.extend(asked)
        if s.word == "end game" or (s.word == "stop" and depth == 0):
            self.ends.append(s.span)
            if decided or not (asked or self.skips_steps):
                self.certain = True
        else:
            self.skips_steps = True

    # ---- calls --------------------------------------------------------------------------------------

    def visit_call(self, do: syntax.Do, asked: Conditions, decided: bool) -> None:
        """Visit the bodies that a `do` runs, including their hooks and triggers."""
        given = do.call.arguments if isinstance(do.call, syntax.Call | syntax.Dot) else ()
        if not isinstance(do.call, syntax.Word | syntax.Call):
            asked = (*asked, do.call)
        for key in self.analysis.callees(do):
            node = self.analysis.bodies[key].node
            if isinstance(node, declared.Rule | declared.Effect):
                for number, param in enumerate(node.params):
                    if param.source is None:
                        self.new_values.append(({param.name}, given))
                    elif number >= len(given or ()):
                        self.changed.add(param.name)
            self.visit_body(key, asked, decided)
            name = key.removeprefix("rule ")
            for n, (hook, _) in enumerate(self.analysis.hooks.get(name, ())):
                self.visit_body(f"hook {name} {n}", (*asked, hook.where), decided)

    def visit_body(self, key: str, asked: Conditions, decided: bool) -> None:
        """Visit a rule, an effect or a trigger. A `stop` in the body does not leave this loop."""
        if self.analysis.ends_game(key):
            self.asked.extend(asked)
        visit = (key, bool(asked), decided)
        if visit not in self.seen:
            self.seen.add(visit)
            self.visit_steps(self.analysis.bodies[key].statements, asked, decided=decided, depth=1)

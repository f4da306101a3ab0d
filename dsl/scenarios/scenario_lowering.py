"""Lower scenarios: the steps, conditions and options of a scenario become procedures of the program
with which it is played.

A mistake is reported once, at its place, and the step is left out, as in the rest of the compiler.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TypeAlias

from attrs import define, field

from rulewright.dsl import ir
from rulewright.dsl.diagnostics.advice import Help, one_of, write
from rulewright.dsl.diagnostics.suggest import did_you_mean, listed_or
from rulewright.dsl.immutable import evolve
from rulewright.dsl.lowering.decisions import offering
from rulewright.dsl.lowering.emit import recursion
from rulewright.dsl.lowering.emit.builtins import FUNCTIONS
from rulewright.dsl.lowering.emit.code import ONE, ZERO, Expr, choice
from rulewright.dsl.lowering.emit.core import Compiler, Env, Procedure, Rules, Typed, new_env
from rulewright.dsl.lowering.emit.paths import clause_ids
from rulewright.dsl.lowering.emit.writer import Context, Writer, start_writer
from rulewright.dsl.lowering.steps import condition_triggers, messages, noting_turns
from rulewright.dsl.lowering.values import expressions, rows, unmet
from rulewright.dsl.model import types
from rulewright.dsl.model.types import (
    ACTION,
    DIRECTION,
    FLAG,
    PLAYER,
    UNKNOWN,
    Type,
    are_comparable,
    describe,
    item_of,
    join,
    shown_type,
    whole,
)
from rulewright.dsl.scenarios import scenarios
from rulewright.dsl.tree import scenario_syntax, syntax
from rulewright.dsl.tree.nesting import every, name_span

COMPARING = ("is", "is not", "<", ">", "<=", ">=", "in", "not in")


Written: TypeAlias = tuple[scenario_syntax.Scenario, tuple[scenario_syntax.MeantLine, ...], int]
"""A scenario, given by all its lines and by the number of these lines that belong to its beginning."""


@define
class ScenarioWriter:
    """Lowers the scenarios of one variant, file by file, together with the rules.

    For each file, `found` contains the scenarios without mistakes.
    """

    files: Sequence[Sequence[Written]]
    found: list[list[scenarios.Scene]] = field(factory=list)
    _steps: dict[int, scenarios.Step | None] = field(factory=dict)

    @property
    def blocks(self) -> list[syntax.Block]:
        """All steps that are written in the same way as in rules."""
        return [line.body for line in self._lines() if isinstance(line, scenario_syntax.Given)]

    @property
    def says_who_moves(self) -> bool:
        """Whether any line names the player to move."""
        return any(isinstance(line, scenario_syntax.ToMove) for line in self._lines())

    def _lines(self) -> Iterator[scenario_syntax.MeantLine]:
        every = (line for file in self.files for _, lines, _ in file for line in lines)
        for line in every:
            yield from line.lines if isinstance(line, scenario_syntax.SameAs) else (line,)

    def write(self, rules: Rules) -> None:
        """Add the procedures of all scenarios to a program."""
        options = Offered.of(rules)
        of_rules = len(rules.chances)
        for file in self.files:
            # Lines never refer to rolls in the steps of another file.
            options.elsewhere = range(of_rules, len(rules.chances))
            self.found.append(self._lower_file(rules, options, file))

    def _lower_file(
        self, rules: Rules, options: Offered, file: Sequence[Written]
    ) -> list[scenarios.Scene]:
        found: list[scenarios.Scene] = []
        for scenario, lines, shared in file:
            steps = [self._lower_step(rules, options, line) for line in lines]
            for place, line in enumerate(lines):
                if isinstance(line, scenario_syntax.NothingElse):
                    steps[place] = _lower_nothing_else(line, steps[:place])
            kept = tuple(step for step in steps if step is not None)
            head = sum(step is not None for step in steps[:shared])
            found.append(
                scenarios.Scene(scenario.span, scenario.text, clause_ids(scenario.tags), kept, head)
            )
        return found

    def _lower_step(
        self, rules: Rules, options: Offered, line: scenario_syntax.MeantLine
    ) -> scenarios.Step | None:
        # A line of a beginning is one step, however many scenarios begin with it.
        if id(line) not in self._steps:
            self._steps[id(line)] = _lower_step(rules, options, line)
        return self._steps[id(line)]


def _lower_step(
    rules: Rules, options: Offered, line: scenario_syntax.MeantLine
) -> scenarios.Step | None:
    c = rules.c
    match line:
        case scenario_syntax.Given():
            return scenarios.Given(line.span, _lower_given(rules, line))
        case scenario_syntax.ToMove():
            who = _seat(c, line.player)
            flow = noting_turns.turn_flow(rules)
            return scenarios.ToMove(line.span, who, flow) if who is not None else None
        case scenario_syntax.Plays():
            who, sought = _seat(c, line.player), options.find_option(c, line.option)
            return scenarios.Plays(line.span, who, sought) if who is not None and sought else None
        case scenario_syntax.Offered():
            who, sought = _seat(c, line.player), options.find_option(c, line.option)
            return scenarios.Offered(line.span, who, sought) if who is not None and sought else None
        case scenario_syntax.Refused():
            who, sought = _seat(c, line.player), options.find_option(c, line.option, refused=True)
            reason = _words(c, line.reason) if line.reason is not None else None
            return (
                scenarios.Refused(line.span, who, sought, reason)
                if who is not None and sought
                else None
            )
        case scenario_syntax.OfferedExactly():
            all_sought = [options.find_option(c, option) for option in line.options]
            known = tuple(sought for sought in all_sought if sought is not None)
            return (
                scenarios.OfferedExactly(line.span, known)
                if len(known) == len(all_sought)
                else None
            )
        case scenario_syntax.ExpectWords():
            seat = None if line.player is None else _seat(c, line.player)
            texts = tuple(_words(c, one) for one in line.words)
            return scenarios.ExpectWords(line.span, line.where, line.holds, seat, texts)
        case scenario_syntax.ExpectOption():
            sought, words = options.find_option(c, line.option), _words(c, line.words)
            return scenarios.ExpectOption(line.span, sought, words) if sought is not None else None
        case scenario_syntax.ExpectAsked():
            seat = None if line.player is None else _seat(c, line.player)
            return scenarios.ExpectAsked(line.span, seat, line.holds)
        case scenario_syntax.ExpectRunning():
            seat = None if line.player is None else _seat(c, line.player)
            _check_rule(c, line.rule)
            return scenarios.ExpectRunning(line.span, line.rule.name, seat, line.holds)
        case scenario_syntax.SameAs():
            steps = [_lower_step(rules, options, each) for each in line.lines]
            kept = tuple(step for step in steps if step is not None)
            return scenarios.Same(line.span, line.text, kept)
        case scenario_syntax.Chance():
            return scenarios.Chance(line.span, _given_by_chance(rules, options, line.value))
        case scenario_syntax.ShuffleGives():
            if isinstance(line.value, syntax.Fixed) and line.value.word == "nothing":
                return scenarios.Shuffle(line.span, None)
            values = _values(c, line.value, types.Piece())
            return scenarios.Shuffle(line.span, values)
        case scenario_syntax.Expect():
            asked = expressions.condition(_env_outside_rules(c), line.value)
            conditions = _conditions(c, asked)
            because = _lower_reason(c, asked, line.reason) if line.reason is not None else None
            return scenarios.Expect(line.span, conditions, because)
        case scenario_syntax.Sees():
            who = _seat(c, line.player)
            if who is None:
                return None
            if line.sees:
                asked = expressions.condition(_env_outside_rules(c), line.value)
                return scenarios.Sees(line.span, who, _conditions(c, asked))
            value = _lower_shown(
                c, new_env(c, Procedure("seen", suspending=False)), line.value, None
            )
            return scenarios.CannotSee(line.span, who, value) if value is not None else None
        case (
            scenario_syntax.ExpectPicture()
            | scenario_syntax.NotPlayed()
            | scenario_syntax.PlayOn()
            | scenario_syntax.Fault()
        ):
            return line  # it refers to nothing
        case (
            scenario_syntax.OptionSet()
            | scenario_syntax.PlayersNamed()
            | scenario_syntax.StartFrom()
            | scenario_syntax.NothingElse()
            | scenario_syntax.ExpectSame()
            | scenario_syntax.RefusedPlayers()
            | scenario_syntax.RefusedOption()
            | scenario_syntax.Picture()
            | syntax.Broken()
        ):
            return None


def _lower_nothing_else(
    line: scenario_syntax.NothingElse, before: Sequence[scenarios.Step | None]
) -> scenarios.OfferedExactly:
    """Lower `offered nothing else`: only the options in the lines since the last event are offered."""
    options: list[scenarios.OptionPattern] = []
    for step in reversed(before):
        if isinstance(
            step, (scenarios.Given, scenarios.ToMove, scenarios.Plays, scenario_syntax.PlayOn)
        ):
            break
        if isinstance(step, scenarios.Offered):
            options.append(step.option)
        if isinstance(step, scenarios.OfferedExactly) and not step.is_rest:
            options += reversed(step.options)
    return scenarios.OfferedExactly(line.span, tuple(reversed(options)), is_rest=True)


def _check_rule(c: Compiler, word: syntax.Word) -> None:
    if word.name in c.model.rules or word.name in c.model.verbs_absent:
        c.model.refers_to_rule(word.span, word.name)
        return
    c.problems.none_called(
        "rule or action", word.name, word.span, c.model.rules, code="unknown-action"
    )


def _given_by_chance(
    rules: Rules, options: Offered, e: syntax.Expression
) -> tuple[scenarios.ShownValue, ...]:
    """Lower the values that chance must return, in order. At least one step of chance must have
    results of this type.
    """
    c = rules.c
    sorts = {
        "number" if site.domain is None else c.domains[site.domain].name: site.domain
        for n, site in enumerate(rules.chances)
        if site.purpose != "shuffle" and n not in options.elsewhere
    }
    shown = [_type_of(c, domain) for domain in sorts.values() if domain is not None]
    found: list[scenarios.ShownValue] = []
    for item in e.items if isinstance(e, syntax.ListOf) else (e,):
        env = new_env(c, Procedure("given", suspending=False))
        expect = None
        if isinstance(item, syntax.Word):
            expect = next((type for type in shown if _suits(env, item.name, type)), None)
        asked = _lower_shown(c, env, item, expect)
        if asked is None:
            continue
        if c.domains[asked.domain].name not in sorts:
            known = [_type_text(c, name, domain) for name, domain in sorts.items()]
            c.problems.error(
                "wrong-type",
                f"chance never gives {_type_text(c, c.domains[asked.domain].name, asked.domain)}",
                item.span,
                help=f"here it gives {' or '.join(known)}"
                if known
                else "nothing is rolled or drawn",
            )
            continue
        found.append(asked)
    return tuple(found)


def _type_text(c: Compiler, name: str, domain: int | None) -> str:
    return "a number" if domain is None or name == "number" else _slot_text(c, (domain, 0, 10**9))


def _seat(c: Compiler, word: syntax.Word) -> int | None:
    if word.name in c.model.seats:
        return c.model.seats.index(word.name)
    c.problems.error(
        "unknown-name",
        f"nobody is called `{word.name}` in this scenario",
        word.span,
        help=did_you_mean(word.name, c.model.seats) or f"there are {', '.join(c.model.seats)}",
    )
    return None


# ---- steps as in rules ------------------------------------------------------------------------------


def _lower_given(rules: Rules, line: scenario_syntax.Given) -> int:
    """Return a procedure that runs the steps below `given`. As in setup, no triggers run, except in
    a `do` at the end.
    """
    number = rules.reserve()
    w = start_writer(rules, "given", True, None, number)
    env = new_env(rules.c, w.procedure)
    body = line.body
    watched = bool(rules.a.watchers or rules.a.move_triggers)
    run: syntax.Block = ()
    if body and any(isinstance(s, syntax.Do) for s in every(body[-1:])):
        body, run = body[:-1], body[-1:]
    if body:
        if watched:
            w.emit(ir.Store(ir.Const(rules.awake), ZERO))
        recursion.block(w, Context(env, guarded=True, given=True), body)
        if watched:
            condition_triggers.begin_watching(w)
    if run:
        _emit_do(w, env, run)
    w.finish(0, line.span)
    return number


def _emit_do(w: Writer, env: Env, run: syntax.Block) -> None:
    """Emit a `do` as a step of the match. If actions also call the rule, it runs in a possibility
    scope, as it does in these actions.
    """
    rules = [s for s in every(run) if isinstance(s, syntax.Do) and not w.a.is_action(s)]
    called = (w.a.bodies.get(key) for s in rules for key in w.a.callees(s))
    if not any(body is not None and body.in_guard for body in called):
        recursion.block(w, Context(env), run)
        return
    with w.scope():
        recursion.block(w, Context(env, guarded=True), run)


# ---- conditions and values --------------------------------------------------------------------------


def _env_outside_rules(c: Compiler) -> Env:
    """Return an environment for expressions outside the rules."""
    return new_env(c, Procedure("expected", suspending=False))


def _conditions(c: Compiler, asked: Typed) -> tuple[scenarios.Condition, ...]:
    """Split a condition at `and`. Return each part with the values that it compares."""
    found: list[scenarios.Condition] = []
    for part in unmet.lowered_conjuncts(asked):
        index, code = c.reserve_plain(), choice(part.code, ONE, ZERO)
        assert part.e is not None
        c.put_plain(
            index, Procedure("expected", suspending=False), 0, [ir.Return(code)], part.e.span
        )
        found.append(scenarios.Condition(_text(part.e), index, _sides(c, part)))
    return tuple(found)


def _lower_reason(c: Compiler, asked: Typed, reason: syntax.Text) -> scenarios.Because | None:
    """Lower the reason required of the open value on the left of a comparison. Return None after
    an error.
    """
    value = asked.e
    if isinstance(value, syntax.Binary) and value.operator in COMPARING:
        value = value.left
    typed = None if value is None else asked.of(value)
    if value is None or typed is None:
        return None
    code, procedure = typed.code, Procedure("value", suspending=False)
    infos = (info for info in c.values.values() if isinstance(code, ir.CallValue))
    info = next((i for i in infos if i.procedure == getattr(code, "procedure", -1)), None)
    if info is None or info.base is None:
        c.problems.error(
            "not-open-value",
            f"`{_text(value)}` is not an open value, so nothing changes it",
            value.span,
            help="write `expect VALUE is 3 because ...` with an `open value` on the left",
        )
        return None
    assert isinstance(code, ir.CallValue)
    sources = []
    for _, _, source in info.sources:
        index = c.reserve_plain()
        source_of = ir.Return(ir.CallValue(source, code.arguments))
        c.put_plain(index, procedure, 0, [source_of], value.span)
        sources.append(index)
    return scenarios.Because(info.procedure, tuple(sources), _words(c, reason))


def _sides(c: Compiler, asked: Typed) -> tuple[scenarios.ShownValue, ...]:
    """Return those sides of a comparison whose values cannot be seen from the text."""
    e = asked.e
    while isinstance(e, syntax.Unary) and e.operator == "not":
        e = e.operand
    if not isinstance(e, syntax.Binary) or e.operator not in COMPARING:
        return ()
    sides: list[scenarios.ShownValue] = []
    for side in (e.left, e.right):
        env = new_env(c, Procedure("side", suspending=False))
        typed = asked.of(side) or recursion.expression(env, side)
        shown = None if _is_plain(c, side) else _shown_as(c, env, typed, side)
        if shown is not None:
            sides.append(shown)
    return tuple(sides)


def _is_plain(c: Compiler, e: syntax.Expression) -> bool:
    """Return whether the text of an expression already shows its value. It does for a number, a fixed word or a row."""
    match e:
        case syntax.Number() | syntax.Fixed() | syntax.TypeWord():
            return True
        case syntax.Word():
            return e.name in c.model.row_names and c.layout.of("", e.name) is None
        case syntax.ListOf():
            return all(_is_plain(c, item) for item in e.items)
        case syntax.WrittenValue() | syntax.Reference() | syntax.Operation():
            return False


def _lower_shown(
    c: Compiler, env: Env, e: syntax.Expression, expect: Type | None
) -> scenarios.ShownValue | None:
    """Lower an expression whose value is computed and shown when the scenario runs."""
    return _shown_as(c, env, recursion.expression(env, e, expect), e)


def _shown_as(
    c: Compiler, env: Env, typed: Typed, e: syntax.Expression
) -> scenarios.ShownValue | None:
    """Turn a lowered value into one that is computed and shown when the scenario runs."""
    typed = expressions.as_stored(env, typed, e, None)
    if not typed.type.known:
        return None
    index = c.reserve_plain()
    is_flag = isinstance(typed.type, types.Flag)
    code: Expr = choice(typed.code, ONE, ZERO) if is_flag else typed.code
    c.put_plain(index, env.procedure, 0, [ir.Return(code)], e.span)
    return scenarios.ShownValue(_text(e), index, c.domain(shown_type(typed.type)), is_flag)


def _text(e: syntax.Expression) -> str:
    return " ".join(e.span.text.split())


def _values(
    c: Compiler, e: syntax.Expression, expect: Type | None = None
) -> tuple[scenarios.ShownValue, ...]:
    """Lower `3`, or `(1, 4)`, as values in order."""
    found = []
    for item in e.items if isinstance(e, syntax.ListOf) else (e,):
        env = new_env(c, Procedure("given", suspending=False))
        asked = _lower_shown(c, env, item, expect)
        if asked is not None:
            found.append(asked)
    return tuple(found)


def _words(c: Compiler, text: syntax.Text) -> scenarios.Words:
    env = new_env(c, Procedure("reason", suspending=False))
    index = c.reserve_plain()
    message, arguments = messages.text_message(env, text, ())
    c.put_plain(index, env.procedure, 0, [ir.Return(ir.MakeList(arguments))], text.span)
    return scenarios.Words(message, index)


# ---- options ----------------------------------------------------------------------------------------


Slot = tuple[int, int, int]
"""An argument of an option: its domain, its lowest value, and its number of values."""


@define
class Offered:
    """The options of all decisions of the rules: names with the arguments in brackets, and bare values."""

    names: dict[str, list[tuple[Slot, ...]]]
    bare: dict[int, list[Slot]]
    elsewhere: range = range(0)
    """The numbers of the chance steps that belong to the steps of other scenarios."""

    @classmethod
    def of(cls, rules: Rules) -> Offered:
        """Return all options that the rules offer at any decision."""
        found = cls({}, {})
        for site in rules.sites:
            for arm in site.arms:
                if arm.word:
                    slots = tuple(arm.in_name(arm.arguments))
                    forms = found.names.setdefault(arm.word, [])
                    forms += [slots] if arm.least == len(slots) else [slots, slots[: arm.least]]
                    continue
                for slot in arm.arguments:
                    found.bare.setdefault(_first_of_type(rules.c, slot[0]), []).append(slot)
        return found

    def find_option(
        self, c: Compiler, e: syntax.Expression, *, refused: bool = False
    ) -> scenarios.OptionPattern | None:
        """Return the option that an expression names, such as `drop(4)`, `done` or `tile_red_04`.

        A `refused` option need not exist: it may be an action that nothing offers, or have a number out of range.
        """
        text = _text(e)
        name, arguments = _name_of(e)
        forms = self.names.get(name)
        could_be_bare = not arguments and name in c.model.row_names and bool(self.bare)
        if isinstance(e, (syntax.Word, syntax.Call)) and forms is not None:
            c.model.refers_to_rule(name_span(e), name)
        if forms is not None:
            fitting = [form for form in forms if len(form) == len(arguments)]
            if fitting:
                asked = self._arguments(c, arguments, fitting, refused=refused)
                bare = self._value(c, e) if could_be_bare else None
                return (
                    scenarios.OptionPattern(text, name, asked, bare) if asked is not None else None
                )
            c.problems.error(
                "wrong-arguments",
                f"the option `{name}` takes {len(forms[0])} in brackets, but gets {len(arguments)}",
                e.span,
                help=f"write it like `{name}{_in_brackets(_example(c, slot) for slot in forms[0])}`",
            )
            return None
        if refused and (name in c.model.rules or name in c.model.verbs_absent):
            # no decision offers an option with this name, but a decision may offer the option by the name of a row
            return scenarios.OptionPattern(text, value=self._value(c, e) if could_be_bare else None)
        if isinstance(e, (syntax.Word, syntax.Call)) and not _is_known(c, name):
            near = [*self.names, *(n for domain in self.bare for n in c.domains[domain].names)]
            c.problems.error(
                "unknown-option",
                f"no decision has an option `{name}`",
                e.span,
                help=did_you_mean(name, near),
            )
            return None
        value = self._value(c, e)
        if value is None:
            return None
        first_domain = _first_of_type(c, value.domain)
        if first_domain not in self.bare:
            about = (
                f"{called}({text})"
                for called, forms in self.names.items()
                if any(
                    len(form) == 1 and _first_of_type(c, form[0][0]) == first_domain
                    for form in forms
                )
            )
            example = next(about, "")
            help = did_you_mean(name, self.names) or (write(example) if example else "")
            c.problems.error("unknown-option", f"no decision offers `{text}`", e.span, help=help)
            return None
        if not refused:
            _check_range(c, e, self.bare[first_domain])
        return scenarios.OptionPattern(text, None, (), value)

    def _value(self, c: Compiler, e: syntax.Expression) -> scenarios.ShownValue | None:
        env = new_env(c, Procedure("option", suspending=False))
        expect = None
        if isinstance(e, syntax.Word):
            domains = sorted(self.bare)
            offered = [_type_at(c, slot) for domain in domains for slot in self.bare[domain]]
            suiting = [type for type in offered if _suits(env, e.name, type)]
            if not suiting:  # a refused name that nothing offers
                shown = (_type_of(c, domain) for domain in domains)
                suiting = [type for type in shown if _suits(env, e.name, type)]
            for type in suiting:
                expect = type if expect is None else join(expect, type) or expect
        return _lower_shown(c, env, e, expect)

    def _arguments(
        self,
        c: Compiler,
        arguments: Sequence[syntax.Expression],
        forms: Sequence[tuple[Slot, ...]],
        *,
        refused: bool = False,
    ) -> tuple[scenarios.ShownValue, ...] | None:
        """Lower the arguments in brackets, with the types of the first form that fits."""
        asked: list[scenarios.ShownValue] = []
        for place, argument in enumerate(arguments):
            env = new_env(c, Procedure("option", suspending=False))
            slots = [form[place] for form in forms]
            shown = [_type_at(c, slot) for slot in slots]
            expect = shown[0]
            if isinstance(argument, syntax.Word):
                name = argument.name
                expect = next((type for type in shown if _suits(env, name, type)), expect)
            typed = recursion.expression(env, argument, expect)
            value = _shown_as(c, env, typed, argument)
            if value is None:
                return None
            first_domain = _first_of_type(c, value.domain)
            suiting = [slot for slot in slots if _first_of_type(c, slot[0]) == first_domain]
            if not suiting or not _has_type(c, typed.type, suiting):
                c.problems.error(
                    "wrong-type",
                    f"{_slot_text(c, slots[0])} is expected here",
                    argument.span,
                    help=_argument_help(c, slots[0]),
                )
                return None
            if not refused:
                _check_range(c, argument, suiting)
            asked.append(value)
        return tuple(asked)


def _has_type(c: Compiler, found: Type, slots: Sequence[Slot]) -> bool:
    """Return whether the type of a thing fits an argument. Return True for values that are not things."""
    wanted = [_type_at(c, slot) for slot in slots]
    if isinstance(found, types.List):
        found = found.of
    return any(
        not (found.names and type.names) or bool(set(found.names) & set(type.names))
        for type in wanted
    )


def _is_known(c: Compiler, name: str) -> bool:
    model = c.model
    return any(
        name in names
        for names in (model.row_names, model.values, model.states, model.options, FUNCTIONS)
    )


def _check_range(c: Compiler, e: syntax.Expression, slots: Sequence[Slot]) -> None:
    """Report an error for a number that is not an argument of any decision's options."""
    if not isinstance(e, syntax.Number):
        return
    if not any(low <= e.value < low + size for _, low, size in slots):
        c.problems.error(
            "out-of-range",
            f"{_slot_text(c, slots[0])} is expected here",
            e.span,
            help=_argument_help(c, slots[0]),
        )


def _in_brackets(arguments: Iterable[str]) -> str:
    """Return the text of arguments in brackets after a name, or "" if there are none."""
    written = ", ".join(arguments)
    return f"({written})" if written else ""


def _example(c: Compiler, slot: Slot) -> str:
    """Return an example of a possible argument."""
    domain, low, _ = slot
    at = low - c.domains[domain].offset
    known = c.domains[domain].names
    return known[at] if 0 <= at < len(known) else str(low)


def _argument_help(c: Compiler, slot: Slot) -> Help:
    """Return help for an argument: its names if there are only a few, otherwise its type."""
    domain, low, size = slot
    offset, known = c.domains[domain].offset, c.domains[domain].names
    names = [*dict.fromkeys(known[max(0, low - offset) : max(0, low + size - offset)])]
    if 0 < len(names) <= _MOST_NAMED:
        return "write " + one_of(names)
    if names:
        return f"write {names[0]}, {names[1]} or another {_slot_text(c, slot)}"
    return f"write {_slot_text(c, slot)}, as it is shown in play"


_MOST_NAMED = 8


def _slot_text(c: Compiler, slot: Slot) -> str:
    domain, low, size = slot
    type = _type_of(c, domain)
    if isinstance(type, types.Number):
        return f"a number {low}..{low + size - 1}"
    if isinstance(type, types.Kind):
        return describe(type)
    # all others: names, or the word of the type
    names = _type_at(c, slot).names
    if isinstance(type, (types.Piece, types.Space)) and names:
        return listed_or(sorted(names))
    article = "an" if type.word[0] in "aeiou" else "a"
    return f"{article} {type.word}"


def _suits(env: Env, name: str, type: Type) -> bool:
    found = rows.row_named(env, name, type)
    if found is None or not type.is_thing:
        return False
    of = (item_of(found.type) if found.ids is not None else None) or found.type
    return are_comparable(of, type) and (not type.names or bool(set(of.names) & set(type.names)))


def _first_of_type(c: Compiler, domain: int) -> int:
    """Return the first domain of the same type. All numbers belong to the same type."""
    name = c.domains[domain].name
    return next(at for at, known in enumerate(c.domains) if known.name == name)


def _type_of(c: Compiler, domain: int) -> Type:
    """Return the type whose values a domain shows."""
    name = c.domains[domain].name
    if name.startswith("kind "):
        return types.Kind(names=(name.removeprefix("kind "),))
    match name:
        case "piece":
            return types.Piece(names=tuple(c.model.pieces))
        case "space":
            return types.Space(names=tuple(c.model.spaces))
        case "player":
            return PLAYER
        case "flag":
            return FLAG
        case "number":
            return whole(-99_999, 99_999)
        case "action":
            return ACTION
        case "direction":
            return DIRECTION
        case _:
            return UNKNOWN


def _type_at(c: Compiler, slot: Slot) -> Type:
    """Return the type of an argument; for things, only the kinds that are possible in this place."""
    domain, low, size = slot
    type = _type_of(c, domain)
    things = {"piece": c.model.pieces, "space": c.model.spaces}.get(c.domains[domain].name, {})
    names = tuple(
        name
        for name, kind in things.items()
        if kind.first < low + size and low < kind.first + kind.count
    )
    return evolve(type, names=names) if names and isinstance(type, types.Named) else type


def _name_of(e: syntax.Expression) -> tuple[str, tuple[syntax.Expression, ...]]:
    """Return the possible name of an option, and its arguments in brackets."""
    match e:
        case syntax.Word():
            return e.name, ()
        case syntax.Call():
            return e.name, e.arguments
        case syntax.Fixed():
            return {"nothing": "none"}.get(e.word, e.word), ()
        case syntax.Text():
            return offering.option_name(e), ()
        case syntax.Operation() | syntax.Number() | syntax.TypeWord() | syntax.Dot():
            return "", ()

"""What a condition that does not hold says of itself,: `rank of wolf is 1, not more than 2`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from rulewright.dsl import ir
from rulewright.dsl.lowering.workshop import recursion
from rulewright.dsl.lowering.workshop.code import Expr
from rulewright.dsl.lowering.workshop.core import Env, Typed
from rulewright.dsl.tree import syntax

_ORDERS = {"<": "not less than", ">": "not more than", "<=": "more than", ">=": "less than"}
_STATES = ("is_", "has_", "can_", "may_", "must_")
_LONGEST = 80  # characters of a condition that is shown as it is written

Said = tuple[tuple[str | ir.Shown, ...], tuple[Expr, ...]]
"""The parts of a message, and its arguments."""


def conjuncts(e: syntax.Expression) -> list[syntax.Expression]:
    """The conditions that must all hold."""
    if isinstance(e, syntax.Binary) and e.operator == "and":
        return [*conjuncts(e.left), *conjuncts(e.right)]
    return [e]


def unmet(env: Env, e: syntax.Expression) -> Said:
    """Why it is not so; what cannot be said is told as it is written."""
    words = _Words(env)
    hold = env.c.quietly()  # whoever tests the condition reports what is wrong with it
    is_said = words.unmet(e)
    env.c.loudly(hold)
    if not is_said:
        words = _Words(env)
        words.say(f"it needs {written(e)}")
    return tuple(words.parts), tuple(words.arguments)


def written(e: syntax.Expression) -> str:
    """A condition as it is written, without the signs of names."""
    text = " ".join(e.span.text.replace("_", " ").split())
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST].rpartition(' ')[0]} ..."


def left_out(env: Env, name: str, source: syntax.Expression) -> Said:
    """Why something is none of those to choose from."""
    words = _Words(env)
    source = _all_of(source)
    typed = recursion.expression(env, source)
    words.value(env.scope[name].type, env.scope[name].read())
    of = source.subject if isinstance(source, syntax.Dot) else None
    if isinstance(source, syntax.Dot) and source.name == "neighbors" and of is not None:
        beside = recursion.expression(env, of)
        words.say(" is not beside ")
        words.value(beside.type, beside.code)
        return tuple(words.parts), tuple(words.arguments)
    where = [] if _is_value(env, source) else words.place(source)
    if where:
        words.say(f" is not {'in' if typed.type.tag in ('zone', 'int') else 'among'} ")
        words.put(where)
    else:
        words.say(" is none of those to choose from")
        if of is not None and not (isinstance(of, syntax.Word) and of.name == "me"):
            known = recursion.expression(env, of)
            if known.type.is_thing:
                words.say(" for ")
                words.value(known.type, known.code)
    return tuple(words.parts), tuple(words.arguments)


def said(env: Env, *told: str | Typed) -> Said:
    """Words and values, one behind the other."""
    words = _Words(env)
    words.put(told)
    return tuple(words.parts), tuple(words.arguments)


def _is_value(env: Env, source: syntax.Expression) -> bool:
    """Whether something is worked out by a rule of the author's, whose name is nobody's word."""
    world = env.c.world
    return isinstance(source, (syntax.Word, syntax.Call, syntax.Dot)) and (
        source.name in world.values or source.name in world.subject_values
    )


def _all_of(source: syntax.Expression) -> syntax.Expression:
    """The hand, of `list(c: Spell in hand)`: all that may be meant are of that sort."""
    match source:
        case syntax.Query(
            word="list",
            binders=(syntax.Binder(source=every, start=None, stretch=None),),
            where=None,
            keys=(),
            body=None,
        ):
            return source if isinstance(every, syntax.TypeWord) else every
        case _:
            return source


@dataclass
class _Words:
    """Parts of a sentence being put together."""

    env: Env
    parts: list[str | ir.Shown] = field(default_factory=list)
    arguments: list[Expr] = field(default_factory=list)

    def say(self, text: str) -> None:
        self.parts.append(text)

    def put(self, said: Sequence[str | Typed]) -> None:
        for part in said:
            if isinstance(part, str):
                self.say(part)
            else:
                self.value(part.type, part.code)

    def value(self, type: object, code: Expr) -> None:
        domain = self.env.c.domain(type)  # type: ignore[arg-type]  # a type
        self.parts.append(ir.Shown(len(self.arguments), domain))
        self.arguments.append(code)

    def unmet(self, e: syntax.Expression, *, holds: bool = False) -> bool:
        """Say that a condition does not hold (or that it does); whether there are words for it."""
        match e:
            case syntax.Unary(operator="not"):
                return self.unmet(e.operand, holds=not holds)
            case syntax.Binary(operator="<" | ">" | "<=" | ">=") if not holds:
                return self.order(e)
            case syntax.Binary(operator="is" | "is not"):
                return self.sameness(e, (e.operator == "is") == holds)
            case syntax.Binary(operator="in" | "not in"):
                return self.among(e, (e.operator == "in") == holds)
            case syntax.Dot(arguments=None):
                return self.state(e, holds)
            case _:
                return False

    def order(self, e: syntax.Binary) -> bool:
        left, right = self.typed(e.left), self.typed(e.right)
        if left is None or right is None or {left.type.tag, right.type.tag} != {"int"}:
            return False
        if not self.name(e.left, left):
            return False
        self.say(f" {_ORDERS[e.operator]} ")
        self.value(right.type, right.code)
        named = None if isinstance(e.right, syntax.Number) else self.thing(e.right)
        if named is not None and not (len(named) == 1 and isinstance(named[0], Typed)):
            self.say(" (")
            self.put(named)
            self.say(")")
        return True

    def name(self, e: syntax.Expression, typed: Typed) -> bool:
        """A number by its name and what it is: `rank of wolf is 1,`, or the number that is chosen."""
        match e:
            case syntax.Word() if e.name in self.env.scope:
                self.value(typed.type, typed.code)
                self.say(" is")
                return True
            case syntax.Word() | syntax.Dot(arguments=None):
                words = self.thing(e)
            case syntax.Call() | syntax.Dot():
                words = self.called(e)
            case _:
                return False
        if words is None:
            return False
        self.put(words)
        self.say(" is ")
        self.value(typed.type, typed.code)
        self.say(",")
        return True

    def sameness(self, e: syntax.Binary, holds: bool) -> bool:
        if isinstance(e.right, syntax.Fixed):
            return self.fixed(e.left, e.right.word, holds)
        left, right = self.typed(e.left), self.typed(e.right)
        if left is None or right is None:
            return False
        chosen = isinstance(e.left, syntax.Word) and e.left.name in self.env.scope
        if holds and chosen and isinstance(e.right, syntax.Word) and e.right.name == "me":
            self.say("you cannot choose yourself")
            return True
        if holds and chosen:
            self.value(left.type, left.code)
            self.say(" cannot be chosen here")
            return True
        if chosen:
            self.value(left.type, left.code)
        else:
            words = self.thing(e.left)
            if words is None:
                return False
            self.put(words)
        self.say(" is " if holds else " is not ")
        self.value(right.type, right.code)
        return True

    def fixed(self, e: syntax.Expression, word: str, holds: bool) -> bool:
        if word in ("yes", "no"):
            return self.unmet(e, holds=holds == (word == "yes"))
        words = self.thing(e)
        if isinstance(e, syntax.Word) and e.name in self.env.scope:
            words = [_spaced(e.name)]
        if words is None:
            return False
        if word == "nothing":
            self.say("there is no " if holds else "there is a ")
            self.put(words)
            return True
        self.put(words)
        self.say(" is empty" if holds else " is not empty")
        return True

    def among(self, e: syntax.Binary, holds: bool) -> bool:
        left, where = self.thing(e.left), self.place(e.right)
        if left is None or not where:
            return False
        self.put(left)
        self.say(" is " if holds else " is not ")
        typed = self.typed(e.right)
        self.say("in " if typed is not None and typed.type.tag == "zone" else "among ")
        self.put(where)
        return True

    def state(self, e: syntax.Dot, holds: bool) -> bool:
        """`p.is_protected`: what it is, or is not."""
        typed, of = self.typed(e), self.thing(e.subject)
        if typed is None or of is None or typed.type.tag != "flag":
            return False
        you = of == ["you"]
        self.put(of)
        head = next((head for head in _STATES if e.name.startswith(head)), "")
        verb = head.rstrip("_") or "is"
        if you:
            verb = {"is": "are", "has": "have"}.get(verb, verb)
        rest = e.name.removeprefix(head).replace("_", " ")
        self.say(f" {verb} {rest}" if holds else f" {verb} not {rest}")
        return True

    def thing(self, e: syntax.Expression) -> list[str | Typed] | None:
        """A name in words: `the wolf`, `rank of wolf`, `your coins`."""
        match e:
            case syntax.Word(name="me"):
                return ["you"]
            case syntax.Word() if e.name in self.env.scope:
                typed = self.typed(e)
                return None if typed is None or typed.type.tag in ("zone", "list") else [typed]
            case syntax.Word():
                return [_spaced(e.name)]
            case syntax.Number():
                return [str(e.value)]
            case syntax.Dot(arguments=None, name="size"):
                counted = self.place(e.subject)
                return ["number of ", *counted] if counted else None
            case syntax.Dot(arguments=None, subject=syntax.Word(name="me")):
                return [f"your {_spaced(e.name)}"]
            case syntax.Dot(arguments=None):
                of = self.thing(e.subject)
                return None if of is None else [f"{_spaced(e.name)} of ", *of]
            case _:
                return None

    def called(self, e: syntax.Call | syntax.Dot) -> list[str | Typed] | None:
        """`me.price(tool)` in words: `price of you (saw)`."""
        arguments = e.arguments or ()
        told = [self.typed(argument) for argument in arguments]
        inside: list[str | Typed] = []
        for typed in told:
            if typed is None or typed.type.tag in ("zone", "list"):
                return None
            inside += [", ", typed] if inside else [typed]
        front: list[str | Typed] = [_spaced(e.name)]
        if isinstance(e, syntax.Dot):
            of = self.thing(e.subject)
            if of is None:
                return None
            front = [f"your {_spaced(e.name)}"] if of == ["you"] else [*front, " of ", *of]
        return [*front, " (", *inside, ")"] if inside else front

    def place(self, e: syntax.Expression) -> list[str | Typed]:
        """Where, or among what."""
        match e:
            case syntax.Word() if e.name not in self.env.scope:
                return [f"the {_spaced(e.name)}"]
            case syntax.Dot(arguments=None):
                of = self.thing(e)
                return of if of is not None else []
            case syntax.Binary(operator=".."):
                return [f"{written(e.left)} to {written(e.right)}"]
            case _:
                return []

    def typed(self, e: syntax.Expression) -> Typed | None:
        """A part that can be shown."""
        typed = recursion.expression(self.env, e)
        if not typed.type.known or typed.type.tag in ("tokens", "text", "nothing", "empty"):
            return None
        return typed


def _spaced(name: str) -> str:
    return name.replace("_", " ")

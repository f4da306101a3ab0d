"""Explains in words why a condition does not hold, as in `rank of wolf is 1, not more than 2`.

If the author wrote a sentence for a named condition, that sentence is the explanation. An
explanation never contains a formula.
"""

from __future__ import annotations

from typing import TypeAlias

from rulewright.dsl import ir
from rulewright.dsl.immutable import evolve, frozen
from rulewright.dsl.lowering.emit.code import Expr, negation
from rulewright.dsl.lowering.emit.core import BAD, Env, Typed
from rulewright.dsl.lowering.values import assuming
from rulewright.dsl.lowering.values.texts import MessageText
from rulewright.dsl.model import types
from rulewright.dsl.model.types import item_of
from rulewright.dsl.text.names import snake
from rulewright.dsl.text.plurals import plural
from rulewright.dsl.tree import syntax
from rulewright.dsl.tree.nesting import walk

_ORDERS = {"<": "not less than", ">": "not more than", "<=": "more than", ">=": "less than"}
_STATES = ("is_", "has_", "can_", "may_", "must_")
_IS = {"<": "less than", ">": "more than", "<=": "at most", ">=": "at least"}
_REVERSED: dict[str, syntax.Operator] = {"<": ">=", ">": "<=", "<=": ">", ">=": "<"}
_OPERATORS = {"+": "plus", "-": "minus", "*": "times"}


def conjuncts(e: syntax.Expression) -> list[syntax.Expression]:
    """Return the conditions that `and` joins, all of which must hold."""
    match e:
        case syntax.Binary(operator="and"):
            return [*conjuncts(e.left), *conjuncts(e.right)]
        case syntax.Unary(operator="not", operand=syntax.Binary(operator="or") as either):
            parts = either.left, either.right
            return [one for part in parts for one in conjuncts(evolve(e, operand=part))]
        case syntax.Unary(operator="not", operand=syntax.Unary(operator="not") as inner):
            return conjuncts(inner.operand)
        case _:
            return [e]


def lowered_conjuncts(condition: Typed) -> list[Typed]:
    """Return, in lowered form, the parts that `and` joins in a condition, all of which must hold."""
    match condition.e:
        case syntax.Binary(operator="and", left=left, right=right):
            return [
                one
                for side in condition.lowered_parts(left, right)
                for one in lowered_conjuncts(side)
            ]
        case syntax.Unary(operator="not", operand=syntax.Binary(operator="or") as either) as e:
            sides = condition.lowered_parts(either.left, either.right)
            return [one for side in sides for one in lowered_conjuncts(_negated_condition(e, side))]
        case syntax.Unary(operator="not", operand=syntax.Unary(operator="not", operand=inner)):
            return [
                one for same in condition.lowered_parts(inner) for one in lowered_conjuncts(same)
            ]
        case _:
            return [condition]


def _negated_condition(e: syntax.Unary, condition: Typed) -> Typed:
    assert condition.e is not None
    opposite = assuming.opposite(condition, negation(condition.code))
    return evolve(opposite, e=evolve(e, operand=condition.e), parts=(condition,))


def explanation(env: Env, condition: Typed) -> MessageText:
    """Return a message that says why a condition does not hold."""
    assert condition.e is not None
    words = _Sentences(env, condition).condition(condition.e)
    return join_words(env, *(words or ["its condition does not hold"]))


def why_left_out(env: Env, name: str, whole: Typed) -> MessageText:
    """Return a message that says why a thing is not among the things to choose from."""
    assert whole.e is not None
    source = _inner_source(whole.e)
    typed = whole.of(source) or whole
    thing = Typed(env.scope[name].type, env.scope[name].read())
    of = source.subject if isinstance(source, syntax.Dot) else None
    if isinstance(source, syntax.Dot) and source.name == "neighbors" and of is not None:
        return join_words(env, thing, " is not beside ", *whole.lowered_parts(of))
    where = [] if _is_value(env, source) else _Sentences(env, whole).place(source)
    if where:
        joint = "in" if isinstance(typed.type, (types.Zone, types.Number)) else "among"
        return join_words(env, thing, f" is not {joint} ", *where)
    words: Words = [thing, " is none of those to choose from"]
    if of is not None and not (isinstance(of, syntax.Word) and of.name == "me"):
        for known in whole.lowered_parts(of):
            words += [" for ", known] if known.type.is_thing else []
    return join_words(env, *words)


def none_left(env: Env, piece: syntax.Expression, source: syntax.Expression | None) -> str:
    """Describe a move that finds no piece: `there is no apple left in the bag`."""
    name = _row_words(env, piece)
    return f"there is {f'no {name} left' if name else 'no piece to move'}{_in_place(env, source)}"


def not_there(env: Env, piece: syntax.Expression, source: syntax.Expression | None) -> str:
    """Describe a piece that is not in the place that it should leave: `the apple is not in the bag`."""
    return f"the {_row_words(env, piece) or 'piece'} is not{_in_place(env, source) or ' there'}"


def _row_words(env: Env, e: syntax.Expression) -> str:
    """Return the name of a row in words; "" for any other expression. Everybody knows the piece that a row names."""
    name = e.span.text
    return _with_spaces(name) if name in env.c.model.row_names and name not in env.scope else ""


def _in_place(env: Env, place: syntax.Expression | None) -> str:
    """Return words such as ` in the bag` for a place, if the words are constant; "" otherwise."""
    words = _Sentences(env, BAD).place(place) if place is not None else []
    text = "".join(word for word in words if isinstance(word, str))
    return f" in {text}" if words and all(isinstance(word, str) for word in words) else ""


def _is_value(env: Env, source: syntax.Expression) -> bool:
    """Return whether a source is a named value. (Players never see the names of values.)"""
    model = env.c.model
    return isinstance(source, (syntax.Word, syntax.Call, syntax.Dot)) and (
        source.name in model.values or source.name in model.subject_values
    )


def _inner_source(source: syntax.Expression) -> syntax.Expression:
    """Return the source inside a list such as `list(c: Spell in hand)`. Return any other source unchanged."""
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


@frozen
class _Reason:
    """The sentence that the author gave for a named condition: its parts, and the procedures of its
    values with their arguments.
    """

    parts: tuple[str | ir.Shown | ir.Counted, ...]
    procedures: tuple[int, ...]
    arguments: tuple[Expr, ...]


Words: TypeAlias = list[str | Typed | _Reason]


def join_words(env: Env, *words: str | Typed | _Reason) -> MessageText:
    """Join words and values into a message."""
    parts: list[str | ir.Shown | ir.Counted] = []
    arguments: list[Expr] = []
    for word in words:
        match word:
            case str():
                parts.append(word)
            case Typed():
                parts.append(ir.Shown(len(arguments), env.c.domain(word.type)))
                arguments.append(word.code)
            case _Reason():
                first = len(arguments)
                parts += (
                    part if isinstance(part, str) else evolve(part, argument=first + part.argument)
                    for part in word.parts
                )
                arguments += (ir.CallValue(n, word.arguments) for n in word.procedures)
    return tuple(parts), tuple(arguments)


@frozen
class _Sentences:
    """Finds words for conditions and values. Each method returns None if there are no such words."""

    env: Env
    about: Typed

    def condition(self, e: syntax.Expression, *, holds: bool = False) -> Words | None:
        """Return words that say that a condition does not hold or, if `holds` is true, that it holds."""
        match e:
            case syntax.Unary(operator="not"):
                return self.condition(e.operand, holds=not holds)
            case syntax.Binary(operator="and" | "or"):
                return self.both(e, holds)
            case syntax.Binary(operator="<" | ">" | "<=" | ">="):
                return self.order(e if not holds else evolve(e, operator=_REVERSED[e.operator]))
            case syntax.Binary(operator="is" | "is not"):
                return self.equality(e, (e.operator == "is") == holds)
            case syntax.Binary(operator="in" | "not in"):
                return self.membership(e, (e.operator == "in") == holds)
            case syntax.Query(word="any" | "all"):
                return self.query(e, holds)
            case syntax.Call() | syntax.Dot() | syntax.Word():
                said = None if holds else self.author_sentence(e)
                if said is not None:
                    return said
                return (
                    self.state(e, holds)
                    if isinstance(e, syntax.Dot)
                    else self.condition_name(e, holds)
                )
            case syntax.WrittenValue() | syntax.Operation():
                return None

    def both(self, e: syntax.Binary, holds: bool) -> Words | None:
        """Return words for `a or b` when neither side holds; if `holds` is true, return words for
        `a and b` when both sides hold.
        """
        if holds != (e.operator == "and"):
            return None  # the state decides which of the two conditions holds
        left, right = (self.condition(side, holds=holds) for side in (e.left, e.right))
        return None if left is None or right is None else [*left, " and ", *right]

    def author_sentence(self, e: syntax.Call | syntax.Dot | syntax.Word) -> Words | None:
        """Return the sentence that the author gave for a named condition."""
        found = self.about.of(e)
        code = None if found is None else found.code
        if not isinstance(code, ir.CallValue):
            return None
        values = self.env.c.values.values()
        info = next((info for info in values if info.procedure == code.procedure), None)
        if info is None or info.reason is None:
            return None
        return [_Reason(*info.reason, code.arguments)]

    def condition_name(self, e: syntax.Call | syntax.Word, holds: bool) -> Words | None:
        """Return words for a condition such as `is_winter` or `are_near(a, b)`: its name and its arguments."""
        if isinstance(e, syntax.Word) and e.name in self.env.scope:
            return None
        typed = self.shown_value(e)
        arguments = e.arguments if isinstance(e, syntax.Call) else ()
        shown = [self.thing(argument) for argument in arguments]
        if typed is None or not isinstance(typed.type, types.Flag):
            return None
        said: Words = [f"{_with_spaces(e.name)} {'holds' if holds else 'does not hold'}"]
        for n, words in enumerate(one for one in shown if one is not None):
            said += [" and " if n else " for ", *words]
        return said

    def query(self, e: syntax.Query, holds: bool) -> Words | None:
        """Return words for a query.

        For `any(m in me.hand where m.front is face)`, the words say that something meets the
        condition, or that nothing does. For `all`, the words say that each thing meets the
        condition, or that not every thing does.
        """
        condition = e.body if e.where is None else e.where
        if len(e.binders) != 1 or (e.where is not None and e.body is not None):
            return None
        found = self.members(e.binders[0])
        if found is None:
            return None
        is_such = [] if condition is None else self.member_condition(condition, e.binders[0].name)
        if e.word == "all":
            return ["each " if holds else "not every ", *found, " fits"]
        such: Words = [" that fits"] if is_such is None else is_such
        return ["there is a " if holds else "there is no ", *found, *such]

    def members(self, binder: syntax.Binder) -> Words | None:
        """Return words for the members of a query, such as `tool in the shop`."""
        typed = self.about.of(binder.source) or BAD
        of = item_of(typed.type)
        if isinstance(typed.type, types.Zone) and typed.group is not None:
            of = typed.group.type
        names = of.names if of is not None else ()
        if isinstance(binder.source, syntax.TypeWord):
            return [_with_spaces(snake(binder.source.name))]
        if isinstance(binder.source, syntax.Word) and binder.source.name == "players":
            return ["player"]
        noun = _with_spaces(snake(names[0])) if len(names) == 1 else "one"
        where = self.place(binder.source)
        if not where or _is_value(self.env, binder.source):
            return [noun]
        return [noun, " in " if isinstance(typed.type, types.Zone) else " among ", *where]

    def member_condition(self, e: syntax.Expression, name: str) -> Words | None:
        """Return words that describe a member by the condition that it meets, such as ` with price 3`."""
        match e:
            case syntax.Binary(operator="and"):
                left, right = (self.member_condition(side, name) for side in (e.left, e.right))
                return None if left is None or right is None else [*left, " and", *right]
            case syntax.Unary(operator="not", operand=syntax.Dot() as of) | (syntax.Dot() as of):
                if not _is_plain(of, name):
                    return None
                verb, rest = _split_verb(of.name)
                return [f" that {verb} {'' if of is e else 'not '}{rest}"]
            case syntax.Binary(
                operator="is" | "is not" | "<" | ">" | "<=" | ">=", left=syntax.Dot() as of
            ):
                return self.comparison(e, of, name)
            case _:
                return None

    def comparison(self, e: syntax.Binary, of: syntax.Dot, name: str) -> Words | None:
        """Return words such as ` with front red` or ` with price at least 3` for a comparison with
        one value. The value must be the same for all members.
        """
        if not _is_plain(of, name) or _mentions(e.right, name):
            return None
        typed = None if isinstance(e.right, syntax.Fixed) else self.shown_value(e.right)
        right = e.right.word if isinstance(e.right, syntax.Fixed) else typed
        if right is None or (typed is not None and isinstance(typed.type, types.Several)):
            return None
        how = {"is": "", "is not": "other than "}.get(e.operator, f"{_IS.get(e.operator, '')} ")
        return [f" with {_with_spaces(of.name)} {how}", right]

    def order(self, e: syntax.Binary) -> Words | None:
        left, right = self.shown_value(e.left), self.shown_value(e.right)
        if left is None or right is None:
            return None
        if not (isinstance(left.type, types.Number) and isinstance(right.type, types.Number)):
            return None
        said = self.number(e.left, left) or ["it comes to ", left, ","]
        said += [f" {_ORDERS[e.operator]} ", right]
        named = None if isinstance(e.right, syntax.Number) else self.thing(e.right)
        if named is not None and not (len(named) == 1 and isinstance(named[0], Typed)):
            said += [" (", *named, ")"]
        return said

    def number(self, e: syntax.Expression, typed: Typed) -> Words | None:
        """Describe a number by its name and value, as in `rank of wolf is 1,`. If the player chose
        the number, give only the value.
        """
        match e:
            case syntax.Word() if e.name in self.env.scope:
                return [typed, " is"]
            case syntax.Word() | syntax.Dot(arguments=None):
                words = self.thing(e)
            case syntax.Call() | syntax.Dot():
                words = self.call(e)
            case syntax.Binary(operator="+" | "-" | "*"):
                words = self.sum(e)
            case syntax.Query(word="count", binders=(binder,), body=None):
                words = self.count(e, binder)
            case syntax.WrittenValue() | syntax.Operation():
                return None
        return None if words is None else [*words, " is ", typed, ","]

    def sum(self, e: syntax.Expression) -> Words | None:
        """Return words for a sum, such as `price of axe plus 1`."""
        match e:
            case syntax.Binary(operator="+" | "-" | "*"):
                left, right = self.sum(e.left), self.sum(e.right)
                if left is None or right is None or isinstance(e.right, syntax.Binary):
                    return None
                return [*left, f" {_OPERATORS[e.operator]} ", *right]
            case syntax.Call() | syntax.Dot():
                return self.thing(e) or self.call(e)
            case syntax.WrittenValue() | syntax.Operation() | syntax.Word():
                return self.thing(e)

    def count(self, e: syntax.Query, binder: syntax.Binder) -> Words | None:
        """Return words for a count, such as `number of tools in the shop with price 3`."""
        found = self.members(binder)
        such = [] if e.where is None else self.member_condition(e.where, binder.name)
        if found is None or such is None or not isinstance(found[0], str):
            return None
        return [f"number of {plural(found[0])}", *found[1:], *such]

    def equality(self, e: syntax.Binary, holds: bool) -> Words | None:
        if isinstance(e.right, syntax.Fixed):
            return self.fixed_word(e.left, e.right.word, holds)
        left, right = self.shown_value(e.left), self.shown_value(e.right)
        if left is None or right is None:
            return None
        chosen = isinstance(e.left, syntax.Word) and e.left.name in self.env.scope
        if holds and chosen and isinstance(e.right, syntax.Word) and e.right.name == "me":
            return ["you cannot choose yourself"]
        if holds and chosen:
            return [left, " cannot be chosen here"]
        words: Words | None = [left] if chosen else self.thing(e.left)
        return None if words is None else [*words, " is " if holds else " is not ", right]

    def fixed_word(self, e: syntax.Expression, word: str, holds: bool) -> Words | None:
        if word in ("yes", "no"):
            return self.condition(e, holds=holds == (word == "yes"))
        words = self.thing(e)
        if isinstance(e, syntax.Word) and e.name in self.env.scope:
            words = [_with_spaces(e.name)]
        if words is None:
            return None
        if word == "nothing":
            return ["there is no " if holds else "there is a ", *words]
        return [*words, " is empty" if holds else " is not empty"]

    def membership(self, e: syntax.Binary, holds: bool) -> Words | None:
        left, where = self.thing(e.left), self.place(e.right)
        if left is None or not where:
            return None
        typed = self.shown_value(e.right)
        joint = "in " if typed is not None and isinstance(typed.type, types.Zone) else "among "
        return [*left, " is " if holds else " is not ", joint, *where]

    def state(self, e: syntax.Dot, holds: bool) -> Words | None:
        """Return words for a condition such as `p.is_protected` or `a.can_reach(b)`.

        For `me.is_protected`, the words are `you are not protected` or, if `holds` is true, `you
        are protected`.
        """
        typed, of = self.shown_value(e), self.thing(e.subject)
        shown = [self.thing(argument) for argument in e.arguments or ()]
        if typed is None or of is None or not isinstance(typed.type, types.Flag) or None in shown:
            return None
        verb, rest = _split_verb(e.name)
        if of == ["you"]:
            verb = {"is": "are", "has": "have"}.get(verb, verb)
        joined = "cannot" if verb == "can" and not holds else f"{verb}{'' if holds else ' not'}"
        said: Words = [*of, f" {joined} {rest}"]
        for n, words in enumerate(shown):
            said += [" and " if n else " ", *(words or ())]
        return said

    def thing(self, e: syntax.Expression) -> Words | None:
        """Return words for an expression, such as `wolf`, `rank of wolf` or `your coins`."""
        match e:
            case syntax.Word(name="me"):
                return ["you"]
            case syntax.Word() if e.name in self.env.scope:
                typed = self.shown_value(e)
                return None if typed is None or isinstance(typed.type, types.Several) else [typed]
            case syntax.Word():
                return [_with_spaces(e.name)]
            case syntax.Number():
                return [str(e.value)]
            case syntax.Dot(arguments=None, name="size"):
                counted = self.place(e.subject)
                return ["number of ", *counted] if counted else None
            case syntax.Dot(arguments=None, subject=syntax.Word(name="me")):
                return [f"your {_with_spaces(e.name)}"]
            case syntax.Dot(arguments=None):
                of = self.thing(e.subject)
                return None if of is None else [f"{_with_spaces(e.name)} of ", *of]
            case syntax.WrittenValue() | syntax.Operation() | syntax.Call() | syntax.Dot():
                return None

    def call(self, e: syntax.Call | syntax.Dot) -> Words | None:
        """Return words for a call, such as `price of wolf (saw)`."""
        inside: Words = []
        for argument in e.arguments or ():
            typed = self.shown_value(argument)
            if typed is None or isinstance(typed.type, types.Several):
                return None
            inside += [", ", typed] if inside else [typed]
        front: Words = [_with_spaces(e.name)]
        if isinstance(e, syntax.Dot):
            of = self.thing(e.subject)
            if of is None:
                return None
            front = [f"your {_with_spaces(e.name)}"] if of == ["you"] else [*front, " of ", *of]
        return [*front, " (", *inside, ")"] if inside else front

    def place(self, e: syntax.Expression) -> Words:
        """Return words for a place or a group of things; an empty list if there are no such words."""
        match e:
            case syntax.Word() if e.name not in self.env.scope:
                return [f"the {_with_spaces(e.name)}"]
            case syntax.Dot(arguments=None):
                of = self.thing(e) or []
                is_owned = bool(of) and isinstance(of[0], str) and of[0].endswith(" of ")
                return ["the ", *of] if is_owned else of
            case syntax.Binary(operator=".."):
                left, right = self.shown_value(e.left), self.shown_value(e.right)
                return [] if left is None or right is None else [left, " to ", right]
            case _:
                return []

    def shown_value(self, e: syntax.Expression) -> Typed | None:
        """Return the lowered expression if its value can be shown in a message."""
        typed = self.about.of(e)
        unshown = (types.Tokens, types.Text, types.Nothing, types.Empty)
        return None if typed is None or isinstance(typed.type, unshown) else typed


def _with_spaces(name: str) -> str:
    return name.replace("_", " ")


def _split_verb(name: str) -> tuple[str, str]:
    """Return the verb at the beginning of a name, and the rest of the name."""
    head = next((head for head in _STATES if name.startswith(head)), "")
    return head.rstrip("_") or "is", _with_spaces(name.removeprefix(head))


def _is_plain(e: syntax.Dot, name: str) -> bool:
    """Return whether an expression is an attribute without arguments of the member of a query."""
    return e.arguments is None and isinstance(e.subject, syntax.Word) and e.subject.name == name


def _mentions(e: syntax.Expression, name: str) -> bool:
    return any(isinstance(part, syntax.Word) and part.name == name for part in walk(e))

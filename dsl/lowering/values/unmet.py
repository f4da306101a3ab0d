"""Explains in words why a condition does not hold, as in `rank of wolf is 1, not more than 2`.

If the author wrote a sentence for a named condition, that sentence is the explanation. An
explanation never contains a formula.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from rulewright.dsl import ir
from rulewright.dsl.immutable import evolve
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
    words = _SentenceBuilder(env, condition)
    assert condition.e is not None
    if not words.add_condition(condition.e):
        words = _SentenceBuilder(env, condition)
        words.add_text("its condition does not hold")
    return tuple(words.parts), tuple(words.arguments)


def why_left_out(env: Env, name: str, whole: Typed) -> MessageText:
    """Return a message that says why a thing is not among the things to choose from."""
    assert whole.e is not None
    source = _inner_source(whole.e)
    typed = whole.of(source) or whole
    words = _SentenceBuilder(env, whole)
    words.add_value(env.scope[name].type, env.scope[name].read())
    of = source.subject if isinstance(source, syntax.Dot) else None
    if isinstance(source, syntax.Dot) and source.name == "neighbors" and of is not None:
        words.add_text(" is not beside ")
        words.add(whole.lowered_parts(of))
        return tuple(words.parts), tuple(words.arguments)
    where = [] if _is_value(env, source) else words.place_words(source)
    if where:
        words.add_text(
            f" is not {'in' if isinstance(typed.type, (types.Zone, types.Number)) else 'among'} "
        )
        words.add(where)
    else:
        words.add_text(" is none of those to choose from")
        if of is not None and not (isinstance(of, syntax.Word) and of.name == "me"):
            for known in whole.lowered_parts(of):
                words.add([" for ", known] if known.type.is_thing else [])
    return tuple(words.parts), tuple(words.arguments)


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
    words = _SentenceBuilder(env, BAD).place_words(place) if place is not None else []
    text = "".join(word for word in words if isinstance(word, str))
    return f" in {text}" if words and all(isinstance(word, str) for word in words) else ""


def join_words(env: Env, *words_of: str | Typed) -> MessageText:
    """Join words and values into a message."""
    words = _SentenceBuilder(env, BAD)
    words.add(words_of)
    return tuple(words.parts), tuple(words.arguments)


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


@dataclass
class _SentenceBuilder:
    """Builds a sentence from words and values."""

    env: Env
    about: Typed
    parts: list[str | ir.Shown | ir.Counted] = field(default_factory=list)
    arguments: list[Expr] = field(default_factory=list)

    def add_text(self, text: str) -> None:
        self.parts.append(text)

    def add(self, said: Sequence[str | Typed]) -> None:
        for part in said:
            if isinstance(part, str):
                self.add_text(part)
            else:
                self.add_value(part.type, part.code)

    def add_value(self, type: object, code: Expr) -> None:
        domain = self.env.c.domain(type)  # type: ignore[arg-type]  # a type
        self.parts.append(ir.Shown(len(self.arguments), domain))
        self.arguments.append(code)

    def add_condition(self, e: syntax.Expression, *, holds: bool = False) -> bool:
        """Add words that say that a condition does not hold or, if `holds` is true, that it holds.

        Return whether words were added.
        """
        match e:
            case syntax.Unary(operator="not"):
                return self.add_condition(e.operand, holds=not holds)
            case syntax.Binary(operator="and" | "or"):
                return self.add_both(e, holds)
            case syntax.Binary(operator="<" | ">" | "<=" | ">="):
                return self.add_order(e if not holds else evolve(e, operator=_REVERSED[e.operator]))
            case syntax.Binary(operator="is" | "is not"):
                return self.add_equality(e, (e.operator == "is") == holds)
            case syntax.Binary(operator="in" | "not in"):
                return self.add_membership(e, (e.operator == "in") == holds)
            case syntax.Query(word="any" | "all"):
                return self.add_query(e, holds)
            case syntax.Call() | syntax.Dot() | syntax.Word():
                if not holds and self.add_author_sentence(e):
                    return True
                return (
                    self.add_state(e, holds)
                    if isinstance(e, syntax.Dot)
                    else self.add_named(e, holds)
                )
            case syntax.WrittenValue() | syntax.Operation():
                return False

    def try_adding(self, say: Callable[[], bool]) -> bool:
        """Call a function that adds words to the sentence, and return its result.

        If the result is false, restore the sentence.
        """
        parts, arguments = len(self.parts), len(self.arguments)
        is_said = say()
        if not is_said:
            del self.parts[parts:]
            del self.arguments[arguments:]
        return is_said

    def add_both(self, e: syntax.Binary, holds: bool) -> bool:
        """Add words for `a or b` when neither side holds; if `holds` is true, add words for `a and
        b` when both sides hold.
        """
        if holds != (e.operator == "and"):
            return False  # the state decides which of the two conditions holds
        if not self.add_condition(e.left, holds=holds):
            return False
        self.add_text(" and ")
        return self.add_condition(e.right, holds=holds)

    def add_author_sentence(self, e: syntax.Call | syntax.Dot | syntax.Word) -> bool:
        """Add the sentence that the author gave for a named condition. Return False if the author gave none."""
        found = self.about.of(e)
        code = None if found is None else found.code
        if not isinstance(code, ir.CallValue):
            return False
        values = self.env.c.values.values()
        info = next((info for info in values if info.procedure == code.procedure), None)
        if info is None or info.reason is None:
            return False
        parts, procedures = info.reason
        first = len(self.arguments)
        for part in parts:
            moved = part if isinstance(part, str) else evolve(part, argument=first + part.argument)
            self.parts.append(moved)
        self.arguments += (ir.CallValue(index, code.arguments) for index in procedures)
        return True

    def add_named(self, e: syntax.Call | syntax.Word, holds: bool) -> bool:
        """Add words for a condition such as `is_winter` or `are_near(a, b)`: its name and its arguments."""
        if isinstance(e, syntax.Word) and e.name in self.env.scope:
            return False
        typed = self.shown_value(e)
        arguments = e.arguments if isinstance(e, syntax.Call) else ()
        shown = [self.thing_words(argument) for argument in arguments]
        if typed is None or not isinstance(typed.type, types.Flag):
            return False
        self.add_text(f"{_with_spaces(e.name)} {'holds' if holds else 'does not hold'}")
        for n, words in enumerate(one for one in shown if one is not None):
            self.add_text(" and " if n else " for ")
            self.add(words)
        return True

    def add_query(self, e: syntax.Query, holds: bool) -> bool:
        """Add words for a query.

        For `any(m in me.hand where m.front is face)`, the words say that something meets the
        condition, or that nothing does. For `all`, the words say that each thing meets the
        condition, or that not every thing does.
        """
        condition = e.body if e.where is None else e.where
        if len(e.binders) != 1 or (e.where is not None and e.body is not None):
            return False
        found = self.member_words(e.binders[0])
        if found is None:
            return False
        is_such = [] if condition is None else self.condition_words(condition, e.binders[0].name)
        if e.word == "all":
            is_such = None
        if e.word == "all":
            self.add_text("each " if holds else "not every ")
        else:
            self.add_text("there is a " if holds else "there is no ")
        self.add(found)
        if is_such is None:
            self.add_text(" that fits" if e.word == "any" else " fits")
        self.add(is_such or ())
        return True

    def member_words(self, binder: syntax.Binder) -> list[str | Typed] | None:
        """Return words for the members of a query, such as `tool in the shop`; None if there are no such words."""
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
        where = self.place_words(binder.source)
        if not where or _is_value(self.env, binder.source):
            return [noun]
        return [noun, " in " if isinstance(typed.type, types.Zone) else " among ", *where]

    def condition_words(self, e: syntax.Expression, name: str) -> list[str | Typed] | None:
        """Return words that describe a member by the condition that it meets, such as ` with price
        3`; None if there are no such words.
        """
        match e:
            case syntax.Binary(operator="and"):
                left, right = (
                    self.condition_words(e.left, name),
                    self.condition_words(e.right, name),
                )
                return None if left is None or right is None else [*left, " and", *right]
            case syntax.Unary(operator="not", operand=syntax.Dot() as inner):
                return self.state_words(inner, name, "not ")
            case syntax.Dot():
                return self.state_words(e, name, "")
            case syntax.Binary(
                operator="is" | "is not" | "<" | ">" | "<=" | ">=", left=syntax.Dot() as of
            ):
                return self.comparison_words(e, of, name)
            case _:
                return None

    def state_words(self, e: syntax.Dot, name: str, not_: str) -> list[str | Typed] | None:
        if not _is_plain(e, name):
            return None
        verb, rest = _split_verb(e.name)
        return [f" that {verb} {not_}{rest}"]

    def comparison_words(
        self, e: syntax.Binary, of: syntax.Dot, name: str
    ) -> list[str | Typed] | None:
        """Return words such as ` with front red` or ` with price at least 3` for a comparison with one value.

        Return None if the value differs from member to member or has no words.
        """
        if not _is_plain(of, name) or _mentions(e.right, name):
            return None
        right: list[str | Typed] | None
        if isinstance(e.right, syntax.Fixed):
            right = [e.right.word]
        else:
            typed = self.shown_value(e.right)
            right = None if typed is None or isinstance(typed.type, types.Several) else [typed]
        if right is None:
            return None
        how = {"is": "", "is not": "other than "}.get(e.operator, f"{_IS.get(e.operator, '')} ")
        return [f" with {_with_spaces(of.name)} {how}", *right]

    def add_order(self, e: syntax.Binary) -> bool:
        left, right = self.shown_value(e.left), self.shown_value(e.right)
        numbers = [
            one for one in (left, right) if one is not None and isinstance(one.type, types.Number)
        ]
        if left is None or right is None or len(numbers) < 2:
            return False
        if not self.try_adding(lambda: self.add_number(e.left, left)):
            self.add_text("it comes to ")
            self.add_value(left.type, left.code)
            self.add_text(",")
        self.add_text(f" {_ORDERS[e.operator]} ")
        self.add_value(right.type, right.code)
        named = None if isinstance(e.right, syntax.Number) else self.thing_words(e.right)
        if named is not None and not (len(named) == 1 and isinstance(named[0], Typed)):
            self.add_text(" (")
            self.add(named)
            self.add_text(")")
        return True

    def add_number(self, e: syntax.Expression, typed: Typed) -> bool:
        """Describe a number by its name and value, as in `rank of wolf is 1,`. If the player chose
        the number, give only the value.
        """
        match e:
            case syntax.Word() if e.name in self.env.scope:
                self.add_value(typed.type, typed.code)
                self.add_text(" is")
                return True
            case syntax.Word() | syntax.Dot(arguments=None):
                words = self.thing_words(e)
            case syntax.Call() | syntax.Dot():
                words = self.call_words(e)
            case syntax.Binary(operator="+" | "-" | "*"):
                words = self.sum_words(e)
            case syntax.Query(word="count", binders=(binder,), body=None):
                words = self.count_words(e, binder)
            case syntax.WrittenValue() | syntax.Operation():
                return False
        if words is None:
            return False
        self.add(words)
        self.add_text(" is ")
        self.add_value(typed.type, typed.code)
        self.add_text(",")
        return True

    def sum_words(self, e: syntax.Expression) -> list[str | Typed] | None:
        """Return words for a sum, such as `price of axe plus 1`; None if there are no such words."""
        match e:
            case syntax.Binary(operator="+" | "-" | "*"):
                left, right = self.sum_words(e.left), self.sum_words(e.right)
                if left is None or right is None or isinstance(e.right, syntax.Binary):
                    return None
                return [*left, f" {_OPERATORS[e.operator]} ", *right]
            case syntax.Call() | syntax.Dot():
                return self.thing_words(e) or self.call_words(e)
            case syntax.WrittenValue() | syntax.Operation() | syntax.Word():
                return self.thing_words(e)

    def count_words(self, e: syntax.Query, binder: syntax.Binder) -> list[str | Typed] | None:
        """Return words for a count, such as `number of tools in the shop with price 3`; None if
        there are no such words.
        """
        found = self.member_words(binder)
        such = [] if e.where is None else self.condition_words(e.where, binder.name)
        if found is None or such is None or not isinstance(found[0], str):
            return None
        return [f"number of {plural(found[0])}", *found[1:], *such]

    def add_equality(self, e: syntax.Binary, holds: bool) -> bool:
        if isinstance(e.right, syntax.Fixed):
            return self.add_fixed(e.left, e.right.word, holds)
        left, right = self.shown_value(e.left), self.shown_value(e.right)
        if left is None or right is None:
            return False
        chosen = isinstance(e.left, syntax.Word) and e.left.name in self.env.scope
        if holds and chosen and isinstance(e.right, syntax.Word) and e.right.name == "me":
            self.add_text("you cannot choose yourself")
            return True
        if holds and chosen:
            self.add_value(left.type, left.code)
            self.add_text(" cannot be chosen here")
            return True
        if chosen:
            self.add_value(left.type, left.code)
        else:
            words = self.thing_words(e.left)
            if words is None:
                return False
            self.add(words)
        self.add_text(" is " if holds else " is not ")
        self.add_value(right.type, right.code)
        return True

    def add_fixed(self, e: syntax.Expression, word: str, holds: bool) -> bool:
        if word in ("yes", "no"):
            return self.add_condition(e, holds=holds == (word == "yes"))
        words = self.thing_words(e)
        if isinstance(e, syntax.Word) and e.name in self.env.scope:
            words = [_with_spaces(e.name)]
        if words is None:
            return False
        if word == "nothing":
            self.add_text("there is no " if holds else "there is a ")
            self.add(words)
            return True
        self.add(words)
        self.add_text(" is empty" if holds else " is not empty")
        return True

    def add_membership(self, e: syntax.Binary, holds: bool) -> bool:
        left, where = self.thing_words(e.left), self.place_words(e.right)
        if left is None or not where:
            return False
        self.add(left)
        self.add_text(" is " if holds else " is not ")
        typed = self.shown_value(e.right)
        self.add_text(
            "in " if typed is not None and isinstance(typed.type, types.Zone) else "among "
        )
        self.add(where)
        return True

    def add_state(self, e: syntax.Dot, holds: bool) -> bool:
        """Add words for a condition such as `p.is_protected` or `a.can_reach(b)`.

        For `me.is_protected`, the words are `you are not protected` or, if `holds` is true, `you
        are protected`.
        """
        typed, of = self.shown_value(e), self.thing_words(e.subject)
        shown = [self.thing_words(argument) for argument in e.arguments or ()]
        if typed is None or of is None or not isinstance(typed.type, types.Flag) or None in shown:
            return False
        self.add(of)
        verb, rest = _split_verb(e.name)
        if of == ["you"]:
            verb = {"is": "are", "has": "have"}.get(verb, verb)
        joined = "cannot" if verb == "can" and not holds else f"{verb}{'' if holds else ' not'}"
        self.add_text(f" {joined} {rest}")
        for n, words in enumerate(shown):
            self.add_text(" and " if n else " ")
            self.add(words or ())
        return True

    def thing_words(self, e: syntax.Expression) -> list[str | Typed] | None:
        """Return words for an expression, such as `wolf`, `rank of wolf` or `your coins`; None if
        there are no such words.
        """
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
                counted = self.place_words(e.subject)
                return ["number of ", *counted] if counted else None
            case syntax.Dot(arguments=None, subject=syntax.Word(name="me")):
                return [f"your {_with_spaces(e.name)}"]
            case syntax.Dot(arguments=None):
                of = self.thing_words(e.subject)
                return None if of is None else [f"{_with_spaces(e.name)} of ", *of]
            case syntax.WrittenValue() | syntax.Operation() | syntax.Call() | syntax.Dot():
                return None

    def call_words(self, e: syntax.Call | syntax.Dot) -> list[str | Typed] | None:
        """Return words for a call, such as `price of wolf (saw)`; None if there are no such words."""
        arguments = e.arguments or ()
        words_of = [self.shown_value(argument) for argument in arguments]
        inside: list[str | Typed] = []
        for typed in words_of:
            if typed is None or isinstance(typed.type, types.Several):
                return None
            inside += [", ", typed] if inside else [typed]
        front: list[str | Typed] = [_with_spaces(e.name)]
        if isinstance(e, syntax.Dot):
            of = self.thing_words(e.subject)
            if of is None:
                return None
            front = [f"your {_with_spaces(e.name)}"] if of == ["you"] else [*front, " of ", *of]
        return [*front, " (", *inside, ")"] if inside else front

    def place_words(self, e: syntax.Expression) -> list[str | Typed]:
        """Return words for a place or a group of things; an empty list if there are no such words."""
        match e:
            case syntax.Word() if e.name not in self.env.scope:
                return [f"the {_with_spaces(e.name)}"]
            case syntax.Dot(arguments=None):
                of = self.thing_words(e) or []
                is_owned = bool(of) and isinstance(of[0], str) and of[0].endswith(" of ")
                return ["the ", *of] if is_owned else of
            case syntax.Binary(operator=".."):
                return self.range_words(e)
            case _:
                return []

    def range_words(self, e: syntax.Binary) -> list[str | Typed]:
        """Return a range in words; an empty list if an end cannot be shown."""
        left, right = self.shown_value(e.left), self.shown_value(e.right)
        return [] if left is None or right is None else [left, " to ", right]

    def shown_value(self, e: syntax.Expression) -> Typed | None:
        """Return the lowered expression if its value can be shown in a message; None otherwise."""
        typed = self.about.of(e)
        if typed is None or isinstance(
            typed.type, (types.Tokens, types.Text, types.Nothing, types.Empty)
        ):
            return None
        return typed


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

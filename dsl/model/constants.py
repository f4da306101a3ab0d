"""Before the game starts, computes constants from the number of players, the options and a table row."""

from __future__ import annotations

import operator as op
from collections.abc import Callable, Iterable, Mapping, Sequence

from rulewright.dsl.diagnostics.advice import Help, one_of, write
from rulewright.dsl.diagnostics.suggest import did_you_mean
from rulewright.dsl.tree import syntax
from rulewright.dsl.tree.nesting import walk

Lookup = Callable[[str], "int | None"]
Key = tuple["int | None", str]
"""A key of a table: its number and its word. The number is None if the key is not a number."""
TableLookup = Callable[[str, tuple[Key, ...], str], "int | None"]
AttributeLookup = Callable[[str, str], "int | None"]
"""Given a column of the row and an attribute, returns this attribute of the cell's content."""


class NotConstant(Exception):
    """Raised if an expression has a value only during a match. `place` is the smallest part of the
    expression that is not constant.
    """

    def __init__(self, place: syntax.Expression, why: str, help: Help = "") -> None:
        super().__init__(why)
        self.place = place
        self.why = why
        self.help = help

    def name_help(self, names: Iterable[str]) -> Help:
        """Return help for the expression if the author may mean one of these names; "" otherwise."""
        match self.place:
            case syntax.Word(name=name):
                return self.help or did_you_mean(name, names)
            case syntax.TypeWord(name=name):
                small = name[:1].lower() + name[1:]
                return write(small) if small in [*names] else self.help
            case syntax.Dot(name=name, arguments=None):
                return write(name) if name in [*names] else self.help
            case syntax.WrittenValue() | syntax.Operation() | syntax.Call() | syntax.Dot():
                return self.help


def constant(
    expression: syntax.Expression,
    word: Lookup,
    table: TableLookup | None = None,
    attribute: AttributeLookup | None = None,
) -> int:
    """Return the integer value of an expression.

    Flags are 0 and 1, and `nothing` is -1. Raise `NotConstant` if the value is not constant.
    """

    def work(e: syntax.Expression) -> int:
        match e:
            case syntax.Number():
                return e.value
            case syntax.Fixed():
                if e.word == "empty":
                    raise NotConstant(e, "`empty` is not a number")
                return {"yes": 1, "no": 0, "nothing": -1}[e.word]
            case syntax.Word():
                found = word(e.name)
                if found is None:
                    raise NotConstant(e, f"`{e.name}` is not known before the game starts")
                return found
            case syntax.Unary():
                value = work(e.operand)
                return -value if e.operator == "-" else int(not value)
            case syntax.IfElse():
                return work(e.then) if work(e.condition) else work(e.otherwise)
            case syntax.By():
                subject = work(e.subject)
                for case in e.cases:
                    first = work(case.first)
                    last = work(case.last) if case.last is not None else first
                    if first <= subject <= last:
                        return work(case.value)
                if e.otherwise is None:
                    lacks = f"write `{subject} then ...` for it, or `else ...` for all others"
                    raise NotConstant(e, f"no line of this table fits {subject}", lacks)
                return work(e.otherwise)
            case syntax.Binary():
                return _binary(e, work)
            case syntax.Call(name="mod" | "div_up" as name, arguments=(first_part, second_part)):
                whole, by = work(first_part), work(second_part)
                if by == 0:
                    raise NotConstant(e, "a division by zero")
                return whole % by if name == "mod" else -(-whole // by)
            case syntax.Call(name="abs", arguments=(part,)):
                return abs(work(part))
            case syntax.Call(name="min" | "max" as name) if e.arguments:
                values = [work(a) for a in e.arguments]
                return min(values) if name == "min" else max(values)
            case syntax.Dot(subject=syntax.Lookup() as row) if (
                e.arguments is None and table is not None
            ):
                keys = tuple(_key(a, word, work) for a in row.arguments)
                found_cell = table(row.name, keys, e.name)
                if found_cell is None:
                    raise NotConstant(e, f"no such cell in `{row.name}`")
                return found_cell
            case syntax.Dot(subject=syntax.Word(name=name)) if (
                e.arguments is None and attribute is not None
            ):
                known = attribute(name, e.name)
                if known is None:
                    raise NotConstant(e, f"`{e.span.text}` is not known before the game starts")
                return known
            case (
                syntax.Text()
                | syntax.TypeWord()
                | syntax.Call()
                | syntax.Lookup()
                | syntax.Dot()
                | syntax.ListOf()
                | syntax.Possible()
                | syntax.Query()
            ):
                raise NotConstant(e, "this is not known before the game starts")

    return work(expression)


def no_value(
    expression: syntax.Expression, options: Mapping[str, Sequence[str]]
) -> tuple[syntax.Expression, str, Help] | None:
    """Return the place, the message and the help for the first comparison of an option with a value
    that the option never has.

    Return None if there is no such comparison.
    """
    for part in walk(expression):
        match part:
            case syntax.Binary(
                operator="is" | "is not", left=syntax.Word(name=option), right=said
            ) if option in options:
                values = options[option]
            case _:
                continue
        match said:
            case syntax.Word(name=name) if name in options or name in values:
                continue
            case syntax.Fixed(word=name) | syntax.Word(name=name):
                word = name
            case syntax.TypeWord(name=name):
                word = name
            case syntax.Number(value=number):
                word = str(number)
            case syntax.Operation() | syntax.Text() | syntax.Call() | syntax.Dot():
                continue
        if word not in values:
            near = word.lower() if word.lower() in values else ""
            return (
                said,
                f"the option `{option}` has no value `{word}`",
                "write " + one_of([near] if near else values),
            )
    return None


def _key(e: syntax.Expression, word: Lookup, work: Callable[[syntax.Expression], int]) -> Key:
    """Return a key of a table: a number, or the name of a row or option. Only the table can interpret a name."""
    return (word(e.name), e.name) if isinstance(e, syntax.Word) else (work(e), "")


def _binary(e: syntax.Binary, work: Callable[[syntax.Expression], int]) -> int:
    if e.operator == "and":
        return int(bool(work(e.left)) and bool(work(e.right)))
    if e.operator == "or":
        return int(bool(work(e.left)) or bool(work(e.right)))
    if e.operator in ("in", "not in"):
        left = work(e.left)
        if isinstance(e.right, syntax.ListOf):
            found = any(left == work(item) for item in e.right.items)
        elif isinstance(e.right, syntax.Binary) and e.right.operator == "..":
            found = work(e.right.left) <= left <= work(e.right.right)
        else:
            found = left == work(e.right)
        return int(found == (e.operator == "in"))
    left, right = work(e.left), work(e.right)
    if e.operator == "/" and right == 0:
        raise NotConstant(e, "a division by zero")
    if e.operator not in _OPERATIONS:
        raise NotConstant(e, "this is not a single number")
    return int(_OPERATIONS[e.operator](left, right))


_OPERATIONS: Mapping[str, Callable[[int, int], int]] = {
    "+": op.add,
    "-": op.sub,
    "*": op.mul,
    "/": op.floordiv,
    "is": op.eq,
    "is not": op.ne,
    "<": op.lt,
    ">": op.gt,
    "<=": op.le,
    ">=": op.ge,
}

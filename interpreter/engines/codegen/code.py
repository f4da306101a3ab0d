"""Represents pieces of Python code, with the facts needed to combine them. This module does not
depend on the core IR."""

from __future__ import annotations

import operator
import re
from array import array
from collections.abc import Callable
from typing import NamedTuple, TypeAlias

from attrs import define, field, frozen

TERNARY, OR, AND, NOT, COMPARE, ADD, MULTIPLY, UNARY, ATOM = range(1, 10)
"""The precedence of the outermost operator of an expression."""

LONG = 300  # an expression with fewer characters is never nested too deeply for Python
NESTED = 50  # the maximum number of brackets
TOO_LONG = 2500

CALLS = re.compile(r"[a-z]\w*\(|:=|\bM\d")
NAMES = re.compile(r"\b(?:v\d+(?:_\d+)?|[tcw]\d+|[SFAOR])\b")
BOUND = re.compile(r"\b(t\d+) :=")


Term: TypeAlias = tuple[str, int, int]
"""The code of a value, the precedence of the code, and the factor of the value."""


class Code(NamedTuple):
    """The code of an expression. `const` is the value of the expression, if it is known (0 or 1 for a condition)."""

    text: str
    level: int = ATOM
    const: object = None
    sum: tuple[int, tuple[Term, ...]] | None = None
    """The expression as a number and terms to be added, if it has more than one term."""

    def within(self, level: int) -> str:
        """Return the code. If it binds less tightly than `level`, add brackets."""
        return self.text if self.level >= level else f"({self.text})"

    @property
    def is_simple(self) -> bool:
        """Return whether the code can be written twice at no cost."""
        return self.text.isidentifier() or isinstance(self.const, int)

    @property
    def is_idle(self) -> bool:
        """Return whether the code can be left out, because nothing in it can fail or is needed later."""
        return CALLS.search(self.text) is None


@frozen
class Flags:
    """The side effects of a module, and whether it checks the guarantees of the compiler."""

    log: bool = False
    counts: bool = False
    blocks: bool = False
    checked: bool = False
    stops: bool = False
    """Whether a run stops after a Leave, so that a search can check it."""
    lists: bool = False
    """Whether states are lists. They are read faster than arrays, but copied more slowly."""
    draws: bool = False
    """Whether choices and chance are drawn where they occur. If so, the state is visible only at the end."""
    tells: bool = False
    """Whether each choice reports the number of options."""
    finds: bool = False
    """Whether options are listed when a decision opens."""


@define(eq=False)
class Shared:
    """The parts shared by the functions of one module: named constants, and separate functions."""

    constants: dict[str, object] = field(factory=dict)
    functions: list[str] = field(factory=list)
    memos: dict[str, int] = field(factory=dict)
    """The names of caches, with the number of parameters of their functions."""
    loops: bool = False
    """Whether a function counts the iterations of loops."""
    _names: dict[object, str] = field(factory=dict)
    _split: int = 0

    def constant(self, prefix: str, key: object, make: Callable[[], object]) -> str:
        """Return the name of a constant. The constant is made once for each key."""
        name = self._names.get((prefix, key))
        if name is None:
            name = f"{prefix}{len(self._names)}"
            self._names[prefix, key] = name
            self.constants[name] = make()
        return name

    def cells(self, values: tuple[int, ...], flags: Flags) -> str:
        """Return the name of a constant array of values that are written to a state together."""
        return self.constant("Z", values, lambda: values if flags.lists else array("i", values))

    def memo(self, key: object, parameters: int, write: Callable[[str], str]) -> str:
        """Return the name of the cache of a function. The function is written once for each key."""
        known = ("memo", key) in self._names
        name = self.constant("memo", key, lambda: None).replace("memo", "Mf")
        if not known:
            self.memos[name] = parameters
            self.functions.append(write(name.replace("Mf", "mf")))
        return name

    def literal(self, value: object) -> str:
        """Return the code for a constant: a number, or a list that may contain lists."""
        if isinstance(value, tuple) and len(value) > 6:
            return self.constant("K", value, lambda: value)
        return repr(value)

    def const(self, value: object) -> Code:
        """Return the code for a constant."""
        if isinstance(value, int):
            return const(value)
        return Code(self.literal(value), ATOM, value)

    def fitting(self, code: Code) -> Code:
        """Return the code. If it is nested too deeply for Python, return a call of a separate function instead."""
        text = code.text
        if len(text) < LONG:
            return code
        if len(text) < TOO_LONG and text.count("(") + text.count("[") < NESTED:
            return code
        bound = set(BOUND.findall(text))
        names = sorted({name for name in NAMES.findall(text) if name not in bound})
        self._split += 1
        call = f"x{self._split}({', '.join(names)})"
        self.functions.append(f"def {call}:\n return {text}\n")
        return Code(call)


# ---- sums ----------------------------------------------------------------------------------------


def add(a: Code, b: Code, symbol: int = 1) -> Code:
    """Return the code of `a + b` or `a - b`."""
    (low, left), (high, right) = _sum(a), _sum(b)
    terms = left + tuple((text, level, symbol * factor) for text, level, factor in right)
    return _spell(low + symbol * high, terms)


def scale(a: Code, factor: int) -> Code:
    """Return the code of `a` multiplied by a number that is not 0."""
    low, terms = _sum(a)
    return _spell(low * factor, tuple((text, level, n * factor) for text, level, n in terms))


def _without_number(a: Code) -> tuple[Code, int]:
    """Split a sum into the sum without its number, and the number."""
    low, terms = _sum(a)
    return (a, 0) if low == 0 or not terms else (_spell(0, terms), low)


def _sum(code: Code) -> tuple[int, tuple[Term, ...]]:
    if isinstance(code.const, int):
        return code.const, ()
    return code.sum or (0, ((code.text, code.level, 1),))


def _spell(low: int, terms: tuple[Term, ...]) -> Code:
    """Return the code of a sum. Terms that can fail keep their order."""
    if len(terms) > 1 and not any(CALLS.search(text) for text, _, _ in terms):
        factors: dict[str, tuple[int, int]] = {}
        for text, level, factor in terms:
            factors[text] = level, factors.get(text, (0, 0))[1] + factor
        merged = [(text, level, factor) for text, (level, factor) in factors.items() if factor]
        terms = tuple(sorted(merged, key=_is_negative))
    if not terms:
        return const(low)
    if len(terms) == 1 and terms[0][2] == 1 and low == 0:
        return Code(*terms[0][:2])
    text, level = _plain_sum(low if terms[0][2] < 0 else 0, terms)
    if low and not (terms[0][2] < 0 and level == ADD and text.startswith(f"{low} ")):
        before = Code(text, level).within(ADD)
        text, level = f"{before} {'+' if low > 0 else '-'} {abs(low)}", ADD
    return Code(text, level, None, (low, terms))


def _is_negative(term: Term) -> bool:
    return term[2] < 0


def _plain_sum(first: int, terms: tuple[Term, ...]) -> tuple[str, int]:
    """Write a sum as `a * 2 + b - c`, with a number in front if there is one."""
    text, level = (str(first), ATOM) if first > 0 else ("", ADD)
    for one, binds, factor in terms:
        code = Code(one, binds)
        size = abs(factor)
        product = code if size == 1 else Code(f"{code.within(MULTIPLY)} * {size}", MULTIPLY)
        if not text and factor > 0:
            text, level = product.text, product.level
        elif not text:
            text, level = f"-{product.within(UNARY)}", UNARY
        else:
            word = "+" if factor > 0 else "-"
            before = Code(text, level).within(ADD)
            text, level = f"{before} {word} {product.within(ADD + (factor < 0))}", ADD
    return text, level


COMPARED: dict[str, Callable[[int, int], bool]] = {
    "==": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}


def compare(a: Code, word: str, b: Code) -> Code:
    """Return the code of a comparison such as `a < b`."""
    if isinstance(b.const, int):
        if isinstance(a.const, int):
            return number(COMPARED[word](a.const, b.const))
        a, more = _without_number(a)
        b = const(b.const - more)
    return Code(f"{a.within(ADD)} {word} {b.within(ADD)}", COMPARE)


def const(value: int) -> Code:
    """Return the code for a constant."""
    return Code(str(value), ATOM if value >= 0 else UNARY, value)


def number(value: bool) -> Code:
    """Return the code for a condition whose value is known."""
    return Code("1" if value else "0", ATOM, int(value))

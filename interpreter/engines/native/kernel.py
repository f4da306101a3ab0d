"""Translates kernels to LLVM IR. Kernels are functions in a small subset of Python, and also run as Python.

A kernel function takes integers, floats, a `Tree` and a `Game`. It contains loops over `range`,
`while`, `if`, simple assignments and arithmetic, and nothing else. Integers have 64 bits and wrap:
a number that may be longer is truncated by `& MASK`. The operators `>>`, `//` and `%` are only for
non-negative numbers. A tree is a row of words: numbers, and addresses of arrays. A call to the game
is a kernel function of that name, or else a function of the game. The addresses of these functions
follow the words of the tree. A failed call ends its caller; `raise` reports that an array is full.
"""

from __future__ import annotations

import ast
import inspect
from array import array
from collections.abc import Callable, Iterable, Mapping, Sequence
from operator import attrgetter
from struct import pack, unpack
from types import ModuleType
from typing import Any, Final, NamedTuple

import attrs

from rulewright.interpreter.engines.kernels.tree import TYPES, Tree
from rulewright.interpreter.engines.native.llvm_text import UNLIKELY, Function
from rulewright.interpreter.engines.native.module import FAILED

GAME_CALLS: Final = (
    "load",
    "save",
    "advance",
    "options",
    "play",
    "points",
    "ending",
    "has",
    "tell",
)
"""The functions of a game that kernels call. Each takes the words of a tree and a number."""

_DECLARED: Final = """
declare double @llvm.sqrt.f64(double)
declare double @llvm.fabs.f64(double)
declare void @llvm.memmove.p0.p0.i64(ptr, ptr, i64, i1)
!8 = !{}
!9 = !{!"branch_weights", i32 1, i32 100000}
"""
_ELEMENTS: Final = {
    "i": "i32",
    "q": "i64",
    "Q": "i64",
    "b": "i8",
    "d": "double",
    "f": "float",
    "B": "i8",
}
_COMPARE: Final[Mapping[type[ast.cmpop], tuple[str, str]]] = {
    ast.Eq: ("eq", "oeq"),
    ast.NotEq: ("ne", "une"),
    ast.Lt: ("slt", "olt"),
    ast.LtE: ("sle", "ole"),
    ast.Gt: ("sgt", "ogt"),
    ast.GtE: ("sge", "oge"),
}
_WHOLE: Final[Mapping[type[ast.operator], str]] = {
    ast.Add: "add",
    ast.Sub: "sub",
    ast.Mult: "mul",
    ast.FloorDiv: "udiv",
    ast.Mod: "urem",
    ast.BitAnd: "and",
    ast.BitOr: "or",
    ast.BitXor: "xor",
    ast.RShift: "lshr",
    ast.LShift: "shl",
}
_REAL: Final[Mapping[type[ast.operator], str]] = {
    ast.Add: "fadd",
    ast.Sub: "fsub",
    ast.Mult: "fmul",
    ast.Div: "fdiv",
}

_FORMS: Final = {"int": "q", "float": "d"}


@attrs.frozen(eq=False)
class Shape:
    """The layout of a class of tables that kernels read. Each word is a number or the address of an array."""

    words: Mapping[str, int]
    """The index of the word of each field."""
    kinds: Mapping[str, str]
    form: str
    """The types of the numbers, as a format of `struct`."""
    places: Mapping[str, int]
    """The indices of the words that are numbers."""
    numbers: Callable[[Any], Sequence[Any]]
    arrays: Mapping[str, int]
    """The indices of the words that are addresses of arrays."""

    @classmethod
    def of(cls, table: type) -> Shape:
        """Return the shape of a class whose fields are numbers and arrays."""
        fields: tuple[Any, ...] = attrs.fields(table)
        kinds = {field.name: str(field.type) for field in fields}
        numbers = [name for name, kind in kinds.items() if kind in _FORMS]
        form = "".join("Q" if n in ("key", "counter") else _FORMS[kinds[n]] for n in numbers)
        words = {name: place for place, name in enumerate(kinds)}
        places = {name: words[name] for name in numbers}
        arrays = {name: place for name, place in words.items() if name not in places}
        return cls(words, kinds, form, places, attrgetter(*numbers), arrays)


_TREE: Final = Shape.of(Tree)
WORDS: Final = _TREE.words
"""The index of the word of each field of a tree."""
_SHAPES: Final[dict[type, Shape]] = {Tree: _TREE}


def shape_of(table: type) -> Shape:
    """Return the shape of a class of tables."""
    return _SHAPES.get(table) or _SHAPES.setdefault(table, Shape.of(table))


class KernelError(Exception):
    """Raised if a kernel contains something that kernels must not contain."""


class _Value(NamedTuple):
    kind: str  # i64, double, i1
    text: str


@attrs.define(eq=False)
class _Known:
    """A kernel function, and its properties for callers."""

    node: ast.FunctionDef
    names: Mapping[str, object]
    """The names in the module that contains the function."""
    fails: bool = False

    @property
    def name(self) -> str:
        return self.node.name

    @property
    def gives(self) -> str:
        match self.node.returns:
            case ast.Name("float"):
                return "double"
            case _:
                return "i64"

    @property
    def parameters(self) -> list[tuple[str, str]]:
        """Return the names and types of the numbers that the function takes."""
        found = []
        for argument in self.node.args.args:
            match argument.annotation:
                case ast.Name("int"):
                    found.append((argument.arg, "i64"))
                case ast.Name("float"):
                    found.append((argument.arg, "double"))
                case _:
                    continue
        return found


def kernel(modules: Iterable[ModuleType], offered: Sequence[str], table: type = Tree) -> str:
    """Translate the kernel functions of several modules to LLVM IR. All functions read a table of the class `table`.

    Functions that are `offered` can be called from outside.
    """
    shape = shape_of(table)
    known: dict[str, _Known] = {}
    for module in modules:
        for node in ast.parse(inspect.getsource(module)).body:
            if isinstance(node, ast.FunctionDef):
                known[node.name] = _Known(node, vars(module))
    _find_failing(known)
    texts = [_Writer(known, each, shape).write() for each in known.values()]
    texts += [_outside(known[name]) for name in offered]
    return "\n".join([_DECLARED, *texts])


def _find_failing(known: Mapping[str, _Known]) -> None:
    """Mark the functions that may fail. These raise an error, call the game, or call another function that may fail."""
    changed = True
    while changed:
        changed = False
        for each in known.values():
            if not each.fails and any(_may_fail(part, known) for part in ast.walk(each.node)):
                each.fails = changed = True
                if each.gives != "i64":
                    raise KernelError(f"{each.name} may fail, so it returns no float")


def _may_fail(part: ast.AST, known: Mapping[str, _Known]) -> bool:
    match part:
        case ast.Raise():
            return True
        case ast.Call(ast.Name(name)):
            return name in known and known[name].fails
        case ast.Call(ast.Attribute(ast.Name("game"), name)):
            return name not in known or known[name].fails
        case _:
            return False


def _outside(each: _Known) -> str:
    parameters = [f"{kind} %{name}" for name, kind in each.parameters]
    f = Function(f"{each.gives} @kernel_{each.name}({', '.join(['ptr %T', *parameters])})")
    given = f.value(
        f"call fastcc {each.gives} @k_{each.name}({', '.join(['ptr %T', *parameters])})"
    )
    f.leave(f"{each.gives} {given}")
    return f.text()


class _Writer:
    """Writes one function."""

    def __init__(self, known: Mapping[str, _Known], this: _Known, shape: Shape) -> None:
        self.known, self.this, self.shape = known, this, shape
        parameters = [f"{kind} %p_{name}" for name, kind in this.parameters]
        self.f = Function(
            f"internal fastcc {this.gives} @k_{this.name}({', '.join(['ptr %T', *parameters])}) nounwind"
        )
        self.locals: dict[str, tuple[str, str]] = {}
        self.loops: list[tuple[str, str]] = []
        for name, kind in this.parameters:
            self.assign(name, _Value(kind, f"%p_{name}"))

    def write(self) -> str:
        """Write the function, and return its text."""
        self.body(self.this.node.body)
        self.f.leave(f"{self.this.gives} {'0.0' if self.this.gives == 'double' else '0'}")
        return self.f.text()

    def wrong(self, node: ast.AST) -> KernelError:
        """Return the error for a node that kernels must not contain."""
        return KernelError(f"no kernel may have this: {self.this.name}: {ast.unparse(node)}")

    # ---- statements ------------------------------------------------------------------------------

    def body(self, statements: Sequence[ast.stmt]) -> None:
        """Write statements one after another."""
        for statement in statements:
            self.statement(statement)

    def statement(self, node: ast.stmt) -> None:
        """Write a statement."""
        f = self.f
        match node:
            case ast.Expr(ast.Constant()) | ast.Pass():
                return
            case ast.Expr(value):
                self.value(value)
            case ast.Assign([target], value):
                self.put(target, self.value(value))
            case ast.AugAssign(target, operator, value):
                self.put(target, self.binary(node, operator, self.value(target), self.value(value)))
            case ast.If(test, then, otherwise):
                labels = f.label(), f.label(), f.label()
                self.test(test, labels[0], labels[1])
                f.start(labels[0])
                self.body(then)
                f.jump(labels[2])
                f.start(labels[1])
                self.body(otherwise)
                f.start(labels[2])
            case ast.While(test, body, []):
                with f.loop() as (head, after):
                    turn = f.label()
                    self.test(test, turn, after)
                    f.start(turn)
                    self.turn(body, head, after)
            case ast.For(ast.Name(name), ast.Call(ast.Name("range"), limits), body, []):
                self.count(name, limits, body)
            case ast.Return(value):
                given = self.number(value) if value is not None else _Value("i64", "0")
                f.leave(f"{self.this.gives} {self.as_kind(given, self.this.gives)}")
            case ast.Raise():
                f.store("i64", "1", self.word("full"))
                f.leave(f"i64 {FAILED}")
            case ast.Break():
                f.jump(self.loops[-1][1])
            case ast.Continue():
                f.jump(self.loops[-1][0])
            case _:
                raise self.wrong(node)

    def turn(self, body: Sequence[ast.stmt], following: str, after: str) -> None:
        """Write an iteration of a loop."""
        self.loops.append((following, after))
        self.body(body)
        self.loops.pop()

    def count(self, name: str, limits: Sequence[ast.expr], body: Sequence[ast.stmt]) -> None:
        """Write a loop over consecutive numbers."""
        f = self.f
        first = self.number(limits[0]).text if len(limits) == 2 else "0"
        end = self.number(limits[-1]).text
        place = f.variable("i64")
        f.store("i64", first, place)
        following = f.label()
        with f.loop() as (_, after):
            turn = f.label()
            here = f.load("i64", place)
            f.branch(f.value(f"icmp slt i64 {here}, {end}"), turn, after)
            f.start(turn)
            self.assign(name, _Value("i64", here))
            self.turn(body, following, after)
            f.start(following)
            f.store("i64", f.value(f"add nsw i64 {f.load('i64', place)}, 1"), place)

    def assign(self, name: str, value: _Value) -> None:
        """Write code that stores a value in a local."""
        if name not in self.locals:
            self.locals[name] = value.kind, self.f.variable(value.kind)
        kind, address = self.locals[name]
        self.f.store(kind, self.as_kind(value, kind), address)

    def put(self, target: ast.expr, value: _Value) -> None:
        """Write code that assigns a value to a local, a field, or an item of an array."""
        value = self.plain(value)
        match target:
            case ast.Name(name):
                self.assign(name, value)
            case ast.Attribute(ast.Name("t"), name):
                kind = "double" if self.shape.kinds[name] == "float" else "i64"
                self.f.store(kind, self.as_kind(value, kind), self.word(name))
            case ast.Subscript(ast.Attribute(ast.Name("t"), name), index):
                code, address = self.item(name, index)
                element = _ELEMENTS[code]
                if element in ("double", "float"):
                    text = self.as_kind(value, "double")
                    if element == "float":
                        text = self.f.value(f"fptrunc double {text} to float")
                    self.f.store(element, text, address)
                else:
                    text = self.as_kind(value, "i64")
                    if element != "i64":
                        text = self.f.value(f"trunc i64 {text} to {element}")
                    self.f.store(element, text, address)
            case _:
                raise self.wrong(target)

    # ---- values ----------------------------------------------------------------------------------

    def word(self, name: str) -> str:
        """Return the address of a word of the tree."""
        return self.f.at("%T", self.shape.words[name], "i64")

    def item(self, name: str, index: ast.expr) -> tuple[str, str]:
        """Return the type code and the address of an item of an array of the tree."""
        code = TYPES[self.shape.kinds[name]]
        place = self.number(index).text
        # No kernel moves an array, so its address need not be read again after each write.
        array = self.f.value(f"load ptr, ptr {self.word(name)}, !invariant.load !8")
        return code, self.f.at(array, place, _ELEMENTS[code])

    def as_kind(self, value: _Value, kind: str) -> str:
        """Convert a value to a number of a type."""
        if value.kind == kind:
            return value.text
        if value.kind == "i64" and kind == "double":
            return self.f.value(f"sitofp i64 {value.text} to double")
        if value.kind == "i1" and kind == "i64":
            return self.f.value(f"zext i1 {value.text} to i64")
        raise KernelError(f"{self.this.name}: {value.kind} is no {kind}")

    def plain(self, value: _Value) -> _Value:
        """Convert a condition to a number. Return any other value unchanged."""
        return _Value("i64", self.as_kind(value, "i64")) if value.kind == "i1" else value

    def number(self, node: ast.expr) -> _Value:
        """Evaluate an expression as a number."""
        return self.plain(self.value(node))

    def value(self, node: ast.expr) -> _Value:
        """Evaluate an expression."""
        f = self.f
        match node:
            case ast.Constant(True | False as known):
                return _Value("i1", str(known).lower())
            case ast.Constant(known):
                return self.constant(node, known)
            case ast.Name(name):
                if name in self.locals:
                    kind, address = self.locals[name]
                    return _Value(kind, f.load(kind, address))
                return self.constant(node, self.this.names.get(name))
            case ast.Attribute(ast.Name("t"), name):
                kind = "double" if self.shape.kinds[name] == "float" else "i64"
                return _Value(kind, f.load(kind, self.word(name)))
            case ast.Subscript(ast.Attribute(ast.Name("t"), name), index):
                code, address = self.item(name, index)
                element = _ELEMENTS[code]
                found = f.load(element, address)
                if element in ("i64", "double"):
                    return _Value(element, found)
                if element == "float":
                    return _Value("double", f.value(f"fpext float {found} to double"))
                order = "zext" if code == "B" else "sext"
                return _Value("i64", f.value(f"{order} {element} {found} to i64"))
            case ast.UnaryOp(ast.USub(), operand):
                value = self.number(operand)
                order = "fneg double" if value.kind == "double" else "sub i64 0,"
                return _Value(value.kind, f.value(f"{order} {value.text}"))
            case ast.BinOp(left, operator, right):
                return self.binary(node, operator, self.number(left), self.number(right))
            case ast.Compare(left, [operator], [right]):
                return self.comparison(operator, self.number(left), self.number(right))
            case ast.BoolOp() | ast.UnaryOp(ast.Not()):
                return self.condition(node)
            case ast.Call(called, arguments):
                return self.call(node, called, arguments)
            case _:
                raise self.wrong(node)

    def constant(self, node: ast.expr, value: object) -> _Value:
        """Return the code for a constant number."""
        if isinstance(value, float):
            return _Value("double", f"0x{_bits(value):016X}")
        if isinstance(value, int):
            return _Value("i64", str(value - 2**64 if value >= 2**63 else value))
        raise self.wrong(node)

    def binary(self, node: ast.AST, operator: ast.operator, left: _Value, right: _Value) -> _Value:
        """Return the code for an arithmetic operation."""
        if isinstance(operator, ast.Div) or "double" in (left.kind, right.kind):
            order = _REAL.get(type(operator))
            kind = "double"
        else:
            order = _WHOLE.get(type(operator))
            kind = "i64"
        if order is None:
            raise self.wrong(node)
        sides = [self.as_kind(self.plain(side), kind) for side in (left, right)]
        if order == "and" and sides[1] == "-1":
            return _Value(kind, sides[0])
        return _Value(kind, self.f.value(f"{order} {kind} {', '.join(sides)}"))

    def comparison(self, operator: ast.cmpop, left: _Value, right: _Value) -> _Value:
        """Return the code for a comparison."""
        whole, real = _COMPARE[type(operator)]
        kind = "double" if "double" in (left.kind, right.kind) else "i64"
        sides = ", ".join(self.as_kind(side, kind) for side in (left, right))
        order = f"fcmp {real}" if kind == "double" else f"icmp {whole}"
        return _Value("i1", self.f.value(f"{order} {kind} {sides}"))

    def condition(self, node: ast.expr) -> _Value:
        """Return the code for conditions that `and`, `or` and `not` combine."""
        f = self.f
        place = f.variable("i1")
        then, otherwise, after = f.label(), f.label(), f.label()
        self.test(node, then, otherwise)
        for label, result in ((then, "true"), (otherwise, "false")):
            f.start(label)
            f.store("i1", result, place)
            f.jump(after)
        f.start(after)
        return _Value("i1", f.load("i1", place))

    def test(self, node: ast.expr, then: str, otherwise: str) -> None:
        """Write code that jumps to `then` if a condition is true, otherwise to `otherwise`.

        The code evaluates only those parts of the condition that are needed.
        """
        f = self.f
        match node:
            case ast.BoolOp(operator, values):
                for value in values[:-1]:
                    following = f.label()
                    ways = (
                        (following, otherwise)
                        if isinstance(operator, ast.And)
                        else (then, following)
                    )
                    self.test(value, *ways)
                    f.start(following)
                self.test(values[-1], then, otherwise)
            case ast.UnaryOp(ast.Not(), operand):
                self.test(operand, otherwise, then)
            case _:
                found = self.value(node)
                if found.kind == "i64":
                    found = _Value("i1", f.value(f"icmp ne i64 {found.text}, 0"))
                f.branch(found.text, then, otherwise)

    def call(self, node: ast.Call, called: ast.expr, arguments: Sequence[ast.expr]) -> _Value:
        """Write a call of a kernel function, of a function of the game, or of a built-in function of kernels."""
        f = self.f
        given = [
            self.number(argument)
            for argument in arguments
            if not (isinstance(argument, ast.Name) and argument.id in ("t", "game"))
        ]
        match called:
            case ast.Name("sqrt"):
                return _Value(
                    "double", f.value(f"call double @llvm.sqrt.f64(double {given[0].text})")
                )
            case ast.Name("abs"):
                return _Value(
                    "double", f.value(f"call double @llvm.fabs.f64(double {given[0].text})")
                )
            case ast.Name("copy_cells"):
                to, first, origin, begin, count = (value.text for value in given)
                places = [
                    f.at(f.value(f"inttoptr i64 {cells} to ptr"), index)
                    for cells, index in ((to, first), (origin, begin))
                ]
                size = f.value(f"shl i64 {count}, 2")
                f.do(
                    f"call void @llvm.memmove.p0.p0.i64(ptr {places[0]}, ptr {places[1]}, "
                    f"i64 {size}, i1 false)"
                )
                return _Value("i64", "0")
            case ast.Name("float"):
                return _Value("double", self.as_kind(given[0], "double"))
            case ast.Name("int"):
                return _Value("i64", f.value(f"fptosi double {given[0].text} to i64"))
            case ast.Name(name) | ast.Attribute(ast.Name("game"), name) if name in self.known:
                other = self.known[name]
                words = ["ptr %T"]
                for value, (_, kind) in zip(given, other.parameters, strict=True):
                    words.append(f"{kind} {self.as_kind(value, kind)}")
                found = f.value(f"call fastcc {other.gives} @k_{name}({', '.join(words)})")
                self.check(other.fails, found)
                return _Value(other.gives, found)
            case ast.Attribute(ast.Name("game"), name) if name in GAME_CALLS:
                function = f.load(
                    "ptr", f.at("%T", len(self.shape.words) + GAME_CALLS.index(name), "i64")
                )
                found = f.value(f"call i64 {function}(ptr %T, i64 {given[0].text})")
                self.check(True, found)
                return _Value("i64", found)
            case _:
                raise self.wrong(node)

    def check(self, fails: bool, found: str) -> None:
        """Write code that returns FAILED if the called function has failed."""
        f = self.f
        if fails:
            with f.when(f.value(f"icmp eq i64 {found}, {FAILED}"), UNLIKELY):
                f.leave(f"i64 {FAILED}")


def _bits(value: float) -> int:
    return int(unpack("<Q", pack("<d", value))[0])


def words_of(t: Any, functions: Sequence[int] = ()) -> array[int]:
    """Return the words of a table, followed by the addresses of the functions of a game."""
    shape = shape_of(type(t))
    words = array("Q", bytes(8 * len(shape.words)))
    numbers = array("Q", pack(shape.form, *shape.numbers(t)))
    for place, number in zip(shape.places.values(), numbers, strict=True):
        words[place] = number
    for name, place in shape.arrays.items():
        words[place] = getattr(t, name).buffer_info()[0]
    words.extend(functions)
    return words


def put_back(t: Any, words: array[int]) -> None:
    """Copy the numbers that native code has changed back to a table."""
    shape = shape_of(type(t))
    raw = array("Q", (words[place] for place in shape.places.values()))
    for name, number in zip(shape.places, unpack(shape.form, raw.tobytes()), strict=True):
        setattr(t, name, number)

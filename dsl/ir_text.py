'''Writes a program's code as text in a small subset of Python, and parses such text.

    def p12(v0, v1, *, v2):
        """free slot"""
        for v2 in through(0, v1 - 1):
            if cell[v0 + v2] < 0:
                return v2

`v0` is a local, `items3` a list in a frame, `cell[n]` and `far[n]` are cells, `table4[n]` is an item of a table. Plain
procedures are `p0`, `p1`...; suspending procedures are `q0`, `q1`... and contain their blocks, the entry first. Locals
that are not parameters follow the star. Anything without an equivalent in Python is a call such as `offer(v1)`.'''

from __future__ import annotations

import ast
import string
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from textwrap import dedent
from typing import Any, NoReturn, get_args

import attrs

from rulewright.dsl import ir
from rulewright.dsl.immutable import frozen

OPERATORS: dict[type[ast.operator | ast.cmpop], ir.BinaryWord] = {
    ast.Add: "+",
    ast.Sub: "-",
    ast.Mult: "*",
    ast.FloorDiv: "//",
    ast.Mod: "%",
    ast.Eq: "==",
    ast.NotEq: "!=",
    ast.Lt: "<",
    ast.LtE: "<=",
    ast.Gt: ">",
    ast.GtE: ">=",
}
_NODES = {word: kind for kind, word in OPERATORS.items()}
_WORDS: dict[str, type] = {
    "offer": ir.Offer,
    "refuse": ir.Refuse,
    "log": ir.Log,
    "fail": ir.Fail,
    "mark": ir.Mark,
    "goto": ir.Goto,
    "branch": ir.Branch,
    "call": ir.CallThen,
    "choose": ir.Choose,
    "chance": ir.Chance,
    "finish": ir.Finish,
    "enter": ir.Enter,
    "leave": ir.Leave,
    "attempt": ir.Try,
    "end_game": ir.EndGame,
    "possible": ir.Possible,
}
"""Maps each word to the class of nodes that are written as a call of the word.

The arguments are the fields, without spans.
"""
_WORD_OF = {kind: word for word, kind in _WORDS.items()}
_LOAD, _STORE = ast.Load(), ast.Store()


@frozen
class Code:
    """The procedures and blocks of a program."""

    plain: tuple[ir.Plain, ...]
    suspending: tuple[ir.Suspending, ...]
    blocks: tuple[ir.Block, ...]


# ---- writing ----------------------------------------------------------------------------------------


def code_text(program: ir.Program | Code) -> str:
    """Return the text of all procedures of a program."""
    plain = (plain_node(f"p{number}", one) for number, one in enumerate(program.plain))
    apart: list[ast.stmt] = []
    blocks: list[list[ast.stmt]] = [[] for _ in program.suspending]
    for number, block in enumerate(program.blocks):
        body = [*_steps(block.body), ast.Expr(_call_text(block.end))]
        written = _function(f"b{number}", [], [], body)
        if block.procedure < 0:
            apart.append(written)
            continue
        found = blocks[block.procedure]
        is_entry = number == program.suspending[block.procedure].entry
        found.insert(0 if is_entry else len(found), written)
    suspending = (
        _procedure(f"q{number}", one, blocks[number])
        for number, one in enumerate(program.suspending)
    )
    return "\n\n".join(map(_source_text, chain(plain, apart, suspending))) + "\n"


def plain_node(name: str, one: ir.Plain) -> ast.stmt:
    """Return a plain procedure as a Python function with the given name."""
    return _procedure(name, one, _steps(one.body))


def _source_text(node: ast.AST) -> str:
    return ast.unparse(ast.fix_missing_locations(node))


def _procedure(name: str, one: ir.Plain | ir.Suspending, body: list[ast.stmt]) -> ast.stmt:
    slots = [f"v{slot}" for slot in range(max(one.locals, one.parameters))]
    said = ast.Expr(ast.Constant(one.name))
    return _function(name, slots[: one.parameters], slots[one.parameters :], [said, *body])


def _function(
    name: str, parameters: Sequence[str], others: Sequence[str], body: list[ast.stmt]
) -> ast.stmt:
    arguments = ast.arguments(
        posonlyargs=[],
        args=list(map(ast.arg, parameters)),
        kwonlyargs=list(map(ast.arg, others)),
        kw_defaults=[None] * len(others),
        defaults=[],
    )
    return ast.FunctionDef(name, arguments, body or [ast.Pass()], [])


def _steps(body: Iterable[ir.Stmt]) -> list[ast.stmt]:
    return list(map(_step, body))


def _some(body: Iterable[ir.Stmt]) -> list[ast.stmt]:
    return _steps(body) or [ast.Pass()]


def _step(node: ir.Stmt) -> ast.stmt:
    match node:
        case ir.SetLocal(slot, value):
            return ast.Assign([_target(f"v{slot}")], expression_node(value))
        case ir.SetLocalList(slot, capacity, value):
            kept = _call("kept", [expression_node(value), ast.Constant(capacity)])
            return ast.Assign([_target(f"items{slot}")], kept)
        case ir.Store(address, value, far):
            return ast.Assign(
                [_item("far" if far else "cell", address, _STORE)], expression_node(value)
            )
        case ir.If(condition, then, otherwise):
            return ast.If(expression_node(condition), _some(then), _steps(otherwise))
        case ir.While(condition, body, counted):
            test = expression_node(condition)
            return ast.While(_call("counted", [test]) if counted else test, _some(body), [])
        case ir.ForRange(slot, low, high, body):
            edges = _call("through", [expression_node(low), expression_node(high)])
            return ast.For(_target(f"v{slot}"), edges, _some(body), [])
        case ir.ForEach(slot, of, body):
            return ast.For(_target(f"v{slot}"), expression_node(of), _some(body), [])
        case ir.Break():
            return ast.Break()
        case ir.Continue():
            return ast.Continue()
        case ir.Append(slot, value):
            return ast.Expr(
                ast.Call(
                    ast.Attribute(_name(f"v{slot}"), "append", _LOAD), [expression_node(value)], []
                )
            )
        case ir.CallPlain(procedure, arguments):
            return ast.Expr(_call(f"p{procedure}", map(expression_node, arguments)))
        case ir.Return(value):
            return ast.Return(None if value is None else expression_node(value))
        case ir.Fault(fault):
            return ast.Raise(_call("fault", [ast.Constant(fault)]))
        case ir.Offer() | ir.Refuse() | ir.Log() | ir.Fail() | ir.Mark():
            return ast.Expr(_call_text(node))


def _call_text(node: object) -> ast.expr:
    parts = [getattr(node, part.name) for part in _parts(type(node))]
    while parts and parts[-1] is None:
        parts.pop()
    return _call(_WORD_OF[type(node)], map(_part, parts))


def _part(part: Any) -> ast.expr:
    match part:
        case int():
            return ast.Constant(part)
        case tuple():
            return ast.List(list(map(expression_node, part)), _LOAD)
        case _:
            return expression_node(part)


def expression_node(node: ir.Expr) -> ast.expr:
    """Return an expression as a Python expression."""
    match node:
        case ir.Const(value):
            return _constant(value)
        case ir.Local(slot):
            return _name(f"v{slot}")
        case ir.LocalList(slot):
            return _name(f"items{slot}")
        case ir.Load(address, far):
            return _item("far" if far else "cell", address)
        case ir.Table(table, index):
            return _item(f"table{table}", index)
        case ir.Binary("min" | "max" as word, left, right):
            return _call(word, [expression_node(left), expression_node(right)])
        case ir.Binary(word, left, right):
            sign = _NODES[word]
            if issubclass(sign, ast.operator):
                return ast.BinOp(expression_node(left), sign(), expression_node(right))
            return ast.Compare(expression_node(left), [sign()], [expression_node(right)])
        case ir.Not(operand):
            return ast.UnaryOp(ast.Not(), expression_node(operand))
        case ir.And(left, right):
            return ast.BoolOp(ast.And(), [expression_node(left), expression_node(right)])
        case ir.Or(left, right):
            return ast.BoolOp(ast.Or(), [expression_node(left), expression_node(right)])
        case ir.Choice(condition, then, otherwise):
            return ast.IfExp(
                expression_node(condition), expression_node(then), expression_node(otherwise)
            )
        case ir.CallValue(procedure, arguments):
            return _call(f"p{procedure}", map(expression_node, arguments))
        case ir.MakeList(items):
            return ast.List(list(map(expression_node, items)), _LOAD)
        case ir.Length(of):
            return _call("len", [expression_node(of)])
        case ir.At(of, index):
            return ast.Subscript(expression_node(of), expression_node(index), _LOAD)
        case ir.Has(of, item):
            return ast.Compare(expression_node(item), [ast.In()], [expression_node(of)])
        case ir.Possible():
            return _call_text(node)


def _constant(value: object) -> ast.expr:
    if isinstance(value, tuple):
        return ast.Tuple(list(map(_constant, value)), _LOAD)
    assert isinstance(value, int)
    return ast.Constant(value)


def _name(name: str) -> ast.expr:
    return ast.Name(name, _LOAD)


def _target(name: str) -> ast.expr:
    return ast.Name(name, _STORE)


def _item(array: str, index: ir.Expr, context: ast.expr_context = _LOAD) -> ast.expr:
    return ast.Subscript(_name(array), expression_node(index), context)


def _call(word: str, arguments: Iterable[ast.expr]) -> ast.expr:
    return ast.Call(_name(word), list(arguments), [])


def _parts(kind: type) -> Iterator[attrs.Attribute[object]]:
    """Return the fields that appear in the text for a class of nodes."""
    return (part for part in attrs.fields(kind) if part.name != "span")


# ---- reading ----------------------------------------------------------------------------------------


def parse_code(text: str) -> Code:
    """Parse a text that `code_text` returned."""
    plain: list[ir.Plain] = []
    suspending: list[ir.Suspending] = []
    blocks: dict[int, ir.Block] = {}
    reader = IrReader()

    def read_block(node: ast.stmt, procedure: int) -> int:
        if not isinstance(node, ast.FunctionDef):
            reader.wrong(node)
        *steps, end = node.body
        number = _number(node.name)
        blocks[number] = ir.Block(procedure, reader.block(steps), reader.terminator(end))
        return number

    for node in parse_statements(text):
        match node:
            case ast.FunctionDef(
                name=name, args=given, body=[ast.Expr(ast.Constant(str(said))), *body]
            ):
                parameters = len(given.args)
                size = parameters + len(given.kwonlyargs)
                if name.startswith("p"):
                    plain.append(ir.Plain(said, parameters, size, reader.block(body)))
                else:
                    entry, *_ = [read_block(block, len(suspending)) for block in body]
                    suspending.append(ir.Suspending(said, parameters, size, entry))
            case _:
                read_block(node, -1)
    return Code(tuple(plain), tuple(suspending), tuple(blocks[n] for n in range(len(blocks))))


def parse_expression(text: str) -> ir.Expr:
    return IrReader().value(ast.parse(text, mode="eval").body)


def parse_steps(text: str) -> tuple[ir.Stmt, ...]:
    return IrReader().block(parse_statements(text))


def parse_statements(text: str) -> Sequence[ast.stmt]:
    """Parse an indented text into Python statements."""
    return ast.parse(dedent(text).strip()).body


def _number(name: str) -> int:
    """Return the number at the end of a name."""
    found = name.lstrip(string.ascii_lowercase)
    if not found.isdecimal():
        raise ValueError(f"`{name}` is not understood")
    return int(found)


class IrReader:
    """Parses steps and values.

    The reader of the compiler's helper procedures overrides how names are resolved and how code is
    folded.
    """

    def wrong(self, node: ast.AST) -> NoReturn:
        """Raise an error, because the text uses something outside this subset of Python."""
        raise ValueError(f"`{ast.unparse(node)}` is not understood")

    # ---- names ----

    def slot(self, name: str) -> int:
        """Return the slot of a local that a step assigns."""
        return _number(name)

    def variable(self, node: ast.Name) -> ir.Expr:
        kind = ir.LocalList if node.id.startswith("items") else ir.Local
        return kind(_number(node.id))

    def call_value(self, node: ast.Call, arguments: Sequence[ir.Expr]) -> ir.Expr:
        """Parse a call of a procedure that is used as a value."""
        return ir.CallValue(self.procedure(node.func), tuple(arguments))

    def call_steps(self, node: ast.Call) -> Iterable[ir.Stmt]:
        """Parse a call that is used as a statement, and return its steps."""
        word = node.func.id if isinstance(node.func, ast.Name) else ""
        if word in _WORDS:
            return [self.named_node(node, ir.Stmt)]
        return [ir.CallPlain(self.procedure(node.func), tuple(map(self.value, node.args)))]

    def procedure(self, node: ast.expr) -> int:
        """Return the number of the procedure to which a name refers."""
        return _number(node.id) if isinstance(node, ast.Name) else self.wrong(node)

    def item(self, array: ast.expr, index: ir.Expr) -> ir.Expr:
        """Return a cell, or an item of a table or of a list."""
        match array:
            case ast.Name(id="cell" | "far" as name):
                return ir.Load(index, name == "far")
            case ast.Name(id=name) if name.startswith("table"):
                return ir.Table(_number(name), index)
            case _:
                return ir.At(self.value(array), index)

    def assignment(self, target: ast.expr, value: ast.expr) -> ir.Stmt:
        """Parse an assignment to a local or a cell."""
        match target, value:
            case ast.Name(id=name), ast.Call(
                func=ast.Name(id="kept"), args=[of, ast.Constant(int(capacity))]
            ):
                return ir.SetLocalList(_number(name), capacity, self.value(of))
            case ast.Name(id=name), _:
                given = self.value(value)
                return ir.SetLocal(self.slot(name), given)
            case ast.Subscript(value=array, slice=index), _:
                return self.store(array, self.value(index), self.value(value))
            case _:
                return self.wrong(target)

    def store(self, array: ast.expr, index: ir.Expr, value: ir.Expr) -> ir.Stmt:
        """Return the step that stores a value in a cell."""
        loaded = self.item(array, index)
        if isinstance(loaded, ir.Load):
            return ir.Store(loaded.address, value, loaded.far)
        return self.wrong(array)

    # ---- folding ----

    def binary(self, word: ir.BinaryWord, left: ir.Expr, right: ir.Expr) -> ir.Expr:
        """Return the node that applies an operator to two values."""
        return ir.Binary(word, left, right)

    def negation(self, operand: ir.Expr) -> ir.Expr:
        return ir.Not(operand)

    def choice(self, condition: ir.Expr, then: ir.Expr, otherwise: ir.Expr) -> ir.Expr:
        """Return the node for `then if condition else otherwise`."""
        return ir.Choice(condition, then, otherwise)

    def junction(self, junction: ast.boolop, first: ir.Expr, rest: Sequence[ast.expr]) -> ir.Expr:
        """Return the node for conditions joined by `and` or `or`."""
        join = ir.And if isinstance(junction, ast.And) else ir.Or
        (last,) = rest
        return join(first, self.value(last))

    def branches(
        self, condition: ir.Expr, then: Sequence[ast.stmt], otherwise: Sequence[ast.stmt]
    ) -> Iterable[ir.Stmt]:
        """Return the steps for an `if`."""
        return [ir.If(condition, self.block(then), self.block(otherwise))]

    # ---- steps ----

    def block(self, body: Iterable[ast.stmt]) -> tuple[ir.Stmt, ...]:
        """Parse several Python statements into steps."""
        return tuple(step for node in body for step in self.statement(node))

    def statement(self, node: ast.stmt) -> Iterable[ir.Stmt]:
        """Parse one Python statement into steps."""
        match node:
            case ast.Pass():
                return []
            case ast.Assign(targets=[target], value=value):
                return [self.assignment(target, value)]
            case ast.If(test=test, body=body, orelse=orelse):
                return self.branches(self.value(test), body, orelse)
            case ast.While(test=ast.Call(func=ast.Name(id="counted"), args=[test]), body=body):
                return [ir.While(self.value(test), self.block(body), counted=True)]
            case ast.While(test=test, body=body):
                return [ir.While(self.value(test), self.block(body))]
            case ast.For(target=ast.Name(id=name), iter=source, body=body):
                return [self.loop(name, source, body)]
            case ast.Return(value=value):
                return [ir.Return(None if value is None else self.value(value))]
            case ast.Raise(
                exc=ast.Call(func=ast.Name(id="fault"), args=[ast.Constant(int(fault))])
            ):
                return [ir.Fault(fault)]
            case ast.Break():
                return [ir.Break()]
            case ast.Continue():
                return [ir.Continue()]
            case ast.Expr(
                value=ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr="append"), args=[a])
            ):
                return [ir.Append(self.slot(name), self.value(a))]
            case ast.Expr(value=ast.Call() as call):
                return self.call_steps(call)
            case _:
                return self.wrong(node)

    def loop(self, name: str, source: ast.expr, body: list[ast.stmt]) -> ir.Stmt:
        """Parse a loop over a list, or over a range of numbers that includes both ends."""
        match source:
            case ast.Call(func=ast.Name(id="through"), args=[low, high]):
                edges = self.value(low), self.value(high)
                return ir.ForRange(self.slot(name), *edges, self.block(body))
            case _:
                of = self.value(source)
                return ir.ForEach(self.slot(name), of, self.block(body))

    def terminator(self, node: ast.stmt) -> ir.Terminator:
        """Parse the statement that ends a block."""
        match node:
            case ast.Expr(value=ast.Call() as call):
                end: ir.Terminator = self.named_node(call, ir.Terminator)
                return end
            case _:
                return self.wrong(node)

    def named_node(self, node: ast.Call, among: Any) -> Any:
        """Parse a call that names a node class of the union `among`, and return the node."""
        kind = _WORDS.get(node.func.id) if isinstance(node.func, ast.Name) else None
        if kind is None or kind not in get_args(among):
            self.wrong(node)
        parts = [self.part(str(p.type), a) for p, a in zip(_parts(kind), node.args, strict=False)]
        return kind(*parts)

    def part(self, kind: str, node: ast.expr) -> object:
        """Parse a field of a node, given the type of the field."""
        match kind, node:
            case "int", ast.Constant(value=int(number)):
                return number
            case "tuple[Expr, ...]", ast.List(elts=items):
                return tuple(map(self.value, items))
            case _:
                return self.value(node)

    # ---- values ----

    def value(self, node: ast.expr) -> ir.Expr:
        """Parse a Python expression into a value."""
        match node:
            case ast.Constant(value=int(number)):
                return ir.Const(int(number))
            case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int(number))):
                return ir.Const(-number)
            case ast.UnaryOp(op=ast.USub(), operand=operand):
                return self.binary("-", ir.Const(0), self.value(operand))
            case ast.UnaryOp(op=ast.Not(), operand=operand):
                return self.negation(self.value(operand))
            case ast.Name():
                return self.variable(node)
            case ast.BinOp(left=left, op=operator, right=right):
                return self.binary(OPERATORS[type(operator)], self.value(left), self.value(right))
            case ast.Compare(left=item, ops=[ast.In()], comparators=[listed]):
                return ir.Has(self.value(listed), self.value(item))
            case ast.Compare(left=item, ops=[ast.NotIn()], comparators=[listed]):
                return self.negation(ir.Has(self.value(listed), self.value(item)))
            case ast.Compare(left=left, ops=[sign], comparators=[right]):
                return self.binary(OPERATORS[type(sign)], self.value(left), self.value(right))
            case ast.BoolOp(op=junction, values=[first, *rest]):
                return self.junction(junction, self.value(first), rest)
            case ast.IfExp(test=test, body=body, orelse=orelse):
                return self.choice(self.value(test), self.value(body), self.value(orelse))
            case ast.List(elts=items):
                return ir.MakeList(tuple(map(self.value, items)))
            case ast.Tuple():
                return ir.Const(_constant_of(node))
            case ast.Subscript(value=array, slice=index):
                return self.item(array, self.value(index))
            case ast.Call(func=ast.Name(id="len"), args=[listed]):
                return ir.Length(self.value(listed))
            case ast.Call(func=ast.Name(id="min" | "max" as word), args=[left, right]):
                lesser: ir.BinaryWord = "min" if word == "min" else "max"
                return self.binary(lesser, self.value(left), self.value(right))
            case ast.Call(func=ast.Name(id="possible")):
                possible: ir.Expr = self.named_node(node, ir.Expr)
                return possible
            case ast.Call(args=arguments):
                return self.call_value(node, list(map(self.value, arguments)))
            case _:
                return self.wrong(node)


def _constant_of(node: ast.expr) -> tuple[object, ...]:
    found = ast.literal_eval(node)
    assert isinstance(found, tuple)
    return found

"""Writes Python code for the statements of the core IR. This module does not depend on blocks, decisions or modules."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal, assert_never

from attrs import define, evolve, field

from rulewright.dsl import ir
from rulewright.interpreter.engines.analysis.procedures import reads_of, slots, walk
from rulewright.interpreter.engines.codegen.cleanup import VARIABLE
from rulewright.interpreter.engines.codegen.code import ADD, ATOM, Code, add, const
from rulewright.interpreter.engines.codegen.expressions import Writer
from rulewright.interpreter.engines.codegen.hoisting import put_off_whole
from rulewright.interpreter.engines.codegen.loops import write_for, write_while
from rulewright.interpreter.engines.codegen.scopes import Host

Variant = Literal["", "list", "any", "has", "reasons"]
"""The variant of an enumerator, or "" if the function is not an enumerator.

The variant determines the result. `list` returns the offered options, and `reasons` also the
refused ones. `any` returns whether any option is offered, and `has` whether `O` is offered.
"""

ENDINGS: dict[Variant, str] = {
    "list": "return A",
    "any": "return False",
    "has": "return False",
    "reasons": "return A, R",
    "": "",
}
LETTERS: dict[Variant, str] = {"": "p", "list": "o", "any": "a", "has": "h", "reasons": "r"}
EXTRA: dict[Variant, str] = {"": "", "list": ", A", "any": "", "has": ", O", "reasons": ", A, R"}

NESTING = 40  # the maximum nesting of statements (Python accepts at most 100)
LOOPS = 12  # the maximum nesting of loops (Python accepts 20)
COPIES = 240


@define(eq=False)
class Statements:
    """Writes the statements of one Python function."""

    w: Writer
    variant: Variant = ""
    ending: str = ""
    """The last statement of a function that offers options."""
    inner: list[str] = field(factory=list)
    """Functions within the function, for code that is nested too deeply."""
    filters: bool = True
    """Whether loops may use values that were selected in advance."""
    nesting: int = 0
    stable: set[int] = field(factory=set)
    """The parameters that are never set."""
    copies: int = COPIES
    """The number of nodes that may be repeated by unrolling loops."""
    _reads: dict[int, int] = field(init=False, factory=dict)
    _splits: int = field(default=0, init=False)

    def procedure(self, statements: tuple[ir.Stmt, ...]) -> bool:
        """Write the statements of a procedure or block. Return whether the end of the statements can be reached."""
        wanted = self.needed_statements(statements)
        scope = self.w.scope
        if isinstance(scope, Host):
            self.stable = scope.known - slots(walk(wanted))[1]
            put_off_whole(self.w, wanted)
        self._reads = reads_of(wanted)
        return self.body(wanted)

    def is_read_within(self, slot: int, body: tuple[ir.Stmt, ...]) -> bool:
        """Return whether all reads of a local are within the given statements of the procedure."""
        return self._reads.get(slot, 0) == reads_of(body).get(slot, 0)

    def body(self, statements: Sequence[ir.Stmt]) -> bool:
        """Write statements. Return whether the end of the statements can be reached."""
        return all(map(self.statement, statements))

    def suite(self, statements: Sequence[ir.Stmt]) -> bool:
        """Write statements, indented by one step. Return whether the end of the statements can be reached."""
        margin, self.w.margin = self.w.margin, self.w.margin + " "
        self.nesting += 1
        before = len(self.w.lines)
        too_deep = self.nesting > NESTING or self.w.loops > LOOPS
        reached = self._write_nested(statements) if too_deep else self.body(statements)
        if len(self.w.lines) == before:
            self.w.line("pass")
        self.w.margin = margin
        self.nesting -= 1
        return reached

    def statement(self, statement: ir.Stmt) -> bool:
        """Write a statement. Return whether the end of the statement can be reached."""
        match statement:
            case ir.SetLocal(slot, value):
                self._set_local(slot, value)
            case ir.Store(address, value, far):
                if far:
                    self._store_far(address, value)
                else:
                    self._store(address, value)
            case ir.If():
                return self._if(statement)
            case ir.CallPlain():
                return self._call_plain(statement)
            case ir.ForRange() | ir.ForEach():
                return write_for(self, statement)
            case ir.While():
                write_while(self, statement)
            case ir.Break():
                self.w.line("break")
                return False
            case ir.Continue():
                self.w.line("continue")
                return False
            case ir.Append(slot, value):
                item = self.w.text(value)
                self.w.line(f"{self.w.scope.look(slot).text}.append({item})")
            case ir.Return(value):
                self._return(value)
                return False
            case ir.SetLocalList(slot, capacity, value):
                self._keep(slot, capacity, self.w.look(value))
            case ir.Offer(option):
                return self._offer(self.w.value(option))
            case ir.Refuse(option, message, arguments):
                reason = f"Refusal({message}, {self.w.frozen(arguments)})"
                self.w.line(f"R[{self.w.text(option)}] = {reason}")
            case ir.Log(_, arguments, audience) if not self.w.flags.log:
                for argument in (*arguments, audience):
                    if self.w.matters(argument):
                        self.w.line(self.w.text(argument))
            case ir.Log(message, arguments, audience):
                values = self.w.frozen(arguments)
                self.w.line(f"LOG(({message}, {values}, {self.w.text(audience)}))")
            case ir.Fail() | ir.Fault():
                self.w.line(f"raise {self.w.problem(statement)}")
                return False
            case ir.Mark(mark, row):
                number = mark if row is None else f"{mark} + {self.w.text(row)}"
                self.w.line(f"COUNTS[{number}] += 1")
            case _:
                assert_never(statement)
        return True

    def _keep(self, slot: int, capacity: int, listed: Code) -> None:
        """Write code that stores a list in a frame."""
        first = self.w.scope.address(slot).text
        end = self.w.scope.address(slot + capacity + 1).text
        size = capacity + 1
        zeros = self.w.shared.cells((0,) * size, self.w.flags)
        if listed.const == ():
            self.w.line(f"S[{first}:{end}] = {zeros}")
        elif isinstance(listed.const, tuple) and len(listed.const) <= capacity:
            values = (len(listed.const), *listed.const, *[0] * (capacity - len(listed.const)))
            whole = self.w.shared.cells(values, self.w.flags)
            self.w.line(f"S[{first}:{end}] = {whole}")
        else:
            self.w.line(f"keep(S, {first}, {capacity}, {listed.text}, {zeros})")

    def _store(self, address: ir.Expr, value: ir.Expr) -> None:
        new = self.w.text(value)
        self.w.line(f"S[{self.w.address_code('settable_cell', self.w.value(address))}] = {new}")

    def _store_far(self, address: ir.Expr, value: ir.Expr) -> None:
        new, place = self.w.text(value), self.w.value(address)
        if self.w.flags.lists:
            self.w.line(f"set_far(S, {place.text}, {new})")
        else:
            cell = add(const(self.w.knowledge.program.far), place)
            self.w.line(f"S[{self.w.address_code('settable_cell', cell)}] = {new}")

    def _set_local(self, slot: int, value: ir.Expr) -> None:
        grows = isinstance(self.w.scope, Host) and slot in self.w.scope.growing
        code: Code | None = None
        if grows:
            empty = value in (ir.MakeList(()), ir.Const(()))
            text = "[]" if empty else f"[*{self.w.look(value).within(ATOM)}]"
        else:
            code = self.w.value(value)
            text = code.text
        self.w.line(f"{self.w.scope.target(slot)} = {text}")
        if code is not None and isinstance(code.const, int):
            self.w.scope.note(slot, code)

    def _return(self, value: ir.Expr | None) -> None:
        if self.variant:
            self.w.line(self.ending)
        else:
            self.w.line(f"return {self.w.look(value).text if value is not None else 0}")

    def _offer(self, option: Code) -> bool:
        match self.variant:
            case "list" | "reasons":
                self.w.line(f"A.append({option.text})")
            case "any":
                self.w.line("return True")
                return False
            case "has":
                self.w.line(f"if {option.within(ADD)} == O: return True")
            case _:
                raise AssertionError("an offer outside an enumerator")
        return True

    def _call_plain(self, call: ir.CallPlain) -> bool:
        if not self.variant or not self.w.knowledge.offers(call.procedure):
            self.w.line(self.w.call(call).text)
            return True
        code = self.w.call(call, LETTERS[self.variant], EXTRA[self.variant])
        if self.variant in ("any", "has"):
            self.w.line(f"if {code.text}: return True")
        else:
            self.w.line(code.text)
        return True

    def needed_statements(self, statements: tuple[ir.Stmt, ...]) -> tuple[ir.Stmt, ...]:
        """Return the statements without those that this function does not need."""
        found = (self._needed_part(statement) for statement in statements)
        return tuple(statement for statement in found if statement is not None)

    def _needed_part(self, statement: ir.Stmt) -> ir.Stmt | None:
        match statement:
            case ir.Mark():
                return statement if self.w.flags.counts else None
            case ir.Log():
                is_kept = self.w.flags.log or self.w.matters(statement)
                return statement if is_kept else None
            case ir.Refuse():
                return statement if self.variant == "reasons" else None
            case ir.If(condition, then, otherwise):
                then, otherwise = self.needed_statements(then), self.needed_statements(otherwise)
                if then or otherwise or self.w.matters(condition):
                    return ir.If(condition, then, otherwise)
                return None
            case ir.While() | ir.ForRange() | ir.ForEach():
                return evolve(statement, body=self.needed_statements(statement.body))
            case ir.Exit() | ir.Assignment() | ir.CallPlain() | ir.Offer():
                return statement

    def _if(self, statement: ir.If) -> bool:
        then, otherwise = statement.then, statement.otherwise
        negate = not then
        if negate:
            then, otherwise = otherwise, ()
        condition = self.w.condition(statement.condition, negate)
        if condition.const is not None:
            return self.body(then if condition.const else otherwise)
        known = self.w.scope.save()
        self.w.line(f"if {condition.text}:")
        arms: list[tuple[object, int]] = []
        if self.suite(then):
            arms.append((self.w.scope.save(), len(self.w.lines)))
        self.w.scope.restore(known)
        if not arms:  # the code after the `if` cannot be reached from this branch
            return self.body(otherwise)
        start = len(self.w.lines)
        reached = True
        if otherwise:
            self.w.line("else:")
            reached = self.suite(otherwise)
        if reached:
            arms.append((self.w.scope.save(), len(self.w.lines)))
        self.w.scope.join(arms)
        if len(otherwise) == 1 and self.nesting < NESTING:
            self._chain(start)
        return True

    def _chain(self, start: int) -> None:
        """If the `else` at line `start` contains only an `if`, replace both by `elif`."""
        lines = self.w.lines[start + 1 :]
        inner = self.w.margin + " "
        if not lines or not lines[0].startswith(inner + "if ") or lines[0].endswith(" True"):
            return
        size = len(inner)
        words = ("if ", "elif ", "else:")
        if any(
            li[size] != " " and not li.startswith(words[i > 0 :], size)
            for i, li in enumerate(lines)
        ):
            return
        self.w.lines[start:] = [line[1:] for line in lines]
        self.w.lines[start] = f"{self.w.margin}el{lines[0][size:]}"

    # ---- deeply nested code ----------------------------------------------------------------------

    def _write_nested(self, statements: Sequence[ir.Stmt]) -> bool:
        """Write statements as a nested function, and code that calls this function.

        The nested function returns None at its end, 1 for a `break`, and 2 for a `continue`. For a
        `return`, it returns the value in a tuple.
        """
        outer, margin = self.w.lines, self.w.margin
        nesting, loops = self.nesting, self.w.loops
        self.w.lines, self.w.margin, self.nesting, self.w.loops = [], "  ", 0, 0
        reached = self.body(statements)
        lines = self.w.lines
        self.w.lines, self.w.margin, self.nesting, self.w.loops = outer, margin, nesting, loops
        self._splits += 1
        name = f"d{self._splits}"
        ways: set[str] = set()
        turned = [
            _nested_line(line, in_loop, ways)
            for line, in_loop in zip(lines, list(_in_loops(lines)), strict=True)
        ]
        variables = sorted({n for line in lines for n in VARIABLE.findall(line)})
        self.inner.append(f" def {name}():")
        if variables:
            self.inner.append(f"  nonlocal {', '.join(variables)}")
        self.inner.extend(turned or ["  pass"])
        self.w.line(f"D = {name}()")
        if "return" in ways:
            self.w.line("if D.__class__ is tuple: return D[0]")
        if "break" in ways:
            self.w.line("if D == 1: break")
        if "continue" in ways:
            self.w.line("if D == 2: continue")
        return reached

    def another(self, writer: Writer) -> Statements:
        """Return a writer of statements for another function."""
        return Statements(writer, filters=False)

    def all_lines(self, parameters: int) -> list[str]:
        """Return the lines of the function."""
        return [*self.start_lines(parameters), *self.w.lines]

    def start_lines(self, parameters: int) -> list[str]:
        """Return the first lines of a function. They set those locals that may be read too early,
        and define nested functions."""
        unsure = self.w.scope.unsure if isinstance(self.w.scope, Host) else set()
        names = {f"v{slot}" for slot in unsure}
        for line in self.inner:
            if line.startswith("  nonlocal "):
                names |= set(VARIABLE.findall(line))
        names -= {f"v{slot}" for slot in range(parameters)}
        lines = [f" {name} = {text}" for name, text in self.w.loaded.items()]
        lines += [f" {name} = 0" for name in sorted(names)]
        return lines + self.inner


def _in_loops(lines: list[str]) -> Iterator[bool]:
    """Yield, for each line, whether the line is inside a loop that is among the given lines."""
    loops: list[int] = []
    for line in lines:
        depth = len(line) - len(line.lstrip(" "))
        while loops and depth <= loops[-1]:
            loops.pop()
        yield bool(loops)
        if line.startswith("for ", depth):
            loops.append(depth)


def _nested_line(line: str, in_loop: bool, ways: set[str]) -> str:
    """Rewrite a line for a nested function. Statements that leave the outer function or loop return
    a result instead."""
    bare = line.lstrip(" ")
    space = line[: len(line) - len(bare)]
    head, colon, tail = bare.rpartition(": ")
    if tail in ("break", "continue") and not in_loop:
        ways.add(tail)
        return f"{space}{head}{colon}return {1 if tail == 'break' else 2}"
    if tail.startswith("return "):
        ways.add("return")
        return f"{space}{head}{colon}return (({tail[7:]}),)"
    return line

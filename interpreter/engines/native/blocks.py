"""Writes LLVM IR for the blocks of suspending procedures, with one function for each procedure.

The function takes the block at which to start, and returns the block at which the run continues.
The returned block is in the caller or in a called procedure, or it is HALT. The function calls
other procedures directly, except for procedures that may call themselves. During a playout,
decisions and chance events are answered immediately.
"""

from __future__ import annotations

from typing import assert_never

from attrs import define, field

from rulewright.dsl import ir
from rulewright.dsl.ir import BOUND, FP, FRAME, GUARD, HALT, OVER, PLAYER, RESUME, SITE, SP
from rulewright.interpreter.engines.kernels.driven import NOTED
from rulewright.interpreter.engines.native.expressions import Num, Writer
from rulewright.interpreter.engines.native.llvm_text import UNLIKELY, Function
from rulewright.interpreter.engines.native.module import (
    FAILED,
    GLOBAL,
    LOCAL,
    NEVER,
    WAITING,
    Module,
)
from rulewright.interpreter.engines.native.optimise.ranges import HIGH
from rulewright.interpreter.engines.native.statements import Statements, take_turn


@define(eq=False)
class Blocks:
    """Writes the function of one suspending procedure."""

    module: Module
    number: int
    writer: Writer = field(init=False)
    statements: Statements = field(init=False)

    def __attrs_post_init__(self) -> None:
        head = f"internal fastcc i64 @s{self.number}(ptr %S, i64 %block) nounwind"
        self.writer = Writer(self.module, Function(head), None, self.number, self.procedure.locals)
        self.statements = Statements(self.writer)

    @property
    def program(self) -> ir.Program:
        """Return the program that is compiled."""
        return self.module.program

    @property
    def procedure(self) -> ir.Suspending:
        """Return the procedure whose blocks are written."""
        return self.program.suspending[self.number]

    @property
    def function(self) -> Function:
        """Return the function that is written."""
        return self.writer.function

    def write(self) -> str:
        """Write the function, and return its text."""
        f = self.function
        numbers = [
            number
            for number, block in enumerate(self.program.blocks)
            if block.procedure == self.number and number != HALT
        ]
        begin_frame(f)
        wrong = f.label()
        resumed = [number for number in numbers if number in self.module.flow.resumed]
        f.fork("%block", wrong, {number: f"B{number}" for number in resumed})
        todo = numbers
        while ready := [number for number in todo if f.is_aimed_at(f"B{number}")]:
            todo = [number for number in todo if number not in ready]
            for number in ready:
                f.start(f"B{number}")
                self.block(number)
        f.start(wrong)
        self.writer.give_up()
        self.writer.endings()
        return f.text()

    def block(self, number: int) -> None:
        """Write a block."""
        block, flow = self.program.blocks[number], self.module.flow
        if flow.ways_in[number] > 1 or number in flow.resumed:  # every cycle contains such a block
            take_turn(self.writer)
        self.statements.all(block.body)
        if self.function.open:
            self.end(block.end)

    def go_on(self, block: int) -> None:
        """Write code that jumps to a block of this procedure."""
        self.function.jump(f"B{block}")

    def end(self, end: ir.Terminator) -> None:
        """Write the end of a block."""
        writer, f = self.writer, self.function
        match end:
            case ir.Goto(target):
                self.go_on(target)
            case ir.Branch(condition, then, otherwise):
                place, before = len(f.lines), writer.allocated
                yes, no = f.label(), f.label()
                writer.branch(condition, yes, no)
                kept = writer.allocated > before
                if kept:
                    f.lines.insert(place, f" %m{place} = load ptr, ptr @TOP")
                for label, target in ((yes, then), (no, otherwise)):
                    f.start(label)
                    if kept:
                        f.store("ptr", f"%m{place}", "@TOP")
                    self.go_on(target)
            case ir.CallThen(callee, arguments, back):
                self.call(callee, arguments, back)
            case ir.Choose(site, player, _, back):
                self.choose(site, player, back)
            case ir.Chance(site, bound, slot, back):
                self.chance(site, bound, slot, back)
            case ir.Finish():
                self.finish()
            case ir.Enter(target):
                guard = Num(f.cell("%S", GUARD, GLOBAL), 0, HIGH - 1)
                f.set_cell("%S", GUARD, writer.as_cell(writer.binary("+", guard, Num("1", 1, 1))))
                self.go_on(target)
            case ir.Leave(target):
                self.close(target)
            case ir.Try(body, otherwise, actor):
                self.attempt(body, otherwise, self.alone(actor))
            case ir.EndGame():
                f.set_cell("%S", OVER, "1", GLOBAL)
                f.leave(f"i64 {HALT}")
            case _:
                assert_never(end)

    def alone(self, expression: ir.Expr) -> Num:
        """Write code that evaluates a number, and frees the intermediate lists."""
        writer, f = self.writer, self.function
        place, before = len(f.lines), writer.allocated
        number = writer.number(expression)
        if writer.allocated > before:
            f.lines.insert(place, f" %m{place} = load ptr, ptr @TOP")
            f.store("ptr", f"%m{place}", "@TOP")
        return number

    def call(self, callee: int, arguments: tuple[ir.Expr, ...], back: int) -> None:
        """Write code that pushes a frame for another procedure and calls the procedure.

        If the procedure may call itself, the code returns the first block of the procedure instead
        of calling it.
        """
        writer, f, program = self.writer, self.function, self.program
        procedure = program.suspending[callee]
        cells = [writer.as_cell(self.alone(argument)) for argument in arguments]
        if len(cells) != procedure.parameters:
            writer.give_up()
            return
        start = FRAME + self.procedure.locals
        end = start + FRAME + procedure.locals
        writer.give_up_if(f.value(f"icmp sgt i64 %base, {program.size - end}"))
        f.set_cell("%F", start, str(back), LOCAL)
        base = f.value("trunc i64 %base to i32")
        f.set_cell("%F", start + 1, base, LOCAL)
        for slot, cell in enumerate(cells):
            f.set_cell("%F", start + FRAME + slot, cell, LOCAL)
        f.set_cell("%S", FP, f.value(f"add i32 {base}, {start}"), GLOBAL)
        f.set_cell("%S", SP, f.value(f"add i32 {base}, {end}"), GLOBAL)
        if callee in self.module.circular:
            f.leave(f"i64 {procedure.entry}")
            return
        found = f.value(f"call fastcc i64 @s{callee}(ptr %S, i64 {procedure.entry})")
        stopped = f.label()
        f.branch(f.value(f"icmp eq i64 {found}, {back}"), f"B{back}", stopped)
        f.start(stopped)
        f.leave(f"i64 {found}")

    def finish(self) -> None:
        """Write code that clears and pops the frame, and returns the block at which the caller continues."""
        f = self.function
        size = FRAME + self.procedure.locals
        back = f.cell("%F", 0, LOCAL)
        caller = f.value(f"load i32, ptr {f.at('%F', 1)}{LOCAL}")
        f.set_cell("%S", FP, caller, GLOBAL)
        f.set_cell("%S", SP, f.value("trunc i64 %base to i32"), GLOBAL)
        f.do(f"call void @llvm.memset.p0.i64(ptr align 4 %F, i8 0, i64 {4 * size}, i1 false)")
        f.leave(f"i64 {back}")

    def choose(self, site: int, player: ir.Expr, back: int) -> None:
        """Write code that opens a decision."""
        writer, f = self.writer, self.function
        who = writer.within(self.alone(player), 0, self.program.seats)
        f.set_cell("%S", PLAYER, f.value(f"trunc i64 {who} to i32"), GLOBAL)
        f.set_cell("%S", SITE, str(site), GLOBAL)
        f.set_cell("%S", RESUME, str(back), GLOBAL)
        drive = f.load("ptr", "@DRIVE")
        with f.when(f.value(f"icmp eq ptr {drive}, null")):
            f.leave(f"i64 {f.value(f'tail call fastcc i64 @look(ptr %S, i64 {site})')}")
        option = f.value(f"call fastcc i64 @t{site}(ptr %S, ptr {drive})")
        self.return_if_stopped(option)
        f.set_cell("%S", RESUME, str(HALT), GLOBAL)
        f.set_cell("%S", SITE, "-1", GLOBAL)
        f.set_cell("%S", PLAYER, "-1", GLOBAL)
        slot = self.program.sites[site].slot
        self.statements.put_number(slot, f.value(f"trunc i64 {option} to i32"))
        self.go_on(back)

    def return_if_stopped(self, drawn: str) -> None:
        """Write code that returns if the playout cannot continue, because it has failed or waits for an answer."""
        f = self.function
        with f.when(f.value(f"icmp sle i64 {drawn}, {WAITING}"), UNLIKELY):
            failed = f.value(f"icmp eq i64 {drawn}, {FAILED}")
            f.leave(f"i64 {f.value(f'select i1 {failed}, i64 {FAILED}, i64 {HALT}')}")

    def chance(self, site: int, bound: ir.Expr, slot: int, back: int) -> None:
        """Write code that opens a chance event, or continues if only one result is possible."""
        writer, f = self.writer, self.function
        results = self.alone(bound)
        cell = writer.as_cell(results)
        several, one = f.label(), f.label()
        f.branch(f.value(f"icmp sgt i64 {results.text}, 1"), several, one)
        f.start(several)
        drive = f.load("ptr", "@DRIVE")
        with f.when(f.value(f"icmp ne ptr {drive}, null")):
            drawn = f.value(f"call fastcc i64 @draw_result(ptr {drive}, i64 {results.text})")
            self.return_if_stopped(drawn)
            noted = f.load("i64", f.at(drive, NOTED, "i64"))
            with f.when(f.value(f"icmp ne i64 {noted}, 0"), UNLIKELY):
                f.do(f"call fastcc void @n{site}(ptr %S, ptr {drive}, i64 {drawn})")
            self.statements.put_number(slot, f.value(f"trunc i64 {drawn} to i32"))
            self.go_on(back)
        f.set_cell("%S", BOUND, cell, GLOBAL)
        f.set_cell("%S", SITE, str(site), GLOBAL)
        f.set_cell("%S", RESUME, str(back), GLOBAL)
        f.leave(f"i64 {HALT}")
        f.start(one)
        self.statements.put_number(slot, "0")
        self.go_on(back)

    def attempt(self, body: int, otherwise: int, actor: Num) -> None:
        """Write code that runs a scope if it can be closed, and then continues after it. If a
        decision is then open, the caller answers it."""
        f = self.function
        found = f.value(f"call fastcc i64 @attempt(ptr %S, i64 {body}, i64 {actor.text})")
        blocks = self.program.blocks
        entered = {
            block.end.block
            for block in blocks
            if isinstance(block.end, ir.Leave) and block.procedure == self.number
        }
        elsewhere = f.label()
        ways = {number: f"B{number}" for number in sorted(entered)}
        f.fork(found, elsewhere, {NEVER: f"B{otherwise}", **ways})
        f.start(elsewhere)  # failures also jump to this label
        f.leave(f"i64 {found}")

    def close(self, target: int) -> None:
        """Write code that closes a possibility scope. A search that started at this scope stops here."""
        writer, f = self.writer, self.function
        guard = f.value(f"sub i64 {f.cell('%S', GUARD, GLOBAL)}, 1")
        writer.give_up_if(f.value(f"icmp slt i64 {guard}, 0"))
        f.set_cell("%S", GUARD, f.value(f"trunc i64 {guard} to i32"), GLOBAL)
        here = f.label()
        f.branch(f.value(f"icmp eq i64 {guard}, {f.load('i64', '@FLOOR')}"), here, f"B{target}")
        f.start(here)
        f.set_cell("%S", RESUME, str(target), GLOBAL)
        f.leave(f"i64 {HALT}")


def begin_frame(f: Function) -> None:
    """Write code that computes the address of the frame of the running procedure."""
    f.lines += [
        f" %fp = getelementptr i32, ptr %S, i64 {FP}",
        f" %fp32 = load i32, ptr %fp{GLOBAL}",
        " %base = sext i32 %fp32 to i64",
        " %F = getelementptr i32, ptr %S, i64 %base",
    ]


def site_function(module: Module, number: int) -> str:
    """Write the function that runs the enumerator of a site and writes its options to `@OFFERS`."""
    site = module.program.sites[number]
    procedure = module.program.suspending[site.procedure]
    f = Function(f"internal fastcc i64 @e{number}(ptr %S) nounwind")
    writer = Writer(module, f, None, site.procedure, procedure.locals)
    begin_frame(f)
    f.do("%mark = load ptr, ptr @TOP")
    writer.call(ir.CallPlain(site.enumerator, site.arguments))
    f.store("ptr", "%mark", "@TOP")
    f.leave("i64 0")
    writer.endings()
    return f.text()

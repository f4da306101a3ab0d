"""Writes Python code for the blocks of suspending procedures.

A generated function takes the state. It returns the block at which to continue, or 0 if the run
stops, or, in modules for searches, `~block` after a `Leave`. The function begins at one block. It
contains the blocks that can be reached from there without suspending, if they have a single
predecessor or are small. Calls of procedures that begin with a small block are inlined. While a
function runs, Python variables store the locals. Where the state is visible from outside, the
locals are written back, and the frames of inlined calls are pushed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import assert_never

from attrs import define, field

from rulewright.dsl import ir
from rulewright.dsl.ir import BOUND, FP, FRAME, GUARD, OVER, PLAYER, RESUME, SITE, SP
from rulewright.interpreter.engines.analysis.flow import Flow
from rulewright.interpreter.engines.chance import WORD
from rulewright.interpreter.engines.codegen.cleanup import function
from rulewright.interpreter.engines.codegen.code import Code, const
from rulewright.interpreter.engines.codegen.expressions import Writer
from rulewright.interpreter.engines.codegen.frames import RUNNING, Frame, Header, Running, frame_of
from rulewright.interpreter.engines.codegen.functions import Module
from rulewright.interpreter.engines.codegen.statements import Statements

SMALL = 8  # The maximum size, in statements, of a block that is written more than once.
LARGE = 40  # The maximum size of the first block of a call that is inlined.
ROOM = 40  # The maximum number of statements that a function shares with other functions.
SMALL_HERE, LARGE_HERE, ROOM_HERE = (
    16,
    100,
    300,
)  # The same limits for functions that are written when needed.
COPIES = (
    4000  # The approximate maximum number of statements that are written twice in a whole program.
)
DEPTH = 4  # The maximum nesting of inlined calls.
STEPS_IN = 40  # The deepest indentation of a block.
CHAIN = 60  # The maximum number of blocks that are written one after another.


@define(eq=False)
class Blocks:
    """The code of the functions of all blocks."""

    module: Module
    heads: list[int]
    """The blocks at which functions begin, in the order in which the functions are written."""
    texts: list[str] = field(factory=list)
    _known: set[int] = field(factory=set)

    def head(self, block: int) -> int:
        """Make a function begin at a block, and return the block."""
        if block not in self._known:
            self._known.add(block)
            self.heads.append(block)
        return block

    def is_head(self, block: int) -> bool:
        """Return whether a function begins at a block."""
        return block in self._known


def block_functions(module: Module) -> Blocks:
    """Write the functions of all blocks."""
    heads = sorted(module.flow.resumed)
    blocks = Blocks(module, heads, [], set(heads))
    room = room_of(module.flow)
    for head in blocks.heads:  # this list grows in the loop
        blocks.texts.append(_Function(blocks, head, room).write())
    return blocks


def room_of(flow: Flow) -> int:
    """Return the maximum number of statements in a function that are also written elsewhere."""
    statements = 0
    for number in range(len(flow.program.blocks)):
        statements += flow.size(number)
        if statements > COPIES:  # no room is left
            break
    return min(ROOM, COPIES // statements)


def answer_function(module: Module, block: int, answered: ir.Choose | ir.Chance, room: int) -> str:
    """Write the function that takes the answer to the open decision or chance event, and continues at a block.

    The function returns the options of the decision that it reaches, if they are wanted. Otherwise
    it returns the same result as the functions of blocks.
    """
    blocks = Blocks(module, [], [], {*module.flow.resumed})
    return _Function(blocks, block, room, answered=answered).write()


def block_function(module: Module, head: int, room: int | None = None) -> str:
    """Write the function of a block where a run resumes. The functions of other blocks are written when needed.

    Without `room`, as much as possible is written into this function.
    """
    flow = module.flow
    blocks = Blocks(module, [], [], {*flow.resumed, head})
    if room is not None:
        return _Function(blocks, head, room).write()
    return _Function(blocks, head, ROOM_HERE, SMALL_HERE, LARGE_HERE).write()


@define(eq=False)
class _Function:
    """Writes the function that begins at one block."""

    blocks: Blocks
    head: int
    room: int
    small: int = SMALL
    large: int = LARGE
    answered: ir.Choose | ir.Chance | None = None
    """The decision or chance event with whose answer the function starts."""
    turns: bool = False
    """Whether the function returns to its first block."""
    counts: bool = False
    """Whether the function counts the iterations of loops."""
    writer: Writer = field(init=False)
    statements: Statements = field(init=False)
    running: Running = field(init=False)
    header: Header = field(init=False, factory=Header)

    @property
    def flow(self) -> Flow:
        return self.blocks.module.flow

    @property
    def frame(self) -> Frame:
        """Return the locals of the procedure that runs."""
        return self.running.frame

    @property
    def procedure(self) -> ir.Suspending:
        """Return the procedure that runs."""
        return self.flow.program.suspending[self.running.number]

    def write(self) -> str:
        """Write the function, and return its code."""
        module, flow = self.blocks.module, self.flow
        number = flow.program.blocks[self.head].procedure
        frame = frame_of(flow, number, module.flags.lists, flow.bare[number])
        self.running = Running(number, frame)
        self.writer = Writer(module.knowledge, module.flags, module.shared, frame)
        self.statements = Statements(self.writer)
        frame.writer = self.writer
        is_late = module.flags.draws or self.answered is not None
        frame.at_once = not is_late or number in flow.searching
        is_read = number in flow.looking or number in flow.searching
        self.header.at_once = module.flags.log or is_read
        self.writer.margin = "  "
        name = f"b{self.head}(S)" if self.answered is None else self.answer(self.answered)
        self.block(self.head, ())
        start, lines = self.statements.start_lines(0), self.writer.lines
        if self.turns:
            module.shared.loops = True
            span = flow.program.blocks[self.head].span or self.procedure.span
            place = module.shared.constant("W", span, lambda: span)
            lines = [*start, " for _ in turns:", *lines, f" raise no_progress({place})"]
        else:
            lines = [*start, *(line[1:] for line in lines)]
        if self.answered is not None and self.counts:
            lines.insert(0, " count_turns()")
        return function(name, lines)

    def answer(self, answered: ir.Choose | ir.Chance) -> str:
        """Begin with the answer to the open decision or chance event. Return the name of the function."""
        writer, frame, slot = self.writer, self.frame, answered.slot
        self.header.open(answered)
        variable = frame.variable(slot)
        if isinstance(answered, ir.Chance):
            bound = (
                str(answered.bound.value) if isinstance(answered.bound, ir.Const) else f"S[{BOUND}]"
            )
            writer.line(f"if not 0 <= {variable} < {bound}: raise no_result({variable})")
        if self.header.at_once:
            self.header.close(writer)
        if slot in frame.bare or frame.at_once:
            writer.line(f"{frame.target(slot)} = {variable}")
        else:
            frame.held.add(slot)
            frame.dirty.add(slot)
        return f"n{self.head}(S, {variable})"

    def block(self, number: int, path: tuple[int, ...]) -> None:
        """Write a block and the blocks that follow it. The code after these blocks cannot be reached."""
        block = self.flow.program.blocks[number]
        if self.blocks.module.flags.blocks:
            self.writer.line("BLOCKS[0] += 1")
        self.counts |= number in self.flow.turning
        if self.statements.procedure(block.body):
            self.end(block.end, (*path, number))

    def jump(self, target: int, path: tuple[int, ...]) -> None:
        """Write code that continues at a block of the procedure."""
        writer, flow = self.writer, self.flow
        in_place = self.running.caller is not None
        if target == self.head and not in_place and self.answered is None:
            self.write_back()
            writer.line("continue")
            self.turns = True
            return
        times = path.count(target)
        often = 0 if self.answered is None else 1  # a round may end before the next decision
        if times <= often and len(path) < CHAIN and len(writer.margin) < STEPS_IN:
            size = flow.size(target)
            only_here = flow.ways_in[target] == 1 and not self.blocks.is_head(target)
            if only_here and not in_place and not times:
                self.block(target, path)
                return
            if size <= self.room and (only_here or size <= self.small):
                self.room -= size
                self.block(target, path)
                return
        self.write_back()
        writer.line(f"return {self.blocks.head(target)}")

    def end(self, end: ir.Terminator, path: tuple[int, ...]) -> None:
        """Write the end of a block."""
        writer = self.writer
        match end:
            case ir.Goto(target):
                self.jump(target, path)
            case ir.Branch(condition, then, otherwise):
                self.branch(condition, then, otherwise, path)
            case ir.CallThen(callee, arguments, back):
                self.call(callee, arguments, back, path)
            case ir.Choose(site, player, slot, back):
                if self.blocks.module.flags.draws:
                    self.choose_here(site, player, slot, back, path)
                else:
                    self.choose(site, player, back)
            case ir.Chance(site, bound, slot, back):
                self.chance(site, bound, slot, back, path)
            case ir.Finish():
                self.finish()
            case ir.Enter(target):
                self.header.move_guard(writer, 1)
                self.jump(target, path)
            case ir.Leave(target):
                self.header.move_guard(writer, -1)
                if self.blocks.module.flags.stops:
                    self.write_back()
                    writer.line(f"return {~target}")
                else:
                    self.jump(target, path)
            case ir.Try(body, otherwise, actor):
                who = writer.text(actor)
                self.write_back()
                flags = self.blocks.module.flags
                if flags.log or flags.counts or flags.blocks:  # these need the body to run again
                    writer.line(f"return {body} if can_do(S, {body}, {who}) else {otherwise}")
                else:
                    do = "go_on" if flags.draws else "do"
                    writer.line(f"return {do}(S, {body}, {who}, {otherwise})")
            case ir.EndGame():
                self.write_back()
                writer.line(f"S[{OVER}] = 1")
                writer.line("return 0")
            case _:
                assert_never(end)

    def branch(self, condition: ir.Expr, then: int, otherwise: int, path: tuple[int, ...]) -> None:
        """Write code that continues at one of two blocks."""
        writer = self.writer
        code = writer.condition(condition)
        if code.const is not None:
            self.jump(then if code.const else otherwise, path)
            return
        known = self.known_state()
        writer.line(f"if {code.text}:")
        writer.margin += " "
        self.jump(then, path)
        writer.margin = writer.margin[:-1]
        self.restore(known)
        self.jump(otherwise, path)

    def known_state(self) -> tuple[int, list[object]]:
        """Return the known state of the header, and of the locals of all running procedures."""
        return self.header.guard, [each.frame.save() for each in self.running.chain]

    def restore(self, known: tuple[int, list[object]]) -> None:
        """Return to a saved state."""
        self.header.guard, frames = known
        for each, state in zip(self.running.chain, frames, strict=True):
            each.frame.restore(state)

    # ---- frames ----------------------------------------------------------------------------------

    def write_back(self, opened: Mapping[int, str] = RUNNING) -> None:
        """Write code that stores all variables, and the cells `opened` of the header, in the state.
        The state becomes visible here."""
        chain = self.running.chain
        for each in reversed(chain):
            frame = each.frame
            if each.caller is None:
                frame.write_back()
            elif self.writer.flags.lists:
                back, procedure = each.back, self.flow.program.suspending[each.number]
                self.append(frame, each.caller.frame, back, procedure, frame.values())
            else:
                self.push(frame, each.caller.frame, back=each.back)
                frame.write_back()
        if len(chain) > 1:
            self.point_to(self.frame, self.procedure)
        self.header.write(self.writer, opened)

    def push(self, frame: Frame, caller: Frame, back: int) -> None:
        """Write code that stores the head of a frame."""
        self.writer.line(f"S[{frame.at(0)}] = {back}")
        self.writer.line(f"S[{frame.at(1)}] = {caller.at(0)}")

    def append(
        self,
        frame: Frame,
        caller: Frame,
        back: int,
        procedure: ir.Suspending,
        values: Sequence[str],
    ) -> None:
        """Write code that appends a frame to a state that is a list."""
        rest = ["0"] * (procedure.locals - len(values))
        cells = ", ".join([str(back), caller.at(0), *values, *rest])
        self.writer.line(f"S += ({cells})")

    def point_to(self, frame: Frame, procedure: ir.Suspending) -> None:
        """Write code that makes a frame the last frame."""
        self.writer.line(f"S[{FP}] = {frame.at(0)}")
        self.writer.line(f"S[{SP}] = {frame.at(FRAME + procedure.locals)}")

    def call(
        self, callee: int, arguments: tuple[ir.Expr, ...], back: int, path: tuple[int, ...]
    ) -> None:
        """Write code that continues at the entry of another procedure."""
        writer, program = self.writer, self.flow.program
        procedure = program.suspending[callee]
        codes = [writer.value(argument) for argument in arguments]
        start = self.frame.start + FRAME + self.procedure.locals
        frame = Frame(start, self.frame.fixed)
        room = program.size - start - FRAME - procedure.locals
        if writer.flags.lists:
            room += self.flow.stack_in_lists - program.stack
        if not frame.fixed:
            writer.line(f"if F > {room}: raise too_deep({callee})")
        elif room < 0:
            writer.line(f"raise too_deep({callee})")
            return
        if self.may_be_in_place(callee, path):
            self.call_in_place(callee, codes, frame, back, path)
            return
        self.write_back()
        if writer.flags.lists:
            values = [code.text for code in codes]
            self.append(frame, self.frame, back, procedure, values)
        else:
            self.push(frame, self.frame, back)
            for slot, code in enumerate(codes):
                writer.line(f"S[{frame.at(FRAME + slot)}] = {code.text}")
        self.point_to(frame, procedure)
        writer.line(f"return {procedure.entry}")

    def may_be_in_place(self, callee: int, path: tuple[int, ...]) -> bool:
        """Return whether a call is inlined.

        A call is not inlined if a search starts from the state during the call, because the frame
        would be missing.
        """
        chain = self.running.chain
        size = self.flow.size(self.flow.program.suspending[callee].entry)
        return (
            all(each.number != callee for each in chain)
            and len(chain) <= DEPTH
            and size <= min(self.room, self.large)
            and len(path) < CHAIN
            and len(self.writer.margin) < STEPS_IN
            and not self.flow.bare[callee]
            and callee not in self.flow.searching
            and (callee not in self.flow.looking or self.header.at_once)
        )

    def call_in_place(
        self, callee: int, codes: list[Code], frame: Frame, back: int, path: tuple[int, ...]
    ) -> None:
        """Inline a call."""
        writer, caller = self.writer, self.running
        procedure = self.flow.program.suspending[callee]
        frame.writer, frame.mark = writer, f"_{len(caller.chain)}"
        for slot in range(procedure.locals):
            code = codes[slot] if slot < len(codes) else const(0)
            writer.line(f"{frame.variable(slot)} = {code.text}")
            if isinstance(code.const, int):
                frame.note(slot, code)
        frame.held = set(range(procedure.locals))
        frame.dirty = set(range(len(codes)))
        self.room -= self.flow.size(procedure.entry)
        self.running = Running(callee, frame, caller, back, path)
        writer.scope = frame
        self.block(procedure.entry, ())
        self.running, writer.scope = caller, caller.frame

    def finish(self) -> None:
        """Write code that returns to the caller."""
        writer, running = self.writer, self.running
        caller, frame = running.caller, running.frame
        if caller is not None:
            self.running, writer.scope = caller, caller.frame
            known = self.known_state()
            self.jump(running.back, running.path)
            self.restore(known)
            self.running, writer.scope = running, frame
            return
        self.header.write(writer, RUNNING)
        writer.line(f"B = S[{frame.at(0)}]")
        writer.line(f"S[{FP}] = S[{frame.at(1)}]")
        writer.line(f"S[{SP}] = {frame.at(0)}")
        if writer.flags.lists:
            writer.line(f"del S[{frame.at(0)}:]")
        else:
            size = FRAME + self.procedure.locals
            zeros = writer.shared.cells((0,) * size, writer.flags)
            writer.line(f"S[{frame.at(0)}:{frame.at(size)}] = {zeros}")
        writer.line("return B")

    # ---- decisions and chance events -------------------------------------------------------------

    def choose(self, site: int, player: ir.Expr, back: int) -> None:
        """Write code that opens a decision.

        The options are listed immediately if the run is not part of a search (see `PythonEngine`).
        """
        writer, program, flags = self.writer, self.flow.program, self.blocks.module.flags
        self.write_back({PLAYER: writer.text(player), SITE: str(site), RESUME: str(back)})
        if not (flags.draws or _surely_offers(program.plain[program.sites[site].enumerator])):
            self.counts |= self.flow.counts_turns(site)
            nothing = f"raise Impossible({program.sites[site].empty}, (), S)"
            if self.answered is not None and flags.finds and not self.flow.is_searched(site):
                writer.line(f"try: A = os{site}(S)")
                writer.line(f"except Exception: return 0 if as{site}(S) else []")
                writer.line("if A: return A")
                writer.line(nothing)
                return
            look = "as" if flags.counts or flags.stops else "cs"
            writer.line(f"if not {look}{site}(S): {nothing}")
        writer.line("return 0")

    def choose_here(
        self, site: int, player: ir.Expr, slot: int, back: int, path: tuple[int, ...]
    ) -> None:
        """Write code that chooses an option at random, unless a search is needed. If nothing is
        offered, the code may raise any exception."""
        writer, flags = self.writer, self.blocks.module.flags
        info = self.flow.program.sites[site]
        if self.flow.is_opened(site):
            self.choose(site, player, back)
            return
        if self.flow.is_searched(site):
            self.header.write_guard(writer)
            known = self.known_state()
            writer.line(f"if S[{GUARD}]:")
            writer.margin += " "
            self.choose(site, player, back)
            writer.margin = writer.margin[:-1]
            self.restore(known)
        elif writer.matters(player):
            writer.line(writer.text(player))
        arguments = "".join(f", {writer.text(argument)}" for argument in info.arguments)
        writer.line(f"A = gs{site}(S{arguments})")
        writer.line("n = len(A)")
        writer.line("t = choice() * n")
        writer.line(f"if t & {WORD} < (n or 1): raise Again")
        writer.line(f"{self.frame.target(slot)} = A[t >> 32]")
        if flags.tells:
            writer.line("tell(n)")
        self.jump(back, path)

    def chance(
        self, site: int, bound: ir.Expr, slot: int, back: int, path: tuple[int, ...]
    ) -> None:
        """Write code that opens a roll or draw, or continues if only one result is possible."""
        writer = self.writer
        results = writer.value(bound)
        if isinstance(results.const, int):
            if results.const > 1:
                self.draw(site, results.text, slot, back, path)
                return
        else:
            once, again = writer.twice(results)
            known = self.known_state()
            writer.line(f"if {once} > 1:")
            writer.margin += " "
            self.draw(site, again, slot, back, path)
            writer.margin = writer.margin[:-1]
            self.restore(known)
        writer.line(f"{self.frame.target(slot)} = 0")
        self.jump(back, path)

    def draw(self, site: int, bound: str, slot: int, back: int, path: tuple[int, ...]) -> None:
        """Write code that opens a roll or draw, or draws the result immediately."""
        writer = self.writer
        if self.blocks.module.flags.draws:
            writer.line(f"t = chance() * {bound}")
            writer.line(f"if t & {WORD} < {bound}: raise Again")
            writer.line(f"{self.frame.target(slot)} = t >> 32")
            self.jump(back, path)
            return
        self.write_back({BOUND: bound, SITE: str(site), RESUME: str(back)})
        writer.line("return 0")


def _surely_offers(enumerator: ir.Plain) -> bool:
    """Return whether an enumerator begins with an offer that cannot fail."""
    for statement in enumerator.body:
        match statement:
            case ir.Offer(ir.Const()):
                return True
            case ir.Refuse():
                continue
            case _:
                return False
    return False

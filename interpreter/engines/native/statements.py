"""Writes LLVM IR for the statements of the core IR, and for plain procedures. This module does not depend on blocks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import NamedTuple, cast

from attrs import define, field

from rulewright.dsl import ir
from rulewright.dsl.ir import FRAME, HEADER
from rulewright.interpreter.engines.analysis.procedures import (
    PARTS,
    locals_in,
    replace_parts,
    slots,
    walk,
)
from rulewright.interpreter.engines.native.bits.masks import FEWEST, MOST, Masks, NoMask
from rulewright.interpreter.engines.native.bits.words import Words
from rulewright.interpreter.engines.native.expressions import (
    Kept,
    Listed,
    Num,
    Variable,
    Writer,
    const,
)
from rulewright.interpreter.engines.native.llvm_text import UNLIKELY, Function
from rulewright.interpreter.engines.native.log_buffer import note_line
from rulewright.interpreter.engines.native.module import (
    CHUNK,
    FOUND,
    GLOBAL,
    LOCAL,
    MARK,
    NONE,
    OWN,
    PAIR,
    Module,
    stride,
)
from rulewright.interpreter.engines.native.optimise.columns import split_first
from rulewright.interpreter.engines.native.optimise.ranges import (
    EMPTY,
    HIGH,
    LOW,
    ZERO,
    Known,
    Range,
    breaks,
    join,
    join_known,
)
from rulewright.interpreter.engines.native.representation import LIST, NUMBER, is_quiet


@define(eq=False)
class Statements:
    """Writes the statements of one native function."""

    writer: Writer
    loops: list[tuple[str, str]] = field(factory=list)
    """For each open loop, the labels of its next iteration and of its exit."""
    _ending: str = ""

    @property
    def function(self) -> Function:
        """Return the function that is written."""
        return self.writer.function

    def all(self, body: Sequence[ir.Stmt]) -> None:
        """Write statements."""
        for statement in body:
            if not self.function.open:
                return
            self._one(statement)

    def _one(self, statement: ir.Stmt) -> None:
        writer, f = self.writer, self.function
        place, before = len(f.lines), writer.allocated
        self.statement(statement)
        if writer.allocated > before and not self.keeps(statement):
            # After the statement, intermediate lists are no longer needed.
            f.lines.insert(place, f" %m{place} = load ptr, ptr @TOP")
            f.store("ptr", f"%m{place}", "@TOP")

    def keeps(self, statement: ir.Stmt) -> bool:
        """Return whether a statement may store a list in a local."""
        plain = self.writer.plain
        if plain is None:
            return False
        kinds = self.writer.module.kinds
        for node in walk(statement):
            match node:
                case ir.Append():
                    return True
                case ir.SetLocal(slot, _) | ir.ForEach(slot, _, _):
                    if kinds.slot(plain, slot) >= LIST:
                        return True
                case _:
                    pass
        return False

    def statement(self, statement: ir.Stmt) -> None:
        """Write a statement."""
        writer, f = self.writer, self.function
        match statement:
            case ir.SetLocal(slot, value):
                self.set_local(slot, value)
            case ir.SetLocalList(slot, capacity, value):
                self.set_list(slot, capacity, writer.list_value(value))
            case ir.Store(address, value, far):
                new = writer.cell(value)
                where = writer.address(address, HEADER, far)
                f.set_cell("%S", where, new, GLOBAL)
                self.mark(where)
            case ir.If(condition, then, otherwise):
                self.fork(condition, then, otherwise)
            case ir.While():
                self.repeat(statement)
            case ir.ForRange(slot, low, high, body):
                first, last = writer.number(low), writer.number(high)
                self.count(slot, first, last, body)
            case ir.ForEach(slot, of, body):
                self.each(slot, of, body)
            case ir.Break():
                f.jump(self.loops[-1][1])
            case ir.Continue():
                f.jump(self.loops[-1][0])
            case ir.Append(slot, value):
                self.append(slot, value)
            case ir.CallPlain():
                writer.call(statement)
            case ir.Return(value):
                self.give(value)
            case ir.Offer(option):
                self.offer(writer.cell(option))
            case ir.Fail(_, arguments):
                for argument in arguments:
                    if writer.module.knowledge.may_fail(argument):
                        self.try_out(argument)  # a fault in the reason must be raised
                writer.fail()
            case ir.Fault():
                writer.give_up()
            case ir.Log():
                self.tell(statement)
            case ir.Refuse() | ir.Mark():
                pass

    def try_out(self, expression: ir.Expr) -> None:
        """Write code that evaluates an expression only because the evaluation may fail."""
        kind = self.writer.module.kinds.of(expression, self.writer.plain)
        if kind >= LIST:
            self.writer.list_value(expression)
        else:
            self.writer.number(expression)

    def tell(self, line: ir.Log) -> None:
        """Write code that adds a log line to the buffer, if there is a buffer. A fault in the line
        is raised in any case."""
        writer, f = self.writer, self.function
        for part in (*line.arguments, line.audience):
            if writer.module.knowledge.may_fail(part):
                self.try_out(part)
        if not writer.module.tells:
            return
        with f.when(f.value(f"icmp ne ptr {f.load('ptr', '@TELL')}, null"), UNLIKELY):
            note_line(writer, line)

    def mark(self, cell: str) -> None:
        """Write code that marks a cell as changed.

        The cell now differs from the previous state in the pool, and the next state in the pool
        differs from the current state.
        """
        layout, f = self.writer.module.layout, self.function
        if not layout.chunks:
            return
        chunk = str(int(cell) // CHUNK) if cell.isdecimal() else f.value(f"lshr i64 {cell}, 6")
        first = f.at(f.at("%S", layout.marks, "i8"), chunk, "i8")
        for address in (first, f.at(first, layout.stride, "i8")):
            f.do(f"store i8 1, ptr {address}{MARK}")

    # ---- locals ----------------------------------------------------------------------------------

    def set_local(self, slot: int, value: ir.Expr) -> None:
        """Write code that sets a local to the value of an expression."""
        writer = self.writer
        variable = writer.variables.get(slot)
        if writer.plain is not None and variable is not None and variable.length:
            listed = writer.list_value(value)
            self.put_list(variable, listed)
            writer.note(slot, (listed.low, listed.high))
        else:
            number = writer.number(value)
            self.put_number(slot, writer.as_cell(number))
            writer.note(slot, (number.low, number.high))

    def put_number(self, slot: int, cell: str) -> None:
        """Write code that stores a 32-bit number in a local."""
        writer, f = self.writer, self.function
        if writer.plain is None:
            f.set_cell("%F", FRAME + slot, cell, LOCAL)
        elif slot in writer.variables:
            f.store("i32", cell, writer.variables[slot].value)

    def put_list(self, variable: Variable, listed: Listed) -> None:
        """Write code that stores a list in a local."""
        f = self.function
        f.store("ptr", listed.items, variable.value)
        f.store("i64", listed.length, variable.length)
        if variable.room:
            f.store("i64", "0", variable.room)

    def set_list(self, slot: int, capacity: int, listed: Listed) -> None:
        """Write code that stores a list in a frame: first the length, then the items, then zeros up to `capacity`."""
        writer, f = self.writer, self.function
        if writer.plain is not None or listed.kind != LIST or slot + capacity >= writer.locals:
            writer.give_up()
            return
        writer.give_up_if(f.value(f"icmp ugt i64 {listed.length}, {capacity}"))
        first = f.at("%F", FRAME + slot + 1)
        size = f.value(f"shl i64 {listed.length}, 2")
        f.do(
            f"call void @llvm.memmove.p0.p0.i64(ptr {first}, ptr {listed.items}, i64 {size}, i1 false)"
        )
        rest = f.value(f"sub i64 {4 * capacity}, {size}")
        end = f.at(first, listed.length)
        f.do(f"call void @llvm.memset.p0.i64(ptr {end}, i8 0, i64 {rest}, i1 false)")
        f.set_cell("%F", FRAME + slot, f.value(f"trunc i64 {listed.length} to i32"), LOCAL)

    def append(self, slot: int, value: ir.Expr) -> None:
        """Write code that appends an item to the list in a local."""
        writer, f = self.writer, self.function
        variable = writer.variables.get(slot)
        if writer.plain is None or variable is None or not variable.room:
            writer.give_up()
            return
        kind = writer.module.kinds.slot(writer.plain, slot)
        number = writer.number(value) if kind == LIST else None
        cell = "" if number is None else writer.as_cell(number)
        inner = None if number else writer.list_value(value)
        given = (number.low, number.high) if number else EMPTY
        if inner is not None:
            given = inner.low, inner.high
        writer.note(slot, join(writer.known.get(slot, EMPTY), given) or given)
        wide = stride(kind)
        writer.allocated += 1
        length = f.load("i64", variable.length)
        room = f.load("i64", variable.room)
        with f.when(f.value(f"icmp uge i64 {length}, {room}"), UNLIKELY):
            twice = f.value(f"shl i64 {length}, 1")
            more = f.value(f"add i64 {twice}, 6")
            old = f.load("ptr", variable.value)
            cells = [f.value(f"mul i64 {text}, {wide}") for text in (length, room, more)]
            new = f.value(
                f"call fastcc ptr @grow(ptr {old}, i64 {cells[0]}, i64 {cells[1]}, i64 {cells[2]})"
            )
            writer.failed_if(f.value(f"icmp eq ptr {new}, null"))
            f.store("ptr", new, variable.value)
            f.store("i64", more, variable.room)
        items = f.load("ptr", variable.value)
        if inner is None:
            f.set_cell(items, length, cell, LOCAL)
        else:
            writer.set_inner(f.at(items, length, PAIR), inner)
        f.store("i64", f.value(f"add i64 {length}, 1"), variable.length)

    # ---- forks and loops -------------------------------------------------------------------------

    def fork(
        self, condition: ir.Expr, then: Sequence[ir.Stmt], otherwise: Sequence[ir.Stmt]
    ) -> None:
        """Write an `If`."""
        writer, f = self.writer, self.function
        yes, no, after = f.label(), f.label(), f.label()
        before = writer.known
        writer.branch(condition, yes, no if otherwise else after)
        f.start(yes)
        writer.known = writer.where(condition, holds=True)
        self.all(then)
        end = writer.known if f.open else None
        f.jump(after)
        writer.known = before
        writer.known = writer.where(condition, holds=False)
        if otherwise:
            f.start(no)
            self.all(otherwise)
        other = writer.known if f.open or not otherwise else None
        f.start(after)
        writer.known = join_known(end, other) or before

    def repeat(self, loop: ir.While) -> None:
        """Write a `While`."""
        with self.keeping((ir.If(loop.condition, loop.body),)):
            self._repeat(loop)

    def _repeat(self, loop: ir.While) -> None:
        writer, f = self.writer, self.function
        writer.turn(loop.body)
        before = writer.known
        with f.loop() as (head, after):
            body = f.label()
            writer.branch(loop.condition, body, after)
            f.start(body)
            writer.known = writer.where(loop.condition, holds=True)
            if loop.counted:
                take_turn(writer)
            self.loops.append((head, after))
            self.all(loop.body)
            self.loops.pop()
        writer.known = before
        if not breaks(loop.body):
            writer.known = writer.where(loop.condition, holds=False)

    def count(self, slot: int, first: Num, last: Num, body: tuple[ir.Stmt, ...]) -> None:
        """Write a loop `slot = first, first + 1, ..., last`."""
        with self.keeping(body, slot):
            self._count(slot, first, last, body)

    def _count(self, slot: int, first: Num, last: Num, body: tuple[ir.Stmt, ...]) -> None:
        writer, f = self.writer, self.function
        if first.low < LOW or last.high > HIGH:
            empty, test = f.label(), f.label()
            after = f.label()
            f.branch(f.value(f"icmp sgt i64 {first.text}, {last.text}"), empty, test)
            f.start(test)
            writer.as_cell(first)
            writer.as_cell(last)
            self._turns(slot, first, last, body)
            f.jump(after)
            f.start(empty)
            f.start(after)
        else:
            self._turns(slot, first, last, body)

    def _turns(self, slot: int, first: Num, last: Num, body: tuple[ir.Stmt, ...]) -> None:
        f = self.function
        before = self._begin_turns(slot, (first.low, last.high), body)
        if self._by_mask(slot, first, last, body):
            self._end_turns(slot, before)
            return
        place = f.variable("i64")
        f.store("i64", first.text, place)
        with f.loop() as (head, after):
            turn, following = f.label(), f.label()
            here = f.load("i64", place)
            f.branch(f.value(f"icmp sle i64 {here}, {last.text}"), turn, after)
            f.start(turn)
            self.put_number(slot, f.value(f"trunc i64 {here} to i32"))
            self._counted_turn(body, place, (head, following, after))
        self._end_turns(slot, before)

    def _counted_turn(
        self, body: tuple[ir.Stmt, ...], place: str, labels: tuple[str, str, str]
    ) -> None:
        """Write an iteration of a loop, and code that increments the counter and returns to the head of the loop."""
        f, (head, following, after) = self.function, labels
        self.loops.append((following, after))
        self._turn(body)
        self.loops.pop()
        f.start(following)
        f.store("i64", f.value(f"add nsw i64 {f.load('i64', place)}, 1"), place)
        f.jump(head)

    def _by_mask(self, slot: int, first: Num, last: Num, body: tuple[ir.Stmt, ...]) -> bool:
        """Write code that tests the first conditions for all numbers at once, then loops over the numbers that pass.

        Returns whether this was possible. If not, nothing was written.
        """
        writer, f = self.writer, self.function
        module, low, high = writer.module, first.const, last.const
        if writer.plain is None or low is None or high is None:
            return False
        count = high - low + 1
        if not FEWEST <= count <= MOST or self._stores(body):
            return False
        whole = module.program.plain[writer.plain].body
        outside = len(reads(whole, slot)) - len(reads(body, slot))
        written = frozenset(slots(walk(body))[1] | {slot})
        words = Words(writer, slot, low, count, written)
        mark, exits = f.mark(), writer.exits
        self.put_number(slot, str(low))
        found, rest = "", body
        with words.targets():
            while not outside:
                asked, wanted, shorter = _split_guard(rest)
                if asked is None:
                    break
                before = f.mark()
                try:
                    word = words.of(module.knowledge.inline_calls(asked))
                except NoMask:
                    word = ""
                if not word or writer.exits > exits:
                    f.back_to(before)
                    writer.exits = exits
                    break
                if not wanted:
                    word = f.value(f"xor i64 {word}, {words.all}")
                found, rest = f.value(f"and i64 {found}, {word}") if found else word, shorter
        if not found:
            f.back_to(mark)
            return False
        left = f.variable("i64")
        f.store("i64", found, left)
        with f.loop() as (head, after):
            turn = f.label()
            bits = f.load("i64", left)
            f.branch(f.value(f"icmp eq i64 {bits}, 0"), after, turn)
            f.start(turn)
            fewer = f.value(f"and i64 {bits}, {f.value(f'sub i64 {bits}, 1')}")
            f.store("i64", fewer, left)
            place = f.value(f"call i64 @llvm.cttz.i64(i64 {bits}, i1 true)")
            number = f.value(f"add nsw i64 {place}, {low}")
            self.put_number(slot, f.value(f"trunc i64 {number} to i32"))
            self.loops.append((head, after))
            self._turn(rest)
            self.loops.pop()
        return True

    def _by_words(self, slot: int, of: ir.Expr, body: tuple[ir.Stmt, ...]) -> bool:
        """Write a loop over lists in a table that searches each list for a number.

        The code first tests all numbers in the table at once, then compares bit masks for each
        list. Returns whether this was possible. If not, nothing was written.
        """
        writer, f = self.writer, self.function
        module = writer.module
        program = module.program
        match of, body:
            case ir.Table(table, index), (ir.If(asked, then, ()),) if writer.plain is not None:
                wanted = not isinstance(asked, ir.Not)
                asked = asked.operand if isinstance(asked, ir.Not) else asked
            case _:
                return False
        if not isinstance(asked, ir.CallValue) or self._stores(body):
            return False
        scan = _scan(program.plain[asked.procedure])
        rows = _lists_of_lists(program.tables[table])
        if scan is None or rows is None or asked.arguments[scan.listed] != ir.Local(slot):
            return False
        if len(reads(program.plain[writer.plain].body, slot)) > 1:
            return False
        items = [number for row in rows for numbers in row for number in numbers]
        low, high = min(items, default=0), max(items, default=0)
        count = high - low + 1
        if not FEWEST <= count <= MOST or len(items) * WORTH < len(rows) * count:
            return False
        condition = _for_item(scan, asked.arguments)
        written = frozenset(slots(walk(body))[1] | {slot, ITEM})
        mark, here, known = f.mark(), f.here, writer.known
        writer.variables[ITEM] = Variable(f.variable("i32"))
        writer.note(ITEM, (low, high))
        self.put_number(ITEM, str(low))
        try:
            masks = Masks(writer, ITEM, count, written, strides=WORTH)
            bits = masks.of(module.knowledge.inline_calls(condition))
        except NoMask:
            bits = ""
        writer.known = known
        del writer.variables[ITEM]
        if not bits or f.here != here:
            f.back_to(mark)
            return False
        word = f.value(f"bitcast <{count} x i1> {bits} to i{count}")
        there = f.value(f"zext i{count} {word} to i64") if count < MOST else word
        row = writer.within(writer.number(index), 0, len(rows))
        pair = f.at(module.sets(rows, low), row, PAIR)
        words, length = f.load("ptr", pair), f.load("i64", f.at(pair, 1, "i64"))
        before = self._begin_turns(slot, (low, high), body)
        place = f.variable("i64")
        f.store("i64", "0", place)
        with f.loop() as (_, after):
            turn, asking, following = f.label(), f.label(), f.label()
            number = f.load("i64", place)
            f.branch(f.value(f"icmp slt i64 {number}, {length}"), asking, after)
            f.start(asking)
            shared = f.value(f"and i64 {f.load('i64', f.at(words, number, 'i64'))}, {there}")
            test = f.value(f"icmp {'ne' if scan.found is wanted else 'eq'} i64 {shared}, 0")
            f.branch(test, turn, following)
            f.start(turn)
            self.loops.append((following, after))
            self.all(then)
            self.loops.pop()
            f.start(following)
            f.store("i64", f.value(f"add nsw i64 {f.load('i64', place)}, 1"), place)
        self._end_turns(slot, before)
        return True

    def _stores(self, body: tuple[ir.Stmt, ...]) -> bool:
        """Return whether statements may change the state."""
        knowledge = self.writer.module.knowledge
        return any(
            isinstance(node, ir.Store)
            or (
                isinstance(node, (ir.CallPlain, ir.CallValue))
                and knowledge.reaches(node.procedure, ir.Store)
            )
            for node in walk(body)
        )

    @contextmanager
    def keeping(
        self, body: tuple[ir.Stmt, ...], slot: int = -1, *, turns: bool = True
    ) -> Iterator[None]:
        """Cache results of slow procedures in the code written within the `with` block, if the
        state does not change there.

        A result is cached if it may be needed again: in a loop (with the counter `slot`, if any),
        or if a call occurs twice.
        """
        writer, f = self.writer, self.function
        if writer.plain is None or self._stores(body):
            yield
            return
        change = slots(walk(body))[1] | {slot}
        module, met = writer.module, Counter(_calls(body, 1 + turns))
        same = [
            call
            for call, times in met.items()
            if times > 1
            and call.procedure in module.long
            and all(isinstance(argument, (ir.Const, ir.Local)) for argument in call.arguments)
            and not locals_in(call) & change
        ]
        kinds = [module.kinds.result(call.procedure) for call in same]
        numbers = [
            call
            for call, kind in zip(same, kinds, strict=True)
            if kind == NUMBER and call not in writer.kept
        ]
        for call in numbers:
            writer.kept[call] = Kept(f.variable("i64"), f.variable("i1"))
            f.store("i1", "false", writer.kept[call].is_there)
        lists = [
            call
            for call, kind in zip(same, kinds, strict=True)
            if kind == LIST and call not in writer.lists and turns and self._is_early(call, body)
        ]
        for call in lists:
            writer.lists[call] = writer.list_value(call)
        yield
        for call in numbers:
            del writer.kept[call]
        for call in lists:
            del writer.lists[call]

    def _turn(self, body: tuple[ir.Stmt, ...]) -> None:
        """Write an iteration of a loop."""
        with self.keeping(body, turns=False):
            if not self._offered_flat(body):
                self.all(body)

    def _offered_flat(self, body: tuple[ir.Stmt, ...]) -> bool:
        """Write code that stores an option after the other options in any case, but counts it only
        if its conditions are true.

        The CPU cannot predict which options are possible, so a branch costs more than a few
        unnecessary tests. Returns False without writing anything if a condition is not safe to
        evaluate.
        """
        writer, f = self.writer, self.function
        conditions, option = _offer_conditions(body)
        if option is None or not 0 < len(conditions) <= FLAT:
            return False
        mark, here, exits = f.mark(), f.here, writer.exits
        holds, writer.flat = "true", True
        for condition, wanted in conditions:
            test = writer.condition(writer.module.knowledge.inline_calls(condition))
            test = test if wanted else f.value(f"xor i1 {test}, true")
            holds = test if holds == "true" else f.value(f"and i1 {holds}, {test}")
        cell, writer.flat = writer.cell(option), False
        if f.here != here or not f.open or writer.exits > exits:
            f.back_to(mark)
            writer.exits = exits
            return False
        self.offer(cell, holds)
        return True

    def _is_early(self, call: ir.CallValue, body: tuple[ir.Stmt, ...]) -> bool:
        """Return whether the list of a call may be made before a loop: the loop needs the list
        first, and making it is safe.

        Making a list early may leave work to another engine unnecessarily.
        """
        match body[0] if body else None:
            case ir.If(first, _, _) | ir.SetLocal(_, first):
                asked = call in _calls(first, 1)
            case _:  # all others: leaving work to another engine is always right
                asked = False
        harm = (ir.Fail, ir.Possible)
        return asked and not self.writer.module.knowledge.reaches(call.procedure, *harm)

    def _begin_turns(self, slot: int, items: Range, body: tuple[ir.Stmt, ...]) -> Known:
        """Record the facts that hold in every iteration. Return those facts from before the loop that stay true."""
        writer = self.writer
        writer.turn(body)
        before = writer.known
        if items[0] <= items[1]:
            writer.note(slot, items)
        return before

    def _end_turns(self, slot: int, before: Known) -> None:
        writer = self.writer
        writer.known = before
        if writer.plain is not None:
            hull = writer.module.ranges.local(writer.plain, slot)
            writer.note(slot, join(hull, before.get(slot, ZERO)) or hull)

    def each(self, slot: int, of: ir.Expr, body: tuple[ir.Stmt, ...]) -> None:
        """Write a loop in which `slot` is each item of a list."""
        with self.keeping(body, slot):
            self._each(slot, of, body)

    def _each(self, slot: int, of: ir.Expr, body: tuple[ir.Stmt, ...]) -> None:
        writer, f = self.writer, self.function
        if self._by_words(slot, of, body):
            return
        listed = self._in_place(of, body) or writer.list_value(of)
        numbers = listed.const
        if numbers and numbers == tuple(range(numbers[0], numbers[0] + len(numbers))):
            self._turns(slot, const(numbers[0]), const(numbers[-1]), body)
            return
        if _in_frame(of):  # the body may change the list in the frame
            room = writer.take_room(listed.length)
            size = f.value(f"shl i64 {listed.length}, 2")
            f.do(
                f"call void @llvm.memcpy.p0.p0.i64(ptr {room}, ptr {listed.items}, i64 {size}, "
                "i1 false)"
            )
            listed = listed._replace(items=room)
        variable = writer.variables.get(slot)
        is_list = variable is not None and bool(variable.length)
        if is_list != (listed.kind > LIST):
            if not is_list:
                writer.give_up()
                return
            # The kind of items is unknown only if the list is always empty.
            writer.give_up_if(f.value(f"icmp ne i64 {listed.length}, 0"))
            return
        before = self._begin_turns(slot, (listed.low, listed.high), body)
        place = f.variable("i64")
        f.store("i64", "0", place)
        if not is_list:
            self._test_several(slot, listed, place, body)
        with f.loop() as (head, after):
            turn, following = f.label(), f.label()
            here = f.load("i64", place)
            f.branch(f.value(f"icmp slt i64 {here}, {listed.length}"), turn, after)
            f.start(turn)
            if variable is not None and is_list:
                self.put_list(variable, writer.inner(listed, here))
            else:
                self.put_number(
                    slot, f.value(f"load i32, ptr {f.at(listed.items, here)}{listed.tag}")
                )
            self._counted_turn(body, place, (head, following, after))
        self._end_turns(slot, before)

    def _test_several(
        self, slot: int, listed: Listed, place: str, body: tuple[ir.Stmt, ...]
    ) -> None:
        """Write code that tests several items at once, if a single match ends the loop and the tests are safe."""
        writer, f = self.writer, self.function
        match body:
            case (ir.If(condition, (ir.Return(ir.Const(int())) as given,), ()),):
                pass
            case _:
                return
        if writer.plain is None or writer.gives != "i64":
            return
        condition = writer.module.knowledge.inline_calls(condition)
        written, head, after, turn = f.mark(), f.label(), f.label(), f.label()
        f.start(head)
        here = f.load("i64", place)
        following = f.value(f"add nsw i64 {here}, {ABREAST}")
        f.branch(f.value(f"icmp sle i64 {following}, {listed.length}"), turn, after)
        f.start(turn)
        found, writer.flat = "0", True
        for number in range(ABREAST):
            item = f.at(listed.items, f.value(f"add nsw i64 {here}, {number}"))
            self.put_number(slot, f.value(f"load i32, ptr {item}{listed.tag}"))
            test = f.value(f"zext i1 {writer.condition(condition)} to i32")
            found = f.value(
                f"add i32 {found}, {test}"
            )  # LLVM converts terms joined by `or` to branches
        writer.flat = False
        if f.here != turn:  # the test could fail
            f.back_to(written)
            return
        f.store("i64", following, place)
        with f.when(f.value(f"icmp ne i32 {found}, 0")):
            self.give(given.value)
        f.jump(head)
        f.start(after)

    def _in_place(self, of: ir.Expr, body: tuple[ir.Stmt, ...]) -> Listed | None:
        """If a list consists of adjacent cells that do not change during the loop, return it
        without copying, otherwise None."""
        writer, f = self.writer, self.function
        knowledge, program = writer.module.knowledge, writer.module.program
        cells = knowledge.cells(of.procedure) if isinstance(of, ir.CallValue) else None
        if cells is None:
            return None
        if self._stores(body):
            return None
        count = writer.number(cells.count)
        most = (program.far or program.stack) - cells.base
        writer.give_up_if(f.value(f"icmp sgt i64 {count.text}, {most}"))
        return Listed(f.at("%S", cells.base), count.text, tag=GLOBAL)

    # ---- options, results ------------------------------------------------------------------------

    def offer(self, option: str, holds: str = "true") -> None:
        """Write code that offers an option if a condition is true."""
        writer, f = self.writer, self.function
        count = f.value(f"load i64, ptr @COUNT{OWN}")
        f.set_cell(f.value(f"load ptr, ptr @OFFERS{OWN}"), count, option, LOCAL)
        one = "1" if holds == "true" else f.value(f"zext i1 {holds} to i64")
        after = f.value(f"add nsw i64 {count}, {one}")
        f.do(f"store i64 {after}, ptr @COUNT{OWN}")
        limit = f.value(f"load i64, ptr @LIMIT{OWN}")
        with f.when(f.value(f"icmp sge i64 {after}, {limit}"), UNLIKELY):
            f.store("i64", str(FOUND), "@ERR")
            writer.failed_if("true")

    def give(self, value: ir.Expr | None) -> None:
        """Write code that returns a value from a plain procedure."""
        writer, f = self.writer, self.function
        plain = writer.plain
        if plain is None:
            writer.give_up()
            return
        if writer.gives == "i64":
            number = Num("0", 0, 0) if value is None else writer.number(value)
            writer.as_cell(number)
            self.leave(f"i64 {number.text}")
        elif value is None:
            writer.give_up()
        else:
            listed = writer.list_value(value)
            items = listed.items
            if writer.module.kinds.result(plain) == LIST:
                items = f.value(
                    f"call fastcc ptr @keep_list(ptr %mark, ptr {items}, i64 {listed.length})"
                )
            pair = f.value(f"insertvalue {{ ptr, i64 }} poison, ptr {items}, 0")
            pair = f.value(f"insertvalue {{ ptr, i64 }} {pair}, i64 {listed.length}, 1")
            self.leave(f"{{ ptr, i64 }} {pair}")

    def leave(self, text: str) -> None:
        """Write code that returns from a plain procedure, and frees its intermediate lists."""
        f, writer = self.function, self.writer
        if writer.gives == "i64":
            f.lines.append(RESET)
        if writer.plain in writer.module.recursive:
            depth = f.load("i64", "@DEPTH")
            f.store("i64", f.value(f"add i64 {depth}, 1"), "@DEPTH")
        f.leave(text)


class Scan(NamedTuple):
    """A procedure that searches a list for a number that meets a condition."""

    listed: int
    item: int
    condition: ir.Expr
    found: bool
    """The result if such a number is found. If none is found, the result is the opposite."""


def _scan(procedure: ir.Plain) -> Scan | None:
    match procedure.body:
        case (
            ir.ForEach(
                item,
                ir.Local(listed),
                (ir.If(condition, (ir.Return(ir.Const(int(yes))),), ()),),
            ),
            ir.Return(ir.Const(int(no))),
        ) if listed < procedure.parameters <= item and bool(yes) != bool(no):
            read = {n.slot for n in walk(condition) if isinstance(n, ir.Local)} - {item}
            if listed not in read and all(slot < procedure.parameters for slot in read):
                return Scan(listed, item, condition, bool(yes))
        case _:
            pass
    return None


def _for_item(scan: Scan, arguments: tuple[ir.Expr, ...]) -> ir.Expr:
    """Return the condition of a scan with the given arguments, for the number in the local `ITEM`."""

    def change(part: object) -> object:
        if not isinstance(part, ir.Local):
            return None
        return ir.Local(ITEM) if part.slot == scan.item else arguments[part.slot]

    return replace_parts(scan.condition, change)


def _lists_of_lists(rows: tuple[object, ...]) -> tuple[tuple[tuple[int, ...], ...], ...] | None:
    for row in rows:
        for numbers in row if isinstance(row, tuple) else (0,):
            if not isinstance(numbers, tuple) or not all(isinstance(n, int) for n in numbers):
                return None
    return cast("tuple[tuple[tuple[int, ...], ...], ...]", rows)


ITEM = -1
"""A local that no procedure has."""
WORTH = 4
"""A bit mask of all numbers saves time only if at least one in `WORTH` numbers must be tested."""
RESET = " ; the mark"
ABREAST = 4
"""The number of items that are compared at once."""
FLAT = 6
"""The maximum number of conditions of an option that is offered without a branch."""


def _calls(node: object, times: int) -> Iterator[ir.CallValue]:
    """Yield the calls whose values are used. A call in a loop is yielded twice."""
    if isinstance(node, tuple):
        for part in node:
            yield from _calls(part, times)
        return
    if isinstance(node, ir.CallValue):
        yield from [node] * times
    is_loop = isinstance(node, (ir.ForRange, ir.ForEach, ir.While))
    for name in PARTS.get(type(node), ()):
        again = is_loop and name in ("body", "condition")
        yield from _calls(getattr(node, name), 2 if again else times)


def take_turn(writer: Writer) -> None:
    """Write code that counts a block or an iteration of a loop against the limit of a run."""
    f = writer.function
    left = f.value(f"sub nsw i64 {f.load('i64', '@TURNS')}, 1")
    f.store("i64", left, "@TURNS")
    writer.give_up_if(f.value(f"icmp slt i64 {left}, 0"))


def plain_function(module: Module, number: int) -> str:
    """Write the function of a plain procedure."""
    procedure = module.program.plain[number]
    gives = module.gives(number)
    parameters = ["ptr %S"]
    function = Function("")
    writer = Writer(module, function, number, gives=gives)
    growing = module.knowledge.facts(number).growing
    zeros = {slot for slot in module.kinds.slots[number] if slot >= procedure.parameters}
    for slot in [*range(procedure.parameters), *sorted(zeros)]:
        given = slot < procedure.parameters
        if module.kinds.slot(number, slot) == NUMBER:
            writer.variables[slot] = Variable(
                function.variable("i32", f"%a{slot}" if given else "0")
            )
            parameters += [f"i32 %a{slot}"] if given else []
        else:
            writer.variables[slot] = Variable(
                function.variable("ptr", f"%a{slot}" if given else NONE),
                function.variable("i64", f"%n{slot}" if given else "0"),
                function.variable("i64", "0") if slot in growing else "",
            )
            parameters += [f"ptr %a{slot}, i64 %n{slot}"] if given else []
        writer.note(slot, _at_first(module, number, slot, given=given))
    statements = Statements(writer)
    if number in module.recursive:
        depth = function.value(f"sub i64 {function.load('i64', '@DEPTH')}, 1")
        function.store("i64", depth, "@DEPTH")
        writer.give_up_if(function.value(f"icmp slt i64 {depth}, 0"))
    if number == module.total and gives == "i64":
        _known_total(module, function)
    with statements.keeping(procedure.body, turns=False):
        statements.all(procedure.body)
    if function.open:
        if gives == "i64":
            statements.leave("i64 0")
        else:
            writer.give_up()
    writer.endings()
    marks = writer.allocated > 0 and module.kinds.result(number) <= LIST
    if marks or module.kinds.result(number) == LIST:
        function.variables.append(" %mark = load ptr, ptr @TOP")
    reset = " store ptr %mark, ptr @TOP" if marks else ""
    function.lines = [reset if line is RESET else line for line in function.lines]
    function.head = f"internal fastcc {gives} @p{number}({', '.join(parameters)}) nounwind"
    return function.text()


def _known_total(module: Module, f: Function) -> None:
    """Write code that returns the known total points of a player, if they are stored while the winners are found."""
    known = f.load("ptr", "@TOTALS")
    seat = f.value("sext i32 %a0 to i64")
    is_listening = f.value(f"icmp ne ptr {known}, null")
    inside = f.value(f"icmp ult i64 {seat}, {module.program.seats}")
    with f.when(f.value(f"and i1 {is_listening}, {inside}")):
        f.leave(f"i64 {f.load('i64', f.at(known, seat, 'i64'))}")


def _at_first(module: Module, plain: int, slot: int, *, given: bool) -> Range:
    if given:
        return module.ranges.argument(plain, slot)
    return ZERO if module.kinds.slot(plain, slot) == NUMBER else EMPTY


def reads(body: tuple[ir.Stmt, ...], slot: int) -> list[ir.Local]:
    """Return the expressions that read a local."""
    return [node for node in walk(body) if isinstance(node, ir.Local) and node.slot == slot]


def _split_guard(
    body: tuple[ir.Stmt, ...],
) -> tuple[ir.Expr | None, bool, tuple[ir.Stmt, ...]]:
    """Return a condition without which an iteration does nothing, the value that it must have, and
    the rest of the iteration.

    If there is no such condition, it is None, and the rest is the whole body.
    """
    match body:
        case (ir.If(condition, then, ()),):
            first, rest = split_first(condition)
            return first, True, then if rest is None else (ir.If(rest, then),)
        case (ir.If(condition, (*quiet, ir.Continue()), ()), *rest_):
            if all(map(is_quiet, quiet)):
                return condition, False, tuple(rest_)
        case _:
            pass
    return None, True, body


def _offer_conditions(
    body: tuple[ir.Stmt, ...],
) -> tuple[list[tuple[ir.Expr, bool]], ir.Expr | None]:
    """Return the conditions for offering an option, each with the value that it must have, and the option.

    If an iteration does anything else, the option is None.
    """
    conditions: list[tuple[ir.Expr, bool]] = []
    while True:
        asked, wanted, rest = _split_guard(body)
        if asked is None:
            break
        conditions.append((asked, wanted))
        body = rest
    match body:
        case (ir.Offer(option), *quiet) if all(map(is_quiet, quiet)):
            return conditions, option
        case _:
            return conditions, None


def _in_frame(expression: ir.Expr) -> bool:
    return any(isinstance(node, ir.LocalList) for node in walk(expression))

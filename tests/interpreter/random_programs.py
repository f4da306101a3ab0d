"""Random well-formed programs: every construct of the core IR, nothing endless."""

from __future__ import annotations

from random import Random

from attrs import define, field

from rulewright.dsl import ir
from tests.interpreter.programs import (
    CELLS,
    GLOBAL,
    Item,
    Writer,
    attempt,
    c,
    call,
    chance,
    choose,
    do,
    end_game,
    finish,
    loop,
    op,
    scope,
    v,
    when,
)

NUMBERS: tuple[object, ...] = (4, -3, 0, 17, 2, -1, 8)
LISTS: tuple[object, ...] = ((1, 2, 3), (), (5,), (0, -1, 4, 7, 9, 11), (2, 2))
TABLES = (NUMBERS, LISTS)
MESSAGES = 10
WORDS: tuple[ir.BinaryWord, ...] = (
    "+", "-", "*", "==", "!=", "<", "<=", ">", ">=", "min", "max",
)  # fmt: skip


@define
class Signature:
    """The parameters of a plain procedure (n: number, l: list) and its result (e: none, it has effects)."""

    number: int
    takes: str
    gives: str


@define
class Here:
    """The constructs that are allowed at a place."""

    numbers: list[int]
    lists: list[int] = field(factory=list)
    free: int = 0
    """The first free slot."""
    plain: bool = True
    frame_lists: list[int] = field(factory=list)
    possible: list[int] = field(factory=list)
    in_loop: bool = False
    fails: bool = True
    effects: bool = True
    top: int = 0
    """The maximum number of used slots."""

    def slot(self) -> int:
        self.free += 1
        self.top = max(self.top, self.free)
        return self.free - 1


@define
class Maker:
    """Makes one program from choices of a `Random`."""

    r: Random
    w: Writer = field(factory=Writer)
    signatures: list[Signature] = field(factory=list)
    parameters: list[int] = field(factory=list)
    fails: bool = True
    spread: int = 1
    """The distance between used cells."""
    far: int = 0
    """The number of far cells."""

    def chance(self, percent: int) -> bool:
        return self.r.randrange(100) < percent

    # ---- expressions -----------------------------------------------------------------------------

    def number(self, here: Here, depth: int = 3) -> ir.Expr:
        r = self.r
        if depth == 0 or self.chance(15):
            if here.numbers and self.chance(60):
                return v(r.choice(here.numbers))
            return c(r.choice((0, 1, 2, 3, 5, -1, -4, 12)))
        sub = depth - 1
        match r.randrange(16):
            case 0 | 1:
                return self.load(here, sub)
            case 2:
                index = op(self.number(here, sub), "%", c(len(NUMBERS)))
                return ir.Table(0, index if self.chance(70) else c(r.randrange(len(NUMBERS))))
            case 3 | 4:
                return op(self.number(here, sub), r.choice(WORDS), self.number(here, sub))
            case 5:
                divisor = c(r.choice((2, 3, -5, 1)))
                word: ir.BinaryWord = "//" if self.chance(50) else "%"
                return op(self.number(here, sub), word, divisor)
            case 6:
                return ir.Not(self.number(here, sub))
            case 7:
                return ir.And(self.number(here, sub), self.number(here, sub))
            case 8:
                return ir.Or(self.number(here, sub), self.number(here, sub))
            case 9:
                return ir.Choice(*(self.number(here, sub) for _ in range(3)))
            case 10 | 11:
                return self.call_value("n", here, sub) or self.number(here, sub)
            case 12:
                return ir.Length(self.list_value(here, sub))
            case 13:
                return ir.At(self.list_value(here, sub), self.number(here, sub))
            case 14:
                return ir.Has(self.list_value(here, sub), self.number(here, sub))
            case _:
                return self.possible(here, sub)

    def possible(self, here: Here, depth: int) -> ir.Expr:
        if not here.possible or self.chance(50):
            return self.number(here, depth)
        procedure = self.r.choice(here.possible)
        arguments = tuple(self.small(here, depth) for _ in range(self.parameters[procedure]))
        return ir.Possible(procedure, arguments, self.player(here))

    def small(self, here: Here, depth: int = 2) -> ir.Expr:
        """A number that fits into a cell after any number of operations."""
        return op(op(self.number(here, depth), "%", c(61)), "-", c(20))

    def player(self, here: Here) -> ir.Expr:
        return op(self.number(here, 1), "%", c(3)) if self.chance(30) else c(self.r.randrange(2))

    def address(self, here: Here, depth: int) -> ir.Expr:
        if self.chance(50):
            return c(GLOBAL + self.spread * self.r.randrange(CELLS))
        place = op(self.number(here, depth), "%", c(CELLS))
        return op(c(GLOBAL), "+", place if self.spread == 1 else op(place, "*", c(self.spread)))

    def load(self, here: Here, depth: int) -> ir.Expr:
        if self.chance(10):
            return ir.Load(c(self.r.choice((ir.OVER, ir.GUARD, ir.PLAYER))))
        if self.far and self.chance(30):
            return ir.Load(self.far_address(here, depth), far=True)
        return ir.Load(self.address(here, depth))

    def far_address(self, here: Here, depth: int) -> ir.Expr:
        return op(self.number(here, depth), "%", c(self.far))

    def list_value(self, here: Here, depth: int) -> ir.Expr:
        r = self.r
        match r.randrange(7):
            case 0 if here.lists:
                return v(r.choice(here.lists))
            case 1 if here.frame_lists:
                return ir.LocalList(r.choice(here.frame_lists))
            case 2 if depth:
                return ir.Table(1, op(self.number(here, depth - 1), "%", c(len(LISTS))))
            case 3 if depth:
                found = self.call_value("l", here, depth - 1)
                if found is not None:
                    return found
            case 4 if depth:
                return ir.Choice(
                    self.number(here, depth - 1),
                    self.list_value(here, depth - 1),
                    self.list_value(here, depth - 1),
                )
            case 5 if here.lists and here.plain:
                return v(r.choice(here.lists))
            case _:
                pass
        if depth and self.chance(60):
            count = r.randrange(4)
            return ir.MakeList(tuple(self.number(here, depth - 1) for _ in range(count)))
        return c(r.choice(((), (3,), (1, 4), (0, 1, 2, 3, 4, 5, 6, 7, 8))))

    def call_value(self, gives: str, here: Here, depth: int) -> ir.CallValue | None:
        found = [s for s in self.signatures if s.gives == gives]
        if not found:
            return None
        signature = self.r.choice(found)
        return ir.CallValue(signature.number, self.arguments(signature, here, depth))

    def arguments(self, signature: Signature, here: Here, depth: int) -> tuple[ir.Expr, ...]:
        return tuple(
            self.list_value(here, depth) if kind == "l" else self.small(here, depth)
            for kind in signature.takes
        )

    # ---- statements ------------------------------------------------------------------------------

    def statements(self, here: Here, depth: int, most: int = 4) -> tuple[ir.Stmt, ...]:
        return tuple(self.statement(here, depth) for _ in range(self.r.randrange(most + 1)))

    def statement(self, here: Here, depth: int) -> ir.Stmt:
        r = self.r
        kind = r.randrange(18)
        if depth == 0:
            kind %= 8
        match kind:
            case 0 | 1 | 2:
                return ir.SetLocal(self.own(here), self.small(here))
            case 3 | 4 if here.effects:
                if self.far and self.chance(30):
                    return ir.Store(self.far_address(here, 1), self.small(here), far=True)
                return ir.Store(self.address(here, 1), self.small(here))
            case 5 if here.effects:
                return ir.Log(
                    r.randrange(MESSAGES),
                    (self.number(here, 1), self.list_value(here, 1)),
                    c(r.randrange(-1, 3)),
                )
            case 6:
                return ir.Mark(r.randrange(8))
            case 7 if here.effects:
                effects = [s for s in self.signatures if s.gives == "e"]
                if effects:
                    chosen = r.choice(effects)
                    return ir.CallPlain(chosen.number, self.arguments(chosen, here, 1))
            case 8 | 9:
                then = self.statements(here, depth - 1)
                return ir.If(self.number(here), then, self.statements(here, depth - 1, 2))
            case 10:
                return self.while_loop(here, depth)
            case 11 | 12:
                return self.range_loop(here, depth)
            case 13:
                return self.each_loop(here, depth)
            case 14 if here.fails and self.fails:
                return self.failing(here)
            case 15 if here.in_loop:
                leave: ir.Stmt = ir.Break() if self.chance(50) else ir.Continue()
                return ir.If(self.number(here, 2), (leave,))
            case 16 if here.plain and here.lists:
                return ir.Append(r.choice(here.lists), self.number(here, 2))
            case 17 if here.frame_lists:
                slot = r.choice(here.frame_lists)
                items = tuple(self.small(here, 1) for _ in range(r.randrange(4)))
                return ir.SetLocalList(slot, 3, ir.MakeList(items))
            case _:
                pass
        if here.plain and here.lists and self.chance(50):
            return ir.SetLocal(r.choice(here.lists), self.list_value(here, 2))
        return ir.SetLocal(self.own(here), self.small(here))

    def own(self, here: Here) -> int:
        if not here.numbers or self.chance(20):
            here.numbers.append(here.slot())
            return here.numbers[-1]
        return self.r.choice(here.numbers)

    def failing(self, here: Here) -> ir.Stmt:
        fail: ir.Stmt = ir.Fail(self.r.randrange(MESSAGES), (self.number(here, 1),))
        if self.chance(20):
            fail = ir.Fault(self.r.randrange(4))
        return ir.If(op(op(self.number(here, 2), "%", c(4)), "==", c(0)), (fail,))

    def inner(self, here: Here, depth: int, *, loop_slot: int | None = None) -> tuple[ir.Stmt, ...]:
        """The body of a loop; it cannot change the counter."""
        was, here.in_loop = here.in_loop, True
        body = list(self.statements(here, depth - 1))
        if self.chance(30):
            leave: ir.Stmt = ir.Break() if self.chance(50) else ir.Continue()
            place = self.r.randrange(len(body) + 1)
            body.insert(place, ir.If(self.number(here, 2), (leave,)))
        here.in_loop = was
        return tuple(body)

    def while_loop(self, here: Here, depth: int) -> ir.Stmt:
        counter = here.slot()
        step = ir.SetLocal(counter, op(v(counter), "+", c(1)))
        body = (step, *self.inner(here, depth))
        again: ir.Expr = op(v(counter), "<", c(self.r.randrange(4)))
        if self.chance(30):
            again = ir.And(again, self.number(here, 2))
        loop_ = ir.While(again, body, counted=True)
        return ir.If(c(1), (ir.SetLocal(counter, c(0)), loop_)) if self.chance(70) else loop_

    def range_loop(self, here: Here, depth: int) -> ir.Stmt:
        slot = here.slot()
        low, high = self.r.randrange(-1, 3), self.r.randrange(-1, 4)
        edges: tuple[ir.Expr, ir.Expr] = (c(low), c(high))
        if self.chance(40):
            edges = (c(low), op(self.number(here, 1), "%", c(4)))
        here.numbers.append(slot)
        return ir.ForRange(slot, *edges, self.inner(here, depth))

    def each_loop(self, here: Here, depth: int) -> ir.Stmt:
        of = self.list_value(here, 2)
        slot = here.slot()
        here.numbers.append(slot)
        if not here.plain:
            of = ir.MakeList(tuple(self.small(here, 1) for _ in range(self.r.randrange(4))))
        return ir.ForEach(slot, of, self.inner(here, depth))

    # ---- plain procedures ------------------------------------------------------------------------

    def plain(self) -> None:
        takes = "".join(self.r.choice("nnl") for _ in range(self.r.randrange(4)))
        gives = self.r.choice("nnnlle")
        here = self.parameters_of(takes)
        here.effects = gives == "e"
        if gives != "e" and self.chance(40):
            body: tuple[ir.Stmt, ...] = self.small_body(here, gives)
        else:
            body = self.statements(here, 3, 5)
            if gives != "e":
                body += (ir.Return(self.result(here, gives)),)
        number = self.w.function(len(takes), here.top, *body)
        self.signatures.append(Signature(number, takes, gives))

    def small_body(self, here: Here, gives: str) -> tuple[ir.Stmt, ...]:
        """A procedure that may be inlined."""
        result = ir.Return(self.result(here, gives))
        if self.chance(50):
            return (result,)
        first: ir.Stmt = ir.Return(self.result(here, gives))
        if self.chance(40) and self.fails:
            first = ir.Fault(1) if self.chance(30) else ir.Fail(2, (c(1),))
        return (ir.If(self.number(here, 2), (first,)), result)

    def result(self, here: Here, gives: str) -> ir.Expr:
        return self.list_value(here, 2) if gives == "l" else self.number(here, 2)

    def parameters_of(self, takes: str) -> Here:
        here = Here([])
        for kind in takes:
            (here.lists if kind == "l" else here.numbers).append(here.slot())
        for _ in range(self.r.randrange(3)):
            here.numbers.append(here.slot())
        return here

    def with_list(self, here: Here) -> tuple[ir.Stmt, ...]:
        slot = here.slot()
        here.lists.append(slot)
        return (ir.SetLocal(slot, ir.MakeList(())),)

    def enumerator(self, takes: str, possible: list[int]) -> int:
        """Options 0..39, each offered or refused once at most."""
        here = self.parameters_of(takes)
        here.effects = False
        here.possible = possible
        here.fails = self.chance(20)
        body: list[ir.Stmt] = list(self.statements(here, 1, 2))
        if self.chance(30):
            body.append(self.offer(here, c(30), always=self.chance(50)))
        if self.chance(20):
            body.append(ir.CallPlain(self.helper(), (self.small(here),)))
        for base in range(0, 20, 10):
            if self.chance(60):
                slot, high = here.slot(), c(self.r.randrange(4))
                option = op(v(slot), "+", c(base))
                inside = self.statements(here, 1, 1)
                body.append(
                    ir.ForRange(slot, c(0), high, (*inside, self.offer(here, option, False)))
                )
        if self.chance(10):
            body.append(ir.If(self.number(here), (ir.Return(),)))
        if self.chance(70):
            body.append(self.offer(here, c(39), always=self.chance(70)))
        return self.w.function(len(takes), here.top, *body)

    def offer(self, here: Here, option: ir.Expr, always: bool) -> ir.Stmt:
        if always:
            return ir.Offer(option)
        refuse = ir.Refuse(
            option, self.r.randrange(MESSAGES), (self.number(here, 1), self.list_value(here, 1))
        )
        otherwise = (refuse,) if self.chance(70) else ()
        return ir.If(self.number(here), (ir.Mark(3), ir.Offer(option)), otherwise)

    def helper(self) -> int:
        here = Here([0], free=1, top=1, effects=False, fails=False)
        return self.w.function(
            1, here.top, self.offer(here, c(31), False), self.offer(here, c(32), False)
        )

    # ---- suspending procedures -------------------------------------------------------------------

    def suspending(self, number: int, count: int) -> None:
        """Procedure `number`; it calls those with higher numbers."""
        own = Here(list(range(self.parameters[number])), free=self.parameters[number], plain=False)
        own.top = own.free
        own.possible = list(range(number + 1, count))
        for _ in range(self.r.randrange(2)):
            first = own.slot()
            for _ in range(3):
                own.slot()
            own.frame_lists.append(first)
        own.numbers += [own.slot() for _ in range(2)]
        items = self.items(number, own, 2, 5)
        if number == 0 and self.chance(80):
            items.append(end_game())
        made = self.w.procedure(self.parameters[number], 0, items)
        old = self.w.suspending[made]
        assert made == number
        self.w.suspending[made] = ir.Suspending(old.name, old.parameters, own.top, old.entry)

    def items(self, number: int, here: Here, depth: int, most: int) -> list[Item]:
        return [self.item(number, here, depth) for _ in range(self.r.randrange(1, most + 1))]

    def item(self, number: int, here: Here, depth: int) -> Item:
        kind = self.r.randrange(14)
        if depth == 0:
            kind %= 6
        match kind:
            case 0 | 1:
                return do(*self.statements(here, 2))
            case 2 | 3:
                return self.decision(number, here)
            case 4:
                slot = self.own(here)
                bound = (
                    c(self.r.randrange(1, 4))
                    if self.chance(60)
                    else op(self.number(here, 1), "%", c(3))
                )
                return chance(self.w.chance_site(number, slot), bound, slot)
            case 5 | 6 if here.possible:
                callee = self.r.choice(here.possible)
                return call(callee, *(self.small(here) for _ in range(self.parameters[callee])))
            case 7 | 8:
                then = self.items(number, here, depth - 1, 2)
                otherwise = self.items(number, here, depth - 1, 2) if self.chance(50) else []
                return when(self.number(here), then, otherwise)
            case 9:
                return self.loop(number, here, depth)
            case 10:
                return scope(self.items(number, here, depth - 1, 2))
            case 11 | 12:
                body = self.items(number, here, depth - 1, 3)
                return attempt(self.player(here), body, self.items(number, here, depth - 1, 1))
            case 13 if self.chance(15) and not here.in_loop:
                return when(self.number(here), [finish() if self.chance(70) else end_game()])
            case _:
                return self.decision(number, here)

    def loop(self, number: int, here: Here, depth: int) -> Item:
        counter = here.slot()
        step = do(ir.SetLocal(counter, op(v(counter), "+", c(1))))
        again = op(v(counter), "<", c(self.r.randrange(1, 4)))
        was, here.in_loop = here.in_loop, False
        inside = [step, *self.items(number, here, depth - 1, 2)]
        here.in_loop = was
        start = do(ir.SetLocal(counter, c(0)))
        turned = loop(again, inside)
        return lambda w, p, after: w.chain(p, [start, turned], after)

    def decision(self, number: int, here: Here) -> Item:
        takes = "".join(
            self.r.choice("nnl" if here.frame_lists else "n") for _ in range(self.r.randrange(3))
        )
        arguments: list[ir.Expr] = []
        for kind in takes:
            if kind == "l":
                arguments.append(ir.LocalList(self.r.choice(here.frame_lists)))
            else:
                arguments.append(v(self.r.choice(here.numbers)) if here.numbers else c(2))
        possible = here.possible if self.chance(30) else []
        enumerator = self.enumerator(takes, possible)
        slot = self.own(here)
        site = self.w.site(
            number,
            slot,
            enumerator,
            *arguments,
            search=self.chance(70),
            empty=self.r.randrange(MESSAGES),
            settled=((self.r.randrange(3), self.r.randrange(6)),) if self.chance(25) else (),
            always=self.chance(10),
        )
        return choose(site, self.player(here), slot)

    def program(self) -> ir.Program:
        for _ in range(self.r.randrange(6)):
            self.plain()
        count = self.r.randrange(1, 5)
        self.parameters = [0, *(self.r.randrange(3) for _ in range(count - 1))]
        for number in range(count):
            self.suspending(number, count)
        values = [(n, self.r.randrange(-1, 4)) for n in range(0, CELLS, 3)]
        return self.w.program(
            tables=TABLES,
            stack=400,
            start=tuple((GLOBAL + self.spread * n, value) for n, value in values),
            lookahead=60,
            cells=CELLS * self.spread,
            far=self.far,
        )


def random_program(random: Random, fails: bool = True, spread: int = 1, far: int = 0) -> ir.Program:
    """A program; without `fails` nothing in it fails (but decisions may offer nothing)."""
    return Maker(random, fails=fails, spread=spread, far=far).program()

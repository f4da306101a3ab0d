"""The everyday engine: Python functions written from the core IR and run by a small loop.

Functions are written and compiled in modules, each when it is first needed: one that runs silently,
one that writes the log, one that gives reasons for refusals, and those that count. Refuses to know
how the functions are written.
"""

from __future__ import annotations

import builtins
from array import array
from collections.abc import Callable, Sequence
from functools import cached_property
from itertools import compress, repeat
from typing import Any, TypeAlias

from attrs import define, field

from rulewright.dsl import ir
from rulewright.dsl.ir import BOUND, FP, FRAME, GUARD, HALT, OVER, PLAYER, RESUME, SITE
from rulewright.interpreter import search
from rulewright.interpreter.at_random import WORDS_A_STEP
from rulewright.interpreter.chance import Generator, draw
from rulewright.interpreter.codegen.blocks import block_functions
from rulewright.interpreter.codegen.code import COMPARED, Flags
from rulewright.interpreter.codegen.flow import Flow, flow_of
from rulewright.interpreter.codegen.functions import (
    Module,
    outside_function,
    plain_function,
    site_function,
)
from rulewright.interpreter.codegen.knowledge import Knowledge
from rulewright.interpreter.codegen.loops import LOOKS
from rulewright.interpreter.codegen.statements import Variant
from rulewright.interpreter.engine import (
    STEPS,
    Cells,
    LogLine,
    Refusal,
    answer_slot,
    first_state,
    room_to_recurse,
    started,
)
from rulewright.interpreter.faults import (
    Impossible,
    InternalError,
    Value,
    declared,
    impossible_step,
    no_progress,
    too_deep,
)

Step: TypeAlias = Callable[[Cells], int]
BROKEN = (IndexError, TypeError, ZeroDivisionError, OverflowError, AttributeError)
"""What Python raises where the compiler has broken a promise."""

MOST_CELLS = 1000
"""How large states are for which all options are found to see whether there is one."""
MOST_VALUES = 5000
"""How many values of one procedure are kept."""

MOST_MARKS = 1000
"""With how many numbers the values of bytes are compared beforehand."""

NOTHING_OPEN = array("i", [-1, -1, 0])
"""SITE, PLAYER and BOUND while nothing is open."""


@define(eq=False)
class Compiled:
    """The functions of one module, by their names, and the source they were compiled from."""

    source: str
    names: dict[str, Any]
    steps: list[Step]
    """The functions of blocks, by block; those that a run is not resumed at have none."""


def compile(  # as `re.compile`
    program: ir.Program, *, coverage: bool = False, checked: bool = False
) -> PythonEngine:
    """The engine of a program.

    With `coverage` the marks reached are counted in `counts`; with `checked` broken promises of the
    compiler are looked for, as the reference interpreter does."""
    return PythonEngine(program, coverage, checked)


@define(eq=False)
class PythonEngine:
    """Runs a program by functions of Python."""

    program: ir.Program
    coverage: bool = False
    checked: bool = False
    counts: list[int] | None = None
    _knowledge: Knowledge = field(init=False)
    _flow: Flow = field(init=False)
    _modules: dict[str, Compiled] = field(init=False, factory=dict)
    _looping: list[dict[str, Any]] = field(init=False, factory=list)
    _steps: list[Step] = field(init=False)
    _offers: list[Callable[[Cells], list[int]]] = field(init=False)
    _slots: list[int] = field(init=False)
    _chances: list[int] = field(init=False)
    _plains: list[Callable[..., Any]] = field(init=False)
    _faults: _Faults = field(init=False)
    _found: list[tuple[Cells, list[int]] | None] = field(init=False, factory=lambda: [None])
    """The state in which a run has just come to a decision, and what is offered there.

    An enumerator is run at a decision to see whether it offers anything; mostly it is asked for all
    its offers next."""
    _known: list[tuple[Cells, search.Step | None] | None] = field(
        init=False, factory=lambda: [None]
    )
    """The state in which a run has just come to a decision, and how a search goes on from there."""
    _finds_all: bool = field(init=False)
    _blocks: list[int] = field(init=False, factory=lambda: [0])

    def __attrs_post_init__(self) -> None:
        self._knowledge = Knowledge(self.program)
        self._flow = flow_of(self._knowledge)
        self._finds_all = self.program.size <= MOST_CELLS and not self.coverage
        if self.coverage and self.counts is None:
            self.counts = [0] * len(self.program.marks)
        module = self._play
        self._steps = module.steps
        self._faults = _Faults(self.program, self._looping)
        self._plains = [
            module.names.get(f"p{n}", _offers_only) for n in range(len(self.program.plain))
        ]
        sites = range(len(self.program.sites))
        # The last is found where SITE is -1.
        self._offers = [*(module.names[f"os{site}"] for site in sites), _nothing_open]
        self._slots = [FRAME + site.slot for site in self.program.sites]
        self._chances = [FRAME + site.slot for site in self.program.chances]

    @property
    def source(self) -> str:
        """The text of the module that runs silently."""
        return self._play.source

    # ---- play ------------------------------------------------------------------------------------

    def start(self) -> Cells:
        """As `Engine.start`."""
        return first_state(self.program)

    def run(self, cells: Cells, log: list[LogLine] | None = None) -> list[int] | None:
        """As `Engine.run`."""
        return None if cells[SITE] >= 0 or cells[OVER] else self._run(cells, log)

    def _run(self, cells: Cells, log: list[LogLine] | None) -> list[int] | None:
        found = self._found
        found[0] = None
        if log is None:
            steps = self._steps
        else:
            talk = self._talk
            talk.names["LOG"] = log.append
            steps = talk.steps
        for names in self._looping:
            names["turns"] = repeat(None, STEPS)
        block = cells[RESUME]
        cells[RESUME] = HALT
        try:
            if block:
                block = steps[block](cells)
            if block:
                for _ in repeat(None, STEPS):
                    block = steps[block](cells)
                    if not block:
                        break
                else:
                    raise no_progress()
        except Impossible as failure:
            raise impossible_step(self.program, failure) from None
        except RecursionError:
            raise too_deep() from None
        except BROKEN as error:
            raise InternalError(str(error)) from error
        last = found[0]
        # Searches on the way have come to decisions, too, on copies.
        return last[1] if last is not None and last[0] is cells else None

    def answer(self, cells: Cells, choice: int) -> None:
        """As `Engine.answer`."""
        site = cells[SITE]
        if cells[BOUND] or site < 0:
            slot = answer_slot(self.program, cells)
            if not 0 <= choice < cells[BOUND]:
                raise InternalError(f"{choice} is no result of this chance")
            cells[slot] = choice
        else:
            cells[cells[FP] + self._slots[site]] = choice
        cells[SITE : BOUND + 1] = NOTHING_OPEN

    def advance(
        self, cells: Cells, choice: int, log: list[LogLine] | None = None
    ) -> list[int] | None:
        """As `Engine.advance`."""
        site = cells[SITE]
        bound = cells[BOUND]
        if site < 0 or (bound and not 0 <= choice < bound):
            self.answer(cells, choice)
            return self.run(cells, log)
        if bound:
            cells[cells[FP] + self._chances[site]] = choice
            cells[SITE] = -1
            cells[BOUND] = 0
        else:
            cells[cells[FP] + self._slots[site]] = choice
            cells[SITE] = cells[PLAYER] = -1
        return self._run(cells, log)

    def at_random(
        self,
        cells: Cells,
        chance: Generator,
        bots: Generator,
        longest: int | None = None,
        counts: list[int] | None = None,
    ) -> None:
        """As `Engine.at_random`, without a step aside: this is what simulations spend their time in."""
        steps, offers, slots, found = self._steps, self._offers, self._slots, self._found
        looping, key, place, known = self._looping, bots.key, bots.counter, self._known
        known[0] = None
        searched = [site.search for site in self.program.sites]
        left = -1 if longest is None else longest
        # Invariant: a decision is open, and `offered` are its options if they are known.
        offered: list[int] | None = None
        ways: dict[int, Cells | None] = {}
        try:
            while not cells[OVER]:
                done: Cells | None = None
                if cells[BOUND]:
                    self.answer(cells, chance.below(cells[BOUND]))
                else:
                    if not left:
                        break
                    left -= 1
                    site = cells[SITE]
                    if offered is None:
                        for names in looping:
                            names["turns"] = repeat(None, STEPS)
                        offered = offers[site](cells)
                        if searched[site] and cells[GUARD]:
                            way, known[0] = known[0], None
                            step = way[1] if way is not None and way[0] is cells else None
                            ways = search.real_ways(self, cells, offered, step)
                            offered = list(ways)
                        if not offered:
                            raise Impossible(self.program.sites[site].empty)
                    choice, _ = draw(key, place, len(offered))
                    place += WORDS_A_STEP
                    if counts is not None:
                        counts.append(len(offered))
                    option = offered[choice]
                    if ways:
                        done = None if self.coverage else ways[option]
                        ways = {}
                    if done is None:
                        cells[cells[FP] + slots[site]] = option
                        cells[SITE] = cells[PLAYER] = -1
                    else:
                        offered = None
                        cells[:] = done
                        if cells[SITE] >= 0 or cells[OVER]:
                            continue
                found[0] = known[0] = None
                for names in looping:
                    names["turns"] = repeat(None, STEPS)
                block = cells[RESUME]
                cells[RESUME] = HALT
                for _ in repeat(None, STEPS):
                    block = steps[block](cells)
                    if not block:
                        break
                else:
                    raise no_progress()
                last = found[0]
                offered = last[1] if last is not None and last[0] is cells else None
        except Impossible as failure:
            raise impossible_step(self.program, failure) from None
        except RecursionError:
            raise too_deep() from None
        except BROKEN as error:
            raise InternalError(str(error)) from error
        bots.counter = place

    # ---- what can be done ------------------------------------------------------------------------

    def options(self, cells: Cells) -> list[int]:
        """As `Engine.options`."""
        if cells[BOUND]:
            return list(range(cells[BOUND]))
        for names in self._looping:
            names["turns"] = repeat(None, STEPS)
        try:
            options = self._offers[cells[SITE]](cells)
            if cells[GUARD] and self.program.sites[cells[SITE]].search:
                options = search.real_options(self, cells, options)
            if not options:
                raise Impossible(self.program.sites[cells[SITE]].empty)
        except Impossible as failure:
            raise impossible_step(self.program, failure) from None
        except RecursionError:
            raise too_deep() from None
        except BROKEN as error:
            raise InternalError(str(error)) from error
        return options

    def has_option(self, cells: Cells, option: int) -> bool:
        """As `Engine.has_option`."""
        if cells[BOUND]:
            return 0 <= option < cells[BOUND]
        for names in self._looping:
            names["turns"] = repeat(None, STEPS)
        try:
            if not self._has[cells[SITE]](cells, option):
                return False
            searched = cells[GUARD] and self.program.sites[cells[SITE]].search
            return not searched or search.is_real(self, cells, option)
        except Impossible as failure:
            raise impossible_step(self.program, failure) from None
        except RecursionError:
            raise too_deep() from None
        except BROKEN as error:
            raise InternalError(str(error)) from error

    def refusals(self, cells: Cells) -> dict[int, Refusal]:
        """As `Engine.refusals`."""
        if cells[BOUND]:
            return {}
        number = self._site(cells)
        with self._faults:
            offered: list[int]
            refused: dict[int, Refusal]
            offered, refused = self._reasons.names[f"rs{number}"](cells)
            if cells[GUARD] and self.program.sites[number].search:
                refused |= search.refused_options(_Counting(self), cells, offered)
        return refused

    def site_arguments(self, cells: Cells) -> tuple[Value, ...]:
        """As `Engine.site_arguments`."""
        return self._at_site("es", cells)

    def prompt_arguments(self, cells: Cells) -> tuple[Value, ...]:
        """As `Engine.prompt_arguments`."""
        return self._at_site("qs", cells)

    # ---- single procedures -----------------------------------------------------------------------

    def value(self, cells: Cells, plain: int, arguments: Sequence[Value] = ()) -> Value:
        """As `Engine.value`."""
        if len(arguments) != self.program.plain[plain].parameters:
            raise InternalError(f"wrong number of arguments for {self.program.plain[plain].name}")
        function = self._plains[plain]
        with self._faults:
            return freeze(function(cells, *arguments))

    def possible(self, cells: Cells, suspending: int, arguments: Sequence[int], actor: int) -> bool:
        """As `Engine.possible`."""
        with self._faults:
            return search.is_possible(self, cells, suspending, arguments, actor)

    def call(self, cells: Cells, suspending: int, arguments: Sequence[int] = ()) -> Cells:
        """As `Engine.call`."""
        return started(self.program, cells, suspending, arguments)

    # ---- what the search wants -------------------------------------------------------------------

    def go(self, cells: Cells, floor: int) -> int:
        """As `Runner.go`; does not count."""
        self._go(self._searching, cells, floor)
        return 0

    def take(self, cells: Cells, choice: int, floor: int) -> tuple[Cells, int]:
        """As `Runner.take`; does not count."""
        copy = cells[:]
        copy[copy[FP] + self._slots[copy[SITE]]] = choice
        copy[SITE : BOUND + 1] = NOTHING_OPEN
        self._go(self._searching, copy, floor)
        return copy, 0

    def offered(self, cells: Cells) -> list[int]:
        """As `Runner.offered`."""
        options: list[int] = self._quiet.names[f"os{self._site(cells)}"](cells)
        return options

    def refused(self, cells: Cells) -> dict[int, Refusal]:
        """As `Runner.refused`."""
        refused: dict[int, Refusal]
        _, refused = self._reasons.names[f"rs{self._site(cells)}"](cells)
        return refused

    def go_counting(self, cells: Cells, floor: int) -> int:
        """As `Runner.go`."""
        count = self._blocks
        count[0] = 0
        try:
            self._go(self._counting.steps, cells, floor)
        except Impossible as failure:
            failure.blocks = count[0]
            raise
        return count[0]

    def _go(self, steps: list[Step], cells: Cells, floor: int) -> None:
        for names in self._looping:
            names["turns"] = repeat(None, STEPS)
        block = cells[RESUME]
        cells[RESUME] = HALT
        while block:
            for _ in repeat(None, STEPS):
                block = steps[block](cells)
                if block <= 0:
                    break
            else:
                raise no_progress()
            if block:
                block = ~block
                if cells[GUARD] == floor:
                    cells[RESUME] = block
                    return

    # ---- of its own ------------------------------------------------------------------------------

    def _site(self, cells: Cells) -> int:
        if cells[SITE] < 0 or cells[BOUND]:
            raise InternalError("no decision is open")
        return cells[SITE]

    def _at_site(self, prefix: str, cells: Cells) -> tuple[Value, ...]:
        number = self._site(cells)
        with self._faults:
            values: tuple[Value, ...] = self._asks.names[f"{prefix}{number}"](cells)
            return values

    # ---- modules ---------------------------------------------------------------------------------

    @property
    def _play(self) -> Compiled:
        """Runs without a log."""
        return self._module("play", Flags(counts=self.coverage, checked=self.checked))

    @property
    def _talk(self) -> Compiled:
        """Runs with a log."""
        flags = Flags(log=True, counts=self.coverage, checked=self.checked)
        return self._module("talk", flags, self._play)

    @property
    def _asks(self) -> Compiled:
        """Answers whether there is an option, and what a site is about; runs nothing."""
        return self._module("asks", Flags(checked=self.checked), self._quiet)

    @cached_property
    def _has(self) -> list[Callable[[Cells, int], bool]]:
        """By site, and at the end for SITE -1: whether an option is offered."""
        names = self._asks.names
        return [*(names[f"hs{site}"] for site in range(len(self.program.sites))), _nothing_open]

    @property
    def _reasons(self) -> Compiled:
        """Gives reasons for refusals; runs nothing."""
        flags = Flags(counts=self.coverage, checked=self.checked)
        return self._module("reasons", flags, self._play)

    @property
    def _quiet(self) -> Compiled:
        """Offers options where no marks are counted."""
        if not self.coverage:
            return self._play
        return self._module("quiet", Flags(checked=self.checked))

    @cached_property
    def _searching(self) -> list[Step]:
        """Functions of blocks for searches."""
        flags = Flags(stops=True, checked=self.checked)
        quiet = self._quiet
        return self._module("search", flags, quiet).steps if self._flow.has_scopes else quiet.steps

    @property
    def _counting(self) -> Compiled:
        """Runs within searches, and counts blocks."""
        return self._module(
            "counting", Flags(blocks=True, stops=True, checked=self.checked), self._quiet
        )

    def _module(self, name: str, flags: Flags, base: Compiled | None = None) -> Compiled:
        found = self._modules.get(name)
        if found is None:
            with room_to_recurse():
                found = self._compile(name, flags, base)
            self._modules[name] = found
        return found

    def _compile(self, name: str, flags: Flags, base: Compiled | None) -> Compiled:
        program = self.program
        module = Module(self._flow, flags)
        texts: list[str] = []
        if base is None:
            plains = [n for n in range(len(program.plain)) if not self._knowledge.offers(n)]
        elif flags.log:
            plains = [n for n in range(len(program.plain)) if self._knowledge.reaches(n, ir.Log)]
        else:
            plains = []
        texts += [plain_function(module, number) for number in plains]
        variants: tuple[Variant, ...] = ("list", "any") if base is None else ()
        if name == "reasons":
            variants = ("reasons",)
        elif name == "asks":
            variants = ("has",)
            for number, site in enumerate(program.sites):
                texts.append(
                    outside_function(module, f"es{number}", site.procedure, site.arguments)
                )
                texts.append(
                    outside_function(module, f"qs{number}", site.procedure, site.prompt_arguments)
                )
        for variant in variants:
            texts += [plain_function(module, number, variant) for number in self._knowledge.helpers]
            texts += [
                site_function(module, number, variant) for number in range(len(program.sites))
            ]
        heads: list[int] = []
        if name not in ("reasons", "asks"):
            blocks = block_functions(module)
            texts += blocks.texts
            heads = blocks.heads
        source = "\n".join([*texts, *module.shared.functions])
        names = dict(base.names) if base is not None else self._names()
        names.update(module.shared.constants)
        exec(builtins.compile(source, f"<{program.title}: {name}>", "exec"), names)
        for memo, parameters in module.shared.memos.items():
            names[memo] = lists_of(names[memo.replace("Mf", "mf")], parameters)
        if base is None:
            for number, site in enumerate(program.sites):
                names[f"cs{number}"] = (
                    self._looking(names[f"os{number}"], names[f"as{number}"], site.search)
                    if self._finds_all
                    else names[f"as{number}"]
                )
        for number in plains:
            if self._knowledge.is_timeless(number, flags.counts):
                parameters = program.plain[number].parameters
                names[f"M{number}"] = Memo(names[f"p{number}"], parameters)
        steps: list[Step] = [_not_resumed] * len(program.blocks)
        for head in heads:
            steps[head] = names[f"b{head}"]
        if module.shared.loops:
            self._looping.append(names)
        return Compiled(source, names, steps)

    def _looking(
        self,
        offers: Callable[[Cells], list[int]],
        offers_any: Callable[[Cells], bool],
        searches: bool,
    ) -> Callable[[Cells], object]:
        """Whether an enumerator offers anything; all it offers is kept for those who will ask.

        What goes wrong after its first offer is left to them."""

        kept = self._found

        def look(cells: Cells) -> object:
            try:
                found = offers(cells)
            except Exception:
                return offers_any(cells)
            if not (searches and cells[GUARD]):
                kept[0] = cells, found
            return found

        return look

    def _names(self) -> dict[str, Any]:
        """What the functions may call and read."""
        program = self.program
        names: dict[str, Any] = {f"T{n}": table for n, table in enumerate(program.tables)}
        known = self._known

        def possible(cells: Cells, procedure: int, arguments: list[int], actor: int) -> bool:
            return search.is_possible(self, cells, procedure, arguments, actor)

        def can_do(cells: Cells, body: int, actor: int) -> bool:
            return search.can_do(self, cells, body, actor)

        def do(cells: Cells, body: int, actor: int, otherwise: int) -> int:
            is_outer = not cells[GUARD]
            way = search.way_into(self, cells, body, actor)
            if way is None:
                return otherwise
            cells[:] = way.state
            if cells[SITE] >= 0:
                known[0] = (cells, way.step) if is_outer else None
                return 0
            cells[RESUME] = HALT
            return way.state[RESUME]

        def cell(address: int) -> int:
            return _within(address, 0, program.stack, "cell")

        def kept(address: int) -> int:
            return _within(address, ir.HEADER, program.stack, "cell to be set")

        def row(index: int, size: int) -> int:
            return _within(index, 0, size, "row of this table:")

        names |= {
            "Impossible": Impossible,
            "Refusal": Refusal,
            "fault": lambda fault: declared(program, fault),
            "too_deep": lambda procedure: too_deep(program.suspending[procedure].span),
            "no_progress": no_progress,
            "throw": throw,
            "freeze": freeze,
            "keep": keep,
            "equal": equal,
            "unequal": unequal,
            "less": less,
            "up_to": up_to,
            "more": more,
            "from_up": from_up,
            "compress": compress,
            **{f"Q_{LOOKS[word]}": Marks(compare) for word, compare in COMPARED.items()},
            "possible": possible,
            "can_do": can_do,
            "do": do,
            "cell": cell,
            "kept": kept,
            "row": row,
            "turns": repeat(None, STEPS),
            "COUNTS": self.counts,
            "BLOCKS": self._blocks,
        }
        return names


@define(eq=False)
class _Faults:
    """Turns what goes wrong in functions into faults; turns of loops are counted from here."""

    program: ir.Program
    looping: list[dict[str, Any]]

    def __enter__(self) -> None:
        for names in self.looping:
            names["turns"] = repeat(None, STEPS)

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        if isinstance(error, Impossible):
            raise impossible_step(self.program, error) from None
        if isinstance(error, RecursionError):
            raise too_deep() from None
        if isinstance(error, BROKEN):
            raise InternalError(str(error)) from error


@define(eq=False)
class _Counting:
    """The engine for a search that wants blocks to be counted."""

    engine: PythonEngine

    @property
    def program(self) -> ir.Program:
        return self.engine.program

    def go(self, cells: Cells, floor: int) -> int:
        return self.engine.go_counting(cells, floor)

    def take(self, cells: Cells, choice: int, floor: int) -> tuple[Cells, int]:
        copy = cells[:]
        self.engine.answer(copy, choice)
        return copy, self.go(copy, floor)

    def offered(self, cells: Cells) -> list[int]:
        return self.engine.offered(cells)

    def refused(self, cells: Cells) -> dict[int, Refusal]:
        return self.engine.refused(cells)


# ---- what the functions call ---------------------------------------------------------------------


def freeze(value: Any) -> Value:
    """A value as it leaves the engine: a number, or a tuple of values."""
    return value if isinstance(value, int) else tuple(map(freeze, value))


def throw(error: Exception) -> int:
    """Raise where an expression is wanted."""
    raise error


def keep(cells: Cells, address: int, capacity: int, values: Sequence[int], zeros: Cells) -> None:
    """Keep a list in a frame: count, items, zeros."""
    count = len(values)
    if count > capacity:
        raise InternalError(f"a list of {count} does not fit into {capacity}")
    cells[address : address + capacity + 1] = zeros
    if count > 5:
        cells[address + 1 : address + 1 + count] = array("i", values)
    elif count:
        for place, value in enumerate(values, address + 1):
            cells[place] = value
    cells[address] = count


def equal(cells: Cells, value: int, low: int) -> list[int]:
    """The places, from `low`, of the cells that hold a value; and so on."""
    return [place for place, cell in enumerate(cells, low) if cell == value]


def unequal(cells: Cells, value: int, low: int) -> list[int]:
    return [place for place, cell in enumerate(cells, low) if cell != value]


def less(cells: Cells, value: int, low: int) -> list[int]:
    return [place for place, cell in enumerate(cells, low) if cell < value]


def up_to(cells: Cells, value: int, low: int) -> list[int]:
    return [place for place, cell in enumerate(cells, low) if cell <= value]


def more(cells: Cells, value: int, low: int) -> list[int]:
    return [place for place, cell in enumerate(cells, low) if cell > value]


def from_up(cells: Cells, value: int, low: int) -> list[int]:
    return [place for place, cell in enumerate(cells, low) if cell >= value]


class Memo(dict[Any, Any]):
    """The values of a procedure that does not depend on the state, by its arguments."""

    def __init__(self, function: Callable[..., Any], parameters: int) -> None:
        super().__init__()
        self.function = function
        self.parameters = parameters

    def __missing__(self, key: Any) -> Any:
        """Work out a value."""
        match self.parameters:
            case 0:
                value = self.function(None)
            case 1:
                value = self.function(None, key)
            case _:
                value = self.function(None, *key)
        if isinstance(value, list):
            value = tuple(value)
        if len(self) >= MOST_VALUES:
            self.clear()
        self[key] = value
        return value


class Lists(dict[int, Any]):
    """The lists of a loop whose turns do not depend on the state, by one number after the other."""

    def __init__(self, function: Callable[..., Any], more: int, above: Lists | None = None) -> None:
        super().__init__()
        self.function = function
        self.more = more
        self.root: Lists = self if above is None else above.root
        self.before: tuple[int, ...] = ()
        self.kept = 0

    def __missing__(self, key: int) -> Any:
        """Work out a list, or begin with those of one more number."""
        found: Any
        numbers = (*self.before, key)
        root = self.root
        if root.kept >= MOST_VALUES:  # loops that go through one of them keep it
            root.clear()
            root.kept = 0
        root.kept += 1
        if self.more > 1:
            found = Lists(self.function, self.more - 1, self)
            found.before = numbers
        else:
            found = tuple(self.function(None, *numbers))
        self[key] = found
        return found


def lists_of(function: Callable[..., Any], parameters: int) -> dict[Any, Any]:
    """The kept lists of a function of so many numbers (or of none, which is kept under 0)."""
    return Lists(function, parameters) if parameters else Memo(function, 0)


class Marks(dict[int, bytes]):
    """For a number, and each value of a byte with a sign: 1 if they compare so, else 0."""

    def __init__(self, compare: Callable[[int, int], bool]) -> None:
        super().__init__()
        self.compare = compare

    def __missing__(self, key: int) -> bytes:
        """Compare with all bytes."""
        if len(self) >= MOST_MARKS:
            self.clear()
        marks = bytes(self.compare(byte - 256 if byte > 127 else byte, key) for byte in range(256))
        self[key] = marks
        return marks


def _within(index: int, low: int, end: int, what: str) -> int:
    if not low <= index < end:
        raise InternalError(f"there is no {what} {index}")
    return index


def _nothing_open(cells: Cells, option: int = 0) -> Any:
    raise InternalError("no decision is open")


def _offers_only(cells: Cells, *_: object) -> Any:
    raise InternalError("an enumerator has no value")


def _not_resumed(cells: Cells) -> int:
    raise InternalError("a run cannot be resumed at this block")

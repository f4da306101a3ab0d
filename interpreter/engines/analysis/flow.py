"""Analyses the control flow between the blocks of a program. The analysis does not depend on Python."""

from __future__ import annotations

from attrs import define, field

from rulewright.dsl import ir
from rulewright.interpreter.engines.analysis.procedures import Knowledge, OfHeader, of_header, walk

CALLS = (ir.CallValue, ir.CallPlain)


@define(eq=False)
class Flow:
    """The control flow between the blocks of a program."""

    knowledge: Knowledge
    resumed: set[int]
    """The blocks where a run continues after a decision, a call, a Leave or a Try."""
    ways_in: list[int]
    """For each block, the number of jumps to it."""
    bare: list[frozenset[int]]
    """For each suspending procedure, the slots that belong to lists."""
    called: set[int]
    """The suspending procedures that other procedures call."""
    searching: set[int]
    """The suspending procedures that evaluate `Possible` expressions."""
    looking: set[int]
    """The suspending procedures that read the header."""
    turning: set[int]
    """The blocks that count the iterations of loops."""
    answers: dict[int, ir.Choose | ir.Chance]
    """The blocks that continue after exactly one decision or chance event, each with that event."""
    has_scopes: bool
    """Whether the program closes scopes."""
    enters: bool
    """Whether the program opens scopes, which may stay open until the end."""
    _sizes: dict[int, int] = field(factory=dict)
    _opened: dict[int, bool] = field(factory=dict)

    @property
    def program(self) -> ir.Program:
        """Return the analysed program."""
        return self.knowledge.program

    def size(self, block: int) -> int:
        """Count the statements of a block, including nested statements."""
        found = self._sizes.get(block)
        if found is None:
            body = self.program.blocks[block].body
            found = 1 + sum(isinstance(node, ir.Stmt) for node in walk(body))
            self._sizes[block] = found
        return found

    @property
    def stack_in_lists(self) -> int:
        """Return the start of the stack in states that are lists. In such a state, a single item
        contains all far cells."""
        return self.program.far + 1 if self.program.far else self.program.stack

    def is_searched(self, site: int) -> bool:
        """Return whether options of a decision may need a search."""
        return self.enters and self.program.sites[site].search

    def is_opened(self, site: int) -> bool:
        """Return whether a decision must be opened even in a silent run, because its enumerator reads the header."""
        found = self._opened.get(site)
        if found is None:
            info = self.program.sites[site]
            called = {node.procedure for node in walk(info.arguments) if isinstance(node, CALLS)}
            found = any(map(of_header, walk(info.arguments))) or any(
                self.knowledge.reaches(plain, OfHeader) for plain in {info.enumerator, *called}
            )
            self._opened[site] = found
        return found

    def counts_turns(self, site: int) -> bool:
        """Return whether listing the options of a site counts loop iterations."""
        info = self.program.sites[site]
        called = [part.procedure for part in walk(info.arguments) if isinstance(part, CALLS)]
        return any(self.knowledge.reaches(n, ir.While) for n in (info.enumerator, *called))

    def is_first(self, procedure: int) -> bool:
        """Return whether the frame of a procedure is always the first on the stack, as the frame of `main` is."""
        return procedure == self.program.main not in self.called


def flow_of(knowledge: Knowledge, draws: bool = False) -> Flow:
    """Analyse the blocks of a program. With `draws`, runs continue through choices and chance events."""
    program = knowledge.program
    resumed = {procedure.entry for procedure in program.suspending}
    ways_in = [0] * len(program.blocks)
    called: set[int] = set()
    searching: set[int] = set()
    looking: set[int] = set()
    turning: set[int] = set()
    answers: dict[int, set[ir.Choose | ir.Chance]] = {}
    capacities: list[dict[int, int]] = [{} for _ in program.suspending]
    for number, block in enumerate(program.blocks[1:], 1):
        lists = capacities[block.procedure]
        for node in walk((block.body, block.end)):
            match node:
                case ir.SetLocalList(slot, capacity, _):
                    lists[slot] = max(capacity, lists.get(slot, 0))
                case ir.LocalList(slot):
                    lists.setdefault(slot, -1)
                case ir.Possible():
                    searching.add(block.procedure)
                case ir.CallValue(callee, _) | ir.CallPlain(callee, _):
                    if knowledge.reaches(callee, ir.Possible):
                        searching.add(block.procedure)
                    if knowledge.reaches(callee, OfHeader):
                        looking.add(block.procedure)
                    if knowledge.reaches(callee, ir.While):
                        turning.add(number)
                case ir.While():
                    turning.add(number)
                case ir.Load() if of_header(node):
                    looking.add(block.procedure)
                case _:
                    pass
        if isinstance(block.end, (ir.Choose, ir.Chance)):
            answers.setdefault(block.end.block, set()).add(block.end)
        match block.end:
            case ir.Goto(target) | ir.Enter(target):
                ways_in[target] += 1
            case ir.Branch(_, then, otherwise):
                ways_in[then] += 1
                ways_in[otherwise] += 1
            case ir.Try(body, otherwise, _):
                resumed |= {body, otherwise}
            case ir.Chance(_, _, _, target) | ir.Leave(target):
                ways_in[target] += 1
                if not draws:
                    resumed.add(target)
            case ir.Choose(site, _, _, target):
                ways_in[target] += 1
                if not draws or program.sites[site].search:
                    resumed.add(target)
            case ir.CallThen(callee, _, target):
                called.add(callee)
                resumed.add(target)
            case ir.Finish() | ir.EndGame():
                pass
    bare = [
        frozenset(
            slot
            for first, capacity in lists.items()
            for slot in range(first, procedure.locals if capacity < 0 else first + capacity + 1)
        )
        for procedure, lists in zip(program.suspending, capacities, strict=True)
    ]
    ends = {type(block.end) for block in program.blocks}
    return Flow(
        knowledge,
        resumed,
        ways_in,
        bare,
        called,
        searching,
        looking,
        turning,
        {block: next(iter(asked)) for block, asked in answers.items() if len(asked) == 1},
        ir.Leave in ends,
        ir.Enter in ends,
    )

"""Finds out why matches ended: which `end game` ended the match, in which rule, and which trigger called the rule.

The stack of a finished match shows which rules were running. If several lines of a rule may have
ended the match, the last step is repeated.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable
from functools import cached_property
from typing import assert_never

import attrs

from rulewright.dsl import ir
from rulewright.interpreter.engines.engine import returns
from rulewright.interpreter.engines.reference import Reference

TRIGGERS = ("trigger", "effect", "power")


@attrs.frozen(order=True)
class Cause:
    """The reason why a match ended.

    `rule` is "" if the match ended in `play` itself or in a trigger. `lines` are the lines of the
    `end game` in the rules. There are several lines if it is not known which one ended the match.
    Line 0 means the end of `play`. `called` is the innermost trigger that led to the end.
    """

    rule: str
    lines: tuple[int, ...]
    called: str = ""

    @property
    def kind(self) -> str:
        """Describe the cause in words that do not depend on line numbers."""
        if self.called:
            return f"`{self.called}`"
        where = f"`end game` in {self.rule or 'play'}"
        return where if any(self.lines) else "`play` is done"

    @property
    def text(self) -> str:
        """Describe the cause in words, with its lines."""
        ways = [f"`end game` in line {line}" if line else "`play` is done" for line in self.lines]
        said = " or ".join(ways)
        if any(self.lines) and self.rule:
            said += f" ({self.rule})"
        return f"{said}, by `{self.called}`" if self.called else said


@attrs.frozen(eq=False, slots=False)
class Endings:
    """Finds out why matches of one program ended."""

    program: ir.Program

    def of_end(self, cells: array[int]) -> Cause:
        """Return the cause, as far as it can be read from the last state."""
        return self.of_stack(returns(cells))

    def of_stack(self, key: tuple[int, ...]) -> Cause:
        """Return the cause for one of `Results.stacks`."""
        found = self._known.get(key)
        if found is None:
            running = self._running(key)
            found = self._known[key] = self._cause(running, self._ends.get(running[0], []))
        return found

    def of_step(self, before: array[int], choice: int, drawn: Iterable[int]) -> Cause:
        """Return the cause of an end, given the last step.

        `before` contains the cells before the step, and `drawn` the results of chance after the
        choice.
        """
        cells = before[:]
        engine = Reference(self.program)
        last = engine.last_block(cells, choice)
        for result in drawn:
            last = engine.last_block(cells, result)
        assert last is not None
        return self._cause(self._running(returns(cells)), [last])

    def _cause(self, running: list[int], blocks: list[ir.Block]) -> Cause:
        lines = set()
        for block in blocks:
            assert isinstance(block.end, ir.EndGame)
            lines.add(block.end.span.line if block.end.span is not None else 0)
        called = next((self._triggers[each] for each in running if each in self._triggers), "")
        is_rule = running[0] != self.program.main and running[0] not in self._triggers
        rule = self.program.suspending[running[0]].name if is_rule else ""
        return Cause(rule, tuple(sorted(lines)), called)

    def _running(self, returns: Iterable[int]) -> list[int]:
        """Return the procedures on the stack, innermost first."""
        return [*(self._called_before[block] for block in returns), self.program.main]

    @cached_property
    def _known(self) -> dict[tuple[int, ...], Cause]:
        return {}

    @cached_property
    def _called_before(self) -> dict[int, int]:
        """Map each block to the procedure that returns to it."""
        return {
            block.end.block: block.end.procedure
            for block in self.program.blocks
            if isinstance(block.end, ir.CallThen)
        }

    @cached_property
    def _ends(self) -> dict[int, list[ir.Block]]:
        found: dict[int, list[ir.Block]] = {}
        for number in sorted(self._reachable_blocks()):
            block = self.program.blocks[number]
            if isinstance(block.end, ir.EndGame):
                found.setdefault(block.procedure, []).append(block)
        return found

    def _reachable_blocks(self) -> set[int]:
        """Return the reachable blocks. If `play` runs endlessly, the block at its end is not among them."""
        ways = [procedure.entry for procedure in self.program.suspending]
        found: set[int] = set()
        while ways:
            number = ways.pop()
            if number not in found:
                found.add(number)
                ways += _after(self.program.blocks[number].end)
        return found

    @cached_property
    def _triggers(self) -> dict[int, str]:
        return trigger_names(self.program)


def trigger_names(program: ir.Program) -> dict[int, str]:
    """Map the procedures of triggers, effects and powers to their names."""
    names = {
        (info.span.source.name, info.span.start): info.name
        for info in program.marks
        if info.word in TRIGGERS and info.span is not None
    }
    found = {}
    for number, procedure in enumerate(program.suspending):
        if procedure.span is not None:
            name = names.get((procedure.span.source.name, procedure.span.start))
            if name is not None:
                found[number] = name.partition("(")[0] if name.endswith(")") else name
    return found


def _after(end: ir.Terminator) -> tuple[int, ...]:
    """Return the blocks at which the procedure may continue."""
    match end:
        case ir.Goto(block) | ir.Enter(block) | ir.Leave(block):
            return (block,)
        case ir.CallThen(block=block) | ir.Choose(block=block) | ir.Chance(block=block):
            return (block,)
        case ir.Branch(ir.Const(value), then, otherwise):
            return (then if value else otherwise,)
        case ir.Branch(_, then, otherwise):
            return then, otherwise
        case ir.Try(body, otherwise):
            return body, otherwise
        case ir.Finish() | ir.EndGame():
            return ()
        case _:
            assert_never(end)

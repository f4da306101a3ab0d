"""Finds out whether an action that has begun can be completed, or can reach the horizon.

This possibility search is written only once, for all engines. The meaning of `Site`, `Try` and
`Possible` in the core IR defines its results.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Sequence
from hashlib import blake2b
from typing import Any, NamedTuple, Protocol

from attrs import define, field

from rulewright.dsl.ir import BOUND, GUARD, HALT, PLAYER, RESUME, SITE, SP, Program
from rulewright.interpreter.engines.engine import Cells, Refusal
from rulewright.interpreter.text.faults import (
    SEARCH_TOO_LONG,
    Impossible,
    RuleFault,
    search_too_long,
)

CHUNK = 1024  # cells
KEPT = 50
"""The maximum number of options of a decision for which the resulting states are kept."""
NEVER = -1
"""A floor that no `Leave` reaches."""
LONG = 12
"""The maximum number of tried options for which the results of a search are not worth storing."""
USELESS = 30
"""After `USELESS` consecutive searches that use no stored result, all results are dropped."""


class Runner(Protocol):
    """The functions that the search needs from an engine.

    A run ends at the next open decision, at the end of the game, at a return to HALT, or at a
    `Leave` with GUARD at `floor`. A run writes no log lines. The number of blocks is needed only to
    find reasons, so an engine that gives no reasons may return 0.
    """

    @property
    def program(self) -> Program:
        """Return the program that runs."""
        ...

    @property
    def memory(self) -> Memory | None:
        """Return the results of earlier searches, or None if each search starts without results."""
        ...

    def go(self, cells: Cells, floor: int) -> int:
        """Run in place, and return the number of blocks run. If the run raises `Impossible`, the
        exception contains this number."""
        ...

    def call(self, cells: Cells, suspending: int, arguments: Sequence[int] = ()) -> Cells:
        """Return a copy in which a single procedure is ready to run. The procedure returns to HALT."""
        ...

    def take(self, cells: Cells, choice: int, floor: int) -> tuple[Cells, int]:
        """Answer the open decision on a copy, and run the copy. Return the copy and the number of blocks run."""
        ...

    def enumerate_offered(self, cells: Cells) -> list[int]:
        """Return the options that the enumerator of the open decision offers. May raise `Impossible`."""
        ...

    def sure(self, cells: Cells) -> list[int]:
        """Return the options offered by the procedure `sure` of the open decision."""
        ...

    def enumerate_refused(self, cells: Cells) -> dict[int, Refusal]:
        """Return the options that the enumerator of the open decision refuses, with the reasons."""
        ...


@define
class Deepest:
    """The failure reached after running the most blocks. Of several such failures, the first one
    with the highest message number is kept."""

    blocks: int = -1
    refusal: Refusal | None = None

    def note(self, runner: Runner, blocks: int, failure: Impossible) -> None:
        """Keep a failure if it is deeper than the stored failure.

        If a decision had no options, use the refusal of the option that passed the most conditions.
        This refusal has the highest message number, because messages are numbered in the order of
        the steps.
        """
        if blocks < self.blocks:
            return
        found = Refusal(failure.message, failure.arguments)
        if failure.cells is not None:
            refused = list(runner.enumerate_refused(failure.cells).values())
            farthest = max(refused, key=_number, default=None)
            if farthest is not None:
                equal = {one.arguments for one in refused if one.message == farthest.message}
                site = failure.cells[SITE]
                found = Refusal(farthest.message, farthest.arguments, site, len(equal) - 1)
        if blocks > self.blocks or self.refusal is None or found.message > self.refusal.message:
            self.blocks = blocks
            self.refusal = found


@define(eq=False)
class Memory:
    """The results of long searches for decisions, keyed by their states.

    A decision may be reached again after further steps, or after other options. The result for a
    state never changes, and results are kept while searches use them. The memory does not affect
    which searches exceed the limit of options.
    """

    alive: set[bytes] = field(factory=set)
    dead: set[bytes] = field(factory=set)
    tried: int = 0
    """An upper bound of the number of options tried for the stored results."""
    _left: int = 0
    """The number of further searches for which the results are kept if none of them is used."""

    @property
    def is_kept(self) -> bool:
        """Return whether the results of earlier searches are kept."""
        return self._left > 0

    def begin(self) -> None:
        """Record that another search begins."""
        if self._left > 0:
            self._left -= 1
            if self._left == 0:
                self.forget()

    def keep(self) -> None:
        """Record that a search was long or used a stored result, so that the results are kept longer."""
        self._left = USELESS

    def forget(self) -> None:
        """Forget all results."""
        self.alive, self.dead = set(), set()
        self.tried = self._left = 0


class _TooMuch(Exception):
    """Raised if a search with memory cannot tell whether it would exceed the limit of options without memory."""


class Step(NamedTuple):
    """An option that was tried at a decision, and the state after its run."""

    option: int
    state: Cells


class Way(NamedTuple):
    """The state from which a search started and, if the search tried options there, the first step
    of a way to continue."""

    state: Cells
    step: Step | None = None


@define(eq=False)
class Dead:
    """Decisions known to be dead ends, keyed by their states.

    A search may keep thousands of states. Of a large state, only the differences from the first
    state are stored. Cells from the stack pointer on are zero.
    """

    far: int = 0
    """If states are lists, the index of the item that contains all far cells, otherwise 0."""
    keys: set[object] = field(factory=set)
    _first: Cells | None = None
    _chunks: list[Cells] | None = None
    _far_cells: Cells | None = None

    def key(self, state: Cells) -> object:
        """Return the key of a state. The caller must not change the state afterwards."""
        size = state[SP]
        if self._first is None and size > CHUNK:
            self._first = state
            return ((size - 1) // CHUNK + 1, None)
        near, far = self._apart(state)
        if size <= CHUNK:
            return _bytes(near[:size]), None if far is None else _bytes(far)
        first = self._chunks
        if first is None:  # most searches reach at most one decision
            assert self._first is not None
            beside, self._far_cells = self._apart(self._first)
            first = self._chunks = _chunks(beside)
        chunks = _chunks(near)
        same = min(len(first), len(chunks))
        parts = [(n, _bytes(chunks[n])) for n in range(same) if chunks[n] != first[n]]
        is_same = far is None or far is self._far_cells or far == self._far_cells
        return (
            len(chunks),
            None if far is None or is_same else _bytes(far),
            *parts,
            *map(_bytes, chunks[same:]),
        )

    def _apart(self, state: Any) -> tuple[Cells, Cells | None]:
        """Split a state into its near cells and, if the state is a list, its far cells."""
        if not self.far or isinstance(state, array):
            return state, None
        near = state[:]
        far: Cells = near[self.far]
        near[self.far] = 0
        return near, far


def _chunks(state: Cells) -> list[Cells]:
    size = state[SP]
    return [state[n : min(n + CHUNK, size)] for n in range(0, size, CHUNK)]


def _bytes(part: Sequence[int]) -> object:
    """Return the key of a part of a state. The part may be a list."""
    return part.tobytes() if isinstance(part, array) else tuple(part)


def _number(refusal: Refusal) -> int:
    return refusal.message


def real_options(runner: Runner, cells: Cells, offered: Sequence[int]) -> list[int]:
    """Return those offered options of an open decision for which a search finds a way to complete them."""
    dead = Dead(runner.program.far)
    tried = _open_questions(runner, cells, offered)
    return [
        option
        for option in offered
        if option not in tried or _after(runner, cells, option, dead, None) is not None
    ]


def _open_questions(runner: Runner, cells: Cells, offered: Sequence[int]) -> set[int]:
    """Return those offered options of an open decision that only a search can show to be possible."""
    site = runner.program.sites[cells[SITE]]
    tried = {option for option in offered if not is_within(option, site.settled)}
    if tried and site.sure is not None:
        tried.difference_update(runner.sure(cells))
    return tried


def real_ways(
    runner: Runner, cells: Cells, offered: Sequence[int], known: Step | None = None
) -> dict[int, Cells | None]:
    """Map the same options as `real_options` returns to their resulting states.

    A state is stored only for the first few searched options; the others are mapped to None. Each
    state has reached a decision, a chance event, or the end of the game. If RESUME is set, it has
    reached the end of the scopes. `known` may be a step that is known to lead to a solution.
    """
    dead = Dead(runner.program.far)
    tried = _open_questions(runner, cells, offered)
    found: dict[int, Cells | None] = {}
    kept = 0
    for place, option in enumerate(offered):
        if option not in tried:
            found[option] = None
            continue
        if not place and known is not None and known.option == option:
            found[option] = known.state
            continue
        state = _after(runner, cells, option, dead, None)
        if state is not None:
            found[option] = state if kept < KEPT else None
            kept += 1
    return found


def is_real(runner: Runner, cells: Cells, option: int) -> bool:
    """Return whether a search finds a way to complete an offered option."""
    if not _open_questions(runner, cells, (option,)):
        return True
    return _after(runner, cells, option, Dead(runner.program.far), None) is not None


def is_within(option: int, settled: Sequence[tuple[int, int]]) -> bool:
    """Return whether an option is in one of the sorted ranges in `settled`. Options in these ranges
    are known to be possible."""
    for low, above in settled:
        if option < above:
            return option >= low
    return False


def refused_options(runner: Runner, cells: Cells, offered: Sequence[int]) -> dict[int, Refusal]:
    """Return those offered options of an open decision that are dead ends, each with the reason."""
    real = set(real_options(runner, cells, offered))
    found = {
        option: why_not_real(runner, cells, option) for option in offered if option not in real
    }
    return {option: refusal for option, refusal in found.items() if refusal is not None}


def why_not_real(runner: Runner, cells: Cells, option: int) -> Refusal | None:
    """Return the deepest failure after an offered option, or None if there is none. If the search
    reaches its limit, use the failures so far."""
    deepest = Deepest()
    try:
        _after(runner, cells, option, Dead(runner.program.far), deepest)
    except RuleFault as fault:
        if fault.code != SEARCH_TOO_LONG:
            raise
    return deepest.refusal


def _after(
    runner: Runner, cells: Cells, option: int, dead: Dead, deepest: Deepest | None
) -> Cells | None:
    """If a search finds a way to continue after an offered option, return the state after the
    option, otherwise None."""
    try:
        state, blocks = runner.take(cells, option, 0)
    except Impossible as failure:
        if deepest is not None:
            deepest.note(runner, failure.blocks, failure)
        return None
    actor = cells[PLAYER]
    if _is_fine(runner.program, state, actor) or _way_from(
        runner, state, blocks, actor, 0, 1, dead, deepest
    ):
        return state
    return None


def is_possible(
    runner: Runner, cells: Cells, procedure: int, arguments: Sequence[int], actor: int
) -> bool:
    """Evaluate `Possible`: return whether a suspending procedure can run to the horizon or to its own end."""
    copy = runner.call(cells, procedure, arguments)
    copy[GUARD] = cells[GUARD] + 1
    return _way_on(runner, copy, actor, NEVER) is not None


def can_do(runner: Runner, cells: Cells, body: int, actor: int) -> bool:
    """Evaluate `Try`: return whether a run from block `body` closes the scope that begins there."""
    return way_into(runner, cells, body, actor) is not None


def way_into(runner: Runner, cells: Cells, body: int, actor: int) -> Way | None:
    """If `can_do` is true, return the state after the run from `body`, otherwise None.

    The state has reached a decision, a chance event, or the end of the game. If RESUME is set, it
    has reached the end of the scope.
    """
    copy = cells[:]
    copy[RESUME] = body
    return _way_on(runner, copy, actor, cells[GUARD])


def do(runner: Runner, cells: Cells, body: int, actor: int, otherwise: int) -> int:
    """If `can_do` is true, run from block `body`. Return the block at which to continue, or
    `otherwise` if `can_do` is false."""
    way = way_into(runner, cells, body, actor)
    if way is None:
        return otherwise
    cells[:] = way.state
    if cells[SITE] >= 0:
        return HALT
    cells[RESUME] = HALT
    return way.state[RESUME]


def _way_on(runner: Runner, cells: Cells, actor: int, floor: int) -> Way | None:
    """Find a way from a running state to the horizon or to the end of its scope. The state is run in place."""
    try:
        runner.go(cells, floor)
    except Impossible:
        return None
    if _is_fine(runner.program, cells, actor):
        return Way(cells)
    return _way_from(runner, cells, 0, actor, floor, 0, Dead(runner.program.far), None)


def _way_from(
    runner: Runner,
    cells: Cells,
    before: int,
    actor: int,
    floor: int,
    tried: int,
    dead: Dead,
    deepest: Deepest | None,
) -> Way | None:
    """Find a way for the actor from an open decision to the horizon or to the end of the scope.

    So far, the search has run `before` blocks and has tried `tried` options. `dead` contains
    decisions that are known to be dead ends. If no way is found, all decisions that were reached
    are added to `dead`.
    """
    memory = runner.memory if deepest is None else None
    if memory is not None:
        try:
            return _search_way(runner, cells, before, actor, floor, tried, dead, deepest, memory)
        except _TooMuch:
            memory.forget()
    return _search_way(runner, cells, before, actor, floor, tried, dead, deepest, None)


def _search_way(
    runner: Runner,
    cells: Cells,
    before: int,
    actor: int,
    floor: int,
    tried: int,
    dead: Dead,
    deepest: Deepest | None,
    memory: Memory | None,
) -> Way | None:
    """Search as described in `_way_from`, and use and update the results in `memory`, if it is given."""
    limit, sites = runner.program.lookahead, runner.program.sites
    begun = tried
    if memory is not None:
        memory.begin()
        limit -= memory.tried
    # During the search, `dead` contains dead ends and the states on the current path.
    met: list[object] = []
    stack: list[tuple[Cells, Iterator[int], int]] = []
    state: Cells | None = cells
    step: Step | None = None
    marks: list[bytes] = []
    """The keys of decisions that were reached after the search was long enough to be remembered."""

    def finish(way: Way | None) -> Way | None:
        """Store the results for the decisions that were reached, and return `way`.

        If a way was found, the decisions are removed from `dead`.
        """
        if way is not None:
            dead.keys.difference_update(met)
        if memory is not None:
            memory.tried += tried - begun
        if memory is not None and (tried - begun > LONG or marks):
            if way is None:
                memory.dead.update(marks)
            else:
                memory.alive.update(_mark(runner, parent, floor) for parent, _, _ in stack)
            if tried - begun > LONG:
                memory.keep()
        return way

    while True:
        try:
            if state is not None:
                settled = sites[state[SITE]].settled
                # A decision known to be a dead end has no real options.
                known = runner.enumerate_offered(state) if settled else None
                if known and any(is_within(option, settled) for option in known):
                    return finish(Way(cells, step))
                key = dead.key(state)
                is_new = key not in dead.keys
                if is_new and memory is not None and (memory.is_kept or tried - begun > LONG):
                    mark = _mark(runner, state, floor)
                    if mark in memory.alive:
                        memory.keep()
                        return finish(Way(cells, step))
                    is_new = mark not in memory.dead
                    if is_new:
                        marks.append(mark)
                    else:
                        memory.keep()
                if is_new:
                    dead.keys.add(key)
                    met.append(key)
                    offered = runner.enumerate_offered(state) if known is None else known
                    stack.append((state, iter(offered), before))
            if not stack:
                return finish(None)
            parent, rest, before = stack[-1]
            option = next(rest, None)
            if option is None:
                stack.pop()
                state = None
                continue
            tried += 1
            if tried > limit:
                if memory is not None and memory.tried:
                    dead.keys.difference_update(met)
                    raise _TooMuch
                raise search_too_long(runner.program.sites[stack[0][0][SITE]].span)
            state, blocks = runner.take(parent, option, floor)
            if len(stack) == 1:
                step = Step(option, state)
        except Impossible as failure:
            state = None
            if deepest is not None:
                deepest.note(runner, before + failure.blocks, failure)
            continue
        if _is_fine(runner.program, state, actor):
            return finish(Way(cells, step))
        before += blocks


def _mark(runner: Runner, state: Any, floor: int) -> bytes:
    """Return one key for a state together with the floor of its search."""
    size: int = state[SP]
    far = runner.program.far
    near = state[:size]
    mark = blake2b(digest_size=16)
    if far and not isinstance(state, array):
        inside: Cells = near[far]
        near[far] = 0
        mark.update(array("q", inside).tobytes())
    mark.update(array("q", near).tobytes())
    mark.update(floor.to_bytes(8, "little", signed=True))
    return mark.digest()


def _is_fine(program: Program, state: Cells, actor: int) -> bool:
    """Return whether a search may stop: the scope is closed, or the state is at the horizon.

    A state without an open decision has reached the wanted Leave, HALT, or the end of the game.
    """
    return (
        state[SITE] < 0
        or state[PLAYER] != actor
        or state[BOUND] > 0
        or not program.sites[state[SITE]].search
        or program.sites[state[SITE]].always
    )

"""Counts sequences of choices ("perft"): a first check that the rules of a game are right.

A ply is an answer to a decision or to chance. A forced pass counts if the rules make it a decision.
Each result of chance is a separate branch, so a shuffle of n cards has n - 1 plies.
"""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Iterator
from functools import partial
from operator import add
from typing import Protocol, TypeAlias

import attrs

from rulewright.dsl.ir import BOUND, OVER, PLAYER
from rulewright.interpreter.matches.state import State
from rulewright.interpreter.text.faults import NO_PROGRESS, RuleFault
from rulewright.interpreter.views.compiled_game import CompiledGame

_LONGEST = 1_000  # the maximum number of decisions and results of chance in a turn
_WIDEST = 100_000  # the maximum number of different states of one depth in memory
_BYTES = 128 * 1024 * 1024
"""The maximum memory for the states of one depth, in bytes. States that need more memory are counted in batches."""
_CELL = 4  # bytes
_NOBODY = -1
Layer: TypeAlias = dict[bytes, int]
"""Different states, each with the number of sequences that lead to it."""


def perft(state: State, depth: int) -> Iterator[int]:
    """Yield the numbers of sequences of 1, 2, ... `depth` choices. The numbers end before the first 0."""
    return _counts(state, depth, partial(_choices, state.compiled))


def turns(state: State, depth: int) -> Iterator[int]:
    """Yield the numbers of sequences of choices that make 1, 2, ... `depth` turns. The numbers end before the first 0.

    A turn lasts until another player must decide or the game is over.
    """
    return _counts(state, depth, partial(_turns, state.compiled))


class Step(Protocol):
    """Continues by one ply."""

    def __call__(
        self, layer: Layer, *, last: bool, most: int | None = None
    ) -> tuple[int, Layer] | None:
        """Count the continuations of the given states. Return the count and the next states.

        After the last ply, the next states are not needed. Returns None if there are more than
        `most` next states.
        """


def _counts(state: State, depth: int, step: Step) -> Iterator[int]:
    most = max(1, _BYTES // (state.compiled.program.size * _CELL))
    layer = {} if state.over else {state.cells.tobytes(): 1}
    for ply in range(1, depth + 1):
        found = None if len(layer) > _WIDEST else step(layer, last=ply == depth, most=most)
        if found is None:
            further = depth - ply + 1
            yield from filter(None, _in_parts(step, layer, further, max(1, most // further)))
            return
        count, layer = found
        if not count:
            return
        yield count


def _in_parts(step: Step, layer: Layer, depth: int, most: int) -> list[int]:
    """Return the counts of the next `depth` plies.

    To save memory, at each depth it continues whenever there are `most` next states.
    """
    counts = [0] * depth
    following: Layer = {}
    for left, (packed, ways) in zip(reversed(range(len(layer))), layer.items(), strict=True):
        found = step({packed: ways}, last=depth == 1)
        assert found is not None
        counts[0] += found[0]
        for after, more in found[1].items():
            following[after] = following.get(after, 0) + more
        if following and (not left or len(following) >= most):
            further = _in_parts(step, following, depth - 1, most)
            counts[1:] = map(add, counts[1:], further)
            following = {}
    return counts


def _choices(
    compiled: CompiledGame, layer: Layer, *, last: bool, most: int | None = None
) -> tuple[int, Layer] | None:
    """Continue by one ply, where a ply is an answer."""
    options, advance = compiled.options, compiled.engine.advance
    count = 0
    following: Layer = {}
    for packed, ways in layer.items():
        cells = array("i", packed)
        offered = options(cells)
        count += ways * len(offered)
        if last:
            continue
        for option in offered:
            after = cells[:]
            advance(after, option)
            if not after[OVER]:
                key = after.tobytes()
                following[key] = following.get(key, 0) + ways
        if most is not None and len(following) > most:
            return None
    return count, following


def _turns(
    compiled: CompiledGame, layer: Layer, *, last: bool, most: int | None = None
) -> tuple[int, Layer] | None:
    """Continue by one ply, where a ply is a turn."""
    begun = {(packed, _NOBODY): ways for packed, ways in layer.items()}
    count, following = 0, Layer()
    for _ in range(_LONGEST):
        if not begun:
            return count, following
        later: dict[tuple[bytes, int], int] = {}
        for (packed, player), ways in begun.items():
            cells = array("i", packed)
            player_to_move = player if cells[BOUND] else cells[PLAYER]
            for option in compiled.options(cells):
                after = cells[:]
                compiled.engine.advance(after, option)
                if after[OVER]:
                    count += ways
                elif (
                    not after[BOUND]
                    and player_to_move != _NOBODY
                    and after[PLAYER] != player_to_move
                ):
                    count += ways
                    if not last:
                        key = after.tobytes()
                        following[key] = following.get(key, 0) + ways
                else:
                    key = after.tobytes()
                    later[key, player_to_move] = later.get((key, player_to_move), 0) + ways
            if most is not None and len(following) + len(later) > most:
                return None
        begun = later
    raise RuleFault(NO_PROGRESS, f"a turn is not over after {_LONGEST} decisions", None)


def divide(state: State, depth: int) -> Iterator[tuple[str, int]]:
    """Yield each first choice with the number of sequences of `depth` choices that begin with it."""
    for option in () if state.over else state.option_ids:
        cells = state.cells[:]
        state.compiled.engine.advance(cells, option)
        name = state.compiled.option_name(state.cells, option)
        if depth == 1:
            yield name, 1
            continue
        after = state.with_cells(cells)
        counts = tuple(perft(after, depth - 1)) if not cells[OVER] else ()
        yield name, counts[-1] if counts and len(counts) == depth - 1 else 0


@attrs.frozen
class Tree:
    """The numbers of all histories of a game. `results` counts the ends by their winners."""

    chance: int
    decisions: int
    ends: int
    results: tuple[tuple[tuple[int, ...], int], ...]

    @property
    def histories(self) -> int:
        """Return the number of all histories."""
        return self.chance + self.decisions + self.ends


def count_tree(state: State) -> Tree:
    """Count all histories that continue from a state. This works only for small games."""
    nodes: Counter[str] = Counter()
    results: Counter[tuple[int, ...]] = Counter()
    compiled = state.compiled
    waiting = [state.cells]
    while waiting:
        cells = waiting.pop()
        if cells[OVER]:
            nodes["end"] += 1
            results[compiled.winners(cells)] += 1
            continue
        nodes["chance" if cells[BOUND] else "decision"] += 1
        for option in compiled.options(cells):
            after = cells[:]
            compiled.engine.advance(after, option)
            waiting.append(after)
    return Tree(nodes["chance"], nodes["decision"], nodes["end"], tuple(sorted(results.items())))


def information_sets(state: State) -> dict[int, dict[str, int]]:
    """Return, for each player, the information sets of a tree, each with the number of its histories.

    This works only for small games. The state must have been started with `chance="manual"` and
    `remember=True`.
    """
    found: dict[int, Counter[str]] = {}
    waiting = [state]
    while waiting:
        at = waiting.pop()
        if at.over:
            continue
        player = at.cells[PLAYER]
        if not at.at_chance:
            found.setdefault(player, Counter())[at.information(player)] += 1
        waiting.extend(at.take(option) for option in at.option_ids)
    return {player: dict(sets) for player, sets in sorted(found.items())}

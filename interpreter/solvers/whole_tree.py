"""Writes the whole tree of a game, with the information sets of all seats, into arrays that solvers read.

Seats have perfect recall of their views, their log lines, their own choices, and those choices of
other seats that they may know.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterator
from typing import TypeAlias

import attrs

from rulewright.interpreter.engines.kernels.game_tree import CHANCE, END, GameTree
from rulewright.interpreter.knowledge.information_set import new_lines
from rulewright.interpreter.knowledge.observers import observer_of
from rulewright.interpreter.matches.game import first_state
from rulewright.interpreter.matches.returns import Reward
from rulewright.interpreter.matches.state import START, State
from rulewright.interpreter.text.errors import RequestError
from rulewright.interpreter.views.compiled_game import CompiledGame

MOST = 1_000_000
"""The maximum number of nodes of a tree."""


class TooLargeError(RequestError):
    """Raised if a game is too large to be solved."""


@attrs.define(eq=False)
class WholeTree:
    """A tree, and the meaning of its numbers."""

    tree: GameTree
    knowledge: dict[tuple[object, ...], int]
    """The number of each state of knowledge of a seat.

    The key contains the previous knowledge, the observation, and the log lines of the step.
    """
    sets: dict[tuple[int, int], int]
    """The information sets, keyed by the seat and its knowledge."""
    looks: dict[tuple[int, bytes], list[int]]
    """The information sets of each seat, keyed by the seat and its observation."""
    options: list[tuple[int, ...]]
    """The options of each information set, in the order of its slots."""

    def set_of(self, state: State) -> int | None:
        """Return the information set of the open decision. If the tree does not contain it, return None.

        If the state does not remember its past, the set is found by the observation, provided that
        only one set has it.
        """
        way = [*state.past, state]
        if way[0].choice != START[1]:
            seen = observer_of(state.compiled).observe(state.cells, state.player).tobytes()
            same_looks = self.looks.get((state.player, seen), [])
            return same_looks[0] if len(same_looks) == 1 else None
        compiled, seat = state.compiled, state.player
        observe = observer_of(compiled).observe
        before, at, known = None, first_state(compiled, 0, "manual", False), -1
        steps = [step for one in way for step in _steps(one)]
        for number in range(len(steps) + 1):
            key = _step(before, at, seat, known, observe(at.cells, seat).tobytes())
            found = self.knowledge.get(key)
            if found is None:
                return None
            known = found
            if number < len(steps):
                before, at = at, at.take(steps[number])
        return self.sets.get((seat, known))


def _steps(state: State) -> Iterator[int]:
    """Yield the choice and the results of chance that led from the previous state to this state."""
    if state.choice >= 0:
        yield state.choice
    if state.terms.manual:
        return  # each result of chance is a separate step
    for drawn in state.drawn:
        yield drawn.result


def _step(
    before: State | None, after: State, seat: int, known: int, seen: bytes
) -> tuple[object, ...]:
    """Return the knowledge of a seat after a step, as a key."""
    lines = (
        tuple(new_lines(before, after, seat))
        if before is not None
        else tuple(line.text for line in after.log if line.is_for(seat))
    )
    return seat, known, seen, lines


def whole_tree(compiled: CompiledGame, reward: Reward = "wins", most: int = MOST) -> WholeTree:
    """Write the tree of a game. Raises `TooLargeError` if it has more than `most` nodes."""
    writer = TreeWriter(compiled, lambda state: state.returns(reward), most)
    writer.go_on(most + 1)
    return writer.whole


_Waiting: TypeAlias = (
    "tuple[State | None, State, tuple[int, ...], tuple[int, ...], int, int, float]"
)
"""A state that waits to be written, with the previous state.

The next two entries are the knowledge and the number of earlier decisions of each seat. The last
three are the parent node, and the slot and the probability that lead from the parent to the state.
"""


class TreeWriter:
    """Writes the tree of a game, either completely or in batches of nodes."""

    def __init__(
        self, compiled: CompiledGame, worth: Callable[[State], list[float]], most: int = MOST
    ) -> None:
        self.seats = compiled.program.seats
        self.whole = WholeTree(GameTree(self.seats), {}, {}, {}, [])
        self._worth, self._most = worth, most
        self._observe = observer_of(compiled).observe
        start = first_state(compiled, 0, "manual", False)
        nobody = (-1,) * self.seats
        self._waiting: list[_Waiting] = [(None, start, nobody, nobody, -1, -1, 1.0)]
        self._rows: list[list[int]] = []
        self.is_whole = False

    @property
    def tree(self) -> GameTree:
        """Return the tree so far."""
        return self.whole.tree

    def go_on(self, nodes: int) -> bool:
        """Write `nodes` more nodes, parents before children. Return whether the tree is now complete.

        Raises `TooLargeError` if the tree has too many nodes.
        """
        for _ in range(nodes):
            if not self._waiting:
                break
            self._write(*self._waiting.pop())
        if not self._waiting and not self.is_whole:
            self._finish()
            self.is_whole = True
        return self.is_whole

    def _write(
        self,
        before: State | None,
        state: State,
        known: tuple[int, ...],
        made: tuple[int, ...],
        parent: int,
        edge: int,
        chance: float,
    ) -> None:
        t, node = self.tree, len(self._rows)
        if node == self._most:
            raise TooLargeError(f"the tree of the game has more than {self._most} nodes")
        known = self._knowledge_after(before, state, known)
        self._rows.append([])
        if parent >= 0:
            self._rows[parent].append(node)
        t.parent.append(parent)
        t.edge.append(edge)
        t.chance.append(chance)
        if state.over:
            self._node(END, -1, self._worth(state))
            return
        self._node(*self._decision(state, known, made), [0.0] * self.seats)
        offered = state.option_ids
        slot = -1 if state.at_chance else t.begin[t.info[node]]
        part = 1 / len(offered) if state.at_chance else 1.0
        if not state.at_chance:
            made = tuple(n + (seat == state.player) for seat, n in enumerate(made))
        # Children are pushed in reverse, so that they are popped in the order of their slots.
        for place in reversed(range(len(offered))):
            after = state.take(offered[place])
            to = slot + place if slot >= 0 else -1
            self._waiting.append((state, after, known, made, node, to, part))

    def _node(self, player: int, info: int, worth: list[float]) -> None:
        self.tree.player.append(player)
        self.tree.info.append(info)
        self.tree.worth.extend(worth)

    def _knowledge_after(
        self, before: State | None, state: State, known: tuple[int, ...]
    ) -> tuple[int, ...]:
        knowledge = self.whole.knowledge
        found = []
        for seat in range(self.seats):
            seen = self._observe(state.cells, seat).tobytes()
            key = _step(before, state, seat, known[seat], seen)
            found.append(knowledge.setdefault(key, len(knowledge)))
        return tuple(found)

    def _decision(
        self, state: State, known: tuple[int, ...], made: tuple[int, ...]
    ) -> tuple[int, int]:
        """Return the seat that decides, and its information set."""
        if state.at_chance:
            return CHANCE, -1
        t, seat = self.tree, state.player
        sets, options = self.whole.sets, self.whole.options
        info = sets.setdefault((seat, known[seat]), len(sets))
        if info == len(options):
            offered = tuple(state.option_ids)
            options.append(offered)
            seen = self._observe(state.cells, seat).tobytes()
            self.whole.looks.setdefault((seat, seen), []).append(info)
            t.owner.append(seat)
            t.level.append(made[seat] + 1)
            t.begin.append(t.slots)
            t.size.append(len(offered))
            t.slots += len(offered)
            t.width = max(t.width, len(offered))
        return seat, info

    def _finish(self) -> None:
        t = self.tree
        for row in self._rows:
            t.first.append(len(t.children))
            t.count.append(len(row))
            t.children.extend(row)
        t.nodes, t.sets = len(t.player), len(t.owner)
        t.levels = max(t.level, default=0) + 1
        self.whole.tree = with_new_sums(t)


def with_new_sums(t: GameTree) -> GameTree:
    """Return the same tree with separate sums, all 0, for a new solver."""
    found = attrs.evolve(t, rounds=0)
    for name in ("regrets", "often", "strategy", "gains", "worths"):
        setattr(found, name, _zeros(t.slots))
    for name in ("mine", "others", "value"):
        setattr(found, name, _zeros(t.nodes))
    for name in ("chosen", "met"):
        setattr(found, name, array("i", bytes(4 * t.sets)))
    found.tried = _zeros(t.width * (t.levels + 1))
    return found


def _zeros(count: int) -> array[float]:
    return array("d", bytes(8 * count))

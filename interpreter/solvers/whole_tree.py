"""The whole tree of a game, with the information sets of all seats, in arrays that solvers read.

A seat remembers everything: its views, the log lines for it, and its own choices and those that it may know.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator
from typing import TypeAlias

import attrs

from rulewright.interpreter.engines.kernels.game_tree import CHANCE, END, GameTree
from rulewright.interpreter.knowledge.information_set import told
from rulewright.interpreter.knowledge.observers import observer_of
from rulewright.interpreter.matches.game import first_state
from rulewright.interpreter.matches.returns import Reward
from rulewright.interpreter.matches.state import START, State
from rulewright.interpreter.text.errors import RequestError
from rulewright.interpreter.views.compiled_game import CompiledGame

MOST = 1_000_000
"""How many nodes a tree has at most."""


class TooLargeError(RequestError):
    """A game that is too large to be solved."""


@attrs.frozen(eq=False)
class WholeTree:
    """A tree, and what its numbers mean."""

    tree: GameTree
    knowledge: dict[tuple[object, ...], int]
    """The knowledge of a seat as a number: by that before the step, the observation, and the log lines of the step."""
    sets: dict[tuple[int, int], int]
    """The information set of a seat with some knowledge."""
    options: list[tuple[int, ...]]
    """The options of each information set, in the order of its slots."""

    def set_of(self, state: State) -> int | None:
        """The information set of the open decision; None if it is not known how the match came there."""
        way = [*state.past, state]
        if way[0].choice != START[1]:
            return None
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
    """The choice and the results of chance that led to a state from the one before it."""
    if state.choice >= 0:
        yield state.choice
    for drawn in state.drawn:
        yield drawn.result


def _step(
    before: State | None, after: State, seat: int, known: int, seen: bytes
) -> tuple[object, ...]:
    """The knowledge of a seat after a step, as a key."""
    lines = (
        tuple(told(before, after, seat))
        if before is not None
        else tuple(line.text for line in after.log if line.is_for(seat))
    )
    return seat, known, seen, lines


def whole_tree(compiled: CompiledGame, reward: Reward = "wins", most: int = MOST) -> WholeTree:
    """The tree of a game, by its first decision; raises `TooLargeError` if it has more than so many nodes."""
    return _Writer(compiled, reward, most).write()


_Waiting: TypeAlias = (
    "tuple[State | None, State, tuple[int, ...], tuple[int, ...], int, int, float]"
)
"""A state after another one, with what each seat knew and how often it decided before, the node before, the slot and
the probability that lead to it."""


class _Writer:
    def __init__(self, compiled: CompiledGame, reward: Reward, most: int) -> None:
        self.compiled, self.most = compiled, most
        self.reward: Reward = reward
        self.seats = compiled.program.seats
        self.tree = GameTree(self.seats)
        self.whole = WholeTree(self.tree, {}, {}, [])
        self.observe = observer_of(compiled).observe

    def write(self) -> WholeTree:
        """Go through the game, a node before those after it."""
        t = self.tree
        start = first_state(self.compiled, 0, "manual", False)
        nobody = (-1,) * self.seats
        waiting: list[_Waiting] = [(None, start, nobody, nobody, -1, -1, 1.0)]
        rows: list[list[int]] = []
        while waiting:
            before, state, known, made, parent, edge, chance = waiting.pop()
            node = len(t.player)
            if node == self.most:
                raise TooLargeError(f"the tree of the game has more than {self.most} nodes")
            known = self._known(before, state, known)
            rows.append([])
            if parent >= 0:
                rows[parent].append(node)
            t.parent.append(parent)
            t.edge.append(edge)
            t.chance.append(chance)
            if state.over:
                self._node(END, -1, state.returns(self.reward))
                continue
            self._node(*self._decision(state, known, made), [0.0] * self.seats)
            offered = state.option_ids
            slot = -1 if state.at_chance else t.begin[t.info[node]]
            part = 1 / len(offered) if state.at_chance else 1.0
            if not state.at_chance:
                made = tuple(n + (seat == state.player) for seat, n in enumerate(made))
            # The last is taken first: so children are in the order of their slots.
            for place in reversed(range(len(offered))):
                after = state.take(offered[place])
                to = slot + place if slot >= 0 else -1
                waiting.append((state, after, known, made, node, to, part))
        for row in rows:
            t.first.append(len(t.children))
            t.count.append(len(row))
            t.children.extend(row)
        self._finish()
        return self.whole

    def _node(self, player: int, info: int, worth: list[float]) -> None:
        self.tree.player.append(player)
        self.tree.info.append(info)
        self.tree.worth.extend(worth)

    def _known(self, before: State | None, state: State, known: tuple[int, ...]) -> tuple[int, ...]:
        knowledge = self.whole.knowledge
        found = []
        for seat in range(self.seats):
            seen = self.observe(state.cells, seat).tobytes()
            key = _step(before, state, seat, known[seat], seen)
            found.append(knowledge.setdefault(key, len(knowledge)))
        return tuple(found)

    def _decision(
        self, state: State, known: tuple[int, ...], made: tuple[int, ...]
    ) -> tuple[int, int]:
        """The seat that decides, and the information set."""
        if state.at_chance:
            return CHANCE, -1
        t, seat = self.tree, state.player
        sets, options = self.whole.sets, self.whole.options
        info = sets.setdefault((seat, known[seat]), len(sets))
        if info == len(options):
            offered = tuple(state.option_ids)
            options.append(offered)
            t.owner.append(seat)
            t.level.append(made[seat] + 1)
            t.begin.append(t.slots)
            t.size.append(len(offered))
            t.slots += len(offered)
            t.width = max(t.width, len(offered))
        return seat, info

    def _finish(self) -> None:
        t = self.tree
        t.nodes, t.sets = len(t.player), len(t.owner)
        t.levels = max(t.level, default=0) + 1
        t.chosen = array("i", bytes(4 * t.sets))
        for name in ("regrets", "often", "strategy", "gains"):
            setattr(t, name, array("d", bytes(8 * t.slots)))
        for name in ("mine", "others", "value"):
            setattr(t, name, array("d", bytes(8 * t.nodes)))
        t.tried = array("d", bytes(8 * t.width * (t.levels + 1)))

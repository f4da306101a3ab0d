"""Games for OpenSpiel: `import rulewright.adapters.openspiel` registers them. Needs the extra `openspiel`.

After it `pyspiel.load_game("rulewright(game=kuhn_poker,reward=points)")` is a game as any other: chance is explicit,
and what a player knows is what the rules say.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

from rulewright.adapters.extras import missing
from rulewright.adapters.table import Table
from rulewright.interpreter.knowledge.information_set import added, begun
from rulewright.interpreter.matches.state import State
from rulewright.interpreter.views.view import as_text

try:
    import numpy as np
    import pyspiel
except ImportError as wrong:
    raise missing("a game of OpenSpiel", "openspiel", wrong) from wrong

NAME = "rulewright"
_LONGEST = 10_000
_MOST_POINTS = 1_000_000.0
_RESULTS = 1000
_DEFAULTS = {
    "game": "connect_four",
    "players": -1,
    "options": "",
    "engine": "python",
    "reward": "wins",
    "keep": False,
}
"""`players` -1: as many as are usual; `options`: `name=value;name=value`; `keep`: states once reached are kept."""

_TYPE = pyspiel.GameType(
    short_name=NAME,
    long_name="A game whose rules are a text of Rulewright",
    dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
    chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
    information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
    utility=pyspiel.GameType.Utility.ZERO_SUM,
    reward_model=pyspiel.GameType.RewardModel.TERMINAL,
    max_num_players=10,
    min_num_players=1,
    provides_information_state_string=True,
    provides_information_state_tensor=False,
    provides_observation_string=True,
    provides_observation_tensor=True,
    parameter_specification=_DEFAULTS,
    default_loadable=True,
)


class RulewrightGame(pyspiel.Game):  # type: ignore[misc]  # the library has no types
    """A game with so many players and these options."""

    def __init__(self, params: Mapping[str, Any] | None = None) -> None:
        given = {**_DEFAULTS, **(params or {})}
        self.given = dict(params or {})
        players = None if given["players"] == -1 else int(given["players"])
        pairs = [pair.partition("=") for pair in str(given["options"]).split(";") if pair]
        options = {name: value for name, _, value in pairs}
        self.table = Table.of(
            str(given["game"]), players, options, given["engine"], given["reward"]
        )
        self.keeps = bool(given["keep"])
        self._root: _Node | None = None
        program = self.table.compiled.program
        worth = 1.0 if self.table.reward == "wins" else _MOST_POINTS
        info = pyspiel.GameInfo(
            num_distinct_actions=len(self.table.actions),
            max_chance_outcomes=_most_results(self.table),
            num_players=program.seats,
            min_utility=-worth,
            max_utility=worth,
            utility_sum=0.0,
            max_game_length=_LONGEST,
        )
        super().__init__(_TYPE, info, self.given)

    def new_initial_state(self) -> RulewrightState:
        """The first decision or chance."""
        if self._root is None or not self.keeps:
            self._root = _Node(_Shared(self), self.first())
        return RulewrightState(self, self._root)

    def first(self) -> State:
        """The state with which plays begin."""
        return self.table.start(0, manual=True, remember=True)

    def make_py_observer(
        self, iig_obs_type: Any = None, params: Mapping[str, Any] | None = None
    ) -> RulewrightObserver:
        """The observer of the game: observations as numbers and as text."""
        return RulewrightObserver(self.table, iig_obs_type)


class _Node:
    """A state with the one before it, and those after it that were reached already."""

    __slots__ = ("after", "before", "legal", "shared", "state", "texts", "told")

    def __init__(self, shared: _Shared, state: State, before: _Node | None = None) -> None:
        self.shared = shared
        self.state = state
        self.before = before
        self.after: dict[int, _Node] = {}
        self.legal: list[int] | None = None
        self.texts: dict[int, str] = {}
        self.told: dict[int, tuple[list[str], str]] = {}
        """For each seat what this state adds to what it knows, and what it sees."""

    def known(self, seat: int) -> str:
        """All that a seat has seen and done."""
        way: list[_Node] = []
        node: _Node | None = self
        while node is not None:
            way.append(node)
            node = node.before
        parts: list[str] = []
        for one in reversed(way):
            if seat not in one.told:
                before = one.before
                one.told[seat] = (
                    begun(one.state, seat)
                    if before is None
                    else added(before.state, one.state, seat, before.told[seat][1])
                )
            parts += one.told[seat][0]
        return "\n".join(parts)

    def __deepcopy__(self, memo: object) -> _Node:
        # A clone of a state shares what never changes.
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        choices = tuple(state.choice for state in (*self.state.past[1:], self.state))
        return _again, (self.shared, choices if self.state.past else ())


class _Shared:
    """A game that clones of a state share."""

    def __init__(self, game: RulewrightGame) -> None:
        self.game = game

    def __deepcopy__(self, memo: object) -> _Shared:
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        return _shared, (tuple(sorted(self.game.given.items())),)


@cache
def _shared(given: tuple[tuple[str, Any], ...]) -> _Shared:
    return _Shared(RulewrightGame(dict(given)))


def _again(shared: _Shared, choices: Sequence[int]) -> _Node:
    """The state after these choices and results of chance."""
    node = _Node(shared, shared.game.first())
    for choice in choices:
        node = _Node(shared, node.state.take(choice), node)
    return node


class RulewrightState(pyspiel.State):  # type: ignore[misc]  # the library has no types
    """A state of a play."""

    def __init__(self, game: RulewrightGame, node: _Node) -> None:
        super().__init__(game)
        self._node = node

    @property
    def _table(self) -> Table:
        return self._node.shared.game.table

    @property
    def _keeps(self) -> bool:
        return self._node.shared.game.keeps

    @property
    def rules_state(self) -> State:
        """The state as Rulewright knows it."""
        return self._node.state

    def current_player(self) -> int:
        """Whose turn it is."""
        state = self._node.state
        if state.over:
            return int(pyspiel.PlayerId.TERMINAL)
        return int(pyspiel.PlayerId.CHANCE) if state.at_chance else state.player

    def _legal_actions(self, player: int) -> list[int]:
        node = self._node
        if node.state.over or node.state.at_chance or player != node.state.player:
            return []
        if node.legal is None:
            node.legal = sorted(self._table.actions.offered(node.state))
        return node.legal

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """The results of chance, each equally likely."""
        results = self._node.state.option_ids
        return [(result, 1 / len(results)) for result in results]

    def _apply_action(self, action: int) -> None:
        node = self._node
        after = node.after.get(action)
        if after is None:
            state = node.state
            option = action if state.at_chance else self._table.actions.option(state, action)
            after = _Node(node.shared, state.take(option), node)
            if self._keeps:
                node.after[action] = after
        self._node = after

    def _action_to_string(self, player: int, action: int) -> str:
        state, actions = self._node.state, self._table.actions
        option = action if state.at_chance else actions.option(state, action)
        if player != pyspiel.PlayerId.CHANCE and option not in state.option_ids:
            return actions.words(action)
        # Results may have the same name (faces of a die), and so may options: the second is `name#2`.
        words = [state.compiled.option_name(state.cells, one) for one in state.option_ids]
        words = [word.partition("#")[0] for word in words]
        place = state.option_ids.index(option)
        same = words[:place].count(words[place])
        text = words[place] if state.at_chance else actions.words(action)
        return f"{text}#{same + 1}" if same else text

    def is_terminal(self) -> bool:
        """Whether the play has ended."""
        return self._node.state.over

    def returns(self) -> list[float]:
        """The returns of the match, by player."""
        return self._table.returns(self._node.state)

    def information_state_string(self, player: int | None = None) -> str:
        """All that a player has seen and done."""
        seat = self.current_player() if player is None else player
        node = self._node
        if not self._keeps:
            return node.known(seat)
        known = node.texts.get(seat)
        if known is None:
            known = node.texts[seat] = node.known(seat)
        return known

    def observation_string(self, player: int | None = None) -> str:
        """The view of a player, as text."""
        seat = self.current_player() if player is None else player
        return as_text(self._node.state.view(seat))

    def __str__(self) -> str:
        return json.dumps([self._node.state.cells.tolist(), self.history()])


class RulewrightObserver:
    """Fills a tensor with what a player may know."""

    def __init__(self, table: Table, sort: Any) -> None:
        self._table = table
        self._perfect_recall = sort is not None and sort.perfect_recall
        self.tensor = np.zeros(table.observer.size, np.float32)
        self.dict = {"observation": self.tensor}

    def set_from(self, state: RulewrightState, player: int) -> None:
        """Look at a state."""
        seen = self._table.observer.observe(state.rules_state.cells, player)
        self.tensor[:] = np.asarray(seen, dtype=np.float32)

    def string_from(self, state: RulewrightState, player: int) -> str:
        """The information state or the observation of a player, as text."""
        if self._perfect_recall:
            return state.information_state_string(player)
        return state.observation_string(player)


def _most_results(table: Table) -> int:
    """At least as many results as any chance of a game has."""
    program = table.compiled.program
    return max(_RESULTS, program.links.pieces, *(len(domain.names) for domain in program.domains))


pyspiel.register_game(_TYPE, RulewrightGame)

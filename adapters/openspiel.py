"""Games for OpenSpiel, which `import rulewright.adapters.openspiel` registers. Needs the extra `openspiel`.

After this import, `pyspiel.load_game("rulewright(game=kuhn_poker,reward=points)")` loads a game in the
usual way: chance is explicit, and players see only their information. `game_string` writes such texts with
players and options.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import cache, lru_cache
from pickle import PicklingError
from typing import Any

from rulewright.adapters.extras import missing
from rulewright.adapters.resampling import resample_history
from rulewright.adapters.setting_text import options_of, options_text, plain, plain_again
from rulewright.adapters.table import Table
from rulewright.interpreter.engines.chance import Generator
from rulewright.interpreter.engines.engines import EngineName
from rulewright.interpreter.knowledge.information_set import Seen, added_knowledge, first_knowledge
from rulewright.interpreter.matches.library import shipped_games
from rulewright.interpreter.matches.returns import Reward, sides_of
from rulewright.interpreter.matches.state import NO_WAY, State
from rulewright.interpreter.text.errors import WrongArgumentError
from rulewright.interpreter.views.view import ALL_SEEING, as_text

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
"""The default parameters of a game.

For `players`, -1 means the usual number; `options` is written as `name:value;name:value`; with `keep`,
states that were reached stay in memory.
"""

_Type = pyspiel.GameType
_SEEDS = 2**31
_KEPT = 32
"""The maximum number of settings of shipped games that are cached."""


def _type(
    chance: Any = _Type.ChanceMode.EXPLICIT_STOCHASTIC,
    information: Any = _Type.Information.IMPERFECT_INFORMATION,
    utility: Any = _Type.Utility.GENERAL_SUM,
) -> Any:
    return _Type(
        short_name=NAME,
        long_name="A game whose rules are a text of Rulewright",
        dynamics=_Type.Dynamics.SEQUENTIAL,
        chance_mode=chance,
        information=information,
        utility=utility,
        reward_model=_Type.RewardModel.TERMINAL,
        max_num_players=10,
        min_num_players=1,
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification=_DEFAULTS,
        default_loadable=True,
    )


def _type_of(table: Table) -> Any:
    """Return the type of one variant: whether it has chance and secrets, and whether the returns always
    have the same sum.
    """
    compiled = table.compiled
    modes, kinds, sums = _Type.ChanceMode, _Type.Information, _Type.Utility
    utility = sums.ZERO_SUM
    if len({*sides_of(compiled)}) == 1:
        is_shared = compiled.program.seats > 1 and table.reward == "wins"
        utility = sums.IDENTICAL if is_shared else sums.GENERAL_SUM
    return _type(
        modes.EXPLICIT_STOCHASTIC if compiled.program.chances else modes.DETERMINISTIC,
        kinds.PERFECT_INFORMATION if compiled.viewer.is_open else kinds.IMPERFECT_INFORMATION,
        utility,
    )


def game_string(
    game: str,
    players: int | None = None,
    options: Mapping[str, str] | None = None,
    *,
    reward: Reward = "wins",
    engine: EngineName = "python",
    keep: bool = False,
) -> str:
    """Write the text with which `pyspiel.load_game` loads a game with these settings."""
    given: dict[str, Any] = {"game": plain(game)}
    if players is not None:
        given["players"] = players
    if options:
        given["options"] = options_text(options)
    others = {"reward": reward, "engine": engine, "keep": keep}
    given |= {name: value for name, value in others.items() if value != _DEFAULTS[name]}
    return f"{NAME}({','.join(f'{name}={value}' for name, value in given.items())})"


class RulewrightGame(pyspiel.Game):  # type: ignore[misc]  # the library has no types
    """A game with this many players and these options."""

    def __init__(self, params: Mapping[str, Any] | None = None) -> None:
        given = {**_DEFAULTS, **(params or {})}
        self.given = dict(params or {})
        players = None if given["players"] == -1 else int(given["players"])
        name = plain_again(str(given["game"]))
        options = options_of(str(given["options"]))
        self.table = _table(name, players, options, given["engine"], given["reward"])
        # The settings become a text that names the game, so the path must have no special characters.
        self.given |= {"game": plain(name)} if "game" in self.given else {}
        self.given |= {"options": options_text(options)} if options else {}
        self.keeps = bool(given["keep"])
        self._root: _Node | None = None
        program = self.table.compiled.program
        kind = _type_of(self.table)
        self.is_open = kind.information == _Type.Information.PERFECT_INFORMATION
        worth = 1.0 if self.table.reward == "wins" else _MOST_POINTS
        info = pyspiel.GameInfo(
            num_distinct_actions=len(self.table.actions),
            max_chance_outcomes=_most_results(self.table),
            num_players=program.seats,
            min_utility=-worth,
            max_utility=worth,
            utility_sum=0.0 if kind.utility == _Type.Utility.ZERO_SUM else None,
            max_game_length=_LONGEST,
        )
        super().__init__(kind, info, self.given)

    def new_initial_state(self) -> RulewrightState:
        """Return the first decision or chance event."""
        if self._root is None or not self.keeps:
            self._root = _Node(_Shared(self), self.first())
        return RulewrightState(self, self._root)

    def first(self) -> State:
        """Return the state at the start of a match."""
        return self.table.start(0, manual=True, remember=True)

    def make_py_observer(
        self, iig_obs_type: Any = None, params: Mapping[str, Any] | None = None
    ) -> RulewrightObserver:
        """Return the observer of the game, which gives observations as numbers and as text."""
        return RulewrightObserver(self.table, iig_obs_type)


def _table(name: str, players: int | None, options: Mapping[str, str], *rest: Any) -> Table:
    """Return the table for these settings. It is cached for a shipped game, because the rules of such a
    game do not change.
    """
    if name not in shipped_games():
        return Table.of(name, players, options, *rest)
    return _cached_table(name, players, tuple(sorted(options.items())), *rest)


@lru_cache(maxsize=_KEPT)
def _cached_table(
    name: str, players: int | None, options: tuple[tuple[str, str], ...], *rest: Any
) -> Table:
    return Table.of(name, players, dict(options), *rest)


class _Node:
    """A state, its predecessor, and the successors reached so far."""

    __slots__ = ("after", "before", "legal", "names", "seen_lines", "shared", "state", "texts")

    def __init__(self, shared: _Shared, state: State, before: _Node | None = None) -> None:
        self.shared = shared
        self.state = state
        self.before = before
        self.after: dict[int, _Node] = {}
        self.legal: list[int] | None = None
        self.names: dict[int, tuple[str, int]] | None = None
        self.texts: dict[int, str] = {}
        self.seen_lines: dict[int, tuple[list[str], Seen]] = {}
        """For each seat, the lines that this state adds to the knowledge of the seat, and the seat's view."""

    def information_state(self, seat: int) -> str:
        """Return everything that a seat has seen and done.

        The text is stored only at the latest node for which it was computed, or, if the game keeps its
        states, at each such node.
        """
        way: list[_Node] = []
        node: _Node | None = self
        while node is not None and seat not in node.texts:
            way.append(node)
            node = node.before
        if node is self:
            return self.texts[seat]
        parts = [] if node is None else [node.texts[seat]]
        for one in reversed(way):
            if seat not in one.seen_lines:
                before = one.before
                one.seen_lines[seat] = (
                    first_knowledge(one.state, seat)
                    if before is None
                    else added_knowledge(before.state, one.state, seat, before.seen_lines[seat][1])
                )
            parts += one.seen_lines[seat][0]
        if node is not None and not self.shared.game.keeps:
            node.texts.pop(seat, None)
        found = self.texts[seat] = "\n".join(parts)
        return found

    def __deepcopy__(self, memo: object) -> _Node:
        # Clones of a state share its constant parts.
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        if self.state.choice == NO_WAY:
            raise PicklingError("a resampled position cannot be saved, because it has no history")
        choices = tuple(state.choice for state in (*self.state.past[1:], self.state))
        return _again, (self.shared, choices if self.state.past else ())


class _Shared:
    """A game that the clones of a state share."""

    def __init__(self, game: RulewrightGame) -> None:
        self.game = game

    def __deepcopy__(self, memo: object) -> _Shared:
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        return _shared_game, (tuple(sorted(self.game.given.items())),)


@cache
def _shared_game(given: tuple[tuple[str, Any], ...]) -> _Shared:
    return _Shared(RulewrightGame(dict(given)))


def _again(shared: _Shared, choices: Sequence[int]) -> _Node:
    """Return the state after these choices and results of chance."""
    node = _Node(shared, shared.game.first())
    for choice in choices:
        node = _Node(shared, node.state.take(choice), node)
    return node


class RulewrightState(pyspiel.State):  # type: ignore[misc]  # the library has no types
    """A state of a match."""

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
        """The underlying `State` of Rulewright."""
        return self._node.state

    def current_player(self) -> int:
        """Return the player whose turn it is."""
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
        """Return the results of chance with their probabilities, which are all equal."""
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
        node, actions = self._node, self._table.actions
        state = node.state
        option = action if state.at_chance else actions.option(state, action)
        if player != pyspiel.PlayerId.CHANCE and option not in state.option_ids:
            return actions.words(action)
        if node.names is None:
            node.names = _names(state)
        name, same = node.names[option]
        text = name if state.at_chance else actions.words(action)
        return f"{text}#{same + 1}" if same else text

    def is_terminal(self) -> bool:
        """Return whether the match has ended."""
        return self._node.state.over

    def returns(self) -> list[float]:
        """Return the return of each player."""
        return self._table.returns(self._node.state)

    def information_state_string(self, player: int | None = None) -> str:
        """Describe everything that a player has seen and done."""
        seat = self.current_player() if player is None else player
        return self._node.information_state(seat)

    def observation_string(self, player: int | None = None) -> str:
        """Describe the view of a player as text."""
        seat = self.current_player() if player is None else player
        return as_text(self._node.state.view(seat))

    def resample_from_infostate(
        self, player: int, probability_sampler: Callable[[], float]
    ) -> RulewrightState:
        """Draw a random state that a player cannot tell from this state.

        The new state has its own history if one is found (see `resampling.py`). Otherwise only the position
        differs. In this case the new state cannot be saved, and the other players know only the things that
        they see in it.
        """
        generator = Generator.seeded(int(probability_sampler() * _SEEDS))
        way = resample_history(self._node.state, player, generator)
        if way is not None:
            return self._along(way)
        found: RulewrightState = self.clone()
        guess = self._node.state.sample(player, generator.below(_SEEDS))
        found._node = _Node(self._node.shared, guess)
        known = self._node.information_state(player)
        found._node.seen_lines[player] = [known], self._node.seen_lines[player][1]
        return found

    def _along(self, way: Sequence[State]) -> RulewrightState:
        """Return the last of these consecutive states, with the other states as its history."""
        actions, shared = self._table.actions, self._node.shared
        node = _Node(shared, way[0])
        found = RulewrightState(shared.game, node)
        for state in way[1:]:
            before, choice = node.state, state.choice
            action = choice if before.at_chance else actions.number(before, choice)
            node = node.after[action] = _Node(shared, state, node)
            found.apply_action(action)
        return found

    def __str__(self) -> str:
        """Describe the position as a viewer of everything sees it, with a digest of the whole state.

        If something is hidden, the history is included, because the memory of the players is part of the
        state.
        """
        state = self._node.state
        shown = as_text(state.view(ALL_SEEING))
        digest = hashlib.sha256(state.cells.tobytes()).hexdigest()
        history = "" if self._node.shared.game.is_open else f"\n{self.history()}"
        return f"{shown}\n{digest}{history}"


def _names(state: State) -> dict[int, tuple[str, int]]:
    """Return for each option its name, and the number of earlier options with the same name, such as faces
    of a die.
    """
    met: Counter[str] = Counter()
    found: dict[int, tuple[str, int]] = {}
    for option, numbered in zip(state.option_ids, state.decision.names, strict=True):
        name = numbered.partition("#")[0]
        found[option] = name, met[name]
        met[name] += 1
    return found


class RulewrightObserver:
    """Fills a tensor with the current view of a player. The player's whole history is available only as
    text.
    """

    def __init__(self, table: Table, sort: Any) -> None:
        self._table = table
        self._has_perfect_recall = sort is not None and sort.perfect_recall
        self.tensor = None
        self.dict: dict[str, Any] = {}
        if not self._has_perfect_recall:
            self.tensor = np.zeros(table.observer.encoded_size, np.float32)
            self.dict["observation"] = self.tensor

    def set_from(self, state: RulewrightState, player: int) -> None:
        """Fill the tensor with a player's view of a state."""
        if self.tensor is None:
            raise WrongArgumentError(
                "perfect recall is given as text, not as a tensor: use `string_from`,"
                " or an observer without perfect recall"
            )
        self.tensor[:] = self._table.observer.encode(state.rules_state.cells, player)

    def string_from(self, state: RulewrightState, player: int) -> str:
        """Describe the information state or the observation of a player as text."""
        if self._has_perfect_recall:
            return state.information_state_string(player)
        return state.observation_string(player)


def _most_results(table: Table) -> int:
    """Return an upper bound for the number of results of any chance event of a game."""
    program = table.compiled.program
    return max(_RESULTS, program.links.pieces, *(len(domain.names) for domain in program.domains))


pyspiel.register_game(_type(), RulewrightGame)

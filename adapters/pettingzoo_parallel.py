"""A parallel PettingZoo environment: seats that decide at the same time decide in one step."""

from __future__ import annotations

from typing import Any

from pettingzoo import ParallelEnv

from rulewright.adapters.observing import Observation, observation_of
from rulewright.adapters.pettingzoo_seats import Seats
from rulewright.dsl.ir import SITE
from rulewright.interpreter.knowledge.observation import ASKED, HEAD
from rulewright.interpreter.matches.state import State
from rulewright.interpreter.text.errors import WrongArgumentError


class ParallelSeats(Seats, ParallelEnv[str, Observation, int]):  # type: ignore[misc]  # the library has no types
    """A match in which each step has an action of each agent that decides now. Other actions are ignored.

    In simultaneous decisions, these agents are all seats that have not yet decided. Otherwise only one seat
    decides. Masks of seats that do not decide are empty, and `infos` says for each seat whether it
    `decides`.
    """

    metadata: dict[str, Any] = {  # noqa: RUF012  # the library requires it
        "name": "rulewright_parallel_v0",
        "render_modes": ["ansi", "rgb_array"],
    }

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Observation], dict[str, dict[str, Any]]]:
        """Begin a new match with the given seed, or with the next seed."""
        self._begin(seed)
        return self._observations()

    def step(
        self, actions: dict[str, int]
    ) -> tuple[
        dict[str, Observation],
        dict[str, float],
        dict[str, bool],
        dict[str, bool],
        dict[str, dict[str, Any]],
    ]:
        """Take the actions of all agents that decide now."""
        agents, state = self.agents, self.rules_state
        before = state
        if not agents:
            return {}, {}, {}, {}, {}
        for seat in list(self._deciding()):
            agent = self.possible_agents[seat]
            if agent not in actions:
                raise WrongArgumentError(f"{agent} decides now, but has no action")
            if state.over or state.player != seat:
                break  # an earlier choice led to another decision of the same seat, so the other seats decide again
            state = self.table.actions.take(state, int(actions[agent]))
            self._made += 1
        self._state = state
        cut_off = not state.over and self._made >= self.longest
        seen, infos = self._observations()
        rewards = self._rewards_since(before)
        if state.over or cut_off:
            self.agents = []
        over, cut = dict.fromkeys(agents, state.over), dict.fromkeys(agents, cut_off)
        return seen, rewards, over, cut, infos

    def _deciding(self) -> dict[int, State]:
        """Return the seats that decide now, each with a state in which it is the seat's turn.

        Until all these seats have chosen, a choice of one seat changes neither the views nor the options of
        the other seats. So every choice of one seat leads to the same question for the next seat.
        """
        state = self.rules_state
        found: dict[int, State] = {}
        while not state.over and state.player not in found and self._has_same_turn(state):
            found[state.player] = state
            if not self.table.compiled.program.sites[state.cells[SITE]].own:
                break
            state = state.take(state.option_ids[0])
        return found

    def _has_same_turn(self, later: State) -> bool:
        """Return whether a later decision and the open decision are simultaneous."""
        now, observe = self.rules_state, self.table.observer.observe
        if later is now:
            return True
        cell = self.table.compiled.program.together
        if now.cells[SITE] != later.cells[SITE] or (
            cell >= 0 and now.cells[cell] != later.cells[cell]
        ):
            return False
        before, after = (observe(one.cells, later.player) for one in (now, later))
        return before[HEAD + ASKED :] == after[HEAD + ASKED :]

    def _observations(self) -> tuple[dict[str, Observation], dict[str, dict[str, Any]]]:
        state = self.rules_state
        deciding = self._deciding()
        seen, infos = {}, {}
        for seat, agent in enumerate(self.possible_agents):
            seen[agent] = observation_of(self.table, deciding.get(seat, state), seat)
            infos[agent] = {"decides": seat in deciding}
        return seen, infos

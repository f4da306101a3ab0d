"""A small network learns from encodings, and its output depends on the position."""

from __future__ import annotations

from typing import Any

import numpy as np

from rulewright import load_game
from rulewright.interpreter.matches.vector import Vector

COUNT, HIDDEN_UNITS, ROUNDS = 128, 32, 300


class _Network:
    """Two layers, trained by the gradient of the chosen logits, weighted by the rewards (REINFORCE)."""

    def __init__(self, inputs: int, outputs: int) -> None:
        random = np.random.default_rng(1)
        self.first = random.normal(0, inputs**-0.5, (inputs, HIDDEN_UNITS))
        self.second = np.zeros((HIDDEN_UNITS, outputs))

    def logits(self, seen: Any) -> tuple[Any, Any]:
        units = np.tanh(seen @ self.first)
        return units, units @ self.second

    def learn(self, seen: Any, units: Any, slope: Any) -> None:
        back = (slope @ self.second.T) * (1 - units**2)
        self.second += units.T @ slope / len(seen)
        self.first += seen.T @ back / len(seen)


def _draw_actions(random: Any, logits: Any, masks: Any) -> tuple[Any, Any]:
    """An action for each match, and the probabilities of all actions."""
    chances = np.where(masks, np.exp(logits - logits.max(axis=1, keepdims=True)), 0) + 1e-9 * masks
    chances /= np.maximum(chances.sum(axis=1, keepdims=True), 1e-30)
    marks = random.random((len(chances), 1))
    return (chances.cumsum(axis=1) < marks).sum(axis=1).clip(0, masks.shape[1] - 1), chances


def _play(vector: Vector, network: _Network, rounds: int, learns: bool) -> float:
    """The share of decided matches that seat 0 wins with the network; the other seat plays at random."""
    random = np.random.default_rng(2)
    masks = np.asarray(vector.masks).reshape(COUNT, -1)
    players, over = np.asarray(vector.players), np.asarray(vector.over)
    rewards = np.asarray(vector.rewards).reshape(COUNT, -1)
    seen = np.zeros((COUNT, vector.observer.encoded_size), np.float32)
    steps: list[list[Any]] = [[] for _ in range(COUNT)]
    won = lost = 0
    vector.reset(1)
    for _ in range(rounds):
        vector.encode(into=seen)
        units, logits = network.logits(seen)
        mine = players == 0
        actions, chances = _draw_actions(random, np.where(mine[:, None], logits, 0), masks == 1)
        slope = -chances
        slope[np.arange(COUNT), actions] += 1
        for slot in np.flatnonzero(mine):
            steps[slot].append((seen[slot].copy(), units[slot], slope[slot]))
        vector.step(actions.astype(np.int32))
        batch = []
        for slot in np.flatnonzero(over):
            batch += [(*step, rewards[slot, 0]) for step in steps[slot]]
            steps[slot].clear()
        won += int((rewards[over == 1, 0] > 0).sum())
        lost += int((rewards[over == 1, 0] < 0).sum())
        if batch and learns:
            inputs, inner, slopes, worth = (np.array(each) for each in zip(*batch, strict=True))
            network.learn(inputs, inner, 0.5 * slopes * worth[:, None])
    return won / (won + lost)


def test_a_network_learns_and_its_logits_change_with_the_position() -> None:
    vector = load_game("tic_tac_toe").vector(COUNT, seed=1)
    network = _Network(vector.observer.encoded_size, len(vector.actions))
    before = _play(vector, network, 20, learns=False)
    _play(vector, network, ROUNDS, learns=True)
    after = _play(vector, network, 20, learns=False)
    assert before < 0.75 and after > before + 0.1
    positions = [load_game("tic_tac_toe").start()]
    for marks in (("mark(b2)", "mark(a1)"), ("mark(c3)", "mark(c1)")):
        positions.append(positions[-1].choose(marks[0]).choose(marks[1]))
    logits = [network.logits(np.array(state.encode(0)))[1] for state in positions]
    assert np.ptp(logits, axis=0).max() > 0.5

"""A small learner in numpy: policy gradient with one hidden layer, for any game, in self-play.

It sees `vector.encode`, as a learner should, and knows nothing about a game.
"""

from __future__ import annotations

from typing import Any

import attrs
import numpy as np

from rulewright import Game, Vector
from rulewright.interpreter.engines.engines import EngineName

Array = np.ndarray[Any, Any]
_BATCH = 1024
"""The number of decisions between two steps of learning."""


@attrs.define(eq=False)
class Network:
    """Logits and a value from an encoded observation."""

    weights: list[Array]
    steps: int = 0
    _first: list[Array] = attrs.field(init=False)
    _second: list[Array] = attrs.field(init=False)

    def __attrs_post_init__(self) -> None:
        self._first = [np.zeros_like(one) for one in self.weights]
        self._second = [np.zeros_like(one) for one in self.weights]

    @classmethod
    def of(cls, seen: int, actions: int, seed: int, hidden: int = 64) -> Network:
        """A network that chooses each action with the same probability."""
        random = np.random.default_rng(seed)
        first = random.normal(0, 1 / np.sqrt(seen), (seen, hidden))
        return cls(
            [
                first,
                np.zeros(hidden),
                np.zeros((hidden, actions)),
                np.zeros(actions),
                np.zeros((hidden, 1)),
                np.zeros(1),
            ]
        )

    def __call__(self, seen: Array, masks: Array) -> tuple[Array, Array, Array]:
        """The hidden layer, the probability of each action, and the value."""
        inner, bias, out, out_bias, worth, worth_bias = self.weights
        hidden = np.tanh(seen @ inner + bias)
        logits = np.where(masks, hidden @ out + out_bias, -np.inf)
        chances = np.exp(logits - logits.max(axis=1, keepdims=True))
        return (
            hidden,
            chances / chances.sum(axis=1, keepdims=True),
            (hidden @ worth + worth_bias)[:, 0],
        )

    def learn(
        self, seen: Array, masks: Array, actions: Array, returns: Array, rate: float, curious: float
    ) -> None:
        """One step of Adam: actions that led to more than the value become more probable."""
        hidden, chances, value = self(seen, masks)
        count = len(actions)
        gain = returns - value
        scale = gain / (np.abs(gain).mean() + 1e-6)
        with np.errstate(divide="ignore"):
            logs = np.where(chances > 0, np.log(chances), 0.0)
        entropy = -(chances * logs).sum(axis=1, keepdims=True)
        wanted = chances * scale[:, None]
        wanted[np.arange(count), actions] -= scale
        wanted += curious * chances * (logs + entropy)
        error = -gain
        _, _, out, _, worth, _ = self.weights
        inner = (wanted @ out.T + error[:, None] @ worth.T) * (1 - hidden**2)
        slopes = [
            seen.T @ inner,
            inner.sum(axis=0),
            hidden.T @ wanted,
            wanted.sum(axis=0),
            hidden.T @ error[:, None],
            error.sum(keepdims=True),
        ]
        self.steps += 1
        for number, slope in enumerate(slopes):
            mean = slope / count
            self._first[number] += 0.1 * (mean - self._first[number])
            self._second[number] += 0.001 * (mean**2 - self._second[number])
            even = self._first[number] / (1 - 0.9**self.steps)
            size = np.sqrt(self._second[number] / (1 - 0.999**self.steps)) + 1e-8
            self.weights[number] -= rate * even / size


@attrs.define(eq=False)
class Matches:
    """Many matches of a game, with the actions of each so far."""

    vector: Vector
    masks: Array
    seen: Array

    @classmethod
    def of(cls, game: Game, count: int, seed: int, engine: EngineName | None = None) -> Matches:
        """This many new matches."""
        vector = game.vector(count, seed=seed, engine=engine)
        masks = np.asarray(vector.masks, np.int8).reshape(count, -1).view(bool)
        return cls(vector, masks, np.asarray(vector.encode("float32")).reshape(count, -1))

    def step(self, actions: Array) -> None:
        """Do one action in each match."""
        self.vector.step(actions.astype(np.int32))
        self.seen = np.asarray(self.vector.encode("float32")).reshape(len(self.vector), -1)


def draw_actions(chances: Array, random: np.random.Generator) -> Array:
    """An action for each row, drawn with its probability."""
    sums = chances.cumsum(axis=1)
    found = (sums < random.random((len(chances), 1)) * sums[:, -1:]).sum(axis=1)
    taken: Array = np.minimum(found, chances.shape[1] - 1)
    return taken


def _open(masks: Array) -> Array:
    """Masks in which a finished match also has an action, which is ignored."""
    masks = masks.copy()
    masks[~masks.any(axis=1), 0] = True
    return masks


def train(
    network: Network,
    matches: Matches,
    steps: int,
    random: np.random.Generator,
    batch_size: int = _BATCH,
) -> None:
    """Play this many steps against itself, and learn from the matches that ended."""
    count = len(matches.vector)
    rows: list[list[tuple[Array, Array, int, int]]] = [[] for _ in range(count)]
    batch: list[tuple[Array, Array, int, float]] = []
    over = np.asarray(matches.vector.over)
    returns = np.asarray(matches.vector.rewards).reshape(count, -1)
    matches.vector.reset(int(random.integers(2**31)))
    matches.seen = np.asarray(matches.vector.encode("float32")).reshape(count, -1)
    for _ in range(steps):
        seen, masks = matches.seen.copy(), _open(matches.masks)
        actions = draw_actions(network(seen, masks)[1], random)
        players = np.asarray(matches.vector.players).copy()
        matches.step(actions)
        for slot in range(count):
            if players[slot] >= 0:
                rows[slot].append((seen[slot], masks[slot], int(actions[slot]), int(players[slot])))
            if over[slot]:
                batch += [(s, m, a, returns[slot, p]) for s, m, a, p in rows[slot]]
                rows[slot] = []
        if len(batch) >= batch_size:
            observed, offered, taken, worth = (np.array(part) for part in zip(*batch, strict=True))
            network.learn(observed, offered, taken, worth, rate=0.004, curious=0.01)
            batch = []


def against_random(
    network: Network, game: Game, count: int, seed: int, engine: EngineName | None = None
) -> list[float]:
    """The share of victories of the network in this many matches; it has each seat equally often."""
    matches = Matches.of(game, count, seed, engine)
    random = np.random.default_rng(seed)
    seats = np.asarray(matches.vector.rewards).reshape(count, -1).shape[1]
    mine = np.arange(count) % seats
    over, won = np.asarray(matches.vector.over), np.asarray(matches.vector.won).reshape(count, -1)
    shares = np.full(count, np.nan)
    while np.isnan(shares).any():
        masks = _open(matches.masks)
        chances = np.where(
            (np.asarray(matches.vector.players) == mine)[:, None],
            network(matches.seen, masks)[1],
            masks / masks.sum(axis=1, keepdims=True),
        )
        matches.step(draw_actions(chances, random))
        for slot in np.flatnonzero(over & np.isnan(shares)):
            winners = won[slot].sum()
            shares[slot] = won[slot, mine[slot]] / winners if winners else 1 / seats
    found: list[float] = shares.tolist()
    return found

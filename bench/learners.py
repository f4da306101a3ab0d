"""Random matches as a learner drives them, here and in other libraries, side by side.

Each library draws a legal action for each match, makes the step and returns the observation of the player to move.
All have the same number of matches, replace each finished match by a new one, and use one thread. Libraries that
are not
installed are left out: `pip install pgx jax envpool open_spiel` installs all of them.
"""

from __future__ import annotations

import os
from array import array
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from importlib import import_module
from typing import Any

from bench.turns import take_turns
from rulewright.interpreter.engines.engines import engine_names
from rulewright.interpreter.engines.native.engine import NativeEngine
from rulewright.interpreter.matches.game import load_game
from rulewright.interpreter.matches.vector import Vector

COUNT = 1024
AT_ONCE = 32
"""The number of steps that Pgx makes per call."""
FEW = 64
"""The number of matches in the vector of OpenSpiel, which steps them in a Python loop."""
PGX, ENVPOOL, OPEN_SPIEL = "Pgx", "EnvPool", "OpenSpiel"
THEIR_NAMES = {
    "tic_tac_toe": {PGX: "tic_tac_toe", ENVPOOL: "TicTacToe-v1", OPEN_SPIEL: "tic_tac_toe"},
    "connect_four": {PGX: "connect_four", ENVPOOL: "ConnectFour-v1", OPEN_SPIEL: "connect_four"},
    "kuhn_poker": {PGX: "kuhn_poker", ENVPOOL: "KuhnPoker-v1", OPEN_SPIEL: "kuhn_poker"},
    "leduc_poker": {PGX: "leduc_holdem", ENVPOOL: "LeducHoldem-v1", OPEN_SPIEL: "leduc_poker"},
    "reversi": {PGX: "othello", ENVPOOL: "Othello-v1", OPEN_SPIEL: "othello"},
}
"""The names of our games in other libraries."""

Drive = Callable[[int], int]
"""Makes some steps, and returns their number."""


def learners(seconds: float, games: Sequence[str] = ()) -> list[dict[str, object]]:
    """Millions of steps a second of one core, and our speed relative to the fastest other library."""
    return [_row(name, seconds) for name in games or THEIR_NAMES if "native" in engine_names()]


def _row(name: str, seconds: float) -> dict[str, object]:
    peers = {PGX: _pgx, ENVPOOL: _envpool, OPEN_SPIEL: _open_spiel}
    drives = dict(_ours(name))
    for peer, make in peers.items():
        with suppress(ImportError):
            drives[peer] = make(THEIR_NAMES[name][peer])
    runs = take_turns(drives, seconds)
    rates = {who: max(run.rates) / 1e6 for who, run in runs.items()}
    best = max((rates[peer] for peer in peers if peer in rates), default=None)
    found: dict[str, object] = {"game": name}
    for who in (*(who for who in drives if who not in peers), *peers):
        found[who] = round(rates[who], 3) if who in rates else None
    for who in ("observed", "encoded"):
        found[f"{who}_ratio"] = round(rates[who] / best, 1) if best else None
    return found


def _ours(name: str) -> Iterator[tuple[str, Drive]]:
    game = load_game(name)
    compiled = game.compiled(game.variant(), "native")
    if isinstance(compiled.engine, NativeEngine):
        compiled.engine.settle()
    vector = Vector.of(compiled, COUNT, 7, legal="lists")
    seen = array("i", bytes(4 * COUNT * vector.observer.size))
    code = array("f", bytes(4 * COUNT * vector.observer.encoded_size))

    def driven(look: Callable[[], object]) -> Drive:
        def once(number: int) -> int:
            vector.step(vector.draw(number))
            look()
            return COUNT

        return once

    yield "observed", driven(lambda: vector.observe(seen))
    yield "encoded", driven(lambda: vector.encode("float32", code))


def _pgx(name: str) -> Drive:
    """Steps inside one compiled function, which replaces finished matches itself."""
    os.environ.setdefault(
        "XLA_FLAGS", "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1"
    )
    jax, pgx = import_module("jax"), import_module("pgx")
    again = import_module("pgx.experimental.wrappers").auto_reset
    world = pgx.make(name)
    step = jax.vmap(again(world.step, world.init))

    def one(state: Any, key: Any) -> tuple[Any, Any]:
        drawing, chance = jax.random.split(key)
        logits = jax.numpy.where(state.legal_action_mask, 0.0, -jax.numpy.inf)
        action = jax.random.categorical(drawing, logits, axis=-1)
        state = step(state, action, jax.random.split(chance, COUNT))
        return state, state.observation

    steps = jax.jit(lambda state, key: jax.lax.scan(one, state, jax.random.split(key, AT_ONCE)))
    kept = [jax.jit(jax.vmap(world.init))(jax.random.split(jax.random.PRNGKey(7), COUNT))]

    def once(number: int) -> int:
        kept[0], seen = steps(kept[0], jax.random.PRNGKey(number))
        seen.block_until_ready()
        return AT_ONCE * COUNT

    return once


def _envpool(name: str) -> Drive:
    """Its own vector with one thread; each step returns the observations of all players."""
    numpy: Any = import_module("numpy")
    world = import_module("envpool").make(
        name, env_type="gymnasium", num_envs=COUNT, num_threads=1, seed=7
    )
    random = numpy.random.default_rng(7)
    kept = [world.reset()[1]["legal_action_mask"]]

    def once(_: int) -> int:
        drawn = (random.random(kept[0].shape, numpy.float32) * kept[0]).argmax(axis=1)
        kept[0] = world.step(drawn.astype(numpy.int32))[-1]["legal_action_mask"]
        return COUNT

    return once


def _open_spiel(name: str) -> Drive:
    """Its vector of environments for learners."""
    environments = import_module("open_spiel.python.rl_environment")
    vectors = import_module("open_spiel.python.vector_env")
    numpy, agents = import_module("numpy"), import_module("open_spiel.python.rl_agent")
    world = vectors.SyncVectorEnv([environments.Environment(name) for _ in range(FEW)])
    random = numpy.random.default_rng(7)
    kept = [world.reset()]

    def random_action(seen: Any) -> Any:
        legal = seen.observations["legal_actions"][seen.observations["current_player"]]
        return agents.StepOutput(action=legal[int(random.random() * len(legal))], probs=None)

    def once(_: int) -> int:
        kept[0] = world.step([random_action(seen) for seen in kept[0]], reset_if_done=True)[0]
        return FEW

    return once

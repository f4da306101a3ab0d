"""Defines how many matches make a step together, for any engine and any program."""

from __future__ import annotations

from array import array
from collections.abc import Sequence

from rulewright.dsl.ir import BOUND, OVER, PLAYER, SITE
from rulewright.interpreter.engines.batch import Slots, blocks_of, marks_of
from rulewright.interpreter.engines.chance import MASK, draw, key_of
from rulewright.interpreter.engines.engine import STEPS, Cells, Engine, only_chance
from rulewright.interpreter.engines.playouts import ending
from rulewright.interpreter.text.faults import InternalError, total_of


def step_all(engine: Engine, slots: Slots, restart: bool = False) -> None:
    """Implement `Engine.step_all`."""
    for slot, over in enumerate(slots.over):
        if not (over or restart or is_allowed(slots, slot)):
            raise not_allowed(slots, slot)
    for slot in range(slots.count):
        step(engine, slots, slot, restart)


def is_allowed(slots: Slots, slot: int) -> bool:
    """Return whether a match can make the requested step."""
    action, many = slots.actions[slot], slots.starts[-1]
    if not slots.has_masks:
        return action in slots.legal(slot)
    return 0 <= action < many and slots.masks[slot * many + action] == 1


def not_allowed(slots: Slots, slot: int) -> ValueError:
    """Return the error for a match that cannot make the requested step."""
    return ValueError(f"play {slot} cannot do action {slots.actions[slot]} now")


def step(engine: Engine, slots: Slots, slot: int, restart: bool = False) -> None:
    """Make a step in one match. The step must be possible."""
    action = slots.actions[slot]
    is_new = restart or slots.over[slot] == 1
    if is_new:
        seed = slots.seeds[slot]
        if not restart:
            seed = (seed + slots.count) & MASK
        cells, key, counter = slots.start[:], key_of(seed), 0
    else:
        cells = slots.state(slot)
        seed, key, counter = slots.seeds[slot], slots.keys[slot], slots.counters[slot]
        engine.advance(cells, action - slots.starts[cells[SITE]])
    for _ in range(STEPS):
        if not cells[BOUND]:
            break
        result, counter = draw(key, counter, cells[BOUND])
        engine.advance(cells, result)
    else:
        raise only_chance(engine.program, cells)
    over = cells[OVER] == 1
    offered = [] if over else engine.options(cells)
    if offered:
        here = cells[SITE]
        width = slots.starts[here + 1] - slots.starts[here]
        if not 0 <= min(offered) <= max(offered) < width:
            raise InternalError("an offered option has no number among the actions")
    numbers = [slots.starts[cells[SITE]] + option for option in offered]
    if slots.has_masks:
        _mask(slots, slot, numbers)
    if slots.has_lists:
        slots.put_list(slot, numbers)
    _tell(engine, slots, slot, cells)
    slots.cells[slot * len(cells) : (slot + 1) * len(cells)] = cells
    blocks = blocks_of(engine.program)
    slots.differing[slot * blocks : (slot + 1) * blocks] = array("b", b"\1" * blocks)
    slots.seeds[slot], slots.keys[slot], slots.counters[slot] = seed, key, counter
    slots.players[slot] = cells[PLAYER]
    slots.over[slot] = over
    slots.lengths[slot] = 0 if is_new else slots.lengths[slot] + 1


def _mask(slots: Slots, slot: int, numbers: Sequence[int]) -> None:
    many = slots.starts[-1]
    first, marks = slot * many, marks_of(many)
    for number in range(first, first + many):
        slots.masks[number] = 0
    for number in numbers:
        slots.masks[first + number] = 1
    if marks:
        slots.marked[slot * marks] = -1


def _tell(engine: Engine, slots: Slots, slot: int, cells: Cells) -> None:
    """Write the winners, points and rewards of a match. If the match is not over, write zeros."""
    seats, items = engine.program.seats, len(engine.program.score)
    winners, totals, rewards = list[int](), [0] * seats, [0.0] * seats
    if cells[OVER]:
        winners, points = ending(engine, cells)
        mine_of = (points[seat * items : (seat + 1) * items] for seat in range(seats))
        totals = [total_of(engine.program, each) for each in mine_of]
        mean = sum(totals) / seats if slots.apart else 0.0
        rewards = [total - mean for total in totals]
        if slots.worth:
            row = seats * sum(1 << seat for seat in winners)
            rewards = [*slots.worth[row : row + seats]]
    mine = slice(slot * seats, (slot + 1) * seats)
    slots.won[mine] = array("b", (seat in winners for seat in range(seats)))
    slots.totals[mine] = array("q", totals)
    slots.rewards[mine] = array("d", rewards)

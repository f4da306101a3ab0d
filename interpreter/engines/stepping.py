"""A step of many plays, for any engine: the definition. Refuses to know programs."""

from __future__ import annotations

from rulewright.dsl.ir import BOUND, OVER, PLAYER, SITE
from rulewright.interpreter.engines.at_random import ending
from rulewright.interpreter.engines.chance import MASK, draw, key_of
from rulewright.interpreter.engines.engine import STEPS, Engine, only_chance
from rulewright.interpreter.engines.slots import ANEW, Slots
from rulewright.interpreter.wording.faults import InternalError


def step_all(engine: Engine, slots: Slots) -> None:
    """As `Engine.step_all`."""
    for slot, action in enumerate(slots.actions):
        if not slots.over[slot] and action != ANEW and not is_allowed(slots, slot):
            raise not_allowed(slots, slot)
    for slot in range(slots.count):
        step(engine, slots, slot)


def is_allowed(slots: Slots, slot: int) -> bool:
    """Whether a play can do what is asked of it."""
    action, many = slots.actions[slot], slots.starts[-1]
    return 0 <= action < many and slots.masks[slot * many + action] == 1


def not_allowed(slots: Slots, slot: int) -> ValueError:
    """Says that it cannot."""
    return ValueError(f"play {slot} cannot do action {slots.actions[slot]} now")


def step(engine: Engine, slots: Slots, slot: int) -> None:
    """A step of one play, which can be done."""
    action, many = slots.actions[slot], slots.starts[-1]
    slots.ended[slot] = 0
    anew = action == ANEW or slots.over[slot] == 1
    if anew:
        seed = slots.seeds[slot]
        if action != ANEW:
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
    winners, points = ending(engine, cells) if over else ([], [])
    offered = [] if over else engine.options(cells)
    if offered:
        here = cells[SITE]
        width = slots.starts[here + 1] - slots.starts[here]
        if not 0 <= min(offered) <= max(offered) < width:
            raise InternalError("an option is offered that has no number among the actions")
    seats, items = engine.program.seats, len(engine.program.score)
    first = slot * many
    for number in range(first, first + many):
        slots.masks[number] = 0
    for option in offered:
        slots.masks[first + slots.starts[cells[SITE]] + option] = 1
    for seat in range(seats):
        slots.won[slot * seats + seat] = seat in winners
        slots.totals[slot * seats + seat] = sum(points[seat * items : (seat + 1) * items])
    slots.cells[slot * len(cells) : (slot + 1) * len(cells)] = cells
    slots.seeds[slot], slots.keys[slot], slots.counters[slot] = seed, key, counter
    slots.players[slot] = cells[PLAYER]
    slots.over[slot] = slots.ended[slot] = over
    slots.lengths[slot] = 0 if anew else slots.lengths[slot] + 1

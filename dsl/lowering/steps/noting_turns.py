"""Records where the turns of players begin. The recording happens while the loops in which players act are lowered."""

from __future__ import annotations

from rulewright.dsl.diagnostics.source import Span
from rulewright.dsl.lowering.emit.core import Rules
from rulewright.dsl.lowering.emit.turns import Flow, Turn
from rulewright.dsl.lowering.emit.writer import Context, Loop, Writer


def begin_body(w: Writer, ctx: Context) -> int:
    """Begin the block of a turn's body, and return its number; -1 if turns are not recorded here.

    An action is part of a turn, so an inner loop in an action makes no separate turns.
    """
    if w.rules.turns is None or ctx.guarded or ctx.given:
        return -1
    return w.fresh_block()


def note_turn(
    w: Writer,
    span: Span,
    body: int,
    loop: Loop,
    who: int,
    counter: int = -1,
    *,
    together: bool = False,
) -> None:
    """Record a turn together with the blocks of its loop, after the body of the turn has been
    emitted. A missing block is -1.
    """
    if body < 0 or w.rules.turns is None:
        return
    last = len(w.rules.blocks)
    w.rules.turns.append(
        Turn(
            *(span, w.number, loop.test, body, loop.following, loop.after),
            *(counter, who, last, together),
        )
    )


def turn_flow(rules: Rules) -> Flow:
    """Return the turns of all rules, after the rules have been written."""
    running = tuple(
        (number, rules.running[name])
        for key, number in rules.wrappers.items()
        if (name := key.split(" ", 1)[1]) in rules.running
    )
    watches = bool(rules.a.watchers or rules.a.move_triggers)
    # inner turns come first, because a turn is recorded after its body is written
    return Flow(
        tuple(rules.turns or ()),
        running,
        tuple(rules.c.overrides.values()),
        rules.awake if watches else 0,
    )

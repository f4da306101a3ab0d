"""Payments in several steps are searched: each option is offered exactly if it can be paid, on all engines."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulewright.interpreter.engines.reference import Reference
from tests.dsl.lowering.test_searched import program_of, turn_of
from tests.interpreter.lockstep import Runners, lockstep

STORES = """token coin
piece Store
    worth: 0..3
    copies = 2
    row field, 1
    row barn, 3
    row mill, 2
    zone stored: tokens of coin
zone bank: tokens of coin = 40
zone box: set of Store
player
    zone stores: set of Store
    state points: 0..99
value stock of p: Player = sum(s in p.stores: s.worth * s.stored.size)
rule pay_for(n: 0..9)
    let left: 0..9 = n
    repeat while left > 0
        choose s in me.stores where s.stored is not empty
        move 1 from s.stored to bank
        lose s.worth from left
setup
    move all from Store to box
    each player
        for each s in Store where s.copy is me.number
            move s to me.stores
        for each s in me.stores
            surely move 2 from bank to s.stored
action buy(n in 1..9)
{action}    add n to me.points
play
    repeat 6 times
        each player
            choose one of
                do buy
                option "pass"
                    for each s in me.stores
                        move up to 1 from bank to s.stored
"""
ONCE = "    do pay_for(n)\n"
ACTIONS = {
    "once": ONCE,
    "twice": ONCE * 2,
    "twice, with a condition between": f'{ONCE}    needs me.stock >= n else "too dear"\n{ONCE}',
    "in one of two ways": f"    if possible\n    {ONCE}    {ONCE}    otherwise\n    {ONCE}",
}


@pytest.mark.parametrize("action", ACTIONS.values(), ids=ACTIONS)
def test_all_engines_offer_the_same_payments(tmp_path: Path, action: str) -> None:
    program = program_of(tmp_path, STORES.format(action=action))
    assert turn_of(program).search
    lockstep(Runners(program), 0, 12, refusals=False)


@pytest.mark.parametrize("tokens", range(3))
def test_a_payment_is_offered_exactly_if_the_stores_hold_enough(
    tmp_path: Path, tokens: int
) -> None:
    text = STORES.format(action=ONCE).replace("move 2 from bank", f"move {tokens} from bank")
    engine = Reference(program_of(tmp_path, text))
    cells = engine.start()
    engine.run(cells)
    held = (1 + 3 + 2) * tokens
    assert len(engine.options(cells)) == min(held, 9) + 1  # the last one passes

"""Reasons with numbers cost native code nothing: they are not computed while options are tried."""

from pathlib import Path

from rulewright.interpreter.engines.chance import Generator
from rulewright.interpreter.engines.codegen import python
from rulewright.interpreter.engines.native.engine import NativeEngine
from rulewright.interpreter.matches.game import load_game

STORES = """\
game "Stores"
    players 2
token coin
piece Farm
    worth: 1..3
    copies = 2
    row field, 1
    row barn,  3
    zone stored: tokens of coin
piece Mill
    copies = 2
    row mill
    zone stored: tokens of coin
piece Building is Farm or Mill
zone bank: tokens of coin = 40
zone box: set of Building
player
    zone buildings: set of Building
    state points: 0..99
value worth_of of b: Building = if b in Farm then b.worth else 2
value stock of p: Player = sum(b in p.buildings: b.worth_of * b.stored.size)
setup
    move all from Building to box
    each player
        for each b in Building where b.copy is me.number
            move b to me.buildings
        for each b in me.buildings
            surely move 2 from bank to b.stored
rule pay_for(n: 1..9)
    needs me.stock >= n else "this takes {n}, and there are {me.stock}"
    let left: 0..9 = n
    repeat while left > 0
        choose b in me.buildings where b.stored is not empty
        move 1 from b.stored to bank
        lose b.worth_of from left
action buy(n in 1..9)
    do pay_for(n)
    do pay_for(n)
    add n to me.points
play
    repeat 5 times
        each player
            choose one of
                do buy
                option "earn"
                    for each b in me.buildings
                        move up to 1 from bank to b.stored
score of p
    item "points" = p.points
winner p by p.total then shared
"""


def test_nothing_is_handed_over_for_a_reason(tmp_path: Path) -> None:
    path = tmp_path / "stores.game"
    path.write_text(STORES)
    game = load_game(path)
    program = game.compiled(game.variant(2)).program
    engine, slow = NativeEngine(program), python.compile(program)
    for seed in range(3):
        states = []
        for each in (engine, slow):
            cells = each.start()
            each.run(cells)
            each.at_random(cells, Generator.seeded(seed), Generator.seeded(9), None, [])
            states.append(cells)
        assert states[0] == states[1]
    assert engine.handed_over == 0

"""Names of rows in `after`, `instead of` and `modify`: one row, or any thing."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulewright.dsl.loading.loading import load
from rulewright.dsl.scenarios.scenario_loading import load_scenarios
from rulewright.interpreter.engines.engines import EngineName
from rulewright.interpreter.testing.scenarios import run_scenarios

GAME = """game "Orchard"
    players 2
piece Fruit
    price: 1..9
    copies = 2
    row apple, 1
    row pear, 2
piece Helper
    row farmer
piece Basket per player
    copies = 2
zone stall: set of Fruit
player
    zone fruits: set of Fruit
    zone helpers: set of Helper
    zone baskets: set of Basket
    zone used: set of Basket
    state coins: 0..20 = 9
open value cost of p: Player (fruit: Fruit) at least 0 = fruit.price
setup
    move all from Fruit to stall
    move all from Helper to first.helpers
    for each b in Basket
        move b to b.owner.baskets
value first = the(p in players where p.number is 1)
play
    repeat 3 times
        each player
            choose one of
                do buy
                do fill
                option "rest"
action buy(fruit in stall)
    pay me.cost(fruit) from me.coins
    move fruit to me.fruits
action fill(basket in me.baskets)
    do put(basket)
rule put(basket: Basket)
    move basket to me.used
{more}
score of p
    item "coins" = p.coins
winner p by p.total then shared
"""
POWERS = """power farmer in p.helpers
    modify p.cost(pear) less 2
    after buy(apple) as p
        add 5 to p.coins
    after put(basket) as p
        move basket to p.baskets
"""
SCENES = """scenario "in a power the name of a row is this row, the name of all is whatever comes"
    player ann, bob
    expect all(f in stall: ann.cost(f) is (if f is pear then 0 else 1))
    expect all(f in stall: bob.cost(f) is f.price)
    ann plays buy(apple)
    expect ann.coins is 13
    bob plays buy(apple)
    expect bob.coins is 8
    ann plays fill(basket)
    expect ann.used is empty
    bob plays fill(basket)
    expect bob.used.size is 1
    ann plays buy(pear)
    expect ann.coins is 13
"""


@pytest.mark.parametrize("engine", ["reference", "python"])
def test_names_of_several_copies_in_a_power(tmp_path: Path, engine: EngineName) -> None:
    (tmp_path / "orchard.game").write_text(GAME.replace("{more}", POWERS), encoding="utf-8")
    (tmp_path / "orchard.scenario").write_text(SCENES, encoding="utf-8")
    assert load(tmp_path / "orchard.game").check() == ()
    found = run_scenarios(load_scenarios(tmp_path / "orchard.scenario").programs[0], engine)
    assert [(result.passed, result.failure) for result in found] == [(True, None)]


@pytest.mark.parametrize(
    ("more", "reported"),
    [
        (
            "after buy(apple) as p\n    add 1 to p.coins",
            (
                "`apple` is the name of one Fruit, but here it would be a name for any of them",
                "write `after buy(fruit) as p where fruit is apple`, or choose another name",
            ),
        ),
        (
            "instead of buy(pear) where pear.price > 3\n    add 1 to me.coins",
            (
                "`pear` is the name of one Fruit, but here it would be a name for any of them",
                "write `instead of buy(fruit) where fruit is pear and fruit.price > 3`, or choose another name",
            ),
        ),
        ("after put(basket) as p\n    move basket to p.baskets", None),
    ],
)
def test_outside_of_powers_a_name_is_for_whatever_comes(
    tmp_path: Path, more: str, reported: tuple[str, str] | None
) -> None:
    path = tmp_path / "orchard.game"
    path.write_text(GAME.replace("{more}", more), encoding="utf-8")
    problems = load(path).check()
    assert [(problem.message, problem.help) for problem in problems] == (
        [reported] if reported else []
    )


GOODS = """\
game "Goods"
    players 2
piece TradeGood
    copies = 2
    row pear
    row fig
zone deck: set of TradeGood
state n: 0..9
setup
    move all from TradeGood to deck
effect pear
    add 1 to n
rule buy(g: TradeGood)
    add 1 to n
after buy(pear)
    add 1 to n
play
    for each g in deck
        do buy(g)
        do effect of g
    end game
winner p by n then shared
"""


def test_names_to_write_for_a_sort_of_two_words(tmp_path: Path) -> None:
    path = tmp_path / "goods.game"
    path.write_text(GOODS, encoding="utf-8")
    hidden, lacking = load(path).check()
    assert "`after buy(trade_good) where trade_good is pear`" in hidden.help
    assert "`effect trade_good: TradeGood`" in lacking.help
    path.write_text(
        GOODS.replace("buy(pear)", "buy(trade_good) where trade_good is pear").replace(
            "effect pear", "effect trade_good: TradeGood"
        ),
        encoding="utf-8",
    )
    assert load(path).check() == ()

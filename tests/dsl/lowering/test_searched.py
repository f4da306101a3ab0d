"""Which options are searched before they are offered, and in how many steps: counted, not timed."""

from __future__ import annotations

from pathlib import Path

import pytest
from attrs import define

from rulewright.dsl.diagnostics.diagnostics import Severity
from rulewright.dsl.ir import OVER, Program, Site
from rulewright.dsl.loading.loading import load
from rulewright.dsl.lowering.decisions import call_options, choosing
from rulewright.dsl.lowering.decisions.plans import Preconditions
from rulewright.interpreter.engines.chance import Generator
from rulewright.interpreter.engines.engine import Cells
from rulewright.interpreter.engines.reference import Reference
from rulewright.interpreter.matches.game import game_of

END = """score of p
    item "points" = p.points
winner p by p.total then shared
"""


@define(eq=False)
class Counting(Reference):
    """The reference engine, which also counts the options that it tries."""

    tried: int = 0

    def take(self, cells: Cells, choice: int, floor: int) -> tuple[Cells, int]:
        """As `Reference.take`."""
        self.tried += 1
        return super().take(cells, choice, floor)


def program_of(folder: Path, text: str) -> Program:
    """The program of a game without problems."""
    path = folder / "small.game"
    path.write_text(f'game "Small"\n    players 2\n{text}{END}', encoding="utf-8")
    loaded = load(path)
    assert [found.message for found in loaded.check() if found.severity is Severity.ERROR] == []
    game = game_of("small", loaded)
    return game.compiled(game.variant(game.facts.low)).program


def settled_branches(site: Site) -> list[str]:
    """The branches of a decision that are offered without a trial."""
    return [
        arm.name
        for arm in site.arms
        if not site.search or any(low <= arm.base < above for low, above in site.settled)
    ]


def turn_of(program: Program) -> Site:
    """The decision at which a player may pass."""
    (found,) = (site for site in program.sites if any(arm.name == "pass" for arm in site.arms))
    return found


def tried_at_each(program: Program, seed: int) -> list[int]:
    """The number of options that are tried at each decision of a random match."""
    engine = Counting(program)
    cells, bots = engine.start(), Generator.seeded(seed)
    engine.run(cells)
    found: list[int] = []
    while not cells[OVER]:
        before = engine.tried
        options = engine.options(cells)
        found.append(engine.tried - before)
        engine.advance(cells, options[bots.below(len(options))])
    return found


def test_only_ways_that_are_not_known_to_end_are_tried(tmp_path: Path) -> None:
    program = program_of(
        tmp_path,
        """player
    state points: 0..9
    state coins: 0..9 = 5
action earn
    add 1 to me.points
action pay_back
    pay 2 from me.coins
action haggle
    repeat 2 times
        pay 1 from me.coins
play
    repeat 3 times
        each player
            choose one of
                do earn
                do pay_back
                do haggle
""",
    )
    (site,) = program.sites
    assert settled_branches(site) == ["earn", "pay_back"]
    assert site.always
    assert max(tried_at_each(program, 0)) == 1


PERMITTED = """player
    state points: 0..9
    state coins: 0..9 = 5
action give
    pay 1 from me.coins
action buy
    pay 2 from me.coins
    add 1 to me.points
rule turn
    choose one of
        do buy
        option "pass"
{then}anytime give during turn
play
    each player
        may "take a turn"
            do turn
"""


def test_permissions_beside_an_answer_that_is_always_there_are_not_tried(tmp_path: Path) -> None:
    _, asked = program_of(tmp_path, PERMITTED.format(then="")).sites
    assert settled_branches(asked) == ["buy", "pass", "give"]
    assert not asked.search


def test_permissions_that_may_take_away_the_last_answer_are_tried(tmp_path: Path) -> None:
    then = "    choose n in 1..3 where n <= me.coins\n    pay n from me.coins\n"
    _, asked, paid = program_of(tmp_path, PERMITTED.format(then=then)).sites
    assert (
        settled_branches(asked) == []
    )  # after each possible choice, there must be something to pay with
    assert settled_branches(paid) == [""]
    assert not paid.always


ACTIONS = """token coin
piece Card
    cost: 0..5
    row low, 1
    row high, 4
zone bank: tokens of coin = 40
zone box: set of Card
player
    state points: 0..9
    state food: 0..9 = 2
    state ore: 0..9 = 3
    state stars: 0..9 = 1
    zone coins: tokens of coin = 3
    zone cards: set of Card
    zone played: spot of Card
setup
    move all from Card to box
rule spend(n: 0..9)
    if me.stars > 0
        choose one of
            option "ore alone"
                pay n from me.ore
            option "a star for one"
                pay n - 1 from me.ore
                pay 1 from me.stars
    else
        pay n from me.ore
{action}play
    repeat 4 times
        each player
            choose one of
                do act
                option "pass"
"""
FORESEEN = {
    "a choice of ways, and a condition after it": """action act
    do spend(2)
    needs me.food > 0 else "no food"
    pay 1 from me.food
    add 1 to me.points
""",
    "a member with which the rest can be done": """action act
    choose card in box
    needs card.cost <= me.coins.size else "too dear"
    do spend(1)
    move card to me.cards
    add 1 to me.points
""",
    "an action among the ways, with its parameters": """action buy(card in box)
    pay card.cost from me.ore
    move card to me.cards
action act
    choose one of
        do buy
        option "sell" where me.cards is not empty
            move all from me.cards to box
    needs me.food > 0 else "no food"
    add 1 to me.points
""",
    "what hangs on it comes before and after": """action act
    pay 1 from me.ore
    add 1 to me.points
before act as p
    lose 1 from p.food
after act as p
    add 1 to p.stars
""",
    "what has become of a local": """action act
    let left = me.ore
    lose 1 from left
    let have: set of Card = empty
    choose card in box
    add card to have
    set left to me.food
    needs have.size <= left else "no ore"
    lose card from have
    needs have is empty
    pay 1 from me.ore
    add 1 to me.points
""",
    "what has become of a local of a rule": """rule weigh(card: Card, most: 0..9)
    let weight: 0..20 = most
    add card.cost to weight
    needs weight < 8 else "too heavy"
action act
    let most = me.food
    choose card in box
    do weigh(card, most)
    needs most > 0 else "no food"
    lose 1 from me.food
    add 1 to me.points
""",
    "ways that fail apart": """action act
    if me.food > 1
        needs me.ore > 1 else "no ore"
        choose n in 1..3 where n <= me.ore
        pay n from me.ore
    else if me.food > 0
        pay 1 from me.stars
    else
        needs me.coins is not empty else "no coin"
    lose 1 from me.food
    add 1 to me.points
""",
}


UNSEEN = {
    "what a way changes is asked after it": """action act
    do spend(2)
    needs me.ore > 0 else "no ore"
    add 1 to me.points
""",
    "a local that becomes something else in one way of two": """action act
    let left = me.ore
    if me.food > 1
        lose 2 from left
    needs left > 0 else "no ore"
    lose 1 from me.ore
    lose 1 from me.food
    add 1 to me.points
""",
    "a local that becomes what has changed by then": """action act
    let left = me.food
    lose 1 from me.ore
    set left to me.ore
    needs left > 0 else "no ore"
    add 1 to me.points
""",
    "a local that becomes something else in turns": """action act
    let left = me.ore
    repeat me.food times
        lose 1 from left
    needs left > 0 else "no ore"
    lose 1 from me.ore
    add 1 to me.points
""",
    "a local that may become too much": """action act
    let most: 0..5 = me.ore
    set most to me.ore + me.food
    needs most > 3 else "no ore"
    lose 1 from me.food
    add 1 to me.points
""",
    "and what is asked of what was chosen": """action act
    choose n in 1..3 where n <= me.ore
    pay n from me.ore
    choose m in 1..3 where m <= me.ore
    pay m from me.ore
    add 1 to me.points
""",
}


SOMETIMES = {
    "what comes before it may fail, where it is in play": """power high in p.cards
    before act as p
        pay 1 from p.food
        repeat 2 times
            pay 1 from p.stars
action act
    pay 1 from me.ore
    move up to 1 from box to me.cards
    add 1 to me.points
""",
    "what stands in its place, where it is in play": """power low in p.cards
    instead of act as p
        choose card in p.cards
        needs card.cost < p.food else "no food"
        pay 2 from p.food
action act
    needs me.ore > 0 else "no ore"
    lose 1 from me.ore
    move up to 1 from box to me.cards
    add 1 to me.points
""",
    "one way of two": """action act
    pay 1 from me.ore
    if me.cards is empty
        needs me.food > 1 else "no food"
    else
        repeat 2 times
            pay 1 from me.food
    move up to 1 from box to me.cards
    add 1 to me.points
""",
    "one way of two, in a rule": """rule take(card: Card)
    if card.cost > 2
        repeat 2 times
            pay 1 from me.food
        choose other in me.cards
        lose other.cost from me.ore
action act(card in Card)
    needs me.ore > 0 else "no ore"
    do take(card)
    pay 1 from me.stars
    move card to me.cards
""",
}


@pytest.mark.parametrize("action", SOMETIMES.values(), ids=SOMETIMES)
def test_foreseeable_options_are_not_searched(tmp_path: Path, action: str) -> None:
    program = program_of(tmp_path, ACTIONS.format(action=action))
    site = turn_of(program)
    assert settled_branches(site) == ["pass"]
    assert site.sure is not None
    first, *later = tried_at_each(program, 1)
    offered = 2 if "Card)" in action else 1
    assert first < offered  # of two cards, one must be tried
    assert any(later)


def test_where_a_chosen_card_lies_is_known(tmp_path: Path) -> None:
    action = """zone deck: pile of Card
zone open: spot of Card
setup
    move 1 from box to deck
    each player
        move 1 from box to me.cards
action act(card in list(c in me.cards where c.cost > 0))
    move card to box
    move up to 1 from deck to open
    move all from open to deck
    add 1 to me.points
"""
    text = ACTIONS.format(action=action).replace("cost: 0..5", "cost: 0..5\n    copies = 2")
    program = program_of(tmp_path, text)
    assert not turn_of(program).search


@pytest.mark.parametrize("action", FORESEEN.values(), ids=FORESEEN)
def test_conditions_are_seen_through_choices_and_calls(tmp_path: Path, action: str) -> None:
    program = program_of(tmp_path, ACTIONS.format(action=action))
    assert not turn_of(program).search


@pytest.mark.parametrize("name", [*FORESEEN, *UNSEEN, *SOMETIMES])
def test_preconditions_equal_what_a_search_finds(
    tmp_path: Path, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = ACTIONS.format(action={**FORESEEN, **UNSEEN, **SOMETIMES}[name])
    program = program_of(tmp_path, text)
    for module in (call_options, choosing):
        monkeypatch.setattr(module, "collect_preconditions", lambda *_: Preconditions([], False))
    blind = program_of(tmp_path, text)
    assert settled_branches(turn_of(blind)) == ["pass"] or not turn_of(blind).settled
    one, other = Reference(program), Reference(blind)
    for seed in range(3):
        bots = Generator.seeded(seed)
        cells, beside = one.start(), other.start()
        one.run(cells)
        other.run(beside)
        while not cells[OVER]:
            options = one.options(cells)
            assert options == other.options(beside)
            choice = options[bots.below(len(options))]
            one.advance(cells, choice)
            other.advance(beside, choice)


@pytest.mark.parametrize("action", UNSEEN.values(), ids=UNSEEN)
def test_conditions_that_change_before_use_are_searched(tmp_path: Path, action: str) -> None:
    program = program_of(tmp_path, ACTIONS.format(action=action))
    assert settled_branches(turn_of(program)) == ["pass"]
    assert turn_of(program).always

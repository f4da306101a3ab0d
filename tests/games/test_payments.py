"""Through the Ages: every payment from farms and mines, compared with a search through all moves of tokens (TA-180 to
TA-183).

The search knows only the clause: tokens move to the bank, or from a card to cards of lower worth.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from functools import cache
from itertools import combinations, product
from pathlib import Path
from typing import TypeAlias

import attrs
import pytest

from rulewright.interpreter.matches.game import load_game
from rulewright.interpreter.matches.library import shipped_games
from rulewright.interpreter.matches.state import State
from tests.oracles.through_the_ages.cards import read_tables
from tests.oracles.through_the_ages.glass import Glass, glass_of
from tests.oracles.through_the_ages.setup import new_table
from tests.oracles.through_the_ages.state import Table
from tests.oracles.through_the_ages.tokens import payments, purse

WORTHS = {"bronze": 1, "iron": 2, "coal": 3, "oil": 5}
Tokens: TypeAlias = tuple[int, ...]
HIGHEST_PRICE = 14


@attrs.frozen
class Position:
    """Some mines by increasing worth, the tokens on them, and those in the bank."""

    mines: tuple[str, ...]
    tokens: Tokens
    bank: int

    @property
    def worths(self) -> Tokens:
        """The worth of a token on each mine."""
        return tuple(WORTHS[name] for name in self.mines)

    def worth(self, tokens: Tokens) -> int:
        """The total worth of the tokens on the mines."""
        return sum(one * number for one, number in zip(self.worths, tokens, strict=True))


def positions() -> Iterator[Position]:
    """Every set of mines with Bronze, up to 3 tokens on each, up to 3 in the bank."""
    for number in range(len(WORTHS)):
        for others in combinations(("iron", "coal", "oil"), number):
            mines = ("bronze", *others)
            for tokens in product(range(4), repeat=len(mines)):
                for bank in range(4):
                    yield Position(mines, tokens, bank)


def prices(position: Position) -> range:
    """The total that can be paid."""
    return range(1, min(HIGHEST_PRICE, position.worth(position.tokens)) + 1)


def reachable_tokens(position: Position) -> set[Tokens]:
    """All possible tokens on the mines after moves to the bank or to mines of lower worth."""
    found = {(position.tokens, position.bank)}
    waiting = [*found]
    while waiting:
        tokens, bank = waiting.pop()
        for place, number in enumerate(tokens):
            if number:
                taken = (*tokens[:place], number - 1, *tokens[place + 1 :])
                for after in exchanges(taken, bank + 1, place, position.worths[place], position):
                    if after not in found:
                        found.add(after)
                        waiting.append(after)
    return {tokens for tokens, _ in found}


def exchanges(
    tokens: Tokens, bank: int, below: int, worth: int, position: Position
) -> Iterator[tuple[Tokens, int]]:
    """A token that was taken is exchanged for lower tokens that are worth less in total."""
    yield tokens, bank
    for place in range(below):
        left = worth - position.worths[place]
        if bank and left >= 0:
            more = (*tokens[:place], tokens[place] + 1, *tokens[place + 1 :])
            yield from exchanges(more, bank - 1, place + 1, left, position)


def paid_in_model(position: Position, price: int) -> set[Tokens]:
    """The remaining tokens after each payment that the model allows."""
    table = model_table()
    player = table.players[0]
    player.workers = dict.fromkeys(position.mines, 0)
    player.tokens.clear()
    player.tokens.update(dict(zip(position.mines, position.tokens, strict=True)))
    player.blue_bank = position.bank
    found: set[Tokens] = set()
    for way in payments(table, player, "resources", price):
        left = dict(player.tokens)
        cards = [card.id for card in purse(table, player, "resources")]
        holding = [name for name in reversed(cards) if player.tokens[name]]
        for name, number in zip(holding, way.given, strict=True):
            left[name] -= number
        for name, number in zip(cards, way.change, strict=True):
            left[name] += number
        assert sum(left.values()) <= sum(position.tokens) + position.bank
        found.add(tuple(left[name] for name in position.mines))
    return found


@cache
def model_table() -> Table:
    """The model; its first player has the last given tokens."""
    return new_table(read_tables(), 2, "full", lambda _, cards: list(cards))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("every", "counted"), [(7, (3061, 11)), pytest.param(1, (21_432, 69), marks=pytest.mark.deep)]
)
def test_the_model_pays_as_the_clause_says(every: int, counted: tuple[int, int]) -> None:
    """Those of all moves of tokens that pay the price, or the least amount above it; for a sample of the positions."""
    asked = without_exact = 0
    for position in list(positions())[::every]:
        whole = position.worth(position.tokens)
        drops: dict[int, set[Tokens]] = {}
        for tokens in reachable_tokens(position):
            drops.setdefault(whole - position.worth(tokens), set()).add(tokens)
        for price in prices(position):
            least = min(drop for drop in drops if drop >= price)
            found = paid_in_model(position, price)
            assert found, (position, price)
            assert found <= drops[least], (position, price)
            asked += 1
            without_exact += least > price
    assert (asked, without_exact) == counted


# ---- The game ----------------------------------------------------------------------------------------

HARNESS = """play
    set current to starter
    as starter
        choose others in 0..7
        if others in (1, 3, 5, 7)
            surely move iron from civil_deck(i) to me.technologies
        if others in (2, 3, 6, 7)
            surely move coal from civil_deck(ii) to me.technologies
        if others > 3
            surely move oil from civil_deck(iii) to me.technologies
        repeat 9 times
            choose price in 1..14
            do lose_stock(resources, price)

"""
"""Only payments: first the mines are given, then one price after the other."""


@attrs.frozen
class Payer:
    """The game, in which players only pay."""

    begun: State
    glass: Glass

    def at(self, position: Position) -> State:
        """The game before a price is chosen."""
        place = sum(
            1 << n for n, name in enumerate(("iron", "coal", "oil")) if name in position.mines
        )
        state = self.begun.choose(str(place))
        payer = state.players[state.player]
        cells = state.cells[:]
        cells[self.glass.tokens["blue_bank", payer, ""]] = position.bank
        for piece in self.glass.pieces(state, "technologies", payer):
            (name,) = self.glass.piece_names([piece])
            if name in position.mines:
                cell = self.glass.cell_on(piece, "stored", "FarmMine")
                cells[cell] = position.tokens[position.mines.index(name)]
        return state.with_cells(cells)

    def payments(self, position: Position, before: State, price: int) -> set[Tokens]:
        """The remaining tokens after each payment that the game offers; each decision has several options."""
        found: set[Tokens] = set()
        waiting = [before.choose(str(price))]
        while waiting:
            state = waiting.pop()
            if state.decision.prompt != before.decision.prompt:
                if len(state.option_ids) < 2:
                    raise ValueError(f"{position}, {price}: {state.decision.prompt}")
                waiting += [state.take(option) for option in state.option_ids]
                continue
            payer = state.players[state.player]
            left = {
                self.glass.piece_names([piece])[0]: self.glass.on(
                    state, piece, "stored", "FarmMine"
                )
                for piece in self.glass.pieces(state, "technologies", payer)
                if self.glass.kind(piece) == "FarmMine"
            }
            bank = self.glass.count(state, "blue_bank", payer)
            if bank + sum(left.values()) != position.bank + sum(position.tokens):
                raise ValueError(f"{position}, {price}: tokens are lost")
            found.add(tuple(left[name] for name in position.mines))
        return found


@pytest.fixture(scope="module")
def payer(tmp_path_factory: pytest.TempPathFactory) -> Payer:
    folder = tmp_path_factory.mktemp("payments")
    shutil.copytree(shipped_games()["through_the_ages"].parent, folder, dirs_exist_ok=True)
    path = folder / "through_the_ages.game"
    rules = path.read_text(encoding="utf-8")
    first, last = rules.index("\nplay ") + 1, rules.index("rule first_turn")
    path.write_text(rules[:first] + HARNESS + rules[last:], encoding="utf-8")
    begun = load_game(Path(path)).start(2, 0, {"mode": "full"})
    return Payer(begun, glass_of(begun.compiled))


def differences(payer: Payer, every: int) -> tuple[int, list[str]]:
    """Compares the game with the model, for a sample of the positions; returns the number of payments and the
    differences."""
    number, found = 0, []
    for position in list(positions())[::every]:
        before = payer.at(position)
        for price in prices(position):
            number += 1
            game, model = payer.payments(position, before, price), paid_in_model(position, price)
            if game != model:
                found.append(f"{position}, {price}: game {game}, model {model}")
    return number, found


@pytest.mark.slow
def test_the_game_pays_as_the_model_does(payer: Payer) -> None:
    number, found = differences(payer, 21)
    assert not found, found[:5]
    assert number > 1000


@pytest.mark.deep
def test_the_game_pays_as_the_model_does_everywhere(payer: Payer) -> None:
    number, found = differences(payer, 1)
    assert not found, found[:5]
    assert number == 21_432

"""Games of the library agree with the numbers of small models in plain Python, which know only the rulebooks."""

from __future__ import annotations

import random
from collections.abc import Sequence
from functools import partial

import attrs
import pytest

from rulewright.interpreter.matches.state import State
from rulewright.interpreter.testing.perft import count_tree, perft
from tests.games.variants import game_named
from tests.oracles import library, library_matches
from tests.oracles.counting_sequences import Rules, counts, results


@attrs.frozen
class Counted:
    """The first choices of a match, and the number of counted ones."""

    depth: int
    players: int = 2
    chance: bool = False
    """The results of chance count as choices."""


FIRST_CHOICES: dict[str, Counted] = {
    "beetle_race": Counted(5),
    "dyers": Counted(3),
    "four_terraces": Counted(5, chance=True),
    "harbor_watch": Counted(6, players=5),
    "quay_street": Counted(3, players=3),
    "seven_fields": Counted(3),
    "seven_passes": Counted(3),
    "skat": Counted(2, players=3),
    "spades": Counted(3, players=4),
}


@pytest.mark.parametrize("game", FIRST_CHOICES)
def test_first_choices_have_the_number_of_the_model(game: str) -> None:
    counted = FIRST_CHOICES[game]
    rules: Rules[None] = getattr(library, game)
    start = game_named(game).start(counted.players, chance="manual" if counted.chance else "seeded")
    assert list(perft(start, counted.depth)) == counts(rules, counted.depth)


@pytest.mark.parametrize(("wild", "ones_are_wild"), [("ones", True), ("none", False)])
def test_rounds_of_dice_under_cups_are_won_as_often_as_in_the_model(
    wild: str, ones_are_wild: bool
) -> None:
    """There are 63 ways to bid with three faces, in 18 rolls of two dice and a start player."""
    options = {"dice_each": "1", "faces": "3", "length": "one_round", "wild": wild}
    tree = count_tree(game_named("liars_dice").start(2, options=options, chance="manual"))
    model = partial(library.liars_dice, faces=3, ones_are_wild=ones_are_wild)
    assert tree.ends == 63 * 18
    assert dict(tree.results) == {(seat,): ends for seat, ends in results(model).items()}


@pytest.mark.parametrize("ties", ["lost", "stay"])
def test_bids_for_three_prizes_are_won_as_often_as_in_the_model(ties: str) -> None:
    """Three prizes come in 6 orders, and each player bids in 6 orders."""
    options = {"cards": "3", "ties": ties}
    tree = count_tree(game_named("goofspiel").start(2, options=options, chance="manual"))
    assert tree.ends == 6**3
    assert dict(tree.results) == library.goofspiel(3, ties == "stay")


@pytest.mark.parametrize(
    ("turned", "passes", "turns"), [(1, 3, 72), (3, 3, 24), (1, 1, 24), (3, 1, 8)]
)
def test_the_stock_of_a_patience_is_gone_through_as_often_as_is_allowed(
    turned: int, passes: int, turns: int
) -> None:
    """24 cards are in the stock, since 28 of 52 lie in the columns."""
    options = {"turned": str(turned), "passes": str(passes)}
    state, times = game_named("klondike").start(1, options=options), 0
    while not state.over and "turn_cards" in state.decision.names:
        state = state.choose("turn_cards")
        times += 1
    assert times == turns


def test_a_match_of_fires_lasts_a_turn_more_after_the_last_log() -> None:
    """Of 48 logs ten are in two hands. One player gives hints, and the other discards and draws 38 times; two turns
    are left."""
    state, turns = game_named("signal_fires").start(2), 0
    while not state.over:
        names = state.decision.names
        told = [name for name in names if name.startswith("hint_")]
        burns = [name for name in names if name.startswith("burn")]
        state = state.choose(burns[0] if turns % 2 else told[0])
        turns += 1
    assert turns == 2 * 38 + 2


@pytest.mark.parametrize("seed", range(4))
def test_the_first_hands_of_a_town_buy_what_seven_coins_buy(seed: int) -> None:
    """Ten cards make two hands, so seven pennies are 2 and 5 coins, or 3 and 4.

    Besides the end of the turn, 5 cards cost at most 2, 3 more cost 3, 4 more cost 4 and 3 more cost 5."""
    state = game_named("harbor_town").start(2, seed)
    offered: dict[int, list[int]] = {0: [], 1: []}
    for _ in range(4):
        state = state.choose("go_on_to_buying")
        offered[state.player].append(len(state.option_ids))
        state = state.choose("end_the_turn")
    options = {2: 6, 3: 9, 4: 13, 5: 16}
    possible = [[options[coins], options[7 - coins]] for coins in options]
    assert offered[0] in possible
    assert offered[1] in possible


VILLAGES = ("alkum", "besse", "corde", "dollum", "everd", "frane", "gorse", "halm")


def test_steps_between_dikes_have_the_number_of_the_model() -> None:
    start = next(
        state
        for seed in range(20)
        for state in [game_named("dike_watch").start(2, seed)]
        if all(card.startswith("rain") for card in _pieces(state, "sky")[-8:])
    )
    levels = {
        value.place.of: value for value in start.view(-2).values if value.place.name == "water"
    }
    water = [int(levels[village].text) for village in VILLAGES]
    rain = [
        VILLAGES.index(card.removeprefix("rain_on_"))
        for card in reversed(_pieces(start, "sky")[-8:])
    ]
    model = partial(library.dike_watch, water=water, rain=rain)
    assert list(perft(start, 5)) == counts(model, 5)


def _pieces(state: State, zone: str, owner: int = -1) -> list[str]:
    (found,) = (
        seen
        for seen in state.view(-2).zones
        if (seen.place.name, seen.place.owner_id) == (zone, owner)
    )
    return [piece.name for piece in found.pieces]


@pytest.mark.parametrize("seed", range(3))
def test_lines_and_orders_count_as_in_the_model(seed: int) -> None:
    generator = random.Random(seed)
    state = game_named("narrow_gauge").start(2, seed)
    built: dict[int, list[tuple[str, str]]] = {0: [], 1: []}
    while not state.over:
        names = state.decision.names
        builds = [name for name in names if name.startswith("build")]
        chosen = generator.choice(builds or names)
        if chosen in builds:
            one, other = chosen.removeprefix("build(").split(",")[0].split("_")
            built[state.player].append((one, other))
        state = state.choose(chosen)
    for player in (0, 1):
        towns = [order.split("_to_") for order in _pieces(state, "kept", player)]
        lines, met = library.narrow_gauge(built[player], [(one, other) for one, other in towns])
        assert dict(state.scores.players[player].items) == {"lines": lines, "orders": met}


class _Table:
    """A match that is played in parallel with a model."""

    def __init__(self, game: str, players: int, seed: int) -> None:
        self.state = game_named(game).start(players, seed)
        self._generator = random.Random(seed)

    def number(self, value: str) -> int:
        """The number of the player whom a value names, from 0."""
        (found,) = (shown.text for shown in self.state.view(-2).values if shown.place.name == value)
        return int(found.removeprefix("player ")) - 1

    def bits(self, player: int) -> list[str]:
        """The bits that a player has drawn or will draw, in order."""
        drawn = _pieces(self.state, "pots", player)
        return [*drawn, *reversed(_pieces(self.state, "bag", player))]

    def play(self, model: library_matches.Match) -> library_matches.Scores:
        """Choose at random to the end; returns the scores of the model."""
        asked = next(model)
        while True:
            player, options = asked
            assert (self.state.player, sorted(self.state.decision.names)) == (
                player,
                sorted(options),
            )
            choice = self._generator.choice(options)
            self.state = self.state.choose(choice)
            try:
                asked = model.send(choice)
            except StopIteration as end:
                scores: library_matches.Scores = end.value
                return scores

    def agrees(self, scores: library_matches.Scores, ties: Sequence[int] = ()) -> bool:
        """Whether the match has ended with these scores, and with the best as its winners."""
        best = [
            (sum(own.values()), tie)
            for own, tie in zip(scores, ties or [0] * len(scores), strict=True)
        ]
        winners = tuple(player for player, own in enumerate(best) if own == max(best))
        found = [dict(own.items) for own in self.state.scores.players]
        return self.state.over and found == scores and self.state.winners == winners


@pytest.mark.parametrize("players", [3, 5, 6, 7])
def test_bags_and_pennies_are_those_of_the_model(players: int) -> None:
    table = _Table("hot_chestnuts", players, players)
    order = [*_pieces(table.state, "offer"), *reversed(_pieces(table.state, "sack"))]
    bags = [int(bag.removeprefix("bag_")) for bag in order]
    model = library_matches.hot_chestnuts(players, bags, table.number("starter"))
    assert len(bags) == 24
    assert table.agrees(table.play(model))


@pytest.mark.parametrize("players", [1, 2, 4])
def test_firings_and_purchases_are_those_of_the_model(players: int) -> None:
    table = _Table("kiln", players, players)
    assert table.agrees(table.play(library_matches.kiln(players, table.bits)))


@pytest.mark.parametrize(("players", "seed"), [(2, 1), (2, 2), (3, 3), (4, 4), (4, 5)])
def test_seasons_of_a_valley_are_those_of_the_model(players: int, seed: int) -> None:
    table = _Table("mill_valley", players, seed)
    plans = [*_pieces(table.state, "open_plans"), *reversed(_pieces(table.state, "plans"))]
    scores = table.play(library_matches.mill_valley(players, plans, table.number("mayor")))
    built = [len(_pieces(table.state, "built", player)) for player in range(players)]
    assert table.agrees(scores, built)


@pytest.mark.parametrize("seed", range(2))
def test_plays_of_two_dice_are_those_of_the_model(seed: int) -> None:
    """After each roll both reach the same number of different boards."""
    generator = random.Random(seed)
    state, board = game_named("backgammon").start(2, chance="manual"), library.backgammon_start()
    for turn in range(16):
        faces = range(1, 7)
        dice = generator.choices(faces, k=2) if turn else generator.sample(faces, 2)
        state = state.take(dice[0] - 1).take(dice[1] - 1)
        plays = library.backgammon_plays(board, *dice)
        assert _different_ends(state) == len(plays), (turn, dice, board)
        while not state.at_chance:
            choice = generator.choice(state.decision.names)
            board = _board_after(board, choice)
            state = state.choose(choice)
        assert board in plays
        board = board[1][::-1], board[0][::-1]


def _different_ends(state: State) -> int:
    """The number of different positions before the next roll that the choices can lead to."""
    ends: set[bytes] = set()
    waiting = {state.cells.tobytes(): state}
    while waiting:
        following: dict[bytes, State] = {}
        for cells, now in waiting.items():
            if now.at_chance:
                ends.add(cells)
            else:
                for option in now.option_ids:
                    after = now.take(option)
                    following[after.cells.tobytes()] = after
        waiting = following
    return len(ends)


def _board_after(board: library.Board, choice: str) -> library.Board:
    """The board after a choice such as `run(6, 2)`, which the model must also offer."""
    _word, _, numbers = choice.removesuffix(")").partition("(")
    *start, die = map(int, numbers.split(", "))
    point = start[0] if start else 25
    (after,) = (
        after
        for after in library.backgammon_moves(board, die)
        if after[0][point] == board[0][point] - 1
    )
    return after

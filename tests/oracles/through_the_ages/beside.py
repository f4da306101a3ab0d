"""The shipped game and the model, played step by step side by side with the same chance.

This module knows the names of options and places in the game.
"""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Iterator

import attrs

from rulewright.interpreter.engines.engines import EngineName
from rulewright.interpreter.matches.game import Game
from rulewright.interpreter.matches.state import State
from tests.oracles.through_the_ages.cards import Tables
from tests.oracles.through_the_ages.game import Match
from tests.oracles.through_the_ages.glass import Glass, glass_of
from tests.oracles.through_the_ages.positions import differences
from tests.oracles.through_the_ages.state import Decision, Mode, Option

NUMERALS = {"A": "a", "I": "i", "II": "ii", "III": "iii"}

# ---- Names of options ------------------------------------------------------------------------------------

BARE = frozenset(
    [
        "give",
        "put",
        "to",
        "from",
        "keep",
        "under",
        "annex",
        "lose",
        "raid",
        "turn_down",
        "ruin",
        "drop",
        "train_now",
    ]
)
"""The model's words for a choice of a thing or a number, for which the game uses only the name."""
SYNONYMS = {
    "use_1_food_as_1_resource": "exchange",
    "use_1_resource_as_1_food": "exchange",
    "exchange_nothing": "pay_without",
    "gain_food": "food",
    "gain_resources": "resources",
    "score_3_culture": "score_culture",
    "bring_settlers": "settle",
    "no_political_action": "pass",
    "do_none_of_it": "pass",
    "no_more_cards": "done",
    "take_no_more": "done",
    "colonize": "done",
    "build_urban": "build",
    "build_farm_or_mine": "build",
    "upgrade_urban": "upgrade",
    "upgrade_farm_or_mine": "upgrade",
    "upgrade_building": "upgrade",
    "leave_with_a_token": "alexander",
    "accept_the_pact": "accept",
    "refuse_the_pact": "refuse",
    "declare_common_war": "declare_over_culture",
    "take_science": "science",
}


def words_of_model(options: tuple[Option, ...]) -> dict[str, Option]:
    """The options by words that both share."""
    return {word_of(option): option for option in options}


def word_of(option: Option) -> str:
    """An option in shared words."""
    match option:
        case ("take", str(card), int(space)):
            return f"take({card}, {space})"
        case ("attack" | "declare" | "declare_over_culture" | "offer", str(card), int(seat)):
            head = "offer_pact" if option[0] == "offer" else option[0]
            return f"{head}({card}, seat_{seat + 1})"
        case ("cancel", str(card)):
            return f"cancel_pact({card})"
        case ("you_are", str(side)):
            return f"you_are_{side}"
        case ("food" | "resources", int(number)):
            return str(number)
        case (str(head), one) if head in BARE:
            return str(one)
        case (str(head),):
            return head
        case (str(head), one):
            return f"{head}({one})"
        case _:
            raise AssertionError(option)


def words_of_game(names: list[str]) -> dict[str, int]:
    """The options of the game by shared words; for copies, the first one."""
    found: dict[str, int] = {}
    for place, name in enumerate(names):
        head, _, rest = name.partition("(")
        word = SYNONYMS.get(head, head) + (f"({rest}" if rest else "")
        found.setdefault(re.sub(r"#\d+", "", word), place)
    return found


# ---- Both together -----------------------------------------------------------------------------------------


@attrs.frozen
class Difference:
    """The first difference of the two, as a small report."""

    variant: str
    seed: int
    decision: int
    shown: tuple[str, ...]

    def __str__(self) -> str:
        return "\n".join(
            (f"{self.variant}, seed {self.seed}, decision {self.decision}", *self.shown)
        )


@attrs.define
class Shuffled:
    """A shuffle of the game: the state before it, and its result."""

    state: State
    results: list[int]

    def order(self, pile: list[str]) -> list[str]:
        """The pile after it, the top one first; given from bottom to top."""
        cards = list(pile)
        for last, result in zip(range(len(cards) - 1, 0, -1), self.results, strict=True):
            cards[last], cards[result] = cards[result], cards[last]
        return cards[::-1]


@attrs.define(eq=False)
class Beside:
    """One match in both."""

    glass: Glass
    state: State
    chance: random.Random
    before: State
    shuffles: list[Shuffled] = attrs.field(factory=list)
    recent: list[str] = attrs.field(factory=list)

    def settle(self) -> None:
        """Answer chance and decisions with one option until there is a real decision."""
        running: Shuffled | None = None
        while not self.state.over:
            state = self.state
            offered = state.option_ids
            if state.at_chance:
                result = self.chance.randrange(len(offered))
                site = state.compiled.program.chances[state.decision.number]
                if site.purpose == "shuffle":
                    if running is None:
                        running = Shuffled(state, [])
                        self.shuffles.append(running)
                    running.results.append(result)
                    if len(offered) == 2:
                        running = None
                self.state = state.take(offered[result])
                continue
            if len(offered) > 1 and len(words_of_game(state.decision.names)) > 1:
                return
            self.state = state.take(offered[0])

    def choose(self, place: int) -> None:
        """Take an option, and continue to the next decision."""
        self.before = self.state
        self.shuffles.clear()
        self.state = self.state.take(self.state.option_ids[place])
        self.settle()

    def empty_banks(self, match: Match, left: int, sort: str) -> None:
        """In both, move blue tokens of each bank to the best farm or mine until this many are left."""
        cells, g = self.state.cells[:], match.table
        for player, name in zip(g.players, self.state.players, strict=True):
            fields = [g.card(one) for one in player.workers if g.card(one).type == sort]
            if fields and player.blue_bank > left:
                best = max(fields, key=lambda card: card.level).id
                (piece,) = (
                    one
                    for one in self.glass.pieces(self.state, "technologies", name)
                    if self.glass.piece_names([one]) == [best]
                )
                moved, player.blue_bank = player.blue_bank - left, left
                player.tokens[best] += moved
                cells[self.glass.cell_on(piece, "stored", "FarmMine")] += moved
                cells[self.glass.tokens["blue_bank", name, ""]] = left
        self.state = self.state.with_cells(cells)

    def shuffle(self, label: str, cards: list[str]) -> list[str]:
        """The order that chance has given to the game."""
        if len(cards) < 2:
            return list(cards)
        found = self._order(label, cards)
        if Counter(found) != Counter(cards):
            wrong = Counter(found) - Counter(cards), Counter(cards) - Counter(found)
            raise LookupError(f"{label}: only in the game {wrong[0]}, only in the model {wrong[1]}")
        return found

    def _order(self, label: str, cards: list[str]) -> list[str]:
        glass, state = self.glass, self.state
        match label.split():
            case ["starting", "player"]:
                starter = int(glass.value(state, "starter").removeprefix("seat_")) - 1
                return [str(starter), *(seat for seat in cards if seat != str(starter))]
            case ["civil", "A"]:
                return (
                    glass.cards(state, "card_row") + glass.cards(state, "civil_deck", "", "a")[::-1]
                )
            case ["military", "A"]:
                top = glass.cards(state, "current_events")[::-1]
                return top + list((Counter(cards) - Counter(top)).elements())
            case ["end-of-game", "events"]:
                return self._end_of_game_events(cards)
            case ["civil" | "military" as deck, age]:
                return self._deck(f"{deck}_deck", NUMERALS[age], cards)
            case ["military", age, "again"]:
                return self._next_shuffle("military_deck", NUMERALS[age])
            case ["future", "events"]:
                # The pile sorted by age; for equal ages the order is reversed.
                return self._next_shuffle("current_events")[::-1]
            case ["kept", "events"]:
                return self._next_shuffle("last_events")
            case _:
                raise AssertionError(label)

    def _end_of_game_events(self, cards: list[str]) -> list[str]:
        players = self.state.players
        starter = int(self.glass.value(self.state, "starter").removeprefix("seat_")) - 1
        found: list[str] = []
        for player in players[starter:] + players[:starter]:
            found += self.glass.cards(self.state, "dealt", player)
        found += self.glass.cards(self.state, "common_events")
        return found + list((Counter(cards) - Counter(found)).elements())

    def _deck(self, name: str, age: str, cards: list[str]) -> list[str]:
        """A deck as it lay before the last step, without what has been trimmed since (TA-399)."""
        glass = self.glass
        pile = glass.pieces(self.before, name, "", age)[::-1]
        surplus = Counter(glass.piece_names(pile)) - Counter(cards)
        gone = set(glass.pieces(self.state, "box")) | set(glass.pieces(self.state, "military_box"))
        left = [
            piece
            for piece in pile
            if piece not in gone or not surplus[glass.piece_names([piece])[0]]
        ]
        return glass.piece_names(left)

    def _next_shuffle(self, name: str, index: str = "") -> list[str]:
        one = self.shuffles.pop(0)
        return one.order(self.glass.cards(one.state, name, "", index))


# ---- Playing --------------------------------------------------------------------------------------------------

SELDOM = {"resign": 0.01, "destroy": 0.05, "disband": 0.05, "end_the_turn": 0.3, "pass": 0.4}
OFTEN = {
    "build": 2.0,
    "build_stages": 20.0,
    "develop": 6.0,
    "grow": 2.0,
    "lead": 4.0,
    "play_card": 2.0,
    "revolt": 4.0,
    "to_theater": 6.0,
    "train": 2.0,
    "upgrade": 2.0,
    "upgrade_unit": 4.0,
    "put_homer_under_a_wonder": 3.0,
}
RARE = frozenset(("air_forces", "annex_ii", "internet", "trade_routes_agreement"))


def weight(option: Option, seed: int) -> float:
    """The weights of random choices: in most matches such that civilizations grow."""
    head = str(option[0])
    if seed % 4 == 0:
        return 0.01 if head == "resign" else 1.0
    rare = 10.0 if RARE.intersection(option) else 1.0
    return rare * (SELDOM.get(head) or OFTEN.get(head) or 1.0)


def start(
    game: Game, players: int, options: dict[str, str], engine: EngineName, seed: int
) -> Beside:
    """The game at its first decision."""
    state = game.start(players, seed, options, engine, chance="manual")
    beside = Beside(glass_of(state.compiled), state, random.Random(seed), state)
    beside.settle()
    return beside


def compare(
    game: Game,
    tables: Tables,
    players: int,
    options: dict[str, str],
    seed: int,
    engine: EngineName = "python",
    *,
    short_of_blue: bool = False,
) -> tuple[int, Difference | None]:
    """Play one match in both; returns the number of decisions and the first difference.

    With `short_of_blue`, banks are emptied at the end of turns, so that there is little change."""
    beside = start(game, players, options, engine, seed)
    mode = options.get("mode", "full")
    quiet = mode == "peaceful_with_pacts"
    match = Match(
        tables,
        players,
        MODES[mode],
        beside.shuffle,
        global_conflict=options.get("global_conflict") == "yes",
        quiet_pacts=quiet,
    )
    beside.shuffles.clear()
    chance = random.Random(seed)
    variant = f"{players} players, {options}"
    for number in range(100_000):
        shown = tuple(parting(beside, match))
        if shown:
            if match.decision is not None and not beside.state.over:
                beside.recent.append(
                    f"  {number}: {match.decision.about} / {beside.state.decision.prompt}"
                )
            return number, Difference(variant, seed, number, (*shown, *beside.recent[-12:]))
        if match.decision is None:
            return number, None
        mine = words_of_model(match.decision.options)
        names = list(mine)
        (name,) = chance.choices(names, [weight(mine[one], seed) for one in names])
        asked = f"{match.decision.about} / {beside.state.decision.prompt}"
        beside.recent.append(f"  {number}: player {match.decision.player + 1} {name} ({asked})")
        if short_of_blue and name == "end_the_turn":
            beside.empty_banks(match, number % 4, "mine" if number % 3 else "farm")
        try:
            beside.choose(words_of_game(beside.state.decision.names)[name])
            match.apply(mine[name])
        except Exception as fault:
            report = f"{type(fault).__name__}: {fault}"
            return number, Difference(variant, seed, number, (report, *beside.recent[-12:]))
    raise AssertionError("the game does not end")


MODES: dict[str, Mode] = {
    "full": "full",
    "first_game": "first_game",
    "shorter": "shorter",
    "peaceful": "peaceful",
    "peaceful_with_pacts": "peaceful",
}


def parting(beside: Beside, match: Match) -> Iterator[str]:
    """The current differences of the two."""
    state, decision = beside.state, match.decision
    yield from differences(beside.glass, state, match.table)
    if state.over or decision is None:
        if not state.over:
            yield f"only the model is over; the game asks {state.decision.names}"
        elif decision is not None:
            yield f"only the game is over; the model asks {decision}"
        elif list(state.winners) != match.table.winners:
            yield f"winners: game {state.winners}, model {match.table.winners}"
        return
    yield from _unlike(state, decision)


def _unlike(state: State, decision: Decision) -> Iterator[str]:
    mine = words_of_model(decision.options)
    theirs = words_of_game(state.decision.names)
    if state.player != decision.player:
        yield f"who decides: game {state.player + 1}, model {decision.player + 1}"
    if state.player != decision.player or mine.keys() != theirs.keys():
        yield f"asked: game {state.decision.prompt!r}, model {decision.about!r}"
        yield f"only in the game: {sorted(theirs.keys() - mine.keys())}"
        yield f"only in the model: {sorted(mine.keys() - theirs.keys())}"

"""The names of the shipped game in the words of the model, and its cells as a position.

The only module of the model that knows the names in the shipped game; independent of the rules.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property

import attrs

from rulewright.dsl.ir import Kept
from rulewright.interpreter.matches.state import State
from rulewright.interpreter.views.compiled_game import CompiledGame
from tests.oracles.colonial.decisions import Option, seat_name
from tests.oracles.colonial.position import Position
from tests.oracles.colonial.tables import TRACKS
from tests.oracles.colonial.trade import is_abolished

HEADS = {
    "take_home": "company",
    "a_trading_post_on": "trading_post",
    "conquistadors_on": "conquistadors",
    "declare_war": "war",
    "move_goods_of": "goods_of",
}
"""Options with different names in the game and in the model."""
BARE = {
    "advance",
    "buy_merchant_fleets",
    "buy_squadrons",
    "create_city",
    "explore",
    "move_goods",
    "move_right_on_the_diplomacy_track",
    "offer_treasures_for_it",
    "oppression_remove_unrest",
    "pay",
    "place_1_treasure_on",
    "plantation_take_1_merchant_fleet_from",
    "remove_1_unrest_from",
    "send_viceroy",
    "take_a_loan_of",
    "take_nation",
}
"""Options that are only named by their argument."""
WORDS: dict[str, Option] = {
    "plunder": ("yes",),
    "a_city_of_the_value_paid": ("no",),
    "a_historical_city_worth_1_more": ("yes",),
    "buy_no_merchant_fleet": (0,),
    "buy_no_squadron": (0,),
    "do_not_roll_again": ("no",),
    "do_not_sail_round_the_world": ("no",),
    "end_your_play": ("done",),
    "keep_the_roll": ("no",),
    "lose_1_prestige": ("lose",),
    "move_no_more_goods": ("done",),
    "move_nobody_on_the_diplomacy_track": ("none",),
    "no_company": ("no",),
    "no_oppression": (0,),
    "no_plunder": ("no",),
    "no_more_plantation": ("none",),
    "nobody_stays": ("nobody",),
    "pay_treasures_for_your_empire": ("pay",),
    "place_no_more": ("done",),
    "remove_no_unrest": ("none",),
    "roll_all_your_dice_at_sea_again": ("yes",),
    "roll_once_more": ("yes",),
    "sail_round_the_world": ("yes",),
    "ship_no_more": ("done",),
}


def in_words_of_the_model(name: str) -> Option:
    """An option of the game as an option of the model."""
    head, _, rest = name.partition("(")
    arguments = tuple(map(_argument, rest.removesuffix(")").split(", "))) if rest else ()
    if not arguments:
        return WORDS.get(head, (_argument(head),))
    return arguments if head in BARE else (HEADS.get(head, head), *arguments)


def _argument(text: str) -> str | int:
    if text.startswith("seat_"):
        return seat_name(int(text.removeprefix("seat_")) - 1)
    return int(text) if text.isdecimal() else text


@attrs.frozen(eq=False)
class Reader:
    """Reads the states of one variant of the shipped game."""

    compiled: CompiledGame
    _names: dict[tuple[int, int], Option] = attrs.field(init=False, factory=dict)

    def open_options(self, state: State) -> dict[Option, int]:
        """The open options and their numbers."""
        site = state.decision.number
        return {self._option(site, number): number for number in state.option_ids}

    def _option(self, site: int, number: int) -> Option:
        found = self._names.get((site, number))
        if found is None:
            name = self.compiled.words.option(site, number)
            found = self._names[site, number] = in_words_of_the_model(name)
        return found

    @cached_property
    def _kept(self) -> dict[tuple[str, str], Kept]:
        return {(kept.owner, kept.name): kept for kept in self.compiled.program.kept}

    @cached_property
    def _rows(self) -> dict[str, dict[str, int]]:
        """The place of each row of a kind of spaces."""
        return {
            space.name: {name: place for place, name in enumerate(space.rows)}
            for space in self.compiled.program.spaces
        }

    def _cell(self, owner: str, name: str, place: int = 0) -> int:
        kept = self._kept[owner, name]
        return kept.base + place * kept.stride

    def _list(self, state: State, owner: str, name: str, place: int) -> list[int]:
        cell = self._cell(owner, name, place)
        return list(state.cells[cell + 1 : cell + 1 + state.cells[cell]])

    def differences(self, state: State, position: Position) -> Iterator[str]:
        """The differences between the game and the model."""
        here, there = [state.cells[cell] for cell in self._cells], self._numbers(position)
        if here != there:
            for name, one, other in zip(self._labels, here, there, strict=True):
                if one != other:
                    yield f"{name}: game {one}, model {other}"
        for player, seat in enumerate(position.seats):
            loans = self._list(state, "player", "loans", player)
            if loans != seat.loans:
                yield f"loans of {seat_name(player)}: game {loans}, model {seat.loans}"
            prestige = self.prestige(state, player)
            if prestige != seat.prestige:
                yield f"prestige of {seat_name(player)}: game {prestige}, model {seat.prestige}"
        for space, place in self._rows["Resource"].items():
            stack = self._list(state, "Resource", "stack", place)
            if stack != position.stacks.get(space, []):
                yield f"stack of {space}: game {stack}, model {position.stacks.get(space)}"
        known = self.compiled.words.name(
            self._kept["", "america"].domain, state.cells[self._cell("", "america")]
        )
        if (known != "unknown") != position.america_discovered:
            yield f"America: game {known}, model {position.america_discovered}"

    @cached_property
    def _places(self) -> list[tuple[str, int]]:
        """The compared numbers and their places, in the order of `_numbers`."""
        found = []
        for player in range(self.compiled.program.seats):
            for name in (
                "treasury",
                "merchant_fleets",
                "squadrons",
                "goods",
                "diplomacy",
                "nation",
            ):
                found.append((f"{name} of {seat_name(player)}", self._cell("player", name, player)))
            steps = self._cell("player", "step", player)
            found += [
                (f"{track} of {seat_name(player)}", steps + n) for n, track in enumerate(TRACKS)
            ]
        for territory, place in self._rows["Territory"].items():
            for name in ("prestige", "unrest", "missions", "colony", "is_independent"):
                found.append((f"{name} of {territory}", self._cell("Territory", name, place)))
        for name, place in self._rows["SpecialSpace"].items():
            found.append((f"prestige of {name}", self._cell("SpecialSpace", "prestige", place)))
        return [
            *found,
            *((name, self._cell("", name)) for name in ("first_player", "city", "city_value")),
        ]

    @cached_property
    def _labels(self) -> list[str]:
        return [label for label, _ in self._places]

    @cached_property
    def _cells(self) -> list[int]:
        return [cell for _, cell in self._places]

    def _numbers(self, position: Position) -> list[int]:
        found: list[int] = []
        for seat in position.seats:
            nation = self._value("player", "nation", seat.nation)
            found += (
                seat.treasury,
                seat.fleets,
                seat.squadrons,
                seat.goods,
                seat.diplomacy,
                nation,
            )
            found += (seat.steps[track] + 1 for track in TRACKS)
        for territory in self._rows["Territory"]:
            found += (
                position.prestige.get(territory, 0),
                position.unrest.get(territory, 0),
                position.missions.get(territory, 0),
                position.colonies.get(territory, -1),
                territory in position.independent,
            )
        prestige = {
            "discovery_of_america": position.america,
            "circumnavigation": position.circumnavigation,
        }
        found += (prestige[name] for name in self._rows["SpecialSpace"])
        value = position.city_value if position.city else self._kept["", "city_value"].start
        return [*found, position.first, self._value("", "city", position.city), value]

    def with_position(self, state: State, position: Position) -> State:
        """The state with another position; hidden things do not change."""
        cells = state.cells[:]

        def write(owner: str, name: str, place: int, *values: int) -> None:
            kept = self._kept[owner, name]
            first = kept.base + place * kept.stride
            for n, value in enumerate((len(values), *values) if kept.list_capacity else values):
                cells[first + n] = value

        for player, seat in enumerate(position.seats):
            write("player", "treasury", player, seat.treasury)
            write("player", "merchant_fleets", player, seat.fleets)
            write("player", "squadrons", player, seat.squadrons)
            write("player", "goods", player, seat.goods)
            write("player", "diplomacy", player, seat.diplomacy)
            write("player", "loans", player, *seat.loans)
            write("player", "prestige_from", player, seat.prestige)
            write("player", "step", player, *(seat.steps[track] + 1 for track in TRACKS))
            lapsed = seat.lapsed and bool(position.nation(player))
            write("player", "powers_have_lapsed", player, lapsed)
        for space, stack in position.stacks.items():
            write("Resource", "stack", self._rows["Resource"][space], *stack)
        for territory in position.territories:
            place = self._rows["Territory"][territory]
            write("Territory", "prestige", place, position.prestige[territory])
            write("Territory", "unrest", place, position.unrest[territory])
            write("Territory", "missions", place, position.missions[territory])
            write("Territory", "colony", place, position.colonies.get(territory, -1))
            write("Territory", "is_independent", place, territory in position.independent)
        if position.city:
            write("", "city", 0, self._value("", "city", position.city))
            write("", "city_value", 0, position.city_value)
        known = "known" if position.america_discovered else "unknown"
        write("", "america", 0, self._value("", "america", known))
        for name, prestige in (
            ("discovery_of_america", position.america),
            ("circumnavigation", position.circumnavigation),
        ):
            write("SpecialSpace", "prestige", self._rows["SpecialSpace"][name], prestige)
        write("", "slavery_is_abolished", 0, is_abolished(position))
        return state.with_cells(cells)

    def _value(self, owner: str, name: str, word: str) -> int:
        """A word as a number; no word is nothing."""
        domain = self.compiled.program.domains[self._kept[owner, name].domain]
        return domain.offset + domain.names.index(word) if word else -1

    def prestige(self, state: State, player: int) -> int:
        """The sum of its parts."""
        kept = self._kept["player", "prestige_from"]
        cell = kept.base + player * kept.stride
        return sum(state.cells[cell : cell + kept.sizes[0]])

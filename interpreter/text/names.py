"""Finds the names and texts for the numbers of a program: values, options, messages and results of chance.

This module does not depend on states or engines: its callers compute the numbers.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import product
from typing import TypeAlias

import attrs

from rulewright.dsl.ir import (
    BOUND,
    FP,
    FRAME,
    PLAYER,
    SITE,
    Arm,
    ChanceSite,
    Const,
    Counted,
    Domain,
    LocalList,
    Program,
    Shown,
)

Value: TypeAlias = "int | tuple[Value, ...]"
NOTHING = "none"
PIECE = "piece"
"""The name of the domain of pieces."""
SPACE = "space"
"""The name of the domain of spaces."""


@attrs.frozen(eq=False)
class Words:
    """The names and texts of one program.

    A *name* is stable: records, scenarios and scripts use it. A *text* is for people.
    """

    program: Program
    _names: dict[tuple[int, int], str] = attrs.field(init=False, factory=dict)
    _twins: dict[int, bool] = attrs.field(init=False, factory=dict)

    @cached_property
    def players(self) -> tuple[str, ...]:
        """Return the names of all seats, in the order of the seats."""
        return tuple(self.player(seat) for seat in range(self.program.seats))

    def player(self, seat: int) -> str:
        """Return the text of a seat."""
        return self.text(self.program.player_domain, seat)

    def name(self, domain: int, value: int) -> str:
        """Return the stable name of a value."""
        return name_in(self.program.domains[domain], value)

    def text(self, domain: int, value: Value) -> str:
        """Return the text of a value for people. The items of a list are separated by commas."""
        return text_in(self.program.domains[domain], value)

    @cached_property
    def tells_spaces(self) -> bool:
        """Return whether names of spaces appear in options, in texts or in values that a view lists."""
        domains = {
            domain
            for site in self.program.sites
            for arm in site.arms
            for domain, _, _ in arm.arguments
        }
        domains.update(
            part.domain
            for message in self.program.messages
            if not message.derived
            for part in message.parts
            if isinstance(part, Shown)
        )
        domains.update(kept.domain for kept in self.program.kept if kept.listed)
        return any(self.program.domains[domain].name == SPACE for domain in domains)

    def thing(self, kind: str, number: int) -> str | None:
        """Return the text of a piece or a space. If the program has no texts for things of the kind
        `kind`, return None."""
        domain = self._domains.get(kind)
        return None if domain is None else text_in(domain, number)

    @cached_property
    def _domains(self) -> dict[str, Domain]:
        return {domain.name: domain for domain in reversed(self.program.domains)}

    def message(self, index: int, arguments: Sequence[Value]) -> str:
        """Return the text of a message with its placeholders filled in."""
        return "".join(self.part(part, arguments) for part in self.program.messages[index].parts)

    def pieces_in(self, index: int, arguments: Sequence[Value]) -> tuple[str, ...]:
        """Return the texts of the pieces in the placeholders of a message."""
        shown = [part for part in self.program.messages[index].parts if isinstance(part, Shown)]
        return tuple(
            text_in(domain, value)
            for part in shown
            if (domain := self.program.domains[part.domain]).name == PIECE
            for value in _each(arguments[part.argument])
        )

    def message_without(self, index: int) -> str:
        """Return the text of a message without the values in its placeholders.

        For a question, return the clauses before the first value.
        """
        parts = self.program.messages[index].parts
        texts = [
            part if isinstance(part, str) else "..." if isinstance(part, Shown) else part.many
            for part in parts
        ]
        first = next((at for at, part in enumerate(parts) if isinstance(part, Shown)), None)
        begin, comma, _ = "".join(texts[:first]).rpartition(", ")
        if first is None or not texts[-1].endswith("?"):
            return "".join(texts)
        if comma:
            return f"{begin}?"
        return "".join(texts[: first + 1]) + "?" if first else "".join(texts)

    def part(self, part: str | Shown | Counted, arguments: Sequence[Value]) -> str:
        match part:
            case Shown(argument, domain):
                return self.text(domain, arguments[argument])
            case Counted(argument, one, many):
                return one if arguments[argument] == 1 else many
            case _:
                return part

    def option(self, site: int, option: int) -> str:
        """Return the stable name of an option of a site."""
        key = site, option
        found = self._names.get(key)
        if found is None:
            arm = self.arm(site, option)
            found = option_name(arm, digits(arm, option), self.program.domains)
            self._names[key] = found
        return found

    def option_text(self, site: int, option: int, chooser: int) -> str:
        """Return the text of an option without its own message. If another player owns a thing, the
        owner's name is added."""
        arm = self.arm(site, option)
        slots = arm.in_name(arm.arguments)
        inside = ", ".join(
            self._text_with_owner(domain, value, chooser)
            for (domain, _, _), value in zip(slots, arm.in_name(digits(arm, option)), strict=True)
        )
        if not arm.word:
            return inside
        word = arm.word.replace("_", " ")
        return f"{word}: {inside}" if slots else word

    def _text_with_owner(self, domain: int, value: int, chooser: int) -> str:
        text, owners = self.text(domain, value), self.program.domains[domain].owners
        owner = owners[value] if 0 <= value < len(owners) else -1
        return text if owner in (-1, chooser) else f"{text} of {self.player(owner)}"

    def arm(self, site: int, option: int) -> Arm:
        """Return the arm to which an option belongs."""
        arms = self.program.sites[site].arms
        return arms[bisect_right(arms, option, key=_base) - 1]

    def chooser(self, cells: Sequence[int]) -> str:
        """Return the name of the player who decides."""
        return self.players[cells[PLAYER]] if cells[PLAYER] >= 0 else "chance"

    def members(self, cells: Sequence[int]) -> tuple[int, ...]:
        """Return the possible outcomes of the open chance event, in order."""
        chance = self.program.chances[cells[SITE]]
        if isinstance(chance.values, LocalList):
            first = cells[FP] + FRAME + chance.values.slot
            return tuple(cells[first + 1 : first + 1 + cells[first]])
        fixed = self.fixed_outcomes(cells[SITE])
        return tuple(range(chance.low, chance.low + cells[BOUND])) if fixed is None else fixed

    def fixed_outcomes(self, site: int) -> tuple[int, ...] | None:
        """Return the outcomes of a chance event if they are fixed. If they are consecutive numbers, return None."""
        values = self.program.chances[site].values
        if isinstance(values, Const) and isinstance(values.value, tuple):
            return tuple(value for value in values.value if isinstance(value, int))
        return None

    def result(self, site: int, value: int) -> str:
        """Return the stable name of a value drawn by chance."""
        domain = self.program.chances[site].domain
        return str(value) if domain is None else self.name(domain, value)

    def result_named(self, site: int, name: str, members: Sequence[int]) -> int | None:
        """Return the first result of a chance event whose value is named `name`. If there is none, return None."""
        return next(
            (n for n, value in enumerate(members) if self.result(site, value) == name), None
        )

    def chance(self, site: int) -> str:
        """Describe the chance event at a site in words."""
        return chance_text(self.program.chances[site])

    def is_of_pieces(self, domain: int) -> bool:
        """Return whether the values of a domain are pieces."""
        return self.program.domains[domain].name == PIECE

    def is_same_type(self, one: int | None, other: int | None) -> bool:
        """Return whether two domains have the same values. The values of domain None are numbers."""
        names = {
            "number" if domain is None else self.program.domains[domain].name
            for domain in (one, other)
        }
        return len(names) == 1

    def has_twins(self, site: int) -> bool:
        """Return whether options of a site may have equal names, as equal copies of a card do."""
        found = self._twins.get(site)
        if found is None:
            found = self._twins[site] = any(
                len(set(names)) < len(names)
                for arm in self.program.sites[site].arms
                for domain, _, _ in arm.in_name(arm.arguments)
                for names in (self.program.domains[domain].names,)
            )
        return found

    def place(
        self, domains: Sequence[int], lows: Sequence[int], sizes: Sequence[int]
    ) -> Iterator[tuple[tuple[str, ...], tuple[str, ...]]]:
        """Yield the indices of all members of a group, in the order of the cells, as names and as texts."""
        for values in product(*map(range, sizes)):
            numbers = [
                (domain, low + value)
                for domain, low, value in zip(domains, lows, values, strict=True)
            ]
            yield (
                tuple(self.name(domain, number) for domain, number in numbers),
                tuple(self.text(domain, number) for domain, number in numbers),
            )


def _base(arm: Arm) -> int:
    return arm.base


def name_in(domain: Domain, value: int) -> str:
    """Return the stable name of a value of a domain."""
    if value == -1 and not domain.offset <= -1 < domain.offset + len(domain.names):
        return NOTHING if domain.names or domain.offset >= 0 else "-1"
    if not domain.names:
        return str(value)
    return domain.names[value - domain.offset]


def _each(value: Value) -> Sequence[Value]:
    return (value,) if isinstance(value, int) else value


def text_in(domain: Domain, value: Value) -> str:
    """Return the text of a value of a domain for people."""
    if not isinstance(value, int):
        return ", ".join(text_in(domain, item) for item in value) or NOTHING
    if domain.texts and domain.offset <= value < domain.offset + len(domain.texts):
        return domain.texts[value - domain.offset]
    return name_in(domain, value)


def digits(arm: Arm, option: int) -> tuple[int, ...]:
    """Decode the arguments of an option from its number."""
    rest = option - arm.base
    values = []
    for _, low, size in reversed(arm.arguments):
        rest, digit = divmod(rest, size)
        values.append(low + digit)
    return tuple(reversed(values))


def option_number(arm: Arm, values: Sequence[int]) -> int:
    """Return the number of the option that has the given arguments."""
    number = 0
    for (_, low, size), value in zip(arm.arguments, values, strict=True):
        number = number * size + value - low
    return arm.base + number


def option_name(arm: Arm, values: Sequence[int], domains: Sequence[Domain]) -> str:
    """Return the name of an option: `drop(4)`, `pass`, or the bare name of the chosen thing."""
    slots = arm.in_name(arm.arguments)
    inside = ", ".join(
        name_in(domains[domain], value)
        for (domain, _, _), value in zip(slots, arm.in_name(values), strict=True)
    )
    if not arm.word:
        return inside
    return f"{arm.word}({inside})" if slots else arm.word


def chance_text(chance: ChanceSite) -> str:
    """Describe a chance event in words."""
    match chance.purpose:
        case "shuffle":
            return f"shuffle {chance.word}".rstrip()
        case "roll" | "random":
            return f"roll {chance.word}".rstrip()

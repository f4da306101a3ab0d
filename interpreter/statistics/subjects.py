"""Numbers the subjects of decisions for one program: rows of tables, actions and options.

Things of two programs are the same if their kinds and names are equal.
"""

from __future__ import annotations

from collections import Counter
from functools import cached_property
from math import prod
from textwrap import shorten

import attrs

from rulewright.dsl.ir import Arm, Domain, PieceKind, Program, Site, SpaceKind
from rulewright.interpreter.statistics.endings import trigger_names
from rulewright.interpreter.text.names import digits
from rulewright.interpreter.views.compiled_game import CompiledGame

ACTION = "action"
FEW = 64
"""The maximum number of combinations of numbers for which the options of an arm are distinguished by their numbers."""
MOST = 40
"""The maximum length of the name of a trigger."""


@attrs.frozen(order=True)
class Thing:
    """A row of the table `sort`, an `action`, or an option of the decision that `sort` names.

    `words` is the name that players see, or "" if they see the name in the rules.
    """

    sort: str
    name: str
    is_row: bool = attrs.field(default=False, order=False)
    words: str = attrs.field(default="", eq=False)

    @property
    def called(self) -> str:
        """Return the name that is shown to people."""
        return self.words or self.name.replace("_", " ")

    @property
    def text(self) -> str:
        """Return the name that is shown to people, and the table or decision."""
        return f"{self.called} ({self.sort.replace('_', ' ')})"


@attrs.frozen(eq=False, slots=False)
class Things:
    """The things of one program, numbered."""

    compiled: CompiledGame

    @property
    def program(self) -> Program:
        return self.compiled.program

    @cached_property
    def all(self) -> tuple[Thing, ...]:
        """Return all things: rows in the order of the tables, then actions and options in the order of the rules."""
        found: dict[Thing, None] = {}
        fixed = [kind for kind in self.program.spaces if not kind.growing]
        kinds: list[PieceKind | SpaceKind] = [*self.program.pieces, *fixed]
        for kind in kinds:
            texts = self._texts(kind)
            for row in kind.rows:
                found.setdefault(Thing(kind.name, row, True, texts[row]))
        for number, site in enumerate(self.program.sites):
            for arm in site.arms:
                for each in self._of_arm(number, arm):
                    found.setdefault(each)
                if _numbers(arm, self.program.domains):
                    for option in range(arm.base, arm.base + _combinations(arm)):
                        found.setdefault(self._option(number, option))
        return tuple(found)

    def _texts(self, kind: PieceKind | SpaceKind) -> dict[str, str]:
        """Map each row of a kind to the text that players see.

        The text is "" for rows that share it with other rows.
        """
        of = "piece" if isinstance(kind, PieceKind) else "space"
        words = self.compiled.words
        texts = {row: words.thing(of, kind.first + at) or "" for at, row in enumerate(kind.rows)}
        met = Counter(texts.values())
        return {row: text if met[text] == 1 else "" for row, text in texts.items()}

    @cached_property
    def number(self) -> dict[Thing, int]:
        """Map each thing to its number."""
        return {thing: number for number, thing in enumerate(self.all)}

    @cached_property
    def usable(self) -> frozenset[int]:
        """Return the numbers of the things that a player could take or have.

        A thing is usable if an option concerns it, or if a player has a place for it.
        """
        found = {number for number, thing in enumerate(self.all) if not thing.is_row}
        domains = self.program.domains
        for site in self.program.sites:
            for arm in site.arms:
                for domain, low, size in arm.arguments:
                    rows = (self._row(domains[domain], low + digit) for digit in range(size))
                    found.update(self.number[row] for row in rows if row is not None)
        kinds = {
            kind for place in self.program.places if place.owner == "player" for kind in place.kinds
        }
        found.update(
            number for number, thing in enumerate(self.all) if thing.is_row and thing.sort in kinds
        )
        return frozenset(found)

    @cached_property
    def of_piece(self) -> tuple[int, ...]:
        """Return, for each piece, the number of the thing that is its row."""
        return tuple(
            self.number[Thing(kind.name, row, True)]
            for kind in self.program.pieces
            for row in kind.rows
        )

    @cached_property
    def _spaces(self) -> dict[int, Thing]:
        return {
            kind.first + place: Thing(kind.name, row, True)
            for kind in self.program.spaces
            if not kind.growing
            for place, row in enumerate(kind.rows)
        }

    @cached_property
    def _known(self) -> dict[tuple[int, int], tuple[int, ...]]:
        return {}

    def of_option(self, site: int, option: int) -> tuple[int, ...]:
        """Return the numbers of the things that an option concerns."""
        found = self._known.get((site, option))
        if found is None:
            arm = self.compiled.words.arm(site, option)
            things = self._of_arm(site, arm)
            domains = self.program.domains
            for (domain, _, _), value in zip(arm.arguments, digits(arm, option), strict=True):
                row = self._row(domains[domain], value)
                if row is not None:
                    things.append(row)
            if _numbers(arm, domains):
                things.append(self._option(site, option))
            found = tuple(dict.fromkeys(self.number[each] for each in things))
            self._known[site, option] = found
        return found

    def _option(self, site: int, option: int) -> Thing:
        words = self.compiled.words
        name, arm = words.option(site, option), words.arm(site, option)
        if arm.message is not None and arm.words is None:
            return Thing(
                self.decisions[site], name, words=words.message(arm.message, digits(arm, option))
            )
        return Thing(self.decisions[site], name, words=words.option_text(site, option, -1))

    @cached_property
    def decisions(self) -> tuple[str, ...]:
        """Return the name of each decision: its rule and the thing to choose. Equal names are numbered."""
        names = [self._decision(site) for site in self.program.sites]
        met: Counter[str] = Counter()
        for place, name in enumerate(names):
            met[name] += 1
            if met[name] > 1:
                names[place] = f"{name} #{met[name]}"
        return tuple(names)

    @cached_property
    def _happenings(self) -> dict[int, str]:
        return trigger_names(self.program)

    def _decision(self, site: Site) -> str:
        number = site.procedure
        rule = self._happenings.get(number) or self.program.suspending[number].name
        rule = "play" if number == self.program.main else shorten(rule, MOST, placeholder=" ...")
        # An action has only one decision.
        return f"{rule}: {site.word}" if site.word and site.word != rule else rule

    def _row(self, domain: Domain, value: int) -> Thing | None:
        if value < 0:
            return None
        if domain.name == "piece":
            return self.all[self.of_piece[value]] if value < len(self.of_piece) else None
        return self._spaces.get(value) if domain.name == "space" else None

    def _of_arm(self, site: int, arm: Arm) -> list[Thing]:
        """Return the subjects that all options of an arm share: its action, or its own name."""
        if arm.name in self._actions:
            return [Thing(ACTION, arm.name)]
        return [Thing(self.decisions[site], arm.name)] if arm.name else []

    @cached_property
    def _actions(self) -> frozenset[str]:
        return frozenset(each.name for each in self.program.marks if each.word == "action")


def _numbers(arm: Arm, domains: tuple[Domain, ...]) -> bool:
    """Return whether options differ in arguments that are not rows (numbers, words, players), with
    only a few combinations."""
    plain = any(domains[domain].name not in ("piece", "space") for domain, _, _ in arm.arguments)
    return plain and _combinations(arm) <= FEW


def _combinations(arm: Arm) -> int:
    return prod(size for _, _, size in arm.arguments)

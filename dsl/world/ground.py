"""What records have become in one setting of a game, for others in which all that was read for it is the same.

It is known by what was read: the declarations themselves, the texts of tables, seats, actions, and the options and
values that were asked for. Refuses to keep anything with which something was wrong, and to know how rows are numbered.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TypeAlias, TypeVar

from attrs import define, field

from rulewright.dsl.immutable import frozen
from rulewright.dsl.problems.source import Source, Span
from rulewright.dsl.tree import declared, syntax
from rulewright.dsl.world.facts import Facts, Referent
from rulewright.dsl.world.typesystem import Type
from rulewright.dsl.world.world import RawRow, TableInfo, ThingKind, World

Numbering: TypeAlias = Callable[[World, Sequence[declared.Declaration]], None]
T = TypeVar("T")

READ = (
    declared.KindList,
    declared.OptionDeclaration,
    declared.Record,
    declared.Seat,
    declared.Union,
)
"""The declarations by which rows are numbered."""


@frozen(eq=False)
class _Ground:
    """What records have become, and all that was read for it."""

    declarations: tuple[declared.Declaration, ...]
    players: int
    seats: tuple[str, ...]
    actions: tuple[str, ...]
    files: Mapping[str, Source | None]
    options: Mapping[str, str]
    """What was chosen for the options that were asked for."""
    words: Mapping[str, syntax.Expression | None]
    """The names that were asked for, with what values among them are."""
    kinds: Mapping[str, ThingKind]
    pieces: Mapping[str, ThingKind]
    spaces: Mapping[str, ThingKind]
    unions: Mapping[str, tuple[str, tuple[str, ...]]]
    tables: Mapping[str, TableInfo]
    row_names: Mapping[str, list[tuple[Type, tuple[int, ...]]]]
    kind_rows: Mapping[str, tuple[declared.Record, list[RawRow]]]
    referents: Mapping[Span, Referent]
    """What names in the declarations and the tables refer to."""

    def is_of(self, world: World, declarations: Sequence[declared.Declaration]) -> bool:
        """Whether all that was read for it is the same in another world."""
        return (
            self.players == world.config.players
            and self.seats == tuple(world.seats)
            and self.actions == tuple(world.action_names)
            and self.options.items() <= world.option_chosen.items()
            and len(self.declarations) == len(declarations)
            and all(
                one is other for one, other in zip(self.declarations, declarations, strict=True)
            )
            and all(world.fixed_values.get(name) is value for name, value in self.words.items())
            and all(world.read(name) is source for name, source in self.files.items())
        )

    def put_into(self, world: World) -> None:
        """Let a world have it, and know what was found out about places."""
        world.kinds, world.pieces = {**self.kinds}, {**self.pieces}
        world.spaces, world.unions = {**self.spaces}, {**self.unions}
        world.tables, world.kind_rows = {**self.tables}, {**self.kind_rows}
        world.row_names = {**self.row_names}
        world.options_asked |= self.options.keys()
        _tell(self.referents, world.facts)


@define
class Grounds:
    """What is the same in several worlds of a game, before and after an edit too."""

    _known: list[_Ground] = field(factory=list)
    _made: dict[tuple[object, ...], tuple[tuple[object, ...], object]] = field(factory=dict)

    def number(
        self, world: World, listed: Sequence[declared.Declaration], numbering: Numbering
    ) -> None:
        """Number the records of a world, if that was not done before."""
        declarations = [d for d in listed if isinstance(d, READ)]
        for ground in self._known:
            if ground.is_of(world, declarations):
                ground.put_into(world)
                return
        new = _numbered(world, listed, declarations, numbering)
        if new is not None:
            self._known.append(new)
            del self._known[:-MOST_KEPT]

    def made(self, how: Callable[[], T], nodes: tuple[object, ...], *else_: object) -> T:
        """What is made of some nodes, once; `else_` is all that it hangs on besides."""
        key = (*map(id, nodes), *else_)
        known = self._made.get(key)
        if known is None:
            known = self._made[key] = nodes, how()
        result: T = known[1]  # type: ignore[assignment]  # it was made by a call with this key
        return result

    def forget(self) -> None:
        """Let go of what was made of declarations: many of them are not there any more."""
        self._made.clear()


MOST_KEPT = 64
"""So many of what records have become are kept, the latest."""


def _numbered(
    world: World,
    listed: Sequence[declared.Declaration],
    declarations: Sequence[declared.Declaration],
    numbering: Numbering,
) -> _Ground | None:
    """Number the records of a world, and note what was read for it; None where something is wrong with them."""
    before = world.options_asked, world.words_asked, world.facts, world.read
    found, wrong = Facts(), len(world.problems)
    files: dict[str, Source | None] = {}

    def read(name: str) -> Source | None:
        files[name] = before[3](name)
        return files[name]

    world.options_asked, world.words_asked, world.facts, world.read = set(), set(), found, read
    try:
        numbering(world, listed)
    finally:
        options, words = world.options_asked, world.words_asked
        world.options_asked, world.words_asked = before[0] | options, before[1] | words
        world.facts, world.read = before[2:]
        _tell(found.referents, world.facts)
    if world.has_lost_rows or len(world.problems) > wrong:
        return None
    return _Ground(
        tuple(declarations),
        world.config.players,
        tuple(world.seats),
        tuple(world.action_names),
        files,
        {name: world.option_chosen[name] for name in options},
        {name: world.fixed_values.get(name) for name in words},
        {**world.kinds},
        {**world.pieces},
        {**world.spaces},
        {**world.unions},
        {**world.tables},
        {**world.row_names},
        {**world.kind_rows},
        found.referents,
    )


def _tell(referents: Mapping[Span, Referent], facts: Facts) -> None:
    facts.referents = {**referents, **facts.referents}

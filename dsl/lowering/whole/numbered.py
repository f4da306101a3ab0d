"""By which names one comes to things of some sorts, for whom it matters how many of them there are.

Refuses to know what is made of that number.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Set

from rulewright.dsl.lowering.whole.program import Infos
from rulewright.dsl.lowering.workshop.analysis import PLACE_WORDS
from rulewright.dsl.tree import declared
from rulewright.dsl.world.typesystem import Type
from rulewright.dsl.world.world import World

ATTRIBUTES = PLACE_WORDS | {"copy", "name"}
"""Of pieces: what hangs on how many there are, or comes to pieces without naming their sort."""


def names_by_number(
    world: World,
    sorts: Set[str],
    infos: Mapping[str, Infos],
    words: Callable[[object], Set[str]],
) -> set[str] | None:
    """Names that stand for things of some sorts of pieces, or for how many there are; None where all may hang on it.

    `infos` tells what named values are, `words` the names in something that is written."""
    types = {name for name, (_, members) in world.unions.items() if not sorts.isdisjoint(members)}
    types |= sorts
    if any(
        kind.shape == "growing" and zone.type.of in types
        for kind in world.spaces.values()
        for zone in kind.zones
    ):
        return None  # by them it is known how many of its cells are used at once
    names = {*types, *world.positions, *(f".{word}" for word in ATTRIBUTES)}
    names |= {one.name for one in stored_in(world) if not types.isdisjoint(words(one))}
    for sort in (*world.kinds.values(), *world.pieces.values(), *world.spaces.values()):
        names |= {f".{one.name}" for one in sort.columns.values() if _is_of(one.type, sorts)}
    for table in world.tables.values():
        names |= {f".{one.name}" for one in table.columns.values() if _is_of(one.type, sorts)}
        if any(_is_of(type, sorts) for type in table.keys):
            names.add(table.name)
    for key, found in infos.items():
        types_of = (type for one in found for type in (one.type, *(t for _, t in one.parameters)))
        if any(_is_of(type, sorts) for type in types_of):
            names.add(key.partition(" ")[2])
    return names


def stored_in(world: World) -> Iterator[declared.Token | declared.State | declared.Zone]:
    """All that is stored, in the order in which it is numbered as a part."""
    yield from world.tokens.values()
    yield from world.states.values()
    yield from world.zones.values()
    yield from world.player_states.values()
    yield from world.player_zones.values()
    for kind in (*world.pieces.values(), *world.spaces.values()):
        yield from kind.states
        yield from kind.zones


def _is_of(type: Type, sorts: Set[str]) -> bool:
    """Whether something is of such a sort, or a list of such things."""
    return not sorts.isdisjoint(type.names) or (type.of is not None and _is_of(type.of, sorts))

"""What to write where something else stands than what is wanted, in the names of the game.

Refuses to know where that is.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Final

from rulewright.dsl.problems.suggest import listed_or
from rulewright.dsl.tree import declared, syntax
from rulewright.dsl.world.typesystem import PLAYER, Type, describe, fits, whole
from rulewright.dsl.world.world import ThingKind, World, snake

if TYPE_CHECKING:
    from rulewright.dsl.lowering.workshop.core import Env

_SEVERAL = ("list", "zone", "empty")
_FEW = 4
_WHOLE = 30  # letters of what is said again


def instead(world: World, wanted: Type, given: Type, text: str) -> str:
    """What to write for a value that is not of the wanted type."""
    if given.tag == "nothing":
        return f"write a value, or declare what it is for as `{_sort(wanted)} or nothing`"
    if "\n" in text or len(text) > _WHOLE:
        text = "IT"
    if wanted.tag == "flag" and text.isalnum() and given.tag != "list":
        return f"write `yes` or `no`, or a condition: `{'n' if text.isdigit() else text} is ...`"
    if wanted.tag == "flag":
        test = f"{text} > 0" if given.tag == "int" else f"{text} is not empty"
        return f"write a condition, such as `{test if given.tag in ('int', *_SEVERAL) else f'{text} is ...'}`"
    if wanted.tag in _SEVERAL:
        of = wanted.of
        if of is not None and given.tag not in _SEVERAL and of.known:
            return f"write several of {describe(of)}, such as `list(x in ... where ...)`"
        return f"write `list(x in {text}: ...)` with what is wanted of each"
    if given.tag in _SEVERAL:
        of = given.of
        if of is not None and fits(of.surely(), wanted):
            return f"write `sure({text}.first)`, or choose one of them: `choose x in {text}`"
        if wanted.tag == "int":
            return f"write `{text}.size`, how many there are"
        return values_of(world, wanted)
    found = [f"{text}.{name}" for name in _attributes(world, wanted, given)]
    if found:
        return f"write {listed_or(found[:_FEW])}"
    return values_of(world, wanted)


def compared(world: World, left: Type, right: Type, e: syntax.Binary) -> str:
    """`card is role`: the comparison with what the thing has of the other sort."""
    text = e.left.span.text
    if not text.isidentifier() or right.tag not in ("kind", "piece", "space", "player"):
        return ""
    found = [f"{text}.{name}" for name in _attributes(world, right, left)]
    behind = e.span.text[len(text) :]
    return f"write {listed_or([f'{one}{behind}' for one in found[:_FEW]])}" if found else ""


def _sort(type: Type) -> str:
    """How a type is written where something is declared."""
    match type.tag:
        case "player":
            return "Player"
        case "int":
            return f"{type.low}..{type.high}"
        case "flag":
            return "Flag"
        case _ if len(type.names) == 1:
            return type.names[0]
        case _:
            return describe(type)


def values_of(world: World, wanted: Type) -> str:
    """What to write for a value of a type: some of those that there are."""
    if wanted.tag == "player":
        return "write `me`, `me.left`, or the name of `for each p in players`"
    if wanted.tag == "int":
        return f"write a number such as `{max(wanted.low, min(1, wanted.high))}`"
    rows = [
        row
        for name in wanted.names
        if (kind := world.thing(name)) is not None
        for row in dict.fromkeys(kind.rows)
    ]
    if rows:
        more = " ..." if len(rows) > _FEW else ""
        return f"write {listed_or(rows[:_FEW])}{more}, or a name that stands for {describe(wanted)}"
    return f"write what is {describe(wanted)}"


def _attributes(world: World, wanted: Type, given: Type) -> Iterator[str]:
    """What may stand behind a dot of a value, and is of a type."""
    states: list[declared.State] = list(world.player_states.values())
    kinds: list[ThingKind] = []
    if given.tag != "player":
        kinds = [kind for name in given.names if (kind := world.thing(name)) is not None]
        states = list(kinds[0].states) if len(kinds) == 1 else []
    if kinds:
        for name, column in kinds[0].columns.items():
            if all(name in kind.columns for kind in kinds) and fits(column.type, wanted):
                yield name
    for state in states:
        type = None
        if isinstance(state.type, syntax.NamedType):
            type = world.type_named(state.type.name)
        elif isinstance(state.type, syntax.RangeType):
            type = whole(0, 0)
        if type is not None and not state.params and fits(type, wanted):
            yield state.name


def of_local(env: Env, name: str) -> str:
    """`where color is red`: what a local thing has, where it is not said of what."""
    for known, one in reversed(env.scope.items()):
        if known.isidentifier() and known != "me" and has(env, one.type, name):
            return f"write `{known}.{name}`"
    return f"write `me.{name}`" if "me" in env.scope and has(env, PLAYER, name) else ""


def has(env: Env, type: Type, name: str) -> bool:
    """Whether each thing of a type has something of a name."""
    world = env.c.world
    if not type.is_thing:
        return False
    if type.tag == "player" and (name in world.player_states or name in world.player_zones):
        return True
    kinds = [world.thing(sort) for sort in type.names]
    if kinds and all(kind is not None and has_own(kind, name) for kind in kinds):
        return True
    sort = "Player" if type.tag == "player" else type.names[0] if type.names else ""
    if any(
        value.subject is not None
        and isinstance(value.subject.type, syntax.NamedType)
        and value.subject.type.name == sort
        for value in world.subject_values.get(name, ())
    ):
        return True
    return (type.tag, name) in _ASKED_ALONE


_ASKED_ALONE: Final = frozenset((("player", "total"), ("space", "neighbors"), ("piece", "owner")))
"""Built-in attributes by whose names nothing else is meant."""


def has_own(kind: ThingKind, name: str) -> bool:
    """Whether the game gives something of a name to things of a sort."""
    own = (*kind.columns, *(s.name for s in kind.states), *(z.name for z in kind.zones))
    return name in own


def counted(env: Env, of: Type, text: str, name: str) -> str:
    """`hand.knight`, `hand.count(red)`: how many of the members are called so, or have this."""
    world = env.c.world
    for type, _ in world.row_names.get(name, ()):
        if type.tag == of.tag and set(type.names) & set(of.names):
            return f"write `count(x in {text} where x is {name})`"
        kinds = [kind for sort in of.names if (kind := world.thing(sort)) is not None]
        for column, info in kinds[0].columns.items() if kinds else ():
            if info.type.tag == type.tag and set(info.type.names) & set(type.names):
                return f"write `count(x in {text} where x.{column} is {name})`"
    return ""


def links_of(env: Env, type: Type, text: str, name: str) -> str:
    """`city.roads`: the links at a space."""
    for link in env.c.world.spaces.values():
        own = snake(link.name)
        if link.joins is None or name not in (own, f"{own}s", *_LINKS):
            continue
        one, other = link.joins
        sorts = {
            sort
            for end in link.joins
            if end in link.columns
            for sort in link.columns[end].type.names
        }
        if sorts & set(type.names):
            return f"write `list(x in {link.name} where {text} in (x.{one}, x.{other}))`"
    return ""


_LINKS: Final = frozenset(
    ("links", "edges", "connections", "roads", "routes", "paths", "tracks", "ways", "lines")
)


def between(link: ThingKind, arguments: Sequence[syntax.Expression]) -> str:
    """`Road(rome, ostia)`: the link between two spaces."""
    if link.joins is None or len(arguments) != 2:
        return ""
    ends = f"(x.{link.joins[0]}, x.{link.joins[1]})"
    one, other = (argument.span.text for argument in arguments)
    return f"write `first(x in {link.name} where {one} in {ends} and {other} in {ends})`"


def ends_of(env: Env, value: Type, link: Type, left: str, right: str) -> str:
    """`city in road`: whether a space is one of the ends of a link."""
    kind = env.c.world.spaces.get(link.names[0]) if len(link.names) == 1 else None
    if kind is None or kind.joins is None or value.tag != "space":
        return ""
    return f"write `{left} in ({right}.{kind.joins[0]}, {right}.{kind.joins[1]})`"


def never_nothing(env: Env, e: syntax.Expression, type: Type) -> str:
    """How a state is declared that is asked whether it is nothing, and never is."""
    if type.opt or not type.is_thing or not isinstance(e, (syntax.Word, syntax.Dot)):
        return ""
    if isinstance(e, syntax.Word) and e.name in env.scope:
        return ""
    families = [f for f in env.c.layout.families if f.name == e.name]
    if not families or any(f.what != "state" or f.type.opt for f in families):
        return ""
    return f"declare it so that it can be: `state {e.name}: {_sort(type)} or nothing`"


def looked_up(world: World, arguments: Sequence[syntax.Expression]) -> str:
    """`lookup(Fee, n)`, `VLOOKUP(n, Fee, 2)`: a table and its key, in any order."""
    table = next(
        (a.name for a in arguments if isinstance(a, syntax.TypeWord) and a.name in world.tables), ""
    )
    keys = [a.span.text for a in arguments if not isinstance(a, syntax.TypeWord)]
    columns = list(world.tables[table].columns) if table else []
    return f"write `{table}({keys[0]}).{columns[0]}`" if keys and columns else ""

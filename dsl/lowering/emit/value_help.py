"""Suggests corrections for values of the wrong type, using the names of the game."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rulewright.dsl.diagnostics.advice import Help, one_of, write
from rulewright.dsl.model import types
from rulewright.dsl.model.model import Model, ThingKind
from rulewright.dsl.model.types import Type, describe, fits, item_of, whole
from rulewright.dsl.tree import declared, syntax

_SEVERAL = (types.Several, types.Empty)
_FEW = 4
_WHOLE = 30  # the maximum length of a text that a help text repeats


def wrong_type_help(model: Model, wanted: Type, given: Type, text: str) -> Help:
    """Return help for a value that does not have the wanted type."""
    if isinstance(given, types.Nothing):
        return f"write a value, or declare the target as `{type_text(wanted)} or nothing`"
    if "\n" in text or len(text) > _WHOLE:
        text = "IT"
    if isinstance(wanted, types.Flag) and text.isalnum() and not isinstance(given, types.List):
        condition = f"{'n' if text.isdigit() else text} is ..."
        return "write " + one_of(("yes", "no")) + f", or a condition: `{condition}`"
    if isinstance(wanted, types.Flag):
        test = f"{text} > 0" if isinstance(given, types.Number) else f"{text} is not empty"
        if not isinstance(given, (types.Number, types.Several, types.Empty)):
            test = f"{text} is ..."
        return f"write a condition, such as `{test}`"
    if isinstance(wanted, _SEVERAL):
        of = item_of(wanted)
        if of is not None and not isinstance(given, _SEVERAL) and of.known:
            return f"write several of {describe(of)}, such as `list(x in ... where ...)`"
        return f"write `list(x in {text}: ...)` with the wanted value of each"
    if isinstance(given, _SEVERAL):
        of = item_of(given)
        if of is not None and fits(of.surely(), wanted):
            return write(f"sure({text}.first)") + f", or choose one of them: `choose x in {text}`"
        if isinstance(wanted, types.Number):
            return write(f"{text}.size") + ", how many there are"
        return values_of(model, wanted)
    found = [f"{text}.{name}" for name in _attributes(model, wanted, given)]
    if found:
        return "write " + one_of(found[:_FEW])
    return values_of(model, wanted)


def comparison_help(model: Model, left: Type, right: Type, e: syntax.Binary) -> Help:
    """Return help for a comparison such as `card is role`: it suggests an attribute of the other type."""
    text = e.left.span.text
    if not text.isidentifier() or not isinstance(right, (types.Named, types.Player)):
        return ""
    found = [f"{text}.{name}" for name in _attributes(model, right, left)]
    after = e.span.text[len(text) :]
    return "write " + one_of([f"{one}{after}" for one in found[:_FEW]]) if found else ""


def type_text(type: Type) -> str:
    """Return a type as it is written in declarations."""
    match type:
        case types.Player():
            return "Player"
        case types.Number():
            return f"{type.low}..{type.high}"
        case types.Flag():
            return "Flag"
        case _ if len(type.names) == 1:
            return type.names[0]
        case _:  # all others: their words
            return describe(type)


def values_of(model: Model, wanted: Type) -> Help:
    """Return help that lists some values of a type."""
    if isinstance(wanted, types.Player):
        return write("me") + ", `me.left`, or the name of `for each p in players`"
    if isinstance(wanted, types.Number):
        return f"write a number such as `{max(wanted.low, min(1, wanted.high))}`"
    # all others: some of their rows
    rows = [
        row
        for name in wanted.names
        if (kind := model.thing(name)) is not None
        for row in dict.fromkeys(kind.rows)
    ]
    if rows:
        more = " ..." if len(rows) > _FEW else ""
        return (
            "write " + one_of(rows[:_FEW]) + f"{more}, or a name that stands for {describe(wanted)}"
        )
    return f"write {describe(wanted)}"


def _attributes(model: Model, wanted: Type, given: Type) -> Iterator[str]:
    """Yield the attributes of a value of the type `given` that have the wanted type."""
    states: list[declared.State] = list(model.player_states.values())
    kinds: list[ThingKind] = []
    if not isinstance(given, types.Player):
        kinds = [kind for name in given.names if (kind := model.thing(name)) is not None]
        states = list(kinds[0].states) if len(kinds) == 1 else []
    if kinds:
        for name, column in kinds[0].columns.items():
            if all(name in kind.columns for kind in kinds) and fits(column.type, wanted):
                yield name
    for state in states:
        type = None
        if isinstance(state.type, syntax.NamedType):
            type = model.type_named(state.type.name)
        elif isinstance(state.type, syntax.RangeType):
            type = whole(0, 0)
        # all others: they are not offered
        if type is not None and not state.params and fits(type, wanted):
            yield state.name


def has_own(kind: ThingKind, name: str) -> bool:
    """Return whether the game declares an attribute with this name for things of a kind."""
    own = (*kind.columns, *(s.name for s in kind.states), *(z.name for z in kind.zones))
    return name in own


def link_help(link: ThingKind, arguments: Sequence[syntax.Expression]) -> Help:
    """Return help for `Road(rome, ostia)`, where the author wants the link between two spaces."""
    if link.joins is None or len(arguments) != 2:
        return ""
    ends = f"(x.{link.joins[0]}, x.{link.joins[1]})"
    one, other = (argument.span.text for argument in arguments)
    return write(f"first(x in {link.name} where {one} in {ends} and {other} in {ends})")


def lookup_help(model: Model, arguments: Sequence[syntax.Expression]) -> Help:
    """Return help for `lookup(Fee, n)` or `VLOOKUP(n, Fee, 2)`, where a table and its key are
    arguments in any order.
    """
    table = next(
        (a.name for a in arguments if isinstance(a, syntax.TypeWord) and a.name in model.tables), ""
    )
    keys = [a.span.text for a in arguments if not isinstance(a, syntax.TypeWord)]
    columns = list(model.tables[table].columns) if table else []
    return write(f"{table}({keys[0]}).{columns[0]}") if keys and columns else ""

"""Find names that are never used: names of values, states, zones, tokens, dice, tables, options, parameters and locals.

The check works only by names: a name counts as used if it occurs anywhere else where it may have
this meaning.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Set
from typing import Final

from rulewright.dsl.checks.checked import Checked
from rulewright.dsl.diagnostics.advice import block_of
from rulewright.dsl.diagnostics.diagnostics import Fix
from rulewright.dsl.diagnostics.source import Span
from rulewright.dsl.tree import declared, syntax
from rulewright.dsl.tree.nesting import walk

Named = (
    declared.Value
    | declared.State
    | declared.Zone
    | declared.Token
    | declared.Die
    | declared.Record
    | declared.KindList
    | declared.OptionDeclaration
)


_DECLARING: Final = ("state", "zone", "value", "kind", "token", "die", "let", "space")
_HELP: Final = "use it, or remove it"


def check_unused(game: Checked) -> None:
    """Report declarations that are never used."""
    stored = {d.name for d in game.declarations if isinstance(d, declared.State)}
    users: dict[str, set[int]] = {}  # for each name, at most two of its users
    for number, declaration in enumerate(_parts(game.declarations)):
        for name in game.memo.of(_names_used, declaration):
            found = users.setdefault(name, set())
            if len(found) < 2:
                found.add(number)
    hooked = set[tuple[str, int]]().union(
        *(game.memo.of(_used_by_hooks, each) for each in game.declarations)
    )
    for number, declaration in enumerate(_parts(game.declarations)):
        for what, named in _named_declaration(declaration):
            names = [named.name, *_values_of(game, named)]
            if not any(users.get(name, set()) - {number} for name in names):
                game.problems.warning(
                    "unused-name",
                    f"nothing uses the {what} `{named.name}`",
                    named.name_span,
                    help=_HELP,
                    choices=_removal(named.name_span),
                )
        for name, span, is_rolled in game.memo.of(_unused_locals, declaration):
            if not (is_rolled and name in stored) and not _is_hooked(declaration, name, hooked):
                game.problems.warning(
                    "unused-name",
                    f"nothing uses `{name}`",
                    span,
                    help=_HELP,
                    choices=_removal(span),
                )


def _values_of(game: Checked, named: Named) -> list[str]:
    """Return further names whose use counts as a use of an option or kind: its values or rows."""
    if isinstance(named, declared.OptionDeclaration):
        return [value.name for value in named.values if isinstance(value, syntax.Word)]
    kind = game.compiled[0].model.thing(named.name)
    if kind is None or kind.shape:
        return [kind.shape] if kind is not None and kind.of else []  # used as in `cell.corners`
    return kind.rows


def _parts(declarations: Iterable[declared.Declaration]) -> Iterator[object]:
    """Divide declarations into parts. Their states and zones are separate parts."""
    for declaration in declarations:
        match declaration:
            case declared.PlayerDeclaration():
                yield from declaration.states
                yield from declaration.zones
            case declared.Record():
                yield declaration
                yield from declaration.states
                yield from declaration.zones
            case _:  # all others: they are one part
                yield declaration


def _named_declaration(declaration: object) -> Iterator[tuple[str, Named]]:
    match declaration:
        case declared.Value():
            yield "value", declaration
        case declared.State():
            yield "state", declaration
        case declared.Zone():
            yield "zone", declaration
        case declared.Token():
            yield "token", declaration
        case declared.Die():
            yield "die", declaration
        case declared.OptionDeclaration():
            yield "option", declaration
        case declared.Record(what="table" | "kind" | "space"):
            yield declaration.what, declaration
        case declared.KindList():
            yield "kind", declaration
        case _:  # all others: they need not be used
            pass


def _names_used(declaration: object) -> Set[str]:
    names: set[str] = set()
    for part in walk(_without_parts(declaration)):
        match part:
            case (
                syntax.Word()
                | syntax.Call()
                | syntax.Lookup()
                | syntax.Dot()
                | syntax.TypeWord()
                | syntax.NamedType()
            ):
                names.add(part.name)
            case declared.ZoneType() | declared.Border():
                names.add(part.of)
            case syntax.Roll(die=str(die)):
                names.add(die)
            case declared.Seen():
                names.update(part.except_for)
            case _:
                pass
    return names


def _without_parts(declaration: object) -> object:  # all others: every name in them
    if isinstance(declaration, declared.Record):
        product = declaration.product
        return (
            declaration.columns,
            declaration.copies,
            declaration.rows,
            declaration.grid,
            declaration.border,
            product,
        )
    if isinstance(declaration, declared.OptionDeclaration):
        return ()  # the values belong to the declaration, even if others have the same names
    return declaration


# ---- parameters and locals ----------------------------------------------------------------------


def _unused_locals(declaration: object) -> tuple[tuple[str, Span, bool], ...]:
    """Return each local that is never used: its name, its place, and whether it is the target of a roll.

    The target of a roll may also be a state.
    """
    made = list(_locals(declaration))
    if not made:
        return ()
    used: dict[str, int] = {}
    for part in walk(declaration):
        if isinstance(part, syntax.Word | syntax.Call):
            used[part.name] = used.get(part.name, 0) + 1
    return tuple((name, span, own > 0) for name, span, own in made if used.get(name, 0) <= own)


def _is_hooked(declaration: object, name: str, hooked: Set[tuple[str, int]]) -> bool:
    """Return whether a name is a parameter of a rule and a hook of that rule uses the parameter's argument."""
    if not isinstance(declaration, declared.Rule):
        return False
    places = [n for n, param in enumerate(declaration.params) if param.name == name]
    return any((declaration.name, n) in hooked for n in places)


def _used_by_hooks(declaration: object) -> Set[tuple[str, int]]:
    """Return the parameters that a hook (`before`, `after`, `instead of`) binds and uses. Each is
    given by its rule and its index.
    """
    found: set[tuple[str, int]] = set()
    for hook in walk(declaration):
        if not isinstance(hook, declared.OnAction):
            continue
        used = {
            part.name
            for part in walk((hook.where, hook.body))
            if isinstance(part, syntax.Word | syntax.Call)
        }
        found.update(
            (hook.pattern.name, n)
            for n, bound in enumerate(hook.pattern.params)
            if bound.name in used
        )
    return found


def _locals(declaration: object) -> Iterator[tuple[str, Span, int]]:
    """Yield each local: its name, its place, and how often its name occurs in the step that declares it."""
    for part in walk(declaration):
        match part:
            case syntax.Let() | syntax.LetDo() | syntax.Choose():
                yield part.name, part.name_span, 0
            case syntax.Roll(place=syntax.Word() as word):
                yield word.name, word.span, 1
            case syntax.ForEach():
                yield part.binder.name, part.binder.name_span, 0
            case declared.Rule() | declared.Value(open=False):
                for param in part.params:
                    yield param.name, param.name_span, 0
            case _:
                pass


def _removal(name: Span) -> list[Fix]:
    """Return the change that removes the line of a name, together with the block of that line.
    Return an empty list if the line also declares another name.
    """
    words = name.source.line_text(name.line).split(maxsplit=1)
    return [Fix(block_of(name), "")] if words[0] in _DECLARING else []

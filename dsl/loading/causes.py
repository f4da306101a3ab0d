"""Find the problems from which other problems follow, such as unreadable tables or parts that are not included.

No function here changes a problem.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from pathlib import Path

from rulewright.dsl.diagnostics.diagnostics import Diagnostic, Fix, Problems
from rulewright.dsl.diagnostics.source import Span
from rulewright.dsl.loading.files import Files
from rulewright.dsl.tree import declared, syntax

_MISSING = ("unknown-action", "unknown-attribute", "unknown-name", "unknown-type")
_OF_THINGS = frozenset(
    (
        "duplicate-name",
        "table-bad-cell",
        "table-duplicate-column",
        "table-duplicate-row",
        "table-empty",
        "table-extra-cell",
        "table-missing-cell",
        "table-missing-column",
        "table-sum-row",
        "unknown-file",
        "unknown-type",
    )
)
"""The codes of problems after which it is unknown which things exist."""
_NAME = re.compile(r"\w+")
MOST_PARTS = 50  # the maximum number of files that are read beside a game


def causes(
    problems: tuple[Diagnostic, ...],
    declarations: Sequence[declared.Declaration],
    game: Path,
    included: Collection[Path],
    files: Files,
) -> tuple[Diagnostic, ...]:
    """Return the problems except those that are known to follow from other problems."""
    parts = left_out(problems, declarations, game, included, files)
    if parts:
        return parts
    if any(problem.code in _OF_THINGS for problem in problems):
        # Invariants are computed from the contents of tables.
        return tuple(problem for problem in problems if problem.code != "invariant-broken")
    return problems


def left_out(
    problems: Iterable[Diagnostic],
    declarations: Sequence[declared.Declaration],
    game: Path,
    included: Collection[Path],
    files: Files,
) -> tuple[Diagnostic, ...]:
    """Return a problem for each part that should be included: the first missing name that the part
    declares, with help to include the part.

    Other problems may follow from these problems.
    """
    missing = [
        (problem, word[0])
        for problem in problems
        if problem.code in _MISSING and (word := _NAME.match(problem.span.text)) is not None
    ]
    if not missing:
        return ()
    whose: dict[str, str] = {}
    for part, names in _parts_beside(declarations, game, included, files):
        for name in names:
            whose.setdefault(name, part)
    found: dict[str, Diagnostic] = {}
    for problem, name in missing:
        if name in whose and whose[name] not in found:
            found[whose[name]] = _with_include_help(problem, name, whose[name], declarations)
    return tuple(found.values())


def _with_include_help(
    problem: Diagnostic, name: str, part: str, declarations: Iterable[declared.Declaration]
) -> Diagnostic:
    line = f'include "{part}"'
    heads = [d.span for d in declarations if isinstance(d, (declared.Game, declared.Include))]
    # The file of the game is read first.
    at = [span for span in heads if span.source is heads[0].source][-1]
    return problem.with_help(
        f"write `{line}` at the left margin: `{name}` is declared there",
        Fix(Span(at.source, at.end, at.end), f"\n{line}"),
    )


def _parts_beside(
    declarations: Iterable[declared.Declaration],
    game: Path,
    included: Collection[Path],
    files: Files,
) -> Iterator[tuple[str, set[str]]]:
    """From the folder of a game, yield the parts that the game does not include, each together with
    the names that the part declares.

    Files that declare a name from the game are left out, because they are other versions of the
    game's parts. Files that another game includes are also left out.
    """
    beside = [game.parent / name for name in files.file_names(game.parent, ".game")]
    known = {name for d in declarations for name in _own_names(d)}
    found: dict[str, Sequence[declared.Declaration]] = {}
    for path in [path for path in beside if path not in included][:MOST_PARTS]:
        source = files.read(path, {}, Problems())
        if source is not None:
            found[path.name] = files.declarations(source, Problems()).declarations
    whole = [name for name, of in found.items() if any(isinstance(d, declared.Game) for d in of)]
    for name in whole:  # the list grows during the loop
        parts = (d.path for d in found[name] if isinstance(d, declared.Include))
        whole += [part for part in parts if part in found and part not in whole]
    for name, written in found.items():
        if name not in whole and known.isdisjoint(own for d in written for own in _own_names(d)):
            yield name, {named for d in written for named in _declared_names(d)}


def _own_names(d: declared.Declaration) -> Iterator[str]:
    """Yield the name of a declaration if no other declaration of the game may have this name."""
    match d:
        case declared.Value(subject=None, name=name):
            yield name
        case (
            declared.KindList(name=name)
            | declared.Union(name=name)
            | declared.Record(name=name)
            | declared.OptionDeclaration(name=name)
            | declared.Token(name=name)
            | declared.Die(name=name)
            | declared.Seat(name=name)
            | declared.State(name=name)
            | declared.Zone(name=name)
            | declared.Position(name=name)
            | declared.Rule(name=name)
        ):
            yield name
        case declared.Power():
            yield from (line.name for line in d.lines if isinstance(line, declared.Rule))
        case (
            declared.Unnamed()
            | declared.Game()
            | declared.Include()
            | declared.PlayerDeclaration()
            | declared.Value()
            | declared.Side()
            | declared.Effect()
            | syntax.Broken()
        ):
            return


def _declared_names(d: declared.Declaration) -> Iterator[str]:
    """Yield all names that a declaration declares."""
    yield from _own_names(d)
    match d:
        case declared.KindList():
            yield from (value.name for value in d.values)
        case declared.OptionDeclaration():
            yield from (word.name for word in d.values if isinstance(word, syntax.Word))
        case declared.Record():
            yield from (column.name for column in d.columns)
            yield from _stored_names(d.states, d.zones)
            for row in d.rows:
                if row.cells and isinstance(row.cells[0], syntax.Word):
                    yield row.cells[0].name
        case declared.PlayerDeclaration():
            yield from _stored_names(d.states, d.zones)
        case declared.Value() | declared.Side():
            yield d.name
        case _:  # all others: only the names that `_own_names` returns
            return


def _stored_names(
    states: Iterable[declared.State], zones: Iterable[declared.Zone]
) -> Iterator[str]:
    yield from (state.name for state in states)
    yield from (zone.name for zone in zones)

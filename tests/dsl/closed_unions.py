"""Finds silent defaults over closed unions: code that handles two or more classes of a union and ignores the others.

These are a `match` with `case _`, or a chain of `isinstance` tests of one value, without `assert_never` at the end.
If a default is right for every future class, a comment says so: `# all others: REASON`. A search through all parts of
a tree (`for node in walk(...)`) needs only a few classes. `python -m tests.dsl.closed_unions` lists the findings.
"""

from __future__ import annotations

import ast
import importlib
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, Final, get_args

from attrs import frozen

from rulewright.dsl import ir
from rulewright.dsl.model.types import Type
from rulewright.dsl.tree import declared, syntax
from rulewright.dsl.tree.scenario_syntax import ScenarioLine

ROOT: Final = Path(__file__).parents[2]
ROOMS: Final = ("dsl", "interpreter", "editing", "pictures", "playground", "adapters")
WALKS: Final = ("walk", "every", "reading_parts")
REASON: Final = "# all others: "
UNIONS: Final = {
    "expressions": syntax.Expression,
    "statements": syntax.Statement,
    "written types": syntax.Type,
    "declarations": declared.Declaration,
    "lines of scenarios": ScenarioLine,
    "types": Type,
    "expressions of the IR": ir.Expr,
    "statements of the IR": ir.Stmt,
    "terminators of the IR": ir.Terminator,
}
MEMBERS: Final = {name: frozenset(get_args(union)) for name, union in UNIONS.items()}


@frozen
class Default:
    """A place where a default handles classes of a union."""

    path: str
    line: int
    union: str
    treated: frozenset[str]
    """Names of the classes that are handled explicitly."""

    def __str__(self) -> str:
        return f"{self.path}:{self.line}: {self.union} besides {', '.join(sorted(self.treated))}"


def silent_defaults() -> Iterator[Default]:
    """All places where a default over a closed union gives no reason."""
    for room in ROOMS:
        for path in sorted((ROOT / room).rglob("*.py")):
            yield from defaults_in(path.read_text(encoding="utf-8"), str(path.relative_to(ROOT)))


def defaults_in(text: str, path: str) -> Iterator[Default]:
    """The places of one module."""
    if "case _" not in text and "isinstance(" not in text:
        return
    nodes = [*ast.walk(ast.parse(text))]
    lines = text.splitlines()
    names, walked = _imported_names(nodes), _searches(nodes)
    for node in nodes:
        if isinstance(node, ast.Match):
            where = node.cases[-1].pattern.lineno
            places = [(where, where, _of_match(node, names, walked))]
        else:
            places = [
                (block[0].lineno - 1, _end(block) + 1, _of_block(block, names, walked))
                for block in _blocks(node)
            ]
        for first, last, found in places:
            if found and not any(REASON in line for line in lines[first - 1 : last]):
                for union, classes in found:
                    yield Default(path, first, union, frozenset(one.__name__ for one in classes))


Names = dict[str, Any]
Found = list[tuple[str, set[type]]]
Walked = list[tuple[str, range]]


def _imported_names(nodes: Iterable[ast.AST]) -> Names:
    """The modules and classes of ours that the imported names of a module refer to."""
    found: Names = {}
    for node in nodes:
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("rulewright.dsl"):
            module = importlib.import_module(str(node.module))
            for name in node.names:
                thing = getattr(module, name.name, None)
                if thing is None:
                    thing = importlib.import_module(f"{node.module}.{name.name}")
                found[name.asname or name.name] = thing
    return found


def _searches(nodes: Iterable[ast.AST]) -> Walked:
    """The lines in which a name refers to each part of a tree in turn: such a search needs only a few classes."""
    return [
        (ast.unparse(node.target), range(node.lineno, (node.end_lineno or 0) + 1))
        for node in nodes
        if isinstance(node, ast.For)
        and isinstance(node.iter, ast.Call)
        and ast.unparse(node.iter.func).rpartition(".")[2] in WALKS
    ]


def _is_walked(name: str, line: int, walked: Walked) -> bool:
    return any(name == one and line in lines for one, lines in walked)


def _class_of(node: ast.expr, names: Names) -> object:
    match node:
        case ast.Name(name):
            return names.get(name)
        case ast.Attribute(ast.Name(module), name):
            return getattr(names.get(module), name, None)
        case _:
            return None


def _sorted_by_union(classes: set[object]) -> Found:
    found = []
    for union, members in MEMBERS.items():
        named = {
            one
            for one in classes
            if isinstance(one, type) and any(issubclass(member, one) for member in members)
        }
        left = [one for one in members if not issubclass(one, tuple(named))]
        if len(named) > 1 and left:
            found.append((union, named))
    return found


# ---- matches ----------------------------------------------------------------------------------------


def _of_match(node: ast.Match, names: Names, walked: Walked) -> Found:
    last = node.cases[-1]
    is_open = isinstance(last.pattern, ast.MatchAs) and last.pattern.pattern is None
    if not is_open or _is_walked(ast.unparse(node.subject), node.lineno, walked):
        return []
    classes = {
        _class_of(kind, names)
        for case in node.cases[:-1]
        if case.guard is None
        for kind in _whole_classes(case.pattern)
    }
    return [] if _is_closed(last.body) else _sorted_by_union(classes)


def _is_closed(body: list[ast.stmt]) -> bool:
    return any("assert_never(" in ast.unparse(line) for line in body)


def _whole_classes(pattern: ast.pattern) -> Iterator[ast.expr]:
    """The classes whose objects all match a pattern."""
    match pattern:
        case ast.MatchOr(patterns):
            for part in patterns:
                yield from _whole_classes(part)
        case ast.MatchAs(pattern=ast.pattern() as inner):
            yield from _whole_classes(inner)
        case ast.MatchClass(kind, positional, _, named):
            if all(isinstance(p, ast.MatchAs) and p.pattern is None for p in [*positional, *named]):
                yield kind
        case _:
            pass


# ---- chains of `isinstance` -------------------------------------------------------------------------


def _blocks(node: ast.AST) -> Iterator[list[ast.stmt]]:
    """The blocks of a node, without an `elif`."""
    for name in ("body", "orelse", "finalbody"):
        block = getattr(node, name, None)
        if not isinstance(block, list) or not block or not isinstance(block[0], ast.stmt):
            continue
        if name == "body" or len(block) > 1 or not isinstance(block[0], ast.If):
            yield block


def _end(block: list[ast.stmt]) -> int:
    return block[-1].end_lineno or block[-1].lineno


def _of_block(block: list[ast.stmt], names: Names, walked: Walked) -> Found:
    """The unions whose classes a block tests one after the other."""
    tested: dict[str, list[ast.expr]] = {}
    for line in block:
        rest = line
        while isinstance(rest, ast.If):
            match rest.test:
                case ast.Call(ast.Name("isinstance"), [value, kind]):
                    tested.setdefault(ast.unparse(value), []).append(kind)
                case _:
                    pass
            if len(rest.orelse) != 1:
                break
            rest = rest.orelse[0]
    found: Found = []
    for name, kinds in tested.items():
        if len(kinds) > 1 and not _is_walked(name, block[0].lineno, walked):
            classes = {_class_of(one, names) for kind in kinds for one in _alternatives(kind)}
            found += _sorted_by_union(classes)
    return [] if found and _is_closed(block) else found


def _alternatives(kind: ast.expr) -> Iterator[ast.expr]:
    match kind:
        case ast.BinOp(left, ast.BitOr(), right):
            yield from _alternatives(left)
            yield from _alternatives(right)
        case ast.Tuple(items):
            for item in items:
                yield from _alternatives(item)
        case _:
            yield kind


if __name__ == "__main__":
    sys.stdout.writelines(f"{place}\n" for place in silent_defaults())

"""Finds the names in a node regardless of their meaning: all names, names that are read, and names that are set.

The results are cached for each node.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence, Set

from attrs import define

from rulewright.dsl.lowering.analysis.effects import reads_stored
from rulewright.dsl.tree import declared, syntax
from rulewright.dsl.tree.memo import Memo
from rulewright.dsl.tree.nesting import fields_of, rewrite, walk


def free_words(nodes: Iterable[object], written: Written) -> set[str]:
    """Return all names in the given nodes. The result may include names that the nodes themselves
    declare. This does no harm.
    """
    found: set[str] = set()
    for node in nodes:
        found.update(written.free_names(node))
    return found


def _free_names(node: object) -> set[str]:
    found: set[str] = set()
    for part in walk(node):
        if isinstance(part, syntax.Word):
            found.add(part.name)
        elif isinstance(part, syntax.Call):
            found.add(part.name)
            found.add("me")
        elif isinstance(part, syntax.Dot):
            found.add("me")
        if isinstance(part, syntax.Word):
            found.add("me")
    return found


def _is_reading(part: object) -> bool:
    return isinstance(part, syntax.Expression) and reads_stored(part)


@define
class Written(Memo):
    """The names in declarations. They are cached for all variants that share the declarations."""

    def attributes(self, node: object) -> frozenset[str]:
        """Return the names after dots in a node."""
        return self.of(_attributes, node)

    def reading_parts(self, node: object) -> Iterable[object]:
        """Return the parts of a node that may read something stored: names, attributes, types and membership tests."""
        if isinstance(node, (tuple, list)):
            return (part for one in node for part in self.reading_parts(one))
        return self.of(_reading_parts, node)

    def bindings(self, node: object, name: str) -> Sequence[object]:
        """Return the parts of a node that bind or set a local name."""
        return self.of(_bound_in, node).get(name, ())

    def words(self, node: object) -> frozenset[str]:
        """Return all names in a node that may refer to a value."""
        return self.of(_reference_names, node)

    def all_names(self, node: object) -> frozenset[str]:
        """Return all names in a node, of any kind."""
        return self.of(_names_in, node)

    def free_names(self, node: object) -> Set[str]:
        """Return all names in a node. The result includes `me` if the node may imply it."""
        return self.of(_free_names, node)

    def without_openly(self, node: object) -> tuple[object, frozenset[str]]:
        """Return two things: a node without the contents of `openly(...)`, and the names that
        remain in the node. Everybody may know the removed contents.
        """
        return self.of(_without_openly, node)

    def locals_set(self, node: object) -> frozenset[str]:
        """Return the local names that a node sets."""
        return self.of(_locals_set_in, node)


def _attributes(node: object) -> frozenset[str]:
    return frozenset(part.name for part in walk(node) if isinstance(part, syntax.Dot))


def _reading_parts(node: object) -> tuple[object, ...]:
    return tuple(filter(_is_reading, walk(node)))


def _reference_names(node: object) -> frozenset[str]:
    named = (syntax.Word, syntax.Call, syntax.Dot)
    return frozenset(part.name for part in walk(node) if isinstance(part, named))


def _without_openly(node: object) -> tuple[object, frozenset[str]]:
    left = rewrite(node, _replace_openly)
    return left, frozenset(
        part.name for part in walk(left) if isinstance(part, (syntax.Word, syntax.Call))
    )


def _replace_openly(part: object) -> object | None:
    if isinstance(part, syntax.Call) and part.name == "openly":
        return syntax.Fixed(part.span, "yes")
    return None


def _names_in(node: object) -> frozenset[str]:
    left, found = [node], set[str]()
    while left:
        part = left.pop()
        if isinstance(part, str):
            found.add(part)
        elif isinstance(part, tuple):
            left += part
        else:
            # The chosen options already determine whether the part exists.
            left += (getattr(part, name) for name in fields_of(part.__class__) if name != "only_if")
    return frozenset(found)


def _bound_in(node: object) -> dict[str, list[object]]:
    found: dict[str, list[object]] = {}
    for part in walk(node):
        match part:
            case (
                syntax.Binder(name=name)
                | syntax.Choose(name=name)
                | declared.Param(name=name)
                | syntax.Let(name=name)
                | syntax.LetDo(name=name)
                | declared.Effect(name=name)
                | declared.Power(name=name)
                | syntax.Roll(place=syntax.Word(name=name))
                | syntax.SetTo(place=syntax.Word(name=name))
            ):
                found.setdefault(name, []).append(part)
            case _:
                pass
    return found


def _locals_set_in(node: object) -> frozenset[str]:
    found: set[str] = set()
    for part in walk(node):
        match part:
            case (
                syntax.Let() | syntax.LetDo() | syntax.Choose() | syntax.Binder() | declared.Param()
            ):
                found.add(part.name)
            case syntax.Roll(place=syntax.Word() as word):
                found.add(word.name)
            case _:
                pass
    return frozenset(found)

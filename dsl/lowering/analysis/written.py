"""The names in a text without their meaning: all names, those that read something, those that are given a value.

Found once for each node.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence, Set

from attrs import define, field

from rulewright.dsl.lowering.analysis.effects import looks
from rulewright.dsl.model.rule_context import Shapes
from rulewright.dsl.tree import declared, syntax
from rulewright.dsl.tree.nesting import fields_of, rewritten, walk
from rulewright.dsl.tree.noted import Recent, recent


def free_words(nodes: Iterable[object], written: Written) -> set[str]:
    """All names in a text (more than the free ones do no harm)."""
    found: set[str] = set()
    for node in nodes:
        found.update(written.free(node))
    return found


def _words(node: object) -> set[str]:
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


def _is_looking(part: object) -> bool:
    return isinstance(part, syntax.Expression) and looks(part)


@define
class Written:
    """The names in declarations, found once for all settings in which the declarations are equal.

    By the `id` of each declaration, which is kept beside them."""

    _attributes: Recent[int, tuple[object, frozenset[str]]] = field(factory=recent)
    _given: Recent[int, tuple[object, frozenset[str]]] = field(factory=recent)
    _looking: Recent[int, tuple[object, tuple[object, ...]]] = field(factory=recent)
    _bound: Recent[int, tuple[object, dict[str, list[object]]]] = field(factory=recent)
    _free: Recent[int, tuple[object, Set[str]]] = field(factory=recent)
    _names: Recent[int, tuple[object, frozenset[str]]] = field(factory=recent)
    _said: Recent[int, tuple[object, frozenset[str]]] = field(factory=recent)
    _unless_open: Recent[int, tuple[object, object, frozenset[str]]] = field(factory=recent)
    shapes: Shapes = field(factory=Shapes)

    def attributes(self, node: object) -> frozenset[str]:
        """The names after dots."""
        known = self._attributes.get(id(node))
        if known is None:
            names = (part.name for part in walk(node) if isinstance(part, syntax.Dot))
            known = self._attributes.put(id(node), (node, frozenset(names)))
        return known[1]

    def looking(self, node: object) -> Iterable[object]:
        """The parts that may read something stored: names, attributes, types, membership."""
        if isinstance(node, (tuple, list)):
            return (part for one in node for part in self.looking(one))
        known = self._looking.get(id(node))
        if known is None:
            known = self._looking.put(id(node), (node, tuple(filter(_is_looking, walk(node)))))
        return known[1]

    def bound(self, node: object, name: str) -> Sequence[object]:
        """The parts that bind a local name, or give it a value."""
        known = self._bound.get(id(node))
        if known is None:
            known = self._bound.put(id(node), (node, _bound_in(node)))
        return known[1].get(name, ())

    def words(self, node: object) -> frozenset[str]:
        """All names that may stand for a value."""
        known = self._names.get(id(node))
        if known is None:
            named = (syntax.Word, syntax.Call, syntax.Dot)
            names = frozenset(p.name for p in self.looking(node) if isinstance(p, named))
            known = self._names.put(id(node), (node, names))
        return known[1]

    def said(self, node: object) -> frozenset[str]:
        """All names in a node, of any kind."""
        known = self._said.get(id(node))
        if known is None:
            known = self._said.put(id(node), (node, frozenset(_names_in(node))))
        return known[1]

    def free(self, node: object) -> Set[str]:
        """All names in a node, and `me` if it may be implied."""
        known = self._free.get(id(node))
        if known is None:
            known = self._free.put(id(node), (node, _words(node)))
        return known[1]

    def unless_open(self, node: object) -> tuple[object, frozenset[str]]:
        """A node without the contents of `openly(...)`, which everybody may know; also the names in these contents."""
        known = self._unless_open.get(id(node))
        if known is None:
            left = rewritten(node, _known_to_all)
            names = {p.name for p in walk(left) if isinstance(p, (syntax.Word, syntax.Call))}
            known = self._unless_open.put(id(node), (node, left, frozenset(names)))
        return known[1:]

    def given(self, node: object) -> frozenset[str]:
        """Local names that are given a value."""
        known = self._given.get(id(node))
        if known is None:
            known = self._given.put(id(node), (node, frozenset(_given_in(node))))
        return known[1]

    def end(self) -> None:
        """End a check."""
        for one in (self._attributes, self._given, self._looking, self._bound, self._free):
            one.end()
        self._names.end()
        self._said.end()
        self._unless_open.end()
        self.shapes.end()


def _known_to_all(part: object) -> object | None:
    if isinstance(part, syntax.Call) and part.name == "openly":
        return syntax.Fixed(part.span, "yes")
    return None


def _names_in(node: object) -> Iterator[str]:
    left = [node]
    while left:
        part = left.pop()
        if isinstance(part, str):
            yield part
        elif isinstance(part, tuple):
            left += part
        else:
            # The chosen options already tell whether it exists.
            left += (getattr(part, name) for name in fields_of(part.__class__) if name != "only_if")


def _bound_in(node: object) -> dict[str, list[object]]:
    found: dict[str, list[object]] = {}
    for part in walk(node):
        match part:
            case (
                syntax.Binder(name=name)
                | syntax.Choose(name=name)
                | declared.Param(name=name)
                | syntax.Let(name=name)
                | declared.Effect(name=name)
                | declared.Power(name=name)
                | syntax.Roll(place=syntax.Word(name=name))
                | syntax.SetTo(place=syntax.Word(name=name))
            ):
                found.setdefault(name, []).append(part)
            case _:
                pass
    return found


def _given_in(node: object) -> Iterator[str]:
    for part in walk(node):
        match part:
            case syntax.Let() | syntax.Choose() | syntax.Binder() | declared.Param():
                yield part.name
            case syntax.Roll(place=syntax.Word() as word):
                yield word.name
            case _:
                pass

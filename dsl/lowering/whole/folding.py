"""Evaluates everything that options and the number of players determine.

This happens before anything is compiled. Known conditions are replaced by their values. Parts that
the variant never reaches are left out, so that they neither cause reports nor slow down decisions.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Set
from typing import Any, TypeAlias, TypeVar

from attrs import define, field

from rulewright.dsl.diagnostics.diagnostics import Problems
from rulewright.dsl.diagnostics.source import Span
from rulewright.dsl.immutable import evolve, frozen
from rulewright.dsl.model.constants import Key, NotConstant, constant
from rulewright.dsl.model.model import CellRead, Model
from rulewright.dsl.tree import syntax
from rulewright.dsl.tree.memo import Memo, Recent, recent
from rulewright.dsl.tree.nesting import part_names, walk

T = TypeVar("T")
Place = tuple[str, int]
Answers: TypeAlias = tuple[object, ...]
"""The values known before the game starts. Equal values and equal cells of tables give equal foldings."""
MOST_VERSIONS = 4
"""The maximum number of versions of the tables for which results are cached. The latest versions are kept."""


@frozen
class _Folding:
    """A folded node, its result, and the facts that folding has recorded about the model.

    The node is stored so that its `id` is not reused.
    """

    node: object
    result: Any
    asked: Set[str]
    live: Set[Span]
    dead: Set[Span]


@define
class _Foldings:
    """Folded nodes, keyed by `id`, and the contents of the table cells that were read to fold them."""

    cells: dict[CellRead, int | None] = field(factory=dict)
    nodes: Recent[int, _Folding] = field(factory=recent)


@define
class Settled:
    """Folded nodes, keyed by `id`, for all variants of a game and across edits of the game."""

    as_written: Recent[int, object] = field(factory=recent)
    """Nodes that do not depend on options."""
    folded: dict[Answers, list[_Foldings]] = field(factory=dict)
    """The other nodes, keyed by the values known before the game starts. The most recently used come last."""

    def end(self) -> None:
        """End a check. Keep the nodes that the check has used, and at most the same number of other
        nodes, the most recent ones.
        """
        self.as_written.end()
        every = [one for known in self.folded.values() for one in known]
        asked = [one for one in every if one.nodes.is_used()]
        for one in asked:
            one.nodes.end()
        room, kept = sum(one.nodes.size() for one in asked), {*map(id, asked)}
        for one in reversed(every):
            if asked and id(one) not in kept:
                room -= one.nodes.size()
                if room >= 0:
                    kept.add(id(one))
        if asked:
            left = {
                answers: [one for one in known if id(one) in kept]
                for answers, known in self.folded.items()
            }
            self.folded = {answers: known for answers, known in left.items() if known}


def fold(model: Model, settled: Settled, memo: Memo) -> Mapping[tuple[str, str], object]:
    """Substitute known values in all rules and values of a model. Return these values and the options.

    All variants of a game share `settled` and `memo`.
    """
    folder = _Folder(model, settled, memo)
    for name, rule in model.rules.items():
        model.rules[name] = folder.fold_declaration(rule)
    for name, value in model.values.items():
        model.values[name] = folder.fold_declaration(value)
    for name, values in model.subject_values.items():
        model.subject_values[name] = folder.fold_all(values)
    model.effects = folder.fold_all(model.effects)
    model.setups, model.plays = folder.fold_all(model.setups), folder.fold_all(model.plays)
    model.powers, model.anytimes = folder.fold_all(model.powers), folder.fold_all(model.anytimes)
    model.triggers = [
        (
            folder.fold_declaration(trigger),
            None if power is None else folder.fold_declaration(power),
        )
        for trigger, power in model.triggers
    ]
    model.scores, model.winners = folder.fold_all(model.scores), folder.fold_all(model.winners)
    model.invariants, model.boards = (
        folder.fold_all(model.invariants),
        folder.fold_all(model.boards),
    )
    return {
        **{("known", name): value for name, value in folder.found.items()},
        **{("option", name): values for name, values in model.options.items()},
    }


@define
class _Folder:
    model: Model
    settled: Settled
    memo: Memo
    known: set[str] = field(init=False)
    """Names whose values are known before the game starts."""
    found: Mapping[str, int | None] = field(init=False)
    """The values of these names."""
    done: _Foldings = field(init=False)

    def __attrs_post_init__(self) -> None:
        self.known = {"player_count", *self.model.options}
        left = dict(self.model.fixed_values)
        while more := {name for name, value in left.items() if self._is_known(value)}:
            self.known |= more
            left = {name: value for name, value in left.items() if name not in more}
        self.found, folded = self.model.constant_values(sorted(self.known)), self.settled.folded
        # Everything that folding may request from the model, except cells of tables.
        answers: Answers = (*self.found.items(), *self.model.options.items())
        versions = folded[answers] = folded.pop(answers, [])
        fitting = [one for one in versions if self.model.has_cells(one.cells)]
        if not fitting:
            versions.append(_Foldings())
            del versions[:-MOST_VERSIONS]
        self.done = fitting[0] if fitting else versions[-1]

    def _is_known(self, node: object) -> bool:
        """Return whether a node contains a name whose value is known before the game starts."""
        return not self.known.isdisjoint(self.memo.of(_words_in, node))

    def fold_all(self, nodes: Iterable[T]) -> list[T]:
        return [self.fold_declaration(node) for node in nodes]

    def fold_declaration(self, node: T) -> T:
        """Return a declaration with known values substituted."""
        found = self.fold_node(node)
        if found is node:
            self._settle(node)
        return found

    def _settle(self, node: object) -> None:
        """Record that a node is the same in all variants, and that no variant leaves out a part of the node."""
        settled = self.settled.as_written
        if settled.get(id(node)) is None and not self._is_known(node):
            settled.put(id(node), node)

    def fold_node(self, node: T) -> T:
        """Return a node with known values substituted."""
        if self.settled.as_written.get(id(node)) is not None:
            return node
        found = self.done.nodes.get(id(node))
        if found is None:
            found = self.done.nodes.put(id(node), self._fold_and_record(node))
        model = self.model
        model.used_options |= found.asked
        model.live |= found.live
        model.dead |= found.dead
        result: T = found.result
        return result

    def _fold_and_record(self, node: object) -> _Folding:
        model = self.model
        before = model.used_options, model.live, model.dead
        model.used_options, model.live, model.dead = set(), set(), set()
        result = self._fold_parts(node)
        found = _Folding(node, result, model.used_options, model.live, model.dead)
        model.used_options, model.live, model.dead = before
        return found

    def _fold_parts(self, node: Any) -> Any:
        kind = node.__class__
        if kind is tuple:
            parts = tuple([self.fold_node(part) for part in node])
            same = all(one is other for one, other in zip(parts, node, strict=True))
            if same:
                return node
            for part, before in zip(parts, node, strict=True):
                if part is before:
                    self._settle(part)
            return tuple(part for part in parts if part is not None)
        names = part_names(kind)
        if not names:
            return node
        changed = {}
        for name in names:
            before = getattr(node, name)
            after = self.fold_node(before) if before is not None else None
            if after is not before:
                changed[name] = after
        return self._simplify(evolve(node, **changed) if changed else node)

    def _simplify(self, node: Any) -> Any:
        match node:
            case syntax.IfElse():
                known = self._truth(node.condition)
                return node if known is None else node.then if known else node.otherwise
            case syntax.Binary(operator="and" | "or"):
                return self._fold_junction(node)
            case syntax.Needs() if self._truth(node.condition):
                return None
            case syntax.If():
                return self._fold_branches(node)
            case syntax.OptionArm():
                return self._fold_arm(node)
            case _:
                return node

    def _fold_junction(self, node: syntax.Binary) -> syntax.Expression:
        """Fold `a and b` or `a or b` if a side is known."""
        decides = node.operator == "or"  # the value of a side that determines the result
        for one, other in ((node.left, node.right), (node.right, node.left)):
            known = self._truth(one)
            if known is not None:
                return _yes_or_no(node.span, decides) if known == decides else other
        return node

    def _fold_branches(self, node: syntax.If) -> syntax.If:
        """Replace the known conditions of an `if` with their values, and empty the blocks that are never reached."""
        cases: list[tuple[syntax.Expression, syntax.Block]] = []
        is_over = changed = False
        for asked, block in node.cases:
            known = False if is_over else self._truth(asked)
            if known is None:
                self._mark_block(block, live=True)
                cases.append((asked, block))
                continue
            changed = True
            self._mark_block(block, live=known)
            cases.append((_yes_or_no(asked.span, known), block if known else ()))
            is_over = is_over or known
        if node.otherwise:
            self._mark_block(node.otherwise, live=not is_over)
        if not changed:
            return node
        return evolve(node, cases=tuple(cases), otherwise=() if is_over else node.otherwise)

    def _mark_block(self, block: syntax.Block, *, live: bool) -> None:
        for s in block[:1]:
            places = self.model.live if live else self.model.dead
            places.add(s.span)

    def _fold_arm(self, node: syntax.OptionArm) -> syntax.OptionArm:
        """Fold an arm of a choice. An arm that is never offered remains as an option that is always refused."""
        known = None if node.where is None else self._truth(node.where)
        if known is None or node.where is None:
            return node
        return evolve(node, where=None if known else _yes_or_no(node.where.span, False))

    def _truth(self, e: syntax.Expression) -> bool | None:
        """Return the truth of a condition; None if it is not known before the game starts."""
        if isinstance(e, syntax.Fixed):
            return None if e.word in ("nothing", "empty") else e.word == "yes"
        if not self._is_known(e):
            return None
        model = self.model
        hold, model.problems = model.problems, Problems()
        try:
            return bool(constant(self._fold_option_tests(e), self._word_value, self._cell_value))
        except NotConstant:
            return None
        finally:
            model.problems = hold

    def _cell_value(self, table: str, keys: tuple[Key, ...], column: str) -> int | None:
        found = self.done.cells[table, keys, column] = self.model.cell(table, keys, column)
        return found

    def _word_value(self, name: str) -> int | None:
        return self.model.word(name) if name in self.known else None

    def _fold_option_tests(self, e: syntax.Expression) -> syntax.Expression:
        """Fold a test such as `length is long`, where `long` is a value of the option `length`.

        Elsewhere, `long` may have another meaning.
        """
        match e:
            case syntax.Binary(
                operator="is" | "is not", left=syntax.Word(name=name), right=syntax.Word(name=value)
            ) if value in self.model.options.get(name, ()):
                self.model.option(name)
                same = self.model.option_chosen[name] == value
                return _yes_or_no(e.span, same == (e.operator == "is"))
            case syntax.Binary():
                return evolve(
                    e, left=self._fold_option_tests(e.left), right=self._fold_option_tests(e.right)
                )
            case syntax.Unary():
                return evolve(e, operand=self._fold_option_tests(e.operand))
            case syntax.WrittenValue() | syntax.Reference() | syntax.Operation():
                return e


def _yes_or_no(span: Span, truth: bool) -> syntax.Fixed:
    return syntax.Fixed(span, "yes" if truth else "no")


def _words_in(node: object) -> frozenset[str]:
    return frozenset(part.name for part in walk(node) if isinstance(part, syntax.Word))

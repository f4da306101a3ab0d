"""Find conditions that disclose no more than the pieces that the next steps reveal.

`if any(c in me.hand where c is two)` discloses that the hand contains a two. If the block of the condition
reveals such a two, the condition discloses nothing further. Revealing another card of the hand is not
enough.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from attrs import define

from rulewright.dsl.checks.secrecy.labels import (
    EVERYBODY,
    Label,
    Labels,
    Names,
    either,
    join,
    player_name,
)
from rulewright.dsl.checks.secrecy.opening import Opening
from rulewright.dsl.checks.secrecy.reading import Reader
from rulewright.dsl.immutable import evolve, frozen
from rulewright.dsl.tree import syntax
from rulewright.dsl.tree.nesting import walk


@frozen
class Selection:
    """A selection, represented as text: the pieces of one place that meet some conditions. Equal
    selections have equal text.
    """

    place: str
    conditions: frozenset[str] = frozenset()


def _words(e: syntax.Expression) -> str:
    return " ".join(e.span.text.split())


def _selection(
    source: syntax.Expression, name: str, *conditions: syntax.Expression | None
) -> Selection:
    """Return the selection of those elements of a source that meet these conditions."""
    element = re.compile(rf"(?<![\w.]){re.escape(name)}\b")
    written = [
        f"_ in {_words(one)}" if isinstance(one, syntax.TypeWord) else element.sub("_", _words(one))
        for one in conditions
        if one is not None
    ]
    return Selection(_words(source), frozenset(written))


def _of_query(e: syntax.Expression | None) -> Selection | None:
    """Return the selection of a query that returns pieces of one place, or that tests whether the
    place contains such pieces.
    """
    match e:
        case syntax.Call(name="sure", arguments=(only,)):
            return _of_query(only)
        case syntax.Query(
            word="any" | "list" | "first" | "the" | "ranking" as word, binders=(only,)
        ) if only.stretch is None and (word == "any" or e.body is None):
            return _selection(only.source, only.name, only.type, e.where, e.body)
        case _:
            return None


@define
class Exactly:
    """Compares the selection in a condition with the selections that later steps reveal."""

    reader: Reader
    opening: Opening

    def condition_label(
        self, e: syntax.Expression, ways: tuple[Sequence[syntax.Block], ...], names: Names
    ) -> Label:
        """Return the label of a condition, without the places about which the condition discloses nothing further.

        A condition discloses nothing further about a place if it only tests whether the place
        contains certain pieces, and a block that follows reveals these pieces. `ways` contains the
        blocks that may follow if the condition holds, and the blocks that may follow otherwise.
        """
        found = self.reader.label(e, names)
        if not found:
            return found
        match e:
            case syntax.Unary(operator="not", operand=operand):
                return self.condition_label(operand, ways[::-1], names)
            case syntax.Query(word="any", binders=(only,)) if only.stretch is None:
                selected, way = _of_query(e), ways[0]
                left = self.of_element(only, (e.where, e.body), names)
            case syntax.Binary(
                operator="is" | "is not" as word, left=place, right=syntax.Fixed(word="empty")
            ):
                selected, way = Selection(_words(place)), ways[word == "is"]
                left = self.reader.address(place, names)
            case syntax.Binary(
                operator="in" | "not in" as word, left=syntax.Word() as piece, right=place
            ):
                left = join((self.reader.label(piece, names), self.reader.address(place, names)))
                is_revealed = all(
                    self._is_revealed(piece.name, block, found, names)
                    for block in ways[word == "not in"]
                )
                return left if is_revealed else found
            case _:
                return self._of_named(e, ways, names)
        if selected is None:
            return found
        return left if all(self._reveals(selected, block, found, names) for block in way) else found

    def choice_label(self, s: syntax.Choose, rest: syntax.Block, names: Names) -> Label | None:
        """If later steps reveal the chosen piece, return the label of the test whether there is a
        piece to choose; otherwise return None.
        """
        found = self.reader.labels(s.source, names)
        if (
            s.or_none
            or not self.reader.is_some(s.quantity)
            or s.stretch is not None
            or not found.lies
        ):
            return None
        if not self._is_revealed(s.name, rest, found.lies, names):
            return None
        amount = None if s.quantity is None else s.quantity.amount
        return join((self.of_element(s, (s.where,), names), self.reader.label(amount, names)))

    def _of_named(
        self, e: syntax.Expression, ways: Sequence[Sequence[syntax.Block]], names: Names
    ) -> Label:
        """Return the label of a condition, without the secrets of local pieces if all blocks of one
        way reveal these pieces by name.
        """
        inner = names.inner()
        for name in sorted({word.name for word in walk(e) if isinstance(word, syntax.Word)}):
            part = names.get(name)
            if part is None or not part.lies:
                continue
            for way in ways:
                kept = [self.opening.after_reveals(name, part, block, names) for block in way]
                part = evolve(either(kept), player=part.player, placed=part.placed)
            inner.own[name] = part
        return self.reader.label(e, inner)

    def of_element(
        self,
        binder: syntax.Binder | syntax.Choose,
        conditions: tuple[syntax.Expression | None, ...],
        names: Names,
    ) -> Label:
        """Return the label of conditions on an element, given that later steps reveal the element."""
        inner = names.inner()
        inner.own[binder.name] = Labels(pieces=True, player=player_name(binder))
        return join(
            (self.reader.address(binder.source, names), self.reader.label(conditions, inner))
        )

    def _reveals(
        self, selected: Selection, block: syntax.Block, place: Label, names: Names
    ) -> bool:
        """Return whether steps reveal a selected piece before they change anything that the selection
        depends on.
        """
        for n, s in enumerate(block):
            step = s.step if isinstance(s, syntax.Surely) else s
            rest = block[n + 1 :]
            match step:
                case syntax.Choose(name=name, source=source, where=where) if (
                    _selection(source, name, step.type, where) == selected
                ):
                    is_some = not step.or_none and self.reader.is_some(step.quantity)
                    return is_some and self._is_revealed(name, rest, place, names)
                case syntax.Let(name=name, value=value) if _of_query(value) == selected:
                    return self._is_revealed(name, rest, place, names)
                case syntax.ForEach(binder=only, where=where, body=body) if (
                    _selection(only.source, only.name, only.type, where) == selected
                ):
                    return self._is_revealed(only.name, body, place, names)
                case syntax.Move(source=None, amount=value) | syntax.Show(what=value) if (
                    _of_query(value) == selected
                ):
                    name = "a piece"
                    word = syntax.Word(step.span, name)
                    return self._is_revealed(name, (_with_piece(step, word),), place, names)
                case syntax.AtOnce(body=body):
                    return self._reveals(selected, body, place, names)
                case syntax.Log() | syntax.Choose() | syntax.Let():
                    continue
                case _:  # all others: they may change the selection
                    return False
        return False

    def _is_revealed(self, name: str, block: syntax.Block, place: Label, names: Names) -> bool:
        """Return whether steps show the piece with this local name to everybody."""
        if not place:
            return False
        marker = evolve(place[0], name=f"@{name}", whose="", knowers=frozenset())
        inner = names.inner()
        inner.own[name] = Labels((marker,), (), pieces=True)
        return EVERYBODY in self.opening.readers_of(marker, place, block, inner)


def _with_piece(step: syntax.Move | syntax.Show, word: syntax.Word) -> syntax.Statement:
    """Return the step with `word` in place of the pieces that the step moves or shows."""
    if isinstance(step, syntax.Move):
        return evolve(step, amount=word)
    return evolve(step, what=word)

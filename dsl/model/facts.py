"""Stores facts about places in a checked text: the referent of each name and the type of each expression.

There is one table, keyed by place, for all variants of a game. The lowering adds
the facts; this module computes nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final, Literal, TypeAlias

from attrs import define, field

from rulewright.dsl.diagnostics.source import Source, Span
from rulewright.dsl.immutable import frozen
from rulewright.dsl.model.types import Type, join

ReferentKind: TypeAlias = Literal[
    "action", "built-in", "column", "effect", "local", "option", "part", "row", "rule", "seat", "state",
    "table", "tokens", "type", "value", "zone",
]  # fmt: skip
"""The classes of things to which names refer."""


TypesBySource: TypeAlias = Mapping[Source, Mapping[Span, Type]]
"""The types of expressions, keyed by text and place."""
_NO_TYPES: Final[Mapping[Span, Type]] = {}


@frozen
class Referent:
    """The thing to which a name refers.

    `declared` is the first place of this thing in the text; it is None for words of the language.
    """

    kind: ReferentKind
    name: str
    declared: Span | None


@define
class Facts:
    """The referents of names and the types of expressions, keyed by place."""

    referents: dict[Span, Referent] = field(factory=dict)
    types: dict[Span, Type] = field(factory=dict)
    elsewhere: dict[Span, Referent] = field(factory=dict)
    """The referents of local names that are declared under another name.

    They are used if no referent is found at the place itself.
    """
    earlier: TypesBySource = field(factory=dict)
    """The types that earlier checks found, for texts that still have declarations."""

    def refers(self, span: Span, kind: ReferentKind, name: str, declared: Span | None) -> None:
        """Record the referent of a name."""
        if kind == "local" and name != "me" and declared is not None and declared.text != name:
            # The value of a parameter may be chosen where an action is offered.
            self.elsewhere.setdefault(span, Referent(kind, name, declared))
            return
        known = self.referents.get(span)
        if (
            known is None
            # The owner of a power may be named `p` in the head of the power, and `me` in its steps.
            or (known.kind == kind == "local" and known.name != name == span.text)
            # The origin of a name may become known only at a later use.
            or (known.declared is None and (known.kind, known.name) == (kind, name))
        ):
            self.referents[span] = Referent(kind, name, declared)

    def has_type(self, span: Span, type: Type) -> None:
        """Record the type of an expression. Types that differ between variants are joined."""
        known = self.types.get(span)
        if known is None:
            self.types[span] = type
        elif known is not type and known != type:
            both = join(known, type)
            if both is not None:
                self.types[span] = both

    def lasting_type(self, span: Span) -> Type | None:
        """Return a type that includes the types of an expression in this check and in earlier checks.

        After an edit, most parts of a variant are not lowered. Their types are those of an earlier check.
        """
        known, before = self.types.get(span), self.earlier.get(span.source, _NO_TYPES).get(span)
        if known is None or before is None or known is before:
            return known or before
        return join(before, known) or known

    def lasting_types(self) -> TypesBySource:
        """Return all types of this check and of earlier checks, for the next check."""
        found: dict[Source, dict[Span, Type]] = {}
        for span in self.types:
            there = found.get(span.source)
            if there is None:
                there = found[span.source] = {**self.earlier.get(span.source, _NO_TYPES)}
            type = self.lasting_type(span)
            assert type is not None
            there[span] = type
        return {**self.earlier, **found}

    def copy(self) -> Facts:
        """Return a copy of the current referents and types."""
        return Facts(dict(self.referents), dict(self.types))

    # ---- questions ----

    def at(self, source: Source, offset: int) -> tuple[Span, Referent] | None:
        """Return the place of the name that contains an offset, and its referent; None if there is no name."""
        around = [span for span in self.referents if _holds(span, source, offset)]
        span = min(around, key=_length, default=None)
        return None if span is None else (span, self.referents[span])

    def type_at(self, source: Source, offset: int) -> tuple[Span, Type] | None:
        """Return the place of the smallest expression that contains an offset, and its type; None if there is none."""
        around = [span for span in self.types if _holds(span, source, offset)]
        span = min(around, key=_length, default=None)
        return None if span is None else (span, self.types[span])

    def references(self, declared: Span) -> list[Span]:
        """Return the place of a declaration and all places that refer to it, in order."""
        found = {span for span, known in self.referents.items() if known.declared == declared}
        return sorted({*found, declared})

    def locals_before(
        self, source: Source, start: int, offset: int
    ) -> Iterator[tuple[str, Type | None]]:
        """Yield the local names that are declared between two offsets, last first, each with its type."""
        named = [
            (span, known)
            for span, known in self.referents.items()
            if span.source is source and start <= span.start < offset
            if known.kind == "local" and known.declared == span
        ]
        for span, known in sorted(named, key=lambda one: -one[0].start):
            yield known.name, self.types.get(span)


class TypesOnly(Facts):
    """A table of types without referents. Checks of secrets need types, but only editors need referents."""

    def refers(self, span: Span, kind: ReferentKind, name: str, declared: Span | None) -> None:
        """Do nothing, because referents are not needed."""


def _holds(span: Span, source: Source, offset: int) -> bool:
    return span.source is source and span.start <= offset <= span.end


def _length(span: Span) -> int:
    return span.end - span.start

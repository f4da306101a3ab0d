"""Facts about places in a checked text: the referent of each name and the type of each expression.

There is one table, keyed by place, for all combinations of players and options. The lowering fills it in; this
module computes nothing.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, TypeAlias

from attrs import define, field

from rulewright.dsl.diagnostics.source import Source, Span
from rulewright.dsl.immutable import frozen
from rulewright.dsl.model.types import Type, join

ReferentKind: TypeAlias = Literal[
    "action", "built-in", "column", "effect", "local", "option", "part", "row", "rule", "seat", "state",
    "table", "tokens", "type", "value", "zone",
]  # fmt: skip
"""The types of a referent."""


@frozen
class Referent:
    """The thing that a name refers to: `declared` is where it is first written, None for words of the language."""

    kind: ReferentKind
    name: str
    declared: Span | None


@define
class Facts:
    """Names and types by their places."""

    referents: dict[Span, Referent] = field(factory=dict)
    types: dict[Span, Type] = field(factory=dict)
    elsewhere: dict[Span, Referent] = field(factory=dict)
    """Referents at places where a local name is not written out, used if nothing nearer is found."""

    def refers(self, span: Span, kind: ReferentKind, name: str, declared: Span | None) -> None:
        """Note the referent of a name."""
        if kind == "local" and name != "me" and declared is not None and declared.text != name:
            # A parameter may have its value from where an action is offered.
            self.elsewhere.setdefault(span, Referent(kind, name, declared))
            return
        known = self.referents.get(span)
        if (
            known is None
            # The owner of a power may have the name `p` in its head, and `me` in its steps.
            or (known.kind == kind == "local" and known.name != name == span.text)
            # The origin of a name may become known only at a later use.
            or (known.declared is None and (known.kind, known.name) == (kind, name))
        ):
            self.referents[span] = Referent(kind, name, declared)

    def has_type(self, span: Span, type: Type) -> None:
        """Note the type of an expression; types that differ between combinations are joined."""
        known = self.types.get(span)
        if known is None:
            self.types[span] = type
        elif known is not type and known != type:
            both = join(known, type)
            if both is not None:
                self.types[span] = both

    def copied(self) -> Facts:
        """A copy of the referents and types known now."""
        return Facts(dict(self.referents), dict(self.types))

    # ---- questions ----

    def at(self, source: Source, offset: int) -> tuple[Span, Referent] | None:
        """The name at a place, and its referent."""
        around = [span for span in self.referents if _holds(span, source, offset)]
        span = min(around, key=_length, default=None)
        return None if span is None else (span, self.referents[span])

    def type_at(self, source: Source, offset: int) -> tuple[Span, Type] | None:
        """The smallest expression around a place, and its type."""
        around = [span for span in self.types if _holds(span, source, offset)]
        span = min(around, key=_length, default=None)
        return None if span is None else (span, self.types[span])

    def references(self, declared: Span) -> list[Span]:
        """All places that refer to the declaration at a place, that place included, in order."""
        found = {span for span, known in self.referents.items() if known.declared == declared}
        return sorted({*found, declared})

    def locals_before(
        self, source: Source, start: int, offset: int
    ) -> Iterator[tuple[str, Type | None]]:
        """The local names that are declared between two places, the last first, each with its type."""
        named = [
            (span, known)
            for span, known in self.referents.items()
            if span.source is source and start <= span.start < offset
            if known.kind == "local" and known.declared == span
        ]
        for span, known in sorted(named, key=lambda one: -one[0].start):
            yield known.name, self.types.get(span)


class TypesOnly(Facts):
    """A table of types. Checks of secrets need them; only editors need the referents."""

    def refers(self, span: Span, kind: ReferentKind, name: str, declared: Span | None) -> None:
        """Note nothing."""


def _holds(span: Span, source: Source, offset: int) -> bool:
    return span.source is source and span.start <= offset <= span.end


def _length(span: Span) -> int:
    return span.end - span.start

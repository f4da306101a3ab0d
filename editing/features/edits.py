"""A change of a text: what stands in place of a stretch."""

from __future__ import annotations

from attrs import frozen

from rulewright.dsl.diagnostics.source import Span


@frozen
class Edit:
    """Other words in place of those of a stretch."""

    span: Span
    text: str

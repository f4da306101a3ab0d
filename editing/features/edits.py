"""A change of a text: the replacement of a range."""

from __future__ import annotations

from attrs import frozen

from rulewright.dsl.diagnostics.source import Span


@frozen
class Edit:
    """Other words in place of those of a stretch."""

    span: Span
    text: str

"""A change of a text: a range and its replacement."""

from __future__ import annotations

from attrs import frozen

from rulewright.dsl.diagnostics.source import Span


@frozen
class Edit:
    """The replacement of the text of a range."""

    span: Span
    text: str

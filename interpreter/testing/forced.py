"""Represents the results of chance that a scenario dictates. This module does not depend on matches."""

from __future__ import annotations

import attrs

from rulewright.dsl.diagnostics.source import Span


@attrs.frozen
class Forced:
    """A result that chance must give: any of the given values."""

    span: Span
    text: str
    domain: int
    values: tuple[int, ...]


@attrs.frozen
class Tops:
    """The wanted top of a shuffled pile. For each position, beginning with the top, any of the
    given pieces is accepted.

    If `pieces` is None, chance decides.
    """

    span: Span
    pieces: tuple[tuple[int, ...], ...] | None


@attrs.define
class Shuffling:
    """A shuffle in progress: the pieces in their current order, from bottom to top, and the piece
    wanted at each position.

    Positions for which no piece is wanted are left to chance.
    """

    pieces: list[int]
    wanted: list[int | None] | None

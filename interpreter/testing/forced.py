"""The results of chance that a scenario dictates. Independent of matches."""

from __future__ import annotations

import attrs

from rulewright.dsl.diagnostics.source import Span


@attrs.frozen
class Forced:
    """A result that chance must give: any of these values."""

    span: Span
    text: str
    domain: int
    values: tuple[int, ...]


@attrs.frozen
class Tops:
    """The wanted top of a shuffle: for each place, top first, any of these pieces.

    If `pieces` is None, chance decides.
    """

    span: Span
    pieces: tuple[tuple[int, ...], ...] | None


@attrs.define
class Shuffling:
    """A shuffle in progress: the pieces in their present order, bottom first, and the pieces wanted at each place.

    Places without wanted pieces are left to chance.
    """

    pieces: list[int]
    wanted: list[int | None] | None

"""Exclude variants that are never played: `never expansion and player_count > 5`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from rulewright.dsl.diagnostics.diagnostics import Problems
from rulewright.dsl.loading.combinations import MOST_SETTINGS, Row, rows_of
from rulewright.dsl.model.constants import NotConstant, constant, no_value
from rulewright.dsl.tree import declared

Options = Sequence[tuple[str, tuple[str, ...]]]
"""The options of a game, each with the words for its values."""


def nevers_of(declarations: Iterable[declared.Declaration]) -> tuple[declared.Setting, ...]:
    """Return the `never` lines."""
    return tuple(
        setting
        for d in declarations
        if isinstance(d, declared.Game)
        for setting in d.settings
        if setting.name == "never"
    )


def excluding_line(
    nevers: Iterable[declared.Setting], players: int, chosen: Mapping[str, str], options: Options
) -> declared.Setting | None:
    """Return the line that excludes a variant, or None.

    A line whose condition cannot be computed excludes nothing.
    """

    def word(name: str) -> int | None:
        if name == "player_count":
            return players
        for option, values in options:
            if name == option:
                return _number(chosen[name], values)
        return next((v.index(name) for _, v in options if name in v), None)

    for never in nevers:
        try:
            if constant(never.value, word):
                return never
        except NotConstant:
            pass
    return None


def report_nevers(
    nevers: Iterable[declared.Setting], low: int, options: Options, problems: Problems
) -> None:
    """Report an error for each `never` condition that depends on anything except players and options."""
    known = dict(options)

    def word(name: str) -> int | None:
        if name == "player_count":
            return low
        if name in known:
            return _number(known[name][0], known[name])
        return next((v.index(name) for v in known.values() if name in v), None)

    for never in nevers:
        unlike = no_value(never.value, known)
        if unlike is not None:
            place, message, meant = unlike
            problems.error("unknown-option", message, place.span, help=meant)
            continue
        try:
            constant(never.value, word)
        except NotConstant as problem:
            problems.error(
                "wrong-type",
                "a `never` condition must be known before the game starts",
                problem.place.span,
                at=problem.why,
                help="use `player_count` and the options of the game",
            )


def _number(chosen: str, values: Sequence[str]) -> int:
    if all(value.isdigit() for value in values):
        return int(chosen)
    if all(value in ("yes", "no") for value in values):
        return int(chosen == "yes")
    return values.index(chosen)


def played_rows(
    sizes: Sequence[int], is_played: Callable[[Row], bool], most: int = MOST_SETTINGS
) -> list[Row]:
    """Return rows like those of `rows_of`, without rows that are never played.

    Such a row is replaced by rows that differ from it in one place, so that every possible pair of choices
    still occurs in some row.
    """
    found: dict[Row, None] = {}
    for row in rows_of(sizes, most):
        if is_played(row):
            found[row] = None
            continue
        for place, size in enumerate(sizes):
            others = (
                (*row[:place], value, *row[place + 1 :])
                for value in range(size)
                if value != row[place]
            )
            near = next(filter(is_played, others), None)
            if near is not None:
                found[near] = None
    return sorted(found)

"""Decides which choices of other players a player may know."""

from __future__ import annotations

from collections.abc import Iterable

from rulewright.dsl.ir import BOUND, PLAYER, SITE, Shown
from rulewright.interpreter.text.names import Value, digits
from rulewright.interpreter.views.position import Position
from rulewright.interpreter.views.view import ALL_SEEING


def may_tell(before: Position, after: Position, viewer: int) -> bool:
    """Return whether a viewer may know which option was chosen in the step from `before` to `after`.

    A choice is disclosed unless its site is private to the chooser, or the choice names a piece
    that the viewer knows neither before nor after the step.
    """
    if before.cells[BOUND]:
        return False
    if viewer in (before.cells[PLAYER], ALL_SEEING):
        return True
    if _is_own(before, after.choice):
        return False
    if _is_laid_open(before, after.choice):
        return True
    pieces = set(pieces_named(before, after.choice))
    knows = before.compiled.viewer.knows_piece
    return all(
        knows(before.cells, piece, viewer) or knows(after.cells, piece, viewer) for piece in pieces
    )


def _is_own(before: Position, option: int) -> bool:
    """Return whether a choice is private to its chooser.

    Simultaneous choices are private. In a game with secrets, a chosen value without an action is
    private as well. Other players see the effects of the value when the rules show them. If the
    rules show the effects at once, the value is disclosed.
    """
    number = before.cells[SITE]
    if before.compiled.program.sites[number].own:
        return True
    if before.compiled.viewer.nobody_hides:
        return False
    arm = before.compiled.words.arm(number, option)
    return not (arm.name or arm.laid_open) and arm.message is None


def _is_laid_open(before: Position, option: int) -> bool:
    """Return whether the step shows everyone the whole choice.

    The chosen pieces may be hidden again later in the step.
    """
    arm = before.compiled.words.arm(before.cells[SITE], option)
    if not arm.laid_open:
        return False
    if arm.message is None:
        return True
    words = before.compiled.words
    chosen = {
        piece
        for (domain, _, _), value in zip(arm.chosen, digits(arm, option), strict=False)
        if words.is_of_pieces(domain)
        for piece in _numbers(value)
    }
    return chosen.issuperset(pieces_named(before, option))


def pieces_named(before: Position, option: int) -> Iterable[int]:
    """Yield the pieces among the arguments of an option, and the pieces in its text."""
    words = before.compiled.words
    arm = words.arm(before.cells[SITE], option)
    for (domain, _, _), value in zip(arm.arguments, digits(arm, option), strict=True):
        if words.is_of_pieces(domain):
            yield from _numbers(value)
    if arm.message is None:
        return
    arguments = before.compiled.option_arguments(before.cells, option)
    for part in words.program.messages[arm.message].parts:
        if isinstance(part, Shown) and words.is_of_pieces(part.domain):
            yield from _numbers(arguments[part.argument])


def _numbers(value: Value) -> Iterable[int]:
    if isinstance(value, int):
        if value >= 0:
            yield value
        return
    for item in value:
        yield from _numbers(item)

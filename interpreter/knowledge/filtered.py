"""Explains why something is not offered at all, by naming the first condition of the choice that is not met.

The explanation contains nothing that the player may not know. This module does not explain offered
options, or refusals that have a reason.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice, product

import attrs

from rulewright.dsl.ir import PLAYER, SITE, Arm, nothing_message
from rulewright.interpreter.engines.reference import Reference
from rulewright.interpreter.knowledge.known import hidden_in
from rulewright.interpreter.text.faults import RuleFault
from rulewright.interpreter.text.names import Value, option_name
from rulewright.interpreter.views.compiled_game import CompiledGame
from rulewright.interpreter.views.position import Position

MOST = 300
"""The maximum number of things examined for one name or one arm."""


@attrs.frozen
class Unmet:
    """The reason why a thing is not offered. `step` is the number of the condition that is not met.

    `is_said` is true if the author of the rules gives a reason.
    """

    text: str
    clauses: tuple[str, ...]
    step: int
    is_said: bool


UNTOLD = Unmet("", (), 0, is_said=False)
"""The result if all conditions are met, or if the player may not know whether they are met."""


def _farthest(found: Iterable[Unmet | None]) -> Unmet | None:
    """Return the reason for the copy that meets the most conditions. If any copy has no reason, return None."""
    filled = [one for one in found if one is not None]
    if any(one is UNTOLD for one in filled):
        return None
    return max(filled, key=lambda one: one.step, default=None)


def why_filtered(state: Position, name: str) -> Unmet | None:
    """If an arm of the decision could have an option with the given name, explain why there is no such option."""
    ways = islice(ways_named(state, name), MOST)
    return _farthest(unmet(state.compiled, state.cells, arm, values) for arm, values in ways)


def why_nothing(state: Position, is_meant: Callable[[str], bool]) -> Unmet | None:
    """Explain why a named arm that asks for something has no options at all.

    The reason is that of the thing that meets the most conditions. It includes the number of other
    things that meet as many.
    """
    compiled, cells = state.compiled, state.cells
    for arm in compiled.program.sites[cells[SITE]].arms:
        if not (arm.word and arm.chosen and is_meant(arm.word)):
            continue
        every = islice(_every_choice(arm), MOST)
        found = [unmet(compiled, cells, arm, _pad(arm, values)) for values in every]
        filled = [one for one in found if one is not None and one is not UNTOLD]
        nothing = nothing_message(arm.word, is_done=True)
        if not filled:
            return Unmet(f"{nothing}: there is nothing to choose for it", (), 0, is_said=False)
        last = max(filled, key=lambda one: one.step)
        more = sum(one.step == last.step for one in filled) - 1
        more_of_them = f", and the same is true of {more} more" if more else ""
        return attrs.evolve(last, text=f"{nothing}: {last.text}{more_of_them}")
    return None


def why_meant(
    compiled: CompiledGame,
    cells: array[int],
    name: str | None,
    arguments: Sequence[tuple[int, tuple[int, ...]]],
) -> Unmet | None:
    """Explain why an arm named `name` has no option for the given arguments, as `why_filtered` does.

    Each argument is given as a domain and the values that the argument may have.
    """
    found: list[Unmet] = []
    for arm in compiled.program.sites[cells[SITE]].arms:
        slots = arm.in_name(arm.arguments)
        if arm.word != name or len(arguments) not in (len(slots), arm.least):
            continue
        slots = slots[: len(arguments)]
        pairs = zip(slots, arguments, strict=True)
        if not all(compiled.words.is_same_type(mine[0], asked[0]) for mine, asked in pairs):
            continue
        known = [
            [n for n in numbers if low <= n < low + size]
            for (_, low, size), (_, numbers) in zip(slots, arguments, strict=True)
        ]
        for values in islice(_ways(compiled, cells, arm, known), MOST):
            filled = unmet(compiled, cells, arm, values)
            found += [filled] if filled is not None else []
    return _farthest(found)


def names_of(state: Position, is_meant: Callable[[str], bool]) -> Iterator[str]:
    """Yield the names of possible options that concern a single thing, identified by its name or its text."""
    compiled = state.compiled
    for arm in compiled.program.sites[state.cells[SITE]].arms:
        if len(arm.arguments) != 1:
            continue
        ((domain, low, size),) = arm.arguments
        for value in range(low, low + size):
            if is_meant(compiled.words.name(domain, value)) or is_meant(
                compiled.words.text(domain, value)
            ):
                yield option_name(arm, (value,), compiled.program.domains)


def all_filtered(state: Position) -> Iterator[tuple[str, Unmet]]:
    """Yield the name of each option that is not offered, with the reason. Only options for which
    the rules give a reason are included."""
    program = state.compiled.program
    for arm in program.sites[state.cells[SITE]].arms:
        if not arm.says_why or arm.reasons is None:
            continue
        by_name: dict[str, list[Unmet | None]] = {}
        for chosen in islice(_every_choice(arm), MOST):
            values = _with_rest(state.compiled, state.cells, arm, chosen)
            if values is None:
                continue
            name = option_name(arm, values, program.domains)
            found = unmet(state.compiled, state.cells, arm, values)
            by_name.setdefault(name, []).append(found)
        for name, all_found in by_name.items():
            filled = _farthest(all_found)
            if filled is not None and filled.is_said:
                yield name, filled


def ways_named(state: Position, name: str) -> Iterator[tuple[Arm, tuple[int, ...]]]:
    """Yield the arms that could have a name, with their arguments."""
    program = state.compiled.program
    for arm in program.sites[state.cells[SITE]].arms:
        inside, slots = name, arm.in_name(arm.arguments)
        if arm.word:
            head, bracket, rest = name.partition("(")
            if head != arm.word or not bracket or not rest.endswith(")"):
                continue
            inside = rest[:-1]
        words = inside.split(", ")
        if len(words) != len(slots):
            continue
        known: list[list[int]] = []
        for word, (domain, low, size) in zip(words, slots, strict=True):
            named = program.domains[domain]
            if named.names:
                every = range(
                    max(low, named.offset), min(low + size, named.offset + len(named.names))
                )
                known.append([n for n in every if named.names[n - named.offset] == word])
            else:
                is_one = word.lstrip("-").isdecimal() and len(word) < 10
                known.append([int(word)] if is_one and low <= int(word) < low + size else [])
        for values in _ways(state.compiled, state.cells, arm, known):
            yield arm, values


def _every_choice(arm: Arm) -> Iterator[tuple[int, ...]]:
    """Yield all choices of an arm, without the arguments that are derived for the option's name."""
    return product(*(range(low, low + size) for _, low, size in arm.chosen))


def _pad(arm: Arm, chosen: tuple[int, ...]) -> tuple[int, ...]:
    """Pad the chosen values with arbitrary values for derived arguments, which conditions do not read."""
    return (*chosen, *(low for _, low, _ in arm.arguments[len(chosen) :]))


def _with_rest(
    compiled: CompiledGame, cells: array[int], arm: Arm, chosen: tuple[int, ...]
) -> tuple[int, ...] | None:
    """Append the values that are derived for the option's name. If they cannot be derived, return None."""
    if arm.named is None or arm.named.values is None:
        return chosen
    arguments = (*compiled.engine.site_arguments(cells), *chosen)
    try:
        rest = compiled.list(cells, arm.named.values, arguments)
    except RuleFault:
        return None
    return (*chosen, *(value for value in rest if isinstance(value, int)))


def _ways(
    compiled: CompiledGame, cells: array[int], arm: Arm, known: Sequence[Sequence[int]]
) -> Iterator[tuple[int, ...]]:
    """Yield the arguments of an arm whose name has one of the `known` values at each position."""
    if arm.named is None:
        yield from product(*known)
        return
    places = arm.named.shown
    of = dict(zip(places, known, strict=False))
    every = [of.get(n, range(low, low + size)) for n, (_, low, size) in enumerate(arm.chosen)]
    for chosen in product(*every):
        values = _with_rest(compiled, cells, arm, chosen)
        if values is not None and all(values[place] in numbers for place, numbers in of.items()):
            yield values


def unmet(
    compiled: CompiledGame, cells: array[int], arm: Arm, values: tuple[int, ...]
) -> Unmet | None:
    """Find the first condition of the open choice that the given arguments of an arm do not meet."""
    if arm.reasons is None:
        return None
    arguments: tuple[Value, ...] = (*compiled.engine.site_arguments(cells), *values)
    try:
        answer = compiled.list(cells, arm.reasons, arguments)
        reference = Reference(compiled.program)
        if not answer or hidden_in(
            compiled, reference, cells, arm.reasons, cells[PLAYER], arguments=arguments
        ):
            return UNTOLD
    except RuleFault:
        return UNTOLD
    step, is_said, message, *filled = answer
    assert isinstance(step, int)
    assert isinstance(message, int)
    text = compiled.words.message(message, filled)
    return Unmet(text, compiled.program.messages[message].clauses, step, bool(is_said))

"""Makes the tables of messages and of chance that kernels use to compare past steps with a player's log.

The kernels are in `rulewright.interpreter.engines.kernels.past`. The tables are the same for all
states of a game.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator

from rulewright.dsl.ir import Counted, LocalList, Shown
from rulewright.interpreter.engines.kernels import past
from rulewright.interpreter.text.names import text_in
from rulewright.interpreter.views.compiled_game import CompiledGame

_UNKNOWN = -1


def tables_of_lines(compiled: CompiledGame) -> dict[str, array[int] | int]:
    """Return the tables that say how to convert arguments of messages to numbers. Equal numbers mean equal texts."""
    starts, rows, classes = array("q", [0]), array("q"), array("q")
    domains: dict[int, int] = {}
    for message in compiled.program.messages:
        shown: dict[int, set[int]] = {}
        counted: set[int] = set()
        for part in message.parts:
            match part:
                case Shown(argument, domain):
                    shown.setdefault(argument, set()).add(domain)
                case Counted(argument):
                    counted.add(argument)
                case _:
                    pass
        for argument in range(max([*shown, *counted], default=-1) + 1):
            rows.extend(_row(compiled, shown.get(argument, set()), argument in counted, domains))
        starts.append(len(rows) // 4)
    for domain in domains:
        classes.extend(_classes(compiled, domain))
    return {"said_start": starts, "said": rows, "word_class": classes}


def _row(
    compiled: CompiledGame, shown: set[int], is_counted: bool, domains: dict[int, int]
) -> tuple[int, int, int, int]:
    """Return the row that says how to read an argument.

    `domains` maps each domain to the index at which its classes begin.
    """
    if not shown:
        return past.IF_ONE if is_counted else past.UNREAD, 0, 0, 0
    low, high = _range(compiled, min(shown))
    if len(shown) > 1 or low == high:
        return past.AS_NUMBER, 0, 0, 0
    (domain,) = shown
    if domain not in domains:
        known = [_range(compiled, each) for each in domains]
        domains[domain] = sum(end - first for first, end in known)
    return past.BY_TEXT, low, high, domains[domain]


def _range(compiled: CompiledGame, domain: int) -> tuple[int, int]:
    """Return the range of the values of a domain that have words: the first value and the end."""
    described = compiled.program.domains[domain]
    return described.offset, described.offset + max(len(described.texts), len(described.names))


def _classes(compiled: CompiledGame, domain: int) -> Iterator[int]:
    first: dict[str, int] = {}
    for value in range(*_range(compiled, domain)):
        yield first.setdefault(text_in(compiled.program.domains[domain], value), value)


def tables_of_chance(compiled: CompiledGame) -> dict[str, array[int] | int]:
    """Return the table for finding, in a replayed step, the results that correspond to earlier results of chance."""
    found = array("q")
    for chance in compiled.program.chances:
        if chance.domain is None or not compiled.words.is_of_pieces(chance.domain):
            found.extend((past.AS_RESULT, 0))
        elif isinstance(chance.values, LocalList):
            found.extend((past.IN_LIST, chance.values.slot))
        else:
            found.extend((past.FROM_LOW if chance.values is None else _UNKNOWN, chance.low))
    return {"chance_how": found}

"""Draw a random history that one player cannot tell from the true history.

`State.sample` gives a position without a past. In contrast, this module repeats each step from the first
state on. It exchanges pieces that the player does not know, and draws hidden choices and results of chance
again. Each step must look the same to the player as the true step did. An attempt may fail, as with a hand
from a shuffled deck, which depends on too many draws. If all attempts fail, there is no result.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise

from rulewright.interpreter.engines.chance import Generator
from rulewright.interpreter.knowledge.disclosure import may_tell
from rulewright.interpreter.knowledge.hidden_pieces import draw_exchange_in, unknown_to
from rulewright.interpreter.knowledge.information_set import new_lines
from rulewright.interpreter.knowledge.observers import observer_of
from rulewright.interpreter.matches.state import State
from rulewright.interpreter.text.faults import RuleFault

_TRIES = 8
"""The maximum number of histories to try."""
_OPTIONS = 30
"""The maximum number of options to try at one step."""


def resample_history(state: State, player: int, generator: Generator) -> list[State] | None:
    """Return the states of a history that looks the same to the player, or None if none is found.

    The state must remember its past, and its chance must be manual.
    """
    way = [*state.past, state]
    compiled = state.compiled
    observe = observer_of(compiled).observe
    seen = [observe(one.cells, player) for one in way]
    lines = [new_lines(before, after, player) for before, after in pairwise(way)]
    groups = unknown_to(compiled, state.cells, player)

    def next_state(history: list[State], place: int, swapped: Mapping[int, int]) -> State | None:
        before = history[-1]
        for option in _candidates(before, way[place], way[place + 1], player, swapped, generator):
            after = before.take(option)
            if observe(after.cells, player) != seen[place + 1]:
                continue
            if new_lines(before, after, player) == lines[place]:
                return after
        return None

    for _ in range(_TRIES):
        swapped = draw_exchange_in(groups, generator)
        history = way[:1]
        try:
            for place in range(len(way) - 1):
                after = next_state(history, place, swapped)
                if after is None:
                    break
                history.append(after)
            else:
                return history
        except RuleFault:
            continue
    return None


def _candidates(
    now: State,
    before: State,
    after: State,
    player: int,
    swapped: Mapping[int, int],
    generator: Generator,
) -> Iterator[int]:
    """Yield options for a step that was made from `before` to `after`, the likely options first."""
    choice = after.choice
    offered = now.option_ids
    if now.over or now.at_chance != before.at_chance:
        return
    if not now.at_chance:
        if may_tell(before, after, player):
            yield from [choice] if choice in offered else ()
            return
        yield from _random_options(offered, generator)
        return
    compiled = now.compiled
    if _is_of_pieces(before):
        value = compiled.words.members(before.cells)[choice]
        members = compiled.words.members(now.cells)
        wanted = swapped.get(value, value)
        if wanted in members:
            yield members.index(wanted)
    yield from _random_options(offered, generator)
    yield from [choice] if choice in offered else ()


def _is_of_pieces(state: State) -> bool:
    compiled = state.compiled
    domain = compiled.program.chances[state.decision.number].domain
    return domain is not None and compiled.words.is_of_pieces(domain)


def _random_options(options: Sequence[int], generator: Generator) -> Iterator[int]:
    rest = list(options)
    for _ in range(min(_OPTIONS, len(rest))):
        yield rest.pop(generator.below(len(rest)))

"""Write a viewer's knowledge about a match as parts of messages.

Independent of transport; stores no matches.
"""

from __future__ import annotations

from collections.abc import Iterator
from secrets import randbits
from time import monotonic

from rulewright.interpreter.bots.levels import effort_named
from rulewright.interpreter.bots.tree_search import CLOCK, Effort
from rulewright.interpreter.knowledge.reasons import NoSuchValueError, SecretValueError
from rulewright.interpreter.matches.game import Game
from rulewright.interpreter.matches.match import Match
from rulewright.interpreter.matches.state import State
from rulewright.interpreter.questions import look, why
from rulewright.interpreter.questions.drawing import score_lines
from rulewright.interpreter.questions.hint import hint_lines
from rulewright.interpreter.questions.rulebook import about, for_reading, of_clause, passages
from rulewright.interpreter.views.view import ALL_SEEING, EVERYBODY
from rulewright.protocol.messages import EventInfo, GameInfo, OptionInfo, Viewer

ACROSS = 100
"""The maximum length of lines of text, in characters."""
_WHOLE_PARAGRAPH = 1_000_000
"""A width that wraps no paragraph: the pages of clients wrap them."""
_LONGEST_HINT = 10.0
_MOST_PLAYS = 5_000


class NoSuchSeatError(Exception):
    """Raised if the viewer is not a seat of the match."""


class BadEffortError(Exception):
    """Raised if a text is not a thinking time, or the thinking time is too long."""


def viewer_number(state: State, viewer: Viewer) -> int:
    """Return the number of a viewer, as `State.view` expects it."""
    if viewer == "everybody":
        return EVERYBODY
    if viewer == "all":
        return ALL_SEEING
    if viewer >= len(state.players):
        raise NoSuchSeatError(
            f"the seats are 0 to {len(state.players) - 1}; there is no seat `{viewer}`"
        )
    return viewer


def game_info(name: str, game: Game) -> GameInfo:
    """Return the facts in the header of a game."""
    facts = game.facts
    return GameInfo(name, facts.title, facts.author, facts.low, facts.high, facts.options)


def may_decide(state: State, viewer: int) -> bool:
    """Return whether a viewer may see the options of the open decision."""
    return not state.over and viewer in (state.player, ALL_SEEING)


def question(state: State, viewer: int) -> str:
    """Return the question: complete for the seat that decides, only the public part for other viewers."""
    if state.over:
        return ""
    if may_decide(state, viewer):
        return state.decision.prompt
    return state.compiled.asked_of_others(state.cells)


def options(state: State, viewer: int) -> tuple[OptionInfo, ...]:
    """Return the options of the open decision for the seat that decides, and none for other viewers."""
    if not may_decide(state, viewer):
        return ()
    compiled, cells = state.compiled, state.cells
    return tuple(
        OptionInfo(name, compiled.option_text(cells, id))
        for name, id in zip(state.decision.names, state.option_ids, strict=True)
    )


def events(match: Match, viewer: int, since: int = 0) -> Iterator[EventInfo]:
    """Yield the events that a viewer may know, step by step. Step 0 is the start."""
    for step, found in enumerate(match.events_by_step(viewer, since), since):
        for event in found:
            yield EventInfo(step, event.player if event.player >= 0 else None, event.text)


def why_lines(state: State, viewer: int, asked: str) -> list[str]:
    """Explain why an option is refused, or how a value is computed.

    A player who does not decide may ask only about values.
    """
    if may_decide(state, viewer):
        return why.why(state, asked)
    if not asked:
        return ["say what you ask about: `why price of sawmill`"]
    try:
        first, *more = state.why_value(asked, viewer).lines
    except (NoSuchValueError, SecretValueError) as failure:
        return [str(failure)]
    return [first, *(f"  {line}" for line in more)]


def refused_options(state: State, viewer: int) -> list[tuple[list[str], str]]:
    """Return the options refused to the seat that decides, grouped by reason."""
    return why.refused_options(state) if may_decide(state, viewer) else []


def is_refused(state: State, viewer: int, at: str) -> bool:
    """Return whether the option `at` is refused to the seat that decides, for a reason that the rules give."""
    return may_decide(state, viewer) and why.refusal(state.decision, at) is not None


def look_lines(match: Match, viewer: int, at: str) -> list[str]:
    """Describe everything that a viewer may know about all things with the name `at`."""
    return look.lines(match, at, viewer, ACROSS)


def score(state: State, viewer: int) -> list[str]:
    """Return the current score sheet, as far as a viewer may know it."""
    return score_lines(state, viewer)


def hint(state: State, viewer: int, effort: str) -> list[str]:
    """Find the best option in sampled positions that the seat cannot distinguish from the true position."""
    if not may_decide(state, viewer):
        return ["there is nothing for this seat to decide now"]
    found = Effort(seconds=1) if not effort else effort_named(f"mcts:{effort}")
    if found is None or found.seconds > _LONGEST_HINT or found.playouts > _MOST_PLAYS:
        raise BadEffortError(
            f"`{effort[:20]}` is not a thinking time: write `400` for 400 playouts, or `2s`, at most "
            f"{_MOST_PLAYS:,} and {_LONGEST_HINT:g}s"
        )
    CLOCK.set(monotonic)
    sample = state if viewer == ALL_SEEING else state.sample(viewer, randbits(60))
    rest = effort or f"{found.seconds:g}s"
    return hint_lines(sample, rest, randbits(60))


def option_texts(game: Game) -> list[list[str]]:
    """For each option of a game, return the texts of the clauses that the option implements."""
    found = passages(game.rules_text(), markdown=True) if game.has_rulebook else []
    each = (
        [of_clause(found, clause) for clause in clauses] for clauses in game.facts.option_clauses
    )
    return [[text for text in texts if text] for texts in each]


def rules_lines(game: Game, words: str) -> list[str]:
    """Return the rulebook, or only its sections and passages about the given words, a line for each paragraph."""
    text = passages(game.rules_text(), markdown=game.has_rulebook)
    if words:
        text = about(text, words)
    return for_reading(text, _WHOLE_PARAGRAPH) or [f"the rules do not mention `{words}`"]

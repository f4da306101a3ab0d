"""Views, events, boards and points of all seats after a choice, as a table in a browser shows them."""

from __future__ import annotations

from collections.abc import Callable
from time import process_time

from rulewright import Match, State, load_game
from rulewright.interpreter.engines.chance import Generator
from rulewright.interpreter.knowledge.known_scores import known_scores
from rulewright.interpreter.views.rendering import boards_in

GAMES = {
    "connect_four": 2,
    "love_letter": 4,
    "ginkgopolis": 4,
    "colonial": 4,
    "through_the_ages": 3,
}
LONGEST = 300


def views(games: tuple[str, ...] = ()) -> list[dict[str, object]]:
    """Milliseconds of CPU time for a choice, on average over one random match."""
    return [_row(name, GAMES.get(name)) for name in games or GAMES]


def _row(name: str, players: int | None) -> dict[str, object]:
    game = load_game(name)
    variant = game.variant(players)
    # Functions are written at first use.
    _play_out(Match.begin(game, variant, 1), lambda match: match.since_last_decision(0))
    spent = {"view": 0.0, "events": 0.0, "boards": 0.0, "points": 0.0}

    def look(match: Match) -> None:
        state = match.state
        seats = range(len(state.players))
        parts: dict[str, Callable[[int], object]] = {
            "view": state.view,
            "events": match.since_last_decision,
            "boards": lambda seat: _boards(state, seat),
            "points": lambda seat: known_scores(state.compiled, state.cells, seat),
        }
        for part, ask in parts.items():
            start = process_time()
            for seat in seats:
                ask(seat)
            spent[part] += process_time() - start

    choices = _play_out(Match.begin(game, variant, 1), look)
    row: dict[str, object] = {"game": name, "choices": choices}
    for part, seconds in spent.items():
        row[f"{part}_ms"] = round(seconds / choices * 1000, 2)
    both = spent["view"] + spent["events"]
    return {**row, "view_and_events_ms": round(both / choices * 1000, 2)}


def _boards(state: State, seat: int) -> object:
    view = state.view(seat)
    return boards_in(state.compiled, state.cells, view, seat, state.public_view)


def _play_out(match: Match, look: Callable[[Match], object]) -> int:
    generator = Generator.seeded(1)
    while not match.state.over and match.decisions < LONGEST:
        ids = match.state.option_ids
        match.take(ids[generator.below(len(ids))])
        look(match)
    return match.decisions

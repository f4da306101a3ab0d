"""Draw the screen of a match at a terminal: position, events, score sheet."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Sequence, Set
from functools import lru_cache
from itertools import groupby
from shutil import get_terminal_size

import attrs
import click

from rulewright.cli.output import has_colours
from rulewright.cli.terminal.second_person import spoken_to
from rulewright.interpreter.matches.events import Event, has_one_option
from rulewright.interpreter.matches.match import Match
from rulewright.interpreter.matches.state import UNKNOWN, State
from rulewright.interpreter.questions.drawing import (
    in_panels,
    join_panels,
    name_of_board,
    short_title,
)
from rulewright.interpreter.text.names import digits
from rulewright.interpreter.views.board import (
    Lines,
    Panel,
    Places,
    board_panels,
    shorter,
    small,
)
from rulewright.interpreter.views.grids import Grid
from rulewright.interpreter.views.log_lines import NOBODY
from rulewright.interpreter.views.marked import in_colour, plain, wrap
from rulewright.interpreter.views.painting import paint_game
from rulewright.interpreter.views.view import ALL_SEEING

_USUAL = (80, 24)
_NARROWEST = 40
_SHADES: dict[str, str | int] = {
    "black": "bright_black",
    "orange": 208,
    "pink": 218,
    "purple": 134,
    "brown": 130,
    "grey": 245,
}
_OF_OTHERS = 6  # the rank of other players' boards
_FEWEST = 2  # the minimum number of lines of a board that is cut
_TO_NAME = (
    1  # the line that names the hidden parts; the blank line above it is counted with the panels
)
_MARKS = re.compile(r"[\[\]()|<]")
_LETTERS = re.compile(r"[^\W\d_]+")
_SHORTEST = 3  # the minimum length of a word that links a panel to an option


def width() -> int:
    """Return the maximum width of a line."""
    return max(_NARROWEST, get_terminal_size(_USUAL).columns)


def height() -> int:
    """Return how many lines fit on the screen."""
    return get_terminal_size(_USUAL).lines


class Screen:
    """The last drawing, so that panels keep their places and changes can be marked."""

    def __init__(self) -> None:
        self._drawn: list[str] = []
        self._places = Places()

    def forget(self) -> None:
        """Forget the last drawing, because another person is looking now, or another match is shown."""
        self._drawn = []
        self._places = Places()

    def draw_position(self, match: Match, player: int, *, goes_on: bool, beside: int) -> str:
        """Draw the position for the player who decides.

        `beside` is the number of lines that other text takes up above and below the position. If a terminal
        is too small, it shows as much as fits: first the subjects of the question and the player's own
        things, last the boards of other players. Otherwise everything is shown. If the same player
        continues and nothing scrolls, only the changes and the subjects of the question are shown.
        """
        state = _for_screen(match.state)
        before = _before(match, player, goes_on=goes_on)
        boards, whole = in_panels(
            state, player, None, width(), self._places, before and _for_screen(before)
        )
        parts = [*map(_single_panel, boards), *(panel for panel in whole if not panel.titles)]
        old, self._drawn = self._drawn, [_text_without_marks(panel) for panel in parts]
        room = height() - beside if sys.stdout.isatty() else None
        if room is not None and _lines_of(whole) > room:
            return self._draw_what_fits(state, boards, parts, player, room)
        if room is None and goes_on and old:
            about = _about(state, parts)
            is_new = [text not in old for text in self._drawn]
            wanted = {at for at in range(len(parts)) if about[at] or is_new[at]}
            whole = _pack_panels(boards, parts, wanted)
        return _in_colour(join_panels(whole)).strip("\n")

    def _draw_what_fits(
        self,
        state: State,
        boards: Sequence[Grid | Lines],
        parts: Sequence[Panel],
        player: int,
        room: int,
    ) -> str:
        """Draw as many parts as fit, in their usual places, and list the names of the others."""
        about = _about(state, parts)
        wanted: set[int] = set()
        cut: set[int] = set()
        named = _names_in_options(state)

        def fits(some: Sequence[Grid | Lines], at: int) -> bool:
            return _lines_of(_pack_panels(some, parts, wanted | {at})) <= room - _TO_NAME

        ranks = [_rank(boards, parts, at, player, about=about[at]) for at in range(len(parts))]
        for number, at in enumerate(sorted(range(len(parts)), key=lambda at: ranks[at])):
            if ranks[at] >= _OF_OTHERS and (cut or len(wanted) < number):
                break  # the boards of other players are the first to be left out
            for board in _forms(boards[at], named) if at < len(boards) else (None,):
                some = [board if n == at and board else known for n, known in enumerate(boards)]
                if fits(some, at):
                    wanted.add(at)
                    if board is not None and len(board.texts) < len(boards[at].texts):
                        cut.add(at)
                    boards = some
                    break
        text = _in_colour(join_panels(_pack_panels(boards, parts, wanted))).strip("\n")
        left = [
            f"more of {name}" if at in cut else name
            for at, board in enumerate(boards)
            if (at not in wanted or at in cut) and board.texts
            for name in (short_title(name_of_board(board)),)
            if name
        ]
        names = list(dict.fromkeys(left))
        rest = [panel for at, panel in enumerate(parts) if at >= len(boards) and at not in wanted]
        if any(not panel.own for panel in rest):
            names.append("the table")
        if any(panel.own for panel in rest):
            names.append("other players")
        return f"{text}\n\n{_hidden_parts_line(names)}" if names else text

    def last(self, match: Match, player: int | None) -> str:
        """Draw the position at the end of the match, with the changes since a player's last choice."""
        before = None if player is None else _before(match, player, goes_on=False)
        state = _for_screen(match.state)
        before = before and _for_screen(before)
        return _in_colour(
            join_panels(in_panels(state, ALL_SEEING, None, width(), self._places, before)[1])
        )


def _rank(
    boards: Sequence[Grid | Lines], parts: Sequence[Panel], at: int, player: int, *, about: bool
) -> int:
    """Return the priority of a part; lower numbers are shown first.

    The order is: the player's own boards, boards of the question, changed boards, other boards, the table,
    and finally the things and boards of other players.
    """
    if at >= len(boards):
        return 5 if parts[at].own else 1 if about else 4
    board = boards[at]
    if board.owner not in (-1, player):
        return _OF_OTHERS + (not about)
    return 0 if board.owner == player else 1 if about else 2 if board.changed else 3


def _forms(board: Grid | Lines, named: Set[str]) -> Iterator[Grid | Lines]:
    """Yield the board in full, then with fewer and fewer lines."""
    yield board
    yield small(board)
    if isinstance(board, Lines):
        for number in range(len(board.texts) - 2, _FEWEST - 1, -1):
            yield shorter(board, number, named)


def _pack_panels(
    boards: Sequence[Grid | Lines], parts: Sequence[Panel], wanted: Set[int]
) -> list[Panel]:
    """Return the wanted parts, with boards side by side; if things of players are not wanted, keep those of
    the viewer.
    """
    some = [board for at, board in enumerate(boards) if at in wanted]
    others = [
        panel if at in wanted else Panel(panel.own)
        for at, panel in enumerate(parts)
        if at >= len(boards) and (at in wanted or panel.own)
    ]
    return [*board_panels(some, width(), Places()), *others]


def _hidden_parts_line(names: Sequence[str]) -> str:
    """Write one line that names the hidden parts and says how to see them."""
    for count in range(len(names), 0, -1):
        more = f" and {len(names) - count} more" if count < len(names) else ""
        line = f"(not shown: {', '.join(names[:count])}{more}; `look` shows all, `look NAME` one)"
        if len(line) <= width():
            return line
    return "(`look` shows all)"


def _single_panel(board: Grid | Lines) -> Panel:
    """Return a board as a separate panel."""
    found = board_panels([board], width(), Places())
    return found[0] if found else Panel((), titles=(board.title,))


def _lines_of(panels: Sequence[Panel]) -> int:
    return sum(len(panel.lines) + 1 for panel in panels)


def _text_without_marks(panel: Panel) -> str:
    """Return the text of a panel without the marks of changes and without line breaks."""
    return " ".join(_MARKS.sub(" ", panel.text).split())


def _before(match: Match, player: int, *, goes_on: bool) -> State | None:
    """Return the last position that the player saw.

    This is the position before the player's last choice if `goes_on`, and otherwise the position after it.
    Return None if the player has made no choice.
    """
    states = match.states
    for number in range(len(states) - 2, -1, -1):
        if states[number].player == player and not has_one_option(states[number]):
            return states[number] if goes_on else states[number + 1]
    return None


def _about(state: State, panels: Sequence[Panel]) -> list[bool]:
    """For each panel, return whether it shows things that the options of the open question name.

    If a grid shows these things, no other panel is needed. Otherwise panels whose title begins with a word
    of the question are needed as well.
    """
    program, words = state.compiled.program, state.compiled.words
    kinds: set[str] = set()
    named = _names_in_options(state)
    for option in state.option_ids:
        arm = words.arm(state.decision.number, option)
        for (domain, _, _), value in zip(arm.arguments, digits(arm, option), strict=True):
            if program.domains[domain].name == "space":
                kinds.update(
                    kind.name
                    for kind in program.spaces
                    if kind.places and kind.first <= value < kind.first + kind.count
                )
    asked = {word.rstrip("s") for word in _LETTERS.findall(state.decision.prompt.casefold())}
    return [
        bool(panel.grids & kinds)
        if kinds
        else _has_title(panel, asked) or any(name in panel.text for name in named)
        for panel in panels
    ]


def _names_in_options(state: State) -> set[str]:
    """Return the names of the things that the options of the open question name."""
    words = state.compiled.words
    texts = (
        plain(words.text(domain, value))
        for option in state.option_ids
        for arm in (words.arm(state.decision.number, option),)
        for (domain, _, _), value in zip(arm.arguments, digits(arm, option), strict=True)
    )
    return {text for text in texts if len(text) >= _SHORTEST and not text.isdecimal()}


def _has_title(panel: Panel, words: set[str]) -> bool:
    """Return whether a board of the panel has a title that begins with one of these words."""
    firsts = (plain(part).split(" ", 1)[0] for part in panel.titles)
    return any(len(first) > _SHORTEST and first.casefold().rstrip("s") in words for first in firsts)


def position(state: State, viewer: int, me: int | None = None, across: int | None = None) -> str:
    """Draw the position as a viewer may know it; boards are seen from the side of `me`."""
    return _in_colour(join_panels(in_panels(_for_screen(state), viewer, me, across or width())[1]))


def _for_screen(state: State) -> State:
    """Return a copy of the state with its words coloured, if colours are on."""
    if not has_colours():
        return state
    terms = attrs.evolve(state.terms, compiled=_painted(state.compiled))
    return State(terms, state.cells, state.counter, UNKNOWN)


_painted = lru_cache(maxsize=4)(paint_game)


def _in_colour(text: str) -> str:
    """Convert the colour marks in a text to what a terminal displays."""
    return in_colour(text, _paint if has_colours() else lambda word, _: word)


def _paint(word: str, colour: str) -> str:
    return click.style(word, fg=_SHADES.get(colour, colour) or None, bold=True)


def event_lines(
    events: Sequence[Event], names: Sequence[str], indent: str = "  ", me: str = ""
) -> list[str]:
    """List the events in order; consecutive equal events are shown as one line with a count.

    Lines that begin with the name `me` address this player.
    """
    texts = (
        spoken_to(event.text, me)
        if event.player == NOBODY
        else f"{names[event.player]}: {event.text}"
        for event in events
    )
    counted = ((text, len(list(same))) for text, same in groupby(texts))
    return [
        line
        for text, times in counted
        for line in wrap(
            text if times == 1 else f"{text} ({times} times)",
            width(),
            initial_indent=indent,
            subsequent_indent=indent + "  ",
        )
    ]

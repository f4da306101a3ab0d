"""What a person sees of a play at a terminal: position, events, score sheet.

Does not read input.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import groupby
from shutil import get_terminal_size
from typing import Any

import click

from rulewright.cli.output import has_colours
from rulewright.cli.terminal.second_person import spoken_to
from rulewright.interpreter.matches.events import Event, has_one_option
from rulewright.interpreter.matches.match import Match
from rulewright.interpreter.matches.state import State
from rulewright.interpreter.questions.drawing import called, in_panels, joined
from rulewright.interpreter.text.names import digits
from rulewright.interpreter.views.board import (
    Grid,
    Lines,
    Panel,
    Places,
    board_panels,
)
from rulewright.interpreter.views.log_lines import NOBODY
from rulewright.interpreter.views.view import ALL_SEEING
from rulewright.interpreter.views.wrapping import wrap

_USUAL = (80, 24)
_NARROWEST = 40
_COLOURS = ("cyan", "yellow", "green", "magenta", "blue", "red")
_WORDS_OF_COLOURS = frozenset(
    ("black", "red", "green", "yellow", "blue", "magenta", "cyan", "white")
)
_MARKS = re.compile(r"[\[\]()|<]")
_LETTERS = re.compile(r"[^\W\d_]+")
_SHORTEST = 3  # letters of a word by which a panel is known to be about an option


def width() -> int:
    """How wide a line may be."""
    return max(_NARROWEST, get_terminal_size(_USUAL).columns)


def height() -> int:
    """How many lines are seen at once."""
    return get_terminal_size(_USUAL).lines


class Screen:
    """What was drawn last, so that panels keep their places and changes can be marked."""

    def __init__(self) -> None:
        self._drawn: list[str] = []
        self._places = Places()

    def forget(self) -> None:
        """Somebody else looks now, or at another play."""
        self._drawn = []
        self._places = Places()

    def drawn(self, match: Match, player: int, *, goes_on: bool, beside: int) -> str:
        """The position for who is to decide, with `beside` lines of other things above and below it.

        Where it is more than a terminal shows at once, or the same player goes on, only what has
        changed and what the question is about; this comes last where there is no room for both. At
        first as much as there is room for, and what the question is about in any case.
        """
        state = match.state
        boards, whole = in_panels(
            state, player, None, width(), self._places, _before(match, player, goes_on=goes_on)
        )
        room = height() - beside if sys.stdout.isatty() else None
        is_tall = room is not None and _lines_of(whole) > room
        alone = [*map(_alone, boards), *(panel for panel in whole if not panel.titles)]
        old, self._drawn = self._drawn, [_unmarked(panel) for panel in alone]
        if not (old or is_tall) or not (is_tall or goes_on) or (room is not None and not is_tall):
            return coloured(joined(whole), state).strip("\n")
        about = _about(state, alone)
        changed = [text not in old for text in self._drawn]

        def those(wanted: Sequence[bool]) -> list[Panel]:
            its = [board for board, is_wanted in zip(boards, wanted, strict=False) if is_wanted]
            rest = zip(alone[len(boards) :], wanted[len(boards) :], strict=True)
            found = board_panels(its, width(), Places())
            return [*found, *(panel for panel, is_wanted in rest if is_wanted)]

        if not old:
            assert room is not None
            first = _first(boards, about)
            wanted = _as_fits(first, len(alone), lambda some: _lines_of(those(some)) <= room - 2)
            text = coloured(joined(those(wanted)), state)
            left = [
                *_names(
                    board for board, is_shown in zip(boards, wanted, strict=False) if not is_shown
                )
            ]
            more = wrap(f"(`look` shows all: {', '.join(left)})", width()) if left else []
            return "\n".join([text.strip("\n"), "", *more]).strip("\n")
        shown = those([one or other for one, other in zip(changed, about, strict=True)])
        if room is not None and _lines_of(shown) > room:
            others = [one and not other for one, other in zip(changed, about, strict=True)]
            shown = [*those(others), *those(about)]
        text = coloured(joined(shown), state)
        is_all = all(one or other for one, other in zip(changed, about, strict=True))
        if not is_all and not (goes_on and not is_tall):
            text += "\n\n(what is not shown is as it was; `look` shows all)"
        return text.strip("\n")

    def last(self, match: Match, player: int | None) -> str:
        """The position at the end, with what has changed since a player's last choice."""
        before = None if player is None else _before(match, player, goes_on=False)
        return _text(_panels(match.state, ALL_SEEING, None, self._places, before), match.state)


def _first(boards: Sequence[Grid | Lines], about: Sequence[bool]) -> list[int]:
    """The places of panels in the order in which they are wanted: what the question is about, what players
    have, boards that have changed, all others."""
    of_players = len(about) - 1

    def rank(at: int) -> int:
        is_changed = at < len(boards) and bool(boards[at].changed)
        return 0 if about[at] else 1 if at == of_players else 2 if is_changed else 3

    return sorted(range(len(about)), key=rank)


def _as_fits(
    order: Sequence[int], count: int, fits: Callable[[Sequence[bool]], bool]
) -> list[bool]:
    """Which panels are shown: the first, and then each for which there is room."""
    wanted = [False] * count
    for at in order:
        wanted[at] = True
        wanted[at] = fits(wanted) or wanted.count(True) == 1
    return wanted


def _names(boards: Iterable[Grid | Lines]) -> Iterator[str]:
    """What boards are called: their titles as far as these are no explanations."""
    for board in boards:
        if board.texts:
            name = board.title or (board.kind.name if isinstance(board, Grid) else "")
            yield called(name)


def _alone(board: Grid | Lines) -> Panel:
    """A board as a panel of its own."""
    found = board_panels([board], width(), Places())
    return found[0] if found else Panel((), titles=(board.title,))


def _lines_of(panels: Sequence[Panel]) -> int:
    return sum(len(panel.lines) + 1 for panel in panels)


def _text(panels: Sequence[Panel], state: State) -> str:
    return coloured(joined(panels), state)


def _unmarked(panel: Panel) -> str:
    """A panel without the marks of what has changed, and without regard to where its lines break."""
    return " ".join(_MARKS.sub(" ", panel.text).split())


def _before(match: Match, player: int, *, goes_on: bool) -> State | None:
    """The position that a player saw last: after the own choice, before it where the player goes on."""
    states = match.states
    for number in range(len(states) - 2, -1, -1):
        if states[number].player == player and not has_one_option(states[number]):
            return states[number] if goes_on else states[number + 1]
    return None


def _about(state: State, panels: Sequence[Panel]) -> list[bool]:
    """Which panels show what the open question is about: things that its options name.

    Where a grid does, no other panel is needed; else also panels of which the question speaks by the first
    word of their titles.
    """
    program, words = state.compiled.program, state.compiled.words
    kinds: set[str] = set()
    named: set[str] = set()
    for option in state.option_ids:
        arm = words.arm(state.decision.number, option)
        for (domain, _, _), value in zip(arm.arguments, digits(arm, option), strict=True):
            text = words.text(domain, value)
            if len(text) >= _SHORTEST and not text.isdecimal():
                named.add(text)
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
        else _speaks_of(panel, asked) or any(name in panel.text for name in named)
        for panel in panels
    ]


def _speaks_of(panel: Panel, words: set[str]) -> bool:
    """Whether one of the boards of a panel has a title that begins with one of these words."""
    firsts = (part.split(" ", 1)[0] for part in panel.titles)
    return any(len(first) > _SHORTEST and first.casefold().rstrip("s") in words for first in firsts)


def position(state: State, viewer: int, me: int | None = None, across: int | None = None) -> str:
    """The position as a viewer may know it, with the boards as they are for `me`."""
    return _text(_panels(state, viewer, me, None, None, across), state)


def _panels(
    state: State,
    viewer: int,
    me: int | None,
    places: Places | None,
    before: State | None,
    across: int | None = None,
) -> list[Panel]:
    """The position in panels, with what is other than before marked."""
    return in_panels(state, viewer, me, across or width(), places, before)[1]


def coloured(text: str, state: State) -> str:
    """Names of players, signs of colours and marks in colour, where colours are welcome."""
    if not has_colours():
        return text
    words = state.compiled.words
    styles: dict[str, dict[str, Any]] = {
        name: {"fg": _COLOURS[seat % len(_COLOURS)], "bold": True}
        for seat, name in enumerate(words.players)
    }
    for domain in state.compiled.program.domains:
        for name, sign in zip(domain.names, domain.texts, strict=False):
            if name in _WORDS_OF_COLOURS and sign != name and len(sign) < _SHORTEST:
                styles[sign] = {"fg": "bright_black" if name == "black" else name, "bold": True}
    styles |= {mark: {"bold": True} for mark in ("[", "]", " <")}
    known = "|".join(
        re.escape(name) for name in sorted(styles, key=len, reverse=True) if name.strip("[]< ")
    )
    pattern = re.compile(rf"(?<!\w)(?:{known})(?!\w)|[\[\]]| <$", re.MULTILINE)
    return pattern.sub(lambda found: click.style(found[0], **styles[found[0]]), text)


def event_lines(
    events: Sequence[Event], names: Sequence[str], indent: str = "  ", me: str = ""
) -> list[str]:
    """What happened, one event after the other; of several alike in a row, one and how many.

    Lines that begin with the name `me` speak to this player.
    """
    texts = (
        spoken_to(event.text, me)
        if event.player == NOBODY
        else f"{names[event.player]}: {event.text}"
        for event in events
    )
    counted = ((text, len(list(alike))) for text, alike in groupby(texts))
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

"""Represents a game for one number of players and one choice of options: its program, engine and texts.

This module does not read rules, and stores nothing about a match.
"""

from __future__ import annotations

import hashlib
import pickle
from array import array
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import groupby
from operator import itemgetter
from typing import Protocol
from weakref import WeakValueDictionary

import attrs

from rulewright.dsl.ir import (
    ASKED,
    BOUND,
    PLAYER,
    SITE,
    BoardView,
    Domain,
    Kept,
    PlaceInfo,
    Program,
    Shown,
    SpaceKind,
    TokenPlace,
    nothing_message,
)
from rulewright.dsl.program_data import fingerprint
from rulewright.interpreter.engines.engine import Engine, LogLine, Refusal, TakeOption
from rulewright.interpreter.engines.engines import EngineName, make_engine, name_of
from rulewright.interpreter.text.names import Value, Words, digits
from rulewright.interpreter.text.score_sheet import PlayerScore, Scores
from rulewright.interpreter.views.log_lines import LogEntry
from rulewright.interpreter.views.viewer import Viewer


def _words(compiled: CompiledGame) -> Words:
    return Words(compiled.program)


def _viewer(compiled: CompiledGame) -> Viewer:
    return Viewer(compiled.words)


def _advance(compiled: CompiledGame) -> Callable[..., list[int] | None]:
    return compiled.engine.advance


def _take_option(compiled: CompiledGame) -> TakeOption:
    return compiled.engine.take_option


def _run(compiled: CompiledGame) -> Callable[[array[int], list[LogLine] | None], list[int] | None]:
    return compiled.engine.run


def _options(compiled: CompiledGame) -> Callable[[array[int]], list[int]]:
    return compiled.engine.options


ANSWERS = frozenset(("", "none", "done", "yes", "no"))
"""The names of options that are meaningless without the question."""
_NEAR = 2  # the margin around the pieces of a growing grid, in spaces


def _rename_values(domain: Domain, names: Mapping[int, str]) -> Domain:
    texts = domain.texts or domain.names
    changed = (names.get(domain.offset + at, text) for at, text in enumerate(texts))
    return attrs.evolve(domain, texts=tuple(changed))


class Origin(Protocol):
    """Identifies a game, a variant and an engine, and makes the compiled game from them."""

    @property
    def is_kept(self) -> bool:
        """Return whether the game can be read again when the origin is unpickled."""
        ...

    def __call__(self) -> CompiledGame:
        """Make the compiled game."""
        ...


def _make_again(origin: Origin) -> CompiledGame:
    return origin()


@attrs.frozen(eq=False, repr=False)
class CompiledGame:
    """The data that all states of a variant share.

    `advance`, `take_option`, `run` and `options` are methods of the engine. They are stored here to save
    a lookup.
    """

    program: Program
    engine: Engine
    position: array[int] | None = None
    """The state from which matches begin, or None if they begin with the setup."""
    home: tuple[str, str] | None = None
    """The file and the hash of the rules, or None if the rules are not in a file."""
    origin: Origin | None = None
    """Makes the game again after unpickling."""
    words: Words = attrs.field(init=False, default=attrs.Factory(_words, takes_self=True))
    viewer: Viewer = attrs.field(init=False, default=attrs.Factory(_viewer, takes_self=True))
    advance: Callable[..., list[int] | None] = attrs.field(
        init=False, default=attrs.Factory(_advance, takes_self=True)
    )
    take_option: TakeOption = attrs.field(
        init=False, default=attrs.Factory(_take_option, takes_self=True)
    )
    run: Callable[[array[int], list[LogLine] | None], list[int] | None] = attrs.field(
        init=False, default=attrs.Factory(_run, takes_self=True)
    )
    options: Callable[[array[int]], list[int]] = attrs.field(
        init=False, default=attrs.Factory(_options, takes_self=True)
    )
    _beginning: list[array[int]] = attrs.field(init=False, factory=list)
    _packed: list[tuple[str, bytes]] = attrs.field(init=False, factory=list)
    _near: dict[tuple[str, int, int, int, int], list[int]] = attrs.field(init=False, factory=dict)
    """A cache of the spaces of growing grids within given bounds."""
    _prints: list[str] = attrs.field(init=False, factory=list)

    def with_names(self, names: Mapping[int, str]) -> CompiledGame:
        """Return the same game, with people's names assigned to some seats."""
        if not names:
            return self
        players = self.program.domains[self.program.player_domain]
        domains = tuple(
            _rename_values(domain, names) if domain.names == players.names else domain
            for domain in self.program.domains
        )
        program = attrs.evolve(self.program, domains=domains)
        return CompiledGame(program, self.engine, self.position, self.home)

    def __reduce__(self) -> tuple[Callable[..., CompiledGame], tuple[object, ...]]:
        """Pickle only the origin of the game. Unpickling makes the game again, so the rules are not stored.

        A game without an origin is pickled as its program. If the unpickling process already has
        the same game, the result is that object.
        """
        if self.origin is not None and self.origin.is_kept:
            return _make_again, (self.origin,)
        if not self._packed:
            packed = pickle.dumps((self.program, self.position, self.home))
            self._packed.append((hashlib.sha256(packed).hexdigest(), packed))
        token, packed = self._packed[0]
        name = name_of(self.engine)
        _KNOWN.setdefault((token, name), self)
        return _unpickle, (token, name, packed)

    @property
    def fingerprint(self) -> str:
        """Return a hash that is equal for equal rules in every process.

        If games have equal fingerprints, their states have the same meaning.
        """
        if not self._prints:
            self._prints.append(fingerprint(self.program))
        return self._prints[0]

    def is_like(self, other: CompiledGame) -> bool:
        """Return whether states of the other game are also states of this game."""
        return self is other or (
            self.program is other.program or self.fingerprint == other.fingerprint
        )

    def begin(self) -> array[int]:
        """Return the state at the first decision or chance event. All matches begin with this state."""
        if self.position is not None:
            return self.position[:]
        if not self._beginning:
            cells = self.engine.start()
            self.run(cells, None)
            self._beginning.append(cells)
        return self._beginning[0][:]

    def option_name(self, cells: array[int], option: int) -> str:
        """Return the stable name of an option of the open decision or chance event."""
        site = cells[SITE]
        if cells[BOUND]:
            return self.words.result(site, self.words.members(cells)[option])
        if not self.words.has_twins(site):
            return self.words.option(site, option)
        offered = self.options(cells)
        if option not in offered:
            return self.words.option(site, option)
        return self.named_among(site, offered, offered.index(option))

    def option_names(self, cells: array[int], options: Sequence[int]) -> list[str]:
        """Return the stable names of options. If two options have the same name, the second gets
        `name#2`, and so on."""
        if cells[BOUND]:
            members = self.words.members(cells)
            return [self.words.result(cells[SITE], members[option]) for option in options]
        names = [self.words.option(cells[SITE], option) for option in options]
        if self.words.has_twins(cells[SITE]):
            met: Counter[str] = Counter()
            for place, name in enumerate(names):
                met[name] += 1
                if met[name] > 1:
                    names[place] = f"{name}#{met[name]}"
        return names

    def named_among(self, site: int, options: Sequence[int], place: int) -> str:
        """Return the stable name of `options[place]`. Several of the options may have the same name."""
        option, names = self.words.option, [self.words.option(site, options[place])]
        names += [name for each in options[:place] if (name := option(site, each)) == names[0]]
        return names[0] if len(names) == 1 else f"{names[0]}#{len(names)}"

    def is_aside(self, cells: array[int], option: int) -> bool:
        """Return whether an option is one that is always available, rather than an answer to the question."""
        return not cells[BOUND] and self.words.arm(cells[SITE], option).aside

    def option_text(self, cells: array[int], option: int) -> str:
        """Return the text of an option of the open decision, as it is shown to people."""
        if cells[BOUND]:
            return self.words.result(cells[SITE], self.words.members(cells)[option])
        arm = self.words.arm(cells[SITE], option)
        if arm.message is None:
            return self.words.option_text(cells[SITE], option, cells[PLAYER])
        return self.words.message(arm.message, self.option_arguments(cells, option))

    def choice_text(self, cells: array[int], option: int, *, tells_all: bool) -> str:
        """Return the text of a choice for readers who have not seen the question.

        If the text means nothing on its own, the question is put before it. Without `tells_all`,
        the values in the question are left out.
        """
        text = self.option_text(cells, option)
        if cells[BOUND]:
            return text
        arm = self.words.arm(cells[SITE], option)
        if arm.message is not None or arm.name not in ANSWERS:
            return text
        if self._is_asked_by_name(cells):
            return f"{self._word(cells)} {text}"
        site = self.program.sites[cells[SITE]]
        asked = self.prompt(cells) if tells_all else self.words.message_without(site.prompt)
        return f"{asked} {text}" if asked.endswith("?") else f"{asked}: {text}"

    def is_together(self, cells: array[int]) -> bool:
        """Return whether the open decision is part of a simultaneous choice."""
        return self.program.sites[cells[SITE]].own

    def asked_of_others(self, cells: array[int]) -> str:
        """Return the question of the open decision as other players see it. If all players decide
        together, return ""."""
        return "" if self.is_together(cells) else self.asked_of_all(cells)

    def asked_of_all(self, cells: array[int]) -> str:
        """Return the public text of the question of the open decision. The text is in brackets
        unless it is only a name."""
        if self._is_asked_by_name(cells):
            return self._word(cells)
        asked = self.words.message_without(self.program.sites[cells[SITE]].prompt)
        return "" if asked == ASKED else f"({asked})"

    def _word(self, cells: array[int]) -> str:
        return self.program.sites[cells[SITE]].word.replace("_", " ")

    def _is_asked_by_name(self, cells: array[int]) -> bool:
        """Return whether the rules give no question for the open decision."""
        said = self.program.messages[self.program.sites[cells[SITE]].prompt]
        return said.parts == (f"choose {self._word(cells)}",)

    def plain_choice_text(self, cells: array[int], option: int) -> str:
        """Reduce the text of a choice to the action and its objects.

        If an action has arguments, the first word of its name is its verb: `mark_square(a4)`
        becomes `mark a4`.
        """
        text = self.words.option_text(cells[SITE], option, cells[PLAYER])
        arm = self.words.arm(cells[SITE], option)
        if not (arm.name and arm.arguments):
            return text
        return f"{arm.word.split('_')[0]} {text.removeprefix(arm.word.replace('_', ' '))}"

    def option_arguments(self, cells: array[int], option: int) -> tuple[Value, ...]:
        """Return the arguments that are filled into the text of an option."""
        arm = self.words.arm(cells[SITE], option)
        values = digits(arm, option)
        if arm.words is None:
            return values
        return self.list(cells, arm.words, (*self.engine.site_arguments(cells), *values))

    def prompt(self, cells: array[int]) -> str:
        """Return the question of the open decision."""
        if cells[BOUND]:
            return self.words.chance(cells[SITE])
        site = self.program.sites[cells[SITE]]
        return self.words.message(site.prompt, self.engine.prompt_arguments(cells))

    def refusal_text(self, refusal: Refusal) -> str:
        """Return the reason why an option cannot be chosen."""
        text = self.words.message(refusal.message, refusal.arguments)
        if not refusal.more:
            return text
        site = self.program.sites[refusal.site]
        is_done = any(arm.name == site.word for arm in site.arms)
        return f"{nothing_message(site.word, is_done=is_done)}: {text}, and the same is true of {refusal.more} more"

    def log_line(self, line: LogLine) -> LogEntry:
        """Convert a log line of the program to text."""
        message, arguments, audience = line
        said = self.program.messages[message]
        text = self.words.message(message, arguments)
        pieces = self.words.pieces_in(message, arguments)
        return LogEntry(text, audience, said.clauses, said.span, pieces)

    def scores(self, cells: array[int]) -> Scores:
        """Return the points of all seats so far."""
        return Scores(
            tuple(
                PlayerScore(name, tuple(self._items(cells, seat)))
                for seat, name in enumerate(self.words.players)
            )
        )

    def _items(self, cells: array[int], seat: int) -> list[tuple[str, int]]:
        return [
            (item.text, self.number(cells, item.procedure, (seat,))) for item in self.program.score
        ]

    def number(self, cells: array[int], procedure: int, arguments: tuple[Value, ...] = ()) -> int:
        """Evaluate a plain procedure that returns a number."""
        value = self.engine.value(cells, procedure, arguments)
        assert isinstance(value, int)
        return value

    def list(
        self, cells: array[int], procedure: int, arguments: tuple[Value, ...] = ()
    ) -> tuple[Value, ...]:
        """Evaluate a plain procedure that returns a list."""
        value = self.engine.value(cells, procedure, arguments)
        assert not isinstance(value, int)
        return value

    def totals(self, cells: array[int]) -> Sequence[int]:
        """Return the total points of each seat so far."""
        return self.engine.totals(cells)

    def winners(self, cells: array[int]) -> tuple[int, ...]:
        """Return the winning seats of a finished game."""
        if self.program.winners is None:
            return ()
        return tuple(
            winner for winner in self.list(cells, self.program.winners) if isinstance(winner, int)
        )

    def board_of(self, space: str) -> BoardView | None:
        """If the rules define a drawing for a grid, return the drawing, otherwise None."""
        return next((board for board in self.program.boards if board.space == space), None)

    def board_texts(self, cells: array[int], space: str, me: int = 0) -> dict[int, str] | None:
        """Return the texts of the non-empty spaces of a grid. If the rules do not define a drawing
        for the grid, return None.

        The text of a space comes from the first `show` line whose arguments all have a value.
        """
        board = self.board_of(space)
        if board is None:
            return None
        kind = next(kind for kind in self.program.spaces if kind.name == space)
        cells = self._board_cells(cells, board, me)
        texts = {}
        for number in self.drawn_spaces(cells, kind):
            for message, procedure in board.shows:
                arguments = self.list(cells, procedure, (number, me))
                if all(argument not in (-1, ()) for argument in arguments):
                    texts[number] = self.words.message(message, arguments)
                    break
        return texts

    def board_marks(self, cells: array[int], board: BoardView, me: int) -> frozenset[int]:
        """Return the spaces of a board that the rules highlight."""
        kind = next(kind for kind in self.program.spaces if kind.name == board.space)
        cells = self._board_cells(cells, board, me)
        return frozenset(
            number
            for number in (self.drawn_spaces(cells, kind) if board.marks else ())
            if any(self.number(cells, mark, (number, me)) for mark in board.marks)
        )

    def drawn_spaces(self, cells: array[int], kind: SpaceKind) -> Iterable[int]:
        """Return the spaces of a grid that are drawn. On a growing grid, these are the spaces near its pieces."""
        every = range(kind.first, kind.first + kind.count)
        groups: list[PlaceInfo | TokenPlace | Kept] = [
            *self.program.places,
            *self.program.tokens,
            *self.program.kept,
        ]
        slots = {
            cell_group.cell_of + slot
            for cell_group in groups
            if cell_group.owner == kind.name and cell_group.cell_of >= 0
            for slot in cell_group.owners
        }
        used = [kind.places[cells[cell] - kind.first] for cell in slots if cells[cell] >= 0]
        if not kind.growing or not used:
            return every
        left, right = min(x for x, _ in used) - _NEAR, max(x for x, _ in used) + _NEAR
        low, high = min(y for _, y in used) - _NEAR, max(y for _, y in used) + _NEAR
        key = kind.name, left, right, low, high
        found = self._near.get(key)
        if found is None:
            found = self._near[key] = [
                number
                for number, (x, y) in zip(every, kind.places, strict=True)
                if left <= x <= right and low <= y <= high
            ]
        return found

    def board_title(self, cells: array[int], board: BoardView, me: int) -> str:
        """Return the title of a board."""
        if board.title is None:
            return ""
        message, procedure = board.title
        cells = self._board_cells(cells, board, me)
        return self.words.message(message, self.list(cells, procedure, (me,)))

    def board_owner(self, cells: array[int], board: BoardView, me: int) -> int:
        """Return the seat of the player named in the title of a board, or -1 if no player is named."""
        if board.title is None:
            return -1
        message, procedure = board.title
        arguments = self.list(cells, procedure, (me,))
        for part in self.program.messages[message].parts:
            if isinstance(part, Shown) and part.domain == self.program.player_domain:
                seat = arguments[part.argument]
                return seat if isinstance(seat, int) else -1
        return -1

    def board_lines(self, cells: array[int], board: BoardView, me: int) -> tuple[str, ...]:
        """Return the lines of a board that is shown as text."""
        return self._drawn_lines(self._board_cells(cells, board, me), board.lines, me)

    def board_notes(self, cells: array[int], board: BoardView, me: int) -> tuple[str, ...]:
        """Return the notes below a board."""
        return self._drawn_lines(self._board_cells(cells, board, me), board.notes, me)

    def _board_cells(self, cells: array[int], board: BoardView, me: int) -> array[int]:
        """Return the cells, in which the sizes of places are those that a board may show.

        Other players do not see a change of size until all players have decided.
        """
        return self.viewer.with_shown_sizes(cells, me if board.of_player else -1)

    def _drawn_lines(
        self, cells: array[int], lines: Sequence[tuple[int, int, int, int]], me: int
    ) -> tuple[str, ...]:
        found: list[str] = []
        for order, group in groupby(lines, key=itemgetter(3)):
            shown = [
                (member, message, procedure)
                for message, procedure, members, _ in group
                for member in self.list(cells, members, (me,))
            ]
            if order >= 0:
                place = {member: at for at, member in enumerate(self.list(cells, order, (me,)))}
                shown.sort(key=lambda line: place[line[0]])
            found += (
                self.words.message(message, self.list(cells, procedure, (member, me)))
                for member, message, procedure in shown
            )
        return tuple(found)


_KNOWN: WeakValueDictionary[tuple[str, EngineName], CompiledGame] = WeakValueDictionary()
"""The games that were pickled or unpickled in this process, keyed by the hash of the program and the engine."""


def _unpickle(token: str, name: EngineName, packed: bytes) -> CompiledGame:
    known = _KNOWN.get((token, name))
    if known is None:
        program, position, home = pickle.loads(packed)
        known = CompiledGame(program, make_engine(program, name), position, home)
        _KNOWN[token, name] = known
    return known

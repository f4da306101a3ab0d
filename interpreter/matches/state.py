"""States of a game in play, and the decisions in them, as values.

A state never changes: `choose` returns another state. Chance is answered by the generator in the
state (key and counter), so that equal states continue equally. A state stores no history except the
last step (see `rulewright.interpreter.matches.match`).
"""

from __future__ import annotations

import zlib
from array import array
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from functools import cache
from typing import TYPE_CHECKING, Any, TypeAlias, get_args, overload
from weakref import WeakKeyDictionary

import attrs

from rulewright.dsl.immutable import frozen
from rulewright.dsl.ir import BOUND, OVER, PLAYER, SITE
from rulewright.interpreter.engines.chance import Generator, draw
from rulewright.interpreter.engines.engine import STEPS, LogLine, Refusal, first_state, only_chance
from rulewright.interpreter.knowledge.filtered import all_filtered, why_filtered
from rulewright.interpreter.knowledge.information_set import information
from rulewright.interpreter.knowledge.observers import Encoded, observer_of
from rulewright.interpreter.knowledge.reasons import Why, why_value
from rulewright.interpreter.knowledge.sampling import sampled
from rulewright.interpreter.matches.packing import Packer
from rulewright.interpreter.matches.requests import one_of, seat, whole
from rulewright.interpreter.matches.returns import Reward, returns, shares
from rulewright.interpreter.text.errors import NoSuchOptionError, WrongArgumentError, with_near
from rulewright.interpreter.text.score_sheet import Scores
from rulewright.interpreter.views.compiled_game import CompiledGame
from rulewright.interpreter.views.log_lines import NOBODY, LogEntry
from rulewright.interpreter.views.ties import tie_lines
from rulewright.interpreter.views.view import ALL_SEEING, PublicView, View

Ask: TypeAlias = Callable[[int, Sequence[int]], int]
"""A function that returns a result of chance, given a chance site and the number of results."""


@attrs.frozen
class ChanceResult:
    """A result of chance, with the chance site that it answers."""

    site: int
    result: int
    value: int


@frozen(eq=False)
class Terms:
    """The data that does not change during a match.

    `key` is the key of the generator. With `manual`, chance is a decision of nobody; with
    `remembers`, states keep their earlier states. `lying` contains the hidden pieces that have
    changed places since the position from which the match begins.
    """

    compiled: CompiledGame
    key: int
    manual: bool = False
    remembers: bool = False
    lying: tuple[tuple[int, int], ...] = ()


_SAMPLES = 2  # the stream of a seed
_FEW = 10  # numbers of options in a message

_Since: TypeAlias = "tuple[tuple[LogEntry, ...], tuple[ChanceResult, ...]]"
"""The lines and the results of chance of a step."""
Origin: TypeAlias = "tuple[array[int] | None, int, int, tuple[int, ...] | None]"
"""The origin of a state: the cells before, the choice, the counter, forced results."""

NO_WAY = -2
START: Origin = (None, -1, 0, None)
UNKNOWN: Origin = (None, NO_WAY, 0, None)
"""The origin of a state with an unknown past."""


_new = object.__new__
_UNPACKED: deque[State] = deque()
"""Packed states whose cells are temporarily unpacked, the latest last."""
_UNPACKED_AT_MOST = 8
_LEVEL = 1
"""The compression level of states."""


_PACKERS: WeakKeyDictionary[CompiledGame, Packer] = WeakKeyDictionary()


def packer_of(compiled: CompiledGame) -> Packer:
    """Return the packer of the states of a variant."""
    found = _PACKERS.get(compiled)
    if found is None:
        first = first_state(compiled.program)
        found = _PACKERS[compiled] = Packer.of(compiled.program, compiled.fingerprint, first)
    return found


class State:
    """A position between two decisions, or at the end."""

    __slots__ = (
        "_base",
        "_before",
        "_choice",
        "_forced",
        "_packed",
        "_previous",
        "_public",
        "_since",
        "_used",
        "cells",
        "counter",
        "option_ids",
        "over",
        "terms",
    )

    terms: Terms
    cells: array[int]
    """The state in the form of the engine; do not change it."""
    counter: int
    """The number of words drawn from the generator."""
    over: bool
    """Whether the game has ended."""
    option_ids: list[int]
    """The numbers of the options, in the order of the rules; do not change the list."""
    _base: State
    _forced: tuple[int, ...]
    _packed: bytes
    _previous: State
    _public: PublicView
    _since: _Since

    def __init__(
        self,
        terms: Terms,
        cells: array[int],
        counter: int,
        origin: Origin,
        previous: State | None = None,
        options: list[int] | None = None,
    ) -> None:
        self.terms = terms
        self.cells = cells
        self.counter = counter
        self._before, self._choice, self._used, forced = origin
        if forced is not None:
            self._forced = forced
        if previous is not None:
            self._previous = previous
        self.over = cells[OVER] == 1
        if options is not None:
            self.option_ids = options
        else:
            self._make_on_demand()

    def pack(self, base: State) -> None:
        """Store the cells in few bytes, and unpack them for a short time when they are used.

        `base` is a recent state, or the state itself: only differences from it are stored.
        """
        if self._part("_packed") is None:
            if base is not self:
                self._base = base
            self._packed = zlib.compress(self._unpacked(self.cells.tobytes()), _LEVEL)
        self._drop()

    def _unpacked(self, data: bytes) -> bytes:
        """Turn the bytes of the cells into differences from the base, or differences into bytes."""
        known = self._part("_base")
        if known is None:
            return data
        base = int.from_bytes(known.cells.tobytes(), "little")
        return (int.from_bytes(data, "little") ^ base).to_bytes(len(data), "little")

    def _drop(self) -> None:
        self._make_on_demand()
        with suppress(AttributeError):
            del self.cells
        self.lighten()

    def _make_on_demand(self) -> None:
        """Make missing parts later, when somebody reads them."""
        self.__class__ = _Unfinished  # pyright: ignore[reportAttributeAccessIssue]  # it has the same parts

    def lighten(self) -> None:
        """Drop the data that can be computed again: the previous cells, the options, the view, the lines of the log."""
        self._make_on_demand()
        gone = ["option_ids", "_public", "_since"]
        if self.previous is not None:
            gone.append("_before")
        for part in gone:
            with suppress(AttributeError):
                delattr(self, part)

    def __eq__(self, other: object) -> bool:
        """Whether both states continue equally, independent of the place of the game and of the past."""
        if not isinstance(other, State):
            return NotImplemented
        return (
            self.cells == other.cells
            and self._chance == other._chance
            and self.compiled.is_like(other.compiled)
        )

    def __hash__(self) -> int:
        return hash((self.cells.tobytes(), self._chance))

    @property
    def _chance(self) -> tuple[int, int, bool] | None:
        """The state of chance: key, counter and whether chance is manual; None in games without chance."""
        terms = self.terms
        if not terms.compiled.program.chances:
            return None
        return terms.key, self.counter, terms.manual

    def to_bytes(self) -> bytes:
        """Return the state as bytes, which `Game.state` reads. Equal states have equal bytes."""
        return packer_of(self.compiled).packed(self.cells, *(self._chance or (0, 0, False)))

    def __reduce__(self) -> tuple[Callable[..., State], tuple[Terms, list[_Packed]]]:
        """Pickle a state together with the states that it remembers, in order."""
        packer = packer_of(self.compiled)
        known: dict[bytes, bytes] = {}  # so that equal cells are packed once

        def packed(cells: array[int]) -> bytes:
            found = packer.packed(cells, 0, 0, False)
            return known.setdefault(found, found)

        chain: list[_Packed] = []
        for one in (*self.past, self):
            before, choice, used, forced = one._origin
            whence = None if before is None else packed(before)
            chain.append((packed(one.cells), one.counter, whence, choice, used, forced))
        return _unpacked, (self.terms, chain)

    def __repr__(self) -> str:
        title = self.compiled.program.title
        if self.over:
            return f"<State of {title}, over>"
        return f"<State of {title}: {self.decision.name_of_player}, {self.decision.prompt}>"

    def _part(self, name: str) -> Any:
        """Return a part that most states lack, since it takes time to set it; None if this state lacks it."""
        return getattr(self, name, None)

    @property
    def _origin(self) -> Origin:
        return self._before, self._choice, self._used, self._part("_forced")

    @property
    def compiled(self) -> CompiledGame:
        """The compiled variant to which the state belongs."""
        return self.terms.compiled

    @property
    def at_chance(self) -> bool:
        """Whether the open decision is a result of chance (`chance="manual"` only)."""
        return self.cells[BOUND] > 0

    @property
    def player(self) -> int:
        """The player who decides; -1 for chance and at the end."""
        return self.cells[PLAYER]

    @property
    def is_together(self) -> bool:
        """Whether all decide at the same time, so that others see neither the choices nor their number."""
        return not self.over and self.compiled.is_together(self.cells)

    @property
    def players(self) -> tuple[str, ...]:
        """The names of the players, one for each seat."""
        return self.compiled.words.players

    @property
    def decision(self) -> Decision:
        """The open decision."""
        found = _new(Decision)
        found.state = self
        return found

    def choose(self, option: Option | str) -> State:
        """Choose an option, and return the next state: at the next decision or at the end."""
        if isinstance(option, Option) and option.state is self:
            return self.take(option.id)
        return self.take(self.decision.find(option))

    def take(self, choice: int) -> State:
        """Choose an option by its number in `option_ids`. Any other number is refused."""
        terms = self.terms
        before = self.cells
        counter = self.counter
        found = terms.compiled.taken(before, self.option_ids, choice)
        if found is None:
            choice = self._offered(choice)
            cells = before[:]
            offered = terms.compiled.advance(cells, choice)
        else:
            cells, offered = found
        used = counter
        if offered is None and cells[BOUND] and not terms.manual:
            counter, offered = settle(terms.compiled, cells, terms.key, counter)
        if offered is None:
            after: State = _new(_Unfinished)  # the same as `State(...)`, in half the time
            after.over = cells[OVER] == 1
        else:
            after = _new(State)
            after.over = False
            after.option_ids = offered
        after.terms = terms
        after.cells = cells
        after.counter = counter
        after._before = before
        after._choice = choice
        after._used = used
        if terms.remembers:
            after._previous = self
        return after

    def _offered(self, choice: int) -> int:
        """Return the number of an option that is offered. Any other number is refused."""
        self.refuse_if_over()
        number = whole(choice, "the number of an option")
        if number not in self.option_ids:
            numbers = ", ".join(map(str, self.option_ids[:_FEW]))
            more = ", ..." if len(self.option_ids) > _FEW else ""
            raise NoSuchOptionError(f"there is no option number {number} here, but {numbers}{more}")
        return number

    def refuse_if_over(self) -> None:
        """Refuse to continue a game that is over."""
        if self.over:
            raise NoSuchOptionError("the game is over: there is nothing to choose")

    def take_with(self, choice: int, ask: Ask) -> State:
        """Choose an option as `take` does, with results of chance from a function."""
        terms = self.terms
        cells = self.cells[:]
        drawn: list[ChanceResult] = []
        terms.compiled.advance(cells, choice)
        after, _ = settle(terms.compiled, cells, terms.key, self.counter, ask, None, drawn)
        forced = tuple(one.result for one in drawn)
        previous = self if terms.remembers else None
        return State(terms, cells, after, (self.cells, choice, self.counter, forced), previous)

    def with_cells(self, cells: array[int], since: _Since | None = None) -> State:
        """Return another position of the same match. Its past is unknown, except perhaps for log lines in `since`."""
        found = State(self.terms, cells, self.counter, UNKNOWN)
        if since is not None:
            found._since = since
        return found

    def sample(self, player: int, seed: int = 0) -> State:
        """Return a state that a player cannot tell from this state. It depends on the seed.

        Pieces and numbers hidden from the player are drawn again. So are secret choices of others, if the
        earlier states are remembered (`Game.start(..., remember=True)`).
        """
        player = seat(player, len(self.players))
        seed = whole(seed, "a seed")
        return self.with_cells(sampled(self, player, Generator.seeded(seed, _SAMPLES)))

    def observe(self, player: int) -> array[int]:
        """Return a player's observation as numbers, which `observer_of(state.compiled).parts` names."""
        player = seat(player, len(self.players))
        return observer_of(self.compiled).observe(self.cells, player)

    def encode(self, player: int, dtype: Encoded = "float32") -> array[Any]:
        """Return a player's observation as a network reads it.

        `observer_of(state.compiled).encoded_parts` names its numbers.
        """
        player = seat(player, len(self.players))
        one_of(dtype, get_args(Encoded), "a type of numbers")
        return observer_of(self.compiled).encode(self.cells, player, dtype)

    def copy(self) -> State:
        """Return the state itself, because it never changes."""
        return self

    @property
    def scores(self) -> Scores:
        """The points of each player so far, item by item."""
        return self.compiled.scores(self.cells)

    @property
    def shares(self) -> list[float]:
        """The part of the victory that each seat has; 0 before the end."""
        return shares(self.compiled, self.cells) if self.over else [0.0] * len(self.players)

    def returns(self, reward: Reward = "wins") -> list[float]:
        """Return the reward of each seat, 0 before the end.

        By `wins`, a single winner has 1 and the others share the loss. By `points`, each seat has
        the difference of its points from the mean.
        """
        one_of(reward, get_args(Reward), "a reward")
        if not self.over:
            return [0.0] * len(self.players)
        return returns(self.compiled, self.cells, reward)

    @property
    def winners(self) -> tuple[int, ...]:
        """The winners: several if they share the victory, none in a draw and before the end."""
        return self.compiled.winners(self.cells) if self.over else ()

    def tie(self, called: Sequence[str] = ()) -> list[str]:
        """Describe the tie-breaks that decided the match, as lines; none if there was no tie.

        `called` are names to show for the players.
        """
        return tie_lines(self.compiled, self.cells, called) if self.over else []

    def view(self, player: int) -> View:
        """Return the position as a player sees it; -1 is a spectator, -2 sees everything."""
        player = seat(player, len(self.players), NOBODY, ALL_SEEING)
        return self.compiled.viewer.view(self.cells, player, self.public_view)

    @property
    def public_view(self) -> PublicView:
        """The part of the position that all viewers see alike, made once."""
        found: PublicView | None = self._part("_public")
        if found is None:
            found = self._public = self.compiled.viewer.public(self.cells)
        return found

    def why_value(self, asked: str, player: int = ALL_SEEING) -> Why:
        """Return a named value and its reasons, as far as a player may know them.

        `asked` is written as `price of player 1 sawmill` or `me.price(sawmill)`.
        """
        if not isinstance(asked, str):
            raise WrongArgumentError(f"a value is named by a text, not by {asked!r:.40}")
        return why_value(self, asked, player)

    @property
    def log(self) -> tuple[LogEntry, ...]:
        """The lines that the rules have logged since the previous decision."""
        return self._since_before[0]

    @property
    def moments(self) -> tuple[array[int], ...]:
        """The cells at the moment of each line of `log`."""
        watched = _Watched()
        self._run_again(watched)
        return tuple(watched.moments)

    @property
    def drawn(self) -> tuple[ChanceResult, ...]:
        """The results of chance since the previous decision."""
        return self._since_before[1]

    @property
    def _since_before(self) -> _Since:
        found: _Since | None = self._part("_since")
        if found is None:
            log: list[LogLine] = []
            drawn = self._run_again(log)
            found = self._since = tuple(map(self.compiled.log_line, log)), tuple(drawn)
        return found

    def _run_again(self, log: list[LogLine]) -> list[ChanceResult]:
        # Repeating the one step costs less than storing its lines, which are rarely needed.
        terms = self.terms
        compiled = terms.compiled
        before, choice, counter, forced = self._origin
        drawn: list[ChanceResult] = []
        if choice == NO_WAY:
            return drawn
        if before is None:
            cells = compiled.engine.start()
            _watch(log, cells)
            compiled.run(cells, log)
        else:
            cells = before[:]
            if cells[BOUND]:
                drawn.append(
                    ChanceResult(cells[SITE], choice, compiled.words.members(cells)[choice])
                )
            _watch(log, cells)
            compiled.advance(cells, choice, log)
        if forced is not None:
            settle(compiled, cells, terms.key, 0, _in_turn(forced), log, drawn)
        elif not terms.manual:
            settle(compiled, cells, terms.key, counter, None, log, drawn)
        return drawn

    @property
    def choice(self) -> int:
        """The number of the option that led to this state; negative if there is none."""
        return self._choice

    @property
    def previous(self) -> State | None:
        """The previous state; needs `Game.start(..., remember=True)`."""
        found: State | None = self._part("_previous")
        return found

    @property
    def past(self) -> tuple[State, ...]:
        """The states before this state, in order; needs `Game.start(..., remember=True)`."""
        found = []
        state = self.previous
        while state is not None:
            found.append(state)
            state = state.previous
        return tuple(reversed(found))

    def information(self, player: int) -> str:
        """Describe everything that a player has seen and chosen so far; needs `Game.start(..., remember=True)`."""
        if not self.terms.remembers:
            message = "only a game started with remember=True knows earlier views"
            raise WrongArgumentError(message)
        player = seat(player, len(self.players))
        return information((*self.past, self), player)


class _Unfinished(State):
    """A state that makes some of its parts when somebody reads them.

    Python reads the attributes of such a class slowly, so most states have another class.
    """

    __slots__ = ()

    if not TYPE_CHECKING:  # otherwise type checkers would accept any attribute name

        def __getattr__(self, name: str) -> object:
            if name == "option_ids":
                self.refuse_if_over()
                found = self.option_ids = self.terms.compiled.options(self.cells)
                return found
            if name == "cells" and self._part("_packed") is not None:
                cells = self.cells = array("i", self._unpacked(zlib.decompress(self._packed)))
                _UNPACKED.append(self)
                while len(_UNPACKED) > _UNPACKED_AT_MOST:
                    with suppress(IndexError):  # another thread may have been faster
                        _UNPACKED.popleft()._drop()
                return cells
            if name == "_before" and self.previous is not None:
                return self.previous.cells
            raise AttributeError(f"'State' object has no attribute {name!r}")


class _Watched(list[LogLine]):
    """Log lines in order, each with the cells at that moment."""

    def __init__(self) -> None:
        super().__init__()
        self.cells: array[int] = array("i")
        self.moments: list[array[int]] = []

    def append(self, line: LogLine) -> None:
        """Add a line, and store the cells at this moment."""
        super().append(line)
        self.moments.append(self.cells[:])


def _watch(log: list[LogLine], cells: array[int]) -> None:
    if isinstance(log, _Watched):
        log.cells = cells


_Packed: TypeAlias = "tuple[bytes, int, bytes | None, int, int, tuple[int, ...] | None]"
"""Cells, counter and origin of a state, with the cells packed."""


def _unpacked(terms: Terms, chain: list[_Packed]) -> State:
    cells_of = cache(packer_of(terms.compiled).cells_of)
    state: State | None = None
    for cells, counter, whence, choice, used, forced in chain:
        before = None if whence is None else cells_of(whence)
        state = State(terms, cells_of(cells), counter, (before, choice, used, forced), state)
    assert state is not None
    return state


def _in_turn(results: Sequence[int]) -> Ask:
    rest = iter(results)
    return lambda _site, _bound: next(rest)


def settle(
    compiled: CompiledGame,
    cells: array[int],
    key: int,
    counter: int,
    ask: Ask | None = None,
    log: list[LogLine] | None = None,
    drawn: list[ChanceResult] | None = None,
) -> tuple[int, list[int] | None]:
    """Answer chance until a decision or the end, in place.

    Returns the counter of the generator, and the options of the decision if they were listed during
    the run. If `ask` is given, its results are used; the counter advances anyway.
    """
    offered: list[int] | None = None
    for _ in range(STEPS):
        if not cells[BOUND]:
            return counter, offered
        site, bound = cells[SITE], cells[BOUND]
        result, counter = draw(key, counter, bound)
        if ask is not None:
            result = ask(site, compiled.words.members(cells))
        if drawn is not None:
            drawn.append(ChanceResult(site, result, compiled.words.members(cells)[result]))
        offered = compiled.advance(cells, result, log)
    raise only_chance(compiled.program, cells)


class Option:
    """An option of a decision."""

    __slots__ = ("id", "state")

    state: State
    id: int

    def __init__(self, state: State, id: int) -> None:
        self.state = state
        self.id = id

    @property
    def name(self) -> str:
        """The stable name, for programs and records."""
        return self.state.compiled.option_name(self.state.cells, self.id)

    @property
    def text(self) -> str:
        """The words for people."""
        return self.state.compiled.option_text(self.state.cells, self.id)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Option) and self.id == other.id and self.state == other.state

    def __hash__(self) -> int:
        return self.id

    def __repr__(self) -> str:
        return f"<Option {self.name}>"


class Options(Sequence[Option]):
    """The options of a decision, in the order of the rules. Each option is made at its first use."""

    __slots__ = ("_ids", "_state")

    def __init__(self, state: State, ids: list[int]) -> None:
        self._state = state
        self._ids = ids

    def __len__(self) -> int:
        return len(self._ids)

    @overload
    def __getitem__(self, index: int) -> Option: ...

    @overload
    def __getitem__(self, index: slice) -> tuple[Option, ...]: ...

    def __getitem__(self, index: int | slice) -> Option | tuple[Option, ...]:
        found = self._ids[index]
        if isinstance(found, list):
            return tuple(Option(self._state, id) for id in found)
        option = _new(Option)
        option.state = self._state
        option.id = found
        return option

    def __iter__(self) -> Iterator[Option]:
        state = self._state
        return (Option(state, id) for id in self._ids)

    def __repr__(self) -> str:
        return f"<Options {', '.join(option.name for option in self)}>"


class Decision:
    """The open decision of a player, or of chance (`chance="manual"` only)."""

    __slots__ = ("state",)

    state: State

    def __init__(self, state: State) -> None:
        self.state = state

    @property
    def player(self) -> int:
        """The player who decides; -1 for chance."""
        return self.state.cells[PLAYER]

    @property
    def name_of_player(self) -> str:
        """The name of the player who decides."""
        return self.state.compiled.words.chooser(self.state.cells)

    @property
    def number(self) -> int:
        """The number of the decision in the rules."""
        return self.state.cells[SITE]

    @property
    def prompt(self) -> str:
        """The question, in words."""
        self.state.refuse_if_over()
        return self.state.compiled.prompt(self.state.cells)

    @property
    def options(self) -> Options:
        """The options, in the order of the rules."""
        found = _new(Options)
        found._state = self.state
        found._ids = self.state.option_ids
        return found

    @property
    def names(self) -> list[str]:
        """The stable names of the options."""
        return self.state.compiled.option_names(self.state.cells, self.state.option_ids)

    def option(self, name: str) -> Option:
        """Return the option with a name. Raises `RequestError` with the reason if the option is not offered."""
        return Option(self.state, self.find(name))

    def find(self, option: Option | str) -> int:
        """Return the number of an option that is offered."""
        self.state.refuse_if_over()
        if isinstance(option, Option):
            if option.id in self.state.option_ids and option.state.decision.number == self.number:
                return option.id
            option = option.name
        if not isinstance(option, str):
            raise WrongArgumentError(
                f"an option is chosen by its name as a text, not by {option!r:.40}"
            )
        named = dict(zip(self.names, self.state.option_ids, strict=True))
        found = named.get(option)
        if found is not None:
            return found
        reason = self._refusal(option)
        if reason is not None:
            raise NoSuchOptionError(f"`{option}` cannot be chosen: {reason}", reason)
        raise NoSuchOptionError(with_near(f"there is no option `{option}` here", option, named))

    def why(self, name: str) -> str | None:
        """Explain why an option cannot be chosen, in the words of the rules; None if it can be chosen."""
        if not isinstance(name, str):
            raise WrongArgumentError(f"an option is named by a text, not by {name!r:.40}")
        names = self.names
        if name in names:
            return None
        unknown = f"there is no option `{name}` here"
        return self._refusal(name) or with_near(unknown, name, names)

    @property
    def refused(self) -> dict[str, str]:
        """The names of the options that the rules refuse here, with the reasons."""
        state = self.state
        if state.at_chance:
            return {}
        offered = {*self.names}
        reasons: dict[str, str] = {}
        for option, refusal in self._refusals.items():
            name = state.compiled.words.option(self.number, option)
            if name not in offered:
                reasons.setdefault(name, state.compiled.refusal_text(refusal))
        for name, unmet in all_filtered(state):
            if name not in offered:
                reasons.setdefault(name, unmet.text)
        return reasons

    def clauses(self, name: str) -> tuple[str, ...]:
        """Return the clauses of the rulebook that refuse an option, if the rules cite them."""
        if not isinstance(name, str):
            raise WrongArgumentError(f"an option is named by a text, not by {name!r:.40}")
        compiled, cells = self.state.compiled, self.state.cells
        if self.state.at_chance or name in self.names:
            return ()
        for option, refusal in self._refusals.items():
            if compiled.option_name(cells, option) == name:
                return compiled.program.messages[refusal.message].clauses
        unmet = why_filtered(self.state, name)
        return unmet.clauses if unmet is not None else ()

    @property
    def _refusals(self) -> dict[int, Refusal]:
        return self.state.compiled.engine.refusals(self.state.cells)

    def _refusal(self, name: str) -> str | None:
        refused = self.refused.get(name)
        if refused is not None or self.state.at_chance:
            return refused
        unmet = why_filtered(self.state, name)
        return unmet.text if unmet is not None else None

    def __repr__(self) -> str:
        if self.state.over:
            return "<Decision of a game that is over>"
        return f"<Decision of {self.name_of_player}: {self.prompt}>"

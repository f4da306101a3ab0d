"""Represents the states of a match, and the decisions in them, as values.

A state never changes: `choose` returns another state. The generator in the state (its key and
counter) supplies the results of chance, so equal states continue equally. A state stores no history
except the last step (see `rulewright.interpreter.matches.match`).
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
from rulewright.interpreter.knowledge.sampling import sample_state
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
"""A function that returns a result of chance, given the number of a chance site and the number of possible results."""


@attrs.frozen
class ChanceResult:
    """A result of chance, and the chance site at which it was drawn."""

    site: int
    result: int
    value: int


@frozen(eq=False)
class Terms:
    """The data that does not change during a match.

    `key` is the key of the generator. With `manual`, chance is a decision without a player. With
    `remembers`, states keep the states before them. If the match begins from a position, `lying`
    contains the hidden pieces that have exchanged places in it.
    """

    compiled: CompiledGame
    key: int
    manual: bool = False
    remembers: bool = False
    lying: tuple[tuple[int, int], ...] = ()


_SAMPLES = 2  # the random stream for samples
_FEW = 10  # the maximum number of options listed in a message

_Since: TypeAlias = "tuple[tuple[LogEntry, ...], tuple[ChanceResult, ...]]"
"""The log lines and the results of chance of a step."""
Origin: TypeAlias = "tuple[array[int] | None, int, int, tuple[int, ...] | None]"
"""The origin of a state: the cells before the last step, the choice, the counter, and any forced results."""

NO_WAY = -2
START: Origin = (None, -1, 0, None)
UNKNOWN: Origin = (None, NO_WAY, 0, None)
"""The origin of a state whose past is unknown."""


_new = object.__new__
_UNPACKED: deque[State] = deque()
"""Packed states whose cells are temporarily unpacked, the most recent last."""
_UNPACKED_AT_MOST = 8
_LEVEL = 1
"""The compression level for packed states."""


_PACKERS: WeakKeyDictionary[CompiledGame, Packer] = WeakKeyDictionary()


def packer_of(compiled: CompiledGame) -> Packer:
    """Return the packer for the states of a variant."""
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
    """The state in the form that engines use. The caller must not change it."""
    counter: int
    """The number of random words drawn from the generator so far."""
    over: bool
    """Whether the game has ended."""
    option_ids: list[int]
    """The numbers of the options, in the order of the rules. The caller must not change the list."""
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
        """Compress the cells. They are unpacked temporarily when they are used.

        `base` is a recent state, or this state itself. If `base` is another state, only the
        differences from `base` are stored.
        """
        if self._part("_packed") is None:
            if base is not self:
                self._base = base
            self._packed = zlib.compress(self._xor_base(self.cells.tobytes()), _LEVEL)
        self._drop()

    def _xor_base(self, data: bytes) -> bytes:
        """Convert the bytes of the cells to differences from the base, or the differences back to bytes."""
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
        """Compute missing attributes lazily, when they are first read."""
        self.__class__ = _Unfinished  # pyright: ignore[reportAttributeAccessIssue]  # it has the same attributes

    def lighten(self) -> None:
        """Drop the data that can be computed again: the previous cells, the options, the view and the log lines."""
        self._make_on_demand()
        gone = ["option_ids", "_public", "_since"]
        if self.previous is not None:
            gone.append("_before")
        for part in gone:
            with suppress(AttributeError):
                delattr(self, part)

    def __eq__(self, other: object) -> bool:
        """Return whether both states continue equally. Neither their past nor the file of the game matters."""
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
        """Return the state of chance: key, counter and whether chance is manual; None in games without chance."""
        terms = self.terms
        if not terms.compiled.program.chances:
            return None
        return terms.key, self.counter, terms.manual

    def to_bytes(self) -> bytes:
        """Return the state as bytes that `Game.state` reads. Equal states have equal bytes."""
        return packer_of(self.compiled).pack(self.cells, *(self._chance or (0, 0, False)))

    def __reduce__(self) -> tuple[Callable[..., State], tuple[Terms, list[_Packed]]]:
        """Pickle a state together with the states that it remembers, in order."""
        packer = packer_of(self.compiled)
        known: dict[bytes, bytes] = {}  # equal cells are packed only once

        def pack(cells: array[int]) -> bytes:
            found = packer.pack(cells, 0, 0, False)
            return known.setdefault(found, found)

        chain: list[_Packed] = []
        for one in (*self.past, self):
            before, choice, used, forced = one._origin
            whence = None if before is None else pack(before)
            chain.append((pack(one.cells), one.counter, whence, choice, used, forced))
        return _unpickle, (self.terms, chain)

    def __repr__(self) -> str:
        title = self.compiled.program.title
        if self.over:
            return f"<State of {title}, over>"
        return f"<State of {title}: {self.decision.name_of_player}, {self.decision.prompt}>"

    def _part(self, name: str) -> Any:
        """Return an attribute that most states do not have. If the attribute is not set, return None."""
        return getattr(self, name, None)

    @property
    def _origin(self) -> Origin:
        return self._before, self._choice, self._used, self._part("_forced")

    @property
    def compiled(self) -> CompiledGame:
        """Return the compiled variant to which the state belongs."""
        return self.terms.compiled

    @property
    def at_chance(self) -> bool:
        """Return whether the open decision is a result of chance (only with `chance="manual"`)."""
        return self.cells[BOUND] > 0

    @property
    def player(self) -> int:
        """Return the player who decides, or -1 for chance and at the end."""
        return self.cells[PLAYER]

    @property
    def is_together(self) -> bool:
        """Return whether all players decide at the same time.

        Until all players have decided, other players see neither the choices nor how many were
        made.
        """
        return not self.over and self.compiled.is_together(self.cells)

    @property
    def players(self) -> tuple[str, ...]:
        """Return the names of the players, one for each seat."""
        return self.compiled.words.players

    @property
    def decision(self) -> Decision:
        """Return the open decision."""
        found = _new(Decision)
        found.state = self
        return found

    def choose(self, option: Option | str) -> State:
        """Choose an option, and return the next state: at the next decision or at the end."""
        if isinstance(option, Option) and option.state is self:
            return self.take(option.id)
        return self.take(self.decision.find(option))

    def take(self, choice: int) -> State:
        """Choose an option by its number, and return the next state.

        Raises an error if the number is not in `option_ids`.
        """
        terms = self.terms
        before = self.cells
        counter = self.counter
        found = terms.compiled.take_option(before, self.option_ids, choice)
        if found is None:
            choice = self._require_offered(choice)
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

    def _require_offered(self, choice: int) -> int:
        """Check that an option with this number is offered, and return the number. Otherwise raise an error."""
        self.refuse_if_over()
        number = whole(choice, "the number of an option")
        if number not in self.option_ids:
            numbers = ", ".join(map(str, self.option_ids[:_FEW]))
            more = ", ..." if len(self.option_ids) > _FEW else ""
            raise NoSuchOptionError(f"there is no option number {number} here, but {numbers}{more}")
        return number

    def refuse_if_over(self) -> None:
        """Raise an error if the game is over."""
        if self.over:
            raise NoSuchOptionError("the game is over: there is nothing to choose")

    def take_with(self, choice: int, ask: Ask) -> State:
        """Choose an option as `take` does, but get the results of chance from `ask`."""
        terms = self.terms
        cells = self.cells[:]
        drawn: list[ChanceResult] = []
        terms.compiled.advance(cells, choice)
        after, _ = settle(terms.compiled, cells, terms.key, self.counter, ask, None, drawn)
        forced = tuple(one.result for one in drawn)
        previous = self if terms.remembers else None
        return State(terms, cells, after, (self.cells, choice, self.counter, forced), previous)

    def with_cells(self, cells: array[int], since: _Since | None = None) -> State:
        """Return another position of the same match. The past of the position is unknown, except
        for the events in `since`, if given."""
        found = State(self.terms, cells, self.counter, UNKNOWN)
        if since is not None:
            found._since = since
        return found

    def sample(self, player: int, seed: int = 0) -> State:
        """Return a random state that `player` cannot distinguish from this state. The same seed gives the same state.

        Pieces and numbers hidden from the player are drawn again. If states are remembered
        (`Game.start(..., remember=True)`), secret choices of other players are drawn again too.
        """
        player = seat(player, len(self.players))
        seed = whole(seed, "a seed")
        return self.with_cells(sample_state(self, player, Generator.seeded(seed, _SAMPLES)))

    def observe(self, player: int) -> array[int]:
        """Return a player's observation as numbers. `observer_of(state.compiled).parts` lists what they mean."""
        player = seat(player, len(self.players))
        return observer_of(self.compiled).observe(self.cells, player)

    def encode(self, player: int, dtype: Encoded = "float32") -> array[Any]:
        """Return a player's observation in the form that a neural network takes as input.

        `observer_of(state.compiled).encoded_parts` lists what the numbers mean.
        """
        player = seat(player, len(self.players))
        one_of(dtype, get_args(Encoded), "a type of numbers")
        return observer_of(self.compiled).encode(self.cells, player, dtype)

    def copy(self) -> State:
        """Return the state itself, because a state never changes."""
        return self

    @property
    def scores(self) -> Scores:
        """Return the points of each player so far, item by item."""
        return self.compiled.scores(self.cells)

    @property
    def shares(self) -> list[float]:
        """Return each seat's share of the victory; 0 before the end."""
        return shares(self.compiled, self.cells) if self.over else [0.0] * len(self.players)

    def returns(self, reward: Reward = "wins") -> list[float]:
        """Return the reward of each seat; 0 before the end.

        With `wins`, a single winner gets 1, and the others share the loss. With `points`, each seat
        gets the difference between its points and the mean.
        """
        one_of(reward, get_args(Reward), "a reward")
        if not self.over:
            return [0.0] * len(self.players)
        return returns(self.compiled, self.cells, reward)

    @property
    def winners(self) -> tuple[int, ...]:
        """Return the winners: several if they share the victory, none in a draw or before the end."""
        return self.compiled.winners(self.cells) if self.over else ()

    def tie(self, called: Sequence[str] = ()) -> list[str]:
        """Return lines that describe the tie-breaks that decided the match, or no lines if there was no tie.

        `called` gives the names to show for the players.
        """
        return tie_lines(self.compiled, self.cells, called) if self.over else []

    def view(self, player: int) -> View:
        """Return the position as a player sees it. A `player` of -1 is a spectator, and -2 sees everything."""
        player = seat(player, len(self.players), NOBODY, ALL_SEEING)
        return self.compiled.viewer.view(self.cells, player, self.public_view)

    @property
    def public_view(self) -> PublicView:
        """Return the part of the view that is the same for all viewers. It is computed once and cached."""
        found: PublicView | None = self._part("_public")
        if found is None:
            found = self._public = self.compiled.viewer.public(self.cells)
        return found

    def why_value(self, asked: str, player: int = ALL_SEEING) -> Why:
        """Return a named value with those of its reasons that a player may know.

        `asked` has a form such as `price of player 1 sawmill` or `me.price(sawmill)`.
        """
        if not isinstance(asked, str):
            raise WrongArgumentError(f"a value is named by a text, not by {asked!r:.40}")
        return why_value(self, asked, player)

    @property
    def log(self) -> tuple[LogEntry, ...]:
        """Return the lines that the rules have logged since the previous decision."""
        return self._since_before[0]

    @property
    def moments(self) -> tuple[array[int], ...]:
        """Return the cells as they were when each line of `log` was written."""
        watched = _Watched()
        self._run_again(watched)
        return tuple(watched.moments)

    @property
    def drawn(self) -> tuple[ChanceResult, ...]:
        """Return the results of chance since the previous decision."""
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
        # Replaying this single step costs less than storing its log lines, which are rarely needed.
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
        """Return the number of the option that led to this state, or a negative number if none did."""
        return self._choice

    @property
    def previous(self) -> State | None:
        """Return the previous state. Without `Game.start(..., remember=True)`, return None."""
        found: State | None = self._part("_previous")
        return found

    @property
    def past(self) -> tuple[State, ...]:
        """Return the states before this state, in order. Requires `Game.start(..., remember=True)`."""
        found = []
        state = self.previous
        while state is not None:
            found.append(state)
            state = state.previous
        return tuple(reversed(found))

    def information(self, player: int) -> str:
        """Describe everything that a player has seen and chosen so far.

        Requires `Game.start(..., remember=True)`.
        """
        if not self.terms.remembers:
            message = "only a game started with remember=True knows earlier views"
            raise WrongArgumentError(message)
        player = seat(player, len(self.players))
        return information((*self.past, self), player)


class _Unfinished(State):
    """A state that computes some of its attributes lazily, when they are first read.

    Attribute access on such a class is slow, so most states use `State` itself.
    """

    __slots__ = ()

    if not TYPE_CHECKING:  # otherwise type checkers would accept any attribute name

        def __getattr__(self, name: str) -> object:
            if name == "option_ids":
                self.refuse_if_over()
                found = self.option_ids = self.terms.compiled.options(self.cells)
                return found
            if name == "cells" and self._part("_packed") is not None:
                cells = self.cells = array("i", self._xor_base(zlib.decompress(self._packed)))
                _UNPACKED.append(self)
                while len(_UNPACKED) > _UNPACKED_AT_MOST:
                    with suppress(IndexError):  # another thread may have removed the state already
                        _UNPACKED.popleft()._drop()
                return cells
            if name == "_before" and self.previous is not None:
                return self.previous.cells
            raise AttributeError(f"'State' object has no attribute {name!r}")


class _Watched(list[LogLine]):
    """A list of log lines that also stores a copy of the cells for each line."""

    def __init__(self) -> None:
        super().__init__()
        self.cells: array[int] = array("i")
        self.moments: list[array[int]] = []

    def append(self, line: LogLine) -> None:
        """Append a line, and store a copy of the cells as they are now."""
        super().append(line)
        self.moments.append(self.cells[:])


def _watch(log: list[LogLine], cells: array[int]) -> None:
    if isinstance(log, _Watched):
        log.cells = cells


_Packed: TypeAlias = "tuple[bytes, int, bytes | None, int, int, tuple[int, ...] | None]"
"""The packed cells of a state, its counter, and its origin with packed cells."""


def _unpickle(terms: Terms, chain: list[_Packed]) -> State:
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
    """Resolve chance in place until a decision or the end is reached.

    Returns the counter of the generator, and the options of the decision if the run has listed
    them. If `ask` is given, it supplies the results, but the counter advances in the same way.
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
        """Return the stable name, which programs and records use."""
        return self.state.compiled.option_name(self.state.cells, self.id)

    @property
    def text(self) -> str:
        """Return the text that is shown to people."""
        return self.state.compiled.option_text(self.state.cells, self.id)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Option) and self.id == other.id and self.state == other.state

    def __hash__(self) -> int:
        return self.id

    def __repr__(self) -> str:
        return f"<Option {self.name}>"


class Options(Sequence[Option]):
    """The options of a decision, in the order of the rules. An option is created each time it is accessed."""

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
        """Return the player who decides, or -1 for chance."""
        return self.state.cells[PLAYER]

    @property
    def name_of_player(self) -> str:
        """Return the name of the player who decides."""
        return self.state.compiled.words.chooser(self.state.cells)

    @property
    def number(self) -> int:
        """Return the number of the decision in the rules."""
        return self.state.cells[SITE]

    @property
    def prompt(self) -> str:
        """Return the text of the question."""
        self.state.refuse_if_over()
        return self.state.compiled.prompt(self.state.cells)

    @property
    def options(self) -> Options:
        """Return the options, in the order of the rules."""
        found = _new(Options)
        found._state = self.state
        found._ids = self.state.option_ids
        return found

    @property
    def names(self) -> list[str]:
        """Return the stable names of the options."""
        return self.state.compiled.option_names(self.state.cells, self.state.option_ids)

    def option(self, name: str) -> Option:
        """Return the option with a name. If it is not offered, raises `RequestError` with the reason."""
        return Option(self.state, self.find(name))

    def find(self, option: Option | str) -> int:
        """Return the number of an offered option, given the option or its name."""
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
        """Explain in the words of the rules why an option cannot be chosen. Returns None if the
        option can be chosen."""
        if not isinstance(name, str):
            raise WrongArgumentError(f"an option is named by a text, not by {name!r:.40}")
        names = self.names
        if name in names:
            return None
        unknown = f"there is no option `{name}` here"
        return self._refusal(name) or with_near(unknown, name, names)

    @property
    def refused(self) -> dict[str, str]:
        """Map the name of each option that the rules refuse here to the reason."""
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
        """Return the clauses of the rulebook on which the refusal of an option is based, if the rules cite any."""
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

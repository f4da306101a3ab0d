"""Finds games by name or path, and starts matches of them.

This module is independent of how rules are read and stored, and of how engines run them.
"""

from __future__ import annotations

import hashlib
import warnings
from array import array
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from operator import length_hint
from pathlib import Path
from pickle import PicklingError, UnpicklingError
from typing import Literal, Protocol, get_args
from weakref import WeakValueDictionary

import attrs

from rulewright.dsl.diagnostics.diagnostics import Diagnostic, Severity
from rulewright.dsl.facts_data import GameFacts
from rulewright.dsl.ir import BOUND, RESUME, Program
from rulewright.dsl.loading.confinement import Reach
from rulewright.dsl.text.invisible_characters import with_visible_symbols
from rulewright.dsl.text.reading import bytes_of_file
from rulewright.interpreter.engines.chance import Generator, key_of
from rulewright.interpreter.engines.engines import (
    WORTH_WHILE,
    EngineName,
    engine_for,
    engine_names,
    make_engine,
    name_of,
)
from rulewright.interpreter.engines.playouts import bot_generator
from rulewright.interpreter.engines.results import Results
from rulewright.interpreter.knowledge.hidden_pieces import exchange_pieces
from rulewright.interpreter.knowledge.observers import Observer, observer_of
from rulewright.interpreter.matches.library import find_game
from rulewright.interpreter.matches.packing import head_of
from rulewright.interpreter.matches.requests import many, one_of, whole
from rulewright.interpreter.matches.returns import Reward
from rulewright.interpreter.matches.state import (
    START,
    UNKNOWN,
    Ask,
    ChanceResult,
    State,
    Terms,
    packer_of,
    settle,
)
from rulewright.interpreter.matches.vector import Legal, Vector
from rulewright.interpreter.text.errors import (
    BrokenGameError,
    BrokenStateError,
    NoNativeEngineError,
    SlowPathWarning,
    WrongVariantError,
    with_near,
)
from rulewright.interpreter.text.faults import NO_PROGRESS, RuleFault
from rulewright.interpreter.text.kinds import refuses_wrong_kinds
from rulewright.interpreter.views.compiled_game import CompiledGame

ChanceWord = Literal["seeded", "manual"]
_CHANCE = get_args(ChanceWord)

SAMPLE = 2_000
"""The number of decisions in a playout whose options are counted to choose an engine."""
LONGEST = 100_000
"""The default maximum length of a playout, in decisions."""
_LENGTH = "the length of a match in decisions"
MOST = 2**31 - 1
"""The highest maximum length that a caller may give."""


class Rules(Protocol):
    """A game file as loaded by the language (`rulewright.dsl.loading.loading.Loaded`)."""

    @property
    def facts(self) -> GameFacts | None: ...
    @property
    def problems(self) -> tuple[Diagnostic, ...]: ...
    @property
    def hash(self) -> str: ...
    @property
    def reach(self) -> Reach: ...
    def program(self, players: int, options: Mapping[str, str]) -> Program | None: ...
    def program_with_openly(self, players: int, options: Mapping[str, str]) -> Program: ...
    def problems_of(self, players: int, options: Mapping[str, str]) -> tuple[Diagnostic, ...]: ...
    def never(self, players: int, options: Mapping[str, str]) -> str | None: ...
    def number_of_variants(self) -> int: ...
    def checked_variants(self) -> list[tuple[int, dict[str, str]]]: ...
    def variants(
        self, players: int | None = None, given: Mapping[str, str] | None = None
    ) -> list[tuple[int, dict[str, str]]]: ...


@attrs.frozen
class _Origin:
    """The origin of a compiled game. It is pickled with states in place of the rules."""

    game: Game
    variant: Variant
    engine: EngineName

    @property
    def is_kept(self) -> bool:
        """Implement `compiled_game.Origin.is_kept`."""
        return self.game.facts.path is not None and self.game.position is None

    def __call__(self) -> CompiledGame:
        """Implement `compiled_game.Origin`."""
        return self.game.compiled(self.variant, self.engine)


@attrs.frozen
class Variant:
    """A number of players and a value for each option of a game."""

    players: int
    options: tuple[tuple[str, str], ...]
    """The options with their values, in the order of the rules."""


@attrs.frozen(eq=False)
class Position:
    """A state from which matches begin, with its variant and program."""

    variant: Variant
    program: Program
    cells: array[int]


@attrs.frozen(eq=False)
class Game:
    """A game whose rules have no errors."""

    name: str
    """The name or path with which the game was loaded."""
    rules: Rules = attrs.field(repr=False)
    facts: GameFacts = attrs.field(repr=False)
    position: Position | None = attrs.field(default=None, repr=False)
    """The state from which all matches begin, or None if they begin with the setup."""
    _compiled_games: dict[tuple[Variant, str], CompiledGame] = attrs.field(
        init=False, factory=dict, repr=False
    )
    _usual: dict[int | None, Variant] = attrs.field(init=False, factory=dict, repr=False)
    """The variants with default options, by number of players."""

    def __reduce__(self) -> tuple[Callable[..., Game], tuple[str, Path, Reach, str]]:
        """Pickle a game as the path of its rules. Unpickling reads the rules again, and fails if they have changed."""
        if self.facts.path is None or self.position is not None:
            raise PicklingError(f"{self.title} was not read from a file")
        path, reach = Path(self.facts.path).resolve(), self.rules.reach
        if reach.tables is not None:
            reach = attrs.evolve(reach, tables=reach.tables.resolve())
        _READ[path, reach, self.rules.hash] = self
        return _read_again, (self.name, path, reach, self.rules.hash)

    @property
    def title(self) -> str:
        """The title of the game."""
        return self.facts.title

    @property
    def home(self) -> tuple[str, str] | None:
        """Return the file and the hash of the rules, or None if the rules are not in a file."""
        path = self.facts.path
        return None if path is None else (str(path), self.rules.hash)

    @property
    def hash(self) -> str:
        """Return the hash by which records identify the rules. A game that begins from a position has its own hash."""
        if self.position is None:
            return self.rules.hash
        at = self.position.cells.tobytes()
        return hashlib.sha256(self.rules.hash.encode() + at).hexdigest()[: len(self.rules.hash)]

    def variant(
        self, players: int | None = None, options: Mapping[str, str] | None = None
    ) -> Variant:
        """Return the variant for the given number of players and options. Defaults replace missing values.

        The defaults are two players if the game allows it, and the first value of each option. If
        the rules exclude this combination, the first allowed combination is used.
        """
        if players is not None:
            players = whole(players, "the number of players")
        if options:
            return self._variant(players, options)
        found = self._usual.get(players)
        if found is None:
            found = self._usual[players] = self._variant(players, None)
        return found

    def _variant(self, players: int | None, options: Mapping[str, str] | None) -> Variant:
        if self.position is not None:
            return self._as_given(self.position.variant, players, dict(options or {}))
        facts = self.facts
        asked = players
        if players is None:
            players = max(facts.low, min(2, facts.high))
        if not facts.low <= players <= facts.high:
            number = str(facts.low) if facts.low == facts.high else f"{facts.low} to {facts.high}"
            raise WrongVariantError(f"{facts.title} is for {number} players, not {players}")
        if not isinstance(options, Mapping | None):
            raise WrongVariantError(f"options are given by their names, not as {options!r:.40}")
        given = {str(name): str(value) for name, value in (options or {}).items()}
        known = dict(facts.options)
        for name in given:
            if name not in known:
                message = f"{facts.title} has no option `{name}`"
                near = with_near(message, name, known)
                raise WrongVariantError(
                    f"{message}; {_options(known)}" if near == message else near
                )
        chosen = {name: _value(name, values, given) for name, values in facts.options}
        never = self.rules.never(players, chosen)
        if never is not None:
            every = self.rules.variants(asked, given)
            if not every:
                raise WrongVariantError(f"{facts.title} has no such variant: {never}")
            players, chosen = every[0]
        return Variant(players, tuple(chosen.items()))

    def for_random_play(self, options: Mapping[str, str] | None = None) -> dict[str, str]:
        """Return the given options, and the options that the game sets for random play (`in random
        play turn_limit is 25`).

        The given options take precedence. Nothing is added for a position, or if the rules exclude
        the combination.
        """
        if not isinstance(options, Mapping | None):
            raise WrongVariantError(f"options are given by their names, not as {options!r:.40}")
        given = dict(options or {})
        known = dict(self.facts.options)
        are_right = all(str(value) in known.get(name, ()) for name, value in given.items())
        added = {name: v for name, v in self.facts.random_play if name not in given}
        if self.position is not None or not added or not are_right:
            return given
        both = {name: str(value) for name, value in given.items()} | added
        return both if self.rules.variants(None, both) else given

    def _as_given(self, variant: Variant, players: int | None, options: dict[str, str]) -> Variant:
        """Return the variant of a position. Raise an error if another variant is requested."""
        chosen = dict(variant.options)
        others = [name for name, value in options.items() if chosen.get(name) != value]
        if others or players not in (None, variant.players):
            said = "".join(f", {name} is {value}" for name, value in variant.options)
            raise WrongVariantError(f"this position is one of {variant.players} players{said}")
        return variant

    def compiled(self, variant: Variant, engine: EngineName = "python") -> CompiledGame:
        """Compile a variant. The result is cached."""
        key = variant, engine
        found = self._compiled_games.get(key)
        if found is None:
            one_of(engine, get_args(EngineName), "an engine")
            program = self.program(variant)
            cells = None if self.position is None else self.position.cells
            origin = _Origin(self, variant, engine)
            found = CompiledGame(program, make_engine(program, engine), cells, self.home, origin)
            self._compiled_games[key] = found
        return found

    @refuses_wrong_kinds
    def observer(self, variant: Variant | None = None) -> Observer:
        """Return the observer of a variant, which lists the parts of its observations and encodings."""
        return observer_of(self.compiled(variant or self.variant()))

    def compiled_for(self, variant: Variant, plays: int) -> CompiledGame:
        """Return the compiled variant with the engine that is expected to finish `plays` playouts first."""
        return self._with(
            variant, engine_for(self.program(variant), plays, lambda: self._count_offers(variant))
        )

    def _with(self, variant: Variant, engine: EngineName) -> CompiledGame:
        """Compile a variant with `engine`, or with the default engine if `engine` cannot run the game."""
        try:
            return self.compiled(variant, engine)
        except NoNativeEngineError:
            return self.compiled(variant)

    def _count_offers(self, variant: Variant) -> int:
        """Count the options that are offered in one playout, or in its first decisions if the playout is long."""
        counts: list[int] = []
        with suppress(RuleFault):  # the playout with this seed reports the fault
            playout(self.compiled(variant), 0, SAMPLE, counts)
        return sum(counts)

    @refuses_wrong_kinds
    def program(self, variant: Variant) -> Program:
        """Return the program of a variant. Raises `RequestError` if the rules of the variant have errors."""
        if self.position is not None:
            return self.position.program
        options = dict(variant.options)
        program = self.rules.program(variant.players, options)
        if program is None:
            problems = self.rules.problems_of(variant.players, options)
            raise BrokenGameError(self.name, problems or self.rules.problems)
        return program

    @refuses_wrong_kinds
    def start(
        self,
        players: int | None = None,
        seed: int = 0,
        options: Mapping[str, str] | None = None,
        engine: EngineName = "python",
        chance: ChanceWord = "seeded",
        remember: bool = False,
    ) -> State:
        """Begin a match, and return the state at its first decision.

        With `chance="manual"`, each result of chance is a decision without a player. With
        `remember`, each state keeps the states before it.
        """
        one_of(chance, _CHANCE, "chance")
        compiled = self.compiled(self.variant(players, options), engine)
        return first_state(compiled, seed, chance, remember)

    @refuses_wrong_kinds
    def state(self, data: bytes, engine: EngineName = "python") -> State:
        """Read a state from the bytes of `State.to_bytes`. Raises `RequestError` if the bytes belong to other rules.

        The past of the returned state is unknown.
        """
        if not isinstance(data, bytes):
            raise BrokenStateError("a state is read from bytes")
        head = head_of(data)
        try:
            compiled = self.compiled(self.variant(head.players, dict(head.options)), engine)
        except WrongVariantError:
            compiled = None
        if compiled is None or compiled.fingerprint != head.rules:
            raise BrokenStateError(f"this is a state of different rules from those of {self.title}")
        cells = packer_of(compiled).cells_of(data)
        return State(Terms(compiled, head.key, head.manual), cells, head.counter, UNKNOWN)

    @property
    def has_rulebook(self) -> bool:
        """Return whether the game has a rulebook file next to its rules file."""
        rulebook = self.facts.rulebook
        return rulebook is not None and Path(rulebook).is_file()

    def rules_text(self) -> str:
        """Return the text of the rulebook, or the rules of the game if there is no rulebook."""
        facts = self.facts
        for path in (facts.rulebook, facts.path):
            if path is not None:
                data = bytes_of_file(Path(path))
                if data is not None:
                    return with_visible_symbols(data.decode("utf-8", errors="replace"))
        return f"the text of the rules of {facts.title} is not there any more"

    @refuses_wrong_kinds
    def playout(
        self,
        seed: int = 0,
        players: int | None = None,
        options: Mapping[str, str] | None = None,
        engine: EngineName = "python",
        longest: int = LONGEST,
    ) -> State:
        """Play a match between random bots, and return its last state.

        Options are completed as in `for_random_play`. Raises `RuleFault` if the match is not over
        after `longest` decisions.
        """
        variant = self.variant(players, self.for_random_play(options))
        compiled = self.compiled(variant, engine)
        return require_end(playout(compiled, seed, longest), longest)

    @refuses_wrong_kinds
    def playouts(
        self,
        seeds: Iterable[int],
        players: int | None = None,
        options: Mapping[str, str] | None = None,
        engine: EngineName | None = None,
        longest: int = LONGEST,
    ) -> list[State]:
        """Return the last states of many playouts. Without `engine`, the engine that is expected to
        finish first is used."""
        compiled = self._compiled_for(_many(seeds), players, options, engine)
        return [require_end(state, longest) for state in playouts(compiled, seeds, longest)]

    @refuses_wrong_kinds
    def results(
        self,
        seeds: Iterable[int],
        players: int | None = None,
        options: Mapping[str, str] | None = None,
        engine: EngineName | None = None,
        longest: int = LONGEST,
        jobs: int = 1,
        progress: Callable[[int], None] | None = None,
    ) -> Results:
        """Return the results of many playouts, as flat arrays of numbers.

        A playout that is not over after `longest` decisions is abandoned. Without `engine`, the
        engine that is expected to finish first is used. The native engine plays in `jobs` threads.
        `progress` is called from time to time with the number of finished matches.
        """
        compiled = self._compiled_for(_many(seeds), players, options, engine)
        parts = results_of(compiled, compiled.begin(), seeds, longest, jobs)
        return join_results(compiled, parts, progress)

    def results_in_parts(
        self,
        seeds: Iterable[int],
        players: int | None = None,
        options: Mapping[str, str] | None = None,
        engine: EngineName | None = None,
        longest: int = LONGEST,
        jobs: int = 1,
    ) -> Iterator[Results]:
        """Yield the same results as `results` in batches, in the order of the seeds. This needs little memory."""
        compiled = self._compiled_for(_many(seeds), players, options, engine)
        return results_of(compiled, compiled.begin(), seeds, longest, jobs)

    @refuses_wrong_kinds
    def vector(
        self,
        count: int,
        players: int | None = None,
        options: Mapping[str, str] | None = None,
        seed: int = 0,
        engine: EngineName | None = None,
        reward: Reward = "wins",
        jobs: int = 1,
        legal: Legal = "masks",
    ) -> Vector:
        """Begin many matches that step together, by default in the native engine if it is installed.

        `jobs` is the number of threads of the native engine. `legal` is the form of the legal
        actions: lists are faster if there are thousands of actions. Options are completed as in
        `for_random_play`.
        """
        variant = self.variant(players, self.for_random_play(options))
        # The number of steps is unknown, so the fastest engine is the default.
        compiled = (
            self.compiled(variant, engine) if engine else self._with(variant, engine_names()[-1])
        )
        return Vector.of(compiled, count, seed, reward, jobs, legal)

    def _compiled_for(
        self,
        plays: int,
        players: int | None,
        options: Mapping[str, str] | None,
        engine: EngineName | None,
    ) -> CompiledGame:
        variant = self.variant(players, self.for_random_play(options))
        if engine is not None:
            return self.compiled(variant, engine)
        return self.compiled_for(variant, plays)


@refuses_wrong_kinds
def load_game(
    name_or_path: str | Path, *, tables: str | Path | None = None, allow_outside: bool = False
) -> Game:
    """Load a shipped game by name, or a game file by path.

    Raises `RequestError` if there is no such game, or if its rules have errors. `tables` is a
    folder whose tables replace the tables next to the file. Files outside the folder of the game
    are read only with `allow_outside`.
    """
    path = find_game(name_or_path)
    tables = None if tables is None else Path(tables)
    from rulewright.dsl.loading.loading import (  # noqa: PLC0415  # playing does not need the language
        load,
    )

    return game_of(str(name_or_path), load(path, reach=Reach(tables, allow_outside)))


_READ: WeakValueDictionary[tuple[Path, Reach, str], Game] = WeakValueDictionary()
"""The games that were pickled or unpickled in this process."""


def _read_again(name: str, path: Path, reach: Reach, hash: str) -> Game:
    known = _READ.get((path, reach, hash))
    if known is not None:
        return known
    game = load_game(path, tables=reach.tables, allow_outside=reach.allow_outside)
    game = attrs.evolve(game, name=name)
    if game.rules.hash != hash:
        raise UnpicklingError(f"the rules of {game.title} in `{path.name}` have changed since")
    return _READ.setdefault((path, reach, hash), game)


def game_of(name: str, rules: Rules) -> Game:
    """Return the game with the given rules. Raise an error if the rules have errors."""
    errors = tuple(found for found in rules.problems if found.severity is Severity.ERROR)
    if rules.facts is None or errors:
        raise BrokenGameError(name, rules.problems)
    return Game(name, rules, rules.facts)


def first_state(
    compiled: CompiledGame, seed: int, chance: ChanceWord = "seeded", remember: bool = False
) -> State:
    """Begin a match, and return the state at its first decision."""
    cells = compiled.begin()
    manual = chance == "manual"
    key = key_of(whole(seed, "a seed"))
    counter = 0
    if cells[BOUND] and not manual:
        counter, _ = settle(compiled, cells, key, 0)
    origin = START if compiled.position is None else UNKNOWN
    return State(Terms(compiled, key, manual, remember), cells, counter, origin)


def first_state_with(
    compiled: CompiledGame, seed: int, ask: Ask, lying: Sequence[tuple[int, int]] = ()
) -> State:
    """Begin a match, and return the state at its first decision. `ask` supplies the results of chance.

    `lying` contains pairs of pieces. If the match begins from a position, the second piece of a
    pair is put in the place of the first.
    """
    cells = exchange_pieces(compiled, compiled.begin(), dict(lying))
    key = key_of(seed)
    drawn: list[ChanceResult] = []
    counter, _ = settle(compiled, cells, key, 0, ask, None, drawn)
    forced = tuple(one.result for one in drawn)
    origin = (None, -1, 0, forced) if compiled.position is None else UNKNOWN
    terms = Terms(compiled, key, remembers=True, lying=tuple(lying))
    return State(terms, cells, counter, origin)


def playout(
    compiled: CompiledGame, seed: int, longest: int | None = None, counts: list[int] | None = None
) -> State:
    """Play a match in which every choice is random, and return its last state.

    The match is abandoned after `longest` choices. The number of options of each decision is
    appended to `counts`.
    """
    if longest is not None:
        longest = whole(longest, _LENGTH, 0, MOST)
    cells = compiled.begin()
    chance = Generator(key_of(whole(seed, "a seed")))
    compiled.engine.at_random(cells, chance, bot_generator(seed, 0), longest, counts)
    return State(Terms(compiled, chance.key), cells, chance.counter, UNKNOWN)


def require_end(state: State, longest: int) -> State:
    """Return `state` if it is the end of a match. Otherwise raise a fault of the rules."""
    if not state.over:
        where = state.compiled.program.blocks[state.cells[RESUME]].span
        raise RuleFault(
            NO_PROGRESS, f"the game is not over after {longest:,} decisions at random", where
        )
    return state


def playouts(
    compiled: CompiledGame, seeds: Iterable[int], longest: int | None = None
) -> list[State]:
    """Play a match for each seed as `playout` does, and return the last states."""
    start = State(Terms(compiled, 0), compiled.begin(), 0, UNKNOWN)
    return _ends(start, seeds, longest)


@refuses_wrong_kinds
def rollouts(state: State, seeds: Iterable[int], longest: int | None = None) -> list[State]:
    """Return the last states of playouts that begin at a state, one for each seed.

    The seeds determine the results of chance; the generator of the state is not used.
    """
    _say_if_slow(state.compiled, length_hint(seeds, 0))
    return _ends(state, seeds, longest)


@refuses_wrong_kinds
def _ends(state: State, seeds: Iterable[int], longest: int | None) -> list[State]:
    """Return the last states of playouts as `rollouts` does, but without a warning."""
    if longest is not None:
        longest = whole(longest, _LENGTH, 0, MOST)
    numbers = [whole(seed, "a seed") for seed in seeds]
    ends = []
    for seed in numbers:
        end, chance = state.cells[:], Generator(key_of(seed))
        state.compiled.engine.at_random(end, chance, bot_generator(seed, 0), longest)
        ends.append(State(Terms(state.compiled, chance.key), end, chance.counter, UNKNOWN))
    return ends


@refuses_wrong_kinds
def results_from(
    state: State, seeds: Iterable[int], longest: int = LONGEST, jobs: int = 1
) -> Results:
    """Return the results of playouts from a state, in the same form as `Game.results`."""
    many(seeds)
    compiled = state.compiled
    _say_if_slow(compiled, length_hint(seeds, 0))
    return join_results(compiled, results_of(compiled, state.cells, seeds, longest, jobs))


def _say_if_slow(compiled: CompiledGame, plays: int) -> None:
    """Warn if many playouts are requested from a state of a slow engine although native code is installed."""
    best, mine = engine_names()[-1], name_of(compiled.engine)
    if plays >= _MANY_PLAYOUTS and mine != best:
        warnings.warn(
            f"these {plays:,} playouts run in the engine `{mine}` of their state; "
            f'`start(engine="{best}")` gives a state that continues many times as fast',
            SlowPathWarning,
            stacklevel=4,
        )


def results_of(
    compiled: CompiledGame, cells: array[int], seeds: Iterable[int], longest: int, jobs: int
) -> Iterator[Results]:
    """Yield the results of playouts from a position, in batches."""
    longest = whole(longest, _LENGTH, 0, MOST)
    jobs = whole(jobs, "the number of jobs", 1)
    return _with_name(compiled, compiled.engine.results_at_random(cells, seeds, longest, jobs))


_MANY_PLAYOUTS = 1000
"""The minimum number of playouts for which native code saves time in most games."""


def _many(seeds: Iterable[int]) -> int:
    """Return the number of requested playouts. If the number is unknown, return a very large number."""
    many(seeds)
    return length_hint(seeds, WORTH_WHILE)


def _with_name(compiled: CompiledGame, parts: Iterator[Results]) -> Iterator[Results]:
    name = name_of(compiled.engine)
    for part in parts:
        part.engine = name
        yield part


def join_results(
    compiled: CompiledGame, parts: Iterator[Results], progress: Callable[[int], None] | None = None
) -> Results:
    """Join the batches of results. `progress` is called with the number of matches done so far."""
    found = Results.of(compiled.program)
    found.engine = name_of(compiled.engine)
    for part in parts:
        found.extend(part)
        if progress is not None:
            progress(len(found))
    return found


def _options(known: Mapping[str, tuple[str, ...]]) -> str:
    """List the options of a game with their values."""
    if not known:
        return "it has none"
    each = [f"`{name}` ({', '.join(values)})" for name, values in known.items()]
    return f"it has {' and '.join(filter(None, (', '.join(each[:-1]), each[-1])))}"


def _value(name: str, values: tuple[str, ...], given: Mapping[str, str]) -> str:
    value = given.get(name, values[0])
    if value not in values:
        message = f"the option `{name}` is {' or '.join(values)}, not `{value}`"
        raise WrongVariantError(with_near(message, value, values))
    return value

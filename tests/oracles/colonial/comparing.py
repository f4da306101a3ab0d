"""Plays the shipped game in step with the model and reports the first difference.

Independent of the rules: it chooses at random among the options that both offer.
"""

from __future__ import annotations

import random
from collections import deque
from collections.abc import Sequence

import attrs

from rulewright.interpreter.engines.engines import EngineName
from rulewright.interpreter.matches.game import Game, Variant, first_state_with
from tests.oracles.colonial.decisions import Option
from tests.oracles.colonial.furnishing import furnish
from tests.oracles.colonial.game import Match, start
from tests.oracles.colonial.mapping import Reader
from tests.oracles.colonial.tables import Tables

SETTINGS = (
    (2, "nations"),
    (3, "nations"),
    (4, "base"),
    (4, "nations"),
    (5, "base"),
    (5, "nations"),
    (6, "base"),
)
"""Players and variants (CO-017)."""
LONGEST = 3000
"""After this many decisions a match is abandoned."""


@attrs.frozen
class Manner:
    """How players choose in a match: less frequent and more frequent options, and lucky dice."""

    name: str
    luck: float
    weights: dict[str, float]
    greed: float = 0.0
    """How often the largest number is taken."""


EVEN = Manner("even", 1 / 3, {"give": 0.05})
BUSY = Manner(
    "busy",
    0.5,
    {
        "give": 0.02,
        "pass": 0.02,
        "none": 0.3,
        "done": 0.2,
        "no": 0.5,
        "nobody": 0.05,
        "refuse": 0.3,
        "repay": 0.1,
    },
    0.5,
)
EMPIRES = Manner(
    "empires",
    0.6,
    {
        "give": 0.01,
        "pass": 0.01,
        "done": 0.05,
        "no": 0.3,
        "nobody": 0.02,
        "refuse": 0.1,
        "repay": 0.2,
        "repay_wholly": 3,
        "surrender": 3,
        "rebellion": 0.3,
        "conqueror": 9,
        "scientist": 5,
        "governor": 3,
        "merchant": 2,
        "trader": 2,
        "viceroy": 3,
        "economy": 4,
        "lose": 0.2,
    },
    0.8,
)
MANNERS = (EVEN, BUSY, EMPIRES)


@attrs.frozen
class Difference:
    """The first difference."""

    variant: Variant
    seed: int
    manner: str
    number: int
    what: tuple[str, ...]
    before: tuple[Option, ...]
    """The last options that were taken."""

    def __str__(self) -> str:
        given = ", ".join(f"{name}={value}" for name, value in self.variant.options)
        lines = [
            f"{self.variant.players} players, {given}, seed {self.seed} ({self.manner}), decision {self.number}",
            f"  after {' '.join(map(_option_text, self.before))}",
            *(f"  {line}" for line in self.what),
        ]
        return "\n".join(lines)


@attrs.frozen
class Compared:
    """A match that was equal in both, to its end or to the last compared decision."""

    decisions: int
    ended: bool
    taken: dict[str, int]
    """How often each kind of option was taken."""


def compare(
    game: Game,
    variant: Variant,
    tables: Tables,
    seed: int,
    engine: EngineName = "python",
    longest: int = LONGEST,
    rich: bool = False,
) -> Compared | Difference:
    """One match in both; a rich one begins with a map full of markers."""
    return _Walk(game, variant, tables, seed, engine).run(longest, rich)


class _Walk:
    """The two matches, step by step."""

    def __init__(
        self, game: Game, variant: Variant, tables: Tables, seed: int, engine: EngineName
    ) -> None:
        self.variant, self.seed = variant, seed
        self.random = random.Random(f"{variant}{seed}")
        self.manner = MANNERS[seed % len(MANNERS)]
        self.rolled: deque[int] = deque()
        compiled = game.compiled(variant, engine)
        self.reader = Reader(compiled)
        self.state = first_state_with(compiled, seed, self._chance)
        options = dict(variant.options)
        first = self.rolled.popleft()
        self.match: Match = start(
            tables,
            variant.players,
            first,
            self._successes,
            options["variant"] == "nations",
            int(options["turn_limit"]),
        )
        self.taken: list[Option] = []

    def run(self, longest: int, rich: bool) -> Compared | Difference:
        while True:
            if rich and self.match.decision().options[0][0] == "lay":
                # The cards that can be played do not depend on the position.
                furnish(self.match.position, self.random)
                self.state = self.reader.with_position(self.state, self.match.position)
                rich = False
            self._take_what_is_forced()
            wrong = tuple(self._wrong())
            if wrong:
                last = tuple(self.taken[-12:])
                return Difference(
                    self.variant, self.seed, self.manner.name, len(self.taken), wrong, last
                )
            if self.state.over or len(self.taken) == longest:
                counts: dict[str, int] = {}
                for option in self.taken:
                    kind = str(option[-1] if option[0] == "use" else option[0])
                    counts[kind] = counts.get(kind, 0) + 1
                return Compared(len(self.taken), self.state.over, counts)
            offered = self.reader.open_options(self.state)
            option = self._choose(self.match.decision().options)
            self.taken.append(option)
            self.state = self.state.take_with(offered[option], self._chance)
            self.match.apply(option)

    def _take_what_is_forced(self) -> None:
        """The model always asks; the game need not ask if there is only one answer."""
        while not self.match.over and len(self.match.decision().options) == 1:
            asked = self.match.decision()
            same = not self.state.over and self.state.player == asked.player
            if same and self.reader.open_options(self.state).keys() == set(asked.options):
                return
            self.match.apply(asked.options[0])

    def _wrong(self) -> list[str]:
        state, match = self.state, self.match
        found = list(self.reader.differences(state, match.position))
        if self.rolled:
            found.append(f"dice only the game has rolled: {[*self.rolled]}")
        if state.over != match.over:
            return [*found, f"over: game {state.over}, model {match.over}"]
        if state.over:
            if state.winners != match.winners:
                found.append(f"winners: game {state.winners}, model {match.winners}")
            totals = [*state.scores.totals]
            prestige = [seat.prestige for seat in match.position.seats]
            if totals != prestige:
                found.append(f"scores: game {totals}, model {prestige}")
            return found
        asked = match.decision()
        if state.player != asked.player:
            found.append(f"who decides: game {state.player}, model {asked.player}")
        offered, options = self.reader.open_options(state), asked.options
        if offered.keys() != set(options) or len(options) != len(state.option_ids):
            found.append(f"prompt of the game: {state.decision.prompt}")
            found.append(f"only in the game: {_option_list(offered.keys() - set(options))}")
            found.append(f"only in the model: {_option_list(set(options) - offered.keys())}")
        return found

    def _chance(self, _site: int, members: Sequence[int]) -> int:
        lucky = int(self.random.random() < self.manner.luck)
        value = lucky if set(members) == {0, 1} else self.random.choice(members)
        self.rolled.append(value)
        return members.index(value)

    def _successes(self, number: int) -> int:
        if len(self.rolled) < number:
            raise ValueError(f"the model rolls {number} dice, the game rolled {[*self.rolled]}")
        return sum(self.rolled.popleft() for _ in range(number))

    def _choose(self, options: Sequence[Option]) -> Option:
        weights = self.manner.weights
        largest = max((o for o in options if isinstance(o[0], int)), default=None)
        if largest is not None and self.random.random() < self.manner.greed:
            return largest
        return self.random.choices(
            options, [weights.get(str(o[-1] if o[0] == "use" else o[0]), 1.0) for o in options]
        )[0]


def _option_text(option: Option) -> str:
    return f"{option[0]}({', '.join(map(str, option[1:]))})" if option[1:] else str(option[0])


def _option_list(options: set[Option]) -> str:
    return ", ".join(sorted(map(_option_text, options))) or "nothing"

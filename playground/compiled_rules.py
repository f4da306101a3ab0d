"""The rules of a game as stored in an export: the game's facts, and the program of each variant as data.

The text is read and the compiler imported only for a variant without a stored program.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from itertools import product
from math import prod
from pathlib import Path
from typing import Any

from attrs import define, field

from rulewright.dsl.diagnostics.diagnostics import Diagnostic
from rulewright.dsl.diagnostics.source import Source
from rulewright.dsl.facts_data import GameFacts, data_of_facts, facts_of_data
from rulewright.dsl.ir import Program
from rulewright.dsl.loading.confinement import Reach
from rulewright.dsl.program_data import data_of, program_of
from rulewright.dsl.text.reading import decode
from rulewright.interpreter.engines.modules import Find
from rulewright.interpreter.matches.game import Game, Rules
from rulewright.interpreter.text.errors import RequestError

PROGRAMS = "programs/"
"""The folder of programs in a page."""
MOST_PROGRAMS = 16
"""The maximum number of stored programs. If a game has more combinations of players and options, only those
with the usual options are compiled.
"""


def compiled_game(game: Game, texts: Mapping[str, str]) -> dict[str, bytes]:
    """Return the files of a compiled game, by name: its facts, and each program.

    `texts` are the files of the game by their names in the page.
    """
    folder = Path(str(game.facts.path)).resolve().parent
    named = {str(folder / name): name for name in texts}
    found: dict[str, bytes] = {}
    for program in _programs(game):
        sources: dict[Source, int] = {}
        data = data_of(program, sources)
        names = [named[str(Path(source.name).resolve())] for source in sources]
        key = _key(program.players, dict(program.options))
        found[f"{key}.json"] = _json({"texts": names, "program": data})
    facts = data_of_facts(game.facts)
    facts["path"] = Path(facts["path"]).name
    facts["rulebook"] = None if facts["rulebook"] is None else Path(facts["rulebook"]).name
    about = {"facts": facts, "hash": game.hash, "never": _never(game)}
    return {**found, "about.json": _json(about)}


def is_whole(game: Game) -> bool:
    """Return whether a compiled game has the programs of all variants."""
    return _combinations(game.facts) <= MOST_PROGRAMS


def _combinations(facts: GameFacts) -> int:
    """Return the number of combinations of players and options, including those that are never played."""
    return (facts.high - facts.low + 1) * prod(len(values) for _, values in facts.options)


def _programs(game: Game) -> Iterator[Program]:
    if is_whole(game):
        for players, options in game.rules.variants():
            yield game.program(game.variant(players, options))
        return
    for players in range(game.facts.low, game.facts.high + 1):
        try:
            yield game.program(game.variant(players))
        except RequestError:  # never played with this many players
            continue


def _never(game: Game) -> dict[str, str]:
    """For each combination, return why it is not played, or an empty text.

    A large game has these reasons only for the usual options.
    """
    whole = is_whole(game)
    options = [values if whole else values[:1] for _, values in game.facts.options]
    names = [name for name, _ in game.facts.options]
    found = {}
    for players in range(game.facts.low, game.facts.high + 1):
        for values in product(*options):
            chosen = dict(zip(names, values, strict=True))
            found[_key(players, chosen)] = game.rules.never(players, chosen) or ""
    return found


def _key(players: int, options: Mapping[str, str]) -> str:
    return "-".join((str(players), *options.values()))


def _json(data: object) -> bytes:
    return json.dumps(data, ensure_ascii=False, separators=(",", ":")).encode()


@define(eq=False)
class CompiledRules:
    """The rules in a folder with the texts; `find` returns the files that `compiled_game` has made."""

    folder: Path
    find: Find
    read: Callable[[], Rules]
    """A function that reads and compiles the text."""
    facts: GameFacts = field(init=False)
    reach: Reach = field(factory=Reach)
    problems: tuple[Diagnostic, ...] = ()
    _about: dict[str, Any] = field(init=False)
    _programs: dict[str, Program] = field(init=False, factory=dict)
    _loaded: Rules | None = field(default=None, init=False)

    def __attrs_post_init__(self) -> None:
        self._about = json.loads(self.find("about.json") or b"")
        report = self._about["facts"]
        rulebook = report["rulebook"]
        here = {
            "path": str(self.folder / report["path"]),
            "rulebook": None if rulebook is None else str(self.folder / rulebook),
        }
        self.facts = facts_of_data({**report, **here})

    @property
    def hash(self) -> str:
        """A digest of the rules: equal words and tables give equal digests."""
        return str(self._about["hash"])

    def program(self, players: int, options: Mapping[str, str]) -> Program | None:
        """Return the program for a number of players and a choice of options."""
        key = self._variant_key(players, options)
        found = self._programs.get(key)
        if found is not None:
            return found
        data = self.find(f"{key}.json")
        if data is None:
            return self._whole().program(players, options)
        note = json.loads(data)
        sources = [decode(name, (self.folder / name).read_bytes()).source for name in note["texts"]]
        self._programs[key] = program_of(note["program"], sources)
        return self._programs[key]

    def never(self, players: int, options: Mapping[str, str]) -> str | None:
        """If a line of the rules says that a combination is never played, return the reason; otherwise
        return None.
        """
        known = self._about["never"].get(self._variant_key(players, options))
        return self._whole().never(players, options) if known is None else known or None

    def program_with_openly(self, players: int, options: Mapping[str, str]) -> Program:
        """Return the program of a variant, as `Rules` does."""
        return self._whole().program_with_openly(players, options)

    def problems_of(self, players: int, options: Mapping[str, str]) -> tuple[Diagnostic, ...]:
        """Return the problems of a variant, as `Rules` does."""
        return self._whole().problems_of(players, options)

    def number_of_variants(self) -> int:
        """Return the number of combinations, as `Rules` does."""
        return self._whole().number_of_variants()

    def checked_variants(self) -> list[tuple[int, dict[str, str]]]:
        """Return the combinations that `check` checks, as `Rules` does."""
        return self._whole().checked_variants()

    def variants(
        self, players: int | None = None, given: Mapping[str, str] | None = None
    ) -> list[tuple[int, dict[str, str]]]:
        """Return the combinations of players and options, as `Rules` does."""
        never = self._about["never"]
        if len(never) < _combinations(self.facts):
            return self._whole().variants(players, given)
        names = [name for name, _ in self.facts.options]
        numbers = range(self.facts.low, self.facts.high + 1) if players is None else (players,)
        every = [
            (number, dict(zip(names, values, strict=True)))
            for values in product(*(values for _, values in self.facts.options))
            for number in numbers
        ]
        wanted = (given or {}).items()
        return [one for one in every if wanted <= one[1].items() and never.get(_key(*one)) == ""]

    def _variant_key(self, players: int, options: Mapping[str, str]) -> str:
        usual = {name: values[0] for name, values in self.facts.options}
        return _key(players, {**usual, **options})

    def _whole(self) -> Rules:
        if self._loaded is None:
            self._loaded = self.read()
        return self._loaded

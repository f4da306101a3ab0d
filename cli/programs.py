"""Keep compiled programs between runs, so that a large game is read and compiled only the first time it is
played.

A cache entry for a game holds its facts and the hashes of its parts; a note about a variant has the
variant's program as data. No code in a note is run, and the program is checked against the core IR. If
anything is missing or has changed, the game is read again. This module is independent of the encoding of
programs as data.
"""

from __future__ import annotations

import gc
import hashlib
import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from attrs import define, field

from rulewright.cli.notes import (
    FAILURES,
    about,
    cache_folder,
    language,
    name_of,
    noted_parts,
    read_note,
    texts_of,
    write_note,
)
from rulewright.dsl.diagnostics.source import Source
from rulewright.dsl.facts_data import data_of_facts, facts_of_data
from rulewright.dsl.program_data import NoProgram, data_of, program_of
from rulewright.dsl.text.reading import decode, display_path

if TYPE_CHECKING:
    from rulewright.dsl.diagnostics.diagnostics import Diagnostic
    from rulewright.dsl.ir import Program
    from rulewright.dsl.loading.confinement import Reach
    from rulewright.dsl.loading.loading import Loaded

FOLDER = "programs"
MOST_NOTES = 100
LARGEST = 30_000_000  # the maximum size of a note, in bytes

Chosen = tuple[tuple[str, str], ...]


@define(eq=False)
class KeptRules:
    """The rules of a game, which are read from their files only if something is needed that is not stored."""

    file: Path
    reach: Reach
    _note: dict[str, Any] | None = None
    _texts: dict[str, bytes] = field(factory=dict)
    """The current bytes of the parts of the game that were read."""
    _loaded: Loaded | None = None
    _programs: dict[tuple[int, Chosen], Program] = field(factory=dict)
    _new: dict[tuple[int, Chosen], Program] = field(factory=dict)
    """Programs that are compiled but not yet stored."""
    _answers: dict[str, Any] = field(factory=dict)
    """Answers about variants that are not yet stored."""

    @classmethod
    def of(cls, file: Path, reach: Reach) -> KeptRules:
        """Return the rules of a game; use the stored notes if there are any and no file has changed."""
        rules = cls(file, reach)
        rules._look()
        return rules

    # ---- as `Rules` ----

    @property
    def facts(self) -> Any:
        """The facts about the game."""
        return self.read.facts if self._note is None else facts_of_data(self._note["facts"])

    @property
    def problems(self) -> tuple[Diagnostic, ...]:
        """The problems found in the text of the game; empty if the rules come from the cache."""
        return self.read.problems if self._note is None else ()

    @property
    def hash(self) -> str:
        """A hash that is equal for equal words and tables."""
        return self.read.hash if self._note is None else str(self._note["hash"])

    def program(self, players: int, options: Mapping[str, str]) -> Program | None:
        """Return the program for a number of players and a choice of options."""
        key = self._key(players, options)
        found = self._stored_program(*key)
        if found is None:
            found = self.read.program(players, options)
            if found is not None and not self.read.problems_of(players, options):
                self._programs[key] = self._new[key] = found
        return found

    def program_with_openly(self, players: int, options: Mapping[str, str]) -> Program:
        """Return the program in which each `openly` is a plain procedure with that name."""
        return self.read.program_with_openly(players, options)

    def problems_of(self, players: int, options: Mapping[str, str]) -> tuple[Diagnostic, ...]:
        """Return the problems found with this number of players and these options."""
        if self._stored_program(*self._key(players, options)) is not None:
            return ()
        return self.read.problems_of(players, options)

    def never(self, players: int, options: Mapping[str, str]) -> str | None:
        """If a line of the rules says that a combination is never played, return the reason; otherwise
        return None.
        """
        found: str | None = self._cached_answer(
            ["never", *self._key(players, options)], lambda: self.read.never(players, options)
        )
        return found

    def number_of_variants(self) -> int:
        """Return the number of combinations of players and options."""
        return self.read.number_of_variants()

    def checked_variants(self) -> list[tuple[int, dict[str, str]]]:
        """Return the combinations that `check` checks."""
        return self.read.checked_variants()

    def variants(
        self, players: int | None = None, given: Mapping[str, str] | None = None
    ) -> list[tuple[int, dict[str, str]]]:
        """Return all combinations of players and options, or a set in which every pair of choices occurs."""
        found: list[tuple[int, dict[str, str]]] = self._cached_answer(
            ["settings", players, sorted((given or {}).items())],
            lambda: self.read.variants(players, given),
        )
        return [(number, dict(chosen)) for number, chosen in found]

    # ---- what is kept ----

    @property
    def read(self) -> Loaded:
        """The rules, read from their files."""
        if self._loaded is None:
            # lazy import: a match from the cache does not need it
            from rulewright.dsl.loading.loading import load
            from rulewright.dsl.model.facts import TypesOnly

            self._loaded = load(self.file, reach=self.reach, known=TypesOnly())
        return self._loaded

    def _look(self) -> None:
        """Load the note about the game, unless a file has changed."""
        try:
            note = read_note(cache_folder(FOLDER), about(self.file, self.reach), LARGEST)
            parts = note["parts"]
            if note["language"] != language() or name_of(self.file) not in parts:
                return
            self._texts = texts_of(parts)
            facts_of_data(note["facts"])
            if _are_sound(note["answers"]):
                self._note = note
        except (*FAILURES, LookupError, TypeError, AttributeError):
            return

    def _cached_answer(self, question: list[object], answer: Callable[[], Any]) -> Any:
        """Return the answer to a question about variants: from the note, or computed now."""
        key = json.dumps(question)
        known = {} if self._note is None else self._note["answers"]
        if key in known:
            return known[key]
        if key not in self._answers:
            self._answers[key] = answer()
        return self._answers[key]

    def _key(self, players: int, options: Mapping[str, str]) -> tuple[int, Chosen]:
        given = self.facts.options if self.facts is not None else ()
        return players, tuple((name, options.get(name, values[0])) for name, values in given)

    def _stored_program(self, players: int, chosen: Chosen) -> Program | None:
        found = self._programs.get((players, chosen))
        if found is not None or self._note is None:
            return found
        usual = gc.isenabled()
        gc.disable()
        try:
            what = _variant(self.file, self.reach, players, chosen)
            note = read_note(cache_folder(FOLDER), what, LARGEST)
            if note["of"] != _source_hash(self._note):
                return None
            texts = [Path(part) for part in note["texts"]]
            sources = [decode(display_path(path), self._texts[str(path)]).source for path in texts]
            found = program_of(note["program"], sources)
        except (*FAILURES, LookupError, TypeError, AttributeError, NoProgram):
            return None
        finally:
            if usual:
                gc.enable()
        if found.players != players or found.options != chosen:
            return None
        self._programs[players, chosen] = found
        return found

    def keep(self) -> None:
        """Store the programs that were compiled, and the new answers."""
        loaded = self._loaded
        if loaded is None or loaded.problems or not (self._new or self._answers):
            return
        try:
            self._keep(loaded)
        except (*FAILURES, LookupError):
            return

    def _keep(self, loaded: Loaded) -> None:
        facts = loaded.facts
        if facts is None:
            return
        game = {
            "language": language(),
            "parts": noted_parts(loaded.parts),
            "hash": loaded.hash,
            "answers": {**({} if self._note is None else self._note["answers"]), **self._answers},
            "facts": data_of_facts(facts),
        }
        folder = cache_folder(FOLDER)
        named = {display_path(part): name_of(part) for part in loaded.parts}
        for (players, chosen), program in self._new.items():
            sources: dict[Source, int] = {}
            data = data_of(program, sources)
            texts = [named[source.name] for source in sources]
            note = {"of": _source_hash(game), "texts": texts, "program": data}
            write_note(folder, _variant(self.file, self.reach, players, chosen), note, MOST_NOTES)
        write_note(folder, about(self.file, self.reach), game, MOST_NOTES)
        self._new.clear()
        self._answers.clear()


def files_of(rules: object) -> dict[Path, bytes]:
    """Return the files of the rules, with their contents; links are not followed."""
    if isinstance(rules, KeptRules) and rules._note is not None:
        return {Path(part): data for part, data in rules._texts.items()}
    loaded = loaded_rules(rules)
    parts = {} if loaded is None else loaded.parts
    return {Path(name_of(part)): part.read_bytes() for part, known in parts.items() if known}


def loaded_rules(rules: object) -> Loaded | None:
    """Return the rules of a game as they were loaded from files, or None if they do not come from files."""
    # lazy import: a match from the cache does not need it
    from rulewright.dsl.loading.loading import Loaded

    found = rules.read if isinstance(rules, KeptRules) else rules
    return found if isinstance(found, Loaded) else None


def _are_sound(answers: Mapping[str, Any]) -> bool:
    """Return whether the stored answers are well formed: each is a line, None, or a list of variants."""
    for question, answer in answers.items():
        if json.loads(question)[0] == "never":
            if not isinstance(answer, str | None):
                return False
            continue
        for players, chosen in answer:
            words = [*chosen.keys(), *chosen.values()]
            if not isinstance(players, int) or not all(isinstance(word, str) for word in words):
                return False
    return True


def _variant(file: Path, reach: Reach, players: int, chosen: Chosen) -> list[str]:
    return [*about(file, reach), str(players), *(f"{name}={value}" for name, value in chosen)]


def _source_hash(game: Mapping[str, Any]) -> str:
    """Return a hash of the files from which a program was compiled, and of the version of the language."""
    parts = json.dumps([game["language"], game["parts"]], sort_keys=True)
    return hashlib.sha256(parts.encode()).hexdigest()

"""Converts the facts that a game states about itself to plain data, and back."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from attrs import frozen

from rulewright.dsl.about import NOTHING_SAID, AboutGame


@frozen
class GameFacts:
    """The facts that a game states about itself, as they are before the game is compiled."""

    title: str
    author: str
    low: int
    high: int
    options: tuple[tuple[str, tuple[str, ...]], ...]
    rulebook: Path | None
    path: Path | None
    random_play: tuple[tuple[str, str], ...] = ()
    """The options that random play sets, mapped to their values."""
    about: AboutGame = NOTHING_SAID
    option_clauses: tuple[tuple[str, ...], ...] = ()
    """The clauses that each option cites, in the order of the options."""
    files: tuple[Path, ...] = ()
    """The files with the rules of the game, if it was loaded from files."""


def data_of_facts(facts: GameFacts) -> dict[str, Any]:
    """Return the facts as plain data for JSON."""
    return {
        "title": facts.title,
        "author": facts.author,
        "players": [facts.low, facts.high],
        "options": [[name, [*values]] for name, values in facts.options],
        "option_clauses": [[*clauses] for clauses in facts.option_clauses],
        "rulebook": None if facts.rulebook is None else str(facts.rulebook),
        "path": str(facts.path),
        "random_play": [[*each] for each in facts.random_play],
        "about": facts.about.as_data(),
    }


def facts_of_data(facts: Mapping[str, Any]) -> GameFacts:
    """Restore the facts from the data that `data_of_facts` returns.

    For any other data, raise `LookupError`, `TypeError` or `ValueError`.
    """
    low, high = facts["players"]
    rulebook = facts["rulebook"]
    return GameFacts(
        str(facts["title"]),
        str(facts["author"]),
        int(low),
        int(high),
        tuple((str(name), tuple(map(str, values))) for name, values in facts["options"]),
        None if rulebook is None else Path(rulebook),
        Path(facts["path"]),
        tuple((str(name), str(value)) for name, value in facts["random_play"]),
        AboutGame.of_data(facts["about"]),
        tuple(tuple(map(str, clauses)) for clauses in facts["option_clauses"]),
    )

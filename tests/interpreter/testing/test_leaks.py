"""A leak of each kind is found at the rule that shows it; public facts are no leaks."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulewright import load_game
from rulewright.dsl.loading.loading import load
from rulewright.interpreter.knowledge.known import hidden_cells
from rulewright.interpreter.matches.game import Game, game_of
from rulewright.interpreter.matches.records import parse_records
from rulewright.interpreter.testing.leak_search import Findings, Pair, load_pair, pair_text, search
from tests.games.variants import game_named
from tests.interpreter.leaking import (
    AFTER_TOGETHER,
    BESIDE,
    HARMLESS,
    HEAD,
    LEAKING,
    OUT_OF_STEP,
    REFUSED,
    SECRET_VALUE,
    let_secrets_pass,
)


def game(folder: Path, text: str) -> Game:
    path = folder / "tell.game"
    path.write_text(text, encoding="utf-8")
    rules = load(path)
    assert rules.check() == ()
    return game_of("tell.game", rules)


@pytest.fixture
def unchecked(monkeypatch: pytest.MonkeyPatch) -> None:
    let_secrets_pass(monkeypatch)


def leaks(game: Game, players: int | None = None, games: int = 6, pairs: int = 8) -> Findings:
    return search(game, game.variant(players), range(games), pairs)


def only_leak(game: Game) -> Pair:
    findings = leaks(game)
    (each,) = findings.found.values()
    return each[0]


@pytest.mark.usefixtures("unchecked")
@pytest.mark.parametrize("kind", LEAKING)
def test_each_kind_of_leak_is_found_at_its_rule(tmp_path: Path, kind: str) -> None:
    line, text = LEAKING[kind]
    pair = only_leak(game(tmp_path, text))
    assert pair.leak.kind == kind
    assert pair.leak.span is not None
    assert line in pair.leak.span.text
    assert pair.leak.first != pair.leak.second
    assert any(name.startswith("hand of") for name, _, _ in pair.hidden)


@pytest.mark.parametrize("kind", REFUSED)
def test_leaks_where_a_secret_is_read_do_not_pass_the_checker(tmp_path: Path, kind: str) -> None:
    path = tmp_path / "tell.game"
    path.write_text(HEAD + REFUSED[kind], encoding="utf-8")
    assert [problem.code for problem in load(path).check()] == ["secret-leak"]


@pytest.mark.parametrize("kind", LEAKING)
def test_leaks_by_way_of_a_name_do_not_pass_the_checker(tmp_path: Path, kind: str) -> None:
    path = tmp_path / "tell.game"
    path.write_text(LEAKING[kind][1], encoding="utf-8")
    assert [problem.code for problem in load(path).check()] == ["secret-leak"]


@pytest.mark.usefixtures("unchecked")
def test_a_value_chosen_in_secret_is_hidden_too(tmp_path: Path) -> None:
    pair = only_leak(game(tmp_path, SECRET_VALUE))
    assert pair.leak.kind == "option"
    assert {pair.leak.first, pair.leak.second} == {"double", "nothing more"}


@pytest.mark.usefixtures("unchecked")
def test_a_leak_beside_something_open_is_found(tmp_path: Path) -> None:
    pair = only_leak(game(tmp_path, BESIDE))
    assert pair.leak.span is not None
    assert "smiles" in pair.leak.span.text


@pytest.mark.usefixtures("unchecked")
def test_how_many_follow_from_what_was_chosen_together_is_found(tmp_path: Path) -> None:
    pair = only_leak(game(tmp_path, AFTER_TOGETHER))
    assert (pair.leak.kind, pair.leak.place) == ("size", "hand")


@pytest.mark.usefixtures("unchecked")
def test_a_leak_is_found_after_a_block_with_other_numbers_of_choices(tmp_path: Path) -> None:
    rules = game(tmp_path, OUT_OF_STEP)
    pair = only_leak(rules)
    assert pair.leak.kind == "log"
    assert len(pair.first.states) != len(pair.second.states)
    again = load_pair(parse_records(pair_text(pair), "kept"), rules)
    assert again is not None
    assert (again.leak.key, again.leak.state) == (pair.leak.key, pair.leak.state)


@pytest.mark.parametrize("name", HARMLESS)
def test_visible_differences_are_no_leak(tmp_path: Path, name: str) -> None:
    findings = leaks(game(tmp_path, HARMLESS[name]), games=5, pairs=20)
    assert findings.found == {}
    assert findings.pairs > 25


@pytest.mark.usefixtures("unchecked")
def test_a_pair_that_is_kept_shows_its_leak_again(tmp_path: Path) -> None:
    rules = game(tmp_path, LEAKING["timing"][1])
    pair = only_leak(rules)
    again = load_pair(parse_records(pair_text(pair), "kept"), rules)
    assert again is not None
    assert again.leak == pair.leak
    assert again.hidden == pair.hidden


def test_copies_that_are_not_seen_are_one_option(tmp_path: Path) -> None:
    """The number of offered copies must not reveal their places."""
    text = HEAD.replace("    rank: 1..4\n", "    rank: 1..4\n    copies = 3\n") + (
        """rule turn
    let cards = list(c in Card where c.rank < 5)
    surely choose guess in cards
    log "{me} guesses {guess}"
"""
    )
    assert leaks(game(tmp_path, text)).found == {}
    state = game(tmp_path, text).start(seed=1)
    # The player sees that the two in the own hand is a different card from the hidden ones.
    assert sorted(state.decision.names) == ["four", "one", "three", "two", "two#2"]


SHIPPED = {
    "kuhn_poker": (2, 20),
    "leduc_poker": (2, 20),
    "love_letter": (3, 4),
    "night_market": (2, 2),
}


@pytest.mark.parametrize("name", SHIPPED)
def test_shipped_games_tell_no_secrets(name: str) -> None:
    players, games = SHIPPED[name]
    findings = leaks(game_named(name), players, games)
    assert findings.found == {}
    assert findings.states > games


@pytest.mark.deep
@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("name", [*SHIPPED, "ginkgopolis"])
def test_shipped_games_tell_no_secrets_in_many_plays(name: str, players: int) -> None:
    rules = game_named(name)
    if rules.facts.low <= players <= rules.facts.high:
        games = 10 if name == "ginkgopolis" else 60
        assert leaks(rules, players, games, pairs=20).found == {}


def test_sizes_after_a_joint_choice_may_be_said_at_once(tmp_path: Path) -> None:
    """The log gives the number of pieces there, and the same step moves them on: all have seen the number."""
    text = """game "Joint"
    players 2
piece Card
    rank: 1..6
    row one, 1
    row two, 2
    row three, 3
    row four, 4
zone deck: pile of Card, seen by nobody except size
player
    zone hand: set of Card, seen by owner except size
    zone laid: set of Card, seen by owner except size
setup
    move all from Card to deck
    shuffle deck
    each player
        surely move 1 from deck to me.hand
play
    together each player
        choose card or none in me.hand
        if card is not nothing
            move card to me.laid
    each player
        log "{me} has laid {me.laid.size}"
        move all from me.laid to me.hand
    each player
        choose one of
            option "win"
                win me
            option "wait"
"""
    path = tmp_path / "joint.game"
    path.write_text(text, encoding="utf-8")
    findings = leaks(game_of("joint.game", load(path)))
    assert findings.found == {}
    assert findings.pairs


def test_no_cell_of_an_open_value_counts_as_hidden() -> None:
    """If pieces have no slots, the cells before the first piece belong to open values."""
    game = load_game("equilibris")
    state = game.start(seed=1)
    compiled = state.compiled
    links = compiled.program.links
    assert links.slot_of < 0
    hidden = hidden_cells(compiled, state.cells, 0)
    assert min(hidden) >= links.zone_of
    assert "deck" in hidden.values()

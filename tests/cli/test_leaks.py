"""`rulewright leaks`: the report of a leak, and the saved pair of matches."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from rulewright.cli.exits import Exit
from tests.cli.conftest import Command
from tests.interpreter.leaking import LEAKING, let_secrets_pass

SEARCH = ("leaks", "tell.game", "--games", "4", "--pairs", "8")


@pytest.fixture
def leaky(command: Command, monkeypatch: pytest.MonkeyPatch) -> Command:
    let_secrets_pass(monkeypatch)
    Path("tell.game").write_text(LEAKING["log"][1], encoding="utf-8")
    return command


def test_a_leak_is_reported_with_its_rule_and_kept(leaky: Command) -> None:
    ran = leaky(*SEARCH)
    assert ran.code == Exit.PROBLEMS
    assert "leak: player 2 can tell something hidden from the log\n" in ran.out
    assert '  tell.game:31: "{me.left} smiles" [TE-001]\n' in ran.out
    assert "    hand of player 1: " in ran.out
    assert "both matches are in tell-1.leak" in ran.out
    assert ran.out.splitlines()[-1].startswith("Tell: 4 games, 3")
    again = leaky(*SEARCH)
    assert again.out == ran.out
    assert sorted(path.name for path in Path().glob("*.leak")) == ["tell-1.leak"]


def test_a_pair_that_was_kept_is_shown_and_replayed(leaky: Command) -> None:
    printed = leaky(*SEARCH).out.partition("\n  both matches")[0]
    ran = leaky("leaks", "--load", "tell-1.leak")
    assert ran.code == Exit.PROBLEMS
    assert ran.out.startswith(printed)
    assert "the view of player 2 in both matches:\n\ndeck: 2\n" in ran.out
    for number in ("1", "2"):
        assert leaky("replay", "tell-1.leak", "--number", number).code == Exit.FINE
    data = json.loads(leaky("leaks", "--load", "tell-1.leak", "--format", "json").out)
    assert data["leak"]["place"] == {"file": "tell.game", "line": 31, "text": '"{me.left} smiles"'}


def test_both_views_are_shown_where_they_differ(leaky: Command) -> None:
    Path("tell.game").write_text(LEAKING["size"][1], encoding="utf-8")
    out = leaky(*SEARCH).out
    assert " sees\n    in one match:  deck: " in out
    shown = leaky("leaks", "--load", "tell-1.leak").out
    one, other = shown.partition("in one match:\n\n")[2].split("in the other:\n\n")
    decks = [next(line for line in each.splitlines() if "deck" in line) for each in (one, other)]
    assert decks[0] != decks[1]


SOLITAIRE = """game "Lone"
    players 2
piece Card
    row one
zone deck: pile of Card, seen by nobody except size
setup
    move all from Card to deck
    shuffle deck
play
    each player
        choose one of
            option "win"
                win me
"""


def test_nothing_tried_is_no_success(command: Command) -> None:
    Path("lone.game").write_text(SOLITAIRE, encoding="utf-8")
    ran = command("leaks", "lone.game", "--games", "2")
    assert ran.code == Exit.PROBLEMS
    assert ran.out == (
        "Lone: 2 games, and no second match was tried: nothing hidden could have been different\n"
    )


def test_leaks_as_data(leaky: Command) -> None:
    data = json.loads(leaky(*SEARCH, "--format", "json").out)
    (leak,) = data["leaks"]
    assert leak["kind"] == "log"
    assert leak["clauses"] == ["TE-001"]
    assert leak["file"] == "tell-1.leak"
    assert {entry["name"] for entry in leak["hidden"]} >= {"hand of player 1"}


def test_a_pair_of_corrected_rules_is_refused(leaky: Command) -> None:
    leaky(*SEARCH)
    Path("tell.game").write_text(LEAKING["log"][1].replace("held > 2", "held > 9"), "utf-8")
    ran = leaky("leaks", "--load", "tell-1.leak")
    assert ran.code == Exit.PROBLEMS
    assert ran.err == "the record is of different rules: those of Tell have changed since\n"


def test_plays_that_are_the_same_show_nothing(leaky: Command) -> None:
    leaky(*SEARCH)
    path = Path("tell-1.leak")
    line = path.read_text(encoding="utf-8").splitlines()[0]
    path.write_text(f"{line}\n{line}\n", encoding="utf-8")
    ran = leaky("leaks", "--load", "tell-1.leak")
    assert ran.code == Exit.FINE
    assert "look the same" in ran.out


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", "it has no record"),
        ("nonsense", "this is not a record"),
        (b"\xff\xfe\x00", "is not UTF-8 text"),
    ],
)
def test_a_file_that_is_no_pair_is_refused(
    command: Command, content: str | bytes, message: str
) -> None:
    data = content if isinstance(content, bytes) else content.encode()
    Path("bad.leak").write_bytes(data)
    ran = command("leaks", "--load", "bad.leak")
    assert ran.code == Exit.PROBLEMS
    assert message in ran.err


def test_one_play_alone_is_no_pair(leaky: Command) -> None:
    leaky(*SEARCH)
    path = Path("tell-1.leak")
    path.write_text(path.read_text(encoding="utf-8").splitlines()[0], encoding="utf-8")
    assert "this file must have two matches" in leaky("leaks", "--load", "tell-1.leak").err


def test_a_game_or_a_pair_must_be_said(command: Command) -> None:
    ran = command("leaks")
    assert ran.code == Exit.USAGE
    assert "name a GAME, or a FILE to `--load`" in ran.err


def test_a_game_without_secrets_has_none(command: Command) -> None:
    ran = command("leaks", "pig", "--games", "2")
    assert ran.code == Exit.FINE
    assert ran.out == "Pig has no secrets\n"


BEGUN = """game "tell.game"
scenario "two cards each"
    player ann, bob
    given
        for each p in players
            move all from p.hand to deck
        move one from deck to ann.hand
        move two from deck to bob.hand
"""


def test_leaks_varies_hidden_cards_of_a_given_position(leaky: Command) -> None:
    Path("tell.scenario").write_text(BEGUN, encoding="utf-8")
    ran = leaky("leaks", "tell.scenario:two cards each", "--games", "4", "--pairs", "8")
    assert ran.code == Exit.PROBLEMS
    assert "    hand of " in ran.out
    kept = Path("tell-1.leak")
    printed = ran.out.partition("\n  both matches")[0].partition("\n\n")[0]
    assert leaky("leaks", "--load", str(kept)).out.startswith(printed.split("\n    hand")[0])
    for number in ("1", "2"):
        assert leaky("replay", str(kept), "--number", number).code == Exit.FINE
    first, second = kept.read_text(encoding="utf-8").splitlines()
    assert "~lying" not in first
    assert "~lying" in second


@pytest.mark.parametrize("said", ["0 9", "0 1", "0 1 1 x", "0", "0 0 0 0"])
def test_pieces_that_cannot_lie_so_are_refused(leaky: Command, said: str) -> None:
    Path("tell.scenario").write_text(BEGUN, encoding="utf-8")
    leaky("leaks", "tell.scenario:two cards each", "--games", "4", "--pairs", "8")
    first, second = Path("tell-1.leak").read_text(encoding="utf-8").splitlines()
    data = json.loads(second)
    data["steps"][0] = f"~lying {said}"
    Path("tell-1.leak").write_text(f"{first}\n{json.dumps(data)}\n", encoding="utf-8")
    ran = leaky("replay", "tell-1.leak", "--number", "2")
    assert ran.code != Exit.FINE
    assert "cannot lie in each other's places" in f"{ran.out}{ran.err}"


def test_rules_that_are_refused_are_played_unproved(command: Command) -> None:
    Path("tell.game").write_text(LEAKING["log"][1], encoding="utf-8")
    assert "secret-leak" in command(*SEARCH).err
    ran = command(*SEARCH, "--unproved")
    assert ran.code == Exit.PROBLEMS
    assert "leak: player 2 can tell something hidden from the log\n" in ran.out
    assert command("leaks", "--load", "tell-1.leak", "--unproved").code == Exit.PROBLEMS

"""`check` with files on the command line: checked, listed, and refused if they have problems."""

import json
import os
from pathlib import Path

import pytest

from rulewright import load_game
from rulewright.cli.exits import Exit
from rulewright.interpreter.matches.library import find_game, groups, shipped_games
from rulewright.interpreter.text.errors import BrokenGameError, NoSuchGameError
from tests.cli.conftest import Command
from tests.games.variants import LONG, SHIPPED

BROKEN = """\
game "Broken"
    players 2

play
    each player
        do nothing_known
"""
TELLS = """\
game "Tells"
    players 2
piece Card
    copies = 4
    row one
    row two
zone bank: set of Card
player
    zone hand: set of Card, seen by owner except size
setup
    move all from Card to bank
play
    each player
        choose one of
            option "sell" where me.hand is not empty
                move ranking(c in me.hand by (if c.known_to(me.left) then 1 else 0) then order).first_few(1) to bank
            option "wait"
score of p
    item "cards" = p.hand.size
winner p by p.total then shared
"""
SMALL = """\
game "Small"
    players 1..2
    by "nobody"

option goal = short, long

player
    state points: 0..9

play
    repeat (if goal is short then 3 else 4) times
        each player
            choose one of
                option "take a point"
                    add 1 to me.points
                option "wait"
                    skip

score of p
    item "points" = p.points

winner p by p.total then shared
"""


def write(name: str, text: str) -> str:
    Path(name).write_text(text, encoding="utf-8")
    return name


@pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=[pytest.mark.slow] if name in LONG else []) for name in SHIPPED],
)
def test_shipped_games_have_no_problems(command: Command, name: str) -> None:
    """Nothing is played of the longest games: `test_flagships` plays them at random."""
    words = ["--plays", "0"] if name in LONG else []
    ran = command("check", name, *words)
    assert (ran.code, ran.out, ran.err) == (Exit.FINE, "", "")


@pytest.mark.deep
@pytest.mark.parametrize("name", sorted(LONG))
def test_random_matches_of_a_check_find_no_faults(command: Command, name: str) -> None:
    ran = command("check", name)
    assert (ran.code, ran.out, ran.err) == (Exit.FINE, "", "")


def test_problems_are_shown_and_counted(command: Command) -> None:
    ran = command("check", write("broken.game", BROKEN))
    assert ran.code == Exit.PROBLEMS
    assert "broken.game:6" in ran.out
    assert "nothing_known" in ran.out
    assert " in 1 file; `rulewright explain " in ran.out.splitlines()[-1]
    assert ran.err == ""


def test_problems_that_are_equivalent_are_folded(command: Command) -> None:
    lines = [
        *(f"add 1 to i{number}" for number in range(1, 16)),
        *["add 1 to me.coins"] * 2,
        *["add 1 to other"] * 5,
    ]
    body = "".join(f"                    {line}\n" for line in lines)
    folded = SMALL.replace("                    add 1 to me.points\n", body)
    ran = command("check", write("alike.game", folded))
    assert ran.out.count("error[unknown-name]") == 3
    rest = ran.out[ran.out.index("... and") :].splitlines()
    assert rest[:13] == [
        "... and 17 more lines like this in alike.game:",
        *(f"    {14 + number}: there is no `i{number}`" for number in range(4, 14)),
        "    and 7 others",
        "",
    ]
    assert ran.out.count("error[unknown-attribute]") == 2
    last = "22 problems in 1 file; `--all` shows each in full, `rulewright explain unknown-name` tells more"
    assert rest[-1] == last
    whole = command("check", "alike.game", "--all").out
    assert whole.count("error[unknown-name]") == 20
    assert "--all" not in whole


PART_BROKEN = SMALL.replace(
    'item "points" = p.points',
    'item "points" = p.points + (if goal is long then p.pints else 0)',
)


def test_one_variant_is_checked_alone_if_asked(command: Command) -> None:
    path = write("small.game", PART_BROKEN)
    assert command("check", path).code == Exit.PROBLEMS
    assert command("check", path, "--set", "goal=short").out == ""
    ran = command("check", path, "--players", "1,2", "--set", "goal=long")
    assert ran.code == Exit.PROBLEMS
    assert "there is no `p.pints`" in ran.out
    assert command("check", path, "--players", "3").code == Exit.USAGE
    assert command("check", path, "--set", "goal=tall").code == Exit.USAGE


def test_problems_are_data(command: Command) -> None:
    ran = command("check", write("broken.game", BROKEN), "--format", "json")
    assert ran.code == Exit.PROBLEMS
    found = json.loads(ran.out)["problems"]
    assert {"code", "severity", "file", "line", "column", "message", "notes", "help"} <= set(
        found[0]
    )
    assert all(problem["file"] == "broken.game" for problem in found)


def test_data_says_how_many_problems_are_left_out(command: Command) -> None:
    write("card.csv", "name,worth\n" + "".join(f"row{number},x\n" for number in range(1_100)))
    cards = 'piece Card from "card.csv"\n    worth: 0..9\n\nplayer\n'
    path = write("many.game", SMALL.replace("player\n", cards, 1))
    found = json.loads(command("check", path, "--format", "json").out)["problems"]
    assert len(found) == 1_000
    assert "this file has 101 more problems from here on" in found[-1]["message"]
    assert (
        len(json.loads(command("check", path, "--all", "--format", "json").out)["problems"])
        == 1_100
    )


def test_no_problems_are_no_data(command: Command) -> None:
    ran = command("check", "connect_four", "--format", "json")
    assert (ran.code, json.loads(ran.out)) == (Exit.FINE, {"problems": []})


@pytest.mark.parametrize("words", [("play",), ("perft", "--depth", "2"), ("simulate",), ("show",)])
def test_rules_with_problems_are_not_played(command: Command, words: tuple[str, ...]) -> None:
    ran = command(words[0], write("broken.game", BROKEN), *words[1:])
    assert ran.code == Exit.PROBLEMS
    assert "nothing_known" in ran.err
    assert ran.err.splitlines()[-1].startswith("`broken.game` has ")
    assert ran.out == ""


@pytest.mark.parametrize(
    "data",
    [b"", b"\x00\x01\x02", b"\xff\xfe\x00", b"game", b"\x1b[31m", b"(" * 20_000, b"a" * 100_000],
    ids=range(7),
)
def test_any_bytes_give_problems(command: Command, data: bytes) -> None:
    Path("any.game").write_bytes(data)
    ran = command("check", "any.game")
    assert ran.code == Exit.PROBLEMS
    assert "any.game" in ran.out
    assert "\x1b" not in ran.out
    assert ran.err == ""
    assert command("play", "any.game").code == Exit.PROBLEMS


def test_a_game_from_a_file_is_played(command: Command) -> None:
    write("small.game", SMALL)
    seats = ("--seat", "1=greedy", "--seat", "2=greedy")
    ran = command("play", "small.game", *seats, "--set", "goal=long", "--seed", "1")
    assert ran.code == Exit.FINE
    assert "share the victory" in ran.out
    assert command("check", "small.game").out == ""
    assert "shown for 2 players, goal = short" in command("show", "small.game").out
    assert "`check` checks" not in command("show", "small.game").out
    more = "".join(f"option o{n} = no, yes\n" for n in range(5))
    uses = "".join(f'    if o{n}\n        log "{n}"\n' for n in range(5))
    write(
        "many.game",
        SMALL.replace("\nplayer\n", f"{more}player\n").replace("play\n", f"play\n{uses}"),
    )
    assert command("check", "many.game").code == Exit.FINE
    said = "128 variants; `check` checks 8 of them, which include every pair of choices"
    assert said in command("show", "many.game").out


def test_a_record_finds_its_game_beside_it(
    command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    write("small.game", SMALL)
    command("simulate", "small.game", "--games", "2", "--log", "small.log")
    Path("elsewhere").mkdir()
    monkeypatch.chdir("elsewhere")
    assert command("replay", "../small.log", "--verify").out == "2 valid, 0 invalid\n"
    write("../small.game", SMALL.replace("0..9", "0..8"))
    ran = command("replay", "../small.log")
    assert ran.code == Exit.PROBLEMS
    assert "the record is of different rules: those of Small have changed since" in ran.err


def test_all_shipped_games_are_listed(command: Command) -> None:
    lines = command("list").out.splitlines()
    assert [line.split()[0] for line in lines] == list(shipped_games())
    assert any(line.startswith("love_letter") and " 2-4 " in line for line in lines)
    games = json.loads(command("list", "--format", "json").out)
    assert [game["name"] for game in games] == list(shipped_games())
    assert {game["name"]: game["group"] for game in games} == groups()
    assert {*groups().values()} == {"abstract", "cards", "dice", "eurogames", "cooperative"}
    facts = {"designer", "publisher", "minutes", "mechanisms", "weight", "group"}
    assert set(games[0]) == {"name", "title", "author", "players", "options", "file"} | facts
    found = {game["name"]: game for game in games}
    assert found["ginkgopolis"]["designer"] == "Xavier Georges"
    assert found["ginkgopolis"]["minutes"] == [45, 45]
    assert found["foxglove"]["minutes"] is None


# ---- finding games ----


def test_a_folder_is_looked_at_as_a_whole(
    command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    Path("mine/.old").mkdir(parents=True)
    write("mine/mine.game", f'include "parts.game"\n{SMALL}')
    write("mine/parts.game", 'note "a part"\n')
    write("mine/mine.scenario", 'scenario "no players"\n    expekt game_over\n')
    write("mine/.old/broken.game", BROKEN)
    ran = command("check", "mine")
    assert ran.code == Exit.PROBLEMS
    assert "mine/mine.scenario:2" in ran.out
    assert "in 1 file;" in ran.out
    monkeypatch.chdir("mine")
    inside = command("check", ".")
    assert inside.out == ran.out.replace("mine/mine", "mine")
    write("mine.scenario", 'scenario "begins"\n    player ann\n    expect ann.points is 0\n')
    assert command("check", ".").code == command("test", ".").code == Exit.FINE


def test_check_reports_a_problem_once_for_a_game_and_its_scenarios(command: Command) -> None:
    Path("mine").mkdir()
    write("mine/mine.game", BROKEN)
    write("mine/mine.scenario", 'scenario "begins"\n    player ann, bob\n    expect game_over\n')
    alone, together = command("check", "mine/mine.game"), command("check", "mine")
    assert together.code == Exit.PROBLEMS
    assert together.out == alone.out


def test_a_game_of_ones_own_goes_before_a_shipped_one(command: Command) -> None:
    assert command("new", "pig").code == Exit.FINE
    assert find_game("pig") == Path("pig/pig.game")


def test_scenarios_of_no_such_name(command: Command) -> None:
    write("small.game", SMALL)
    write("small.scenario", 'scenario "begins"\n    player ann\n    expect ann.points is 0\n')
    assert command("test", "--only", "begin").out == "1 passed, 0 failed\n"
    ran = command("test", "--only", "ends")
    assert ran.code == Exit.USAGE
    assert "no scenario has `ends` in its name" in ran.err


def test_games_are_found_by_name_and_path(tmp_path: Path) -> None:
    assert find_game("pig").name == "pig.game"
    path = tmp_path / "mine" / "mine.game"
    path.parent.mkdir()
    path.write_text(SMALL)
    assert find_game(path) == path
    assert find_game(path.parent) == path


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("stall", "there is no file `stall`; write `stall.game`"),
        ("stal.game", "there is no file `stal.game`; did you mean `stall.game`?"),
        ("fees.csv", "`fees.csv` is a table and no game: write the file of its game"),
    ],
)
def test_files_beside_the_game_are_reported(
    name: str, message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("stall.game").write_text(SMALL)
    Path("fees.csv").write_text("name,price\n")
    with pytest.raises(NoSuchGameError) as refused:
        find_game(name)
    assert str(refused.value).startswith(message)


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("pog", "there is no file or shipped game `pog`; did you mean `pig`?"),
        ("pog.game", "there is no file `pog.game`; did you mean `pig`?"),
        ("x" * 5000, "there is no file or shipped game"),
        ("a\0b", "there is no file or shipped game"),
    ],
    ids=range(4),
)
def test_unknown_games_get_near_names(name: str, message: str) -> None:
    with pytest.raises(NoSuchGameError) as refused:
        find_game(name)
    assert str(refused.value).startswith(message)


def test_a_folder_without_its_game(tmp_path: Path) -> None:
    with pytest.raises(NoSuchGameError, match=r"is a folder without `.*\.game` in it"):
        find_game(tmp_path)


@pytest.fixture
def copied(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A game in two files and its scenarios, in a folder with another name."""
    folder = tmp_path / "mine"
    folder.mkdir()
    (folder / "stall.game").write_text(f'{SMALL}include "fees.game"\n')
    (folder / "fees.game").write_text("# nothing yet\n")
    (folder / "sums.scenario").write_text(
        'scenario "the start"\n    player ann\n    expect ann.points is 0\n'
    )
    monkeypatch.chdir(tmp_path)
    return folder


def test_a_folder_with_one_game_may_be_called_otherwise(command: Command, copied: Path) -> None:
    assert find_game("mine") == Path("mine/stall.game")
    assert command("test", "mine").out == "1 passed, 0 failed\n"
    assert command("test", "mine/stall.game").out == "1 passed, 0 failed\n"
    assert command("check", "mine").code == Exit.FINE
    (copied / "tent.game").write_text(SMALL)
    with pytest.raises(NoSuchGameError, match=r"is a folder without `mine\.game` in it"):
        find_game("mine")
    shown = command("check", "mine").out
    assert "there is no game `sums.game` beside this file" in shown
    assert "no `game` line" not in shown


def test_a_file_without_its_game_line_is_reported_beside_one_that_has_it(
    command: Command, copied: Path
) -> None:
    (copied / "tent.game").write_text("value rent = 2\n")
    assert "this file has no `game` line" in command("check", "mine").out


def test_loading_a_game_with_problems(tmp_path: Path) -> None:
    path = tmp_path / "broken.game"
    path.write_text(BROKEN)
    with pytest.raises(BrokenGameError, match="problem") as refused:
        load_game(path).start()
    assert refused.value.problems


def test_the_rules_can_be_read(tmp_path: Path) -> None:
    path = tmp_path / "small.game"
    path.write_text(SMALL)
    game = load_game(path)
    assert game.rules_text() == SMALL
    path.unlink()
    assert game.rules_text() == "the text of the rules of Small is not there any more"


def test_the_example_of_the_front_page() -> None:
    game = load_game("love_letter")
    state = game.start(players=3, seed=7)
    while not state.over:
        decision = state.decision
        state = state.choose(decision.options[0])
    assert len(str(state.scores).splitlines()) == 2


def test_a_folder_with_very_many_files_is_refused(
    command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("rulewright.cli.commands.check.MOST_INSIDE", 3)
    for name in "abc":
        (tmp_path / f"{name}.txt").touch()
    (tmp_path / ".hidden").mkdir()
    done = command("check", ".")
    assert done.code == Exit.USAGE
    assert "holds more than 3 files: name the folder of your games" in done.err


@pytest.mark.parametrize("name", ["pipe.game", "circle.game"])
def test_check_refuses_pipes_and_broken_links_at_once(
    command: Command, tmp_path: Path, name: str
) -> None:
    os.mkfifo(tmp_path / "pipe.game")
    (tmp_path / "circle.game").symlink_to("circle.game")
    done = command("check", name)
    assert (done.code, done.out) == (Exit.USAGE, "")
    assert done.err == f"`{name}` is a pipe, a device or a broken link, not a file\n"


def test_files_outside_the_folder_are_allowed(command: Command, tmp_path: Path) -> None:
    (tmp_path / "parts.game").write_text("value most = 3\n")
    (tmp_path / "game").mkdir()
    path = tmp_path / "game" / "a.game"
    path.write_text(f'include "../parts.game"\n{SMALL}'.replace("0..9", "0..most"))
    assert "outside-folder" in command("check", "game/a.game").out
    assert "outside-folder" not in command("check", "game/a.game", "--allow-outside").out
    assert "outside-folder" in command("check", "game/a.game").out


def test_secrets_are_checked_as_in_python(command: Command, tmp_path: Path) -> None:
    # The command drops the names for editors. It once also dropped the types, so this passed.
    path = tmp_path / "tells.game"
    path.write_text(TELLS, encoding="utf-8")
    ran = command("check", str(path))
    assert ran.code is Exit.PROBLEMS
    assert "error[secret-leak]: everybody sees which pieces these are" in ran.out + ran.err

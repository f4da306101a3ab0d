"""Commands with data as output: it has the form that their help describes."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from rulewright.cli.exits import Exit
from rulewright.cli.jobs import soonest
from rulewright.interpreter.matches.records import load_records
from tests.cli.conftest import Command
from tests.interpreter.testing.test_coverage import LOCK


def data(command: Command, *words: str, code: int = Exit.FINE) -> Any:
    ran = command(*words, "--format", "json")
    assert ran.code == code
    return json.loads(ran.out)


def test_perft_becomes_json(command: Command) -> None:
    assert data(command, "perft", "four", "--depth", "3", "--divide") == {
        "game": "Four in a Row",
        "players": 2,
        "options": {},
        "counts": [7, 49, 343],
        "divide": {f"drop({column})": 49 for column in range(1, 8)},
    }


def test_simulate_becomes_json(command: Command) -> None:
    found = data(command, "simulate", "cards", "--games", "20", "--seed", "7", "--bot", "2=greedy")
    assert list(found) == [
        "game",
        "players",
        "options",
        "seed",
        "games",
        "unfinished",
        "draws",
        "ties",
        "together",
        "seats",
        "seats_differ",
        "scores",
        "margins",
        "length",
        "options_per_decision",
        "only_one_option",
        "ends",
        "engine",
        "seconds",
        "games_per_second",
        "decisions_per_second",
    ]
    assert (found["games"], found["seed"]) == (20, 7)
    assert [seat["bot"] for seat in found["seats"]] == ["random", "greedy"]
    assert list(found["seats"][0]) == ["name", "bot", "wins", "share", "interval", "shared"]
    assert [score["item"] for score in found["scores"]] == ["cards won", "wager", "total"]
    assert list(found["length"]) == [
        "mean",
        "interval",
        "deviation",
        "low",
        "high",
        "quantiles",
    ]


TOGETHER = """\
game "Flood"
    players 2
state saved: 0..1
play
    roll die in 1..4
    set saved to if die is 1 then 1 else 0
    end game
score of p
    item "saved" = saved
whenever saved is 1
    win list(p in players)
winner p by saved
"""


def test_simulate_where_all_win_together_or_nobody_does(command: Command, tmp_path: Path) -> None:
    path = tmp_path / "flood.game"
    path.write_text(TOGETHER, encoding="utf-8")
    ran = command("simulate", str(path), "--games", "200", "--seed", "1")
    lines = ran.out.splitlines()
    found = data(command, "simulate", str(path), "--games", "200", "--seed", "1")
    wins, interval = found["together"]["wins"], found["together"]["interval"]
    assert 30 < wins < 70
    assert wins + found["draws"] == 200
    assert found["together"]["share"] == wins / 200
    assert interval[0] < wins / 200 < interval[1]
    share, low, high = (f"{100 * part:.1f} %" for part in (wins / 200, *interval))
    assert lines[2] == f"all won together: {wins} ({share}, 95 % interval {low} .. {high})"
    assert lines[3] == f"nobody won: {200 - wins} ({100 - 100 * wins / 200:.1f} %)"
    assert "ties for most points" not in ran.out


def test_simulate_with_several_numbers_of_players(command: Command) -> None:
    words = ("simulate", "love_letter", "--games", "2", "--bot", "1=random", "--bot", "greedy")
    runs = data(command, *words, "--players", "2,3")["runs"]
    assert [run["players"] for run in runs] == [2, 3]
    bots = [[seat["bot"] for seat in run["seats"]] for run in runs]
    assert bots == [["random", "greedy"], ["random", "greedy", "greedy"]]
    text = command("simulate", "love_letter", "--games", "2", "--players", "3..4").out
    assert "Love Letter, 3 players: 2 games" in text
    assert "Love Letter, 4 players: 2 games" in text


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--players", "2,x"), "'2,x' is not of the form 3, 2,3,4 or 2..4"),
        (("--players", "0"), "'0' is not of the form"),
        (("--bot", "greedy", "--bot", "random"), "the bot of all seats is set twice"),
        (("--bot", "tall"), "'tall' is none of random, greedy"),
    ],
)
def test_simulate_refuses_what_it_cannot_read(
    command: Command, words: tuple[str, ...], said: str
) -> None:
    ran = command("simulate", "pig", "--games", "1", *words)
    assert ran.code == Exit.USAGE
    assert said in ran.err


def test_engines_come_to_the_same(command: Command) -> None:
    """Also in separate processes, and step by step."""
    words = ("simulate", "pig", "--games", "8", "--seed", "7")
    ways: tuple[tuple[str, ...], ...] = ((), ("--jobs", "2"), ("--bot", "2=greedy"))
    for way in ways:
        plain, native = (
            data(command, *words, *way, "--engine", engine) for engine in ("python", "native")
        )
        for rate in ("engine", "seconds", "games_per_second", "decisions_per_second"):
            del plain[rate], native[rate]
        assert native == plain
    counts = [data(command, "perft", "four", "--depth", "3", *way)["counts"] for way in ENGINES]
    assert counts == [[7, 49, 343]] * 2


ENGINES = ((), ("--engine", "native"))


def test_the_native_engine_is_an_extra(command: Command) -> None:
    """In a new process, where no earlier test has loaded llvmlite or a program made with it."""
    ran = without_llvmlite("simulate", "connect_four", "--games", "1", "--engine", "native")
    assert ran.returncode == Exit.USAGE
    assert (
        ran.stderr
        == "the native engine needs llvmlite: `pip install '.[native]'` in the folder of Rulewright\n"
    )
    found = json.loads(
        without_llvmlite("bench", "connect_four", "--seconds", "0.05", "--format", "json").stdout
    )
    assert set(found["engines"]) == {"python", "reference"}


def without_llvmlite(*words: str) -> subprocess.CompletedProcess[str]:
    """A command that runs without llvmlite."""
    run = (
        "import sys; sys.modules.update({'llvmlite': None, 'llvmlite.binding': None}); "
        "from rulewright.cli.entry import main; main()"
    )
    return subprocess.run(
        [sys.executable, "-c", run, *words], capture_output=True, text=True, check=False
    )


def test_simulations_write_records_that_hold(command: Command) -> None:
    # the engine is named, because on a busy machine another one may be the fastest
    words = ("simulate", "cards", "--games", "5", "--seed", "3", "--engine", "python")
    logged = data(command, *words, "--log", "x.log")
    plain = data(command, *words)
    for rate in ("seconds", "games_per_second", "decisions_per_second"):
        del logged[rate], plain[rate]
    assert logged == plain
    assert [record.seed for record in load_records(Path("x.log"))] == [3, 4, 5, 6, 7]
    assert command("replay", "x.log", "--verify").out == "5 valid, 0 invalid\n"
    assert data(command, "replay", "x.log", "--verify") == {
        "records": 5,
        "sound": 5,
        "problems": [],
    }


def test_verify_tells_every_record_that_does_not_hold(command: Command) -> None:
    command("simulate", "cards", "--games", "3", "--log", "x.log")
    lines = Path("x.log").read_text().splitlines()
    lines[1] = lines[1].replace('"seed":1,', '"seed":9,')
    Path("x.log").write_text("\n".join(lines))
    ran = command("replay", "x.log", "--verify")
    assert ran.code == Exit.PROBLEMS
    assert ran.out == (
        "x.log: record 2: the record was edited: its checksum does not match\n2 valid, 1 invalid\n"
    )
    found = data(command, "replay", "x.log", "--verify", code=Exit.PROBLEMS)
    assert [problem["record"] for problem in found["problems"]] == [2]


def test_replay_becomes_json(command: Command) -> None:
    command("play", "cards", "--seed", "5", "--save", "a.play", "--seat", "1=random")
    found = data(command, "replay", "a.play")
    assert list(found) == [
        "game",
        "players",
        "options",
        "seed",
        "steps",
        "over",
        "winners",
        "tie",
        "scores",
        "position",
    ]
    assert len(found["steps"]) == 6
    assert list(found["steps"][0]) == ["player", "option", "text", "chance", "log"]
    assert found["over"]
    early = data(command, "replay", "a.play", "--to", "2")
    assert early["steps"] == found["steps"][:2]
    assert not early["over"]
    hand = next(zone for zone in early["position"]["zones"] if zone["name"] == "hand")
    assert hand == {
        "name": "hand",
        "owner": "player",
        "of": "player 1",
        "index": [],
        "shape": "set",
        "count": 2,
        "pieces": [
            {"name": "two", "owner": None, "slot": None},
            {"name": "three", "owner": None, "slot": None},
        ],
    }


def test_replay_is_printed_as_text(command: Command) -> None:
    command("play", "cards", "--seed", "5", "--save", "a.play", "--seat", "1=random")
    ran = command("replay", "a.play")
    assert ran.code == Exit.FINE
    assert ran.out.startswith("Six Cards, 2 players, seed 5\n     at the bottom of the deck")
    assert "  1  player 1: choose a wager: " in ran.out
    assert "The game is over" in ran.out
    assert "The game is over" not in command("replay", "a.play", "--to", "1").out


def test_replay_points_at_the_first_difference(command: Command) -> None:
    command("play", "four", "--seed", "1", "--save", "a.play", typed="4\n")
    text = Path("a.play").read_text()
    Path("a.play").write_text(text.replace('"drop(4)"', '"drop(8)"', 1))
    ran = command("replay", "a.play")
    assert ran.code == Exit.PROBLEMS
    assert ran.err.startswith("a.play: step 1: there is no option `drop(8)` here")
    assert ran.out == ""


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "a.play: the file is empty: it has no record"),
        (
            '{"format": "rulewright record 1", "game": "four"',
            "a.play:1:49: the record is cut short",
        ),
        ("hello\n", "a.play:1:1: this is not a record"),
    ],
)
def test_replay_refuses_what_is_no_record(command: Command, text: str, message: str) -> None:
    Path("a.play").write_text(text)
    ran = command("replay", "a.play")
    assert (ran.code, ran.out) == (Exit.PROBLEMS, "")
    assert ran.err == f"{message}\n"


def test_replay_has_no_such_record(command: Command) -> None:
    command("simulate", "four", "--games", "2", "--log", "x.log")
    ran = command("replay", "x.log", "--number", "3")
    assert ran.code == Exit.USAGE
    assert "the file has 2 records" in ran.err


def test_replay_finds_the_rules_at_the_given_path(command: Command) -> None:
    command("simulate", "four", "--games", "1", "--log", "x.log")
    text = Path("x.log").read_text()
    Path("x.log").write_text(text.replace('"game":"four"', '"game":"gone"'))
    assert command("replay", "x.log").code == Exit.USAGE
    ran = command("replay", "x.log", "--game", "four")
    assert "the record was edited" in ran.err


def test_show_becomes_json(command: Command) -> None:
    found = data(command, "show", "cards")
    assert list(found) == [
        "title",
        "author",
        "players",
        "options",
        "setting",
        "seats",
        "pieces",
        "spaces",
        "sources",
        "tokens",
        "zones",
        "values",
        "rules",
        "actions",
        "offered",
        "score",
        "decisions",
    ]
    assert found["pieces"][0]["count"] == 6
    assert found["decisions"][1] == {
        "number": 1,
        "rule": "play",
        "chooses": "card",
        "class": "plain",
        "place": None,
    }
    assert data(command, "show", "four")["tokens"] == [{"name": "disc", "count": 42}]


SOURCED = """game "Sourced"
    players 2
piece Card from "cards.csv"
    rank: 1..9
kind Town from "towns.csv"
kind Season = summer, winter
table Prize from "prizes.csv"
    points: 0..9
zone deck: pile of Card
setup
    move all from Card to deck
play
    each player
        choose one of
            option "stay"
score of p
    item "prize" = Prize(1).points + sum(c in deck: c.rank)
winner p by p.total then shared
"""


def test_show_tells_where_rows_are_from(command: Command) -> None:
    Path("sourced.game").write_text(SOURCED, encoding="utf-8")
    Path("cards.csv").write_text(
        "id,rank,provenance\none,1,seed\ntwo,2,reconstructed\nthree,3,\n", encoding="utf-8"
    )
    Path("prizes.csv").write_text(
        "place,points,provenance\n1,9,published\n2,4,published\n", "utf-8"
    )
    Path("towns.csv").write_text(
        "town,provenance\nporto,seed\nlagos,reconstructed\n", encoding="utf-8"
    )
    shown = command("show", "sourced.game").out
    assert "  Card   3  1 seed, 1 reconstructed (two), 1 not said (three)\n" in shown
    assert "  Town   2  1 seed, 1 reconstructed (lagos)\n" in shown
    assert "Season" not in shown
    assert "  Prize  2  all published\n" in shown
    assert command("show", "sourced.game", "--sources").out.splitlines() == [
        "table       row    from",
        "cards.csv   one    seed",
        "cards.csv   two    reconstructed",
        "cards.csv   three  not said",
        "towns.csv   porto  seed",
        "towns.csv   lagos  reconstructed",
        "prizes.csv  1      published",
        "prizes.csv  2      published",
    ]
    cards, towns, prizes = data(command, "show", "sourced.game")["sources"]
    assert cards["rows"][2] == {"row": "three", "from": None}
    assert (towns["name"], towns["file"]) == ("Town", "towns.csv")
    assert (prizes["name"], prizes["file"]) == ("Prize", "prizes.csv")
    assert command("show", "pig", "--sources").out == "no table gives the sources of its rows\n"


def test_show_lists_the_numbers_that_players_observe(command: Command) -> None:
    lines = command("show", "pig", "--observation").out.splitlines()
    assert lines[:5] == [
        "an observation has 17 numbers",
        "hidden is -2147483648, nothing is -2147483647 or -1",
        "",
        "   0  player: who looks",
        "      category of 2",
    ]
    assert lines[-10:] == [
        "   3  decides: who decides; hidden from others in a secret decision",
        "      3: me, next 1, nothing",
        "   6  site: which decision is open, counted from 0",
        "      2: 0, nothing",
        "   8  in play: for each seat, the player's own first, whether it is in the game",
        "      2 x 1: 1 if so",
        "  10  turn_total: value of the table",
        "      1 x 3: 1 if more than 0, logarithm, nothing",
        "  13  points: value of player",
        "      2 x 3: 1 if more than 0, logarithm, nothing",
    ]
    found = data(command, "show", "pig", "--observation")
    raw, encoded = found["raw"]["parts"], found["encoded"]["parts"]
    total = raw[-2]
    assert (total["name"], total["start"], total["length"]) == ("turn_total", 14, 1)
    assert (total["numbers"][0]["kind"], total["numbers"][0]["high"]) == ("count", 999)
    assert (encoded[-1]["start"], encoded[-1]["shape"]) == (13, [2, 3])
    assert found["encoded"]["size"] == 19


def test_bench_becomes_json(command: Command) -> None:
    found = data(command, "bench", "cards", "--seconds", "0.05")
    heads = ["game", "players", "options", "engines", "ratio", "ratios", "outcomes", "agree"]
    assert list(found) == heads
    assert found["agree"]
    assert found["outcomes"]["mean_length"] == 6.0
    assert set(found["engines"]) == set(found["ratios"]) == {"python", "reference", "native"}
    ran = command("bench", "four", "--seconds", "0.05")
    assert "the same in all engines" in ran.out


@pytest.mark.slow
def test_jobs_change_nothing(command: Command) -> None:
    words = ("simulate", "pig", "--games", "40", "--bot", "2=greedy", "--log")
    alone = data(command, *words, "1.log")
    shared = data(command, *words, "2.log", "--jobs", "2")
    for timed in ("engine", "seconds", "games_per_second", "decisions_per_second"):
        del alone[timed], shared[timed]
    assert alone == shared
    assert Path("1.log").read_text() == Path("2.log").read_text()


def test_coverage_becomes_json(command: Command) -> None:
    words = ("simulate", "night_market", "--coverage", "--games", "6", "--seed", "3")
    found = data(command, *words)
    points = found.pop("points")
    assert found == {
        "game": "Night Market",
        "seed": 3,
        "games": 6,
        "unfinished": 0,
        "settings": [{"players": players, "options": {}, "games": 2} for players in (2, 3, 4)],
        "never": sum(not point["times"] for point in points),
    }
    assert {frozenset(point) for point in points} == {
        frozenset(("what", "name", "file", "line", "clauses", "times", "games"))
    }
    assert all(point["games"] <= min(6, point["times"]) for point in points)
    play = next(point for point in points if point["what"] == "play")
    assert (play["times"], play["games"]) == (6, 6)
    assert data(command, *words, "--jobs", "2")["points"] == points
    assert data(command, *words, "--engine", "reference")["points"] == points


def test_witness_becomes_json(command: Command) -> None:
    found = data(command, "witness", "night_market", "option wait", "--seed", "4")
    assert Path(found["rule"][0].pop("file")).name == "night_market.game"
    line = found["rule"][0].pop("line")
    decision, player = found.pop("decision"), found.pop("player")
    assert line > 1 and decision >= 1 and player.startswith("player ")
    assert found == {
        "game": "Night Market",
        "rule": [{"what": "option", "name": "wait"}],
        "found": True,
        "games": found["games"],
        "record": "option-wait.play",
        "players": found["players"],
        "options": {},
        "seed": found["seed"],
        "option": "wait",
        "refused": None,
    }
    (record,) = load_records(Path("option-wait.play"))
    assert [step for step in record.steps if not step.startswith("~")][decision - 1] == "wait"


def test_a_rule_that_is_not_reached_has_no_witness(command: Command) -> None:
    Path("lock.game").write_text(LOCK, encoding="utf-8")
    words = ("witness", "lock.game", "action never_offered", "--games", "3")
    found = data(command, *words, code=Exit.PROBLEMS)
    assert found["found"] is False and found["record"] is None and found["decision"] is None
    ran = command(*words)
    assert ran.code == Exit.PROBLEMS
    assert ran.out == "`action never_offered` was not reached in 3 games\n"
    assert list(Path().iterdir()) == [Path("lock.game")]


def test_witness_writes_over_nothing_but_records(command: Command) -> None:
    Path("notes.txt").write_text("keep this", encoding="utf-8")
    ran = command("witness", "pig", "play", "--save", "notes.txt")
    assert ran.code == Exit.PROBLEMS and "is not a record" in ran.err
    assert Path("notes.txt").read_text(encoding="utf-8") == "keep this"


def test_a_game_in_which_nothing_is_decided(command: Command, tmp_path: Path) -> None:
    (tmp_path / "over.game").write_text(
        'game "Over"\n    players 2\n\nplay\n    log "that was all"\n\nscore of p\n    item "points" = 1\n\n'
        "winner p by p.total then shared\n"
    )
    assert command("perft", "over.game", "--depth", "2").out == ""
    assert command("perft", "over.game", "--depth", "1", "--divide").out == "all  0\n"
    for words in ("bench --seconds 0.02", "simulate --games 2", "leaks --games 1"):
        name, *rest = words.split()
        assert command(name, "over.game", *rest).code == 0


def test_the_engine_is_taken_that_is_done_soonest(
    command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    # the first game takes as long as on a quiet machine
    monkeypatch.setattr(soonest, "_seconds", lambda *_: 0.002)
    few = data(command, "simulate", "pig", "--games", "30")
    many = data(command, "simulate", "pig", "--games", "3000", "--jobs", "2")
    slow = data(command, "simulate", "pig", "--games", "3000", "--engine", "python")
    assert [each["engine"] for each in (few, many, slow)] == ["python", "native", "python"]
    assert (many["seats"], many["scores"], many["ends"]) == (
        slow["seats"],
        slow["scores"],
        slow["ends"],
    )
    assert command("simulate", "pig", "--games", "30").out.endswith("(python engine)\n")

"""Matches at a terminal: the display, hidden information, saving and leaving."""

import re
import sys
from pathlib import Path

import click
import pytest

from rulewright.cli.exits import Exit
from rulewright.interpreter.matches.records import load_records
from rulewright.interpreter.questions import hint
from tests.cli.conftest import Command


def test_a_play_is_kept_and_taken_up(command: Command) -> None:
    ran = command("play", "cards", "--seed", "5", "--save", "a.play", typed="1\nquit\n")
    assert ran.code == Exit.FINE
    assert ran.out.endswith("saved to a.play; go on with `--load a.play`\n")
    (record,) = load_records(Path("a.play"))
    assert record.seats == ("human", "easy")
    assert record.steps[2] == "1"
    ran = command("play", "cards", "--load", "a.play", typed="1\n1\n")
    assert ran.code == Exit.FINE
    assert "The game is over" in ran.out
    (whole,) = load_records(Path("a.play"))
    assert whole.result is not None
    assert whole.steps[: len(record.steps)] == record.steps


@pytest.fixture(autouse=True)
def _own_state(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))


def test_a_play_that_is_left_is_kept(command: Command) -> None:
    ran = command("play", "four", "--seed", "1", typed="4\n")
    assert ran.code == Exit.FINE
    assert ran.out.endswith("kept; go on with `rulewright play four --resume`\n")
    assert "An unfinished match" not in ran.out
    assert "An unfinished match of this game is kept" in command("play", "four", typed="quit\n").out
    ran = command("play", "four", "--resume", typed="log\nquit\n")
    assert "seed 1\n" in ran.out
    assert "  you: drop a disc into column 4\n" in ran.out
    assert command("play", "four", "--resume", "--seed", "3").code == Exit.USAGE


def test_a_play_that_is_over_is_not_kept(command: Command) -> None:
    assert "The game is over" in command("play", "cards", "--seed", "5", typed="1\nthree\n1\n").out
    ran = command("play", "cards", "--resume")
    assert ran.code == Exit.USAGE
    assert "there is no unfinished match of Six Cards" in ran.err


def test_a_play_that_cannot_be_kept_says_so(
    command: Command, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "file"))
    ran = command("play", "four", "--seed", "1", typed="4\n")
    assert ran.code == Exit.FINE
    assert ran.out.endswith("the match is not saved; `save FILE` or `--save FILE` keeps it\n")
    ran = command("play", "four", "--seed", "1", typed="4\nquit\nmine.play\n")
    assert ran.out.endswith("  saved to mine.play\n")
    assert load_records(Path("mine.play"))[0].steps[0] == "drop(4)"


def test_persons_have_names(command: Command) -> None:
    typed = "3\nsave names.play\nquit\n"
    ran = command("play", "four", "--seat", "1=human:Ann", "--seat", "2=human:Bob", typed=typed)
    assert ran.out.splitlines()[1].startswith("Ann: human, Bob: human; seed")
    assert "\nBob: choose a column\n" in ran.out
    ran = command("play", "four", "--load", "names.play", typed="4\n")
    assert "\nAnn: choose a column\n" in ran.out
    ran = command("play", "four", "--load", "names.play", "--seat", "1=human:Eve", typed="4\n")
    assert "\nEve: choose a column\n" in ran.out
    assert command("play", "four", "--seat", "1=human:").code == Exit.USAGE
    assert command("play", "four", "--seat", "1=greedy:Ann").code == Exit.USAGE


def test_a_hint_that_is_interrupted_before_it_looks_goes_back_to_the_play(
    command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupt(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(hint, "think", interrupt)
    ran = command("play", "four", "--seed", "1", typed="hint\n4\n")
    assert "  stopped before the first trial\n" in ran.out
    assert "> 4\n" in ran.out.partition("stopped")[2]


def test_a_hint_tells_what_looks_best(command: Command) -> None:
    typed = "1\n1\n2\n1\nhint 200\nhint x\n"
    out = command("play", "four", "--seat", "2=human", typed=typed).out
    said = ("clearly best by", "best, but only by", "probably best by", "a toss-up between")
    assert any(f"  {words} " in out for words in said)
    said_of_x = (
        "`x` is not a thinking time: write `hint 400` for 400 trials, or `hint 5s` for 5 seconds"
    )
    assert said_of_x in " ".join(out.split())
    shares = [
        int(share)
        for line in out.splitlines()
        if "of a victory expected" in line
        for share in re.findall(r"(\d+) %", line)
    ]
    assert len(shares) >= 3
    assert all(0 <= share <= 100 for share in shares)


def test_the_thought_of_a_bot_can_be_asked_for(command: Command) -> None:
    typed = "hint bot\n1\nhint bot\n2\n"
    out = command("play", "four", "--seat", "2=mcts:60", "--seed", "1", typed=typed).out
    before, _, after = out.partition("\n> 1\n")
    assert "the last bot to decide did not look ahead, or had nothing to choose" in before
    assert "  what player 2 thought:\n" in after
    assert after.count("of a victory expected") == 3
    assert " from 180 trial games:" in after


def test_the_thought_of_a_bot_that_knows_a_secret_is_not_shown(command: Command) -> None:
    typed = "1\n1\n1\nhint bot\n"
    out = command("play", "love_letter", "--seat", "2=mcts:20", "--seed", "1", typed=typed).out
    assert "may know more than you, so its thoughts are not shown" in out
    assert "of a victory expected" not in out


def test_another_play_follows(command: Command) -> None:
    ran = command("play", "cards", "--seed", "5", typed="1\nthree\n1\nrematch\nquit\n")
    after = ran.out.partition("`look`, `log`, `undo`, `rematch` or `quit`.")[2]
    assert "another match, seed 6" in after
    assert "You: choose a wager" in after


def test_the_end_can_be_looked_at_and_taken_back(command: Command) -> None:
    typed = "1\nthree\nlook\nlog 2\nwhy\nlook score\nlook me\nmore\nundo\nyes\n"
    out = command("play", "cards", "--seed", "5", typed=typed).out
    after = out.partition("`look`, `log`, `undo`, `rematch` or `quit`.")[2]
    assert "won    " in after
    assert "nothing is called" not in after
    assert "nothing can be chosen any more" in after
    assert "the match is over; `help` lists what can be typed" in after
    assert after.count("player 2 takes both cards") == 1
    assert "taken back" in after
    assert "You: choose a card" in after


def test_a_full_column_is_not_the_one_beside_it(command: Command) -> None:
    typed = "4\n" * 7 + "7\n"
    ran = command("play", "four", "--seat", "2=human", typed=typed)
    assert "`drop a disc into column 4` cannot be chosen: column 4 is full" in ran.out
    assert "  4  drop a disc" not in ran.out.rpartition("choose a column")[2]
    assert "5  drop a disc into column 5" in ran.out.rpartition("choose a column")[2]


def test_leaving_at_once_asks_nothing(command: Command) -> None:
    assert "save" not in command("play", "four", typed="quit\n").out


def test_a_file_that_is_no_record_is_not_written_over(command: Command) -> None:
    Path("notes.txt").write_text("mine")
    ran = command("play", "four", "--save", "notes.txt")
    assert ran.code == Exit.PROBLEMS
    assert "exists already and is not a record" in ran.err
    ran = command("play", "four", typed="save notes.txt\n")
    assert "exists already and is not a record" in " ".join(ran.out.split())
    assert Path("notes.txt").read_text() == "mine"


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("save", "say where: `save FILE`"),
        ("save no/such/folder", "`no/such/folder` cannot be written: No such file or directory"),
        ("load", "say which: `load FILE`"),
        ("load missing", "`missing` cannot be read: No such file or directory"),
        ("load broken", "broken:1:1: this is not a record"),
        ("undo", "there is nothing to take back"),
        ("why", "every option here is available"),
        ("why 3", "`drop a disc into column 3` can be chosen"),
        (
            "why drop(9)",
            "there is no option `drop(9)` here; did you mean `drop(1)`, `drop(2)` or `drop(3)`?",
        ),
        ("nonsense", "there is no option `nonsense`"),
        ("help", "take back your last choice"),
        ("look supply", "player 2: supply: 21"),
        ("look player 1", "supply  21"),
        ("look there", "nothing is called `there`"),
    ],
)
def test_typed_lines_get_the_right_answer(
    command: Command, monkeypatch: pytest.MonkeyPatch, line: str, message: str
) -> None:
    monkeypatch.setenv("COLUMNS", "120")
    Path("broken").write_text("hello")
    ran = command("play", "four", typed=f"{line}\n")
    assert ran.code == Exit.FINE
    assert message in ran.out


def test_a_long_text_leaves_the_keyboard_to_the_game(
    command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LINES", "5")
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True, raising=False)
    out = command("play", "four", "--seed", "1", typed="help\n\nq\nhelp\n4\n").out
    assert out.count(" more lines: Enter shows them, q does not) > ") == 3
    assert "drop a disc into column 4" in out.rpartition("more lines")[2]


@pytest.mark.parametrize("across", [50, 80])
def test_lines_of_help_fold_between_words(
    command: Command, monkeypatch: pytest.MonkeyPatch, across: int
) -> None:
    Path("tally.game").write_text(TALLY, encoding="utf-8")
    monkeypatch.setenv("COLUMNS", "500")
    wide = _help_in(command("play", "tally.game", "--seed", "1", typed="help\n").out)
    monkeypatch.setenv("COLUMNS", str(across))
    narrow = _help_in(command("play", "tally.game", "--seed", "1", typed="help\n").out)
    assert max(map(len, wide)) > across
    assert max(map(len, narrow)) <= across
    assert " ".join(narrow).split() == " ".join(wide).split()
    assert any("`why income of me`" in line for line in narrow)


def _help_in(out: str) -> list[str]:
    return out.partition("> help\n")[2].partition("\n\nplayer")[0].splitlines()


def test_long_reasons_fold_between_words(command: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    reason = "nobody may rest " + "before the long day of work is over and all carts are home " * 2
    Path("rest.game").write_text(RESTING.replace("REASON", reason.strip()), encoding="utf-8")
    monkeypatch.setenv("COLUMNS", "60")
    ran = command("play", "rest.game", "--seed", "1", typed="why rest\nrest\nquit\n")
    lines = ran.out.splitlines()
    assert max(map(len, lines)) <= 60
    assert " ".join(ran.out.split()).count(reason.strip()) == 2


RESTING = """game "Rest"
    players 2
player
    state coins: 0..9 = 0
action rest
    say "rest"
    needs me.coins > 5 else "REASON"
play
    each player
        choose one of
            do rest
            option "work"
                add 1 to me.coins
            option "walk"
winner p by p.coins
"""


def test_a_refused_option_is_explained(command: Command) -> None:
    typed = "4\n4\n4\n4\nwhy\nwhy 4\ndrop 4\n"
    ran = command("play", "four", "--seat", "2=human", typed="4\n4\n" + typed)
    assert "  drop a disc into column 4: column 4 is full [CF-3]\n" in ran.out
    assert "`drop a disc into column 4` cannot be chosen: column 4 is full" in ran.out


TALLY = """game "Tally"
    players 2
piece Card
    row lantern
zone deck: pile of Card
player
    state coins: 0..9 = 3
    state wager: 0..9 = 7, seen by owner
setup
    move all from Card to deck
open value income of p: Player at least 0 = 2                       [TA-001]
value stake of p: Player = p.wager                                  [TA-005]
power lantern in deck
    modify p.income less 1                                          [TA-002]
action buy(price in 1..5)                                           [TA-003]
    needs me.coins >= price else "you have {me.coins} coins"        [TA-004]
    lose price from me.coins
play
    repeat 2 times
        each player
            set me.coins to min(9, me.coins + me.income)
            choose one of
                do buy
                option "wait"
score of p
    item "coins" = p.coins + p.stake
winner p by p.total then shared
"""


def test_why_tells_of_options_and_of_values(command: Command) -> None:
    Path("tally.game").write_text(TALLY, encoding="utf-8")
    typed = (
        "why buy(5)\nwhy income of me\nwhy player 2.income\nwhy stake of player 2\n"
        "why stake of me\nwhy income\nwhy outcome of me\n"
    )
    out = command("play", "tally.game", "--seed", "1", typed=typed).out
    answers = [line for line in out.splitlines() if line.startswith(("> why", "  "))]
    printed = answers[answers.index("> why buy(5)") :]
    assert printed == [
        "> why buy(5)",
        "  you have 4 coins [TA-004]",
        "> why income of me",
        "  income of player 1 is 1",
        "    2 by itself [TA-001]",
        "    1 less by lantern [TA-002]",
        "> why player 2.income",
        "  income of player 2 is 1",
        "    2 by itself [TA-001]",
        "    1 less by lantern [TA-002]",
        "> why stake of player 2",
        "  stake depends on wager, which player 1 may not see",
        "> why stake of me",
        "  stake of player 1 is 7 [TA-005]",
        "> why income",
        "  income of player 1 is 1",
        "    2 by itself [TA-001]",
        "    1 less by lantern [TA-002]",
        "> why outcome of me",
        "  there is no option `outcome of me` here",
    ]


LENDERS = """game "Lenders"
    players 2
kind Bank from "banks.csv"
    founded: 1..9
kind Custom from "customs.csv"
    bank: Bank
    lapses: Flag
player
    state loans: list of 1..9 up to 9
    state bank: Bank
action repay(loan in 1..9)                                      [TA-001]
    needs me.loans is not empty else "you owe nothing"
    needs loan <= me.loans.size else "you have {me.loans.size} loan(s)"
    set me.loans to empty
action borrow
    add 1 to me.loans
play
    repeat 3 times
        each player
            choose one of
                do repay
                do borrow
                option "wait"
score of p
    item "loans" = p.loans.size
winner p by p.total then shared
"""


BANKS = "id,name,founded\nnorth,North Bank,2\nsouth,South Bank,3\n"
CUSTOMS = "id,bank,text,lapses\nsilver,north,Pays in silver.,1\nslow,north,Closes early.,0\ndeep,south,,0\n"


@pytest.fixture
def lenders(command: Command) -> Command:
    for name, text in (("lenders.game", LENDERS), ("banks.csv", BANKS), ("customs.csv", CUSTOMS)):
        Path(name).write_text(text, encoding="utf-8")
    return command


def test_why_of_several_options_tells_each_reason_once(lenders: Command) -> None:
    typed = "why repay\nborrow\nwait\nwhy repay\n"
    out = lenders("play", "lenders.game", "--seat", "2=human", "--seed", "1", typed=typed).out
    answers = " ".join(out.split())
    assert "> why repay you owe nothing [TA-001] player 1:" in answers
    assert (
        "> why repay `repay: 1` can be chosen repay 2, repay 3, repay 4, repay 5, repay 6, "
        "repay 7 and 2 more: you have 1 loan [TA-001] player 1:"
    ) in answers


def test_look_shows_texts_about_a_thing_beside_it(lenders: Command) -> None:
    out = lenders("play", "lenders.game", "--seed", "1", typed="look north bank\nlook south\n").out
    printed = out.partition("> look north bank\n")[2].splitlines()
    assert printed[:3] == [
        "  North Bank (bank)",
        "  founded 2",
        "  custom: Pays in silver. (lapses); Closes early.",
    ]


def test_undo_takes_back_to_the_own_decision(command: Command) -> None:
    ran = command("play", "four", "--seed", "3", typed="4\nundo\n")
    assert "  taken back\n" in ran.out
    assert ran.out.count("You: choose a column") == 3


def test_another_play_can_be_taken_up_during_play(command: Command) -> None:
    command("play", "four", "--seed", "1", "--save", "a.play", typed="4\n")
    ran = command("play", "four", "--seed", "2", typed="load a.play\nsave b.play\n")
    assert "going on with a.play" in ran.out
    assert load_records(Path("b.play")) == load_records(Path("a.play"))


def test_a_record_of_another_game_is_refused(command: Command) -> None:
    command("play", "cards", "--save", "a.play", typed="1\n")
    ran = command("play", "four", "--load", "a.play")
    assert ran.code == Exit.PROBLEMS
    assert ran.err == "the record is of Six Cards, not of Four in a Row\n"


def test_an_edited_record_is_refused(command: Command) -> None:
    command("play", "four", "--save", "a.play", "--seed", "1", typed="4\n")
    text = Path("a.play").read_text()
    Path("a.play").write_text(text.replace('"drop(4)"', '"drop(3)"', 1))
    ran = command("play", "four", "--load", "a.play")
    assert ran.code == Exit.PROBLEMS
    assert "the record was edited" in ran.err


# ---- several persons ----


def screens(out: str) -> list[str]:
    """The text between two hand-overs of the keyboard."""
    return out.split("Pass the keyboard to ")


def test_persons_at_one_keyboard_do_not_see_each_other(command: Command) -> None:
    typed = "\n3\n\n2\n\n1\n\n1\n\n1\n"
    ran = command("play", "cards", "--seed", "5", "--seat", "2=human", typed=typed)
    shown = screens(ran.out)
    assert len(shown) > 4
    first = [screen for screen in shown if screen.startswith("player 1.")]
    second = [screen for screen in shown if screen.startswith("player 2.")]
    assert "two, three" in first[0]
    assert "lies the five" in first[0]
    assert not any("two, three" in screen for screen in second)
    assert not any("lies the five" in screen for screen in second)
    assert "player 1: chooses (choose a wager)" in second[0]
    assert "wager 3" not in second[0]
    assert not any("four, six" in screen for screen in first)


def test_nothing_is_handed_over_where_nothing_is_hidden(command: Command) -> None:
    ran = command("play", "four", "--seat", "2=human", typed="1\n2\n3\n")
    assert "Pass the keyboard to" not in ran.out


def test_bots_can_be_watched(command: Command) -> None:
    ran = command("play", "cards", "--seed", "4", "--seat", "1=random")
    assert ran.code == Exit.FINE
    assert "player 2 takes both cards" in ran.out
    assert "cards won" in ran.out


DEEDS = """game "Deeds"
    players 2
kind Deed from "deeds.csv"
piece Paper
    deed: Deed
    row parchment, sow
    row vellum, reap
zone desk: pile of Paper
player
    state done(deed: Deed): 0..9 = 2
setup
    move all from Paper to desk
play
    each player
        choose deed in Deed
        add 1 to me.done(deed)
score of p
    item "deeds" = sum(deed in Deed: p.done(deed))
winner p by p.total then shared
board "Done"
    show "{d}: {me.done(d)} times" for d in Deed
    show "who rests does not {d}" for d in Deed
"""


def test_a_card_is_reported_with_the_words_of_what_stands_on_it_and_a_thing_as_boards_show_it(
    command: Command,
) -> None:
    Path("deeds.game").write_text(DEEDS, encoding="utf-8")
    Path("deeds.csv").write_text("id,text\nsow,Put a seed.\nreap,Take all.\n", encoding="utf-8")
    out = command("play", "deeds.game", "--seed", "1", typed="look vellum\nlook sow\n").out
    vellum = out.partition("> look vellum\n")[2].splitlines()
    assert vellum[:4] == ["  vellum (paper)", "  deed reap", "  reap: Take all.", "  lies in: desk"]
    sow = out.partition("> look sow\n")[2].splitlines()
    assert sow[:3] == ["  sow (deed)", "  Put a seed.", "  sow: 2 times"]


STALL = """game "Stall"
    players 2
piece Ware
    price: 1..9
    row red_silk, 2
    row old_map, 9
    row brass_lamp, 8
    row glass_bead, 1
zone stall: set of Ware
player
    zone bag: set of Ware
    state coins: 0..9 = 3
setup
    move all from Ware to stall
    for each p in players where p.number is 1
        for each w in stall where w is glass_bead
            move w to p.bag
action buy(ware in stall)
    say "give {ware.price} coins for the {ware}"
    pay ware.price from me.coins
    move ware to me.bag
action sell(ware in list(w: Ware in me.bag))
    say "hand over the {ware}"
    needs me.coins > 5 else "nobody is asked for a {ware}"
    add 1 to me.coins
    move ware to stall
play
    repeat 3 times
        each player
            choose one of
                do buy
                do sell
                option "go"
score of p
    item "wares" = p.bag.size
winner p by p.total then shared
"""


@pytest.mark.parametrize(
    ("typed", "answer"),
    [
        (
            "Old Map",
            "`give 9 coins for the old map` cannot be chosen: this takes 9 coins, and there\n    are 3",
        ),
        ("give", "  1  give 2 coins for the red silk"),
        (
            "map",
            "`give 9 coins for the old map` cannot be chosen: this takes 9 coins, and there\n    are 3",
        ),
        (
            "give 9 coins for the old map",
            "`give 9 coins for the old map` cannot be chosen: this takes 9 coins, and there\n    are 3",
        ),
        ("coins for the", "  1  give 2 coins for the red silk"),
        (
            "hand over",
            "`hand over the glass bead` cannot be chosen: nobody is asked for a glass bead",
        ),
        ("hand over the lamp", "there is no option `hand over the lamp`"),
        (
            "hand over the brass lamp",
            "`sell brass lamp` cannot be chosen: brass lamp is not in your bag",
        ),
        ("why hand over the glass bead", "  nobody is asked for a glass bead\n"),
        ("why give 9 coins", "  this takes 9 coins, and there are 3\n"),
        (
            "why Old Map",
            "  give 9 coins for the old map: this takes 9 coins, and there are 3\n  sell old map: old map is not in",
        ),
        ("why sell lamp", "there is no option `sell lamp` here"),
        ("why sell brass lamp", "  brass lamp is not in your bag\n"),
    ],
)
def test_refused_options_are_recognised_by_their_text(
    command: Command, typed: str, answer: str
) -> None:
    Path("stall.game").write_text(STALL, encoding="utf-8")
    ran = command("play", "stall.game", "--seed", "1", typed=f"{typed}\n")
    assert answer in ran.out


COPIES = """game "Copies"
    players 2
piece Ware
    copies = 3
    row lamp
zone store: pile of Ware, seen by nobody except size
zone shelf: row of 2 Ware
player
    zone bag: set of Ware
    state coins: 0..9 = 1
setup
    move all from Ware to store
    move 1 from store to shelf.slot(2)
value price of p: Player (ware: Ware) = if ware in shelf.slot(2) then 5 else 1
action buy(ware in shelf)
    say "buy the {ware} for {me.price(ware)}"
    pay me.price(ware) from me.coins
    move ware to me.bag
play
    repeat 3 times
        each player
            choose one of
                do buy
                option "go"
                option "stay"
winner p by p.coins then shared
"""


@pytest.mark.parametrize("typed", ["why", "why lamp", "lamp"])
def test_refusals_use_the_text_of_the_copy_that_is_refused(command: Command, typed: str) -> None:
    Path("copies.game").write_text(COPIES, encoding="utf-8")
    ran = command("play", "copies.game", "--seed", "1", typed=f"{typed}\n")
    assert "this takes 5 coins, and there is 1" in " ".join(ran.out.split())
    assert "for 1" not in ran.out


EMPTY_HANDS = STALL.replace(
    "            move w to p.bag\n", "            move w to p.bag\n            move w to stall\n"
)


@pytest.mark.parametrize(
    ("typed", "answer"),
    [
        (
            "why sell",
            "  no way to sell: red silk is not in your bag, and the same is true of 3 more\n",
        ),
        ("sell", "  no way to sell: red silk is not in your bag, and the same is true of 3 more\n"),
        ("why steal", "  there is no option `steal` here\n"),
    ],
)
def test_why_nothing_at_all_can_be_done_in_a_way_that_is_open(
    command: Command, typed: str, answer: str
) -> None:
    Path("stall.game").write_text(EMPTY_HANDS, encoding="utf-8")
    ran = command("play", "stall.game", "--seed", "1", typed=f"{typed}\n")
    assert answer in ran.out


BOARDED = f"""{STALL}
board "Stall: what lies there"
    show "{{w}} for {{w.price}}" for w in stall
"""


@pytest.mark.parametrize(
    ("typed", "also"), [("look stall", True), ("look Stall: what lies there", False)]
)
def test_a_board_is_looked_at_by_the_name_before_its_explanation(
    command: Command, typed: str, also: bool
) -> None:
    Path("stall.game").write_text(BOARDED, encoding="utf-8")
    ran = command("play", "stall.game", "--seed", "1", typed=f"{typed}\n")
    looked = ran.out.partition(f"> {typed}\n")[2]
    assert "  Stall: what lies there\n  red silk for 2\n" in looked
    assert looked.startswith("  stall: red silk, old map, brass lamp\n") == also


WIDE = """game "Wide"
    players 2
board "Fields"
    show "{p} has nothing to do and has done it" for p in players
play
    each player
        choose one of
            option "wait"
            option "sleep"
    end game
"""


def test_paged_output_keeps_whole_lines_and_colours(
    command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True, raising=False)
    monkeypatch.setenv("COLUMNS", "45")
    monkeypatch.setenv("LINES", "5")
    monkeypatch.setenv("NO_COLOR", "")
    monkeypatch.delenv("NO_COLOR")
    Path("wide.game").write_text(WIDE)
    out = command("play", "wide.game", typed="look\n\n\n\nquit\n").out
    looked = out.rpartition("> look\n")[2]
    assert click.style("player 1", fg="cyan", bold=True) in looked
    assert "player 1 has nothing to do and has done it\n" in click.unstyle(looked)


TWO_QUESTIONS = """game "Two Questions"
    players 1

player
    state coins: 0..9 = 2

action buy(price in 1..2)
    lose price from me.coins

play
    each player
        choose one of prompt "where do you go?"
            option "market"
            option "home"
        choose one of prompt "which stall is yours?"
            do buy
            option "none"

score of p
    item "coins" = p.coins

winner p by p.total then shared
"""


@pytest.mark.parametrize("typed", ["why buy(1)", "why buy", "buy(1)"])
def test_why_names_the_question_that_offers_an_option(command: Command, typed: str) -> None:
    Path("two.game").write_text(TWO_QUESTIONS, encoding="utf-8")
    out = command("play", "two.game", typed=f"{typed}\nquit\n").out
    name = typed.removeprefix("why ")
    said = f'`{name}` is not part of this decision; it is offered at "which stall is yours?"'
    assert said in " ".join(out.split())

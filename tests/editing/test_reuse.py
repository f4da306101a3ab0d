"""After an edit, only a small part of a game is lowered again, and the problems are those of a first check."""

from __future__ import annotations

import gc
import random
from collections.abc import Sequence, Set
from pathlib import Path
from typing import Any
from weakref import ReferenceType, ref

import pytest

from rulewright.dsl.diagnostics.source import Source, Span
from rulewright.dsl.loading.files import Files
from rulewright.dsl.loading.loading import load
from rulewright.dsl.loading.reuse import Lost, Places, is_moved, reuse_nodes
from rulewright.dsl.lowering.analysis import analysing
from rulewright.dsl.lowering.analysis.analysis import Analysis
from rulewright.dsl.lowering.analysis.bodies import Body
from rulewright.dsl.lowering.emit.core import Rules
from rulewright.dsl.lowering.whole import program
from rulewright.dsl.model import declaring, records
from rulewright.dsl.model.model import Configuration, Model
from rulewright.dsl.tree import declared
from rulewright.editing.workspace.checking import Found, Memory, look
from tests.dsl.loading.test_combinations import COINS
from tests.editing.conftest import copy_shipped
from tests.editing.edits import edit_text, edited_table

EDITS = {
    "nothing": ("game", "game"),
    "a number in a rule": ("add 1 to me.coins", "add 2 to me.coins"),
    "lines above": ('game "Coins"', '# Coins.\n\ngame "Coins"'),
    "another condition": ("    if quick\n", "    if ends is late\n"),
    "a rule that comes": ("score of p", "rule more\n    add 1 to me.coins\nscore of p"),
    "a rule that is called": ("add 2 to me.coins", "do more\nrule more\n    add 3 to me.coins"),
    "a rule that goes": ("                do take_the_pot\n", ""),
    "a state that comes": ("coins: 0..99 = 0", "coins: 0..99 = 0\n    state luck: 0..3"),
    "a state called otherwise": ("state coins", "state money"),
    "a word that is unknown": ("add pot to me.coins", "add pott to me.coins"),
    "a number that does not fit": ("coins: 0..99 = 0", "coins: 0..1 = 5"),
    "other players": ("players 1..3", "players 2..3"),
    "an option that goes": ("option pot = 5, 7\n", ""),
    "a warning": ("    add 1 to me.coins\n", "    add 1 to me.coins\n    let unused = 1\n"),
    "a line that cannot be read": ("add 2 to", "add 2 2 to"),
}


def findings(files: Files, game: Path, memory: Memory | None) -> list[Found]:
    return [one for one in look(game, (), files, lambda: True, memory) if one is not None]


def problems(files: Files, game: Path, looks: list[Found]) -> set[str]:
    """Everything that a check reports, with the names of sources."""
    reported = {*load(game, files=files).problems, *looks[-1].first, *(looks[-1].rest or ())}
    return {*map(repr, reported)}


def places(looks: list[Found]) -> set[tuple[str, int, int, str]]:
    return {
        (span.source.name, span.start, span.end, one.name)
        for span, one in looks[-1].facts.referents.items()
    }


@pytest.fixture
def game(tmp_path: Path) -> Path:
    path = tmp_path / "coins.game"
    path.write_text(COINS, encoding="utf-8")
    return path


KINDS = ("a rule that is called", "a state that comes", "a line that cannot be read")
"""Edits that `make test` makes in every order of two: rules, a declaration, no rules at all."""


@pytest.mark.parametrize(
    ("before", "name"),
    [
        pytest.param(
            before, name, marks=() if before == "nothing" or name in KINDS else pytest.mark.deep
        )
        for before in ("nothing", "lines above", "a rule that comes", "a warning")
        for name in EDITS
    ],
)
def test_problems_after_an_edit_equal_a_fresh_check(game: Path, before: str, name: str) -> None:
    files, memory = Files(), Memory()
    findings(files, game, memory)
    text = COINS
    for edit in (before, name):
        old, new = EDITS[edit]
        assert old in text
        text = text.replace(old, new, 1)
        files.given[game] = text
        again = findings(files, game, memory)
        fresh = findings(Files({game: text}), game, None)
        assert problems(files, game, again) == problems(Files({game: text}), game, fresh)
        # All recorded facts are correct.
        assert places(again) <= places(fresh)


TURNS = """game "Turns"
    players 2

player
    state coins: 0..9

value more = 1

rule earn
    add 1 to me.coins

rule start
    repeat more times
        stop
    each player
        do earn

play
    do start
    do rest

rule rest
    each player
        choose one of
            option "pass"

score of p
    item "coins" = p.coins

winner p by p.total then shared
"""


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("each player\n        do earn", "repeat 2 times\n        do earn"),
        ("each player\n        do earn", "each player from me.left\n        do earn"),
        ("rule rest", "after start as p\n    add 1 to p.coins\nrule rest"),
        ("value more = 1", "value more = me.coins"),
    ],
)
def test_if_a_called_rule_needs_an_acting_player_its_callers_are_checked_again(
    tmp_path: Path, old: str, new: str
) -> None:
    path = tmp_path / "turns.game"
    path.write_text(TURNS, encoding="utf-8")
    files, memory = Files(), Memory()
    findings(files, path, memory)
    text = TURNS.replace(old, new, 1)
    files.given[path] = text
    again, fresh = findings(files, path, memory), findings(Files({path: text}), path, None)
    assert problems(files, path, again) == problems(Files({path: text}), path, fresh)
    assert any("nobody is acting" in one for one in problems(files, path, again))


PAIRS = """game "Pairs"
    players 4

kind Pair = odd, even
space Cell grid 2 by 2
    state mark: Pair or nothing
side of p: Pair = if mod(p.number, 2) is 1 then odd else even
seat robot only if player_count is 3
position drawing up to 3 = list(c in Cell: c.mark)

note "nothing is paid"

play
    repeat until drawing.times is 2
        each player
            choose c in Cell
            set c.mark to me.side

score of p
    item "one" = 1

winner p by p.total
"""
PARTS_OF_PAIRS = [
    ("mod(p.number, 2) is 1", "p.number < 3"),
    ("mod(p.number, 2) is 1", "p.numbers < 3"),
    ("side of p: Pair", "side of p: Cell"),
    ("side of p: Pair = if mod(p.number, 2) is 1 then odd else even\n", ""),
    ("up to 3", "up to 4"),
    ("up to 3", "up to odd"),
    ("c in Cell: c.mark)", "c in Cell: c.mask)"),
    ("position drawing", "position picture"),
    ("player_count is 3", "player_count is 4"),
    ("player_count is 3", "player_count is odd"),
    ("seat robot", "seat odd"),
    ("paid", "bought"),
    ('note "nothing is paid"\n', ""),
]


@pytest.mark.parametrize(("old", "new"), PARTS_OF_PAIRS)
def test_seats_sides_and_positions_may_be_edited(tmp_path: Path, old: str, new: str) -> None:
    game = tmp_path / "pairs.game"
    files, memory = Files({game: PAIRS}), Memory()
    assert problems(files, game, findings(files, game, memory)) == set()
    assert old in PAIRS
    for text in (PAIRS.replace(old, new, 1), PAIRS):
        files.given[game] = text
        again = findings(files, game, memory)
        fresh = findings(Files({game: text}), game, None)
        assert problems(files, game, again) == problems(Files({game: text}), game, fresh)
        assert places(again) <= places(fresh)


def test_only_what_an_edit_touches_is_lowered(game: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lowered: list[str] = []
    usual = program._write_body

    def noting_write(rules: Rules, body: Body) -> None:
        lowered.append(body.key)
        usual(rules, body)

    monkeypatch.setattr(program, "_write_body", noting_write)
    files, memory = Files(), Memory()
    findings(files, game, memory)
    lowered.clear()
    findings(files, game, memory)
    assert lowered == []
    files.given[game] = COINS.replace("add 1 to me.coins", "add 2 to me.coins")
    findings(files, game, memory)
    # Once for each number of players; the other variants share it.
    assert lowered == ["rule take_a_coin"] * 3
    lowered.clear()
    files.given[game] = files.given[game].replace("= p.coins", "= p.coins * 2")
    findings(files, game, memory)
    assert lowered == []


def test_beside_an_error_in_a_value_only_edited_rules_are_analysed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    analysed: list[set[str]] = []
    usual = analysing._find_call_facts

    def noting_call_facts(a: Analysis, keys: Set[str]) -> None:
        analysed.append({*keys})
        usual(a, keys)

    game, files, memory = tmp_path / "called.game", Files(), Memory()
    right = CALLED.replace("coins > 3", "rich").replace("rule dig", RICH + "rule dig", 1)
    wrong = right.replace("p.coins > 5", "p.coinss > 5")
    monkeypatch.setattr(analysing, "_find_call_facts", noting_call_facts)
    for text, wanted in (
        (right, None),
        (wrong, None),
        (wrong.replace("me.coins < 10", "me.coins < 9"), {"rule dig"}),
        (wrong.replace("add 1 to pot", "add 2 to pot"), {"rule dig", "rule pour"}),
        (wrong, {"rule pour"}),
        (right, None),
        (right.replace("add 1 to pot", "add 2 to pot"), {"rule pour"}),
    ):
        analysed.clear()
        files.given[game] = text
        reported = problems(files, game, findings(files, game, memory))
        assert bool(reported) == ("coinss" in text)
        if wanted is not None:
            assert set().union(*analysed) == wanted, text
        assert reported == problems(files, game, findings(files, game, None))


def test_callers_of_a_rule_with_turns_are_not_analysed_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    analysed: list[set[str]] = []
    usual = analysing._find_call_facts

    def noting_call_facts(a: Analysis, keys: Set[str]) -> None:
        analysed.append({*keys})
        usual(a, keys)

    monkeypatch.setattr(analysing, "_find_call_facts", noting_call_facts)
    game = tmp_path / "called.game"
    lucky = CALLED.replace("player\n", "player\n    state luck: 0..9, seen by owner\n", 1)
    apart = lucky.replace("rule pour\n", "rule pour\n    each player\n        add 1 to me.luck\n")
    # Each of the two variants analyses the rule, and if its turns are together, also the callers.
    for text, rounds in ((apart, 2), (apart.replace("each player", "together each player", 1), 4)):
        files, memory = Files(), Memory()
        files.given[game] = text
        assert problems(files, game, findings(files, game, memory)) == set()
        analysed.clear()
        files.given[game] = text.replace("add 1 to pot", "add 2 to pot")
        again = problems(files, game, findings(files, game, memory))
        assert len(analysed) == rounds, analysed
        assert again == problems(files, game, findings(files, game, None))


def test_if_only_comments_change_no_variant_is_checked_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    names = [f"night_market.{ending}" for ending in ("game", "csv", "rules.md")]
    game = copy_shipped(tmp_path, *names) / names[0]
    files, memory, built = Files(), Memory(), list[Configuration]()
    text = game.read_text(encoding="utf-8")
    findings(files, game, memory)
    usual = declaring.build_model

    def build_model(*given: Any) -> Model:
        built.append(given[1])
        return usual(*given)

    monkeypatch.setattr("rulewright.dsl.loading.loading.build_model", build_model)
    files.given[game] = "# More.\n" + text
    assert problems(files, game, findings(files, game, memory)) == set()
    assert built == []
    files.given[game.with_suffix(".csv")] = "name\n"
    assert problems(files, game, findings(files, game, memory)) != set()
    assert built != []


def test_beside_a_line_that_cannot_be_read_only_what_was_written_is_looked_at(
    game: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    files, memory = Files(), Memory()
    before = findings(files, game, memory)
    text = COINS.replace("add 1 to me.coins", "add 1 to me.coins\n    add pot to me.coins")
    files.given[game] = text.replace("winner p", "winner = p")
    lowered = counted_parts(monkeypatch)
    again = findings(files, game, memory)
    assert load(game, files=files).problems
    assert lowered == ["rule take_a_coin"]
    at = files.given[game].index("pot to me.coins")
    assert (at, "pot") in {(start, name) for _, start, _, name in places(again)}
    left = {name for *_, name in places(before)} - {name for *_, name in places(again)}
    assert left <= {"p", "total"}


def test_a_look_lets_go_of_the_one_before(game: Path) -> None:
    files, memory = Files(), Memory()
    seen: list[ReferenceType[object]] = []
    for n in range(4):
        files.given[game] = COINS.replace("add 1 to me.coins", f"add {n} to me.coins")
        findings(files, game, memory)
        assert memory.left is not None
        seen.append(ref(memory.left.common))
    gc.collect()
    # The start of the last check is kept until the next one.
    assert [one() is not None for one in seen] == [False, False, True, True]


def declarations(path: Path, text: str) -> tuple[declared.Declaration, ...]:
    return load(path, files=Files({path: text})).declarations


def test_places_of_declarations_that_have_moved(game: Path) -> None:
    before = declarations(game, COINS)
    text = "# above\n" + COINS.replace("add 1 to", "add 2 to")
    now = declarations(game, text)
    mixed = reuse_nodes(before, now)
    assert len(mixed.new) == 1
    for one, other in zip(mixed.declarations, now, strict=True):
        at = mixed.places.span(one.span)
        assert (at.source, at.start, at.end) == (
            other.span.source,
            other.span.start,
            other.span.end,
        )
    old, new = before[0].span.source, now[0].span.source
    assert mixed.places.span(old.end) == new.end
    changed = next(one for one in before if getattr(one, "name", "") == "take_a_coin")
    with pytest.raises(Lost):
        mixed.places.span(changed.span)


def test_declarations_that_are_only_like_each_other(game: Path) -> None:
    one = declarations(game, COINS)
    other = declarations(game, COINS.replace("winner p by p.total", "winner p by  p.total"))
    assert all(is_moved(a, b) for a, b in zip(one[:-1], other[:-1], strict=True))
    assert not is_moved(one[-1], other[-1])


def test_a_place_of_another_text_stays() -> None:
    span = Span(Source("table.csv", "a,b"), 0, 1)
    assert Places().span(span) is span


@pytest.mark.deep
@pytest.mark.parametrize("name", ["colonial", "through_the_ages"])
def test_many_edits_of_large_games(tmp_path: Path, name: str) -> None:
    folder = copy_shipped(tmp_path, name) / name
    game, chance = folder / f"{name}.game", random.Random(f"edits of {name}")
    files, memory = Files(), Memory()
    findings(files, game, memory)
    for _ in range(25):
        path = chance.choice(sorted(folder.glob("*.game")))
        old = files.given.get(path) or path.read_text(encoding="utf-8")
        files.given[path] = edit_text(old, chance)
        again = findings(files, game, memory)
        fresh = Files(dict(files.given))
        assert problems(files, game, again) == {*map(repr, load(game, files=fresh).check())}
        if chance.random() < 0.7:
            files.given[path] = old


@pytest.mark.deep
@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize(
    "name", ["colonial", "endeavor", "equilibris", "ginkgopolis", "through_the_ages"]
)
def test_many_edits_of_tables(tmp_path: Path, name: str, seed: int) -> None:
    folder = copy_shipped(tmp_path, name) / name
    game, chance = folder / f"{name}.game", random.Random(f"{seed} edits of tables of {name}")
    files, memory = Files(), Memory()
    findings(files, game, memory)
    for step in range(6):
        path = chance.choice(sorted(folder.glob("*.csv" if chance.random() < 0.9 else "*.game")))
        old = files.given.get(path) or path.read_text(encoding="utf-8")
        change = edited_table if path.suffix == ".csv" else edit_text
        files.given[path] = change(old, chance)
        again = problems(files, game, findings(files, game, memory))
        fresh = load(game, files=Files(dict(files.given))).check()
        assert again == {*map(repr, fresh)}, (step, path.name)
        if chance.random() < 0.8 or fresh:
            files.given[path] = old


CARDS = """\
game "Cards"
    players 2..3
option long = no, yes
piece Card from "cards.csv"
    worth: 1..9
    copies = many
table Steps from "steps.csv" key level
    gain: 0..9
zone deck: pile of Card
player
    state coins: 0..99
    zone hand: pile of Card
setup
    move all from Card to deck
action take
    move 1 from deck to me.hand
    add 1 to me.coins
play
    repeat while deck.size > (if long then 1 else 2)
        each player
            if deck.size > 0
                surely do take
    end game
winner p by p.total then shared
score of p
    item "cards" = sum(c in p.hand: c.worth)
    item "steps" = Steps(p.coins).gain
"""
TABLES = {
    "cards.csv": "name,many,worth\nfish,3,2\nbird,4,3\n",
    "steps.csv": "level,gain\n" + "".join(f"{n},{n % 9}\n" for n in range(100)),
}
TABLE_EDITS = {
    "a number": ("cards.csv", "fish,3,2", "fish,3,4"),
    "a number of copies": ("cards.csv", "fish,3,2", "fish,4,2"),
    "a name": ("cards.csv", "bird", "worm"),
    "a cell that does not fit": ("cards.csv", "fish,3,2", "fish,3,12"),
    "a row that goes": ("steps.csv", "7,7\n", ""),
    "a row that stands twice": ("steps.csv", "7,7\n", "7,7\n7,8\n"),
    "a column that is lost": ("steps.csv", "gain", "again"),
}


@pytest.mark.parametrize("name", TABLE_EDITS)
def test_problems_after_a_table_edit_equal_a_fresh_check(tmp_path: Path, name: str) -> None:
    game = tmp_path / "cards.game"
    texts = {game: CARDS} | {tmp_path / name: text for name, text in TABLES.items()}
    for path, text in texts.items():
        path.write_text(text, encoding="utf-8")
    files, memory = Files(), Memory()
    findings(files, game, memory)
    file, old, new = TABLE_EDITS[name]
    table = tmp_path / file
    assert old in texts[table]
    for given in ({table: texts[table].replace(old, new, 1)}, {}):
        rules = CARDS.replace("add 1 to", "add 2 to")
        for one in (given, given | {game: rules}):
            files.given = dict(one)
            again = findings(files, game, memory)
            fresh = findings(Files(dict(one)), game, None)
            assert problems(files, game, again) == problems(Files(dict(one)), game, fresh)
            assert places(again) <= places(fresh)


def test_tables_are_numbered_once_for_what_is_read_of_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    numbered: list[int] = []
    usual = records.number_records

    def number(model: Model, listed: Sequence[declared.Declaration]) -> None:
        numbered.append(model.config.players)
        usual(model, listed)

    monkeypatch.setattr(declaring, "number_records", number)
    game = tmp_path / "cards.game"
    game.write_text(CARDS, encoding="utf-8")
    for name, text in TABLES.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    files, memory = Files(), Memory()
    looks = findings(files, game, memory)
    assert problems(files, game, looks) == set()
    # No column depends on whether the game is long.
    assert numbered == [2, 3]
    numbered.clear()
    files.given[game] = CARDS.replace("add 1 to", "add 2 to")
    findings(files, game, memory)
    assert numbered == []
    files.given[game] = CARDS.replace("copies = many", "copies = many + (if long then 1 else 0)")
    findings(files, game, memory)
    # With two and with three players, long and short; the first variant is checked again from the
    # beginning.
    assert sorted(numbered) == [2, 2, 3, 3]


COUNTED = """\
game "Counted"
    players 2
value few = 3
player
    state coins: 0..99
rule take
    choose n in 1..few
    add n to me.coins
action give(n in 1..2)
    add n to me.coins
play
    each player
        do take
        choose exactly 1 of
            do give
    end game
winner p by p.coins then shared
"""


@pytest.mark.parametrize(("old", "new"), [("few = 3", "few = 0"), ("n in 1..2", "n in 3..2")])
def test_possible_faults_follow_edited_numbers(tmp_path: Path, old: str, new: str) -> None:
    game = tmp_path / "counted.game"
    files, memory = Files({game: COUNTED}), Memory()
    assert problems(files, game, findings(files, game, memory)) == set()
    for text in (COUNTED.replace(old, new), COUNTED):
        files.given[game] = text
        again = problems(files, game, findings(files, game, memory))
        assert again == problems(files, game, findings(files, game, None))
        assert bool(again) == (text != COUNTED)


def counted_parts(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The bodies that are lowered from now on."""
    lowered: list[str] = []
    usual = program._write_body

    def noting_write(rules: Rules, body: Body) -> None:
        lowered.append(body.key)
        usual(rules, body)

    monkeypatch.setattr(program, "_write_body", noting_write)
    return lowered


CALLED = """\
game "Called"
    players 2
option long = no, yes
state pot: 0..99
player
    state coins: 0..99
    state stones: 0..99
rule dig
    if me.coins < 10
        add 1 to me.coins
        add 1 to me.stones
rule work
    do dig
    if me.coins > 3
        do rest
rule rest
    add 1 to me.stones
    if long
        add 1 to me.coins
action hire
    needs me.coins > 2
    do work
rule turn
    choose one of
        do hire
        option "rest"
            do rest
rule fill
    do pour
rule pour
    add 1 to pot
play
    do fill
    each player
        do work
        do turn
    end game
winner p by p.coins then shared
"""
RICH = "value rich of p: Player = p.coins > 5\n"
ABOVE_DIG = {"rule dig", "rule work", "rule hire", "rule turn"}


@pytest.mark.parametrize(
    ("old", "new", "wanted", "reported"),
    [
        ("me.coins < 10", "me.coins < 12", {"rule dig"}, None),
        ("        add 1 to me.stones\nrule work", "rule work", {"rule dig", "rule work"}, None),
        ("rule dig\n", "rule dig\n    needs me.coins < 9\n", ABOVE_DIG - {"rule turn"}, None),
        ("rule dig", "rule dig(n: 1..3)", {"rule dig", "rule work"}, "wrong-arguments"),
        ("add 1 to pot", "add me.coins to pot", {"rule pour"}, "unknown-name"),
        ("coins > 2", "coins > 1", {"rule hire"}, None),
        (
            "rule dig\n",
            "rule dig\n    do work\n",
            ABOVE_DIG | {"rule rest", "rule fill", "rule pour"},
            "cyclic-rule",
        ),
    ],
)
def test_of_what_cannot_fail_who_calls_it_sees_what_it_comes_to(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    old: str,
    new: str,
    wanted: set[str],
    reported: str | None,
) -> None:
    compare_edits(monkeypatch, tmp_path / "called.game", (CALLED, old, new), wanted, reported)


def compare_edits(
    monkeypatch: pytest.MonkeyPatch,
    game: Path,
    edit: tuple[str, str, str],
    wanted: set[str],
    reported: str | None,
) -> None:
    """After an edit and after its undo, a check reports the same as a fresh one; exactly these bodies are lowered."""
    before, old, new = edit
    assert old in before
    files, memory = Files({game: before}), Memory()
    assert problems(files, game, findings(files, game, memory)) == set()
    lowered = counted_parts(monkeypatch)
    for text in (before.replace(old, new, 1), before):
        files.given[game] = text
        looks, parts = findings(files, game, memory), {*lowered}
        fresh = load(game, files=Files({game: text})).check()
        lowered.clear()
        assert problems(files, game, looks) == {*map(repr, fresh)}
        if text != before:
            assert parts == wanted
            assert {one.code for one in fresh} == {reported} - {None}


RATED = """\
game "Rated"
    players 2..3
player
    state coins: 0..99
value worth of p: Player = if p.coins > 3 then 2 else 1
value twice of p: Player = p.worth * 2
value start = 1
rule earn
    add me.twice to me.coins
rule begin
    add start to me.coins
setup
    each player
        do begin
invariant "worth" = all(p in players: p.twice < 5)
play
    each player
        do earn
    end game
winner p by p.coins then shared
"""


@pytest.mark.parametrize(
    ("old", "new", "wanted", "reported"),
    [
        ("> 3 then 2", "> 4 then 2", set(), None),
        ("> 3 then 2", "> 3 then 5", {"rule earn"}, None),
        ("> 3 then 2", "> 3 then me.coins", {"rule earn"}, "unknown-name"),
        ("start = 1", "start = 2", {"rule begin"}, None),
        ("p.worth * 2", "p.worth * 0", {"rule earn"}, None),
    ],
)
def test_of_a_value_who_speaks_of_it_sees_what_it_can_be(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    old: str,
    new: str,
    wanted: set[str],
    reported: str | None,
) -> None:
    compare_edits(monkeypatch, tmp_path / "rated.game", (RATED, old, new), wanted, reported)


READING = """\
game "Reading"
    players 2..3
kind Ware from "wares.csv"
    price: 0..9
    weight: 0..9
value load(w: Ware) = w.weight + 1
player
    state coins: 0..99
rule sell
    add total_of_prices to me.coins
rule carry
    add load(tea) to me.coins
value total_of_prices = sum(w in Ware: w.price)
play
    each player
        do sell
        do carry
    end game
winner p by p.coins then shared
"""
WARES = "name,price,weight\ntea,2,3\nsilk,7,1\n"


@pytest.mark.parametrize(
    ("old", "new", "wanted"),
    [
        ("tea,2,3", "tea,5,3", set()),
        ("tea,2,3", "tea,2,8", set()),
        ("silk,7,1", "silk,7,1\njade,1,1", {"rule sell"}),
    ],
)
def test_of_a_table_only_what_reads_a_column_is_lowered(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, old: str, new: str, wanted: set[str]
) -> None:
    game, table = tmp_path / "reading.game", tmp_path / "wares.csv"
    files, memory = Files({game: READING, table: WARES}), Memory()
    assert problems(files, game, findings(files, game, memory)) == set()
    lowered = counted_parts(monkeypatch)
    files.given[table] = WARES.replace(old, new)
    again = findings(files, game, memory)
    assert {*lowered} == wanted
    assert problems(files, game, again) == problems(files, game, findings(files, game, None))


def test_broken_rules_are_lowered_once_for_each_player_count(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = tmp_path / "coins.game"
    text = COINS.replace("add 1 to me.coins", "add 1 to me.coinz")
    files = Files({game: text})
    lowered = counted_parts(monkeypatch)
    assert len(problems(files, game, findings(files, game, None))) == 1
    assert lowered.count("rule take_a_coin") == 3


def test_problems_of_another_variant_are_reported(tmp_path: Path) -> None:
    game = tmp_path / "coins.game"
    text = COINS.replace("add 1 to me.coins", "add 1 to me.coinz")
    text = text.replace("add 2 to me.coins", "add 2 to me.coinx")
    files = Files({game: text})
    reported = problems(files, game, findings(files, game, None))
    whole = load(game, files=Files({game: text}))
    each = {
        repr(one) for variant in whole.checked_variants() for one in whole.problems_of(*variant)
    }
    assert len(reported) == 2
    assert reported == each

"""Changes that an editor offers: renames and quick fixes; also marks, and scenarios that are run."""

from itertools import pairwise
from pathlib import Path

import pytest

from rulewright.dsl.loading.loading import load
from rulewright.dsl.scenarios.scenario_loading import load_scenarios
from rulewright.editing.features.code_lenses import lenses
from rulewright.editing.features.edits import Edit
from rulewright.editing.features.fixes import fixes
from rulewright.editing.features.inlay_hints import hints
from rulewright.editing.features.renaming import Refused, place_to_rename, rename
from rulewright.editing.features.semantic_tokens import all_tokens, name_tokens
from rulewright.editing.workspace.running import run
from rulewright.interpreter.testing.scenarios import run_scenarios
from tests.editing.conftest import NIGHT_MARKET, copy_shipped
from tests.editing.opened import Opened

GAME = "night_market.game"
TABLE = "night_market.csv"
SCENES = "night_market.scenario"


def apply_edits(opened: Opened, edits: list[Edit]) -> dict[str, str]:
    """The texts of the files after the changes."""
    texts: dict[str, str] = {}
    for edit in sorted(edits, key=lambda edit: edit.span, reverse=True):
        name = Path(edit.span.source.name).name
        text = texts.get(name, edit.span.source.text)
        texts[name] = text[: edit.span.start] + edit.text + text[edit.span.end :]
    return texts


RENAMED = {
    "an action": (GAME, "action bu|y(", "purchase", {GAME, SCENES}),
    "a row of a table": (TABLE, "tea_ho|use,tea", "tea_room", {TABLE, SCENES}),
    "a value of a kind": (GAME, "kind Good = te|a,", "oolong", {GAME, TABLE}),
    "a column": (GAME, "    goo|d: Good", "ware", {GAME, TABLE, SCENES}),
    "a header of a table": (TABLE, "name,go|od,price", "ware", {GAME, TABLE, SCENES}),
    "a type of things": (GAME, "piece Sta|ll from", "Booth", {GAME, SCENES}),
    "a zone of players": (GAME, "zone ha|nd: set", "fist", {GAME, SCENES}),
    "a value": (GAME, "open value inco|me of", "wages", {GAME, SCENES}),
    "a local name": (GAME, "action buy(sta|ll in street)", "booth", {GAME}),
}


@pytest.mark.parametrize("name", RENAMED)
def test_a_game_is_the_same_under_another_name(tmp_path: Path, name: str) -> None:
    file, place, new, touched = RENAMED[name]
    market = Opened(copy_shipped(tmp_path, *NIGHT_MARKET))
    for each in (GAME, TABLE, SCENES):
        market.open(each)
    before = market.problems(GAME)
    assert before == []
    found = rename(*market.at(file, place), new)
    assert not isinstance(found, Refused)
    texts = apply_edits(market, found)
    assert {*texts} == touched
    for each, text in texts.items():
        market.write(each, text)
    market.settle(GAME)
    assert market.problems(GAME) == []


REFUSED = {
    "two names": (GAME, "action bu|y(", "open_stall", "there is a `open_stall` already"),
    "a taken word": (GAME, "action bu|y(", "until", "`until` is a word of the language"),
    "a capital": (GAME, "action bu|y(", "Buy", "this name is written in small letters and `_`"),
    "a built-in": (GAME, "starter.le|ft", "port", "`left` is built into the language"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_names_that_cannot_be_given(market: Opened, name: str) -> None:
    file, place, new, reason = REFUSED[name]
    assert rename(*market.at(file, place), new) == Refused(reason)


def test_words_without_a_declaration_cannot_be_renamed(market: Opened) -> None:
    assert place_to_rename(*market.at(GAME, "starter.le|ft")) is None
    assert place_to_rename(*market.at(GAME, "shuf|fle deck")) is None
    span = place_to_rename(*market.at(GAME, "do bu|y\n"))
    assert span is not None
    assert span.text == "buy"


SMALL = """\
game "Small"
    players 2
option length = short, long

space Field grid 2 by 2
    state mark: Player or nothing
action claim(field in Field) named claim(field)
    needs field.mark is nothing else "it is taken"
    set field.mark to me
    log "{me} claims {field}"
rule turn
    surely choose one of
        do claim
        option "rest" named rest
play
    repeat (if length is long then 2 else 1) times
        each player
            do turn
score of p
    item "fields" = count(f in Field where f.mark is p)
winner p by p.total then shared
"""
SMALL_SCENES = """\
beginning "one is marked"
    player ann, bob
    picture of Field
        . .
        x .
        x means set cell.mark to ann

scenario "all lines"
    from "one is marked"
    offered exactly claim(a2), claim(b1), claim(b2), rest
    refused ann plays claim(a1) because "it is taken"
    expect option claim(b1) "b1"
    expect turn of ann goes on
    expect claim has ended
    ann plays claim(b1)
    expect log "{sure(Field(2, 1).mark)} claims"
    expect view of bob "{count(f in Field where f.mark is ann)}"
    refused ann plays rest because "it is bob's turn"
    offered bob plays rest
    offered bob plays claim(a2)
    offered bob plays claim(b2)
    offered nothing else
    bob plays rest

scenario "not played"
    player ann, bob
    refused option length is eternal

scenario "played"
    option length is long
    player ann, bob
    offered exactly rest, claim(a1), claim(a2), claim(b1), claim(b2)
"""
SAID = {
    "an action": ("action cla|im(", "take"),
    "a rule": ("rule tu|rn", "move_on"),
    "a space": ("space Fie|ld", "Place"),
    "a local name": ("claim(fie|ld in", "place"),
    "a state": ("    state ma|rk: Player", "owner"),
    "an option": ("option len|gth", "span"),
    "a value of an option": ("= short, lo|ng", "endless"),
}


@pytest.mark.parametrize("is_looked_at", [True, False])
@pytest.mark.parametrize("name", SAID)
def test_all_lines_of_scenarios_know_another_name(
    tmp_path: Path, name: str, is_looked_at: bool
) -> None:
    place, new = SAID[name]
    (tmp_path / "small.game").write_text(SMALL, encoding="utf-8")
    (tmp_path / "small.scenario").write_text(SMALL_SCENES, encoding="utf-8")
    small = Opened(tmp_path)
    small.open("small.game")
    if is_looked_at:
        small.open("small.scenario")
    else:
        small.write("small.scenario", SMALL_SCENES)
    found = rename(*small.at("small.game", place), new)
    assert not isinstance(found, Refused)
    for file, text in apply_edits(small, found).items():
        (tmp_path / file).write_text(text, encoding="utf-8")
    assert load(tmp_path / "small.game").check() == ()
    scenes = load_scenarios(tmp_path / "small.scenario")
    assert scenes.check() == ()
    results = [result.passed for each in scenes.programs for result in run_scenarios(each)]
    assert results == [True] * 3


HEAD = """\
game "Small"
    players 2
player
    state coins: 0..9 = 5
zone deck: set of Card
piece Card
    row ace
setup
    move all from Card to deck
"""
TAIL = """\
play
    each player
        do turn
        win me
    end game
"""
FEE = """\
fee of p: Player = 1
power ace in deck
    modify p.fee more 1
rule turn
    add me.fee to me.coins
"""
FIXED = {
    "a near name": ("rule turn\n    add 1 to me.coin\n", "rule turn\n    add 1 to me.coins\n"),
    "a slip": ("rule turn\n    increase me.coins by 1\n", "rule turn\n    add 1 to me.coins\n"),
    "an equals sign": (
        "rule turn\n    if me.coins == 3\n        add 1 to me.coins\n",
        "rule turn\n    if me.coins is 3\n        add 1 to me.coins\n",
    ),
    "a range": (
        "state days: 9..0\nrule turn\n    set days to 0\n",
        "state days: 0..9\nrule turn\n    set days to 0\n",
    ),
    "what may be impossible": (
        "rule turn\n    pay 2 from me.coins\n",
        "rule turn\n    surely pay 2 from me.coins\n",
    ),
    "a line too deep": (
        "rule turn\n    add 1 to me.coins\n        add 2 to me.coins\n",
        "rule turn\n    add 1 to me.coins\n    add 2 to me.coins\n",
    ),
    "a quote": ('rule turn\n    log "hello\n', 'rule turn\n    log "hello"\n'),
    "a value that is not open": (
        f"value {FEE}",
        f"open value {FEE}",
    ),
    "steps that all follow": (
        "state day: 0..9\nstate other: 0..9\nrule turn\n    swap day with other\n",
        """\
state day: 0..9
state other: 0..9
rule turn
    let before = day
    set day to other
    set other to before
""",
    ),
    "a step in the line of its condition": (
        "rule turn\n    if me.coins is 3: add 1 to me.coins\n",
        "rule turn\n    if me.coins is 3\n        add 1 to me.coins\n",
    ),
    "what is asked of a zone": (
        "rule turn\n    if deck.length > 1\n        add 1 to me.coins\n",
        "rule turn\n    if deck.size > 1\n        add 1 to me.coins\n",
    ),
    "a sign of other languages": (
        "rule turn\n    if me.coins % 2 is 1\n        add 1 to me.coins\n",
        "rule turn\n    if mod(me.coins, 2) is 1\n        add 1 to me.coins\n",
    ),
    "a tab": ("rule turn\n\tadd 1 to me.coins\n", "rule turn\n    add 1 to me.coins\n"),
}


@pytest.mark.parametrize("name", FIXED)
def test_quick_fixes_mend_the_file(tmp_path: Path, name: str) -> None:
    wrong, right = FIXED[name]
    opened = Opened(tmp_path)
    text = HEAD + wrong + TAIL
    opened.write("small.game", text)
    opened.settle("small.game")
    snapshot, path, _ = opened.at("small.game", 0)
    found = [*fixes(snapshot, path, 0, len(text))]
    assert found
    assert apply_edits(opened, [*found[0].edits]) == {"small.game": HEAD + right + TAIL}


def test_names_are_coloured_by_what_they_are(market: Opened) -> None:
    snapshot, path, _ = market.at(GAME, 0)
    text = snapshot.sources[path].text
    found = {(text[one.start : one.end], one.kind) for one in name_tokens(snapshot, path)}
    assert {
        ("Stall", "class"),
        ("tea", "enumMember"),
        ("buy", "function"),
        ("hand", "namespace"),
    } <= found
    assert {("stall", "parameter"), ("left", "macro"), ("price", "decorator")} <= found
    ends = [(one.start, one.end) for one in name_tokens(snapshot, path)]
    assert all(a[1] <= b[0] for a, b in pairwise(ends))


def test_for_editors_without_a_grammar_all_is_coloured(market: Opened) -> None:
    def line(file: str, words: str) -> list[tuple[str, str]]:
        snapshot, path, at = market.at(file, words)
        text = snapshot.sources[path].text
        found = all_tokens(snapshot, path)
        assert all(a.end <= b.start for a, b in pairwise(found))
        end = text.index("\n", at)
        return [(text[o.start : o.end], o.kind) for o in found if at <= o.start <= end]

    assert line(GAME, '|    log "{me} gets {me.income} coin(s)') == [
        ("log", "keyword"),
        ('"', "string"),
        ("me", "parameter"),
        (" gets ", "string"),
        ("me", "parameter"),
        ("income", "decorator"),
        (' coin(s)"', "string"),
    ]
    assert line(GAME, "|    players 2..4  ") == [
        ("players", "keyword"),
        ("2", "number"),
        ("4", "number"),
        ("[NM-001]", "comment"),
    ]
    assert line(SCENES, "|    chance gives ann  #") == [
        ("chance", "keyword"),
        ("gives", "keyword"),
        ("ann", "enumMember"),
        ("# who begins", "comment"),
    ]
    assert {("plays", "keyword"), ("because", "keyword")} <= {
        *line(SCENES, "|    refused ann plays buy(tea_house, 1) because")
    }


def test_ranges_that_were_worked_out_are_shown(market: Opened) -> None:
    snapshot, path, _ = market.at(GAME, 0)
    text = snapshot.sources[path].text
    shown = [
        text[: hint.offset].split("\n")[-1] + hint.text
        for hint in hints(snapshot, path, 0, len(text))
    ]
    assert "value stalls of p: Player (good: Good): a number 0..28" in shown


def test_lines_to_click_on(market: Opened) -> None:
    snapshot, path, _ = market.at(SCENES, 0)
    above = [lens.text for lens in lenses(snapshot, path)]
    assert above[0].startswith("run all ")
    assert above[1] == "run this scenario"
    snapshot, path, _ = market.at(GAME, 0)
    tested = {
        lens.span.source.line_text(lens.span.line).split("(")[0]: lens
        for lens in lenses(snapshot, path)
    }
    assert tested["action open_stall"].text.startswith("tested by ")
    assert tested["action open_stall"].places
    snapshot, path, _ = market.at("night_market.rules.md", 0)
    assert next(iter(lenses(snapshot, path))).text == "1 rule, no scenarios"


def test_scenarios_are_run_as_they_stand(tmp_path: Path) -> None:
    market = Opened(copy_shipped(tmp_path, *NIGHT_MARKET))
    text = market.open(SCENES)
    name = "hands are secret, their size is not"
    (ran,) = run(market.folder / SCENES, name, market.open_games.files.copy())
    assert (ran.name, ran.passed) == (name, True)
    market.write(SCENES, text.replace("bob sees ann.hand.size is 1", "bob sees ann.hand.size is 2"))
    (ran,) = run(market.folder / SCENES, name, market.open_games.files.copy())
    assert not ran.passed
    assert "ann.hand.size is 2" in ran.words

"""Files are read once, given texts replace them, and facts about places remain valid."""

from pathlib import Path

from rulewright.dsl.loading.files import Files
from rulewright.dsl.loading.loading import load
from rulewright.dsl.model.facts import Facts
from rulewright.dsl.scenarios.scenario_loading import load_scenarios

GAME = """\
game "Coins"
    players 2
include "rules.game"
play
    each player
        choose one of
            do take
            option "pass"
"""
RULES = """\
state coins: 0..9
action take
    add 1 to coins
"""
SCENARIO = """\
scenario "one coin"
    player ann, bob
    ann plays take
    expect coins is 1
"""


def write_game(folder: Path) -> Path:
    game = folder / "coins.game"
    game.write_text(GAME)
    (folder / "rules.game").write_text(RULES)
    (folder / "coins.scenario").write_text(SCENARIO)
    return game


def test_unchanged_files_keep_their_sources(tmp_path: Path) -> None:
    game, files = write_game(tmp_path), Files()
    first = load(game, files=files)
    files.given[game] = GAME + "# more\n"
    second = load(game, files=files)
    of = [{d.span.source.name: d.span.source for d in one.declarations} for one in (first, second)]
    assert [name for name in of[0] if of[0][name] is of[1][name]] == [
        name for name in of[0] if name.endswith("rules.game")
    ]
    assert second.hash == first.hash


def test_a_given_text_stands_for_a_file(tmp_path: Path) -> None:
    game, files = write_game(tmp_path), Files()
    assert not [p for p in load(game, files=files).check() if p.code == "unknown-name"]
    files.given[tmp_path / "rules.game"] = RULES.replace("to coins", "to coin")
    assert [p.code for p in load(game, files=files).check()][:1] == ["unknown-name"]
    del files.given[tmp_path / "rules.game"]
    assert not [p for p in load(game, files=files).check() if p.code == "unknown-name"]


def test_scenarios_tell_what_their_names_refer_to(tmp_path: Path) -> None:
    write_game(tmp_path)
    known = Facts()
    loaded = load_scenarios(tmp_path / "coins.scenario", known=known)
    assert loaded.problems == () and loaded.game is not None
    found = {
        span.text: (each.kind, each.declared and each.declared.line)
        for span, each in known.referents.items()
        if span.source.name.endswith(".scenario")
    }
    assert found == {"take": ("action", 2), "coins": ("state", 1)}

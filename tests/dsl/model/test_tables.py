"""Tables: the values of cells, and messages for mistakes, with the row, the column and the content."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulewright.dsl.diagnostics.diagnostics import Diagnostic, Problems, Severity
from rulewright.dsl.diagnostics.source import Source
from rulewright.dsl.loading.loading import load
from rulewright.dsl.model.cells import as_number
from rulewright.dsl.model.tables import MOST_ROWS, read_table
from rulewright.dsl.scenarios.scenario_loading import load_scenarios
from rulewright.dsl.text.names import as_name
from rulewright.interpreter.engines.engines import EngineName
from rulewright.interpreter.testing.scenarios import run_scenarios

GAME = """\
game "Little"
    players 2

kind Color = red "Crimson", blue

piece Card from "cards.csv"
    rank: 1..3
    color: Color
    big: Flag
    partner: Card or nothing
    values: list of 0..9 up to 3

zone deck: set of Card

setup
    move all from Card to deck

play
    log "hello"

score of p
    item "points" = 1

winner p by p.total then shared
"""
HEADER = "name,rank,color,big,partner,values\n"


def problems(folder: Path, table: str | bytes, game: str = GAME) -> tuple[Diagnostic, ...]:
    (folder / "t.game").write_text(game, encoding="utf-8")
    data = table.encode() if isinstance(table, str) else table
    (folder / "cards.csv").write_bytes(data)
    return load(folder / "t.game").check()


def problem_lines(found: tuple[Diagnostic, ...]) -> list[str]:
    return [f"{p.span.line}:{p.span.column} {p.code}: {p.message}" for p in found]


def rows(text: str) -> list[list[str]]:
    found = Problems()
    table = read_table(Source("t.csv", text), found)
    assert table is not None
    assert not len(found)
    return [[cell.text for cell in row] for row in table.rows]


@pytest.mark.parametrize(
    ("text", "cells"),
    [
        ("a,b\n1,2\n", [["1", "2"]]),
        ("a,b\n1,2", [["1", "2"]]),
        ("a,b\n 1 ,\t2 \n", [["1", "2"]]),
        ('a,b\n"1,5",2\n', [["1,5", "2"]]),
        ('a,b\n"say ""no""",2\n', [['say "no"', "2"]]),
        ('a,b\n"one\ntwo",2\n3,4\n', [["one\ntwo", "2"], ["3", "4"]]),
        ("a,b\n1,\n,2\n", [["1", ""], ["", "2"]]),
        ("a,b\n\n1,2\n\n\n3,4\n", [["1", "2"], ["3", "4"]]),
        ('a,b\n"",""\n,\n1,2\n,', [["1", "2"]]),
        ("a,b\n1,2,,\n3,4,\n", [["1", "2"], ["3", "4"]]),
        ("a,b,,\n1,2,,\n", [["1", "2", "", ""]]),
        ('a;b\n1;2,5\n"3;4";5\n', [["1", "2,5"], ["3;4", "5"]]),
        ('\n"a;c",b\n1;2,5\n', [["1;2", "5"]]),
        ("a\tb\n1\t\n \t \n3\t4, 5\n", [["1", ""], ["3", "4, 5"]]),
        ('a,b\n"tea" house,5\n', [["tea house", "5"]]),
    ],
)
def test_cells_are_read_as_values(text: str, cells: list[list[str]]) -> None:
    assert rows(text) == cells


def test_rows_above_the_limit_are_not_read() -> None:
    text = "name\n" + "a\n" * (MOST_ROWS + 2)
    found = Problems()
    table = read_table(Source("t.csv", text), found)
    assert table is not None
    assert len(table.rows) == MOST_ROWS
    said = ["20002:1 too-many-options: this table has 20,002 rows (at most 20,000)"]
    assert problem_lines(found.in_order()) == said


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Ace of Spades", "ace_of_spades"),
        (" 7-Up! ", "7_up"),
        ("__x__", "x"),
        ("É", "é"),
        ("E\u0301mile", "émile"),
        ("Ü-Boot", "ü_boot"),
        ("护卫舰", "护卫舰"),
        ("नमस्ते", "नमस्ते"),
        ("", ""),
    ],
)
def test_names_of_rows_become_words(text: str, name: str) -> None:
    assert as_name(text) == name


@pytest.mark.parametrize(
    "table",
    [
        f"{HEADER}ace,1,red,yes,king,1 2 3\nking,3,Crimson,no,,\n".encode(),
        f"{HEADER}ace,1,red,yes,king,1 2 3\nking,3,Crimson,no,,\n".replace("\n", "\r\n").encode(),
        b"\xef\xbb\xbf" + f'{HEADER}"ace",1,"red",1,nothing,"1,2"\n'.encode(),
        f"notes,{HEADER}first,old,1,red,x,,4;5\n".replace("notes,name", "name,notes").encode(),
    ],
)
def test_good_tables_are_accepted(tmp_path: Path, table: bytes) -> None:
    assert not problem_lines(problems(tmp_path, table))


@pytest.mark.parametrize(
    ("row", "message"),
    [
        (
            "ace,4,red,yes,,",
            "2:5 table-bad-cell: `4` in column `rank` of `ace` is not a number 1..3",
        ),
        (
            "ace,,red,yes,,",
            "2:5 table-bad-cell: `rank` of `ace` is empty, but a number 1..3 is expected",
        ),
        ("ace,1,rad,yes,,", "2:7 table-bad-cell: `rad` in column `color` of `ace` is not Color"),
        ('ace,1,"rad",yes,,', "2:7 table-bad-cell: `rad` in column `color` of `ace` is not Color"),
        (
            "ace,1,red,maybe,,",
            "2:11 table-bad-cell: `maybe` in column `big` of `ace` is not yes or no",
        ),
        (
            "ace,1,red,yes,qeen,",
            "2:15 table-bad-cell: `qeen` in column `partner` of `ace` is not Card or nothing",
        ),
        (
            "ace,1,red,yes,,1 2 3 4",
            (
                "2:16 table-bad-cell: `1 2 3 4` in column `values` of `ace` is not a list of at most 3, "
                "each a number 0..9"
            ),
        ),
        (
            "ace,1,red",
            "2:1 table-missing-cell: the row `ace` has 3 cells, but the table has 6 columns",
        ),
        (
            "ace,1,red,yes,,1,2",
            "2:18 table-extra-cell: the row `ace` has 7 cells, but the table has 6 columns",
        ),
        (",1,red,yes,,", "2:1 table-bad-cell: this row has no name in its first cell"),
        ('ace,1,"red,yes,,', "2:7 unclosed-text: a quote is opened in this cell and never closed"),
    ],
)
def test_bad_cells_are_reported_at_their_place(tmp_path: Path, row: str, message: str) -> None:
    assert message in problem_lines(problems(tmp_path, f"{HEADER}{row}\nqueen,1,blue,no,,\n"))


COUNTED = """game "Little"
    players 2
piece Card from "cards.csv"
    amount: 0..9
    copies = amount
piece Coin from "coins.csv"
    copies = number - 1
zone deck: set of Card
zone purse: set of Coin
setup
    move all from Card to deck
    move all from Coin to purse
play
    log "hello"
score of p
    item "points" = 1
winner p by p.total then shared
"""


BY_KIND = """game "Little"
    players 2..3
kind Sort = coin, land, deed
kind Look = deed, plain
piece Card
    sort: Sort
    cost: 0..9
    copies = if sort is land then 4 * player_count else if sort is coin then abs(cost - 9) else 1
    row penny, coin, 2
    row field, land, 3
    row title, deed, 5
piece Seal
    look: Look
    sort: Sort
    copies = by(sort: coin then 2, else if look is plain then 3 else 1)
    row bright, plain, land
    row dull, plain, coin
zone deck: set of Card
zone box: set of Seal
setup
    move all from Card to deck
    move all from Seal to box
play
    log "hello"
score of p
    item "points" = 1
winner p by p.total then shared
"""


def test_copies_hang_on_the_kinds_that_stand_in_a_row(tmp_path: Path) -> None:
    path = tmp_path / "t.game"
    path.write_text(BY_KIND, encoding="utf-8")
    assert load(path).check() == ()
    scenes = tmp_path / "t.scenario"
    scenes.write_text(
        """scenario "three"
    player ann, bob, cleo
    expect count(c in Card where c is field) is 12 and count(c in Card where c is penny) is 7
    expect count(c in Card where c is title) is 1 and Seal.size is 5
""",
        encoding="utf-8",
    )
    assert [outcome.passed for outcome in run_scenarios(load_scenarios(scenes).programs[0])] == [
        True
    ]


@pytest.mark.parametrize(
    ("cards", "coins", "message"),
    [
        (
            "king,99,,,",
            "gold,2",
            "3:6 table-bad-cell: `99` in column `amount` of `king` is not a number 0..9",
        ),
        (
            "king,x,,,",
            "gold,2",
            "3:6 table-bad-cell: `x` in column `amount` of `king` is not a number 0..9",
        ),
        (
            "king,,,,",
            "gold,2",
            "3:6 table-bad-cell: `amount` of `king` is empty, but a number 0..9 is expected",
        ),
        (
            "Total,,,,22",
            "gold,2",
            "3:7 table-bad-cell: `amount` of `total` is empty, but a number 0..9 is expected",
        ),
        ("king,2,,,", "gold,", "2:6 table-bad-cell: `number` of `gold` is empty"),
        (
            "king,2,,,",
            "gold,x",
            "2:6 table-bad-cell: `x` in column `number` of `gold` is not a number",
        ),
        ("king,2,,,", "gold,0", "2:1 out-of-range: there would be -1 copies of `gold`"),
    ],
)
def test_a_bad_cell_never_takes_a_row_away(
    tmp_path: Path, cards: str, coins: str, message: str
) -> None:
    (tmp_path / "coins.csv").write_text(f"name,number\n{coins}\nsilver,3\n", encoding="utf-8")
    found = problem_lines(problems(tmp_path, f"name,amount,,,\nace,1,,,\n{cards}\n", COUNTED))
    assert found == [message]


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("12", 12),
        ("-3", -3),
        ("\u22123", -3),
        ("+4", 4),
        ("4,0", 4),
        ("4.00", 4),
        ("2,5", None),
        ("1,000", None),
        ("1_000", None),
        ("", None),
        ("99999999999", None),
    ],
)
def test_numbers_are_read_within_bounds(text: str, number: int | None) -> None:
    assert as_number(text) == number


@pytest.mark.parametrize(
    "table",
    [
        "name;rank;color;big;partner;values\nace;1,0;red;yes;;1 2 3\n;;;;;\nking;3;Crimson;no;;\n",
        "name\trank\tcolor\tbig\tpartner\tvalues\nace\t1\tred\tyes\t\t1,2\n",
    ],
)
def test_files_of_spreadsheets_are_read(tmp_path: Path, table: str) -> None:
    assert not problem_lines(problems(tmp_path, "\ufeff" + table))


def test_cells_separated_in_two_ways(tmp_path: Path) -> None:
    table = f"{HEADER.replace(',', ';')}ace,1,red,yes,,\n"
    assert [p.help for p in problems(tmp_path, table)] == [
        "the first line has a semicolon between two cells, but this row has a comma"
    ]


ALPHABETS = (
    COUNTED.partition("piece Coin")[0]
    + """
zone deck: set of Card
zone été: set of Card
setup
    move all from Card to deck
    move 护卫舰 from deck to été
rule прочь
    move नमस्ते from deck to été
play
    each player
        choose one of
            do прочь
            option "Ruhe — jetzt!"
score of p
    item "größe" = été.size + straße.amount
winner p by p.total then shared
"""
)


def test_names_in_any_alphabet(tmp_path: Path) -> None:
    table = "name,amount\n护卫舰,1\nE\u0301mile,2\nstraße,1\nनमस्ते,1\n"
    assert not problem_lines(problems(tmp_path, table, ALPHABETS))
    scenario = tmp_path / "t.scenario"
    scenario.write_text(
        'scenario "names"\n    player анна, zoë\n    expect émile in deck\n'
        "    анна plays прочь\n    zoë plays ruhe_jetzt\n"
        "    expect नमस्ते in été and 护卫舰 in été and анна.item(größe) is 3\n",
        encoding="utf-8",
    )
    loaded = load_scenarios(scenario)
    assert not problem_lines(loaded.problems)
    engines: tuple[EngineName, ...] = ("reference", "python", "native")
    for engine in engines:
        assert all(result.passed for result in run_scenarios(loaded.programs[0], engine))


@pytest.mark.parametrize(
    ("name", "help"),
    [
        ("goldenÄpfel", "write `golden_äpfel`"),
        ("tradeGoods", "write `trade_goods`"),
        (
            "tRADE_Goods",
            "names are written in small letters and `_`, types with a capital first",
        ),
    ],
)
def test_capitals_stand_in_no_name(tmp_path: Path, name: str, help: str) -> None:
    game = f'game "Little"\n    players 2\ntoken {name}\n'
    (tmp_path / "t.game").write_text(game, encoding="utf-8")
    found = load(tmp_path / "t.game").check()
    assert any(p.help == help for p in found)


def test_near_rows_are_offered(tmp_path: Path) -> None:
    (found,) = problems(tmp_path, f"{HEADER}ace,1,blu,yes,,\n")
    assert found.help == "did you mean `blue`?"


@pytest.mark.parametrize(
    ("header", "message"),
    [
        (
            "name,rank,color,big,partner\n",
            "7:5 table-missing-column: the table `cards.csv` has no column `values`",
        ),
        ("name,rank,color,big,partner,value\n", "has no column `values`"),
        (
            "name,rank,color,rank,big,partner,values\n",
            "1:17 table-duplicate-column: the column `rank` appears twice in this table",
        ),
    ],
)
def test_bad_headers_are_reported(
    tmp_path: Path, header: str, message: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    row = "ace" + ",1" * header.count(",")
    found = problem_lines(problems(tmp_path, f"{header}{row}\n"))
    assert any(message.split(" ", 1)[-1] in text for text in found), found


def test_each_cell_is_reported_once(tmp_path: Path) -> None:
    table = HEADER + "".join(f"c{n},9,red,yes,,\n" for n in range(20))
    game = GAME.replace("players 2", "players 2..4")
    found = problems(tmp_path, table, game)
    assert [p.span.line for p in found] == list(range(2, 22))


def test_keys_that_cannot_be_read_are_not_reported_to_stand_twice(tmp_path: Path) -> None:
    game = tmp_path / "keys.game"
    game.write_text(KEYS, encoding="utf-8")
    assert [p.code for p in load(game).check()] == ["unknown-type"]
    game.write_text(KEYS.replace("hue: Hue", "hue: 0..9"), encoding="utf-8")
    assert [p.code for p in load(game).check()] == ["table-bad-cell", "table-bad-cell"]


KEYS = """\
game "Keys"
    players 2
table Worth key hue
    hue: Hue
    pays: 0..9
    row red, 3
    row blue, 4
play
    end game
winner p by 1 then shared
"""


def test_duplicate_rows_are_reported(tmp_path: Path) -> None:
    (found,) = problems(tmp_path, f"{HEADER}Ace,1,red,yes,,\nking,1,red,no,,\nace,2,red,no,,\n")
    assert found.code == "table-duplicate-row"
    assert (found.span.line, found.labels[0].span.line) == (4, 2)


@pytest.mark.parametrize("table", ["", "\n\n", HEADER])
def test_an_empty_table_is_reported(tmp_path: Path, table: str) -> None:
    assert [p.code for p in problems(tmp_path, table)] == ["table-empty"]


def test_a_table_that_is_not_there(tmp_path: Path) -> None:
    path = tmp_path / "t.game"
    path.write_text(GAME, encoding="utf-8")
    (found,) = load(path).check()
    assert (found.code, found.span.text) == ("unknown-file", '"cards.csv"')
    assert found.help == "a table belongs beside the game file: put `cards.csv` there"
    (tmp_path / "crads.csv").write_text("", encoding="utf-8")
    (found,) = load(path).check()
    assert found.help == "did you mean `crads.csv`?"


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"name,rank\nace,\xff\n", "not-utf8"),
        (b"name\x00", "binary-file"),
        (b"x" * 20_000, "line-too-long"),
    ],
)
def test_tables_that_are_no_text(tmp_path: Path, data: bytes, code: str) -> None:
    assert code in [p.code for p in problems(tmp_path, data)]


# ---- files that include others ------------------------------------------------------------------

REST = GAME.partition("kind Color")[2]


def test_an_include_reads_another_table(tmp_path: Path) -> None:
    (tmp_path / "rest.game").write_text(f"kind Color{REST}", encoding="utf-8")
    game = 'game "Little"\n    players 2\n\ninclude "rest.game"\n'
    assert not problem_lines(problems(tmp_path, f"{HEADER}ace,1,red,yes,,\n", game))


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ('include "none.game"', "4:1 no-such-include: the file `none.game` cannot be read"),
        (
            'include "t.game"',
            "4:1 include-cycle: `t.game` includes itself, directly or through others",
        ),
        ('include "a.game"\ninclude "a.game"', "5:1 include-cycle: `a.game` is included twice"),
        (
            'include "b.game"',
            "1:1 include-cycle: `b.game` includes itself, directly or through others",
        ),
        ('include "."', "4:1 no-such-include: the file `.` is a folder"),
    ],
)
def test_bad_includes_are_reported(tmp_path: Path, line: str, message: str) -> None:
    (tmp_path / "a.game").write_text("token gold\n", encoding="utf-8")
    (tmp_path / "b.game").write_text('include "c.game"\n', encoding="utf-8")
    (tmp_path / "c.game").write_text('include "b.game"\n', encoding="utf-8")
    game = f'game "Little"\n    players 2\n\n{line}\n\nkind Color{REST}'
    found = problem_lines(problems(tmp_path, f"{HEADER}ace,1,red,yes,,\n", game))
    assert found == [message]


SUMS = """\
game "Little"
    players 2

piece Card from "cards.csv"
    rank: 1..9 or nothing
    price: 0..9 or nothing

zone deck: set of Card

setup
    move all from Card to deck

play
    log "hello"

score of p
    item "points" = 1

winner p by p.total then shared
"""


@pytest.mark.parametrize("last", ["Total,,", "Total,3,", "sum,3,4", "Grand total,,9"])
def test_a_last_row_of_sums_is_reported(tmp_path: Path, last: str) -> None:
    found = problems(tmp_path, f"name,rank,price\nace,1,2\nking,2,2\n{last}\n", SUMS)
    assert [(p.span.line, p.code, p.severity) for p in found] == [
        (4, "table-sum-row", Severity.WARNING)
    ]


@pytest.mark.parametrize(
    "rows", ["total,3,4\nking,2,2", "ace,1,2\nking,2,2\ntotal,1,2", "total,1,2"]
)
def test_a_row_may_be_called_total(tmp_path: Path, rows: str) -> None:
    assert problems(tmp_path, f"name,rank,price\n{rows}\n", SUMS) == ()


def test_a_file_is_never_meant_by_what_it_includes(tmp_path: Path) -> None:
    (tmp_path / "fields.game").write_text('include "field.game"\n', encoding="utf-8")
    helps = [p.help for p in load(tmp_path / "fields.game").check() if p.code == "no-such-include"]
    assert helps == ['name a rules file in the same folder as this one: `include "map.game"`']


LOOKED_UP = """\
game "Small"
    players 2
space Region from "regions.csv"
kind Good = tea, silk
table Worth key place, good
    place: Region
    good: Good
    coins: 0..9
    row north, tea, 2
value best of r: Region = Worth(r, tea).coins
play
    log "{sum(r in Region: r.best)}"
    end game
winner p by p.number then shared
"""


def test_a_table_keyed_by_spaces_without_rows_is_no_fault_of_the_check(tmp_path: Path) -> None:
    game = tmp_path / "small.game"
    game.write_text(LOOKED_UP, "utf-8")
    found = [(problem.code, problem.span.text) for problem in load(game).check()]
    assert found == [("unknown-file", '"regions.csv"'), ("table-bad-cell", "north")]

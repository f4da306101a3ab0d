"""The interpretation of typed choices."""

import pytest

from rulewright.cli.terminal.choices import Listed, option_lines
from rulewright.cli.terminal.parse_input import (
    Chosen,
    Command,
    Several,
    Unclear,
    read_answer,
)
from rulewright.interpreter.text.typed import about_it, labels_of

NAMES = ["drop(1)", "drop(2)", "pass", "tile_red_04", "undo"]
TEXTS = ["drop into column 1", "drop into column 2", "pass", "the red four", "take it back"]


@pytest.mark.parametrize(
    ("line", "meant"),
    [
        ("1", Chosen(0)),
        (" 5 ", Chosen(4)),
        ("drop(2)", Chosen(1)),
        ("Drop 2", Chosen(1)),
        ("tile red 04", Chosen(3)),
        ("pa", Chosen(2, by_part=True)),
        ("tile", Chosen(3, by_part=True)),
        ("the r", Chosen(3, by_part=True)),
        ("red", Chosen(3, by_part=True)),
        ("drop", Several((0, 1))),
        ("drôp 2", Chosen(1)),
        ("column", Several((0, 1))),
        ("column 2", Chosen(1, by_part=True)),
        ("undo", Chosen(4)),
        ("/undo", Command("undo", "")),
        ("why drop(1)", Command("why", "drop(1)")),
        ("save my file", Command("save", "my file")),
        ("exit", Command("quit", "")),
        ("q", Command("quit", "")),
        ("?", Command("help", "")),
        ("HELP", Command("help", "")),
        ("6", Unclear(())),
        ("pess", Unclear(("pass",))),
        ("loook", Unclear(("look",))),
        ("zzz", Unclear(())),
        ("()", Unclear(())),
    ],
)
def test_a_line_is_read(line: str, meant: object) -> None:
    assert read_answer(line, labels_of(NAMES), NAMES, TEXTS) == meant


LABELS = ["1", "2", "3", "5", "6"]
COLUMNS = [f"drop({number})" for number in (1, 2, 3, 5, 6)]


@pytest.mark.parametrize("number", LABELS)
def test_a_number_means_the_option_of_this_number(number: str) -> None:
    assert labels_of(COLUMNS) == LABELS
    assert read_answer(number, LABELS, COLUMNS, COLUMNS) == Chosen(LABELS.index(number))


def test_a_number_that_is_not_shown_means_nothing_else() -> None:
    assert read_answer("4", LABELS, COLUMNS, COLUMNS) == Unclear(())


def test_beside_numbers_other_options_have_letters() -> None:
    names = ["bid(5)", "bid(6)", "bid(7)", "pass", "double(pass)"]
    assert labels_of(names) == ["5", "6", "7", "p", "d"]
    assert read_answer("p", labels_of(names), names, names) == Chosen(3)


def test_a_few_numbers_among_others_leave_places_in_the_list() -> None:
    names = ["trade", "repay(2)", "attack", "pass"]
    assert labels_of(names) == ["1", "2", "3", "4"]
    both = ["buy(7)", "buy(8)", "sell(7)"]
    assert labels_of(both) == ["1", "2", "3"]
    assert read_answer("7", labels_of(both), both, both) == Several((0, 2))
    assert read_answer("8", labels_of(both), both, both) == Chosen(1, by_part=True)


def test_cells_are_called_by_their_names() -> None:
    names = ["place(a1)", "place(a10)", "place(b1)"]
    assert read_answer("a1", labels_of(names), names, names) == Chosen(0, by_part=True)
    assert read_answer("b", labels_of(names), names, names) == Chosen(2, by_part=True)


def test_numbers_that_are_names_are_names() -> None:
    names = ["0", "1", "2", "none"]
    assert labels_of(names) == names
    assert read_answer("1", labels_of(names), names, names) == Chosen(1)
    assert read_answer("4", labels_of(names), names, names) == Unclear(())


def listed_options(names: list[str], texts: list[str]) -> list[Listed]:
    return [Listed(*each) for each in zip(labels_of(names), names, texts, strict=True)]


def test_few_options_stand_below_one_another() -> None:
    assert option_lines(listed_options(["yes", "no"], ["yes", "no"]), 80) == ["  1  yes", "  2  no"]


def test_many_short_options_stand_in_columns() -> None:
    texts = [f"card {number}" for number in "abcdefghijkl"]
    assert option_lines(listed_options(texts, texts), 80) == [
        "   1  card a    5  card e    9  card i",
        "   2  card b    6  card f   10  card j",
        "   3  card c    7  card g   11  card k",
        "   4  card d    8  card h   12  card l",
    ]


def test_long_options_are_wrapped() -> None:
    lines = option_lines(listed_options(["long"], ["word " * 40]), 80)
    assert len(lines) == 3
    assert all(len(line) <= 80 for line in lines)
    assert lines[1].startswith("     word")


WARES = ["tea", "silk", "pepper", "cloth"]


def test_options_without_room_are_grouped_by_what_they_do() -> None:
    names = [*(f"buy({ware})" for ware in WARES), *(f"sell({ware})" for ware in WARES), "pass"]
    texts = [*(f"buy {w} for 3" for w in WARES), *(f"sell all {w}" for w in WARES), "pass"]
    assert option_lines(listed_options(names, texts), 60, room=4) == [
        "  buy: 1 tea for 3   2 silk for 3   3 pepper for 3",
        "      4 cloth for 3",
        "  sell all: 5 tea   6 silk   7 pepper   8 cloth",
        "  9 pass",
    ]


def test_very_many_options_are_counted_where_they_are_about_one_thing() -> None:
    cells = [f"{x}{y}" for x in "abcdefgh" for y in range(1, 9)]
    names = [f"move({cell}, {goal})" for cell in ("a1", "b1") for goal in cells] + ["resign"]
    texts = [name.replace("(", " ").replace(", ", " to ").rstrip(")") for name in names]
    assert option_lines(listed_options(names, texts), 80, room=5) == [
        "  move a1 to: 64 options, 1 to 64; `options move a1 to` lists them",
        "  move b1 to: 64 options, 65 to 128; `options move b1 to` lists them",
        "  129 resign",
    ]


def test_options_about_a_thing() -> None:
    names = ["buy(tea_cart)", "buy(tea)", "sell(tea_cart, 2)", "pass"]
    assert about_it("tea_cart", names) == ["buy(tea_cart)", "sell(tea_cart, 2)"]
    assert about_it("Tea", names) == names[:3]
    assert about_it("cart 2", names) == ["sell(tea_cart, 2)"]
    assert about_it("as", names) == about_it("", names) == about_it("()", names) == []

"""What is typed during play, and what is meant by it."""

import pytest

from rulewright.cli.answers import Asked, Chosen, Unclear, about_it, read_answer
from rulewright.cli.screen import labels_of, option_lines

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
        ("pa", Chosen(2)),
        ("tile", Chosen(3)),
        ("the r", Chosen(3)),
        ("drop", Unclear(("drop(1)", "drop(2)"))),
        ("undo", Chosen(4)),
        ("/undo", Asked("undo", "")),
        ("why drop(1)", Asked("why", "drop(1)")),
        ("save my file", Asked("save", "my file")),
        ("exit", Asked("quit", "")),
        ("q", Asked("quit", "")),
        ("?", Asked("help", "")),
        ("HELP", Asked("help", "")),
        ("6", Unclear(())),
        ("pess", Unclear(("pass",))),
        ("loook", Unclear(("look",))),
        ("zzz", Unclear(())),
        ("()", Unclear(())),
    ],
)
def test_a_line_is_read(line: str, meant: object) -> None:
    assert read_answer(line, labels_of(NAMES), NAMES, TEXTS) == meant


def test_numbers_that_are_names_are_names() -> None:
    names = ["0", "1", "2", "none"]
    assert labels_of(names) == names
    assert read_answer("1", labels_of(names), names, names) == Chosen(1)
    assert read_answer("4", labels_of(names), names, names) == Unclear(())


def test_few_options_stand_below_one_another() -> None:
    assert option_lines(["1", "2"], ["yes", "no"]) == ["  1  yes", "  2  no"]


def test_many_short_options_stand_in_columns() -> None:
    labels = [str(number) for number in range(1, 13)]
    lines = option_lines(labels, [f"card {label}" for label in labels])
    assert lines == [
        "   1  card 1     5  card 5     9  card 9",
        "   2  card 2     6  card 6    10  card 10",
        "   3  card 3     7  card 7    11  card 11",
        "   4  card 4     8  card 8    12  card 12",
    ]


def test_long_options_are_wrapped() -> None:
    lines = option_lines(["1"], ["word " * 40])
    assert len(lines) == 3
    assert all(len(line) <= 80 for line in lines)
    assert lines[1].startswith("     word")


def test_options_about_a_thing() -> None:
    names = ["buy(tea_cart)", "buy(tea)", "sell(tea_cart, 2)", "pass"]
    assert about_it("tea_cart", names) == ["buy(tea_cart)", "sell(tea_cart, 2)"]
    assert about_it("Tea", names) == names[:3]
    assert about_it("cart 2", names) == ["sell(tea_cart, 2)"]
    assert about_it("as", names) == about_it("", names) == about_it("()", names) == []

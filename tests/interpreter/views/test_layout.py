"""Boards are side by side or one below the other, and keep their places."""

from __future__ import annotations

from rulewright.interpreter.views.board import Lines, Places, Table, panels
from rulewright.interpreter.views.view import ALL_SEEING, View

NOTHING = View(ALL_SEEING, (), (), (), ())


def panel_text(*boards: Lines, width: int = 40, places: Places | None = None) -> str:
    found = panels(NOTHING, boards, Table(()), width, places=places)
    return "\n--\n".join(panel.text for panel in found)


TALL = Lines(("one", "two", "three", "four", "five", "six"), "Tall")


def test_blocks_too_wide_for_a_row_stand_below_a_short_one() -> None:
    short, wide = Lines(("a",), "Short"), Lines(("a line that is rather long", "b"), "Wide")
    assert (
        panel_text(TALL, short, wide)
        == """\
Tall    Short
one     a
two
three   Wide
four    a line that is rather long
five    b
six"""
    )


def test_blocks_too_tall_for_a_column_begin_a_row() -> None:
    wide = Lines(("a line that is rather long", *"bcdef"), "Wide")
    assert panel_text(TALL, Lines(("a",), "Short"), wide).count("\n--\n") == 1


def test_boards_stay_in_their_places_whatever_is_marked() -> None:
    places = Places()
    texts = tuple(f"place {number}: empty" for number in range(9))
    before = panel_text(Lines(texts, "Places"), Lines(("x",), "Other"), width=60, places=places)
    marked = Lines(texts, "Places", changed=frozenset(texts[:1]))
    after = panel_text(marked, Lines(("x",), "Other"), width=60, places=places)
    assert after != before
    assert after.replace(" <", "  ") == before


def test_notes_are_no_wider_than_they_need_to_be() -> None:
    note = "a word and another word and one more word, and then an end"
    noted = Lines(("one", "two"), "Noted", (note,))
    assert (
        panel_text(noted, Lines(("x",), "Other"), width=60)
        == """\
Noted                                  Other
one                                    x
two
a word and another word and one more
word, and then an end"""
    )
